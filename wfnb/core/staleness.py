"""flows of steps -> which steps are stale, and which of their inputs made them so (rule 8).

The rule. ✓ promises: with the cells as they were last run, the step's line, run from the top, gives
this result. So every line has an order, that of a run from the top: its steps by number, those
inherited up to the fork first, each followed at once by the steps that revise it (whatever number
they have), and those by what revises them. What the line gives a step, for a name that it read, is
what the last writer before it in that order left. A step is fresh where every name that its last
attempt read had that version, and stale otherwise.

What a step gives to those after it:

* a fresh one gives what its last attempt wrote;
* a stale one gives what an earlier attempt wrote that ran the same code over what the line gives it
  now, where there was such an attempt: it would write that again;
* else nobody knows: each name that it wrote, or could have changed, has a version of its own
  (`?KEY`) that no attempt has read, so that all who read it are stale until it has run. What it
  imports from a library it gives whatever it reads, and so constants and functions that it binds
  before all else.

A step that changes an object in place changes it under each of its names. Which those are is seen
when it runs: a name that shared the object at some time, and had another object than the line gives
it when the step ran last, has a version that nobody knows after it, too.

    1 a = [1]     2 b = a     3 a.append(2)     4 sum(b)

    Run 1, 2, 3, 1, 3, 2, 4: step 3 changed the `a` of step 1, before `b` was the same list.

    1 x = load()     2 m = mean(x)     3 (revises 1) x = clean(x)

    The order is 1, 3, 2. Step 2 read the x of step 1; the line gives it that of step 3: stale.

Names that no step of the line writes come from cells that are no steps: plain cells. As long as
those do not use what steps wrote, each name has the one version that was observed last (`plain`).
What they made out of values of steps is given by no line. A name that no step asked for was not
observed: where a step fails for want of it in a second kernel, a cell of the first may give it.

The cost of an event is that of the steps that it concerns. An index has, for each line and name,
who writes and who reads it, in order; a change goes from a writer to the readers up to the next
writer. A branch that was merged into a line stands in it, with what its own line gave, after the
step that was the last one then. A branch that revises a step that it inherited sees the inherited
steps after that one otherwise than their own line does; for such a branch they are gone through
again (`inherited`). Steps of which no flow is known (words alone, steps of programs) go by
position: `apply` marks them.

Tried and given up: working out all of a line anew for each event (simple, but 20 ms at 10,000
steps, so that running n changed cells costs n²); letting `?KEY` depend on what the step would read
(then each cell of such a run changes all that follow).
"""

from __future__ import annotations

import builtins
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Mapping
from heapq import heappop, heappush

from .data_flow import (
    ABSENT,
    ANY,
    DATA,
    INDEX_OF,
    LIBRARY,
    LOST,
    OF,
    OPEN,
    PLAIN,
    Doubt,
    Flow,
    Index,
    Made,
    Order,
    Outputs,
    Part,
    Read,
    Rests,
    Staleness,
    Writer,
)
from .queries import depth, lineage
from .run_all_order import (
    LAST,
    comes_after,
    first_after,
    last_before,
    lines_from,
    order_of,
    parts_of,
)
from .session import Session, Step


def attempt_ended(session: Session, step: Step, flow: Flow | None) -> set[int]:
    """An attempt of the step ended, with this flow (None: what it did is not known). Returns the
    keys of the steps that became stale by it."""
    facts = session.staleness
    # The index has the step by the names of its last flow: it goes out before that is another.
    _leave(facts, step)
    failed = step.outcome is not None and step.outcome.status == "failed"
    step.certain = flow is not None and step.outcome is not None and step.outcome.status in ENDED
    step.flow = flow or step.flow
    if step.flow is None:
        return set()
    wave = _Wave(session)
    if flow is not None:
        names = (*flow.reads, *flow.absent, *flow.writes)
        facts.wholes.update((name, name.partition(OF)[0]) for name in names if OF in name)
        _record_calls(wave, facts, flow)
        if flow.renames:
            facts.renaming.add(step.key)
        _share(wave, session, flow)
        if step.certain:
            _remember(session, step, flow, failed)
        for name, (version, by) in {**flow.perhaps, **flow.aliases, **flow.reads}.items():
            if by == PLAIN:
                wave.plain(name, version)
        for name in flow.absent:
            is_unknown = failed and len(facts.processes) > 1 and _is_missing(name)
            facts.plain.setdefault(name, LOST if is_unknown else ABSENT)
        facts.made_in.update(flow.cells)
        for name in flow.writes:
            facts.written_at.setdefault(name, []).append((step.end, step.key))
    if step.is_counting:
        _enter(session, step)
        wave.check(step)
    return wave.run()


def plain_names_changed(session: Session, versions: Mapping[str, str]) -> set[int]:
    """Cells that are no steps gave these names other versions. Returns who became stale."""
    wave = _Wave(session)
    for name, version in versions.items():
        wave.plain(name, version)
    return wave.run()


def confirm(session: Session, step: Step) -> set[int]:
    """The step holds for what its line gives it now, a person says."""
    if step.flow is None or not step.is_counting:
        return set()
    session.staleness.confirmed[step.key] = _rests_on(session, step, step.branch)
    step.certain = True
    wave = _Wave(session)
    wave.check(step)
    return wave.run()


def rebuild(session: Session) -> set[int]:
    """The order of a line has changed, or steps no longer count: all is worked out again."""
    facts = session.staleness
    # They go by the order of lines and by which steps count: none can be mended alone.
    for index in (
        facts.lines,
        facts.outputs,
        facts.makers,
        facts.inherited,
        facts.merged,
        facts.parts,
    ):
        index.clear()
    for line in session.lines.values():
        if line.merged_into is not None:
            facts.merged.setdefault(line.merged_into, []).append(line.id)
    wave = _Wave(session)
    for step in session.steps.values():
        update_stale_set(session, step)
        if step.flow is not None and step.is_counting:
            _enter(session, step)
            wave.push(step)
        elif step.doubts:
            _doubt(session, step, ())
    return wave.run()


def given_to(
    session: Session, step: Step, line: str | None = None
) -> Iterator[tuple[str, str, int | None]]:
    """For each name that the step asked for: the version that its line gives, and the key of the
    step that wrote it (None: no step of the line). `line` is one that inherits the step. Of those
    that it asked for perhaps, the ones that the line gives or deletes: of code that cannot be seen,
    most names are not meant."""
    flow, facts = step.flow, session.staleness
    assert flow is not None
    parts = parts_of(session, line or step.branch)
    order = facts.lines[step.branch].order[step.key]
    for name in (*flow.reads, *flow.absent):
        yield name, *_given_name(facts, parts, name, order)
    for name, place in facts.wholes.items():
        # What it sets itself, and has not asked for, it sets first.
        if place in flow.absent and not any(name in each for each in (flow.reads, flow.writes)):
            version, writer = _given_name(facts, parts, name, order)
            if version != ABSENT and name not in flow.absent:
                yield name, version, writer
    for name in flow.perhaps:
        version, writer = _given_name(facts, parts, name, order)
        if version != ABSENT or writer is not None:
            yield name, version, writer


def _given_name(
    facts: Staleness, parts: list[Part], name: str, order: Order
) -> tuple[str, int | None]:
    """What a line gives at that place for a name, and which step wrote it, if one did."""
    return _writer(facts, parts, name, order) or (facts.plain.get(name, ABSENT), None)


def kept_version(step: Step, name: str) -> Read | None:
    """The version that a name had when the step kept its value; None where that is not known. A
    later attempt may have written another, and have kept nothing."""
    flow = step.kept_flow
    if flow is None:
        return None
    if name in flow.writes:
        return flow.writes[name], step.key
    return flow.reads.get(name) or flow.held.get(name)


def kept_maker(session: Session, step: Step, name: str) -> Made | None:
    """Who had made the object of a name when the step kept its value, with the names that shared it
    then and are made elsewhere; None where that is who wrote it."""
    flow, read = step.kept_flow, kept_version(step, name)
    if flow is None or read is None:
        return None
    writer = session.steps.get(read[1])
    maker = flow.makers_left.get(name) or flow.makers.get(name)
    wrote = flow if name in flow.writes else writer and writer.flow
    if maker is None or not wrote:
        return None
    met = {name: by for name, (_, by) in {**wrote.reads, **wrote.aliases}.items()}
    met |= {**wrote.makers, **wrote.makers_left}
    others = (
        o for o in wrote.shares.get(name, ()) if o not in wrote.writes or o in wrote.makers_left
    )
    return maker, {other: met[other] for other in others if other in met}


def is_open(version: str) -> bool:
    """Whether it stands for what a stale step would write."""
    return version.startswith(OPEN)


ENDED = ("ok", "failed")
"""How an attempt ends that did all that its code does."""


def _assess(
    session: Session, step: Step, line: str | None = None
) -> tuple[tuple[Doubt, ...], Outputs]:
    """Why the step is stale on a line, and what it gives to those after it.

    The two are asked in one, as both go through what the line gives the step. A fresh one gives
    what its last attempt wrote.
    """
    flow, facts = step.flow, session.staleness
    assert flow is not None
    doubts: list[Doubt] = []
    given: set[tuple[str, str]] = set()
    others: dict[str, Doubt] = {}
    for name, version, writer in given_to(session, step, line):
        if version != ABSENT or OF not in name:  # a part that is as it was at first is not set
            given.add((name, version))
        was, by = flow.reads.get(name) or flow.perhaps.get(name) or (ABSENT, None)
        if was != version or was.startswith(LOST):
            doubts.append(Doubt(name=name, read_from=by, given_by=writer, open=is_open(version)))
        elif name in facts.shared and _is_other_object(session, flow, name, by, writer):
            others[name] = Doubt(name=name, read_from=by, given_by=writer, copy=True)
    misled = [others[name] for name in others if _needs_that_object(facts, flow, name)]
    misled += _other_aliases(session, step, flow, line or step.branch) if flow.aliases else []
    doubts += misled
    confirmed = facts.confirmed.get(step.key) if doubts else None
    if confirmed is not None and confirmed == _rests_on(session, step, line or step.branch):
        doubts = []
    if step.certain and not doubts:
        ran_over = step.key, flow.code, _inputs(session, step, flow)
        gives, ran = facts.outputs_of_inputs.get(ran_over, (flow.writes, flow))
        return (), _left_over(session, step, gives, ran, line)
    return tuple(doubts), _stale_outputs(session, step, given, line, bool(misled))


def _is_other_object(
    session: Session, flow: Flow, name: str, by: Writer | None, writer: int | None
) -> bool:
    """Whether what an attempt met under a name, as `by` left it, is another object than the line
    gives it, as `writer` leaves it, where both have one version: two steps may make the like.

        1 a = []     2 b = a     3 1     4 b.append(2)     5 len(a)

    Step 3 becomes `a = []` and is run: `a` is what step 4 met, and yet no longer `b`."""
    made = flow.makers.get(name, PLAIN if by is None else by)
    return max(made, PLAIN) != maker(session, name, writer)


def maker(session: Session, name: str, writer: int | None) -> Writer:
    """Who bound the name to the object that it has as `writer` leaves it."""
    if writer is None:
        return PLAIN
    return max(session.staleness.makers.get(writer, {}).get(name, writer), PLAIN)


def _other_aliases(session: Session, step: Step, flow: Flow, line: str) -> Iterator[Doubt]:
    """For each name whose object an attempt changed under another name of it, and of which the line
    gives the like: that would not change."""
    parts, facts = parts_of(session, line), session.staleness
    order = facts.lines[step.branch].order[step.key]
    for name, (version, by) in flow.aliases.items():
        given, writer = _given_name(facts, parts, name, order)
        if given == version and _is_other_object(session, flow, name, by, writer):
            yield Doubt(name=name, read_from=by, given_by=writer, copy=True)


def _needs_that_object(facts: Staleness, flow: Flow, name: str) -> bool:
    """Whether it matters which object an attempt read under a name, beside what is in it: where the
    attempt changed it, made something that holds it, or read another name that shared it once."""
    if name in flow.writes or any(name in others for others in flow.shares.values()):
        return True
    return not sharing(facts, (name,)).isdisjoint(flow.reads.keys() - {name})


def _stale_outputs(
    session: Session, step: Step, given: set[tuple[str, str]], line: str | None, misled: bool
) -> Outputs:
    """What a step that is stale or not certain gives, where the line gives it these versions;
    `misled`: of other objects than those that it met.

    an earlier attempt ran over what is there now   what that one wrote
    else                                            nobody knows: `?KEY` for each name
    """
    flow, facts = step.flow, session.staleness
    assert flow is not None
    sure = not misled and not any(version.startswith((LOST, OPEN)) for _, version in given)
    # Code that cannot be seen may have read other names than those that are known of it.
    inputs = frozenset(given) if sure and not flow.perhaps else None
    again = None if inputs is None else facts.outputs_of_inputs.get((step.key, flow.code, inputs))
    if again is not None:
        gives, ran = again
        # A file may have changed since the earlier attempt, which this one has seen.
        if flow.calls_unseen and ran is not flow:
            gives = {**gives, **_differing(step, gives, flow.writes)}
        return _left_over(session, step, gives, ran, line)
    lost = dict.fromkeys(
        may_write(facts, step) | _names_written_by_calls(facts, step), f"{OPEN}{step.key}"
    )
    there_now = (v for name, v in given if name in flow.absent and name not in facts.runs)
    if all(version.startswith((DATA, LIBRARY)) for version in there_now if version != ABSENT):
        lost.pop(ANY, None)  # what it lacked is still not there, or it is known what it writes
    # What an import gives is known, unless code sets that in its module, or uses it above that.
    read = {name: version for name, (version, _) in flow.reads.items()}
    if all((name, read[name]) in given for name in flow.imports if name in read):
        others = {LIBRARY + name for name, version in given if version != read.get(name, ABSENT)}
        lost |= {name: v for name in flow.imports if (v := flow.writes[name]) not in others}
    return lost


def _differing(step: Step, then: Outputs, now: Outputs) -> Outputs:
    """The names that two attempts of one code wrote otherwise, over other inputs. Where it calls
    what reads files, nobody knows whether the earlier would find there what it found."""
    differ = (name for name in then.keys() | now.keys() if then.get(name) != now.get(name))
    return dict.fromkeys(differ, f"{OPEN}{step.key}")


def _left_over(
    session: Session, step: Step, gives: Outputs, flow: Flow, line: str | None
) -> Outputs:
    """What an attempt of this flow, which wrote `gives`, gives on this line.

    Three kinds of names are open where the line gives them otherwise than the attempt met them:

        unsure     it may have bound them to the object that they held
        aliases    they share an object that it changes; one that the line does not give is absent
        apart      they shared an object with one that it changes, at some time

    Otherwise is: in another version; of `apart`, also as another object of that version. A step
    that met another object itself is stale.
    """
    facts = session.staleness
    if line is None and flow.makers_left:
        facts.makers[step.key] = flow.makers_left
    shared = _shared_names(facts, flow)
    if not flow.unsure and not shared:
        return gives
    parts = parts_of(session, line or step.branch)
    order = facts.lines[step.branch].order[step.key]
    open_names = {
        name
        for name, version in flow.unsure.items()
        if name not in gives and _given_name(facts, parts, name, order)[0] != version
    }
    gone: set[str] = set()
    for name, (version, _) in flow.aliases.items():
        given, _ = _given_name(facts, parts, name, order)
        if given != version and not version.startswith(LOST):
            (gone if given == ABSENT else open_names).add(name)
    for name in shared - gives.keys() - flow.unsure.keys() - flow.names_needed():
        given, writer = _given_name(facts, parts, name, order)
        is_alike = given == flow.apart.get(name) and (
            name not in flow.makers or not _is_other_object(session, flow, name, None, writer)
        )
        if given == ABSENT or writer is None or is_alike:
            continue
        made = session.steps[writer]
        if name in flow.apart or not _ran_over(session, step, flow, name, made, given):
            open_names.add(name)
    given_names = {name: version for name, version in gives.items() if name not in gone}
    return {**given_names, **dict.fromkeys(open_names, f"{OPEN}{step.key}")}


def _ran_over(
    session: Session, step: Step, flow: Flow, name: str, writer: Step, given: str
) -> bool:
    """Whether an attempt of this flow, which did not name it, ran while the name held what the last
    attempt of `writer` had left there, as the line has it (`given`). That two names share an object
    may be found by a later step, and be so since then alone:

        1 df = ...     2 fig, ax = plt.subplots()     3 df["w"] = 3     4 ax.plot(df.w)
    """
    if flow is not step.flow or writer.process != step.process or step.process is None:
        return False
    if writer.flow is None or writer.flow.writes.get(name) != given:
        return False
    log = session.staleness.written_at.get(name, [])
    at = bisect_left(log, (step.end,))
    return at > 0 and log[at - 1] == (writer.end, writer.key)


def sharing(facts: Staleness, names: Iterable[str]) -> set[str]:
    """These names, and those that shared an object with one of them at some time."""
    reached, waiting = set(names), list(names)
    while waiting:
        new = facts.shared.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new
    return reached


def _shared_names(facts: Staleness, flow: Flow | None) -> set[str]:
    """The names that may share an object which an attempt of this flow changed in place."""
    if flow is None:
        return set()
    found = sharing(facts, (flow.reads.keys() & flow.writes.keys()) | flow.aliases.keys())
    if flow.renames:
        same = sharing(facts, {INDEX_OF + name for name in flow.renames})
        found |= sharing(facts, {name.removeprefix(INDEX_OF) for name in same})
    return found


def given_to_shared_names(session: Session, step: Step) -> Iterator[tuple[str, str, int | None]]:
    """As `given_to`, for the names that may share an object which the step changes in place."""
    flow, facts = step.flow, session.staleness
    if flow is not None:
        parts = parts_of(session, step.branch)
        order = facts.lines[step.branch].order[step.key]
        for name in sorted(_shared_names(facts, flow) - flow.names_needed()):
            yield name, *_given_name(facts, parts, name, order)


def _share(wave: _Wave, session: Session, flow: Flow) -> None:
    """Names share an object since this attempt: each step that changes one of them in place may
    now write the others, too, and is entered into the index anew."""
    facts = session.staleness
    pairs = {(name, other) for name, others in flow.shares.items() for other in others}
    pairs = {(a, b) for a, b in pairs if b not in facts.shared.get(a, ())}
    if not pairs:
        return
    near = sharing(facts, {name for pair in pairs for name in pair})
    keys = {
        key
        for index in facts.lines.values()
        for name in near
        for _, key in index.writers.get(name, ())
    }
    # What shares with what has an index in common with theirs is written by these, too.
    for index in facts.lines.values():
        keys |= facts.renaming & index.order.keys()
    steps = [session.steps[key] for key in keys]
    # Out of the index by the names that shared an object so far, and in again by those that do now.
    for step in steps:
        _leave(facts, step)
    for a, b in pairs:
        facts.shared.setdefault(a, set()).add(b)
        facts.shared.setdefault(b, set()).add(a)
    for step in steps:
        _enter(session, step)
        wave.push(step)


def _rests_on(session: Session, step: Step, line: str) -> Rests:
    """What the step read, what the line gives it, and what it gives those that would write what is
    open. Who confirms a step has seen the result of what it read: run over something else, it is
    not the one that was confirmed."""
    assert step.flow is not None
    read = {**step.flow.perhaps, **step.flow.reads}
    inputs = {(step.key, "", name, version) for name, (version, _) in read.items()}
    inherited = {part.id for part, _ in lineage(session, session.lines[line])}
    waiting, done = [step], {step.key}
    while waiting:
        one = waiting.pop()
        assert one.flow is not None
        seen_from = line if one.branch in inherited else one.branch  # it was merged
        for name, version, writer in given_to(session, one, seen_from):
            inputs.add((one.key, one.flow.code, name, version))
            if writer is not None and writer not in done and is_open(version):
                done.add(writer)
                waiting.append(session.steps[writer])
    return frozenset(inputs)


def _remember(session: Session, step: Step, flow: Flow, failed: bool) -> None:
    """What an attempt wrote. A name that it may have bound, to the object that was there, it did
    bind if it did so before, with the same code and inputs. One that failed for want of a name may
    call what will have that name, and nobody knows yet what this changes."""
    facts, key = session.staleness, step.key
    wrote = facts.names_written.get((key, flow.code), frozenset()) - {ANY}
    unknown = (ANY,) if failed and any(map(_is_missing, flow.absent)) else ()
    facts.names_written[key, flow.code] = wrote.union(
        flow.writes, flow.possible, flow.unsure, unknown
    )
    inputs = (key, flow.code, _inputs(session, step, flow))
    before, _ = facts.outputs_of_inputs.get(inputs, ({}, flow))
    again = {name: before[name] for name in flow.unsure if name in before}
    facts.outputs_of_inputs[inputs] = ({**again, **flow.writes} if again else flow.writes), flow


def may_write(facts: Staleness, step: Step) -> frozenset[str]:
    """The names that the step's code may write: those that it was seen to, in any attempt; ANY
    among them where one failed before it was seen what it calls."""
    flow = step.flow
    assert flow is not None
    wrote = facts.names_written.get((step.key, flow.code), frozenset())
    return wrote.union(flow.writes, flow.possible, flow.unsure, _shared_names(facts, flow))


def _names_written_by_calls(facts: Staleness, step: Step) -> frozenset[str]:
    """The names that functions and classes may write which the step may call: those that its line
    gives it now may do what those that it called did not."""
    if step.flow is None or facts.runs.keys().isdisjoint(step.flow.names_needed()):
        return frozenset()
    written: set[str] = set()
    waiting, done = list(step.flow.names_needed()), set()
    while waiting:
        name = waiting.pop()
        if name in facts.runs and name not in done:
            done.add(name)
            writes, reads = facts.runs[name]
            written |= writes
            waiting += reads
    return frozenset(sharing(facts, written))


def _record_calls(wave: _Wave, facts: Staleness, flow: Flow) -> None:
    """Remember what functions and classes may do. Where that is more than before, it concerns who
    reads them, or what calls them."""
    new: list[str] = []
    for name, (writes, reads) in flow.runs.items():
        writable, readable = facts.runs.setdefault(name, (set(), set()))
        if not (writable.issuperset(writes) and readable.issuperset(reads)):
            new.append(name)
        writable.update(writes)
        readable.update(reads)
        for each in reads:
            facts.callers.setdefault(each, set()).add(name)
    done: set[str] = set()
    while new:
        name = new.pop()
        if name not in done:
            done.add(name)
            wave.push_readers(name)
            new += facts.callers.get(name, ())


def _is_missing(name: str) -> bool:
    """Whether a name that was not there is none of Python's own. What is set in modules is no name,
    and nothing that code lacks."""
    return name.isidentifier() and not hasattr(builtins, name)


def _relevant_names(facts: Staleness, step: Step) -> set[str]:
    """The names of which the version before the step matters for what it gives."""
    assert step.flow is not None
    return step.flow.names_needed().union(step.flow.unsure, _shared_names(facts, step.flow))


def _inputs(session: Session, step: Step, flow: Flow) -> frozenset[tuple[str, str]]:
    """What it read, and what it may have read of what the steps before it and plain cells made."""
    reads = flow.reads
    if flow.perhaps:
        before, steps = {by for _, by in flow.perhaps.values() if by > PLAIN}, session.steps
        # One that was undone is no step any more, though what it wrote may still be in the kernel.
        before = {by for by in before if by in steps and comes_after(session, step, steps[by])}
        makers = before | {PLAIN}
        reads = {name: read for name, read in flow.perhaps.items() if read[1] in makers} | {**reads}
    versions = [(name, version) for name, (version, _) in reads.items()]
    absent = ((name, ABSENT) for name in flow.absent if OF not in name)
    return frozenset([*versions, *absent])


def _doubt(session: Session, step: Step, doubts: tuple[Doubt, ...]) -> None:
    step.doubts = doubts
    session.staleness.changes.append(step.key)
    update_stale_set(session, step)


def update_stale_set(session: Session, step: Step) -> None:
    """The step is in the session's set of stale steps where it is stale."""
    (session.stale.add if step.stale else session.stale.discard)(step.key)


# the index: who writes and who reads a name, in that order


def _enter(session: Session, step: Step) -> None:
    facts = session.staleness
    index = facts.lines.setdefault(step.branch, Index())
    order = index.order[step.key] = order_of(session, step)
    for name in {facts.wholes.get(name, name) for name in _relevant_names(facts, step)}:
        _insert(index.readers.setdefault(name, []), (order, step.key))
    for name in may_write(facts, step):
        _insert(index.writers.setdefault(name, []), (order, step.key))
    _index_calls(facts, step)
    if order[0][0] <= session.lines[step.branch].leaves:  # it revises an inherited step
        facts.inherited.setdefault(step.branch, {})


def _insert(places: list[tuple[Order, int]], place: tuple[Order, int]) -> None:
    if not places or places[-1] < place:  # as a history grows, it is nearly always the last
        places.append(place)
    else:
        insort(places, place)


def _leave(facts: Staleness, step: Step) -> None:
    index = facts.lines.get(step.branch)
    if index is None or step.flow is None or step.key not in index.order:
        return
    place = (index.order.pop(step.key), step.key)
    for name in {facts.wholes.get(name, name) for name in _relevant_names(facts, step)}:
        index.readers[name].remove(place)
    for name in may_write(facts, step) | index.through.pop(step.key, frozenset()):
        index.writers[name].remove(place)


def _index_calls(facts: Staleness, step: Step) -> None:
    """What the step may call is known to write other names than before, or names at all."""
    index = facts.lines[step.branch]
    new = _names_written_by_calls(facts, step) - may_write(facts, step)
    old = index.through.get(step.key, frozenset())
    if new != old:
        place = (index.order[step.key], step.key)
        for name in old - new:
            index.writers[name].remove(place)
        for name in new - old:
            _insert(index.writers.setdefault(name, []), place)
        index.through[step.key] = new


def _given_versions(facts: Staleness, parts: list[Part], key: int) -> Outputs:
    """What a step gives as the line of these parts sees it."""
    if facts.inherited:
        for part in parts:
            if key in facts.inherited.get(part.line, ()):
                return facts.inherited[part.line][key]
    return facts.outputs.get(key, {})


def _writing(
    facts: Staleness, parts: list[Part], name: str
) -> Iterator[tuple[Part, list[tuple[Order, int]]]]:
    """Who may write the name, on each of the lines."""
    for part in parts:
        index = facts.lines.get(part.line)
        # A step that failed before it was seen what it calls may write any name.
        for each in (name, ANY) if index else ():
            if entries := index and index.writers.get(each):
                yield part, entries


def _writer(facts: Staleness, parts: list[Part], name: str, order: Order) -> tuple[str, int] | None:
    """The version that the last writer of the name before that place left, and its key."""
    while True:
        last: tuple[Order, int] | None = None
        for part, entries in _writing(facts, parts, name):
            one = last_before(entries, order, part)
            if one is not None and (last is None or one > last):
                last = one
        if last is None:
            return None
        order, key = last
        gives = _given_versions(facts, parts, key)
        if name in gives:
            return gives[name], key
        if ANY in gives and _is_missing(name):
            return gives[ANY], key


def _next_writer(facts: Staleness, parts: list[Part], name: str, order: Order) -> Order | None:
    """The place of the first writer of the name after that place."""
    while True:
        first: tuple[Order, int] | None = None
        for part, entries in _writing(facts, parts, name):
            one = first_after(entries, order, part)
            if one is not None and (first is None or one < first):
                first = one
        if first is None:
            return None
        order, key = first
        gives = _given_versions(facts, parts, key)
        if name in gives or (ANY in gives and _is_missing(name)):
            return order


class _Wave:
    """A change on its way from writers to readers: each step is checked after those before it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._facts = session.staleness
        self._waiting: list[tuple[int, Order, int]] = []
        self._stale: set[int] = set()
        self._lines: set[str] = set()

    def push(self, step: Step) -> None:
        order = self._facts.lines[step.branch].order[step.key]
        line = self._session.lines[step.branch]
        # Main first, then what leaves it: a branch inherits what is given there.
        heappush(self._waiting, (depth(self._session, line), order, step.key))

    def plain(self, name: str, version: str) -> None:
        """A plain cell gave the name that version."""
        if self._facts.plain.get(name) != version:
            self._facts.plain[name] = version
            if OF in name:
                self._facts.wholes[name] = name.partition(OF)[0]
            self.push_readers(name)

    def push_readers(self, name: str) -> None:
        """Push who reads the name, on any line."""
        for line, index in self._facts.lines.items():
            self._lines.add(line)
            for _, key in index.readers.get(self._facts.wholes.get(name, name), ()):
                self.push(self._session.steps[key])

    def run(self) -> set[int]:
        """Check what the change reaches. Returns the keys of the steps that became stale."""
        while self._waiting or self._branches_that_revise() or self._recheck_confirmed():
            last = -1
            while self._waiting:
                _, _, key = heappop(self._waiting)
                if key != last:
                    self.check(self._session.steps[key])
                last = key
        return self._stale

    def check(self, step: Step) -> None:
        """Work out whether the step is stale and what it gives, and pass on what that changes."""
        facts = self._facts
        _index_calls(facts, step)
        made = facts.makers.pop(step.key, None)
        doubts, gives = _assess(self._session, step)
        if doubts != step.doubts:
            if not step.stale:
                self._stale.add(step.key)
            _doubt(self._session, step, doubts)
        before = facts.outputs.get(step.key, {})
        if made != facts.makers.get(step.key):
            # Who reads what is alike is checked, too: it may be another object.
            before = dict.fromkeys(before, OPEN)
        if gives != before:
            facts.outputs[step.key] = gives
            self._lines.add(step.branch)
            self._push_readers(step.branch, facts.lines[step.branch].order[step.key], before, gives)

    def _push_readers(self, line: str, order: Order, before: Outputs, gives: Outputs) -> None:
        """Push who reads, after that place, a name that is given otherwise: up to its next
        writer, on the line and on those that inherit the place."""
        session, facts = self._session, self._facts
        names = [name for name in {*before, *gives} if before.get(name) != gives.get(name)]
        for each, place in lines_from(session, line, order):
            index, parts = facts.lines.get(each), parts_of(session, each)
            if index is None:
                continue
            # Code of which nobody knows what it writes came or went: that concerns who reads
            # anything.
            for name in index.readers if ANY in names else names:
                readers = index.readers.get(facts.wholes.get(name, name))
                if not readers:
                    continue
                end = _next_writer(facts, parts, name, place)
                for at in range(bisect_left(readers, (place, LAST)), len(readers)):
                    # The next writer may read the name before it writes it. A step after it reads
                    # what that one wrote.
                    if end is not None and readers[at][0] > end:
                        break
                    self.push(session.steps[readers[at][1]])

    def _recheck_confirmed(self) -> bool:
        """Check again what was confirmed over what is open: that looks the same to its readers,
        whatever changes before it. Whether there is more to check then."""
        for key, rests in self._facts.confirmed.items():
            step = self._session.steps[key]
            if step.is_counting and any(is_open(version) for *_, version in rests):
                self.check(step)
        return bool(self._waiting)

    def _branches_that_revise(self) -> bool:
        """Work out again what inherited steps give on branches that revise one of them, where
        something changed on a line of theirs. Whether there is more to check then."""
        session, facts = self._session, self._facts
        lines, self._lines = self._lines, set()
        for branch, before in facts.inherited.items() if lines else ():
            if lines.isdisjoint(part.line for part in parts_of(session, branch)):
                continue
            now = facts.inherited[branch] = self._inherited_gives(branch)
            for key in {*before, *now}:
                was, becomes = (
                    gives.get(key, facts.outputs.get(key, {})) for gives in (before, now)
                )
                order = facts.lines[session.steps[key].branch].order.get(key)
                if was != becomes and order is not None:
                    self._push_readers(branch, order, was, becomes)
        return bool(self._waiting)

    def _inherited_gives(self, branch: str) -> dict[int, Outputs]:
        """What the inherited steps give on the branch, where that is not what they give on their
        own line: worked out in order, so that each sees those before it."""
        session, facts = self._session, self._facts
        # Known while it is filled: each step is given what those before it give on this branch.
        inherited = facts.inherited[branch] = {}
        places = []
        for part in parts_of(session, branch)[1:]:
            index = None if part.after else facts.lines.get(part.line)
            order = index.order.items() if index else ()
            places += [(at, key) for key, at in order if part.bound is None or at < part.bound]
        for _, key in sorted(places):
            _, gives = _assess(session, session.steps[key], branch)
            if gives != facts.outputs.get(key, {}):
                inherited[key] = gives
        return inherited
