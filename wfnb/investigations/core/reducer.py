"""event -> the investigation after it: `apply` for what steps found, in the time of one step."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, assert_never

from wfnb.core.events import Cell, Json, StepFinished, Version
from wfnb.core.events import Event as SessionEvent
from wfnb.core.findings import Findings, Look
from wfnb.core.queries import following_steps, step_at
from wfnb.core.session import Line, Session, Step

from .events import (
    NAME,
    AdviceTaken,
    Backtracked,
    CarriedFindings,
    Event,
    HypothesisJudged,
    KindChosen,
    LookedAt,
    TotalExtended,
)
from .investigation import (
    FindingsIndex,
    Investigation,
    InvestigationState,
    StepEvidence,
    current_evidence,
    evidence_of,
    investigation_of,
    state_of,
)
from .kind_reader import recorded_kind
from .repeated_requests import advice_request, ask, backtrack_request
from .text_normalization import is_phrase, same_text, words
from .unresolved_failures import has_end, is_change, unresolved

NOTHING = Findings()
_COUNTERS = (
    *("findings", "words", "files", "relevant", "context", "issues", "severities"),
    *("looks", "seen", "opened", "places", "used", "about"),
)
_BESIDE = ("shown", "conflicts")


def apply(session: Session, event: Event) -> None:
    """Change the session as the event says."""
    state = _opened_state(session)
    match event:
        case KindChosen():
            _choose(session, state, event)
        case LookedAt(looks=looks):
            if state.now is not None:
                state.now.looks += looks
        case Backtracked():
            _withdraw(session, state, event)
        case TotalExtended():
            ask(state, session.position, event.cell, "extend")
            session.total = event.new_total
            if state.now is not None:
                state.now.extended.append(event)
        case AdviceTaken():
            ask(state, session.position, event.cell, advice_request(event.asked))
            if state.now is not None:
                _advise(state.now, event)
        case HypothesisJudged():
            if state.now is not None:
                state.now.judged.append((session.position, event))
        case _:
            assert_never(event)


def _opened_state(session: Session) -> InvestigationState:
    state = session.states[NAME] = state_of(session)
    return state


def _choose(session: Session, state: InvestigationState, event: KindChosen) -> None:
    """Investigate from here on. One investigation that follows another goes on with what was
    found; another kind begins to count its steps anew, the same one goes on with them, though its
    file was changed."""
    before = state.now
    # Remembered before anything else: also a cell that ends the investigation may run again.
    chosen = choice(event.cell, None if event.kind is None else event.kind["name"])
    if chosen is not None:
        state.choices.add(chosen)
    if event.kind is None:
        state.now = None
        return
    kind = recorded_kind(event.kind)
    if before is None or before.kind.name != kind.name:
        now = Investigation(
            kind=kind,
            since=session.position if before is None else before.since,
            chosen=session.position,
            # Where each line stood when the kind was chosen: its steps are counted from there.
            bases={line.id: (line.numbers or [line.leaves])[-1] for line in session.lines.values()},
        )
        # The total of another kind was worked out by other rules.
        session.total = None
    else:
        now = before
    state.now = now
    now.kind = kind
    now.pause, now.reviewer, now.planner = event.pause, event.reviewer, event.planner
    if before is not None and before is not now:
        now.found, now.advice, now.carried = before.found, before.advice, before.carried
        _note_runs(session, now, before.looks)
        now.brought, now.judged = before.brought, before.judged
        now.fields = {name: each for name, each in before.fields.items() if name in kind.fields}
    # None leaves what was carried before: choosing the kind again must not take it away.
    if event.carried not in (None, now.carried):
        if now.carried is not None:
            _take(now.found, now.carried.found, _carried_looks(now.carried))
        now.carried = event.carried
        _carry(now)


def choice(cell: Cell | None, kind: str | None) -> tuple[str, str, str] | None:
    """What is known of a choice that a cell made, by which it is recognised when the cell runs
    again; None without a cell's id. A kind that is None is no longer one."""
    return None if cell is None or cell.id is None else (cell.id, cell.source, kind or "")


def clear(session: Session) -> None:
    """All steps are put away: the kind stays, and nothing was found yet; what failed and did not
    succeed since has failed all the same."""
    old = investigation_of(session)
    session.states[NAME] = state = InvestigationState()
    if old is not None:
        state.now = Investigation(
            kind=old.kind,
            since=session.position,
            chosen=session.position,
            pause=old.pause,
            reviewer=old.reviewer,
            planner=old.planner,
            carried=old.carried,
        )
        _carry(state.now)
        ran = (look for key in sorted(old.found.runs) for look in old.found.runs[key])
        left = unresolved((*ran, *old.looks)).values()
        _note_runs(session, state.now, [*dict.fromkeys(look for look in left if look.failed)])


def _carry(now: Investigation) -> None:
    """Add what another session's investigation found, and its fields where the kind has them."""
    if now.carried is not None:
        _add(now.found, now.carried.found, _carried_looks(now.carried))
        now.brought = frozenset(map(same_text, now.carried.found.findings))
        carried = now.carried.fields.items()
        now.fields |= {name: value for name, value in carried if name in now.kind.fields}


def _carried_looks(carried: CarriedFindings) -> tuple[Look, ...]:
    """The files that were opened there."""
    what = f"from {carried.session}"
    return (Look(kind="file", what=what, files=carried.found.files, ticks="nothing"),)


def counts(session: Session, step: Step) -> bool:
    """Whether what the step found belongs to what was found."""
    return _counted_evidence(session, step) is not None


def _counted_evidence(session: Session, step: Step) -> StepEvidence | None:
    """What the step is to the investigation that is on, where it counts."""
    if step.branch in session.passed_over or not step.is_counting:
        return None
    return current_evidence(session, step)


def on_step_added(session: Session, step: Step) -> None:
    """A new step: what was looked at before it is its evidence, and now it is awaited no more."""
    state = state_of(session)
    now = state.now
    if now is None:
        return
    state.evidence[step.key] = _step_evidence(now, step, tuple(now.looks))
    state.evidence[step.key].positions[0] = session.position
    _note_runs(session, now, now.looks)
    include(session, step)
    _remember(session, step)
    # What was looked at is now this step's evidence: it must not let the next one pass as well.
    now.looks.clear()
    now.awaiting = step.key


def remains(event: SessionEvent) -> LookedAt | None:
    """What ran and was not seen to succeed has ended so, whatever is undone: also what says that
    source files changed since something did."""
    looks = event.looks if isinstance(event, LookedAt | StepFinished) else ()
    left = tuple(look for look in looks if has_end(look) and look.failed is not False)
    return LookedAt(looks=left, by=event.by) if left else None


def on_step_changed(session: Session, step: Step) -> None:
    """A new version of a step, whose old one was excluded: it counts again. One from before the
    investigation counts where it says what it found."""
    state, back = state_of(session), step.is_withdrawn
    now, counted = state.now, state.evidence.get(step.key)
    if back:
        step.is_withdrawn = False
        # The version before the new one, which is in the list already.
        step.withdrawn_versions += (len(step.versions) - 2,)
        gone = state.withdrawn.get(step.branch, [])
        if step.number in gone:
            # It uses up a planned step again.
            gone.remove(step.number)
    if now is None:
        return
    if counted is None or counted.since != now.since:
        if step.current.findings is None:
            return
        state.evidence[step.key] = _step_evidence(now, step, ())
    elif back:
        counted.news = news(now.found, step.current.findings or NOTHING)
    state.evidence[step.key].positions[len(step.versions) - 1] = session.position
    include(session, step)
    before, says = step.versions[-2].fields, step.current.fields
    if any(name in before or name in says for name in now.kind.fields):
        recount(session)


def _note_runs(session: Session, now: Investigation, looks: Sequence[Look]) -> None:
    """That the step is withdrawn takes none of it: what ran has ended as it did."""
    if ran := tuple(look for look in looks if has_end(look)):
        now.found.runs[session.position] = ran


def include(session: Session, step: Step) -> None:
    """Add what the step found, where it counts."""
    now, counted = investigation_of(session), _counted_evidence(session, step)
    if now is not None and counted is not None:
        _add(now.found, step.current.findings or NOTHING, counted.all_looks)
        contradiction = conflict(counted.all_looks)
        if contradiction is not None:
            now.found.conflicts[step.key] = contradiction


def exclude(session: Session, step: Step) -> None:
    """Take what the step found, where it counted."""
    now, counted = investigation_of(session), _counted_evidence(session, step)
    if now is not None and counted is not None:
        _remove_step(now.found, step, counted)


def _withdraw(session: Session, state: InvestigationState, event: Backtracked) -> None:
    """Step `number` and what came after it no longer count; they use up none of the steps that are
    planned."""
    ask(state, session.position, event.cell, backtrack_request(event.branch, event.number))
    line = session.lines[event.branch]
    # A list first: withdrawing changes what the generator asks.
    for step in list(withdrawable(session, line, event.number)):
        # Taken out as it was and put in as it is: counters can only be changed by what they were
        # given.
        exclude(session, step)
        step.is_withdrawn = True
        insort(state.withdrawn.setdefault(step.branch, []), step.number)
        # The steps of other lines were none of this line's planned ones.
        if step.branch == event.branch and session.total is not None:
            session.total += 1
    recount(session)


def recount(session: Session) -> None:
    """After steps began to count or ceased to: what those that do say of the kind's fields."""
    now = investigation_of(session)
    if now is not None:
        now.fields = latest_fields(session)


def latest_fields(session: Session, but: Container[int] = ()) -> dict[str, Json]:
    """The kind's fields, each as it was said last by a step that counts; without the steps whose
    keys are in `but`."""
    now = investigation_of(session)
    assert now is not None
    of_kind = now.kind.fields
    carried = {} if now.carried is None else now.carried.fields
    held = {name: value for name, value in carried.items() if name in of_kind}
    since: dict[str, int] = {}
    for step in session.steps.values():
        if counts(session, step) and step.key not in but:
            given = step.current.fields
            for name in (name for name in of_kind if name in given):
                at = said_since(session, step, partial(_field, name))
                if at >= since.get(name, 0):
                    held[name], since[name] = given[name], at
    return held


def _field(name: str, version: Version) -> Json:
    return version.fields.get(name)


def said_since(session: Session, step: Step, what: Callable[[Version], object]) -> int:
    """The position since which the step says of `what` as it does, whatever else its newer versions
    say."""
    evidence = evidence_of(session, step)
    positions, at = evidence.positions if evidence is not None else {}, len(step.versions) - 1
    while at - 1 in positions and at - 1 not in step.withdrawn_versions:
        if what(step.versions[at - 1]) != what(step.current):
            break
        at -= 1
    return positions.get(at, step.key)


def withdrawable(session: Session, line: Line, number: int) -> Iterator[Step]:
    """The step and all that came after it, but for those of no investigation, and those that are
    withdrawn. The steps of an abandoned line are among them: it may be taken up again."""
    now, first = investigation_of(session), step_at(session, line, number)
    if now is None or first is None:
        return
    for step in (first, *following_steps(session, first.branch, number)):
        if current_evidence(session, step) is not None and not step.is_withdrawn:
            yield step


def findings_without(session: Session, steps: Iterable[Step]) -> FindingsIndex:
    """What would be found if these did not count."""
    now = investigation_of(session)
    assert now is not None
    # The counters are changed below; the session's own must not be.
    copied = {name: getattr(now.found, name).copy() for name in (*_COUNTERS, *_BESIDE)}
    left = replace(now.found, **copied)
    for step in steps:
        counted = _counted_evidence(session, step)
        if counted is not None:
            _remove_step(left, step, counted)
    return left


def on_step_ended(session: Session, step: Step, event: StepFinished) -> None:
    """The code of a step has ended: what it looked at is of the step, in place of what the same
    code looked at before; and the line ends with it, or does not."""
    now, counted = investigation_of(session), evidence_of(session, step)
    if now is None or counted is None or not (event.looks or event.judged):
        return
    exclude(session, step)
    if event.looks:
        # The same code that runs again looks at the same things: they are not two looks.
        new = {look.what for look in event.looks}
        counted.own = (*(look for look in counted.own if look.what not in new), *event.looks)
        _note_runs(session, now, event.looks)
    if event.judged is not None:
        step.versions[-1] = replace(
            step.current,
            next_step_needed=event.judged.next_step_needed,
            end=event.judged.end,
            fields=event.judged.fields,
        )
        recount(session)
    include(session, step)


def _advise(now: Investigation, event: AdviceTaken) -> None:
    """Replies are kept, and each that came is something to look at; but not how many steps a
    planner thinks it takes."""
    now.advice += [(event.step, each) for each in event.advice]
    now.looks += [
        Look(kind="adviser", what=each.adviser)
        for each in event.advice
        if each.error is None and each.role != "planner"
    ]


def news(index: FindingsIndex, says: Findings) -> tuple[str, ...]:
    """What is new in a step: a finding or an issue in other words, or a file that something opened
    and no step named. A hypothesis or another confidence alone is not."""
    named = (name for name in says.files if name not in index.files)
    relevant = (name for name in says.relevant if name not in index.relevant)
    is_new = {
        "finding": any(
            # A word or two ("ok", "see above") would let each step pass without a look.
            is_phrase(text) and same_text(text) not in index.findings
            for text in says.findings
        ),
        "file": any(name in index.places for name in (*named, *relevant)),
        "issue": any(is_phrase(each.text) and each not in index.issues for each in says.issues),
    }
    return tuple(name for name, new in is_new.items() if new)


def fresh(session: Session, looks: Iterable[Look]) -> list[Look]:
    """Those that bring something new: what nobody looked at since it last changed."""
    now = investigation_of(session)
    if now is None:
        return []
    recent = {_look_key(look) for look in now.looks}
    return [
        look
        for look in looks
        if not look.seen or not (_look_key(look) in recent or _look_key(look) in now.found.seen)
    ]


def new_looks(now: Investigation) -> list[Look]:
    """The looks since the last step, without those that only say how something ended again, or that
    it is older than its files."""
    return [
        look
        for look in now.looks
        if look.ticks != "nothing"
        or not (is_change(look) or (look.seen and _look_key(look) in now.found.seen))
    ]


def _look_key(look: Look) -> tuple[str, str]:
    return look.kind, look.seen


def _step_evidence(now: Investigation, step: Step, looks: tuple[Look, ...]) -> StepEvidence:
    says = step.current.findings or NOTHING
    return StepEvidence(now.since, looks=looks, news=news(now.found, says))


def _remember(session: Session, step: Step) -> None:
    """The kind's fields hold as the new step says them, if it counts."""
    now, fields = investigation_of(session), step.current.fields
    if now is not None and counts(session, step):
        now.fields |= {name: fields[name] for name in now.kind.fields if name in fields}


def unsaid_fields(
    now: Investigation, before: Mapping[str, Json], given: Mapping[str, Json]
) -> bool:
    """Whether a step said a field of the kind before that it does not say now."""
    return any(name in before and name not in given for name in now.kind.fields)


def _add(index: FindingsIndex, says: Findings, looks: Sequence[Look]) -> None:
    for counter, entries in _entries(index, says, looks):
        for each in entries:
            counter[each] = counter.get(each, 0) + 1
    _show(index, says, looks)


def _take(index: FindingsIndex, says: Findings, looks: Sequence[Look]) -> None:
    for counter, entries in _entries(index, says, looks):
        for each in entries:
            # Counters, and no sets: two steps may say the same, and one of them may be withdrawn.
            counter[each] -= 1
            if not counter[each]:
                del counter[each]
    _show(index, says, looks)


def _show(index: FindingsIndex, says: Findings, looks: Sequence[Look]) -> None:
    """Of what these name: what is relevant and was opened, or used."""
    opened = (file for look in looks for file in look.files)
    for file in {*says.relevant, *(place for each in opened for place in places(each))}:
        both = file in index.relevant and file in index.places
        (index.shown.add if both else index.shown.discard)(("file", file))
    for name in {*map(bare, says.context), *(name for look in looks for name in look.names)}:
        # A name that is only said is no evidence: code that ran has to have used it.
        both = name in index.about and name in index.used
        (index.shown.add if both else index.shown.discard)(("name", name))


def _remove_step(index: FindingsIndex, step: Step, counted: StepEvidence) -> None:
    _take(index, step.current.findings or NOTHING, counted.all_looks)
    index.conflicts.pop(step.key, None)


def conflict(looks: Sequence[Look]) -> bool | None:
    """What they say last of whether files are in conflict."""
    return next((look.conflict for look in reversed(looks) if look.conflict is not None), None)


def _entries(
    index: FindingsIndex, says: Findings, looks: Sequence[Look]
) -> Iterator[tuple[dict[Any, int], Iterable[Any]]]:
    """Each counter of what was found, with what the step has for it."""
    opened = [file for look in looks for file in look.files]
    yield index.findings, map(same_text, says.findings)
    yield index.words, (word for text in says.findings for word in words(text))
    yield index.files, says.files
    yield index.relevant, says.relevant
    yield index.context, says.context
    yield index.about, map(bare, says.context)
    yield index.issues, says.issues
    yield index.severities, (issue.severity for issue in says.issues)
    ticking = (look for look in looks if look.ticks != "nothing")
    yield index.looks, (way for look in ticking for way in (look.kind, *look.acts))
    yield index.seen, (_look_key(look) for look in looks if look.seen)
    yield index.opened, opened
    yield index.places, (place for file in opened for place in places(file))
    yield index.used, (name for look in looks for name in look.names)


def bare(name: str) -> str:
    """A name as code uses it: `parse` of `Parser.parse()`."""
    return name.rpartition(".")[2].removesuffix("()")


def places(file: str) -> Iterator[str]:
    """The file, and the folders that it is in, as they are named from the notebook's folder.

    >>> list(places("pkg/a.py")), list(places("../b.py"))
    (['pkg/a.py', 'pkg', '.'], ['../b.py', '..'])
    """
    yield file
    parts = file.split("/")[:-1]
    yield from ("/".join(parts[:upto]) for upto in range(len(parts), 0, -1))
    # A file elsewhere is in no folder that is named from here.
    if parts[:1] != [".."] and not file.startswith("/"):
        yield "."
