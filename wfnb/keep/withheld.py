"""a function, which names are secrets -> the defaults and the closure it is kept with, and the
names that were left out.

What has a default that is left out has to be given then, and so has what comes before it in the
list of parameters; a variable of a closure is empty. None, functions and the like are no secrets,
whatever they are called: `token=None`, `sort_key=len`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import BuiltinFunctionType, CellType, FunctionType, MethodType, ModuleType
from typing import Any

_OPEN = (type(None), bool, type, FunctionType, BuiltinFunctionType, MethodType, ModuleType)


def withheld(
    function: FunctionType, secret: Callable[[str], bool]
) -> tuple[dict[str, Any], frozenset[str]]:
    """The attributes of the function that are others than it has.

    >>> def call(url, token="t", tries=3, *, password="p", key=None): ...
    >>> found, names = withheld(call, {"token", "password", "key"}.__contains__)
    >>> found, sorted(names)
    ({'__defaults__': (3,), '__kwdefaults__': {'key': None}}, ['password', 'token'])
    """
    code = function.__code__
    found: dict[str, Any] = {}
    names: set[str] = set()

    def hidden(name: str, value: Any) -> bool:
        empty = isinstance(value, str | bytes) and not value
        if isinstance(value, _OPEN) or empty or not secret(name):
            return False
        names.add(name)
        return True

    given = function.__defaults__ or ()
    parameters = code.co_varnames[code.co_argcount - len(given) : code.co_argcount]
    hides = [hidden(*pair) for pair in zip(parameters, given, strict=True)]
    if any(hides):
        found["__defaults__"] = given[len(hides) - hides[::-1].index(True) :] or None
    named = function.__kwdefaults__ or {}
    told = {name: value for name, value in named.items() if not hidden(name, value)}
    if len(told) < len(named):
        found["__kwdefaults__"] = told or None
    cells = function.__closure__ or ()
    kept = tuple(
        CellType() if not _is_empty(cell) and hidden(name, cell.cell_contents) else cell
        for name, cell in zip(code.co_freevars, cells, strict=True)
    )
    if kept != cells:
        found["__closure__"] = kept
    return found, frozenset(names)


def _is_empty(cell: CellType) -> bool:
    try:
        return cell.cell_contents is cell
    except ValueError:
        return True
