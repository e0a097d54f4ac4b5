"""a class that a cell defines -> which of its methods run when an object of it is made.

Most classes stand above what their methods use: `A()` runs `__init__`, which uses none of it. So
the other methods count when the name is loaded that holds the object, and not yet where it is made.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from wfnb.dataflow.effects import Body, Effects, Method, Methods

_FIRST = frozenset(
    f"__{name}__"
    for name in (
        *("new", "init", "post_init", "del", "setattr", "delattr", "getattribute", "getattr"),
        *("init_subclass", "set_name"),
    )
)
"""Methods that run when an object is made, or another class is made of this one."""
_PLAIN_BASES = frozenset({"object", "ABC"})


def methods(
    node: ast.ClassDef, functions: Mapping[str, list[Body]], bases: list[Methods | None]
) -> Methods | None:
    """All methods of the class, by name, with those of its bases; None where it is not certain
    which they are. `functions` are those of its body."""
    own = [each for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    # Of a method that is defined twice, or in a branch, it is not certain which one there is.
    if node.keywords or not len({each.name for each in own}) == len(own) == len(functions):
        return None
    found: dict[str, list[Method]] = {}
    for inherited in bases:
        if inherited is None:
            return None
        for name, known in inherited.items():
            found.setdefault(name, []).extend(known)
    for each, (body,) in zip(own, functions.values(), strict=True):
        found.setdefault(each.name, []).append(_method(each, body.effects))
    return found


def base_methods(node: ast.expr, classes: Mapping[str, list[Body]]) -> Methods | None:
    """Those that a class has from this base; None where they are not known."""
    name = getattr(node, "id", "")
    if name in classes and len(classes[name]) == 1:
        return classes[name][0].methods
    return {} if name in _PLAIN_BASES else None


def construction(methods: Methods) -> Effects | None:
    """What making an object runs; None: any method."""
    found, waiting, done = Effects(), set(_FIRST), set()
    while waiting:
        name = waiting.pop()
        done.add(name)
        for method in methods.get(name, ()):
            if method.hands_on:
                return None
            found.add(method.effects)
            waiting |= method.names - done
    return found


def _method(node: ast.FunctionDef | ast.AsyncFunctionDef, effects: Effects) -> Method:
    parameters = [*node.args.posonlyargs, *node.args.args]
    itself = parameters[0].arg if parameters else ""
    every = list(ast.walk(node))
    attributes = [each for each in every if isinstance(each, ast.Attribute)]
    named = {id(each.value) for each in attributes}
    alone = (n for n in every if isinstance(n, ast.Name) and n.id == itself and id(n) not in named)
    names = frozenset(each.attr for each in attributes)
    return Method(effects=effects, names=names, hands_on=any(alone))
