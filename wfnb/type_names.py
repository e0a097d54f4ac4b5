"""a class -> its module, its name and those of its bases, whatever it says of itself.

A class may have no module, or a descriptor in its place (what Cython makes), and its metaclass may
fail when it is asked. So it is `type` that is asked here, and never the class.
"""

from __future__ import annotations

from typing import Any

_MODULE = vars(type)["__module__"].__get__
_QUALNAME = vars(type)["__qualname__"].__get__
_IS_SUBCLASS = type.__subclasscheck__
_MRO = vars(type)["__mro__"].__get__


def module_of(kind: type) -> str:
    """Empty where it has none.

    >>> module_of(int), module_of(type("Own", (), {"__module__": None}))
    ('builtins', '')
    """
    try:
        found = _MODULE(kind)
    except AttributeError:
        return ""
    return found if type(found) is str else ""


def package_of(kind: type) -> str:
    return module_of(kind).partition(".")[0]


def full_name(kind: type) -> str:
    """
    >>> import decimal; full_name(decimal.Decimal), full_name(type("Own", (), {"__module__": 3}))
    ('decimal.Decimal', '.Own')
    """
    return f"{module_of(kind)}.{_QUALNAME(kind)}"


def local_name(kind: type) -> str:
    """
    >>> local_name(type(local_name)), local_name(type("Own", (), {"__module__": 3}))
    ('function', 'Own')
    """
    return str(_QUALNAME(kind))


def bases_of(kind: type) -> tuple[type, ...]:
    """Itself first, `object` last."""
    found: tuple[type, ...] = _MRO(kind)
    return found


def base_names(kind: type) -> tuple[str, ...]:
    return tuple(map(full_name, bases_of(kind)))


def is_a(value: Any, *kinds: type) -> bool:
    """As `isinstance`, but that the value is not asked: it may fail, and it may lie. Nor is its
    class, by which an abstract class would look up what it knows."""
    of = type(value)
    return any(_IS_SUBCLASS(kind, of) for kind in kinds)
