"""what code calls, by name -> whether some of it is not seen, and may get its data from elsewhere.

A step of which all is seen gives the same again from the same. One that calls a function of a
library, or of a module, may read a file, a database, a clock; and a name is all that is known.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any, Final

from .code import UNREADABLE
from .compiled import Uses
from .fingerprint import origin
from .known_functions import (
    DEFERRING_DECORATORS,
    MUTATING_FUNCTIONS,
    MUTATING_METHODS,
    PURE_FUNCTIONS,
    PURE_METHODS,
    words,
)
from .module_mentions import Pair

_FROM_ELSEWHERE: Final = words(
    """
    read readline readlines read_text read_bytes read_csv readinto fetchone fetchmany fetchall
    get_nowait exists is_file is_dir iterdir glob rglob stat resolve absolute open input collect
    fromfile __next__ __anext__ send asend
    """
)
_SEEN: Final = (
    PURE_FUNCTIONS
    | PURE_METHODS
    | MUTATING_METHODS
    | MUTATING_FUNCTIONS.keys()
    | DEFERRING_DECORATORS
    | {"object", "Exception", "ValueError", "KeyError", "TypeError", "RuntimeError"}
) - _FROM_ELSEWHERE


def calls_unseen(
    text: str, called: Iterable[Uses], attributes: Iterable[Pair], names: Mapping[str, Any]
) -> bool:
    """Of the text of a cell, and of code of the notebook that it may call.

    >>> calls_unseen("x = sorted([2, 1])", (), (), {}), calls_unseen("x = load('m')", (), (), {})
    (False, True)
    """
    uses = [*called]
    try:
        tree = ast.parse(text)
    except UNREADABLE:
        return True
    own = {each.name for each in uses}.union(_bound(tree), *(each.writes for each in uses))
    said = {*_called(tree)}.union(*(each.calls for each in uses))
    loaded = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    loaded = loaded.union(*(each.reads for each in uses))
    said.update(name for name in loaded if _is_code_of_others(name, names))
    roots = ((root, chain) for root, chain in attributes if type(names.get(root)) is ModuleType)
    said.update(chain.rpartition(".")[2] for root, chain in roots if _runs(names[root], chain))
    return not said <= _SEEN | own


def _called(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield str(getattr(node.func, "attr", None) or getattr(node.func, "id", ""))


def _bound(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name


def _is_code_of_others(name: str, names: Mapping[str, Any]) -> bool:
    value = names[name] if name in names else vars(builtins).get(name)
    return origin(value) is not None and type(value) is not ModuleType


def _runs(module: ModuleType, chain: str) -> bool:
    value: Any = module
    for part in chain.split("."):
        value = vars(value).get(part) if type(value) is ModuleType else None
    return origin(value) is not None and type(value) is not ModuleType
