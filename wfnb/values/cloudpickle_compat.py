"""the private parts of cloudpickle -> functions of ours.

No other module of kept values names them, so that what a new release changes is mended here. The
tests pass with cloudpickle 3.1.0 and 3.1.3; `pyproject.toml` keeps out 3.2, since a minor release
may change any of it. Pickles in stores name `cloudpickle.cloudpickle._make_skeleton_class` and its
like: a release that renames those cannot read what was kept before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FunctionType, resolve_bases
from typing import Any

from cloudpickle import Pickler as _Pickler  # type: ignore[import-untyped]
from cloudpickle import cloudpickle

CODE_SIGNS = (b"_builtin_type", b"\x8c\x08CodeType")
"""How code begins in a pickle: two texts."""
METHODS_RUN = ("__new__", "__setstate__", "__setattr__", "__hash__", "__reduce__", "__reduce_ex__")
"""Methods of a class that reading its objects may run."""
MADE_METHODS = (b"__dataclass_params__", b"_make_skeleton_enum", b"_field_defaults")
"""What is in the pickle of a class for which Python made some of these, which do nothing else."""
dispatch_table = _Pickler.dispatch_table
"""Types of which cloudpickle, or who registered with `copyreg`, says how objects are written."""


class CloudPickler(_Pickler):  # type: ignore[misc]  # it is not typed
    """`on_function` may change how a function is written by value."""

    def on_function(self, func: FunctionType, reduced: tuple[Any, ...]) -> tuple[Any, ...]:
        return reduced

    def reduce_function(self, function: FunctionType) -> Any:
        """NotImplemented where its name is enough."""
        return self._function_reduce(function)

    def _dynamic_function_reduce(self, func: FunctionType) -> tuple[Any, ...]:
        return self.on_function(func, super()._dynamic_function_reduce(func))


@dataclass(frozen=True, slots=True)
class ClassParts:
    """A class by value: `make(*arguments)` makes an empty one, of which `fill_class` with `state`
    makes that class. `content` is what the state says by name; `options` are what an empty class is
    made with (`__module__`, `__slots__`), or the members of an enumeration."""

    make: Callable[..., type]
    arguments: tuple[Any, ...]
    state: tuple[dict[str, Any], Any]

    @property
    def content(self) -> dict[str, Any]:
        return self.state[0]

    @property
    def options(self) -> dict[str, Any]:
        options: dict[str, Any] = self.arguments[3]
        return options


def class_parts(kind: type) -> ClassParts | tuple[Any, ...]:
    """The second: how it is written where that is not by value; `NotImplemented` where its name is
    enough."""
    reduced: Any = cloudpickle._class_reduce(kind)
    if reduced is NotImplemented or len(reduced) < 6:
        return reduced  # type: ignore[no-any-return]
    return ClassParts(*reduced[:3])


def new_class(make: Callable[..., type], arguments: tuple[Any, ...], *, track: bool) -> type:
    """An empty class. `track`: it is the live one of its identity from now on."""
    *before, identity, extra = arguments
    # What the notebook's code did when the class was defined is in what is restored: done again, a
    # registry would have the class twice.
    bases = before[0]
    if make is cloudpickle._make_skeleton_class:  # the other makes an enumeration
        bases = before[2]
        before[0] = _without_own_code(before[0])
    # Without an identity cloudpickle makes a class that it does not remember: the live one stays
    # that.
    with _no_own_hooks(bases):
        return make(*before, identity if track else None, extra)


def _without_own_code(kind: Any) -> Any:
    """Makes a class as a metaclass does without what the notebook says there."""
    if is_by_reference(kind):
        return kind
    theirs = [base for base in kind.__mro__ if is_by_reference(base)]
    make = next(vars(base)["__new__"] for base in theirs if "__new__" in vars(base))

    def made(*arguments: Any, **options: Any) -> Any:
        return getattr(make, "__func__", make)(kind, *arguments, **options)

    return made


@contextmanager
def _no_own_hooks(bases: tuple[Any, ...]) -> Iterator[None]:
    """Where a class of these bases is made, `__init_subclass__` of the notebook does nothing."""
    name = "__init_subclass__"
    # `Base[int]` stands for `Base`.
    mro = dict.fromkeys(one for base in resolve_bases(bases) for one in base.__mro__)
    own = {one: vars(one)[name] for one in mro if name in vars(one) and not is_by_reference(one)}

    def passes_on(base: Any) -> Any:
        return classmethod(lambda cls, **given: super(base, cls).__init_subclass__(**given))

    for one in own:
        type.__setattr__(one, name, passes_on(one))
    try:
        yield
    finally:
        for one, hook in own.items():
            type.__setattr__(one, name, hook)


def identity_of(arguments: tuple[Any, ...]) -> str:
    """What a class is known by that was written by value, in whatever process it is."""
    return str(arguments[-2])


def live_class(identity: str) -> type | None:
    found: type | None = cloudpickle._DYNAMIC_CLASS_TRACKER_BY_ID.get(identity)
    return found


def fill_class(kind: type, state: tuple[dict[str, Any], Any]) -> None:
    cloudpickle._class_setstate(kind, state)


def empty_cell() -> tuple[Any, ...]:
    """How a cell without content is written."""
    return cloudpickle._make_empty_cell, ()


def function_slots(slots: dict[str, Any]) -> dict[str, Any]:
    """What a function is to get besides its attributes, of what was written of it. The modules that
    cloudpickle wrote along are imported when they are read."""
    return {name: one for name, one in slots.items() if name != "_cloudpickle_submodules"}


def is_by_reference(found: Any) -> bool:
    """Whether the name of a class or function in its module is enough."""
    return bool(cloudpickle._should_pickle_by_reference(found))


def is_found_by_name(found: object, name: str) -> bool:
    """Whether a module that can be imported has that very object under a name."""
    return cloudpickle._lookup_module_and_qualname(found, name) is not None
