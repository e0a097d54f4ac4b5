"""Python code -> the calls in it that open a file of which nothing is read.

`open(p)` alone, `open(p).close()`, `with open(p): pass`, a read of no bytes: a file is opened, and
nothing of it was seen. What is handed on, kept open, or used in another way may be read later.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence

_BLIND = frozenset(
    [
        "close",
        "closed",
        "encoding",
        "errors",
        "fileno",
        "flush",
        "isatty",
        "mode",
        "name",
        "newlines",
        "readable",
        "seek",
        "seekable",
        "tell",
        "writable",
    ]
)
"""Attributes of an open file that show nothing of what is in it."""
_NAMING = frozenset(["bool", "display", "hash", "id", "isinstance", "print", "repr", "str", "type"])
"""Functions that show of an open file no more than its name."""
_MODULES = frozenset(["bz2", "codecs", "gzip", "io", "lzma"])
_READS = frozenset(["read", "read1", "readline", "peek"])


def unread_opens(tree: ast.AST, paths: Collection[str] = ()) -> set[ast.Call]:
    """`paths` are the names that hold a Path.

    >>> [len(unread_opens(ast.parse(code))) for code in ("open(p).close()", "open(p).read()")]
    [1, 0]
    """
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    names: dict[str, list[ast.Name]] = {}
    for node in parents:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            names.setdefault(node.id, []).append(node)

    def is_unread(call: ast.Call) -> bool:
        match parents[call]:
            case ast.withitem(optional_vars=None):
                return True
            case ast.withitem(optional_vars=ast.Name(id=name)):
                return all(_is_blind(use, parents) for use in names.get(name, ()))
            case ast.Assign(targets=[ast.Name(id=name)]):
                uses = names.get(name, ())
                # What is left open may be read by a later cell.
                return _is_closed(uses, parents) and all(_is_blind(use, parents) for use in uses)
            case _:
                return _is_blind(call, parents)

    return {
        node
        for node in parents
        if isinstance(node, ast.Call) and _opens(node, paths) and is_unread(node)
    }


def _opens(call: ast.Call, paths: Collection[str]) -> bool:
    match call.func:
        case ast.Name(id="open"):
            return True
        case ast.Attribute(attr="open", value=ast.Name(id=name)):
            return name in _MODULES or name in paths
        case ast.Attribute(attr="open", value=ast.Call(func=ast.Name(id=name))):
            return name == "Path"
    return False


def _is_blind(use: ast.expr, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether what is done with an open file here shows nothing of what is in it."""
    match parents[use]:
        case ast.Expr():
            return True
        case ast.Call(func=ast.Name(id=name) as function) if function is not use:
            return name in _NAMING
        case ast.Attribute(attr=name) as part:
            call = parents[part]
            if isinstance(call, ast.Expr | ast.Assign):  # what would read it, and is not called
                return True
            if name in _READS and isinstance(call, ast.Call) and call.func is part:
                return len(call.args) == 1 and _is_zero(call.args[0])
            return name in _BLIND
    return False


def _is_zero(size: ast.expr) -> bool:
    return isinstance(size, ast.Constant) and size.value == 0 and size.value is not None


def _is_closed(uses: Sequence[ast.Name], parents: dict[ast.AST, ast.AST]) -> bool:
    return any(
        isinstance(part := parents[use], ast.Attribute) and part.attr == "close" for use in uses
    )
