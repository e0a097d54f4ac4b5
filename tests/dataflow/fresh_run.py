"""cells -> what each does in a run from the top, in a namespace of their own."""

from __future__ import annotations

import ast
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import lru_cache
from io import StringIO
from types import CodeType
from typing import Any

from tests.dataflow.kernel import Observation, rebound
from tests.dataflow.outside import apart
from tests.dataflow.values import canonical, scrubbed


class _Namespace(dict[str, Any]):
    """A namespace that notes which of its names are read, and which a body assigns before."""

    def __init__(self) -> None:
        super().__init__(__name__="__main__")
        self.reads: set[str] = set()
        self.assigned_first: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.reads.add(name)
        return super().__getitem__(name)

    def __setitem__(self, name: str, value: Any) -> None:
        if name not in self.reads:
            self.assigned_first.add(name)
        super().__setitem__(name, value)


@dataclass(frozen=True)
class FromTheTop:
    """What a step does when its line is run from the top, and the names that it reads then;
    `assigned_first` are those that it assigns before it reads them."""

    observation: Observation
    reads: frozenset[str]
    assigned_first: frozenset[str] = frozenset()


@lru_cache(maxsize=20_000)
def _compiled(body: str) -> tuple[list[CodeType] | None, CodeType | None, frozenset[str]]:
    """The statements and the last expression of a body (None: it is no Python), and the names that
    the bodies of its classes read, which no namespace can note. Each statement is compiled alone,
    as IPython does: beside an import of its module, CPython compiles a call to other code."""
    try:
        tree = ast.parse(body)
    except SyntaxError:
        return None, None, frozenset()
    in_classes = {
        node.id
        for each in ast.walk(tree)
        if isinstance(each, ast.ClassDef)
        for node in ast.walk(each)
        if isinstance(node, ast.Name)
    }
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = _code(ast.Expression(tree.body.pop().value), "eval")
    codes = [_code(ast.Module([statement], []), "exec") for statement in tree.body]
    return codes, last, frozenset(in_classes)


def _code(tree: Any, mode: str) -> CodeType:
    code: CodeType = compile(tree, "<cell>", mode, dont_inherit=True)
    return code


def _stored(tree: ast.AST) -> set[str]:
    """Names that the statements at the top assign, define, import or delete."""
    stored: set[str] = set()
    waiting = list(ast.iter_child_nodes(tree))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            stored.add(node.name)
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            stored.add(node.id)
        elif isinstance(node, ast.alias):
            stored.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.Lambda | ast.comprehension):
            continue
        waiting += ast.iter_child_nodes(node)
    return stored


@lru_cache(maxsize=20_000)
def always_assigned(body: str) -> frozenset[str]:
    """The names that it assigns whatever way it takes, if it ends without an error."""
    try:
        tree = ast.parse(body)
    except SyntaxError:
        return frozenset()
    branching = (ast.If, ast.For, ast.While, ast.Try, ast.TryStar, ast.Match, ast.With)
    straight = [node for node in tree.body if not isinstance(node, branching)]
    return frozenset(_stored(ast.Module(straight, [])))


def _fresh_run(body: str, namespace: _Namespace, before: dict[str, str]) -> FromTheTop:
    codes, last, in_classes = _compiled(body)
    namespace.reads, namespace.assigned_first = set(), set()
    objects = dict(namespace)
    error, result, printed = None, "", StringIO()
    if codes is None:
        error = "SyntaxError"
    else:
        try:
            with redirect_stdout(printed):
                for code in codes:
                    exec(code, namespace)
                value = None if last is None else eval(last, namespace)
                if body.rstrip().endswith(";"):  # IPython shows nothing then
                    value = None
            result = "" if value is None else canonical(value)
        except (Exception, SystemExit) as problem:
            error = type(problem).__name__
    reads = frozenset(namespace.reads | (in_classes & before.keys()))
    after = {
        name: canonical(value) for name, value in namespace.items() if not name.startswith("_")
    }
    said = scrubbed(printed.getvalue())
    seen = Observation(error, result, said, before, after, rebound(objects, namespace))
    return FromTheTop(seen, reads, frozenset(namespace.assigned_first))


@lru_cache(maxsize=256)
def from_the_top(
    ground: tuple[str, ...], bodies: tuple[str, ...], state: int = 0
) -> tuple[FromTheTop, ...]:
    """What the ground and then each body does, in a fresh namespace; `state` is what the random
    generators have that no cell seeds."""
    namespace = _Namespace()
    before: dict[str, str] = {}
    runs = []
    with apart(state), redirect_stderr(StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        main, sys.modules["__main__"] = sys.modules["__main__"], _module(namespace)
        try:
            for body in (*ground, *bodies):
                runs.append(_fresh_run(body, namespace, before))
                before = runs[-1].observation.after
        finally:
            sys.modules["__main__"] = main
    return tuple(runs)


def _module(namespace: dict[str, Any]) -> Any:
    """A module with these names: a class of a dataclass looks for its own."""

    class _Main:
        __dict__ = namespace

    return _Main()
