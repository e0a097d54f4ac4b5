"""Code objects and live values -> the global names that running them may read, write and change.

Source shows what a cell does; a value that an earlier cell left (a function, an instance, a
partial) shows by its code objects what calling it may do. Nothing of the value runs: attributes
are read from the dictionaries of its type and its own, never by `getattr`, and nothing foreign is
compared. So what a property or `__getattr__` would give is not seen.
"""

from __future__ import annotations

import dis
import functools
import gc
import re
import types
import weakref
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from wfnb.dataflow.known_functions import (
    ATTRIBUTE_SETTERS,
    HARMLESS_IN_FUNCTIONS,
    ITERATING_FUNCTIONS,
    ITERATING_METHODS,
    LOADERS,
    LOOKUPS,
    MUTATING_FUNCTIONS,
    MUTATING_IF_UNUSED,
    MUTATING_MODULE_FUNCTIONS,
    OPAQUE_NAMES,
    PART_FUNCTIONS,
    PART_METHODS,
    PURE_METHODS,
    SETTER,
    is_setter,
)
from wfnb.dataflow.module_attribute_mentions import (
    TAKES_SETTINGS,
    Pair,
    chain_prefixes,
    is_seeding,
    variable_asked,
    words_among,
)
from wfnb.dataflow.process_settings import GIVES_BACK, SHOWS
from wfnb.frozen_record import record

NOTEBOOK: Final = "__main__"
CACHE: Final[Any] = type(lru_cache(len))
OPTIMIZED: Final = 0x1  # a function's code has this flag, a class body and a module have not
VARARGS: Final = 0x4
VARKEYWORDS: Final = 0x8
MAX_OBJECTS: Final = 2000  # that are looked at from one value
MAX_ELEMENTS: Final = 2000  # of one container that are looked at
_MAKERS: Final = ("__init__", "__new__", "__post_init__", "__init_subclass__", "__set_name__")
_BY_TEXT: Final = frozenset(("getattr", "methodcaller", "attrgetter", "__getattribute__"))
"""What finds a method by a text that may be put together."""
# `Pipeline` -> step -> function: objects of libraries are followed this far.
FOREIGN_DEPTH: Final = 3


@dataclass(frozen=True, slots=True)
class Uses:
    """What running code may do to global names, and in place to its own parameters."""

    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    deletes: frozenset[str] = frozenset()
    mutates: frozenset[str] = frozenset()
    mutated_parameters: tuple[int | str, ...] = ()
    """Each as callers may write it: its position and its name, `"*"` for all further positions,
    `"**"` for all further keywords."""
    attributes: frozenset[Pair] = frozenset()
    """This and the next four are as `Mentions` has them."""
    assigned: frozenset[Pair] = frozenset()
    bare: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    seeds: bool = False
    stores: bool = False
    """Whether it changes some object in place, if only a new one."""
    imports: frozenset[str] = frozenset()
    """Modules, and what may be one, with the dots of relative names."""
    reaches: frozenset[str] = frozenset()
    """Those of them of which the value is used otherwise than by an attribute."""
    names: frozenset[str] = frozenset()
    """All that it says, in texts, too, where those may be code."""
    calls: frozenset[str] = frozenset()
    """The methods and globals that it calls."""
    sets: frozenset[Pair] = frozenset()
    """What it calls or changes that may set something of the process, if that is of a library: a
    global and what is taken of it; after no name, what it imports itself."""
    called: frozenset[Pair] = frozenset()
    """What it calls, as `sets` has it."""
    name: str = ""
    """Its own."""
    changes_held: bool = False
    """Whether it changes an object that a function around it has left to it."""
    is_method: bool = False
    """Whether it is of a class, and Python does not call it itself."""

    @property
    def only_makes(self) -> bool:
        """Whether it makes an object, and changes none that it was given."""
        return self.name in _MAKERS and {*self.mutated_parameters} <= {0, "self"}


def uses(function_code: types.CodeType) -> Uses:
    """What the code, and all code nested in it, may do to global names. Never raises."""
    try:
        return _uses(function_code)
    except (TypeError, ValueError, IndexError, RecursionError):  # a code object made by hand
        return Uses()


def uses_of(value: object) -> Uses | None:
    """What a function of the notebook does itself; None of anything else."""
    is_own = type(value) is types.FunctionType and _is_main(value.__globals__)
    return uses(value.__code__) if is_own else None  # type: ignore[attr-defined]


@lru_cache(maxsize=4096)
def _uses(code: types.CodeType) -> Uses:
    found = _Walk(code, nested=False)
    parameters, rest, keywords = _parameters(code)
    mutated = found.changed
    keys: list[int | str] = []
    for position, name in enumerate(parameters):
        if name in mutated:
            # A keyword alone reaches those after `*`, a position alone those before `/`.
            keys += [position] * (position < code.co_argcount)
            keys += [name] * (position >= code.co_posonlyargcount)
    keys += ["*"] * (rest in mutated)
    keys += ["**"] * (keywords in mutated)
    return Uses(
        frozenset(found.reads),
        frozenset(found.writes),
        frozenset(found.deletes),
        frozenset(name[1:].partition(".")[0] for name in mutated if name[0] == _GLOBAL),
        tuple(keys),
        frozenset(pair for pair, count in found.loads.items() if count > 0),
        frozenset(found.assigned),
        frozenset(found.bare),
        words_among(found.names) | found.words(),
        found.seeds,
        found.stores,
        frozenset(found.imports),
        frozenset(found.reaches),
        frozenset(found.names),
        frozenset(found.calls),
        frozenset(found.sets),
        frozenset(found.called_outside),
        code.co_name,
        # What makes a frozen dataclass calls `__setattr__` of `object`, which is left to it.
        code.co_name not in _MAKERS and not mutated.isdisjoint(code.co_freevars),
        _is_method(code.co_qualname),
    )


def _is_method(name: str) -> bool:
    """
    >>> _is_method("Store.put"), _is_method("Store.__len__"), _is_method("f.<locals>.g")
    (True, False, False)
    """
    *outer, last = name.split(".")
    return outer[-1:] not in ([], ["<locals>"]) and not (last[:2] == "__" == last[-2:])


def _last(name: str) -> str:
    """What a name and what is taken of it ends with.

    >>> _last(_GLOBAL + "a.b.c"), _last(_GIVEN + _GLOBAL + "a")
    ('c', 'a')
    """
    return name.rpartition(".")[2].lstrip("".join(_OUTSIDE))


def _pair(name: str) -> Pair:
    """
    >>> _pair(_GLOBAL + "a.b.c"), _pair(_IMPORT + "a.b.c")
    (('a', 'b.c'), ('', 'a.b.c'))
    """
    root, _, chain = name[1:].partition(".")
    return (root, chain) if name[0] == _GLOBAL else ("", name[1:])


def _pairs(names: Iterable[str], more: str = "") -> set[Pair]:
    """Globals, each with what is taken of it; after no name, what the code imports itself."""
    return {_pair(each.lstrip(_GIVEN) + more) for each in names if each[0] in _OUTSIDE}


def _sets(name: str) -> bool:
    return bool(SETTER.match(name)) and name not in PURE_METHODS


def _is_harmless(name: str) -> bool:
    return _last(name) in HARMLESS_IN_FUNCTIONS


def _parameters(code: types.CodeType) -> tuple[tuple[str, ...], str, str]:
    count = code.co_argcount + code.co_kwonlyargcount
    names = code.co_varnames
    rest = keywords = ""
    end = count
    if code.co_flags & VARARGS:
        rest, end = names[end], end + 1
    if code.co_flags & VARKEYWORDS:
        keywords = names[end]
    return names[:count], rest, keywords


_GLOBAL: Final = "\0"  # before a global, `name` or `name.a.b`, among the names of locals
_IMPORT: Final = "\1"  # before what the code imports itself
_GIVEN: Final = "\2"  # before one of these two: what a function of theirs gave that gets something
_PART: Final = "\3"  # before a name: what a call gave that gives parts of its object
_SELF: Final = "\4"  # instead of that, where a method of such a part is called that gives none
_OUTSIDE: Final = (_GLOBAL, _IMPORT, _GIVEN)
_CALLS: Final = ("CALL", "CALL_KW", "CALL_FUNCTION_EX")
_GETS: Final = re.compile(r"get(_?[A-Z]\w*|_\w+)|gc[af]")
_NO_NAMES: Final[frozenset[str]] = frozenset()
_UNCHANGED: Final = frozenset(
    {"NOP", "RESUME", "CACHE", "EXTENDED_ARG", "COPY_FREE_VARS", "MAKE_CELL"}
    | {"GET_ITER", "NOT_TAKEN", "KW_NAMES", "SETUP_ANNOTATIONS", "GET_YIELD_FROM_ITER"}
)
_GLOBAL_LOADS: Final = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"})
_NAME_LOADS: Final = (*_GLOBAL_LOADS, "LOAD_FAST", "LOAD_DEREF")
_STORES: Final = {"STORE_SUBSCR": 2, "STORE_ATTR": 1, "STORE_SLICE": 3}  # depth of the container
_DELETES: Final = {"DELETE_SUBSCR": 2, "DELETE_ATTR": 1}
_DOTTED: Final = ("_ATTR", "LOAD_METHOD")
_PARTS: Final = {"LOAD_ATTR": 1, "LOAD_METHOD": 1, "BINARY_SUBSCR": 2, "BINARY_SLICE": 3}
# In Python 3.11 two instructions make a call: the first takes the arguments off the stack.
_TAKES_ARGUMENTS: Final = "PRECALL" if "PRECALL" in dis.opmap else "CALL"
_PUSHES_NOTHING: Final = ("POP_", "RETURN_", "JUMP", "LIST_", "SET_", "DICT_", "MAP_")
_STORING: Final = MUTATING_FUNCTIONS.keys() | MUTATING_IF_UNUSED
_PART_METHODS: Final = PART_METHODS | ITERATING_METHODS
_PART_FUNCTIONS: Final = PART_FUNCTIONS | ITERATING_FUNCTIONS
_NB_SUBSCRIPT: Final = "[]"
_SUBSCRIPT: Final = {"BINARY_SUBSCR", _NB_SUBSCRIPT}
# `LOAD_ATTR` with its lowest bit set takes a method, where no `LOAD_METHOD` does.
_METHOD_BIT: Final = dis.opmap.get("LOAD_METHOD", 256) > 255


class _Walk:
    """One code object from its first instruction to its last, with a stack of names.

    A place of the stack holds the names whose object, or a part of it, may lie there. Jumps are
    not followed: behind one the stack is unknown where it does not fit, and names are added to
    variables rather than replaced. This finds what is written in one expression or through plain
    variables, which is what it promises.
    """

    def __init__(
        self,
        code: types.CodeType,
        nested: bool,
        outer: Mapping[str, frozenset[str]] = types.MappingProxyType({}),
    ) -> None:
        self.code = code
        self.reads: set[str] = set()
        self.writes: set[str] = set()
        self.deletes: set[str] = set()
        self.changed: set[str] = set()
        texts = (each for each in code.co_consts if isinstance(each, tuple))
        self.stores = any("out" in each for each in texts)  # a keyword of some call, it may be
        self.has_keywords = False
        self.keywords: Any = ()
        self.given_parts: frozenset[str] = _NO_NAMES  # by the last call
        self.loads: Counter[Pair] = Counter()
        self.assigned: set[Pair] = set()
        self.bare: set[str] = set()
        self.names = {*code.co_names} | ({*code.co_consts} & {NOTEBOOK})
        self.calls: set[str] = set()
        self.sets: set[Pair] = set()
        self.shows = False
        self.given_back = 0  # settings that were set, of which what they were before is used
        self.called_outside: set[Pair] = set()
        self.called: frozenset[str] = _NO_NAMES  # by the last call
        self.alone: frozenset[str] = _NO_NAMES  # what the last instruction called
        # What is run by `eval`, imported, taken of an object or set may stand in any text of the
        # code.
        if not (OPAQUE_NAMES | LOADERS | LOOKUPS | {"setattr"}).isdisjoint(self.names):
            self.names |= {text for text in code.co_consts if isinstance(text, str)}
        self.seeds = any(map(is_seeding, code.co_names))
        self.stack: list[frozenset[str]] = []
        self.variables = {
            name: frozenset(each for each in outer[name] if each[0] == _IMPORT)
            for name in code.co_freevars
            if name in outer
        }
        self.is_class = nested and not code.co_flags & OPTIMIZED
        self.straight = True
        self.own = {"__name__"}  # names that a class body has bound, or reads for itself
        self.imports: set[str] = set()
        self.reaches: set[str] = set()
        level: Any = 0
        names: Any = ()
        loaded = _NO_NAMES
        before: deque[dis.Instruction] = deque(maxlen=3)
        for instruction in dis.get_instructions(code):
            if not instruction.opname.endswith(_DOTTED) or instruction.argval in LOOKUPS:
                self.bare.update(each[1:] for each in loaded if each[0] == _GLOBAL)
                self.reaches.update(each[1:] for each in loaded if each[0] == _IMPORT)
            self.ask_variable(instruction, before)
            self.step(instruction)
            before.append(instruction)
            loaded = self.top() if instruction.opname.startswith(_NAME_LOADS) else _NO_NAMES
            if instruction.opname == "IMPORT_NAME":
                self.import_name("." * (level or 0) + instruction.argval, names or ())
                if self.stack and not level:  # a relative one is of the user's own
                    whole, first = instruction.argval, instruction.argval.partition(".")[0]
                    self.stack[-1] = frozenset({_IMPORT + (whole if names else first)})
                else:
                    self.reaches |= self.imports
            elif names == "__name__" and (
                _SUBSCRIPT & {instruction.opname, instruction.argrepr}
                or not LOADERS.isdisjoint(map(_last, self.called))
            ):
                self.names.add(NOTEBOOK)  # `sys.modules[__name__]`, `import_module(__name__)`
            # CPython loads the dots and the names of an import, in this order, just before it.
            level, names = names, instruction.argval
        if "catch_warnings" in self.names:  # then it is for a block alone
            for pairs in (self.sets, self.called_outside):
                pairs -= {pair for pair in pairs if "warnings" in ".".join(pair)}
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self.inner(_Walk(constant, nested=True, outer=self.variables))

    def ask_variable(self, now: dis.Instruction, before: Sequence[dis.Instruction]) -> None:
        """A variable of the environment that is asked for by its name: `os.environ.get("HOME")`,
        `os.environ["HOME"]`, `"HOME" in os.environ`."""
        count, is_call = now.arg or 0, now.opname == _TAKES_ARGUMENTS
        if is_call and 0 < count < 3:  # each argument in one instruction
            operands, at = self.top(count + 1) | self.top(count + 2), -count
        elif _SUBSCRIPT & {now.opname, now.argrepr}:
            operands, at = self.top(2), -1
        elif now.opname == "CONTAINS_OP":
            operands, at = self.top(), -3
        else:
            return
        every = [*([*before][at:] if len(before) >= -at else ()), now]
        # None is skipped, or another in its place: `os.environ[name or "HOME"]`.
        is_straight = not any(each.is_jump_target for each in every)
        if is_straight and every[0].opname == "LOAD_CONST" and type(every[0].argval) is str:
            for pair in (_pair(each) for each in operands if each[0] in (_GLOBAL, _IMPORT)):
                self.loads.update(variable_asked(*pair, every[0].argval, is_call))

    def inner(self, walk: _Walk) -> None:
        self.reads |= walk.reads
        self.writes |= walk.writes
        self.deletes |= walk.deletes
        self.loads.update(walk.loads)
        self.assigned |= walk.assigned
        self.bare |= walk.bare
        self.names |= walk.names
        self.calls |= walk.calls
        self.imports |= walk.imports
        # What a class body imports is an attribute of the class.
        self.reaches |= walk.imports if walk.is_class else walk.reaches
        self.sets |= walk.sets
        self.shows |= walk.shows
        self.given_back += walk.given_back
        self.called_outside |= walk.called_outside
        self.seeds |= walk.seeds
        free = walk.code.co_freevars
        # A variable of an inner function is not that of the same name outside, unless it is free.
        self.changed |= {name for name in walk.changed if name[0] == _GLOBAL or name in free}
        self.stores |= walk.stores
        # What it is called with is not followed.
        parameters, rest, keywords = _parameters(walk.code)
        if walk.code.co_name not in _MAKERS and walk.changed & {*parameters, rest, keywords}:
            parameters, rest, keywords = _parameters(self.code)
            self.changed |= {*parameters, rest, keywords} - {""}

    def words(self) -> set[str]:
        """What it says of settings, beside the names."""
        found = {SHOWS: self.shows, TAKES_SETTINGS: self.given_back}
        return {word for word, is_so in found.items() if is_so}

    def import_name(self, module: str, names: Iterable[str]) -> None:
        self.imports.add(module)
        self.imports.update(
            f"{module.rstrip('.')}.{name}" if module.strip(".") else module + name for name in names
        )

    def note_setting(self, roots: Iterable[str], opname: str = "", name: Any = "") -> None:
        """Something of these is changed, or called: an attribute of a name where the instruction
        says that."""
        self.sets |= _pairs(roots, f".{name}" if opname.endswith("ATTR") else "")

    def call(self, opname: str, count: int) -> None:
        """What is called stands below its arguments; where these are unpacked, not far below."""
        depths = (2, 3, 4) if opname == "CALL_FUNCTION_EX" else (count + 1, count + 2, count + 3)
        tops = (self.top(depth) for depth in depths[: 2 if opname == _TAKES_ARGUMENTS else 3])
        callee = frozenset[str]().union(*tops)
        self.called = frozenset(n for n in callee if n[0] in _OUTSIDE)
        self.called_outside |= _pairs(self.called)
        last = {_last(each) for each in self.called}
        asks = "setlocale" in last and count < 2
        self.given_back += asks or not GIVES_BACK.isdisjoint(last)
        if not last.isdisjoint(ATTRIBUTE_SETTERS):
            self.note_setting(self.top(count))
        given = frozenset[str]().union(*map(self.top, range(1, count + 1)))
        if any(_last(each) in ATTRIBUTE_SETTERS for each in given):  # `partial(setattr, log)`
            self.note_setting(given)
        self.note_setting(n for n in self.called if _sets(_last(n)))
        parts = given if any(n[1:] in _PART_FUNCTIONS for n in self.called) else _NO_NAMES
        self.given_parts = frozenset(n for n in callee if n[0] == _PART)
        self.given_parts |= {_PART + n.lstrip(_PART) for n in parts}
        self.change_by_call(opname, count)

    def change_by_call(self, opname: str, count: int) -> None:
        """What a function changes that is known by its name, and a method with `inplace=True`."""
        # From Python 3.13 on the names of keywords lie above the arguments.
        above = opname == "CALL_KW"
        count += above
        keywords = self.keywords if above or self.has_keywords else ()
        callee = self.top(count + 1) | self.top(count + 2)
        for name in callee:
            at = MUTATING_FUNCTIONS.get(_last(name)) if name[0] in _OUTSIDE else None
            if at is not None and at < count - above - len(keywords):
                self.change(self.top(count - at))
        if "inplace" in keywords:  # of a function that is no method nothing is known
            self.change(n for n in callee if n[0] not in _OUTSIDE or "." in n)

    def change(self, names: Iterable[str]) -> None:
        """Objects of these names are changed in place, or parts of them."""
        self.changed.update(each.lstrip(_PART + _SELF) for each in names)
        self.stores = True

    def top(self, depth: int = 1) -> frozenset[str]:
        return self.stack[-depth] if len(self.stack) >= depth else _NO_NAMES

    def pop(self, count: int) -> None:
        if count:
            del self.stack[-count:]

    def variable(self, name: str) -> frozenset[str]:
        return self.variables.get(name, frozenset({name}))

    def store(self, name: str, value: frozenset[str]) -> None:
        self.variables[name] = value if self.straight else self.variable(name) | value

    def step(self, instruction: dis.Instruction) -> None:
        name = instruction.opname
        arg = instruction.arg
        value = instruction.argval
        # From a jump on, instructions do not run in the order in which they stand.
        if instruction.is_jump_target or instruction.opcode in dis.hasjrel:
            self.straight = False
        if name in _UNCHANGED:
            # Up to Python 3.12 the names of keywords stand before the call, and not in it.
            if name == "KW_NAMES":
                self.has_keywords, self.keywords = True, self.code.co_consts[arg or 0]
            return
        if name == "POP_TOP":
            self.note_setting(each for each in self.alone if not _is_harmless(each))
            self.given_back -= not GIVES_BACK.isdisjoint(map(_last, self.alone))
        self.alone = _NO_NAMES
        if name in _GLOBAL_LOADS:
            self.load_global(name, value, arg or 0)
        elif name in ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_NAME", "DELETE_NAME"):
            self.bind_global(name, value)
        elif name.startswith(("LOAD_FAST", "STORE_FAST", "LOAD_DEREF", "STORE_DEREF")):
            self.fast(name, value)
        elif name in ("LOAD_CLOSURE", "LOAD_CONST", "LOAD_SMALL_INT", "PUSH_NULL"):
            self.stack.append(_NO_NAMES)
            if type(value) is tuple:  # from Python 3.13 on, those of keywords stand in the call
                self.keywords = value
        elif name in _STORES or name in _DELETES:
            depth = _STORES.get(name) or _DELETES[name]
            self.change(self.top(depth))
            self.note_setting(self.top(depth), name, value)
            self.assign(name, value, self.top(depth))
            self.pop(depth + (name in _STORES))
        elif name in _PARTS:
            self.part(name, value, arg or 0)
        elif name == "COPY":
            self.stack.append(self.top(arg or 1))
        elif name == "SWAP" and len(self.stack) >= (arg or 1):
            self.stack[-1], self.stack[-(arg or 1)] = self.stack[-(arg or 1)], self.stack[-1]
        elif name == "FOR_ITER":
            self.stack.append(self.top())
        elif name in ("UNPACK_SEQUENCE", "UNPACK_EX"):
            names = self.top()
            self.pop(1)
            before, after = (arg or 0) % 256, (arg or 0) // 256
            count = before + after + 1 if name == "UNPACK_EX" else arg or 0
            self.stack += [names] * count
        elif name == "BINARY_OP":
            self.shows |= "%" in instruction.argrepr
            self.binary(instruction.argrepr)
        else:
            self.other(instruction)

    def assign(self, opname: str, name: Any, roots: frozenset[str]) -> None:
        """An attribute of a global name is bound, or something in it."""
        is_attribute = opname.endswith("ATTR")
        for root, chain in (_pair(each) for each in roots if each[0] in (_GLOBAL, _IMPORT)):
            whole = f"{chain}.{name}".lstrip(".") if is_attribute else chain
            if whole:
                self.assigned.add((root, whole))
                self.loads.subtract(chain_prefixes(root, whole, whole=not is_attribute))

    def load_global(self, opname: str, name: str, arg: int) -> None:
        if not self.is_class or name not in self.own:
            self.reads.add(name)
        if opname == "LOAD_GLOBAL" and arg & 1:
            self.stack.append(_NO_NAMES)  # of a function, or of a module whose function is called
            self.calls.add(name)
            self.stores |= name in MUTATING_FUNCTIONS
        if opname == "LOAD_FROM_DICT_OR_GLOBALS":
            self.pop(1)
        self.stack.append(frozenset({_GLOBAL + name}))

    def bind_global(self, opname: str, name: str) -> None:
        if opname.startswith("STORE"):
            self.pop(1)
        # In a class body `STORE_NAME` makes an attribute, in a module a global name.
        if self.is_class and opname.endswith("NAME"):
            if self.straight and opname.startswith("STORE"):
                self.own.add(name)
            return
        (self.writes if opname.startswith("STORE") else self.deletes).add(name)

    def fast(self, opname: str, value: Any) -> None:
        """Also those of two variables in one: `LOAD_FAST_LOAD_FAST`, `STORE_FAST_LOAD_FAST`."""
        names = value if isinstance(value, tuple) else (value,)
        kinds = [part for part in opname.split("_") if part in ("LOAD", "STORE")]
        for kind, name in zip(kinds, names, strict=False):
            if kind == "LOAD":
                self.stack.append(self.variable(name))
                imported = (each[1:] for each in self.top() if each[0] == _IMPORT)
                self.loads.update(("", each) for each in imported)
            else:
                self.store(name, self.top())
                self.pop(1)
                # A counter that is `nonlocal` is held by the function, which is another one after
                # the call.
                self.stores |= opname == "STORE_DEREF" and name in self.code.co_freevars

    def part(self, opname: str, name: Any, arg: int) -> None:
        depth = _PARTS[opname]
        names = self.top(depth)
        self.pop(depth)
        if opname in ("LOAD_ATTR", "LOAD_METHOD"):
            outside = {each for each in names if each[0] in _OUTSIDE}
            longer = {f"{each}.{name}" for each in outside}
            self.loads.update(_pair(each) for each in longer if each[0] != _GIVEN)
            names = names.difference(outside).union(longer)
        self.stack.append(names)
        if opname in ("LOAD_ATTR", "LOAD_METHOD"):
            is_call = opname == "LOAD_METHOD" or (_METHOD_BIT and bool(arg & 1))
            if is_setter(name) or (is_call and name.endswith("_") and not name.startswith("_")):
                self.change(names)
            self.stores |= name in _STORING
            if name in _PART_METHODS:
                self.stack[-1] = names.union(_PART + each.lstrip(_PART) for each in names)
            elif is_call:  # `part.copy()` is none
                self.stack[-1] = frozenset(each.replace(_PART, _SELF) for each in names)
            if is_call:
                self.stack.append(_NO_NAMES)
                self.calls.add(name)

    def binary(self, sign: str) -> None:
        left = self.top(2)
        self.pop(2)
        if sign.endswith("="):
            # What such a call gives may be a number.
            self.change(each for each in left if each[0] != _PART)
            self.stack.append(left)
        else:
            self.stack.append(left if sign == _NB_SUBSCRIPT else _NO_NAMES)

    def fills(self, count: int) -> None:
        """A call with so many arguments: a function of NumPy may fill the last of them."""
        # By the version of Python, the callable lies above its empty place, or below it.
        for name in self.top(count + 1) | self.top(count + 2):
            root, _, chain = name[1:].partition(".")
            at = MUTATING_MODULE_FUNCTIONS.get((chain or root).rpartition(".")[2], count)
            if name[0] == _GLOBAL and at < count:  # `add` alone may be NumPy's
                self.change(self.top(count - at) if root in ("np", "numpy") else _NO_NAMES)

    def other(self, instruction: dis.Instruction) -> None:
        """What it leaves on the stack is new; how much, the interpreter tells."""
        opname = instruction.opname
        self.shows |= opname.startswith("FORMAT_")
        if opname in (_TAKES_ARGUMENTS, "CALL_KW", "CALL_FUNCTION_EX"):
            self.call(opname, instruction.arg or 0)
        taken = self.top()
        # With keywords the last of the arguments has no position.
        if instruction.opname == _TAKES_ARGUMENTS and not self.has_keywords:
            self.fills(instruction.arg or 0)
        self.has_keywords &= instruction.opname != "CALL"
        # The walk goes straight on, so the stack is that of who does not jump.
        effect = dis.stack_effect(instruction.opcode, instruction.arg, jump=False)
        if effect > 0:
            self.stack += [_NO_NAMES] * effect
        else:
            self.pop(-effect)
            if self.stack and not instruction.opname.startswith(_PUSHES_NOTHING):
                self.stack[-1] = _NO_NAMES
        if opname in _CALLS:
            self.alone = self.called
            got = (_GIVEN + each for each in self.called if _GETS.fullmatch(_last(each)))
            self.stack[-1:] = [self.given_parts.union(got)]
        elif opname == "IMPORT_FROM":
            part = instruction.argval
            self.stack[-1] = frozenset(f"{n}.{part}" for n in taken if n[0] == _IMPORT)


# ---- values


def reach(value: object, budget: int = MAX_OBJECTS) -> frozenset[Uses]:
    """What the notebook's own code does that may run when the value is used. Never raises.

    `budget` is the number of objects that are looked at.
    """
    return frozenset(map(uses, codes(value, budget)))


def codes(value: object, budget: int = MAX_OBJECTS) -> frozenset[types.CodeType]:
    """The code objects of the notebook that are reachable from the value. Never raises."""
    return _search(value, budget)[0]


@record
class Reach:
    """What code does that may run when a value is used; the functions of it that keep results; the
    names of methods that it is, or has bound to an object; those of properties that their object
    keeps, when they are read first; and modules that it holds."""

    every: frozenset[Uses]
    caches: list[Any]
    methods: set[str]
    cached_properties: set[str]
    modules: list[types.ModuleType]


def full_reach(value: object) -> Reach:
    """As `reach`, with what else matters for what it may change."""
    found, met = _search(value, MAX_OBJECTS)
    bound = [value, *(each.__func__ for each in met if type(each) is types.MethodType)]
    return Reach(
        every=frozenset(map(uses, found)),
        caches=[each for each in met if type(each) is CACHE],
        methods={each.__name__ for each in bound if type(each) is types.FunctionType},
        cached_properties={
            str(each.attrname) for each in met if type(each) is functools.cached_property
        },
        modules=[each for each in met if type(each) is types.ModuleType and each is not value],
    )


def may_store(every: Iterable[Uses], words: Iterable[str]) -> bool:
    """Whether code with these names may change an object in place by running some of that code. A
    method runs where it is named, but for those that Python calls itself; what makes an object
    changes that alone."""
    waiting, names = {*every}, {*words}
    while True:
        running = {one for one in waiting if not one.is_method or one.name in names}
        running |= waiting if not _BY_TEXT.isdisjoint(names) else set()
        if any(one.stores and not one.only_makes for one in running):
            return True
        if not running:
            return False
        waiting -= running
        names = names.union(*(one.names for one in running))


def _search(value: object, budget: int) -> tuple[frozenset[types.CodeType], list[object]]:
    """The code objects, and all objects that were met."""
    found: list[types.CodeType] = []
    seen: set[int] = set()
    todo: deque[tuple[object, int]] = deque([(value, 0)])
    alive: list[object] = []  # objects made on the way: an `id` is used again when one is gone
    while todo and budget > 0:
        item, foreign = todo.popleft()
        if id(item) in seen or id(type(item)) in ATOMS:
            continue
        budget -= 1
        seen.add(id(item))
        alive.append(item)
        try:
            for part, depth in islice(_parts(item, foreign, found), budget):
                kind = type(part)
                if kind is types.FunctionType or issubclass(kind, type):
                    todo.appendleft((part, depth))  # before the hundreds of objects beside it
                elif id(kind) not in ATOMS:
                    todo.append((part, depth))
        except Exception:  # whatever a damaged or a changing object raises
            continue
    return frozenset(_hashable(found)), alive


def _hashable(codes: Iterable[types.CodeType]) -> Iterator[types.CodeType]:
    for code in codes:
        try:
            hash(code)
        except TypeError:
            continue
        yield code


ATOMS: Final = frozenset(
    id(kind)  # a metaclass may have an `==` and a hash of its own
    for kind in (
        *(int, float, complex, bool, str, bytes, bytearray, type(None), range, slice),
        *(type(Ellipsis), type(NotImplemented), types.BuiltinFunctionType),
        *(types.CodeType, memoryview),
    )
)
_HOLDERS: Final = ("builtins", "itertools", "operator", "functools")
_CONTAINERS: Final = (list, tuple, set, frozenset, deque, dict)
_factory: Final[Any] = defaultdict.__dict__["default_factory"]
_module_of: Final[Any] = type.__dict__["__module__"].__get__
_class_dict: Final[Any] = type.__dict__["__dict__"].__get__
_class_order: Final[Any] = type.__dict__["__mro__"].__get__
_partial: Final = tuple(functools.partial.__dict__[name] for name in ("func", "args", "keywords"))
_Part = tuple[object, int]


def _parts(item: Any, foreign: int, found: list[types.CodeType]) -> Iterator[_Part]:
    """What may run, or holds what may run, when the object is used."""
    kind = type(item)
    if kind is types.ModuleType:
        return
    if kind is types.FunctionType:
        if _is_main(item.__globals__):
            found.append(item.__code__)
        yield from ((cell, foreign) for cell in item.__closure__ or ())
        for part in (item.__defaults__, item.__kwdefaults__, item.__dict__):
            yield part, foreign
    elif kind is types.CellType:
        yield item.cell_contents, foreign
    elif kind is types.MethodType:
        yield item.__func__, foreign
        yield item.__self__, foreign
    elif kind is staticmethod or kind is classmethod:
        yield item.__func__, foreign
    elif issubclass(kind, property):
        # By `property` itself: a subclass of the user may compute these, and is not asked.
        for name in ("fget", "fset", "fdel"):
            yield property.__dict__[name].__get__(item), foreign
    elif issubclass(kind, (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)):
        yield from _suspended_parts(item, found)
    elif kind is weakref.ref:
        yield item(), foreign
    elif issubclass(kind, functools.partial):
        yield from ((member.__get__(item), foreign) for member in _partial)
    elif issubclass(kind, type):
        yield from _class_parts(item)
        yield kind, foreign
    elif _holds_unseen(kind):
        yield from ((part, foreign) for part in gc.get_referents(item))
    else:
        yield from _contents(item, kind, foreign)
        yield from _instance_parts(item, kind, foreign)


def _holds_unseen(kind: type) -> bool:
    """Whether it is an iterator or a view of Python's own, which has no attribute for what it
    holds: `map(f, rows)`."""
    module = _module_of(kind)
    if type(module) is not str or module not in _HOLDERS or kind in _CONTAINERS:
        return False
    return "__dict__" not in _class_dict(kind)


def _is_main(namespace: object) -> bool:
    name = dict.get(namespace, "__name__") if isinstance(namespace, dict) else None
    return type(name) is str and name == NOTEBOOK


def _of_notebook(cls: type) -> bool:
    module = _class_dict(cls).get("__module__")
    return type(module) is str and module == NOTEBOOK


def _class_parts(cls: type) -> Iterator[_Part]:
    for base in _class_order(cls):
        if _of_notebook(base):
            for value in list(_class_dict(base).values()):
                yield value, 0


def _suspended_parts(item: Any, found: list[types.CodeType]) -> Iterator[_Part]:
    prefix = {types.GeneratorType: "gi", types.CoroutineType: "cr"}.get(type(item), "ag")
    frame = getattr(item, prefix + "_frame")
    if frame is None:
        return
    if _is_main(frame.f_globals):
        found.append(frame.f_code)
    for value in list(frame.f_locals.values()):
        yield value, 0


def _contents(item: Any, kind: type, foreign: int) -> Iterator[_Part]:
    if issubclass(kind, defaultdict):
        yield _factory.__get__(item), foreign
    for base in _CONTAINERS:
        if issubclass(kind, base):
            # The methods of the base, since those of a class derived from it may run code of the
            # user's.
            parts = dict.values(item) if base is dict else base.__iter__(item)
            first = tuple(islice(parts, MAX_ELEMENTS))
            yield from ((part, foreign) for part in first if id(type(part)) not in ATOMS)
            return


def _instance_parts(item: Any, kind: type, foreign: int) -> Iterator[_Part]:
    """Attributes of an instance: all if its class is the notebook's, else a few levels deep."""
    order = _class_order(kind)
    own = any(_of_notebook(base) for base in order)
    depth = 0 if own else foreign + 1
    if depth > FOREIGN_DEPTH:
        return
    if own:
        yield kind, 0
    for base in order:
        members = _class_dict(base)
        holder = members.get("__dict__")
        if issubclass(type(holder), (types.GetSetDescriptorType, types.MemberDescriptorType)):
            attributes = holder.__get__(item)
            if isinstance(attributes, dict):
                yield from ((value, depth) for value in dict.values(attributes))
        if own and "__slots__" in members:
            for member in list(members.values()):
                if type(member) is types.MemberDescriptorType:
                    try:
                        yield member.__get__(item), depth
                    except AttributeError:  # not set
                        continue
