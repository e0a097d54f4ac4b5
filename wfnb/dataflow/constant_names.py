"""syntax tree -> the names that code binds to the same, whatever it reads.

They are bound before anything that may fail: by constants, by functions, and by imports. What reads
such a name of a stale step is not stale by it:

    import numpy as np
    SIZE = 8
    def half(v): return v / 2
    rows = load(SIZE)[:limit]      # stale, as `limit` is another one now

gives `SIZE` and `half` as before.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Final

from .module_attribute_mentions import is_seeding

_PLAIN: Final = (
    *(ast.Constant, ast.BinOp, ast.UnaryOp, ast.Tuple, ast.JoinedStr, ast.FormattedValue, ast.Name),
    *(ast.operator, ast.unaryop, ast.expr_context, ast.arguments, ast.arg, ast.keyword),
)
FIXED_FIRST: Final = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.Constant, ast.Tuple)
"""How code begins that may bind such names: a statement, or its value. Most code does not."""
_CONTAINERS: Final = (ast.List, ast.Set, ast.Dict)


def fixed_names(tree: ast.Module) -> frozenset[str]:
    """
    >>> code = "import os\\na, b = 1, 2\\nc = a * 2\\nd = [a]\\ndef f(): return z\\ne = z\\nb = 2"
    >>> sorted(fixed_names(ast.parse(code)))
    ['a', 'c', 'f']
    """
    found: set[str] = set()
    for statement in tree.body:
        match statement:
            case ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Expr(value=ast.Constant()):
                continue
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name)) as call):
                parts, given = [*call.args, *call.keywords], []
                if not is_seeding(name):
                    break
            case ast.FunctionDef(name=name, args=arguments, decorator_list=[], returns=None):
                parts, given = [arguments], [name]
            case ast.Assign(targets=[target], value=value):
                names = [*target.elts] if isinstance(target, ast.Tuple) else [target]
                if not all(isinstance(each, ast.Name) for each in names):
                    break
                # A list may be changed later: it is none of them, and fails by nothing.
                whole = isinstance(value, _CONTAINERS)
                parts = [*ast.iter_child_nodes(value)] if whole else [value]
                given = [] if whole else [each.id for each in names if isinstance(each, ast.Name)]
            case _:
                break
        every = [each for part in parts for each in ast.walk(part)]
        if not all(
            isinstance(each, _PLAIN) and (not isinstance(each, ast.Name) or each.id in found)
            for each in every
        ):
            break
        found.update(given)
    bound = Counter(_bound(tree)) if found else Counter[str]()
    return frozenset(name for name in found if bound[name] == 1)


def _bound(tree: ast.AST) -> Iterator[str]:
    """What binds or deletes a name, in functions, too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]
        elif isinstance(node, ast.Global):
            yield from node.names
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
