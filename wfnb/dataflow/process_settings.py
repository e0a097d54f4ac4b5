"""what cells set for the whole process -> what it is now, and which code sets and uses it.

The environment, the working directory, the context of decimal numbers, options of NumPy and pandas,
the locale. Each counts from where a cell changes it, until it is again what it was when it was
first met: before, all is as a new process has it. Its state is looked at before and after each
cell, so that it does not matter how it was set; `set_option`, which sets what is set already, is
known by its name.

Options for how things are shown count for code that shows something, the others for code that uses
the library.
"""

from __future__ import annotations

import locale
import os
import sys
from collections.abc import Collection, Iterable, Mapping
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final

from .fingerprint import module_of, mro
from .module_mentions import SETS_ENVIRONMENT, SHOWS, USES_FILES

ENVIRONMENT: Final = "os.environ"
DIRECTORY: Final = "the working directory"
_DISPLAY: Final = ("display", "styler")

States = Mapping[str, Any]

_LIBRARIES: Final[Mapping[str, tuple[str, frozenset[str]]]] = {
    "the context of decimal": ("decimal", frozenset({"getcontext", "setcontext"})),
    "the error handling of numpy": ("numpy", frozenset({"seterr"})),
    "the print options of numpy": ("numpy", frozenset({"set_printoptions"})),
    "the options of pandas": ("pandas", frozenset({"options", "set_option", "reset_option"})),
    "the display options of pandas": (
        "pandas",
        frozenset({"options", "set_option", "reset_option"}),
    ),
    "the locale": ("locale", frozenset({"setlocale"})),
}
_SHOWING: Final = ("the print options of numpy", "the display options of pandas")
_SETTERS: Final[Mapping[str, frozenset[str]]] = {
    ENVIRONMENT: frozenset({SETS_ENVIRONMENT}),
    DIRECTORY: frozenset({"chdir", "fchdir"}),
    **{place: words for place, (_, words) in _LIBRARIES.items()},
}


def states() -> dict[str, Any]:
    """What each setting is now; those of libraries that are not loaded are left out."""
    # The dict under it: `os.environ` itself decodes each variable, before and after each cell.
    found: dict[str, Any] = {ENVIRONMENT: dict(getattr(os.environ, "_data", os.environ))}
    try:
        found[DIRECTORY] = os.getcwd()
    except OSError:  # it has been removed
        found[DIRECTORY] = ""
    # Asked for, and not set: there is no second argument.
    found["the locale"] = locale.setlocale(locale.LC_ALL)
    loaded = sys.modules.get
    try:
        if (module := loaded("decimal")) is not None:
            context = module.getcontext()
            traps = sorted(signal.__name__ for signal, on in context.traps.items() if on)
            numbers = context.prec, context.Emin, context.Emax, context.capitals, context.clamp
            found["the context of decimal"] = (*numbers, context.rounding, *traps)
        if (module := loaded("numpy")) is not None:
            found["the error handling of numpy"] = repr(module.geterr())
            found["the print options of numpy"] = repr(module.get_printoptions())
        if (module := loaded("pandas")) is not None:
            options = module.options.d
            shown = [options[name] for name in _DISPLAY if name in options]
            found["the display options of pandas"] = repr(shown)
            found["the options of pandas"] = repr(
                [part for name, part in options.items() if name not in _DISPLAY]
            )
    except Exception:  # a library that is being loaded, or another than it is named for
        pass
    return found


def changes(place: str, state: Any, first: Any) -> tuple[Any, ...]:
    """What a setting is, otherwise than it was at first: nothing, where it is the same. Of the
    environment the variables alone that are others: it differs from process to process."""
    if state == first:
        return ()
    if place == ENVIRONMENT and isinstance(first, dict):
        either = sorted(state.keys() | first.keys())
        return tuple((k, state.get(k)) for k in either if state.get(k) != first.get(k))
    return (state,)


def setting(words: Collection[str]) -> set[str]:
    """The settings that code with these words sets, or may set."""
    return {place for place, setters in _SETTERS.items() if not setters.isdisjoint(words)}


def settings_used(words: Collection[str], libraries: Collection[str]) -> set[str]:
    """The settings that code with these words uses, which uses these libraries."""
    found = {DIRECTORY} if USES_FILES in words else set()
    for place, (library, _) in _LIBRARIES.items():
        if library in libraries and (SHOWS in words or place not in _SHOWING):
            found.add(place)
    return found


def libraries(values: Iterable[object]) -> set[str]:
    """The libraries that values come from, or the first of what they hold: of an object, those of
    all its classes."""
    found: set[str] = set()
    for value in values:
        for each in (value, *_first(value)):
            kind: Any = type(each)
            if kind is ModuleType:
                names = [each.__dict__.get("__name__")]
            elif kind is FunctionType or kind is BuiltinFunctionType:
                names = [each.__module__]
            else:
                names = [*map(module_of, mro(each if issubclass(kind, type) else kind))]
            found.update(str(name).partition(".")[0] for name in names)
    return {"decimal" if name == "_decimal" else name for name in found}


def _first(value: object) -> Iterable[object]:
    kind = type(value)
    if kind is dict and value:
        return (next(iter(value.values())),)  # type: ignore[attr-defined]
    if any(kind is each for each in (list, tuple, set)) and value:
        return (next(iter(value)),)  # type: ignore[call-overload]
    return ()
