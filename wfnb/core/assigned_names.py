"""a step's code -> the names that it assigns, which `--keep all` keeps. Nothing is run or traced.

What counts: assignments of every form (also `+=`, `:=`, `for`, `with`, `match`), imports, functions
and classes, and the name before a dot or bracket that is assigned to (`model.alpha = 1` is `model`,
`df["x"] = 1` is `df`). What does not: names within functions, classes and comprehensions, names
that begin with `_`, names that `del` takes away, and methods that change what they are called on
(`rows.append(1)`): that is not to be seen in the code, and such a name is kept by saying it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_TIMED = ("time", "capture", "prun")
"""Magics of IPython that run the code after them in the user's namespace."""


def find_assigned(code: str) -> tuple[str, ...]:
    """The names in order of their first assignment; none where it is no Python. Lines that IPython
    rewrites have to be rewritten already.

    >>> find_assigned("import numpy as np\\nfor i in r: d[0] += (n := i)\\ndef f(): y = 1\\ndel i")
    ('np', 'n', 'd', 'f')
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    names: dict[str, None] = {}
    try:
        for name, is_bound in _body(tree):
            if is_bound and not name.startswith("_"):
                names[name] = None
            elif not is_bound:
                names.pop(name, None)
    except RecursionError:  # code that a program wrote, thousands of brackets deep
        return ()
    return tuple(names)


def _body(node: ast.AST, local: bool = False) -> Iterator[tuple[str, bool]]:
    """Names, and whether they are there after it; `local`: in a comprehension, which has no
    statements, and where only `:=` assigns to names outside."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            for outer in (*node.decorator_list, *_defaults(node)):
                yield from _body(outer)
            yield node.name, True
            return
        case ast.Lambda():
            return
        case ast.Import() | ast.ImportFrom():
            for alias in node.names:
                if alias.name != "*":
                    yield alias.asname or alias.name.partition(".")[0], True
        case ast.NamedExpr():
            # The value first: in `x = (y := 1)` Python assigns y before x, and names come in that
            # order.
            yield from _body(node.value)
            yield node.target.id, True
            return
        case ast.Name(id=name, ctx=ast.Store()) if not local:
            yield name, True
        case ast.Name(id=name, ctx=ast.Del()):
            yield name, False
        case (
            ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del())
        ) if not local:
            base = _base(node)
            if base is not None:
                yield base, True
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            yield from _assignment(node)
            return
        case ast.ExceptHandler(name=str(name)):
            for part in ast.iter_child_nodes(node):
                yield from _body(part)
            # Python deletes the name of an `except … as` at the block's end.
            yield name, False
            return
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name, True
        case ast.MatchMapping(rest=str(name)):
            yield name, True
        case ast.Call():
            yield from _magic(node)
    inner = local or isinstance(node, _COMPREHENSIONS)
    for part in ast.iter_child_nodes(node):
        yield from _body(part, inner)


def _assignment(node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> Iterator[tuple[str, bool]]:
    """First what is assigned, then to what; `x: int` alone assigns nothing."""
    if node.value is None:
        return
    yield from _body(node.value)
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        yield from _body(target)


def _defaults(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[ast.expr]:
    """What is evaluated outside of it."""
    if isinstance(node, ast.ClassDef):
        return [*node.bases, *(keyword.value for keyword in node.keywords)]
    return [*node.args.defaults, *(value for value in node.args.kw_defaults if value is not None)]


def _base(node: ast.expr) -> str | None:
    """The name before the first dot or bracket."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _magic(node: ast.Call) -> Iterator[tuple[str, bool]]:
    """`%time x = f()`, as IPython has rewritten it."""
    called = node.func
    if not isinstance(called, ast.Attribute):
        return
    if called.attr not in ("run_line_magic", "run_cell_magic") or node.keywords:
        return
    words = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
    if len(words) == len(node.args) and words[:1] and words[0] in _TIMED:
        code = str(words[-1]).lstrip()
        yield from ((name, True) for name in find_assigned(code))
