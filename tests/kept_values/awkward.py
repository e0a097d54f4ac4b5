"""the table of awkward values, in the process that keeps them or in the one that restores them ->
what each gives there.

A line of `awkward.txt` is code that makes `v` (¶ begins a line of it), and what is asked of `v`;
after `- ` is what cannot be kept. Modules are imported as they are named.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import sys
import warnings
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from wfnb.core.kept_values import KeptValues
from wfnb.values import Keeper

ALIASES = {"np": "numpy", "pd": "pandas"}


class Line(NamedTuple):
    code: str
    asked: str
    is_kept: bool


def table() -> list[Line]:
    lines = Path(__file__).with_name("awkward.txt").read_text("utf-8").splitlines()
    found = []
    for line in lines:
        if line and not line.startswith("#"):
            code, _, asked = line.removeprefix("- ").partition(" → ")
            found.append(Line(code.replace("¶", "\n"), asked, not line.startswith("- ")))
    return found


def kept(folder: str) -> list[Any]:
    """Of each line: what was kept, and what it gives after that, and what it gives where it was not
    kept. None where a library is not installed."""
    warnings.simplefilter("ignore")
    keeper = Keeper(Path(folder), Path(folder) / "own")
    space = vars(sys.modules["__main__"])
    before = dict(space)
    found: list[Any] = []
    for line in table():
        said: list[Any] = []
        for is_kept in (True, False):
            space.clear()
            space.update(before)
            if not provided(line.code, space):
                break
            exec(line.code, space)
            if is_kept:
                one = keeper.keep({"v": space["v"]}, namespace=space)
                said.append(TypeAdapter(KeptValues).dump_python(one, mode="json"))
            said.append(answer(line, space))
        found.append(said or None)
    space.clear()
    space.update(before)
    return found


def restored(folder: str, kept: list[Any]) -> list[str]:
    """Of each line, what it gives here."""
    warnings.simplefilter("ignore")
    keeper = Keeper(Path(folder), Path(folder) / "own")
    found = []
    for line, said in zip(table(), kept, strict=True):
        space = {"__name__": "__main__", "__builtins__": builtins}
        one = TypeAdapter(KeptValues).validate_python(said[0]) if said else None
        if one is None or one.values[0].why_not:
            found.append("")
            continue
        back = keeper.restore(one, namespace=space)
        space.update(back.also | back.values)
        back.give_back()
        missing = [each.why for each in back.missing]
        found.append(f"not back: {missing}" if missing else answer(line, space))
    return found


def answer(line: Line, space: dict[str, Any]) -> str:
    if not line.asked:
        return ""
    try:
        provided(line.asked, space)
        return repr(eval(line.asked, space))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def provided(code: str, space: dict[str, Any]) -> bool:
    """Import the modules that code names. Whether all of them are installed."""
    tree = ast.parse(code)
    stored = {one.id for one in ast.walk(tree) if _is_stored(one)}
    for node in ast.walk(tree):
        names = _dotted(node)
        if not names or names[0] in stored or hasattr(builtins, names[0]):
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            continue
        module = ALIASES.get(names[0], names[0])
        try:
            space.setdefault(names[0], importlib.import_module(module))
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
            if names[0] not in space and module not in _defined(tree):
                return False
            continue
        for part in names[1:]:
            module = f"{module}.{part}"
            try:
                importlib.import_module(module)
            except ImportError:
                break
    return True


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _defined(tree: ast.AST) -> set[str]:
    """Names that code defines in other ways than by `=`."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name):
                found.add(name)
            case ast.arg(arg=name):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add(other or name.partition(".")[0])
            case _:
                pass
    return found


def _dotted(node: ast.AST) -> list[str]:
    match node:
        case ast.Name(id=name):
            return [name]
        case ast.Attribute(value=value, attr=attr):
            before = _dotted(value)
            return [*before, attr] if before else []
        case _:
            return []
