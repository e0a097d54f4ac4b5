"""what a function looks up -> whether it is kept with it; a method -> the module that it is of."""

from __future__ import annotations

import sys
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from wfnb.type_names import is_a, module_of

METHODS = (BuiltinFunctionType, MethodType)
_DEFINED = (type, FunctionType, ModuleType, *METHODS)
_PLAIN = (type(None), bool, int, float, complex, str, bytes)
_MAX_LENGTH = 10_000
"""Letters or bytes of a constant that is kept with a function."""


def is_carried(value: Any) -> bool:
    """Whether what a function looks up is kept with it: what is defined, and plain constants. A
    method of an object (`push = rows.append`) is neither: that object would come as a copy."""
    if is_a(value, *_DEFINED):
        of = getattr(value, "__self__", None) if is_a(value, *METHODS) else None
        return of is None or is_a(of, type, ModuleType) or function_of(value) is not None
    # A long text is data that a function reads, and no constant of it: it has a name to be kept by.
    return type(value) in _PLAIN and (type(value) not in (str, bytes) or len(value) <= _MAX_LENGTH)


def function_of(method: Any) -> tuple[ModuleType, str] | None:
    """The module, and its name there, of a method that a module has as a function: `random.random`
    is one of a generator that nobody else has."""
    of = method.__self__
    module = sys.modules.get(module_of(type(of)))
    if of is None or is_a(of, type, ModuleType) or module is sys.modules["__main__"]:
        return None
    names = [*vars(module).items()] if module else ()
    return next(((module, name) for name, one in names if module and one is method), None)
