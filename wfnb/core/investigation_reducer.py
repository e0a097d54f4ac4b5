"""event -> the investigation after it: `apply` for what steps found, in the time of one step."""

from __future__ import annotations

from bisect import insort
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from .events import (
    AdviceTaken,
    Backtracked,
    Cell,
    KindChosen,
    SessionCleared,
    StepFinished,
    TotalExtended,
)
from .findings import CarriedFindings, Findings, Json, Look
from .idempotency import advice_request, ask, backtrack_request
from .investigation import FindingsIndex, Investigation, StepEvidence
from .kind import recorded_kind
from .queries import following_steps, own, passed_over, step_at
from .session import Line, Session, Step
from .word_forms import is_phrase, same_text, words

NOTHING = Findings()
_COUNTERS = (
    *("findings", "words", "files", "relevant", "context", "issues", "severities"),
    *("looks", "seen", "opened", "places", "used", "about"),
)


def choose(session: Session, event: KindChosen) -> None:
    """Investigate from here on. One investigation that follows another goes on with what was
    found; another kind begins to count its steps anew, the same one goes on with them, though its
    file was changed."""
    before = session.investigation
    known = choice(event.cell, None if event.kind is None else event.kind["name"])
    if known is not None:
        session.choices.add(known)
    if event.kind is None:
        session.investigation = None
        return
    kind = recorded_kind(event.kind)
    if before is None or before.kind.name != kind.name:
        session.investigation = Investigation(
            kind=kind,
            since=session.position if before is None else before.since,
            chosen=session.position,
            bases={line.id: (line.numbers or [line.leaves])[-1] for line in session.lines.values()},
        )
        session.total = None
    now = session.investigation
    assert now is not None
    now.kind = kind
    now.pause, now.reviewer, now.planner = event.pause, event.reviewer, event.planner
    if before is not None and before is not now:
        now.found, now.advice, now.carried = before.found, before.advice, before.carried
        now.brought, now.judged = before.brought, before.judged
        now.fields = {name: each for name, each in before.fields.items() if name in kind.fields}
    if event.carried not in (None, now.carried):
        if now.carried is not None:
            _take(now.found, now.carried.found, _carried_looks(now.carried))
        now.carried = event.carried
        _carry(now)


def choice(cell: Cell | None, kind: str | None) -> tuple[str, str, str] | None:
    """What is known of a choice that a cell made, by which it is recognised when the cell runs
    again; None without a cell's id. A kind that is None is no longer one."""
    return None if cell is None or cell.id is None else (cell.id, cell.source, kind or "")


def clear(session: Session, event: SessionCleared) -> None:
    """All steps are put away: the kind stays, and nothing was found yet."""
    session.choices.clear()
    session.asked.clear()
    old = session.investigation
    if old is not None:
        session.investigation = Investigation(
            kind=old.kind,
            since=session.position,
            chosen=session.position,
            pause=old.pause,
            reviewer=old.reviewer,
            planner=old.planner,
            carried=old.carried,
        )
        _carry(session.investigation)


def _carry(now: Investigation) -> None:
    """Add what another session's investigation found, and its fields where the kind has them."""
    if now.carried is not None:
        _add(now.found, now.carried.found, _carried_looks(now.carried))
        now.brought = frozenset(map(same_text, now.carried.found.findings))
        kept = now.carried.fields.items()
        now.fields |= {name: value for name, value in kept if name in now.kind.fields}


def _carried_looks(carried: CarriedFindings) -> tuple[Look, ...]:
    """The files that were opened there."""
    what = f"from {carried.session}"
    return (Look(kind="file", what=what, files=carried.found.files, ticks="nothing"),)


def counts(session: Session, step: Step) -> bool:
    """Whether what the step found belongs to what was found."""
    now, counted = session.investigation, step.counted
    return (
        now is not None
        and counted is not None
        and counted.since == now.since
        and not counted.withdrawn
        and step.branch not in session.over
    )


def on_step_added(session: Session, step: Step) -> None:
    """A new step: what was looked at before it is its evidence, and now it is awaited no more."""
    now = session.investigation
    if now is None:
        return
    step.counted = _step_evidence(now, step, tuple(now.looks))
    include(session, step)
    _remember(now, step)
    now.looks.clear()
    now.awaiting = step.key


def on_step_changed(session: Session, step: Step) -> None:
    """A new version of a step, whose old one was excluded: it counts again. One from before the
    investigation counts where it says what it found."""
    now = session.investigation
    back = step.is_withdrawn
    if step.counted is not None and back:
        step.counted.withdrawn = False
        step.gone += (len(step.versions) - 2,)
        gone = session.lines[step.branch].gone
        if step.number in gone:
            gone.remove(step.number)
    if now is None:
        return
    if step.counted is None or step.counted.since != now.since:
        if step.current.findings is None:
            return
        step.counted = _step_evidence(now, step, ())
    elif back:
        step.counted.news = news(now.found, step.current.findings or NOTHING)
    include(session, step)
    _remember(now, step)


def include(session: Session, step: Step) -> None:
    """Add what the step found, where it counts."""
    if session.investigation is not None and step.counted is not None and counts(session, step):
        found, looks = session.investigation.found, step.counted.all_looks
        _add(found, step.current.findings or NOTHING, looks)
        known = conflict(looks)
        if known is not None:
            found.conflicts[step.key] = known


def exclude(session: Session, step: Step) -> None:
    """Take what the step found, where it counted."""
    if session.investigation is not None and step.counted is not None and counts(session, step):
        _remove_step(session.investigation.found, step, step.counted.all_looks)


def decide(session: Session) -> None:
    """Branches may be decided against, or for, since then: what their steps found counts no more,
    or does again."""
    over = passed_over(session)
    if over == session.over:
        return
    for name in over - session.over:
        for step in own(session, session.lines[name]):
            exclude(session, step)
    back, session.over = session.over - over, over
    for name in back:
        for step in own(session, session.lines[name]):
            include(session, step)
    recall(session)


def withdraw(session: Session, event: Backtracked) -> None:
    """Step `number` and what came after it no longer count; they use up none of the steps that are
    planned."""
    ask(session, event.cell, backtrack_request(event.branch, event.number))
    line = session.lines[event.branch]
    for step in list(withdrawable(session, line, event.number)):
        exclude(session, step)
        assert step.counted is not None
        step.counted.withdrawn = True
        insort(session.lines[step.branch].gone, step.number)
        if step.branch == event.branch and session.total is not None:
            session.total += 1
    recall(session)


def extend(session: Session, event: TotalExtended) -> None:
    ask(session, event.cell, "extend")
    session.total = event.new_total
    if session.investigation is not None:
        session.investigation.extended.append(event)


def recall(session: Session) -> None:
    """After steps began to count or ceased to: what those that do say of the kind's fields."""
    if session.investigation is not None:
        session.investigation.fields = latest_fields(session)


def latest_fields(session: Session, but: Container[int] = ()) -> dict[str, Json]:
    """The kind's fields as the latest step that counts says each; without the steps whose keys are
    in `but`."""
    now = session.investigation
    assert now is not None
    known = now.kind.fields
    carried = {} if now.carried is None else now.carried.fields
    held = {name: value for name, value in carried.items() if name in known}
    for step in session.steps.values():
        if counts(session, step) and step.key not in but:
            said = step.current.fields
            held |= {name: said[name] for name in known if name in said}
    return held


def withdrawable(session: Session, line: Line, number: int) -> Iterator[Step]:
    """The step and all that came after it, but for those of no investigation, and those that are
    withdrawn. The steps of an abandoned line are among them: it may be taken up again."""
    now, first = session.investigation, step_at(session, line, number)
    if now is None or first is None:
        return
    for step in (first, *following_steps(session, first.branch, number)):
        if step.counted is not None and step.counted.since == now.since and not step.is_withdrawn:
            yield step


def findings_without(session: Session, steps: Iterable[Step]) -> FindingsIndex:
    """What would be found if these did not count."""
    now = session.investigation
    assert now is not None
    copied = {name: getattr(now.found, name).copy() for name in (*_COUNTERS, "shown", "conflicts")}
    left = replace(now.found, **copied)
    for step in steps:
        if step.counted is not None and counts(session, step):
            _remove_step(left, step, step.counted.all_looks)
    return left


def on_step_ended(session: Session, step: Step, event: StepFinished) -> None:
    """The code of a step has ended: what it looked at is of the step, in place of what the same
    code looked at before; and the line ends with it, or does not."""
    now, counted = session.investigation, step.counted
    if now is None or counted is None or not (event.looks or event.judged):
        return
    exclude(session, step)
    if event.looks:
        new = {look.what for look in event.looks}
        counted.own = (*(look for look in counted.own if look.what not in new), *event.looks)
    if event.judged is not None:
        step.versions[-1] = replace(
            step.current,
            next_step_needed=event.judged.next_step_needed,
            end=event.judged.end,
            fields=event.judged.fields,
        )
    include(session, step)
    _remember(now, step)


def advise(session: Session, event: AdviceTaken) -> None:
    """Replies are kept, and each that came is something to look at; but not how many steps a
    planner thinks it takes."""
    ask(session, event.cell, advice_request(event.asked))
    now = session.investigation
    if now is not None:
        now.advice += [(event.step, each) for each in event.advice]
        now.looks += [
            Look(kind="adviser", what=each.adviser)
            for each in event.advice
            if each.error is None and each.role != "planner"
        ]


def news(found: FindingsIndex, says: Findings) -> tuple[str, ...]:
    """What is new in a step: a finding or an issue in other words, or a file that something opened
    and no step named. A hypothesis or another confidence alone is not."""
    named = (name for name in says.files if name not in found.files)
    relevant = (name for name in says.relevant if name not in found.relevant)
    known = {
        "finding": any(
            is_phrase(text) and same_text(text) not in found.findings for text in says.findings
        ),
        "file": any(name in found.places for name in (*named, *relevant)),
        "issue": any(is_phrase(each.text) and each not in found.issues for each in says.issues),
    }
    return tuple(name for name, new in known.items() if new)


def fresh(session: Session, looks: Iterable[Look]) -> list[Look]:
    """Those that bring something new: what nobody looked at since it last changed."""
    now = session.investigation
    if now is None:
        return []
    recent = {_look_key(look) for look in now.looks}
    return [
        look
        for look in looks
        if not look.seen or not (_look_key(look) in recent or _look_key(look) in now.found.seen)
    ]


def _look_key(look: Look) -> tuple[str, str]:
    return look.kind, look.seen


def _step_evidence(now: Investigation, step: Step, looks: tuple[Look, ...]) -> StepEvidence:
    says = step.current.findings or NOTHING
    return StepEvidence(now.since, looks=looks, news=news(now.found, says))


def _remember(now: Investigation, step: Step) -> None:
    """The kind's fields hold as they were said last."""
    said = step.current.fields
    now.fields |= {name: said[name] for name in now.kind.fields if name in said}


def _add(found: FindingsIndex, says: Findings, looks: Sequence[Look]) -> None:
    for counter, entries in _entries(found, says, looks):
        for each in entries:
            counter[each] = counter.get(each, 0) + 1
    _show(found, says, looks)


def _take(found: FindingsIndex, says: Findings, looks: Sequence[Look]) -> None:
    for counter, entries in _entries(found, says, looks):
        for each in entries:
            counter[each] -= 1
            if not counter[each]:
                del counter[each]
    _show(found, says, looks)


def _show(found: FindingsIndex, says: Findings, looks: Sequence[Look]) -> None:
    """Of what these name: what is relevant and was opened, or used."""
    opened = (file for look in looks for file in look.files)
    for file in {*says.relevant, *(place for each in opened for place in places(each))}:
        both = file in found.relevant and file in found.places
        (found.shown.add if both else found.shown.discard)(("file", file))
    for name in {*map(bare, says.context), *(name for look in looks for name in look.names)}:
        both = name in found.about and name in found.used
        (found.shown.add if both else found.shown.discard)(("name", name))


def _remove_step(found: FindingsIndex, step: Step, looks: Sequence[Look]) -> None:
    _take(found, step.current.findings or NOTHING, looks)
    found.conflicts.pop(step.key, None)


def conflict(looks: Sequence[Look]) -> bool | None:
    """What they say last of whether files are in conflict."""
    return next((look.conflict for look in reversed(looks) if look.conflict is not None), None)


def _entries(
    found: FindingsIndex, says: Findings, looks: Sequence[Look]
) -> Iterator[tuple[dict[Any, int], Iterable[Any]]]:
    """Each counter of what was found, with what the step has for it."""
    opened = [file for look in looks for file in look.files]
    yield found.findings, map(same_text, says.findings)
    yield found.words, (word for text in says.findings for word in words(text))
    yield found.files, says.files
    yield found.relevant, says.relevant
    yield found.context, says.context
    yield found.about, map(bare, says.context)
    yield found.issues, says.issues
    yield found.severities, (issue.severity for issue in says.issues)
    ticking = (look for look in looks if look.ticks != "nothing")
    yield found.looks, (way for look in ticking for way in (look.kind, *look.acts))
    yield found.seen, (_look_key(look) for look in looks if look.seen)
    yield found.opened, opened
    yield found.places, (place for file in opened for place in places(file))
    yield found.used, (name for look in looks for name in look.names)


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
    if parts[:1] != [".."] and not file.startswith("/"):
        yield "."
