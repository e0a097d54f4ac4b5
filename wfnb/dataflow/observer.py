"""a namespace and the code that runs in it -> what that code read and wrote, by version.

    begin(code) -> the code runs -> end(...) -> Flow

Before code runs, its text says which names it may read, and functions of the notebook that it may
call say which they use (`code`, `compiled`); what these hold is looked at (`fingerprint`). When it
has ended, the names that it binds have new versions, and so has every name whose object is not what
it was: the code shows that it changes it, or its content differs. A change reaches names that share
the object.

The version of a name is

* `=numpy.mean` for what a library gives, wherever it was imported;
* `#…`, the content, for a value that cannot be changed; `@…`, the content with that of the names
  that share objects with it, for data that was looked at whole; `%…`, its code, for a function;
* else a hash of the code, of the versions that the code read, and of the content as far as it was
  looked at, which stands behind it. So code that draws at random, or reads a file that changed,
  gives another version too. What was not looked at whole proves nothing where the code calls what
  is not seen: then it is read as a whole, or has a version that is like nothing else;
* `!…` where a plain cell made it out of what steps wrote, where it was changed and nobody saw by
  what, and, for a step that reads it, where it is not what plain cells give, run from the top: no
  line gives it, and whoever reads it is stale.

What code changes beside names (`places`) is read and written like a name: generators, settings,
what functions with a cache keep, what is set on classes of libraries. Code that reads names which
its text does not show (`eval`) may have read any that are there.

What may have been changed and cannot be looked at counts as changed. The text does not show which
object it changes where a function returned it, a method is bound to it, or a context gave it: half
of eighty ways to a large list. So where code changes any object, every name that it reads is read
closely before and after, and one that holds more than is read then (`cut`) is changed.

What cannot be observed: objects behind names that were never read together with them, content
beyond what a fingerprint looks at when code that is not the notebook's changes it, and files. There
`--reads` and `--writes` say it.
"""

from __future__ import annotations

import builtins
import re
import sys
from collections import deque
from collections.abc import (
    Callable,
    Collection,
    Container,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    Set,
)
from dataclasses import dataclass, field
from functools import cache, partial
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path
from time import perf_counter
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any
from uuid import uuid4

from wfnb.core.data_flow import (
    ABSENT,
    CODE,
    DATA,
    DERIVED,
    INDEX_OF,
    LEFT,
    LIBRARY,
    LOOKED_AT,
    LOST,
    OLD,
    PLAIN,
    UNSEEN,
    WHOLE,
    Flow,
    Made,
    Read,
    Runs,
    Writer,
)

from .broken_aliases import Renewals
from .bytecode_effects import CACHE, Uses, codes, full_reach, may_store, reach, uses_of
from .fingerprint import (
    Fingerprint,
    Sharing,
    fingerprint,
    hides,
    is_iterator,
    names_of_no_module,
    namespace,
    origin,
)
from .fingerprint.introspection import mro
from .known_functions import LOOKUPS, OPAQUE_NAMES
from .library_patches import before_attributes, libraries_of
from .magic_parser import SHOWN
from .module_attribute_mentions import TAKES_NAMES
from .plain_cells import PlainCells, PlainRun
from .process_settings import USES_FILES
from .source_effects import Code, analyze, names_handed
from .state_outside_names import (
    CalledCode,
    Early,
    KnownValue,
    Moment,
    Places,
    Traces,
    places_set,
)
from .user_modules import chain_start, public_names

_SHELL = re.compile(r"_+|_i*\d*|_[iod]h|In|Out")
"""Names in which IPython keeps what was typed and shown: another value after each cell."""
_WORD = re.compile(r"[^\W\d]\w*")
_OPAQUE = {id(vars(builtins)[name]): name for name in OPAQUE_NAMES}
"""Under whatever name a cell has them."""
_CODE = FunctionType, type, ModuleType, BuiltinFunctionType, CACHE
_CODE_KINDS = frozenset(map(id, _CODE))
_OURS = "run_workflow", "wfnb"
"""Magics of ours whose code may bind names."""
_BLIND = {"star import", "syntax"}
"""What cannot be seen, and reads no names."""
_MANY = 400
"""Names that are searched for one that shares an object."""
_SHARES_NOTHING = (LIBRARY, CODE)
"""How the versions begin of what libraries give, and of functions that hold nothing."""
_HOLDS_NO_CODE = (LIBRARY, DATA, WHOLE)
"""How the versions begin of what runs no code of the notebook."""
_RUNS_AS_READ = frozenset(
    f"__{name}__" for name in ("getattr", "getattribute", "getitem", "iter", "next", "len", "repr")
)
"""Methods that Python calls itself where nothing is changed, as it seems."""
_BEHIND = 20
"""Names that an object may hold which hides what it holds."""
_READING, _SHARE = 0.02, 0.1
"""Seconds, and the part of what code took, that go into reading what it left as a whole."""
_OBJECTS, _BYTES = 2_000_000, 1_000_000_000
"""Those that are read in a second."""
_JOINED = 1 << 48
"""Above the keys of steps: who made an object is a step, and those whose objects it took."""
_NEAR = 100
"""Of those, how many are compared with an object that may be made anew."""


@dataclass(slots=True, eq=False)
class ReachableCode(CalledCode):
    """What functions and classes of the notebook do that code may call."""

    suspect: bool = False
    """Whether code besides them changes what it is called with."""
    changers: set[Uses] = field(default_factory=set)
    """Those of them that change what they are called with."""
    holders: set[str] = field(default_factory=set)
    """Names of those that change what they hold."""
    opaque: set[str] = field(default_factory=set)
    """What they read that cannot be seen."""
    caches: set[str] = field(default_factory=set)
    """Names of those that keep results which rest on other names."""
    runs: dict[str, Runs] = field(default_factory=dict)
    """What each of them may do, by name."""
    names: set[str] = field(default_factory=set)
    """All global names in them."""
    cached_properties: set[str] = field(default_factory=set)
    """Names of the properties that their object keeps."""


Holders = dict[str, tuple[KnownValue, dict[str, int]]]
"""What was known of the objects of names, and which other names share them, with the identities of
what these hold."""
Shared = tuple[Holders, Holders]
"""Who shares an object, and who has an index of pandas in common."""


@dataclass(slots=True, eq=False)
class Segment:
    """Code that runs: a step's, or that of a plain cell."""

    text: str
    code: Code
    session: object
    """The session in use as it began."""
    reads: dict[str, Read]
    """What the names held that it reads, by version."""
    absent: tuple[str, ...]
    """Names that it asks for and that are not there."""
    binds: frozenset[str]
    """Names that it may bind."""
    changes: frozenset[str]
    """Names whose objects it changes."""
    passes: frozenset[str]
    """Names whose objects it hands to other code."""
    reached: ReachableCode
    """What it may call."""
    unseen: frozenset[str]
    """What in it cannot be seen."""
    before: dict[str, Fingerprint]
    """What the names held that it reads."""
    makers: dict[str, Writer]
    """Who had bound these names to their objects."""
    closely: dict[str, Fingerprint]
    """The same of what is large, where the code changes objects of which it does not show whose
    they are."""
    methods: dict[str, frozenset[CodeType]]
    """The code of classes."""
    holds: dict[str, int]
    """The identities of the objects of `binds`, before."""
    holders: Shared
    ids: dict[str, int] | None
    """The identities of what all names held, where it cannot be seen which it binds."""
    in_texts: frozenset[str]
    """Names that its texts say."""
    perhaps: dict[str, Read]
    """All that it may have read besides."""
    moment: Moment
    """What no name held before."""
    early: Early | None
    """What it does before it sets a setting."""
    written: frozenset[str]
    """What a person said that it changes."""
    guarded: dict[str, Read]
    """Those that it makes where they are not there, and that are there."""
    cell: str | None
    """The id of its cell, if it has one."""
    left: set[str] = field(default_factory=set)
    """Names that plain cells wrote and would not give so, run from the top."""
    plain: dict[str, str] = field(default_factory=dict)
    """What plain cells give after it, of the names that it concerns."""
    calls_unseen: bool = False
    since: float = field(default_factory=perf_counter)
    """When it began."""
    took: float = 0.0
    """How many seconds it ran."""


class Observer:
    """The names of one kernel. `session` says which session is in use now: names that another one's
    steps wrote are to this one's as those of plain cells. `existing_cells` gives the ids of
    the cells that the notebooks have, None where nobody knows; `names_sharing` gives the names that
    shared an object with these in any attempt of the session. `modules` are the user's own modules
    whose code was read. Of the cell

        y = f(x)        # x = [1], made by step 1
        x.append(2)
        z = 3

    as step 2, `begin` notes that `x` and `f` are read, and the fingerprint of `x`. `end` gives

        Flow(reads={"x": ("@7c…", 1), "f": ("%b2…", 0)},          0: of a plain cell
             writes={"x": "@e1…", "y": "90…~4a…", "z": "#3f…"})

    Neither `_linked` nor `_given_whole` is ever emptied: both say what was so at some time in this
    kernel, and a name may be deleted and come back."""

    def __init__(
        self,
        names: MutableMapping[str, Any],
        session: Callable[[], object] = lambda: None,
        hidden: Mapping[str, Any] | None = None,
        existing_cells: Callable[[], Container[str] | None] = lambda: None,
        names_sharing: Callable[[Iterable[str]], set[str]] = set,
    ) -> None:
        self._names = names
        self._session = session
        self._existing_cells = existing_cells
        self._names_sharing = names_sharing
        self._hidden = hidden or {}
        self._running: list[Segment] = []
        self._known: dict[str, KnownValue] = {}
        self._places = Places()
        self.modules = self._places.modules
        self._deleted: dict[str, int] = {}  # names, and who deleted them
        # By name, the groups of names that were written out of it or that it was written out of.
        self._linked: dict[str, set[tuple[str, ...]]] = {}
        self._makers: dict[str, str] = {}  # by name, the code that bound it last
        self._plain = PlainCells()
        self._renewals = Renewals(self._known)
        self._index_renewals = Renewals(self._known)
        self._bound_first: dict[str, frozenset[str]] = {}  # by a hash of code and inputs
        self._bound_unseen: dict[str, set[str]] = {}  # by code that cannot be seen
        # Inputs, name, content: what code has left there when it was sure that no other name
        # shares it. Where that is not sure later, the same is taken to be so again.
        self._given_whole: set[tuple[str, str, str]] = set()

    def begin(
        self,
        code: str,
        reads: Iterable[str] = (),
        writes: Iterable[str] = (),
        cell: str | None = None,
        reads_are_all: bool = False,
    ) -> Segment:
        """Code of a cell (its id, if it has one) is about to run. `reads` are names that are read
        when it has ended, or of which a person says that it reads them; `writes` those of which he
        says that it changes them; `reads_are_all`: code that cannot be seen reads no others."""
        seen, names_read, binds, changes, reached = self._analyze(code, {*reads}, {*writes})
        reached.suspect |= any(one.mutated_parameters for one in seen.functions.values())
        # A cached property writes into its object when it is read first.
        reached.suspect |= not reached.cached_properties.isdisjoint(
            seen.mentions.names | reached.spoken
        )
        # What an object is after a change in place depends on what it was.
        names_read |= changes - seen.writes
        # What is in a module is read and written at places.
        changes -= {n for n in changes if type(self._names.get(n)) is ModuleType}
        # IPython's transform has written the name of a magic as a text.
        ours = {magic for magic in _OURS if f"'{magic}'" in SHOWN.sub("", code)}
        unseen = seen.opaque | ours | reached.opaque
        there = names_read & self._names.keys()
        if TAKES_NAMES in seen.mentions.words | reached.words or any(map(self._has_names, there)):
            unseen |= {"__main__"}
        unseen |= {_OPAQUE[id(v)] for n in there if id(v := self._names[n]) in _OPAQUE}
        blind = _BLIND | {"magic run"} if seen.mentions.begins_with_stars else _BLIND
        may_read_any = unseen - blind and not reads_are_all
        in_texts: set[str] = set()
        if may_read_any:  # `eval` reads a name that a text says, unless the same code has bound it
            words = {*_WORD.findall(" ".join(seen.mentions.names | reached.spoken))}
            words -= names_read | binds | seen.writes | self._bound_unseen.get(seen.normal, set())
            in_texts = words & self._known.keys() & self._names.keys()
            names_read |= in_texts
        logger: Any = getattr(sys.modules.get("logging"), "Logger", ())
        session = self._session()
        found, before, makers = self._read_names(names_read, session)
        absent = names_read - self._names.keys()
        binds |= seen.writes | seen.deletes
        # What it makes where it is not there, it has, unless other code made it (`guarded`).
        looked_up, guarded = seen.mentions.looked_up - binds, seen.mentions.looked_up & binds
        made = binds
        if unseen or seen.mentions.scripts or seen.mentions.stars:  # what it bound the last time
            made = binds | {n for n, maker in self._makers.items() if maker == seen.normal}
        others = self._others(found, session, makers) if may_read_any else {}
        segment = Segment(
            text=code,
            code=seen,
            session=session,
            reads=found,
            absent=tuple(sorted(absent | (looked_up - self._names.keys()))),
            binds=frozenset(binds),
            changes=frozenset(changes),
            # Of frames `info` changes nothing, and a logger writes it into what its handlers have.
            passes=seen.passes.union(n for n in there if issubclass(type(self._names[n]), logger)),
            reached=reached,
            unseen=frozenset(unseen),
            before=before,
            makers=makers,
            methods={
                name: self._methods(name)
                for name in before
                if issubclass(type(self._names[name]), type)
            },
            closely=self._read_closely(before, seen, reached),
            holds={name: id(self._names[name]) for name in binds if name in self._names},
            holders=self.holders(sorted(made)) if made else ({}, {}),
            ids=self._ids() if unseen else None,
            in_texts=frozenset(in_texts),
            perhaps=others,
            moment=self._places.begin_code(
                seen.mentions, reached, self._names, [self._names[name] for name in found]
            ),
            early=self._before_setting(text) if (text := seen.mentions.before_setting) else None,
            written=frozenset(writes),
            guarded=self._read_names({*guarded}, session)[0] if guarded else {},
            cell=cell,
        )
        segment.left.update(filter(self._is_left, [*segment.reads, *segment.perhaps]))
        reached.suspect = reached.suspect or segment.moment.suspect
        self._running.append(segment)
        return segment

    def _read_names(
        self, names: set[str], session: object
    ) -> tuple[dict[str, Read], dict[str, Fingerprint], dict[str, Writer]]:
        """What those of the names give that are there; and what is held by those whose objects may
        be changed, which are looked at again when the code has ended; and who bound them to it."""
        found: dict[str, Read] = {}
        before: dict[str, Fingerprint] = {}
        makers: dict[str, Writer] = {}
        for name in sorted(names & self._names.keys()):
            if _SHELL.fullmatch(name):
                # What was shown last depends on the order of runs: no line gives it.
                found[name] = (LOST, UNSEEN)
            elif not self._is_hidden(name):
                known = self._look(name)
                found[name] = known.read(session)
                if not known.print.atomic and not known.version.startswith(LIBRARY):
                    before[name] = known.print
                    makers[name] = known.maker or known.by if known.session == session else PLAIN
        if self._renewals.pairs:  # an old object is right on its own, and wrong beside the new one
            for name in self._renewals.old_among(names, self._holding) & found.keys():
                found[name] = (LOST + found[name][0], OLD)
        return found, before, makers

    def _makers_of(self, names: Iterable[str], session: object) -> dict[str, Writer]:
        """Who bound the names to the objects that they hold, as a session sees that, of those that
        can be changed."""
        known = self._known
        return {
            name: (one.maker or one.by) if one.session == session else PLAIN
            for name in names
            if (one := known.get(name)) is not None and not one.print.atomic
        }

    def _holding(self, name: str, others: set[str]) -> set[str]:
        """Those of the others that share the object which the name holds, or hold an instance of
        it."""
        near = {*sorted(self._changeable(others))[:_NEAR]}
        if name not in self._names or not near:
            return set()
        values = Sharing(self._names, {name, *near}, 1024)
        return (values.of(name) | values.instances(name)) & near

    def end(self, segment: Segment, by: int, complete: bool, nonce: str = "") -> Flow:
        """The code has ended, `complete`: to its end. `by` is the step's key, PLAIN for a cell that
        is none. `nonce`: it was cut off, so that what it wrote is like nothing else.

        The order matters in four places. What was bound is known before what was changed, since a
        name that has another object was not changed in place. Late reads are forgotten before the
        inputs are hashed. `aliases` are asked for before `_write` gives these names new versions.
        Names are written before `_renew` and `_nearby_versions`, which compare the new ones."""
        segment.took = perf_counter() - segment.since
        if segment in self._running:
            self._running.remove(segment)
        seen = segment.code
        # A script that was edited is other code, though the cell says the same.
        code = _hash(seen.normal, *map(_file_digest, seen.mentions.scripts))
        bound, rebound, imported = self._bound_names(segment, by, complete)
        taken: set[str] = set()  # what other code made, whatever this one gives it
        for name, (version, writer) in segment.guarded.items():
            own = writer == by and self._makers.get(name, seen.normal) == seen.normal
            is_same = id(self._names.get(name)) == segment.holds.get(name)
            if by > PLAIN and (not own if is_same else name in seen.mentions.fetched):
                segment.reads[name] = version, writer
            taken |= {name} if is_same and not own else set()
        self._makers.update(dict.fromkeys(bound - taken, seen.normal))
        traces = self._read_places(segment, by)
        bound |= self._forget_late_reads(segment, bound, complete)
        changed, possible = self._changed_names(segment, bound, traces)
        touched = changed | (segment.changes & seen.writes)
        values = {name: self._names[name] for name in touched if name in self._names}
        defined = [v for n in bound if _runs(v := self._names.get(n))]
        self._places.end_caches(seen.mentions, segment.reached, values, defined, traces)
        held = {*segment.binds} - bound
        if rebound or seen.normal in self._bound_unseen:
            held |= self._bound_again(segment, rebound) - bound
        unsure = {name: self.version(name) for name in held if not self._is_hidden(name)}
        possible |= (
            held | traces.possible | segment.changes | (segment.passes & set(segment.absent))
        )
        if not complete:  # it would set them, if it had what it lacked
            possible |= places_set(seen.mentions, segment.reached)
        if by != PLAIN:
            # Between plain cells the version itself is compared, by what each of them has read.
            for found in (segment.reads, segment.perhaps):
                found |= {n: (LOST + found[n][0], LEFT) for n in segment.left & found.keys()}
        all_reads = {**segment.perhaps, **segment.reads}
        reads = sorted((name, version) for name, (version, _) in all_reads.items())
        inputs = _hash(code, nonce, *(f"{name}={version}" for name, version in reads))
        impure = by == PLAIN and any(map(_is_of_a_step, segment.reads.values()))
        writer = DERIVED if impure else by
        beside = sorted(changed - bound - all_reads.keys())
        before = {**{n: self._known[n].print for n in beside}, **segment.before}
        aliases = {n: self._known[n].read(segment.session) for n in beside}
        met = segment.makers | (self._makers_of(beside, segment.session) if beside else {})
        segment.calls_unseen = seen.calls_unseen(segment.reached.code, self._names)
        writes = self._write(segment, bound, changed, inputs, writer, aliases)
        renamed = {
            name
            for name in changed & before.keys() & self._known.keys()
            if before[name].renames(self._known[name].print)
        }
        shares, indexes = (
            self._sharing_now(segment, writes, changed - bound) if by > PLAIN else ({}, {})
        )
        if not bound.isdisjoint(shares):
            self._join_makers(bound, by, shares)
        self._renew(segment, writes, (touched, renamed), bound, (shares, indexes))
        self._deleted |= dict.fromkeys((n for n, v in writes.items() if v == ABSENT), writer)
        writes |= self._places.write(
            traces, writer, segment.session, impure, partial(_hash, inputs)
        )
        apart = self._nearby_versions(writes.keys() & segment.reads.keys()) if by > PLAIN else {}
        apart = {n: v for n, v in apart.items() if n not in {*writes, *all_reads, *unsure}}
        met |= self._makers_of(apart, segment.session) if apart else {}
        now = self._makers_of(writes, segment.session) if by > PLAIN else {}
        plain = (code, writes, aliases, complete) if by == PLAIN else None
        segment.plain = self._record_plain(segment, plain, traces)
        fixed = seen.fixed if not segment.unseen else frozenset[str]()
        if fixed:  # but for what functions of other cells may bind again
            fixed = fixed.difference(*(names for names, _ in segment.reached.runs.values()))
        # Code that called this code, as a cell that restores a step, did not bind these itself.
        for outer in self._running:
            self._places.end_inner_code(outer.moment)
            if outer.ids is not None:
                outer.ids.update((name, id(self._names.get(name))) for name in writes)
        return Flow(
            code=code,
            reads=segment.reads,
            absent=segment.absent,
            writes=writes,
            possible=tuple(sorted(possible - writes.keys() - unsure.keys())),
            unsure={name: unsure[name] for name in sorted(unsure.keys() - writes.keys())},
            unseen=tuple(sorted(segment.unseen)),
            imports=tuple(
                sorted(
                    name
                    for name in seen.mentions.imports | imported | fixed
                    if _is_library(writes.get(name))
                    or (name in fixed and writes.get(name, ABSENT)[:1] in (DATA, CODE))
                )
            ),
            perhaps={n: read for n, read in segment.perhaps.items() if n not in segment.reads},
            cells={n: cell for n in segment.reads if (cell := self._plain.made_in.get(n))},
            shares={
                **shares,
                **{
                    INDEX_OF + n: tuple(INDEX_OF + o for o in found) for n, found in indexes.items()
                },
            },
            renames=tuple(sorted(renamed)),
            apart=apart,
            makers={
                n: m for n, m in met.items() if m != (all_reads | aliases).get(n, (ABSENT, None))[1]
            },
            makers_left={n: maker for n, maker in now.items() if maker != by},
            aliases=aliases if by > PLAIN else {},
            runs={**segment.reached.runs, **self._runs_of(writes)} if by > PLAIN else {},
            calls_unseen=segment.calls_unseen,
            sets=tuple(sorted(traces.settings)) if by > PLAIN else (),
        )

    def _bound_names(
        self, segment: Segment, by: int, complete: bool
    ) -> tuple[set[str], set[str], set[str]]:
        """Names that the code bound; of these, those that only their objects show, since its text
        does not, and those that a star import or a script gave. What the code binds before it
        reads it is none of its reads."""
        seen, names = segment.code, self._names
        # Code that was cut off may not have come to its last lines: there the objects must differ.
        sure = {*seen.writes, *seen.deletes} if complete else set()
        bound = sure | {
            name
            for name in segment.binds - sure
            if (id(names[name]) if name in names else None) != segment.holds.get(name)
        }
        rebound: set[str] = set()
        if segment.ids is not None:
            rebound = self._rebound_names(segment.ids)
            for name in segment.in_texts & rebound:  # it binds anew what it has bound before
                if segment.reads.get(name, ("", PLAIN))[1] == by > PLAIN:
                    segment.perhaps[name] = segment.reads.pop(name)
        imported = self._star_imported(seen.mentions.stars) if complete else set()
        if complete and seen.mentions.scripts:
            imported |= self._bound_by_scripts(seen.mentions.scripts)
        if seen.mentions.begins_with_stars:
            _forget_reads(segment, imported)
        return bound | rebound | imported, rebound, imported

    def _record_plain(
        self,
        segment: Segment,
        plain: tuple[str, Mapping[str, str], Mapping[str, Read], bool] | None,
        traces: Traces,
    ) -> dict[str, str]:
        """What plain cells give after this code, run from the top, of the names it concerns.
        `plain` is what such a cell did: its code, what it wrote, whether it came to its end. None:
        the cell is a step now, so that nothing of it counts as a plain cell's any more."""
        if plain is None:
            return self._plain.record_run(segment.cell, None, self._existing_cells())
        code, writes, aliases, complete = plain
        inputs = dict.fromkeys(segment.absent, ABSENT)
        inputs |= {name: version for name, (version, _) in segment.reads.items()}
        # Nobody knows what a cell that was cut off would give under the names it did not come to.
        meant = () if complete else {*segment.binds, *segment.code.mutates}
        before = {name: version for name, (version, _) in aliases.items()}
        run = PlainRun(code, inputs, {**dict.fromkeys(meant, LOST), **writes}, before)
        given = self._plain.record_run(segment.cell, run, self._existing_cells())
        given |= {name: self._plain.gives.get(name, ABSENT) for name in run.writes}
        return given | traces.sources

    def not_given(self, names: Iterable[str]) -> dict[str, str]:
        """Those of the names that no cell of this kernel gives that is no step: ABSENT."""
        return {name: ABSENT for name in names if name not in self._plain.gives}

    def reloaded(self) -> dict[str, str]:
        """The code of modules that were loaded anew since a cell read it last: its versions."""
        return self._places.reloaded()

    def record_restored(
        self,
        versions: Mapping[str, Read | None],
        makers: Mapping[str, Made] | None = None,
        shared: Shared | None = None,
    ) -> None:
        """Values of a step came back under these names (None: the version is not known). `makers`
        has who made the objects of some of them, and with what these shared objects then: another
        one is there now, where they do not. `shared` has who shared what was there before."""
        session = self._session()
        self._link(versions, versions)
        for name, read in versions.items():
            if name in self._names:
                value = self._names[name]
                content = fingerprint(value)
                version, by = read or (
                    _plain_version(value, content) or LOST + content.digest,
                    UNSEEN,
                )
                self._known[name] = KnownValue(version, by, session, id(value), content, by)
            else:
                self._known.pop(name, None)
            self._makers.pop(name, None)
            for segment in self._running:
                if segment.ids is not None:
                    segment.ids[name] = id(self._names.get(name))
        if makers:
            self._restore_makers({n: one for n, one in makers.items() if n in self._known})
        if shared and any(shared):
            self._part(shared, versions.keys())
        self._renewals.write(versions, versions, {})
        self._index_renewals.write(versions, versions, {})

    def _restore_makers(self, made: Mapping[str, Made]) -> None:
        """Who made what came back is who made it then where it shares what it did, and so does
        that; else it is another object."""
        near = made.keys() | {*chain.from_iterable(others for _, others in made.values())}
        values = Sharing(self._names, near & self._names.keys())
        sound = {n: maker for n, (maker, with_) in made.items() if values.of(n) >= with_.keys()}
        while True:
            now = self._makers_of(near, self._session()) | sound
            apart = [n for n in sound if any(now.get(o) != m for o, m in made[n][1].items())]
            if not apart:
                break
            for name in apart:
                del sound[name]
        for name, maker in sound.items():
            self._known[name].maker = maker

    def settle(self, versions: Mapping[str, str]) -> None:
        """What was written was kept, and has the version of its content."""
        for name, version in versions.items():
            if name in self._known and version != ABSENT:
                self._known[name].version = version
        self._renewals.write(versions, (), {})
        self._index_renewals.write(versions, (), {})

    def read(self, name: str) -> Read:
        """The version of what a name holds now, and who wrote it."""
        if self._renewals.old.get(name):
            return LOST + self._look(name).version, OLD
        return self._look(name).read(self._session())

    def version(self, name: str) -> str:
        """The version of what a name or a place holds now, ABSENT where it is not there."""
        if name in self._names:
            is_old = bool(self._renewals.old.get(name))
            return LOST * is_old + self._look(name).version
        return self._places.version(name)

    def is_set(self, place: str, version: str) -> bool:
        """Whether a setting of the process is now what this version says of it."""
        return self._places.is_set(place, version)

    def held(self, name: str) -> Read:
        """The version of what a name or a place holds now, and who bound the name to its object,
        PLAIN where that was no step."""
        version = self.version(name)
        return version, max(self._makers_of((name,), self._session()).get(name, PLAIN), PLAIN)

    def _sharing_now(
        self, segment: Segment, writes: Mapping[str, str], changed: set[str]
    ) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
        """By a name that was written, those that were read or written, too, and share an object; of
        what is too large to be searched, those that changed with it and that the code does not
        name. The same of those that have an index in common."""
        written = set(filter(self._may_share, writes))
        near = written | set(filter(self._may_share, segment.before))
        found: dict[str, tuple[str, ...]] = {}
        indexes: dict[str, tuple[str, ...]] = {}
        if written and len(near) > 1:
            # Sorted, so that in each process the same ones are compared.
            near = {*sorted(near)[:_NEAR]}
            values = Sharing(self._names, near, 1024)
            found = {name: tuple(sorted(others)) for name in near if (others := values.of(name))}
            same = ((name, values.by_index(name)) for name in near & writes.keys())
            indexes = {name: tuple(sorted(others)) for name, others in same if others}
        named = changed & segment.before.keys()
        for name in changed - named if named else ():
            found[name] = tuple(sorted({*found.get(name, ()), *named}))
        return {name: others for name, others in found.items() if name in writes}, indexes

    def _join_makers(
        self, bound: Set[str], by: Writer, shares: Mapping[str, Iterable[str]]
    ) -> None:
        """Code bound names to what it took from others (`shares`): who made that counts, too.

        1 ys = load()     2 xs = ys     3 (revises 1) ys = load()     4 xs.sort()

        After 1, 2, 3, 2 the name `xs` is bound by step 2 to the list of step 3, and no longer to
        that of step 1: step 4 changes another one of them."""
        known, joined = self._known, {}
        for name in bound & shares.keys():
            met = self._makers_of({*shares[name]} - bound, known[name].session)
            if met and known[name].maker == known[name].by:
                joined[name] = int(_hash(*map(str, (by, *sorted(met.values())))), 16) | _JOINED
        for name, maker in joined.items():
            known[name].maker = maker

    def _nearby_versions(self, changed: set[str]) -> dict[str, str]:
        """The versions of names that share an object with these at some time, or may be found to
        have shared one all along: what hides its parts is known by what changes with it."""
        if not changed:
            return {}
        near = islice(filter(self._may_share, self._connected_names(changed)), _NEAR)
        found = {name: self._known[name].version for name in near if name in self._known}
        return found | {name: self.version(name) for name in self._names_sharing(changed)}

    def _runs_of(self, writes: Mapping[str, str]) -> dict[str, Runs]:
        """What the functions, the classes and the objects of these may do that were written."""
        found: dict[str, Runs] = {}
        for name in writes.keys() & self._known.keys():
            known, value = self._known[name], self._names[name]
            holds_code = known.print.complete or _is_code(value)
            if holds_code and known.version[:1] not in _HOLDS_NO_CODE and (every := reach(value)):
                found[name] = _summarize(every, name, value)
        return found

    def _is_left(self, name: str) -> bool:
        """Whether a plain cell wrote what is there, and it is not what such cells give, run from
        the top: one of them ran again, or on its own, or is another now."""
        known = self._known.get(name) or self._places.known.get(name)
        if known is None or known.by != PLAIN or name not in self._plain.names:
            return False
        return self._plain.gives.get(name, ABSENT) != known.version

    # names

    def _look(self, name: str) -> KnownValue:
        """What a name holds now. Where it is not what was written there, nobody saw by what it was
        changed; where nothing is known yet, it is from before the observer was there."""
        value = self._names[name]
        known = self._known.get(name)
        # The usual case: the same object, and none that can change.
        if known is not None and known.id == id(value) and known.print.atomic:
            return known
        content = fingerprint(value)
        if (
            known is not None
            and known.id == id(value)
            and (known.version.startswith(LIBRARY) or known.print.digest == content.digest)
        ):
            return known
        if known is None:
            version = _plain_version(value, content) or LOOKED_AT + content.digest
            now = KnownValue(version, PLAIN, None, id(value), content)
        else:
            now = KnownValue(f"{LOST}{content.digest}", UNSEEN, None, id(value), content)
        self._known[name] = now
        return now

    def _write(
        self,
        segment: Segment,
        bound: set[str],
        changed: set[str],
        inputs: str,
        by: int,
        aliases: Mapping[str, Read],
    ) -> dict[str, str]:
        """Give names the versions of what they hold after the code that wrote them. `aliases` were
        changed under another name of their object: one that no line gave before, none gives now."""
        versions: dict[str, str] = {}
        mutable: list[str] = []
        for name in sorted(bound | changed):
            if _SHELL.fullmatch(name):
                continue
            if name not in self._names:
                self._known.pop(name, None)
                versions[name] = ABSENT
                continue
            value = self._names[name]
            content, library = fingerprint(value), origin(value)
            before, writer = aliases.get(name, ("", by))
            now = writer if before.startswith(LOST) else by
            last = self._known.get(name)
            maker = last.maker if last is not None and last.id == id(value) else now
            known = KnownValue("", now, segment.session, id(value), content, maker)
            if library is not None:
                known.version = LIBRARY + library
                known.by = PLAIN if by == DERIVED else by
            elif content.atomic and content.complete:
                known.version = f"{DATA}{content.digest}"
            else:
                mutable.append(name)
            self._known[name] = known
            versions[name] = known.version
        # First all contents, then the versions: that of data has the content of those that share
        # it.
        self._link(mutable, (*segment.before, *mutable))
        near = cache(
            lambda: Sharing(self._names, self._changeable(self._connected_names({*mutable})))
        )
        unread = [name for name in mutable if self._known[name].print.unread]
        whole = self._read_whole(segment, unread) if unread else {}
        for name in mutable:
            known = self._known[name]
            seen = known.print.digest
            # What it is bound to may share an index; by what is only changed it shares as before.
            named = {*segment.before, *mutable} if name in bound else set[str]()
            known.version = self._mutable_version(name, known, near, named, inputs) or (
                f"{_hash(inputs, name, whole.get(name, seen))}{LOOKED_AT}{seen}"
            )
        for name in versions.keys() & self._known.keys():
            known = self._known[name]
            if known.by in (DERIVED, UNSEEN, OLD):
                known.version = LOST + known.version
            versions[name] = known.version
        return versions

    def _read_whole(self, segment: Segment, names: list[str]) -> dict[str, str]:
        """A digest of what each name holds, where the code may have got that from elsewhere; where
        it cannot be read in time, something new: it may be another than the last time."""
        if not segment.calls_unseen:
            return {}
        seconds = max(_READING, segment.took * _SHARE) / len(names)
        # With a scale above 1 a walk reads large containers whole, too.
        budget, scale = int(seconds * _OBJECTS), max(2, int(seconds * _BYTES) >> 20)
        read = {name: fingerprint(self._names[name], budget, scale, opens=True) for name in names}
        return {name: uuid4().hex if now.unread else now.digest for name, now in read.items()}

    def _mutable_version(
        self,
        name: str,
        known: KnownValue,
        near: Callable[[], Sharing],
        named: set[str],
        inputs: str,
    ) -> str | None:
        """The version of a function that holds nothing: its code. Of data that was looked at whole:
        its content, with that of the names that share objects with it, and which of the `named` it
        has an index in common with: who renames that renames it there, too. Beside one that hides
        what it holds, only where the same code over the same inputs has given that before. None
        where neither is so."""
        value = self._names[name]
        if type(value) is FunctionType:
            holds = value.__closure__ or value.__defaults__ or value.__kwdefaults__
            holds = holds or value.__dict__ or names_of_no_module(value)
            return None if holds else f"{CODE}{known.print.digest}"
        if not known.print.complete or reach(value):
            return None
        others = [self._names[other] for other in sorted(near().of(name))]
        others += sorted(near().by_index(name) & named)
        together = fingerprint((value, *others)) if others else known.print
        if not together.complete:
            return None
        given = inputs, name, together.digest
        if near().unsure(name) and given not in self._given_whole:
            return None
        self._given_whole.add(given)
        return f"{WHOLE}{together.digest}"

    def holders(self, names: Iterable[str]) -> Shared:
        """By name, other names that share the object which it holds; a function is its code. The
        same of those that have an index in common with it."""
        near: dict[str, set[str]] = {}
        for name in names:
            known = self._known.get(name)
            if name not in self._names or known is None or known.print.atomic:
                continue
            if known.version[:1] not in _SHARES_NOTHING:
                others = (n for n in self._connected_names({name}) if n != name)
                near[name] = {*islice(filter(self._may_share, others), _NEAR)}
        if not any(near.values()):
            return {}, {}
        values = Sharing(self._names, {*near}.union(*near.values()))
        whole: Holders = {}
        indexes: Holders = {}
        for name in near:
            same = values.of(name) | values.instances(name)
            for found, sharing in (whole, same), (indexes, values.by_index(name)):
                held = {other: id(self._names[other]) for other in sharing & near[name]}
                if held:
                    found[name] = self._known[name], held
        return whole, indexes

    def _may_share(self, name: str) -> bool:
        known = self._known.get(name)
        return name in self._names and (known is None or not known.print.atomic)

    def _renew(
        self,
        segment: Segment,
        writes: Mapping[str, str],
        changed: tuple[set[str], set[str]],
        bound: set[str],
        shares: tuple[Mapping[str, tuple[str, ...]], Mapping[str, tuple[str, ...]]],
    ) -> None:
        """Objects were made anew, with the versions that they had: who holds the old ones is apart.
        What was changed in place would have changed these, too; who has an index in common with
        it, where that got another name. `changed` has both, and so has `shares`."""
        kinds = self._renewals, self._index_renewals
        apart = set[str]()
        for renewals, names in zip(kinds, changed, strict=True):
            apart |= renewals.unchanged_by(names) - writes.keys() if renewals.old else set()
        near = set(islice(self._connected_names(apart), _MANY)) if apart else set()
        for name in tuple(apart):  # and what holds the new one, under whatever name
            apart |= self._holding(name, near - apart) - writes.keys()
        for name in apart:
            known = self._known.get(name)
            if known is not None:
                known.version, known.by = f"{LOST}{known.version}", OLD
        if any(segment.holders):
            self._part(segment.holders, writes.keys())
        for renewals, others in zip(kinds, shares, strict=True):
            renewals.write(writes, bound & writes.keys(), others)
        if old := self._renewals.pairs.keys() & segment.before.keys():
            # What shares an object with an old one, or holds another of its class, is as old.
            written = sorted(self._changeable(writes))[:_NEAR]
            values = Sharing(self._names, {*written, *sorted(self._changeable(old))[:_NEAR]}, 1024)
            for name in written:
                self._renewals.inherit(name, (values.of(name) | values.kin(name)) & old)

    def _part(self, shared: Shared, written: Set[str]) -> None:
        """These names were written, of which others `shared` the objects: they hold the old."""
        for renewals, found in zip((self._renewals, self._index_renewals), shared, strict=True):
            for name, (before, holders) in found.items():
                now = self._known.get(name)
                if now is not None and now.id != before.id and name in written:
                    same = {n for n, held in holders.items() if id(self._names.get(n)) == held}
                    renewals.part(same - written, name, before)

    def _others(
        self, found: Mapping[str, Read], session: object, makers: dict[str, Writer]
    ) -> dict[str, Read]:
        """What all names hold that are known, but for these; to `makers` is added who bound them
        to it."""
        there = dict[str, Read]()
        for name in sorted(n for n in self._known if n in self._names and n not in found):
            known = self._look(name)
            if not self._is_hidden(name) and known.version[:1] != LIBRARY:
                there[name] = known.read(session)
                makers[name] = known.maker or known.by if known.session == session else PLAIN
        gone = {n: (ABSENT, by) for n, by in self._deleted.items() if n not in self._names}
        return {**gone, **there}

    def _is_hidden(self, name: str) -> bool:
        """Whether IPython put it there."""
        return name in self._hidden and self._names[name] is self._hidden[name]

    def _has_names(self, name: str) -> bool:
        """Whether all names can be reached by what this one holds: their dict, their module, or the
        shell."""
        value, of_shell = self._names[name], self._names.get("get_ipython")
        if (vars(value) if type(value) is ModuleType else value) is self._names:
            return True
        return type(of_shell) is MethodType and value is of_shell.__self__

    def _ids(self) -> dict[str, int]:
        return {name: id(value) for name, value in tuple(self._names.items())}

    def _rebound_names(self, ids: dict[str, int]) -> set[str]:
        """Names that hold other objects than they did, and those that are gone or new."""
        now = self._ids()
        either = {name for name, id in now.items() if ids.get(name) != id}
        # IPython binds `_`, `_i` and their like itself, after each cell.
        return {n for n in either | (ids.keys() - now.keys()) if not n.startswith("_")}

    def _bound_again(self, segment: Segment, rebound: set[str]) -> set[str]:
        """Names that this code bound in an earlier run, where it cannot be seen which it binds. It
        may have bound one to the object that it held, as to a small number, which does not show.
        None where the code uses files: it may bind others then."""
        known = self._bound_unseen.setdefault(segment.code.normal, set())
        known |= rebound
        words = segment.code.mentions.words | segment.reached.words
        return known & self._names.keys() if USES_FILES not in words else set()

    def _read_closely(
        self, names: Mapping[str, Fingerprint], seen: Code, reached: ReachableCode
    ) -> dict[str, Fingerprint]:
        """What these names hold, read more closely where it was not read whole, and the code
        changes some object, nobody sees of which name."""
        if not (seen.mentions.stores or reached.stores):
            return {}
        large = (name for name, content in names.items() if not content.complete)
        return {name: _close(self._names[name]) for name in large}

    def _methods(self, name: str) -> frozenset[CodeType]:
        return codes(self._names.get(name))

    def _star_imported(self, modules: Iterable[str]) -> set[str]:
        """Names that `from MODULE import *` has bound, most of them to what they held before."""
        given = chain.from_iterable(public_names(sys.modules.get(module)) for module in modules)
        return self._names.keys() & set(given)

    def _bound_by_scripts(self, paths: Iterable[str]) -> set[str]:
        """Names that `%run` has bound, some of them to what they held before: those of the
        namespaces of these files, which IPython keeps."""
        shell = getattr(self._names.get("get_ipython"), "__self__", None)
        spaces: dict[str, ModuleType] = getattr(shell, "_main_mod_cache", {})
        ran = (
            vars(spaces[path]) for each in paths if (path := str(Path(each).absolute())) in spaces
        )
        pairs = (pair for space in ran for pair in space.items())
        return {n for n, value in pairs if n[:1] != "_" and self._names.get(n) is value}

    # what code uses

    def _analyze(
        self, text: str, reads: set[str], writes: set[str]
    ) -> tuple[Code, set[str], set[str], set[str], ReachableCode]:
        """What the code does; and the names that it reads, may bind and changes, with those of
        functions of the notebook that it may call. Where these name what the code itself binds, or
        call what it defines, its text tells whether that is there by then."""
        callees: dict[str, tuple[str, ...]] = {}
        while True:
            code = analyze(text, tuple(sorted(callees.items())))
            extra = reads - code.writes
            names_read, binds = {*code.reads, *extra}, {*code.may_write}
            changes = {*code.mutates, *writes}
            own = code.writes | code.may_write
            bound = own if callees and extra <= code.reads else frozenset()
            reached = self._follow(names_read, binds, changes, bound, code.mentions.names)
            near = {} if reached.names.isdisjoint(own) else reached.runs
            if near.keys() <= callees.keys():
                reached.stores = may_store(reached.code, code.mentions.names | reached.methods)
                return code, names_read, binds, changes, reached
            # Ends, since each round adds functions, and there are only so many.
            callees |= {name: reads for name, (_, reads) in near.items()}

    def _before_setting(self, text: str) -> Early:
        code, names_read, *_, reached = self._analyze(text, set(), set())
        values = [self._names[name] for name in names_read if name in self._names]
        pairs = code.mentions.attributes | reached.attributes
        values += [chain_start({}, *pair)[0] for pair in pairs if not pair[0]]
        binds = code.mentions.loaded & (code.writes | code.may_write)
        words = {*code.mentions.words, *reached.words}
        return Early(words, {*code.mentions.names, *reached.spoken}, libraries_of(values), binds)

    def _before_attributes(self, segment: Segment, attributes: Collection[str]) -> Early:
        """What it does before it sets one of these attributes of classes."""
        called = {n: reach(self._names[n]) for n in segment.reads if n in self._names}
        setters = [
            name
            for name, every in called.items()
            if any(pair[1].rpartition(".")[2] in attributes for u in every for pair in u.assigned)
        ]
        return self._before_setting(before_attributes(segment.text, attributes, setters))

    def _follow(
        self,
        names_read: set[str],
        binds: set[str],
        changes: set[str],
        bound: frozenset[str],
        spoken: frozenset[str],
    ) -> ReachableCode:
        """Add what functions and classes of the notebook use that may be called, but for names of
        `bound`. Those that it has put into modules are called by who says their names."""
        waiting, done, found = list(names_read), set[str](), ReachableCode()
        inside = self._places.values() if self._places.known else {}
        while waiting := waiting or [
            place
            for place in inside.keys() - done
            if place.rpartition(".")[2] in spoken | found.spoken
            or not LOOKUPS.isdisjoint(spoken | found.spoken)
        ]:
            name = waiting.pop()
            if name in done or not (name in self._names or name in inside):
                continue
            done.add(name)
            value = inside[name] if name in inside else self._names[name]
            is_cache = type(value) is CACHE
            reached = full_reach(value)
            every = reached.every
            found.result_caches += reached.caches
            found.methods |= reached.methods
            found.modules += reached.modules
            found.cached_properties |= reached.cached_properties
            found.code |= every
            if not is_cache and any(uses.stores for uses in every):
                found.cache_writers.update(map(id, reached.caches))
            if any(uses.changes_held for uses in every):
                found.holders.add(name)
            if every:
                found.runs[name] = _summarize(every, name, value)
            for uses in every:
                more = (uses.reads | uses.mutates) - bound
                # Of `print` in a function, Python's own is meant, unless the notebook has one.
                names_read |= {n for n in more if n in self._names or not hasattr(builtins, n)}
                binds |= {*uses.writes, *uses.deletes}
                changes |= uses.mutates
                found.names |= uses.reads | uses.mutates | uses.writes | uses.deletes
                found.changers |= {uses} if uses.mutated_parameters else set()
                found.spoken |= uses.names
                found.imports |= uses.imports
                found.reaches |= uses.reaches
                found.opaque |= (uses.reads & OPAQUE_NAMES) - self._names.keys()
                found.attributes |= uses.attributes
                found.assigned |= uses.assigned
                found.bare |= uses.bare
                found.words |= uses.words
                found.seeds = found.seeds or uses.seeds
                if is_cache and any(map(self._is_data, more)):
                    found.caches.add(name)
                waiting += more
                if uses.stores and not is_cache:
                    named = (self._names.get(n) for n in uses.reads)
                    found.cache_writers.update(id(each) for each in named if type(each) is CACHE)
        return found

    def _is_data(self, name: str) -> bool:
        return name in self._names and not _is_code(self._names[name])

    def _forget_late_reads(
        self, segment: Segment, bound: set[str], complete: bool
    ) -> frozenset[str]:
        """Take from the reads the names that the code bound before it read them, and return these.
        Of a name that holds the same object as before, an earlier run over the same inputs tells
        whether the code binds it."""
        late = segment.code.late - segment.reached.names
        if not late or segment.unseen:
            return frozenset()
        reads = ((n, version) for n, (version, _) in segment.reads.items() if n not in late)
        inputs = _hash(segment.code.normal, *(f"{n}={version}" for n, version in sorted(reads)))
        known = self._bound_first.get(inputs, frozenset()) if complete else frozenset()
        found = (late & bound) | (known & self._names.keys())
        if complete:
            self._bound_first[inputs] = found
        _forget_reads(segment, found)
        return found

    # what no name holds

    def _read_places(self, segment: Segment, by: int) -> Traces:
        """Add what the code read of places."""
        names, mentions = self._names, segment.code.mentions
        values = [names[name] for name in segment.reads if name in names]
        bound = [names[name] for name in segment.binds & mentions.loaded if name in names]
        others = [names[name] for name in segment.binds - mentions.loaded if name in names]
        ran = segment.moment, mentions, segment.reached, segment.code.normal
        early = segment.early, partial(self._before_attributes, segment)
        traces = self._places.end_code(*ran, names, values, bound, others, *early, by)
        known = segment.moment.known
        traces.reads |= {f"builtins.{name}" for name in segment.absent} & known.keys()
        for place in traces.reads & known.keys():
            segment.reads[place] = known[place].read(segment.session)
            if self._is_left(place):
                segment.left.add(place)
        segment.absent = tuple(sorted({*segment.absent, *(traces.reads - segment.reads.keys())}))
        for place, version in traces.sources.items():
            is_old = place in traces.lost
            segment.reads[place] = (LOST + version, UNSEEN) if is_old else (version, PLAIN)
        return traces

    # what it changed

    def _changed_names(
        self, segment: Segment, bound: set[str], traces: Traces
    ) -> tuple[set[str], set[str]]:
        """Names whose objects the code changed, and those it might have changed and did not."""
        changed, possible = {n for n in segment.written if n in self._names}, set()
        for name, before in segment.before.items():
            # It has a new version, or none, whatever its old object became.
            if name in bound or name not in self._names:
                continue
            value = self._names[name]
            if name in segment.closely:
                before, now = segment.closely[name], _close(value)
            else:
                now = fingerprint(value)
            sure = now.complete and before.complete
            if (
                name in segment.changes
                or now.digest != before.digest
                # How far most iterators are does not show.
                or is_iterator(value)
                or name in segment.reached.caches
                or (name in segment.reached.holders and not sure)
                or (name in segment.closely and (now.cut or before.cut))
                or (name in segment.passes and not sure and self._may_change(segment, name))
            ):
                changed.add(name)
            elif name in segment.passes or segment.reached.suspect or segment.reached.changers:
                possible.add(name)
        stores = segment.code.mentions.stores or segment.reached.stores
        unseen = segment.perhaps.keys() - segment.before.keys() - bound
        changed.update(self._changed_unseen(unseen, stores))
        changed |= self._changed_behind(possible, bound | segment.before.keys())
        if traces.data:
            changed |= self._changed_at_places(traces.objects(), bound | segment.before.keys())
        aliased = segment.changes & segment.code.writes
        if changed or aliased:
            # What a name holds that was read whole was compared; of the others, one that is made of
            # another writes through it.
            whole = (name for name, before in segment.before.items() if before.complete)
            changed |= self._sharing(changed | aliased, bound.union(whole), segment)
        return changed, possible

    def _may_change(self, segment: Segment, name: str) -> bool:
        """Whether code that it calls may change what this name holds, which it hands on."""
        if segment.reached.suspect or not segment.reached.changers:
            return segment.reached.suspect
        calls = names_handed(segment.text).get(name) if segment.code.syntax else None
        return calls is None or any(
            function in segment.binds or self._may_change_argument(function, key)
            for function, key in calls
        )

    def _may_change_argument(self, function: str, key: int | str) -> bool:
        """Whether a function may change this argument. What it hands on itself is not followed, so
        that is unsure where it may call another one that changes what it gets."""
        own = uses_of(self._names.get(function))
        if own is None:
            return function in self._names or not hasattr(builtins, function)
        others = self._follow({function}, set(), set(), frozenset(), frozenset()).changers - {own}
        changed = {key, "*" if type(key) is int else "**"} & {*own.mutated_parameters}
        return bool(others or changed or key == "**" or function in own.reads)

    def _changed_unseen(self, names: Iterable[str], stores: bool) -> Iterator[str]:
        """Names that code changed which does not show what it reads. Each holds the object that it
        held before, with other content, or with more than can be compared."""
        for name in names:
            known = self._known.get(name)
            if name not in self._names or known is None or known.print.atomic:
                continue
            value = self._names[name]
            if known.id == id(value):
                now = fingerprint(value)
                if now.digest != known.print.digest or (stores and now.cut):
                    yield name

    def _changed_behind(self, possible: set[str], but: set[str]) -> set[str]:
        """Names that have another content since code got an object which hides what it holds, as
        the writers of `csv` do: of the nearest that may have to do with it."""
        hiding = {name for name in possible if name in self._names and hides(self._names[name])}
        near = islice((n for n in self._connected_names(hiding) if n not in but), _BEHIND)
        known = ((name, self._known[name]) for name in near if name in self._known)
        return {
            name
            for name, was in known
            if name in self._names
            and not was.print.atomic
            and was.id == id(self._names[name])
            and fingerprint(self._names[name]).digest != was.print.digest
        }

    def _changed_at_places(self, objects: Mapping[str, object], but: set[str]) -> set[str]:
        """Names that share an object with data which the code changed where no name is: of `from
        settings import rows`, in its module."""
        data = {f"\0{place}": value for place, value in objects.items()}
        other = list(filter(self._is_other, self._changeable(self._known.keys() - but)))
        if not other:
            return set()
        values = Sharing({**self._names, **data}, {*other, *data})
        return {name for name in other if not values.of(name).isdisjoint(data)}

    def _sharing(self, changed: set[str], but: set[str], segment: Segment) -> set[str]:
        """Other names that share an object with those that were changed, and look otherwise now."""
        found: set[str] = set()
        reached = self._connected_names(changed)
        near = self._changeable(reached.keys() - but - changed)
        # An object whose class has other methods now has the content that it had.
        patched = {
            code
            for name, was in segment.methods.items()
            if name in changed and (methods := self._methods(name)) != was
            for code in methods | was
        }
        if patched:
            objects_of = (n for n in reached.keys() - changed if n in self._names)
            found.update(n for n in objects_of if codes(self._names[n]) & patched)
        values = Sharing(self._names, {*near, *(changed & self._names.keys())})
        parted = self._renewals.unchanged_by(changed)
        for name in [each for each in near if each not in found]:
            # A name that was made anew was made apart from those: what they have in common still is
            # no part of what they shared.
            shared = name not in parted and not changed.isdisjoint(
                values.of(name) | values.unsure(name)
            )
            before, now = self._known[name].print, fingerprint(self._names[name])
            whole = now.complete and before.complete
            if now.digest != before.digest or (shared and not whole):
                found.add(name)
        return found

    def _is_other(self, name: str) -> bool:
        """Whether what it holds is not what is known of it."""
        return fingerprint(self._names[name]).digest != self._known[name].print.digest

    def _changeable(self, names: Iterable[str]) -> list[str]:
        """Those of which it is known what they hold, and that it may be changed in place."""
        return [
            name
            for name in names
            if name in self._names and (known := self._known.get(name)) and not known.print.atomic
        ]

    def _connected_names(self, names: set[str]) -> dict[str, None]:
        """The names, and those that may share objects with them, the nearest first."""
        reached = dict.fromkeys(sorted(names))
        waiting, met = deque(reached), set[tuple[str, ...]]()
        while waiting and len(reached) < _MANY:
            for group in sorted(self._linked.get(waiting.popleft(), set()) - met):
                met.add(group)
                waiting += (near := [name for name in group if name not in reached])
                reached |= dict.fromkeys(near)
        return reached

    def _link(self, written: Collection[str], others: Iterable[str]) -> None:
        """Names that were written out of others, and of each other, may share objects with them."""
        for names, near in (
            (written, {*written, *others}),
            ({*others}.difference(written), written),
        ):
            group = tuple(sorted(near))
            for name in names if group else ():
                self._linked.setdefault(name, set()).add(group)


def _forget_reads(segment: Segment, names: Container[str]) -> None:
    segment.reads = {n: read for n, read in segment.reads.items() if n not in names}
    segment.absent = tuple(n for n in segment.absent if n not in names)


def _is_code(value: object) -> bool:
    """By identity: a metaclass may have an `==` of its own."""
    return id(type(value)) in _CODE_KINDS


def _runs(value: object) -> bool:
    return any(issubclass(type(value), kind) for kind in _CODE)


def _close(value: object) -> Fingerprint:
    """Half a gigabyte takes 50 ms, and so do as many objects."""
    return fingerprint(value, budget=100_000, scale=512)


def _summarize(every: Collection[Uses], name: str, value: Any) -> Runs:
    """The names that this code may write, and those that it reads, without Python's own. What is
    called and holds more than code may change itself: `total` of a closure, of an object. So may
    an object that runs code of its class as it is read, and a class, by `type(self)`."""
    writes = {n for uses in every for n in (uses.writes | uses.deletes | uses.mutates)}
    storing = [uses for uses in every if uses.stores]
    if type(value) is FunctionType:
        changes_itself = bool(value.__closure__ and storing)
    elif issubclass(type(value), type):
        changes_itself = any("type" in u.reads or "__class__" in u.names for u in storing)
    else:
        kinds = mro(type(value)) if storing else ()
        read = {
            n for kind in kinds for n, part in namespace(kind).items() if type(part) is property
        }
        changes_itself = not _runs(value) and any(
            callable(value) or uses.name in read or uses.name in _RUNS_AS_READ for uses in storing
        )
    if changes_itself:
        writes.add(name)
    reads = {n for uses in every for n in uses.reads if not hasattr(builtins, n)}
    return tuple(sorted(writes)), tuple(sorted(reads))


def _is_library(version: str | None) -> bool:
    return version is not None and version.startswith(LIBRARY)


def _is_of_a_step(read: Read) -> bool:
    version, by = read
    return (by > PLAIN or by == DERIVED) and not _is_library(version)


def _plain_version(value: object, content: Fingerprint) -> str | None:
    """The version of what a library gives, and of a value that cannot be changed."""
    library = origin(value)
    if library is not None:
        return LIBRARY + library
    return f"{DATA}{content.digest}" if content.atomic and content.complete else None


def _file_digest(path: str) -> str:
    try:
        return blake2b(Path(path).read_bytes(), digest_size=6).hexdigest()
    except OSError:
        return ""


def _hash(*parts: str) -> str:
    """Twelve hexadecimal digits."""
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=6).hexdigest()
