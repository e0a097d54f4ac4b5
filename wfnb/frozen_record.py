"""The decorator `record`: a class -> a frozen dataclass with slots, made by keyword.

It exists because a frozen `dataclass` is slow to define: it compiles eight methods for each class,
and loading the extension defines hundreds of classes. All records share seven of these methods,
which are written once here. Only `__init__` differs, and it is compiled when a record of the class
is first made. It sets the slots directly, which is faster than the `object.__setattr__` of a frozen
`dataclass`.
"""

from collections.abc import Mapping
from dataclasses import MISSING, FrozenInstanceError, dataclass, fields
from sys import modules
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")
_NONE: Mapping[Any, Any] = {}


def none() -> Mapping[Any, Any]:
    """The empty mapping that values share which have nothing in theirs: a long history has a
    million."""
    return _NONE


@dataclass_transform(frozen_default=True, kw_only_default=True)
def record(cls: type[T]) -> type[T]:
    """A value: compared by its fields, never changed, never subclassed into behaviour."""
    # Where there is no docstring `dataclass` writes the signature there, and would ask for it.
    cls.__doc__ = cls.__doc__ or f"{cls.__name__}: its fields are its parameters."
    made: Any = dataclass(init=False, slots=True, kw_only=True, repr=False, eq=False)(cls)
    for name, shared in _SHARED.items():
        if name not in cls.__dict__:
            setattr(made, name, shared)
    return made  # type: ignore[no-any-return]


class _Init:
    """In the place of an `__init__` until somebody asks for it."""

    def __get__(self, value: object, kind: Any) -> Any:
        """`def __init__(self, *, number, revises=…): …`, as `dataclass` writes it."""
        # `inspect.signature` of Python 3.13 asks for what it is of the class itself.
        made: Any = value if isinstance(value, type) else kind
        given, body, known = [""], ["pass"], {}
        for each in fields(made):
            name, default, make = each.name, each.default, each.default_factory
            given.append(name if default is make else f"{name}=default_{name}")
            told = f"default_{name}() if {name} is default_{name} else {name}"
            body.append(f"set_{name}(self, {name if make is MISSING else told})")
            known[f"default_{name}"] = default if make is MISSING else make
            known[f"set_{name}"] = getattr(made, name).__set__
        source = [
            f"def within({', '.join(known)}):",
            f" def __init__(self{', *' if known else ''}{', '.join(given)}):",
            *(f"  {line}" for line in body),
            " return __init__",
        ]
        defined: dict[str, Any] = {}
        exec("\n".join(source), vars(modules[made.__module__]), defined)
        init = made.__init__ = defined["within"](**known)
        init.__qualname__ = f"{made.__qualname__}.__init__"
        init.__annotations__ = {**{each.name: each.type for each in fields(made)}, "return": None}
        return init.__get__(value, kind)


def _values(value: Any) -> tuple[Any, ...]:
    return tuple(getattr(value, name) for name in value.__dataclass_fields__)


def _repr(self: Any) -> str:
    fields = (f"{name}={getattr(self, name)!r}" for name in self.__dataclass_fields__)
    return f"{type(self).__qualname__}({', '.join(fields)})"


def _eq(self: Any, other: object) -> bool:
    return type(other) is type(self) and _values(self) == _values(other)


def _hash(self: Any) -> int:
    return hash((type(self), *_values(self)))


def _setattr(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for field, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


_SHARED: Mapping[str, Any] = {
    "__init__": _Init(),
    "__repr__": _repr,
    "__eq__": _eq,
    "__hash__": _hash,
    "__setattr__": _setattr,
    "__delattr__": _delattr,
    "__getstate__": _getstate,
    "__setstate__": _setstate,
}
