"""a value -> its pickle, with large buffers beside it, and what it refers to.

cloudpickle's, but that functions and classes of the notebook come back in the user's namespace
(binding.py), and that what would come back as something else is refused.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import lru_cache, partial
from logging import Logger
from operator import mul
from pickle import PickleBuffer
from types import CellType, FunctionType, MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from wfnb.type_names import base_names, bases_of, full_name, is_a, package_of

from . import binding, cloudpickle_compat, enum_members, singletons
from .array_and_frame_reductions import OWN_BLOB_FROM, SPECIAL, Reduce, reduce_cached
from .class_digest import digest, is_own
from .cloudpickle_compat import ClassParts, CloudPickler
from .function_dependencies import METHODS, function_of, is_carried
from .immutable_types import FIXED
from .keep_refusals import NotKept, refusal_reason
from .memory_lenders import NOBODY, Lenders
from .memory_overlap import Region
from .object_reducers import reducer_for
from .pickled_memory_places import Places
from .singletons import CONTAINERS, ModuleObjects, ModulePlace

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


_CACHED = type(lru_cache(len))
_NO_LIBRARY = frozenset(("", "__main__", "builtins", "wfnb"))


class Pickler(CloudPickler):
    """One pickle. After `dump`: `chunks` are its bytes, `buffers` what is beside it, `modules` the
    packages of what it refers to, `needs` the names that its functions look up in the namespace and
    that are not in it: what is no definition nor plain constant, and what `never` says may not be.
    `defines` is whether it has a class of the notebook, or names that its functions look up;
    `classes` are the names of such classes;
    `members` are those of enumerations of the notebook, `functions` the ids of its functions,
    `defining` the ids of what belongs to one, `places` where its arrays are,
    `without` what does not come back. `digests` of classes
    are shared by those who pickle at the same time. `lent` are objects of which it is known that
    arrays lie in their memory, `regions` the memories that several arrays share, by the ids of
    those; `shared` finds what belongs to libraries, and `process` are the ids
    of what belongs to the process. `lost` has by their ids exceptions that stand before others, and
    whether they cannot be pickled. An `outline` cannot be read: it leaves out what functions look
    up and what classes hold, but `whole`, to see what is met without. It is added to `made`."""

    def __init__(
        self,
        namespace: Mapping[str, Any],
        *,
        never: Callable[[str], bool] = lambda name: False,
        digests: dict[type, str] | None = None,
        lent: Lenders = NOBODY,
        regions: Mapping[int, Region] = MappingProxyType({}),
        shared: ModuleObjects | None = None,
        lost: dict[int, tuple[BaseException, bool]] | None = None,
        outline: bool = False,
        whole: object = None,
        made: list[Pickler] | None = None,
    ) -> None:
        self.chunks: list[bytes] = []
        self.buffers: list[PickleBuffer] = []
        self.modules: set[str] = set()
        self._importable: set[str] = set()
        self.needs: set[str] = set()
        self.defines = False
        self.classes: set[str | None] = set()
        self.defining: set[int] = set()
        self.functions: set[int] = set()
        self.places = Places(lent, regions)
        self.members: dict[int, Any] = {}
        self.without: set[str] = set()
        self._never = never
        self._digests = {} if digests is None else digests
        self.shared = ModuleObjects(namespace) if shared is None else shared
        self._lost = {} if lost is None else lost
        self.process: set[int] = set()
        self._outline = outline
        self._whole = whole
        self._cells: dict[int, _Cell] = {}
        self._namespace = namespace
        self._how: dict[type, Reduce] = {}
        super().__init__(_Sink(self.chunks), 5, self._on_buffer)
        if made is not None:
            made.append(self)

    def reducer_override(self, obj: Any) -> Any:
        kind = type(obj)
        try:
            # Asked for each object: what follows from its class is worked out once for each class.
            how = self._how[kind]
        except KeyError:
            how = self._how[kind] = self._first_reduction(kind, obj)
        return how(obj)

    def dump(self, obj: Any) -> Any:
        super().dump(obj)
        self.places.note(self.chunks, lambda: self.memo.copy())

    def _first_reduction(self, kind: type, first: Any) -> Reduce:
        """How objects of a class are reduced, of which this is the first."""
        if issubclass(kind, type):
            return self._class
        if kind is FunctionType:
            return self._function
        if kind is ModuleType:
            return self._note_named
        if kind in METHODS:
            return self._method
        if issubclass(kind, Logger):
            return self._by_its_name
        if kind is _CACHED:
            return self._cached
        if enum_members.is_plain(kind) and is_own(kind):
            return self._member_of_more if enum_members.holds_more(kind) else self._member
        if what := refusal_reason(kind):
            return lambda met: _refuse(what, met)
        bases = {*base_names(kind)}
        found = next((SPECIAL[base] for base in SPECIAL if base in bases), None)
        found = found or self.places.reduce(kind, bases, first) or _by_own_class(kind)
        if kind is object:
            return self._sentinel
        made = found or reducer_for(kind) or _as_ever
        if issubclass(kind, BaseException):
            made = partial(self._with_chain, made)
        if found is None and FIXED.isdisjoint(bases) and package_of(kind) not in _NO_LIBRARY:
            return partial(self._of_library, made)
        return made

    def whole(self, values: Iterable[Any]) -> tuple[Any, ...]:
        """Values as they are dumped: a plain container that a module has is written as that one,
        which a pickler does not ask of plain containers."""
        return tuple(map(self._standing, values))

    def _standing(self, value: Any) -> Any:
        place = self.shared.place_of(value) if type(value) in CONTAINERS else None
        return value if place is None else _Standing(self._belonging(value, place))

    def _of_library(self, made: Reduce, obj: Any) -> Any:
        place = self.shared.place_of(obj)
        return made(obj) if place is None else self._belonging(obj, place)

    def _sentinel(self, obj: Any) -> Any:
        """The one that a module has, where it has: whoever meets it asks whether it is that."""
        place = self.shared.place_of(obj)
        return NotImplemented if place is None else (binding.belonging, (*place, ""))

    def _belonging(self, obj: Any, place: ModulePlace) -> Any:
        """As the object that a module has; with what it holds, but where that is the process's."""
        self.modules.add(place[0].partition(".")[0])
        kind = type(obj).__name__ if type(obj) in CONTAINERS else ""
        made = binding.belonging, (*place, kind)
        if singletons.is_of_process(place):
            self.process.add(id(obj))
            return made
        held = singletons.content(obj)
        if held is None:
            return NotImplemented
        return *made, held, None, None, binding.bind_belonging

    def _class(self, obj: type) -> Any:
        self._note(obj)
        if full_name(type(obj)) == "_ctypes.PyCArrayType":
            one, many = obj._type_, obj._length_  # type: ignore[attr-defined]
            if one * many is obj:  # it has no name: ctypes remembers it by these
                return mul, (one, many)
        parts = cloudpickle_compat.class_parts(obj)
        if not isinstance(parts, ClassParts):
            return parts
        self.defines = True
        # An outline only lists what is met: what other classes hold would be met by everybody.
        if self._outline and obj is not self._whole:
            return str, ()
        # Written as it is now: reading it back in this process must not fill the live class.
        binding.known.add(obj)
        for sign in ("__module__", "__slotnames__"):  # it is made with it; what copyreg remembers
            parts.content.pop(sign, None)
        if issubclass(obj, Enum):
            if obj.__members__ and enum_members.holds_more(obj):
                raise NotKept("an enumeration whose members hold more than attributes", obj)
            parts.options.clear()
            for called, one in obj.__members__.items():  # a member may have several names
                parts.options[called] = one._value_
                parts.content.pop(called, None)
        else:
            parts.content.update(_as_inherited(obj))
            bases = vars(obj).get("__orig_bases__", ())
            if "__slots__" in vars(obj) and NamedTuple not in bases:  # that makes its own
                parts.options["__slots__"] = vars(obj)["__slots__"]  # later it would be too late
            if obj.__qualname__ != obj.__name__:
                parts.options["__qualname__"] = obj.__qualname__
        # Cloudpickle sorts the attributes; code can see in which order they were set.
        places = {name: at for at, name in enumerate(vars(obj))}
        ordered = sorted(parts.content.items(), key=lambda pair: places.get(pair[0], len(places)))
        parts.content.clear()
        parts.content.update(ordered)
        name = self._name(obj)
        self.classes.add(name)
        if obj not in self._digests:
            self._digests[obj] = digest(obj)
        made = parts.make, parts.arguments, name, self._digests[obj]
        held = (enum_members.states(obj),) if enum_members.is_plain(obj) else ()
        return binding.make_class, made, (parts.state, name, *held), None, None, binding.bind_class

    def _name(self, obj: type) -> str | None:
        """Of a class in the namespace: its own, where it has that there."""
        own: str = obj.__name__
        if self._namespace.get(own) is obj:
            return own
        # Another name may be the only one: `Old = Point` before a cell defined Point again.
        found = (name for name, one in self._namespace.items() if one is obj)
        return next((name for name in found if not name.startswith("_")), None)

    def _member(self, obj: Any) -> Any:
        """What it holds is written beside: it may be met first within its class."""
        held = enum_members.state(obj)
        if held is None:
            return NotImplemented
        self.members[id(obj)] = obj
        more = (held, None, None, binding.bind_member) if self._outline else ()
        if enum_members.is_named(obj):
            return binding.member, (type(obj), obj._name_), *more
        return type(obj), (obj._value_,), *more

    def _member_of_more(self, obj: Any) -> Any:
        raise NotKept("a member of an enumeration that holds more than attributes", obj)

    def _function(self, obj: FunctionType) -> Any:
        self._note(obj)
        return self.reduce_function(obj)

    def on_function(self, func: FunctionType, reduced: tuple[Any, ...]) -> tuple[Any, ...]:
        _, slots = reduced[2]
        self.defining.update(map(id, slots.values()))  # its annotations: nobody shares those
        self.functions.add(id(func))
        module = self._home(func)
        used = slots["__globals__"]
        along = {name: value for name, value in used.items() if not self._never(name)}
        if module is not None:
            along = {name: value for name, value in along.items() if is_carried(value)}
        self.defines = self.defines or bool(along)
        slots["__globals__"] = {} if module or self._outline else along
        self.needs.update(() if module else used.keys() - along.keys())
        if module is None:
            return reduced
        closure = func.__closure__ and tuple(map(self._cell, func.__closure__))
        arguments = func.__code__, closure, module
        return binding.make_function, arguments, reduced[2], None, None, binding.bind_function

    def _home(self, func: FunctionType) -> str | None:
        """The module whose names a function looks up; "" for the user's namespace."""
        if func.__globals__ is self._namespace:
            return ""
        name = func.__globals__.get("__name__")
        module = sys.modules.get(name) if isinstance(name, str) and name != "__main__" else None
        return name if module and vars(module) is func.__globals__ else None

    def _cell(self, cell: CellType) -> Any:
        return self._cells.setdefault(id(cell), _Cell())

    def _by_its_name(self, obj: Any) -> Any:
        """A logger: its level and handlers are the process's."""
        self.process.add(id(obj))
        return NotImplemented

    def _cached(self, obj: Any) -> Any:
        reduced = reduce_cached(obj)
        if reduced is not NotImplemented and obj.cache_info().currsize:
            self.without.add(f"the results in the cache of {obj.__name__}")
        return reduced

    def _with_chain(self, made: Reduce, error: Any) -> Any:
        """An exception with those that it was raised from, or in whose handling. Pickle leaves
        them. One that cannot be pickled is left out, with those before it: the exception itself
        can.

        As its class says, whatever is registered for it in `copyreg`: tblib, which Dask imports,
        registers every exception there is, so that its traceback and all its frames come along."""
        chain = error.__cause__, error.__context__, error.__suppress_context__
        reduced = made(error)
        if reduced is NotImplemented:
            reduced = error.__reduce_ex__(5)
        if chain == (None, None, False):
            return reduced
        made_by, arguments, *state = reduced
        if len(state) > 1:  # it says itself how it is filled
            return reduced
        held = (*state, None)[0]
        cause, context, suppresses = chain
        chain = (*(self._kept_before(error, one) for one in (cause, context)), suppresses)
        return made_by, arguments, (held, chain), None, None, binding.set_chain

    def _kept_before(self, error: object, earlier: BaseException | None) -> BaseException | None:
        """The exception before another, where it can be pickled."""
        if earlier is None or not self._is_lost(earlier):
            return earlier
        names = type(earlier).__name__, type(error).__name__
        self.without.add("the {} that came before its {}".format(*names))
        return None

    def _is_lost(self, error: BaseException) -> bool:
        """A pickle cannot be taken back halfway, so that it is tried in one of its own."""
        if id(error) not in self._lost:
            before = _before(error)
            self._lost |= {id(one): (one, False) for one in before}
            if not self._can_be_pickled(error):
                for one in reversed(before):  # each with those of its own that can be
                    self._lost[id(one)] = one, not self._can_be_pickled(one)
        return self._lost[id(error)][1]

    def _can_be_pickled(self, error: BaseException) -> bool:
        tried = Pickler(
            self._namespace,
            never=self._never,
            digests=self._digests,
            shared=self.shared,
            lost=self._lost,
        )
        try:
            tried.dump(error)
        except KeyboardInterrupt:
            raise
        except BaseException:  # of a class of the user's: it may exit
            return False
        finally:
            tried.clear_memo()
        return True

    def _note_named(self, obj: Any) -> Any:
        self._note(obj)
        return NotImplemented

    def _method(self, obj: Any) -> Any:
        found = function_of(obj)
        self._note(obj if found is None else found[0])
        return NotImplemented if found is None else (getattr, found)

    def _note(self, obj: Any) -> None:
        module = obj.__name__ if is_a(obj, ModuleType) else getattr(obj, "__module__", None)
        if isinstance(module, str):
            package = module.partition(".")[0]
            for name in () if module in self._importable else (package, module):
                # Better now than when it is restored: then the value is lost.
                if not _can_be_imported(name):
                    raise NotKept(f"something of {name}, which cannot be imported again", None)
            self._importable.add(module)
            self.modules.add(package)

    def _on_buffer(self, buffer: PickleBuffer) -> bool:
        raw = buffer.raw()
        # A file for each small array would cost more than it spares.
        if raw.nbytes < OWN_BLOB_FROM:
            self.places.within += not raw.readonly
            return True
        self.buffers.append(buffer)
        return False


def _can_be_imported(name: str) -> bool:
    """Whether a module that is there will be in another process, for all that is known: not one
    that a class of the notebook found or loaded."""
    module = sys.modules.get(name)
    if type(module) is not ModuleType or name in ("__main__", "__mp_main__"):
        return True
    spec = getattr(module, "__spec__", None)
    loaders = getattr(spec, "loader", None), getattr(module, "__loader__", None)
    if any(map(_is_of_notebook, loaders)):
        return False
    if spec is not None or "." in name:
        return True
    finders = (each for each in sys.meta_path if not _is_of_notebook(each))
    return any(finder.find_spec(name, None) for finder in finders)


def _is_of_notebook(loader: object) -> bool:
    """Whether a loader or finder, or the class that stands for one, is the notebook's."""
    return is_own(loader if is_a(loader, type) else type(loader))


class _Standing:
    """Stands for an object, and says how it is written."""

    def __init__(self, reduced: tuple[Any, ...]) -> None:
        self._reduced = reduced

    def __reduce__(self) -> tuple[Any, ...]:
        return self._reduced


class _Cell:
    """Stands for a variable that functions close over: one for all that share it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return cloudpickle_compat.empty_cell()


class _Sink:
    """Takes what the pickler writes. Python code, so that a long pickle can be interrupted here."""

    def __init__(self, chunks: list[bytes]) -> None:
        self._chunks = chunks

    def write(self, chunk: ReadableBuffer) -> None:
        # A view is of memory that may be gone later.
        self._chunks.append(chunk if type(chunk) is bytes else bytes(chunk))


def _before(error: BaseException) -> list[BaseException]:
    """An exception, and those before it."""
    found = {id(error): error}
    waiting = [error]
    while waiting:
        one = waiting.pop()
        for earlier in (one.__cause__, one.__context__):
            if earlier is not None and id(earlier) not in found:
                found[id(earlier)] = earlier
                waiting.append(earlier)
    return [*found.values()]


def _as_inherited(kind: type) -> dict[str, Any]:
    """What a class says that a base has as well, the same object: cloudpickle leaves it to that."""
    met = {(name, id(one)) for base in kind.__mro__[1:] for name, one in vars(base).items()}
    own = ((name, one) for name, one in vars(kind).items() if not name.startswith("__"))
    return {name: one for name, one in own if (name, id(one)) in met}


def _by_own_class(kind: type) -> Reduce | None:
    """How objects of a class of the notebook are reduced that has a say in it."""
    said = {name for base in filter(is_own, bases_of(kind)) for name in vars(base)}
    if said & {"__reduce__", "__reduce_ex__"}:
        return _as_its_class_says
    if said & _ASKED and not said & _STATE and kind.__dictoffset__ and _all_own(kind):
        return _with_attributes
    return None


def _all_own(kind: type) -> bool:
    return all(map(is_own, bases_of(kind)[:-1]))


_ASKED = {"__getattr__", "__getattribute__"}
_STATE = {"__slots__", "__getstate__", "__setstate__", "__getnewargs__", "__getnewargs_ex__"}


def _as_its_class_says(obj: Any) -> Any:
    """A name is that of a variable of the notebook, which a fresh kernel does not have."""
    reduced = obj.__reduce_ex__(5)
    if type(reduced) is str and not cloudpickle_compat.is_found_by_name(obj, reduced):
        raise NotKept("known by its name alone", obj)
    return reduced


def _with_attributes(obj: Any) -> Any:
    """Pickle would ask an object for `__setstate__` that has no attributes yet, and one that passes
    on what it is asked to an attribute asks without end."""
    state = object.__getattribute__(obj, "__dict__")
    return binding.new, (type(obj),), state, None, None, binding.set_attributes


def _as_ever(obj: Any) -> Any:
    return NotImplemented


def _refuse(what: str, met: object) -> Any:
    raise NotKept(what, met)
