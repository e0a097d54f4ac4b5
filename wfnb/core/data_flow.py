"""what an attempt of a step read and wrote, by name and version: the facts that ✓ rests on.

A *version* names what a variable held, the same in every kernel: a hash of the code that wrote it
and of the versions that this code read, so that the same code over the same input gives the same
version. Who observes a namespace makes them (`wfnb/dataflow`); the core only compares them. How one
begins says what it is of:

    ABSENT             it is all of it: the name is not there
    LIBRARY     =…     what a library gives: the same wherever it is imported
    DATA        #…     a number, a text and the like: what nobody can change or call
    WHOLE       @…     data that were looked at whole
    CODE        %…     the code of a function that holds nothing
    KEPT        +…     a kept value, by its content and that of what it is kept with
    OPEN        ?…     what a stale step would write: nobody knows it yet
    LOST        !…     what no line gives: who reads it is stale
    none        …      any other, by the code that wrote it
    LOOKED_AT   …~…    behind the sign, in any: a digest of the content, as far as it was looked at
    ANY         *      no version, but every name, among those that code may write of which nobody
                       knows what it calls
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from wfnb.frozen_record import none, record

from .kept_values import KeptValues

ABSENT = ""
LIBRARY = "="
DATA = "#"
WHOLE = "@"
CODE = "%"
KEPT = "+"
LOOKED_AT = "~"
OPEN = "?"
LOST = "!"
ANY = "*"

CODE_OF = "the code of "
"""A name that begins so is the code of a module of the user's own: no step writes it."""

INDEX_OF = "the index of "
"""Names that begin so share an index of pandas, and not all that changes one of what has it: its
name alone, which a step changes in place (`Flow.renames`)."""

OF = ": "
"""Between a place that has parts and one of them. Who asked for the place asked for all of them."""

INTERRUPT = "an interrupt"
"""What code read, beside names, that was interrupted and went on: no line gives it."""

Writer = int
"""Who wrote a name: the key of a step, above zero, or one of these."""
PLAIN: Writer = 0
"""A cell that is no step."""
DERIVED: Writer = -1
"""A cell that is no step and used what steps wrote."""
UNSEEN: Writer = -2
"""Nobody that could be observed."""
LEFT: Writer = -3
"""A cell that was run again since and no longer writes it."""
OLD: Writer = -4
"""It holds an object that has been made anew under another name since."""

Read = tuple[str, Writer]
"""The version that was read, and who wrote it."""


Made = tuple[Writer, Mapping[str, Writer]]
"""Who made the object of a name, and the other names that this shared objects with, with who had
made these."""
Runs = tuple[tuple[str, ...], tuple[str, ...]]
"""Of a function or class: the names that running it may write, and those that it reads."""


@record
class Flow:
    """What one attempt read and wrote.

    It is seen in what the names hold before and after. What that cannot tell is in five fields:

        field     for example                       another attempt
        possible  `check(a)` left `a` as it was     may change it
        unsure    `if c: a = 2`, and `c` was false  may bind `a`
        unseen    `exec(text)` hides what it does   may do anything
        perhaps   then: what `a` held               may read `a`, as this one may have
        apart     `b = a`, `b = [2]` were run       may change `b`, too, where a line gives it
                  before `a.append(1)`              the `b` that is `a`
    """

    code: str = ""
    """A hash of its code, without comments and layout."""
    reads: Mapping[str, Read] = field(default_factory=none)
    """What it read from before."""
    absent: tuple[str, ...] = ()
    """The names that it asked for and that were not there; those of builtins, too."""
    writes: Mapping[str, str] = field(default_factory=none)
    """The versions that it left, ABSENT for a name that it deleted."""
    possible: tuple[str, ...] = ()
    """Names whose object it handed to code that might change it, and this time did not."""
    unsure: Mapping[str, str] = field(default_factory=none)
    """Names that it may have bound, to the very object that they held before, with the version of
    that."""
    unseen: tuple[str, ...] = ()
    """What could not be observed: `exec`, a magic that is not known."""
    perhaps: Mapping[str, Read] = field(default_factory=none)
    """Where something was unseen: what all other names held that it may have read, as `reads` has
    it."""
    imports: tuple[str, ...] = ()
    """Names of `writes` that it gives whatever it reads: imported from a library, or bound to
    constants and functions before all else."""
    cells: Mapping[str, str] = field(default_factory=none)
    """By a name that was read, the id of the cell that made it and is no step."""
    shares: Mapping[str, tuple[str, ...]] = field(default_factory=none)
    """By a name that it wrote, the other names whose objects share one with it; by one that begins
    with INDEX_OF, those that have an index in common with it."""
    renames: tuple[str, ...] = ()
    """Names that have an index to which it gave another name in place."""
    apart: Mapping[str, str] = field(default_factory=none)
    """Names that shared an object with one that it changed, at some time, and this time did not,
    with the versions that they had."""
    aliases: Mapping[str, Read] = field(default_factory=none)
    """Those of `writes` that it did not name, and whose object it changed under another name, with
    the versions that they had before."""
    makers: Mapping[str, Writer] = field(default_factory=none)
    """Who had bound names of `reads`, `aliases` and `apart` to their objects, where that is not who
    wrote them; nothing in what an earlier wfnb recorded."""
    makers_left: Mapping[str, Writer] = field(default_factory=none)
    """The same of `writes`, after it, where it did not bind them itself."""
    held: Mapping[str, Read] = field(default_factory=none)
    """What other names held whose values were kept."""
    runs: Mapping[str, Runs] = field(default_factory=none)
    """What the functions and classes may do that it made, and those that it read."""
    calls_unseen: bool = False
    """Whether it calls what may read a file, a clock, a database: it may write another value next
    time."""
    sets: tuple[str, ...] = ()
    """What of libraries the functions of the notebook and of own modules that it calls may set for
    the whole process, beside names."""

    def names_needed(self) -> set[str]:
        """The names whose value from before the attempt may have mattered."""
        return {*self.reads, *self.absent, *self.perhaps}


def with_content_versions(flow: Flow, kept: KeptValues) -> Flow:
    """The flow of an attempt that kept values: the version of each that it wrote is its content,
    with that of all it shares objects with. So other code that makes the same value makes nothing
    stale. A pickle may lack what can be seen: the level of a logger, what an exception came of."""
    versions = {}
    for value in kept.values:
        written = flow.writes.get(value.name, WHOLE)
        if value.group is not None and not written.startswith(WHOLE):
            place = kept.members(value.group).index(value.name)
            seen = written.partition(LOOKED_AT)[2]
            content = "\0".join((*kept.groups[value.group].blobs, str(place), seen))
            versions[value.name] = f"{KEPT}{blake2b(content.encode(), digest_size=6).hexdigest()}"
    return replace(flow, writes={**flow.writes, **versions}) if versions else flow


def written_names(flow: Flow) -> tuple[str, ...]:
    """The names that an attempt was seen to leave with another value than before; not those that
    begin with `_`. It sees what the code does not say: `import *`, magics that assign, changes in
    place."""
    left = (name for name, version in flow.writes.items() if version != ABSENT)
    return tuple(name for name in left if name.isidentifier() and not name.startswith("_"))


Order = tuple[tuple[int, int], ...]
"""Where a step stands in a run from the top: its number and the depth of its line; for a revision
those of what it revises, then its depth and its number. Compared as tuples."""


@record
class Part:
    """A line, or as much of it, that another line consists of.

    main    1 ── 2 ── 3 ───────────┬── 4
                 └─ alt: 3 ── 4 ───┘        leaves main after 2, is merged into it after 3

    of alt    Part(alt), Part(main, bound=((3, -1),)): 1 and 2 of main
    of main   Part(main), Part(alt, after=((3, LAST),)): all of alt, between 3 and 4
    """

    line: str
    bound: Order | None
    """The first place on `line` that the other one does not see; None: it sees all."""
    after: Order
    """Where `line` was merged into the other one: the place on that after which it stands, else
    ()."""
    since: Order
    """The first place on `line` that was merged: what the other had inherited before stands where
    it stood."""


Outputs = Mapping[str, str]
"""The version of each name that a step gives to those after it."""


@record
class Doubt:
    """Why a step is stale: it read `name` as `read_from` wrote it (a step's key, PLAIN or one of
    those beside it; None: the name was not there), and its line gives it what step `given_by` wrote
    (None: no step of the line does). `open`: that step is stale itself, so nobody knows what
    it gives. `copy`: it read the like, under which is another object."""

    name: str
    read_from: Writer | None
    given_by: int | None
    open: bool = False
    copy: bool = False


Rests = frozenset[tuple[int, str, str, str]]
"""What a step rests on: the key of a step, the hash of its code, a name and the version that its
line gives it; of itself, and of those of which nobody knows what they would write."""


@dataclass(slots=True)
class Index:
    """Who reads and writes each name on one line, in order; `order` has its steps that count,
    `through` those that may write names by what they call, with these names."""

    order: dict[int, Order] = field(default_factory=dict)
    through: dict[int, frozenset[str]] = field(default_factory=dict)
    readers: dict[str, list[tuple[Order, int]]] = field(default_factory=dict)
    writers: dict[str, list[tuple[Order, int]]] = field(default_factory=dict)


@dataclass(slots=True)
class Staleness:
    """What is known of the flows of a session."""

    lines: dict[str, Index] = field(default_factory=dict)
    parts: dict[str, list[Part]] = field(default_factory=dict)
    """What each line consists of."""
    children: dict[str, list[str]] = field(default_factory=dict)
    """The branches that leave each line."""
    merged: dict[str, list[str]] = field(default_factory=dict)
    """The branches that were merged into each line."""
    outputs: dict[int, Outputs] = field(default_factory=dict)
    """What each step, by its key, gives to those after it."""
    plain: dict[str, str] = field(default_factory=dict)
    """The version that plain cells gave each name last."""
    made_in: dict[str, str] = field(default_factory=dict)
    """The id of the plain cell that made a name last, where that is known."""
    outputs_of_inputs: dict[tuple[int, str, frozenset[tuple[str, str]]], tuple[Outputs, Flow]] = (
        field(default_factory=dict)
    )
    """What attempts wrote, and their flows, by step, code and inputs."""
    makers: dict[int, Mapping[str, Writer]] = field(default_factory=dict)
    """By a step: who made the objects of names that it gives, where that is not the step."""
    names_written: dict[tuple[int, str], frozenset[str]] = field(default_factory=dict)
    """The names that any attempt may have written, by step and code."""
    wholes: dict[str, str] = field(default_factory=dict)
    """By a part of a place, the place: who asked for that asked for all its parts."""
    written_at: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """By a name, the positions where attempts ended that wrote it, with the keys of their steps."""
    shared: dict[str, set[str]] = field(default_factory=dict)
    """The names that shared an object at some time, by each of them."""
    renaming: set[int] = field(default_factory=set)
    """The keys of steps that gave an index another name."""
    runs: dict[str, tuple[set[str], set[str]]] = field(default_factory=dict)
    """What functions and classes of a name could do at some time: the names that they write, and
    read."""
    callers: dict[str, set[str]] = field(default_factory=dict)
    """The names of functions that read a name."""
    confirmed: dict[int, Rests] = field(default_factory=dict)
    """What a step rested on when a person confirmed it."""
    inherited: dict[str, dict[int, Outputs]] = field(default_factory=dict)
    """What steps give on a branch that revises one before them."""
    processes: set[str] = field(default_factory=set)
    """Those in which the session was started and those in which steps ran."""
    changes: list[int] = field(default_factory=list)
    """Keys of steps whose doubts changed, one after the other, for who follows them."""
