"""What code changes in the process and no name holds, from what was known of it to what is now.

Each such place has a name that no variable can have: `the state of random`, `os.environ`,
`settings.rate`. Cells read and write it as they do names, so that a step which draws after another
one was run again, or whose settings were changed in their module, is stale like any other.

* A random generator counts from where a cell seeds it: before, one draw is as good as another.
  That a cell draws shows by the generator's state, whatever library it draws through.
* Of a module of a library counts what code assigns there, and reads.
* Data of the user's own modules (`own`), read and changed through functions of theirs.
* What is set for the whole process (`settings`).
* The code of own modules. No step writes it, since a run from the top loads the file as it is: what
  was loaded last is what all steps should have read.

`sys` is left out: its path is made longer by every run.
"""

from __future__ import annotations

import os
import sys
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final

from wfnb.core.data_flow import ABSENT, CODE_OF, LOST, OF, PLAIN, UNSEEN, Read
from wfnb.type_names import local_name

from . import process_settings, user_modules
from .bytecode_effects import Uses, full_reach
from .fingerprint import Fingerprint, find_imported, fingerprint, module_of
from .known_functions import LOADERS, SEEN_FUNCTIONS
from .library_patches import LibraryClasses, attributes_named, libraries_of, registers
from .module_attribute_mentions import (
    LOOKS,
    RELOADS,
    TAKES_SETTINGS,
    TAKES_STATE,
    Mentions,
    Pair,
    is_seeding,
)
from .process_settings import DIRECTORY, ENVIRONMENT, SETS_ENVIRONMENT, SETTINGS, is_named, whole
from .reached_modules import ReachedModules, reached_modules
from .result_caches import ResultCaches, place_of

_LEFT_OUT: Final = frozenset({"sys", "__main__", "__mp_main__"})
_CONSTANTS: Final = (int, float, complex, str, bytes, bool, type(None), tuple, frozenset)
_PROCESSES: Final = ("system", "popen", "exec", "spawn", "posix_spawn", "startfile", "fork")
_GENERATORS: Final = ("the state of random", "the state of numpy.random", "the state of torch")
_BUILTINS: Final = "builtins"


@dataclass(slots=True)
class KnownValue:
    """What is known of a name's value: its version, who wrote it (in which session), the identity
    of its object, its content, and who made the object, which others may have changed since."""

    version: str
    by: int
    session: object
    id: int
    print: Fingerprint
    maker: int = 0

    def read(self, session: object) -> Read:
        """The version, and who wrote it as a session sees that."""
        by = PLAIN if self.by > 0 and self.session != session else self.by
        return self.version, by


@dataclass(slots=True, eq=False)
class CalledCode:
    """What code of the notebook that may be called does beside names."""

    attributes: set[Pair] = field(default_factory=set)
    """This and the next four are as `Mentions` has them."""
    assigned: set[Pair] = field(default_factory=set)
    bare: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    seeds: bool = False
    stores: bool = False
    """Whether it may change some object in place."""
    spoken: set[str] = field(default_factory=set)
    """All names in it."""
    result_caches: list[object] = field(default_factory=list)
    """Functions that keep results."""
    cache_writers: set[int] = field(default_factory=set)
    """The ids of those of which it may change the results."""
    imports: set[str] = field(default_factory=set)
    """Modules."""
    reaches: set[str] = field(default_factory=set)
    """Those of which it uses more than an attribute."""
    modules: list[ModuleType] = field(default_factory=list)
    """Those that values hold."""
    code: set[Uses] = field(default_factory=set)
    """All of it."""
    methods: set[str] = field(default_factory=set)
    """Names of the methods that values have bound."""


@dataclass(slots=True, eq=False)
class Moment:
    """Before code runs: what is known, the states of generators and settings, the data of own
    modules that it may change (None: not there), the libraries whose values it has, and what is in
    modules (`spaces`) that it has as objects; `suspect`: code of own modules changes what it is
    called with."""

    known: dict[str, KnownValue]
    generators: dict[str, str]
    settings: dict[str, Any]
    data: dict[Pair, Fingerprint | None]
    libraries: set[str]
    spaces: dict[str, dict[str, Any]]
    suspect: bool


@dataclass(slots=True, eq=False)
class Early:
    """What code does before it sets settings of the process, or attributes of classes: the words
    and all names that it says, the libraries whose values it has, and the names that it binds and
    uses."""

    words: Collection[str]
    spoken: Collection[str]
    libraries: set[str]
    binds: Collection[str]

    def libraries_used(self, names: Mapping[str, Any]) -> set[str]:
        return self.libraries | libraries_of(map(names.get, self.binds))


@dataclass(slots=True, eq=False)
class Traces:
    """What code did: `reads` are places, `lost` those that hold what no line gives, `sources` the
    code of own modules. `writes` has each place with its state; or with data, and where they are
    not the same in each process (None: they are gone); `caches` are functions that keep results,
    which it may have called; `possible` are data that it might have changed, and did not;
    `settings` is what of libraries functions may have set that it called, and which caches hold
    results of such."""

    reads: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)
    sources: dict[str, str] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    data: dict[str, Fingerprint | None] = field(default_factory=dict)
    caches: list[Any] = field(default_factory=list)
    possible: set[str] = field(default_factory=set)
    settings: set[str] = field(default_factory=set)

    def objects(self) -> dict[str, object]:
        """What is at the places of the data that are there."""
        parts = {place: place.rpartition(".") for place, held in self.data.items() if held}
        return {p: user_modules.value_of((module, name)) for p, (module, _, name) in parts.items()}


class Places:
    """`_first` are settings as they were first met, `_last` as they were last; `_changed` what each
    code changed once: when it runs again and changes nothing, it has set the same again.
    `modules` are own modules whose code was read."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.known: dict[str, KnownValue] = {}
        self._first: dict[str, Any] = {}
        self._last: dict[str, Any] = {}
        self._changed: dict[str, set[str]] = {}
        self._classes = LibraryClasses()
        self._caches = ResultCaches()
        # By the ids of data of libraries, where these stand.
        self._library_data: dict[int, tuple[str, object]] = {}

    def begin_code(
        self,
        mentions: Mentions,
        called: CalledCode,
        names: Mapping[str, Any],
        values: Iterable[object],
    ) -> Moment:
        """Code with these mentions is about to run, and has these values."""
        generators = generator_states()
        self._see(generators)
        values = [*values]
        named = attributes_named(
            {*mentions.attributes, *mentions.assigned, *called.attributes}, names
        )
        self._classes.meet((*values, *(kind for kind, _ in named)))
        use, reached = self._use(mentions, called, names, values)
        now = process_settings.states(self._last, {*mentions.words, *called.words, *use.words})
        self._see_settings(now)
        self._caches.meet((*called.result_caches, *use.caches))
        data = {pair: user_modules.content(pair) for pair in use.data() if pair[0] in sys.modules}
        for pair, held in data.items():
            known = self.known.get(place := ".".join(pair))
            # Since a cell wrote it, it was changed between cells, and nobody saw by what.
            if known is not None and (held is None or known.print.digest != held.digest):
                digest = held.digest if held else ""
                self.known[place] = _known_state(f"{LOST}{digest}", UNSEEN, None, digest)
        # What is set in a module by a text, as `patch("math.pi", 3)` does, shows there.
        texts = {text.rpartition(".")[0] for text in mentions.names if "." in text}
        imports = mentions.modules | use.open | (texts & sys.modules.keys())
        return Moment(
            dict(self.known), generators, now, data, libraries_of(values),
            _spaces(reached, imports) if reached or imports else {}, use.suspect,
        )  # fmt: skip

    def end_code(
        self, before: Moment, mentions: Mentions, called: CalledCode, code: str,
        names: Mapping[str, Any], values: list[object], bound: list[object], imported: list[object],
        early: Early | None, before_setting: Callable[[Collection[str]], Early], by: int,
    ) -> Traces:  # fmt: skip
        """The code of `by` ran: it had `values` from before, used those that it has `bound`, and
        has `imported` others; `early` is what it did before it set something, `before_setting` what
        it did before it set one of these attributes."""
        found = Traces()
        use, reached = self._use(mentions, called, names, values + bound)
        words = {*mentions.words, *called.words, *use.words}
        chains = (mentions.attributes - mentions.renamed) | called.attributes
        pairs, renamed = (
            {*_resolved_pairs(each, names)}
            for each in (chains, mentions.renamed - called.attributes)
        )
        # To take data that a library has gives the same, whatever is in them.
        library_data = {*filter(_is_library_data, {*pairs, *renamed})}
        pairs |= renamed - library_data
        for each in reached:
            pairs |= each.pairs(self.known)
        named = {*pairs}
        pairs |= use.attributes
        if use.modules:
            all_names = mentions.names | called.spoken | use.names
            pairs |= reached_modules((), use.modules, (), all_names, self.known).pairs(self.known)
        # With the names of modules, however they were imported: `gc.disable`.
        chains = mentions.attributes | mentions.assigned | called.attributes | called.assigned
        ends = [user_modules.resolve_chain(names, *each) for each in chains]
        ends += (user_modules.resolve_chain(sys.modules, *each) for each in mentions.imported)
        words.update(".".join(end) for end in (*ends, *pairs) if end is not None)
        # By identity: a metaclass may have an `==` of its own.
        kinds = {id(FunctionType), id(BuiltinFunctionType)}
        functions: Iterable[Any] = (v for v in values + bound if id(type(v)) in kinds)
        words.update(f"{v.__module__}.{v.__name__}".removeprefix("_") for v in functions)
        seeds = mentions.seeds or called.seeds or use.seeds
        if seeds:
            # A seed that was set already changes nothing; the text says which one it is.
            again = {f"the state of {module}" for module, name in pairs if is_seeding(name)}
            self._changed.setdefault(code, set()).update(again.intersection(_GENERATORS))
        self._generators(before, mentions.draws, TAKES_STATE in words, seeds, code, found)
        self._data(before, use, code, found)
        taken = {*_resolved_pairs(mentions.imported, sys.modules)}
        library_data.update(filter(_is_library_data, taken))
        library_data.discard(("os", "environ"))  # of which each variable counts
        places = {".".join(pair): user_modules.value_of(pair) for pair in library_data}
        self._library_data |= {id(value): (place, value) for place, value in places.items()}
        used = mentions.loaded - mentions.only_filled
        taken -= {pair for pair in taken & library_data if pair[1] not in used}
        pairs |= {
            p
            for p in taken
            if p[1] in mentions.loaded or user_modules.is_data(user_modules.value_of(p))
        }
        # To put something into it under a name reads nothing of it.
        filled = {id(names.get(name)) for name in mentions.only_filled}
        read = self._library_data.keys() & {*map(id, values)} - filled
        found.reads.update(self._library_data[each][0] for each in read)
        found.reads.update(_library_reads(pairs, values + bound))
        # To import a class gives the same, whatever was set on it.
        named.update(pair for pair in taken if not _is_class(pair))
        found.reads |= {".".join(pair) for pair in pairs | named} & before.known.keys()
        found.reads |= {".".join(pair) for pair in named if _may_be_set(pair)}
        in_modules = (
            p
            for p in mentions.assigned | called.assigned
            if not any(attribute for _, attribute in attributes_named([p], names))
        )
        assigned = {*_resolved_pairs(in_modules, names), *use.assigned}
        if before.spaces:
            assigned.update(self._bound_in_modules(before.spaces, code, RELOADS in mentions.words))
        if mentions.stores or called.stores:
            handed = {p for each in reached for p in each.pairs(self.known) if p[0] in each.whole}
            found.possible.update(map(".".join, handed))
        for pair in assigned:
            found.data[".".join(pair)] = user_modules.content(pair)
        objects = {name: module for each in reached for name, module in each.all.items()}
        has = [*values, *bound, *objects.values(), *use.library_values]
        has += [sys.modules[module] for module, _ in pairs]
        libraries = before.libraries | libraries_of(has)
        spoken = mentions.names | called.spoken | use.names
        self._library_classes(mentions, called, names, libraries, spoken, before_setting, found)
        settings = use.sets.union(*(user_modules.settings_of(each, names) for each in called.code))
        found.settings = {what for m, what in settings if not m or m in spoken | called.methods}
        self._classes.meet(values + bound + imported)
        caches = [*called.result_caches, *use.caches]
        found.caches = caches
        found.reads.update(map(place_of, caches))
        # `os.environ` counts as a setting, of which only the variables that are others are
        # compared.
        if found.data.pop(ENVIRONMENT, None) is not None:
            words.add(SETS_ENVIRONMENT)
        first = process_settings.setting({*called.words, *use.words} - mentions.words)
        if early is not None:
            first |= process_settings.settings_used(early.words, early.libraries_used(names))
        if "logging" in libraries:
            spoken |= process_settings.names_of(values + bound)
        self._settings(before, words, code, libraries, first, spoken, by, found)
        # A reload binds all names of the module anew, also those that no code says.
        if RELOADS in mentions.words:
            modules = user_modules.sources(values + bound)
            for place in self.known:
                module, _, name = place.rpartition(".")
                if module in modules:
                    found.data.setdefault(place, user_modules.content((module, name)))
        loads = {name for name, _ in taken} | objects.keys() | called.imports
        own = [sys.modules[name] for name in loads if user_modules.is_own(name)]
        self._sources([*values, *bound, *imported, *own], found)
        return found

    def end_caches(
        self, mentions: Mentions, called: CalledCode, changed: Mapping[str, object],
        bound: Iterable[object], found: Traces,
    ) -> None:  # fmt: skip
        """Add what became of the results that functions keep, and of data under other names of own
        modules: code that `changed` these values, and has `bound` those, ended."""
        objects = [*changed.values(), *(found.objects().values() if found.data else ())]
        for pair in user_modules.holders(objects, self.modules) if self.modules else ():
            found.data.setdefault(".".join(pair), user_modules.content(pair))
        for each in self._library_data.keys() & {*map(id, changed.values())}:
            place, value = self._library_data[each]
            found.data.setdefault(place, fingerprint(value))
        new = [cache for value in bound for cache in full_reach(value).caches]
        # What they hold comes back in no kernel.
        filled = (cache for cache in (*found.caches, *new) if cache.cache_info().currsize)
        found.settings.update(map(place_of, filled))
        fresh = self._caches.meet(new) & self.known.keys()
        found.data |= dict.fromkeys(fresh)
        if not (mentions.stores or called.stores or changed or found.caches):
            return
        writers = called.cache_writers
        found.data |= self._caches.changes(
            found.caches, mentions.stores_in_results, writers, changed
        )

    def end_inner_code(self, outer: Moment) -> None:
        """Code has ended that ran within other code: what it did is not of that."""
        outer.settings, outer.generators = self._last, generator_states()
        outer.data = {pair: user_modules.content(pair) for pair in outer.data}

    def version(self, place: str) -> str:
        """What is there now. Asked while code runs, it takes nothing that this did for a state
        from before it."""
        if place.startswith(CODE_OF):
            return user_modules.source_version(place.removeprefix(CODE_OF))
        if place not in self.known:
            return ABSENT
        self._see(generator_states())
        now = process_settings.states(self._last).get(place)
        if now is not None and now != self._last.get(place, now):
            self.known[place] = _known_state(f"{LOST}{place}", UNSEEN, None, "")
        return self.known[place].version

    def is_set(self, place: str, version: str) -> bool:
        """Whether a setting is now what this version says of it, whoever set it."""
        state = process_settings.states(self._last).get(place)
        return state is not None and version == f"#{_digest(b'', state)}"

    def write(
        self, traces: Traces, by: int, session: object, derived: bool,
        version: Callable[[str, str], str],
    ) -> dict[str, str]:  # fmt: skip
        """Note what code left, and give each place the version of that. `version` makes one of
        what it did, where the content alone is none."""
        found: dict[str, KnownValue] = {}
        for place, state in traces.states.items():
            found[place] = _known_state(state and f"#{state}", by, session, state)
        for place, held in traces.data.items():
            if held is None:
                found[place] = _known_state(ABSENT, by, session, "")
                continue
            whole = f"@{held.digest}" if held.complete else version(place, held.digest)
            found[place] = KnownValue(whole, by, session, 0, held)
        for known in found.values():
            if derived and known.version != ABSENT:
                known.version = LOST + known.version
        self.known |= found
        for place in [name for name, known in found.items() if known.version == ABSENT]:
            del self.known[place]
        return {place: known.version for place, known in sorted(found.items())}

    def values(self) -> dict[str, object]:
        """What is in the modules in which code has set something, by place."""
        pairs = {place: place.rpartition(".") for place in self.known}
        return {
            place: user_modules.value_of((module, name))
            for place, (module, _, name) in pairs.items()
            if module
        }

    # one kind after the other

    def _bound_in_modules(
        self, before: Mapping[str, Mapping[str, Any]], code: str, reloads: bool
    ) -> Iterator[Pair]:
        """What was bound in these modules, and what this code has bound there once."""
        changed = self._changed.setdefault(code, set())
        for name, was in before.items():
            now = vars(sys.modules[name]) if name in sys.modules else {}
            # What an import adds to a module of a library is there whoever asks for it.
            for key in {*was, *now} if user_modules.is_own(name) else was:
                place = f"{name}.{key}"
                if now.get(key, ABSENT) is was.get(key, ABSENT) or key[:1] == "_":
                    continue
                # A reload defines functions and classes anew, of which the code counts.
                is_loaded = reloads and place not in self.known
                if not (is_loaded and user_modules.is_at_home((name, key))):
                    changed.add(place)
        bound = (place for place in {*changed} if whole(place) not in SETTINGS)
        for module, _, key in (place.rpartition(".") for place in bound):
            if module in before:
                yield module, key

    def _use(
        self, mentions: Mentions, called: CalledCode, names: Mapping[str, Any], values: list[object]
    ) -> tuple[user_modules.Use, list[ReachedModules]]:
        """What the code may do in own modules, and the modules that it has as objects, if any."""
        modules = [value for value in values if type(value) is ModuleType]
        ids = {*map(id, modules)}
        known = (names.get(name) for name in (mentions.bare | called.bare if ids else ()))
        alone = [value for value in known if id(value) in ids]
        if RELOADS in mentions.words:  # that takes a module as an object, too
            alone, modules = [], []
        imports, spoken = mentions.reaches | called.reaches, mentions.names | called.spoken
        if spoken & LOADERS:  # the name of what is loaded may be under one
            texts = (names.get(name) for name in mentions.loaded | called.bare)
            spoken = spoken.union(text for text in texts if type(text) is str)
        reached: list[ReachedModules] = []
        if alone or called.modules or imports or spoken & LOADERS:
            reached += [reached_modules(alone, called.modules, imports, spoken, self.known)]
        pairs = {*_resolved_pairs(mentions.attributes | called.attributes, names)}
        for each in reached:
            pairs |= {pair for pair in each.pairs(()) if user_modules.is_own(pair[0])}
        taken = {*_resolved_pairs(mentions.imported, sys.modules)}
        stars = [(name, sys.modules.get(name)) for name in mentions.stars]
        taken |= {(name, n) for name, module in stars for n in user_modules.public_names(module)}
        ends = {
            pair: user_modules.value_given(pair)
            for pair in pairs | taken
            if user_modules.is_own(pair[0])
        }
        # to import a function is not to call it
        calls = [v for pair, v in ends.items() if pair in pairs or pair[1] in mentions.loaded]
        assigned = _resolved_pairs(mentions.assigned | called.assigned, names)
        used = {None, *(module for module, _ in (*pairs, *assigned))}
        whole = [module for module in modules if module.__dict__.get("__name__") not in used]
        whole += (module for each in reached for module in each.whole.values())
        use = user_modules.use_of([*values, *calls], whole)
        use.reads.update(pair for pair, value in ends.items() if user_modules.is_data(value))
        return use, reached

    def _generators(
        self, before: Moment, draws_first: bool, takes_state: bool, seeds: bool, code: str,
        found: Traces,
    ) -> None:  # fmt: skip
        """Which generator it seeds shows by the one that is another then, or was once. Of a state
        that is only looked at it is not known whose it is."""
        for place, state in generator_states().items():
            is_new = state != before.generators.get(place)
            if seeds and is_new:
                self._changed.setdefault(code, set()).add(place)
            if draws_first or takes_state or (is_new and not seeds):
                found.reads.add(place)
            again = seeds and place in self._changed.get(code, ())
            if (seeds and is_new) or (place in before.known and (is_new or again)):
                found.states[place] = state

    def _settings(
        self, before: Moment, words: set[str], code: str, libraries: set[str],
        used_first: set[str], spoken: Collection[str], by: int, found: Traces,
    ) -> None:  # fmt: skip
        """`used_first` are settings that it may have used before it set them, `spoken` the names
        in the code."""
        sets, changed = process_settings.setting(words), self._changed.setdefault(code, set())
        sets -= {p for p in sets - changed if not SETTINGS[p].restores.isdisjoint(words)}
        was, now = before.settings, process_settings.states(self._last, words)
        loaded = set(map(whole, was)) if was.keys() != now.keys() else set(map(whole, now))
        known = {place for place in before.known if whole(place) in SETTINGS}
        named = {p for p in now.keys() | known if whole(p) in sets and is_named(p, spoken)}
        some = set(map(whole, named))  # the others it sets as a whole, as `seterr(**before)`
        for place in {p for p in now.keys() | was.keys() if now.get(p) != was.get(p)} | known:
            state = now.get(place)
            if whole(place) not in loaded:  # its library was loaded now: what it was, nobody saw
                may_set = whole(place) in sets and (place in named or whole(place) not in some)
                self._first.setdefault(place, None if may_set else state)
            first = self._first.get(place)
            is_new = state != (was.get(place) if whole(place) in loaded else first)
            if is_new:
                changed.add(place)
            perhaps = place in known and whole(place) in sets
            perhaps = perhaps and (OF in place and whole(place) not in some)
            sure = place in known and (
                place in changed or place in named or (OF not in place and place in sets)
            )
            if is_new or sure or perhaps:
                found.states[place] = ABSENT if state == first else _digest(b"", state)
                # What adds, and leaves it as it was, has seen to it that it does so once.
                adds = is_new and not SETTINGS[whole(place)].adds.isdisjoint(words)
                if adds or whole(place) in used_first or (perhaps and not (is_new or sure)):
                    found.reads.add(place)
        self._last = now
        # what it sets first is not read, but for a directory: that may be one in that where it was
        again = process_settings.setting(words - LOOKS.keys())
        mine = {p for p in known if whole(p) in again and before.known[p].by == by} | changed
        mine = {p for p in mine if p != DIRECTORY and whole(p) not in used_first}
        mine -= mine if TAKES_SETTINGS in words else set()
        used = process_settings.settings_used(words, libraries)
        names = found.reads & SETTINGS.keys()  # by its name, as `os.environ`: whenever that was
        found.reads |= {place for place in known if whole(place) in names}
        found.reads |= (used | {place for place in known if whole(place) in used}) - mine

    def _library_classes(
        self, mentions: Mentions, called: CalledCode, names: Mapping[str, Any], libraries: set[str],
        spoken: Collection[str], before_setting: Callable[[Collection[str]], Early], found: Traces,
    ) -> None:  # fmt: skip
        """`spoken` are the names in the code."""
        used = attributes_named(mentions.attributes | called.attributes, names)
        named = attributes_named(mentions.assigned | called.assigned, names)
        set_now = self._classes.changes([*named, *filter(registers, used)], spoken)
        found.data |= set_now
        reads = self._classes.used(libraries, spoken)
        if mine := reads & set_now.keys():
            early = before_setting(self._classes.attributes(mine))
            reads -= mine - self._classes.used(early.libraries_used(names), early.spoken)
        found.reads |= reads

    def _data(self, before: Moment, use: user_modules.Use, code: str, found: Traces) -> None:
        named, again = use.reads | use.changes, self._changed.get(code, set())
        found.reads.update(".".join(pair) for pair in named)
        for pair in use.data() | before.data.keys():
            place, held = ".".join(pair), user_modules.content(pair)
            was = before.data.get(pair, held)
            is_new = (was and was.digest) != (held and held.digest)
            # What it has bound there once, and leaves as it is, is its own.
            is_own = pair not in named and place in again and not is_new
            if pair in use.perhaps and not is_own:
                found.reads.add(place)
            if is_new:
                self._changed.setdefault(code, set()).add(place)
            sure = pair in before.data and held is not None and held.complete
            changes = pair in use.changes and not sure
            if is_new or changes or pair in use.writes or place in again:
                found.data[place] = held
                if pair not in use.writes and not is_own:
                    found.reads.add(place)
            elif pair in use.changes:
                found.possible.add(place)
        set_there = (place for place in before.known if place.rpartition(".")[0] in use.open)
        found.reads.update(place for place in set_there if place not in again)

    def _sources(self, values: list[object], found: Traces) -> None:
        sources = user_modules.sources(values)
        self.modules.update(sources)
        found.sources |= {CODE_OF + name: version for name, version in sources.items()}
        for value in values:
            owner = user_modules.owner(value)
            if owner is not None and not user_modules.is_current(value):
                found.lost.add(CODE_OF + owner)

    def reloaded(self) -> dict[str, str]:
        """The code of own modules that were loaded anew since a cell read it last."""
        loaded = user_modules.reloaded(self.modules)
        return {CODE_OF + name: version for name, version in loaded.items()}

    def _see(self, states: Mapping[str, str]) -> None:
        """A generator that is followed and stands elsewhere was drawn from, nobody saw by what."""
        for place, state in states.items():
            known = self.known.get(place)
            if known is not None and known.print.digest != state:
                self.known[place] = _known_state(f"{LOST}{state}", UNSEEN, None, state)

    def _see_settings(self, states: dict[str, Any]) -> None:
        """One that a cell has set and that is another now was changed, nobody saw by what; what
        no cell has set is as it was at first."""
        if states == self._last:
            return
        for place in states.keys() | self._last.keys():
            state = states.get(place)
            if place in self.known and state != self._last.get(place):
                self.known[place] = _known_state(f"{LOST}{place}", UNSEEN, None, "")
            elif place not in self.known and state != self._last.get(place):
                self._first[place] = state
        self._last = states


def _spaces(reached: Iterable[ReachedModules], imports: Iterable[str]) -> dict[str, dict[str, Any]]:
    """What is in modules that code has as objects, and in those that it imports."""
    found = {name: sys.modules[name] for name in imports if name in sys.modules}
    found |= {name: module for each in reached for name, module in each.all.items()}
    modules = {name: module for name, module in found.items() if type(module) is ModuleType}
    return {name: dict(vars(modules[name])) for name in modules.keys() - _LEFT_OUT}


def _may_be_set(pair: Pair) -> bool:
    """Whether it is what a notebook may replace by its own: data, and functions but for those of
    libraries that give the same from the same, unlike a clock, a download."""
    value = user_modules.value_of(pair)
    if pair[0] == _BUILTINS or issubclass(type(value), type) or not callable(value):
        return pair[0] != _BUILTINS and user_modules.is_data(value)
    return pair[1] not in SEEN_FUNCTIONS or user_modules.is_own(pair[0])


def _is_class(pair: Pair) -> bool:
    value = user_modules.value_of(pair)
    return issubclass(type(value), type) and find_imported(module_of(value), pair[1]) is value


def places_set(mentions: Mentions, called: CalledCode) -> set[str]:
    """The settings and generators that code with these mentions sets."""
    seeds = mentions.seeds or called.seeds
    return process_settings.setting(mentions.words | called.words).union(
        _GENERATORS if seeds else ()
    )


def generator_states() -> dict[str, str]:
    """By place, a digest of the state of each random generator that the process shares."""
    states = {}
    module = sys.modules.get("random")
    if module is not None:
        version, numbers, spare = module.getstate()
        # `spare` is what `gauss` keeps for its next call: it makes two numbers at a time.
        states[_GENERATORS[0]] = _digest(array("Q", numbers).tobytes(), version, spare)
    module = sys.modules.get("numpy.random")
    if module is not None:
        # The tuple of old is for the Mersenne Twister alone, and warns of any other generator.
        state = module.get_state(legacy=False)
        key = state["state"].get("key")
        rest = [value for name, value in state["state"].items() if name != "key"]
        data = b"" if key is None else key.tobytes()
        spare = state.get("has_gauss"), state.get("gauss")
        states[_GENERATORS[1]] = _digest(data, rest, *spare)
    state_of = getattr(sys.modules.get("torch"), "get_rng_state", None)
    if state_of is not None:
        states[_GENERATORS[2]] = _digest(bytes(state_of().tolist()))
    return states


def _resolved_pairs(pairs: Iterable[Pair], space: Mapping[str, Any]) -> Iterator[Pair]:
    """The attributes of modules that these pairs of a name and what is written after it mean."""
    for root, chain in pairs:
        found = user_modules.resolve_chain(space, root, chain)
        if found is not None and found[0] not in _LEFT_OUT:
            yield found


def _library_reads(pairs: Iterable[Pair], values: Iterable[object]) -> Iterator[str]:
    """What code reads in modules of libraries: by the attributes that it names, and by functions of
    theirs that it has."""
    for module, attribute in pairs:
        if user_modules.is_own(module):
            continue
        yield from _read_by(module, attribute)
        if _is_library_data((module, attribute)):
            yield f"{module}.{attribute}"
    for value in values:
        kind = type(value)
        if kind is FunctionType or kind is BuiltinFunctionType:
            yield from _read_by(str(value.__module__), str(value.__name__))  # type: ignore[attr-defined]
        elif issubclass(kind, type):
            yield from _read_by(module_of(value), local_name(value))  # type: ignore[arg-type]
        elif value is os.environ:
            yield ENVIRONMENT


def _is_library_data(pair: Pair) -> bool:
    """Whether it stands in a module of a library, and may be changed."""
    value = user_modules.value_of(pair)
    is_constant = issubclass(type(value), _CONSTANTS) or pair[0] == _BUILTINS
    return not is_constant and user_modules.is_data(value) and not user_modules.is_own(pair[0])


def _read_by(module: str, name: str) -> Iterator[str]:
    """What a function of a library reads: who starts a process hands it the environment."""
    is_os = module in ("os", "posix", "nt")
    if is_os and name in ("getenv", "putenv"):
        yield ENVIRONMENT
    elif is_os and f"os.{name}".startswith(ENVIRONMENT + OF):
        yield f"os.{name}"
    elif module == "subprocess" or (is_os and name.startswith(_PROCESSES)):
        yield ENVIRONMENT
        yield DIRECTORY


def _known_state(version: str, by: int, session: object, state: str) -> KnownValue:
    return KnownValue(version, by, session, 0, Fingerprint(state, True, True))


def _digest(data: bytes, *rest: object) -> str:
    return blake2b(data + repr(rest).encode(), digest_size=6).hexdigest()
