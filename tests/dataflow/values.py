"""a value -> a text that two values share exactly when a notebook cannot tell them apart.

Two runs of the same code have to give the same text: addresses are left out, sets are sorted, a
function is its code, its defaults and what it closes over, an object its class and its attributes.
What a name refers to by way of a function's globals is no part of it: those are names of their own.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from hashlib import blake2b
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import pandas as pd

ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}")
DEEPEST = 12
LONGEST = 4_000
"""Characters of an array's or a frame's text; a longer one is written as its hash."""
_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(...), type(NotImplemented))
_OWN = ("__dict__", "__weakref__", "__module__", "__doc__", "__firstlineno__", "__slotnames__")
"""Of a class, what is not its content; pickling sets `__slotnames__`."""


def canonical(value: Any) -> str:
    """The text of a value.

    >>> canonical({"a": [1, 2.0]})
    "{'a': [1, 2.0]}"
    >>> canonical(lambda v: v + 1) == canonical(lambda v: v + 1)
    True
    """
    return _text(value, {}, 0)


def scrubbed(text: str) -> str:
    """Printed output without the addresses in it."""
    return ADDRESS.sub("0x…", text)


def _text(value: Any, seen: dict[int, int], depth: int) -> str:
    kind = type(value)
    if kind in _PLAIN:
        return repr(value)
    if id(value) in seen:
        return f"<{seen[id(value)]}>"  # one object in two places
    if depth > DEEPEST:
        return f"<{kind.__name__}>"
    seen[id(value)] = len(seen)
    return _of(value, kind, seen, depth + 1)


def _of(value: Any, kind: type, seen: dict[int, int], depth: int) -> str:
    if kind in (list, tuple, deque):
        items = ", ".join(_text(item, seen, depth) for item in value)
        return f"[{items}]" if kind is list else f"{kind.__name__}({items})"
    if isinstance(value, set | frozenset):
        items = ", ".join(sorted(_text(item, dict(seen), depth) for item in value))
        return f"{kind.__name__}{{{items}}}"
    if isinstance(value, Mapping) and (isinstance(value, dict) or kind.__module__ == "collections"):
        named = "" if kind is dict else kind.__name__
        return named + _items(value, seen, depth)
    if isinstance(value, np.ndarray):
        return _array(value, seen, depth)
    if isinstance(value, np.generic):
        return repr(value)
    if isinstance(value, pd.DataFrame | pd.Series | pd.Index):
        return _frame(value, seen, depth)
    if isinstance(value, ModuleType):
        return f"<module {value.__name__}>"
    if isinstance(value, FunctionType):
        return _function(value, seen, depth)
    if isinstance(value, MethodType):
        return f"<method {value.__name__} of {_text(value.__self__, seen, depth)}>"
    if isinstance(value, BuiltinFunctionType):
        return f"<built-in {value.__name__}>"
    if isinstance(value, type):
        return _class(value, seen, depth)
    return _object(value, kind, seen, depth)


def _items(value: Mapping[Any, Any], seen: dict[int, int], depth: int) -> str:
    pairs = (f"{_text(k, seen, depth)}: {_text(v, seen, depth)}" for k, v in value.items())
    return f"{{{', '.join(pairs)}}}"


def _array(value: np.ndarray[Any, Any], seen: dict[int, int], depth: int) -> str:
    if value.dtype == object:
        inside = _text(value.tolist(), seen, depth)
    elif value.nbytes > LONGEST:
        inside = blake2b(np.ascontiguousarray(value).tobytes(), digest_size=12).hexdigest()
    else:
        inside = repr(value.tolist())
    return f"<array {value.dtype} {value.shape} {inside}>"


def _frame(value: Any, seen: dict[int, int], depth: int) -> str:
    if isinstance(value, pd.DataFrame):
        columns = [(name, column) for name, column in value.items()]
        inside = ", ".join(
            f"{name!r}: {column.dtype} {_listed(column, seen, depth)}" for name, column in columns
        )
        return f"<frame {_listed(value.index, seen, depth)} {inside}>"
    if isinstance(value, pd.Series):
        index = _listed(value.index, seen, depth)
        return f"<series {value.name!r} {value.dtype} {index} {_listed(value, seen, depth)}>"
    return f"<index {value.names} {value.dtype} {_listed(value, seen, depth)}>"


def _listed(value: Any, seen: dict[int, int], depth: int) -> str:
    listed = value.tolist()
    simple = all(type(item) in _PLAIN for item in listed)
    text = repr(listed) if simple else _text(listed, dict(seen), depth)
    if len(text) <= LONGEST:
        return scrubbed(text)
    return blake2b(scrubbed(text).encode("utf-8", "replace"), digest_size=12).hexdigest()


def _function(value: FunctionType, seen: dict[int, int], depth: int) -> str:
    parts = [value.__name__, _code(value.__code__)]
    if value.__defaults__:
        parts.append(_text(value.__defaults__, seen, depth))
    if value.__kwdefaults__:
        parts.append(_text(value.__kwdefaults__, seen, depth))
    for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=False):
        try:
            parts.append(f"{name}={_text(cell.cell_contents, seen, depth)}")
        except ValueError:  # it has no value yet
            parts.append(f"{name}=<none>")
    if value.__dict__:
        parts.append(_items(value.__dict__, seen, depth))
    return f"<function {' '.join(parts)}>"


def _code(code: CodeType) -> str:
    """What it does, without where it stands: one letter less is another function."""
    consts = [
        _code(const) if isinstance(const, CodeType) else repr(const) for const in code.co_consts
    ]
    says = (code.co_code, code.co_names, code.co_varnames, code.co_argcount, code.co_kwonlyargcount)
    return blake2b(repr((says, consts)).encode(), digest_size=6).hexdigest()


def _class(value: type, seen: dict[int, int], depth: int) -> str:
    if value.__module__ != "__main__":
        return f"<class {value.__module__}.{value.__qualname__}>"
    bases = ", ".join(_text(base, seen, depth) for base in value.__bases__)
    members = {
        name: member
        for name, member in vars(value).items()
        if name not in _OWN and type(member).__name__ not in ("getset_descriptor",)
    }
    return f"<class {value.__qualname__}({bases}) {_items(members, seen, depth)}>"


def _object(value: Any, kind: type, seen: dict[int, int], depth: int) -> str:
    """An object of the notebook's own class, or of a library's, by its attributes."""
    if isinstance(value, property | staticmethod | classmethod):
        inner = (value.fget, value.fset) if isinstance(value, property) else value.__func__
        return f"<{kind.__name__} {_text(inner, seen, depth)}>"
    if kind.__name__ in ("list_iterator", "tuple_iterator", "range_iterator", "str_ascii_iterator"):
        return f"<iterator {_text(value.__reduce__()[1:], seen, depth)}>"
    if kind.__module__ == "__main__":
        attributes = getattr(value, "__dict__", {})
        base = next((b for b in (list, dict, set, str, int) if isinstance(value, b)), None)
        inside = "" if base is None else _text(base(value), seen, depth)
        return f"<{_class(kind, seen, depth)} {inside}{_items(attributes, seen, depth)}>"
    shown = type(value).__repr__
    attributes = getattr(value, "__dict__", None)
    if shown is not object.__repr__ and not (attributes and kind.__module__.startswith("sklearn")):
        try:
            return f"<{kind.__name__} {scrubbed(repr(value))[:LONGEST]}>"
        except Exception:
            return f"<{kind.__name__}>"
    if attributes and kind.__module__.partition(".")[0] in ("sklearn", "types"):
        return f"<{kind.__name__} {_items(attributes, seen, depth)}>"
    return f"<{kind.__name__}>"
