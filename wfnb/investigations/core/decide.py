"""session, command -> the events that steer an investigation: its kind, looks, totals, advice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from wfnb.core import validation
from wfnb.core.events import Event
from wfnb.core.findings import Findings, Look
from wfnb.core.queries import LAST, counting_head, head
from wfnb.core.session import Session, Step
from wfnb.core.step_lookup import find, line_of
from wfnb.errors import BadValue, LineEnded, NoInvestigation

from .commands import (
    Backtrack,
    ChooseKind,
    Command,
    ExtendTotal,
    JudgeHypothesis,
    LookAt,
    TakeAdvice,
)
from .events import (
    AdviceTaken,
    Backtracked,
    CarriedFindings,
    HypothesisJudged,
    KindChosen,
    LookedAt,
    TotalExtended,
)
from .finding_parser import MAX_NAME, NAMES, findings
from .hypothesis_fates import fate_of, hypothesis
from .investigation import Investigation, investigation_of, state_of
from .kind import LOOKS
from .kind_reader import to_data
from .missing_evidence import asks_for_runs, recorded_runs
from .reducer import NOTHING, choice, conflict, fresh, withdrawable
from .repeated_requests import backtrack_request, was_requested
from .requirements import ends, step_awaiting_looks
from .unresolved_failures import has_end, is_news

MAX_LOOKS = 50
"""Looks that are kept while one step is awaited."""


def decide(session: Session, command: Command) -> list[Event]:
    """The events, in order; none where the session already is as the command wants it."""
    match command:
        case ChooseKind():
            return choose(session, command)
        case LookAt():
            return look_at(session, command)
        case Backtrack():
            return backtrack(session, command)
        case ExtendTotal():
            return extend(session, command)
        case TakeAdvice():
            return take(session, command)
        case JudgeHypothesis():
            return judge(session, command)
        case _:
            assert_never(command)


def choose(session: Session, command: ChooseKind) -> list[Event]:
    """Nothing for a cell that chose the same before, whatever was chosen since: it runs again. A
    new cell is kept even where it chooses what there is, or it would not be known then."""
    now, kind = investigation_of(session), command.kind
    made = choice(command.cell, None if kind is None else kind.name)
    if made in state_of(session).choices:
        return []
    new = None if made is None else command.cell
    if kind is None:
        return [] if now is None and new is None else [KindChosen(kind=None, cell=new)]
    carried = None if command.carried is None else _check_carried(command.carried)
    if now is not None and carried == now.carried:
        carried = None  # it is there already
    reviewer = _somebody(command.reviewer, now.reviewer if now else None)
    planner = _somebody(command.planner, now.planner if now else None)
    says = (kind, command.pause, reviewer, planner)
    current = now and (now.kind, now.pause, now.reviewer, now.planner)
    if new is None and carried is None and says == current:
        return []
    return [
        KindChosen(
            kind=to_data(kind),
            pause=command.pause,
            reviewer=reviewer,
            planner=planner,
            carried=carried,
            cell=new,
        )
    ]


def _somebody(adviser: str | None, before: str | None) -> str | None:
    """Who is asked from here on: who was asked before, where nobody is named."""
    return before if adviser is None else adviser or None


def _check_carried(carried: CarriedFindings) -> CarriedFindings:
    """Raises BadValue and BadText for what no step could have said."""
    brought = carried.found
    read = findings(dict(zip(NAMES, values_of(brought), strict=True))) or NOTHING
    return CarriedFindings(
        session=validation.line("session", carried.session, MAX_NAME),
        kind=validation.line("kind", carried.kind, MAX_NAME),
        found=read,
        fields=validation.fields(carried.fields),
    )


def look_at(session: Session, command: LookAt) -> list[Event]:
    """Nothing, where no step is awaited, or what looked began before that step was recorded, or
    before the kind was chosen. The same is kept once, and what was looked at before and is as it
    was then is nothing new; but of what runs every other end than the last is kept, where the kind
    asks for that. Of several that one command gives, the first stands for it; the others tick only
    what asks for them by name. Those beyond MAX_LOOKS are kept as one, where a file was opened, a
    name used, or a conflict looked for, that no other look has; what failed is kept always."""
    now, step = investigation_of(session), step_awaiting_looks(session)
    if now is None or (step is None and now.awaiting is not None):
        return []
    # A cell that began before the step ran without knowing of it.
    if (now.chosen if step is None else step.key) > command.since:
        return []
    failed_by_look = {(look.kind, look.what): look.failed for look in now.looks}
    runs = [*recorded_runs(now)]
    new: list[Look] = []
    more: list[Look] = []
    looks = combine_looks(command.looks)
    brings = fresh(session, looks)
    for look in looks:
        if look.kind not in LOOKS:
            raise BadValue("look", look.kind, f"one of {', '.join(LOOKS)}")
        validation.line("look", look.what, MAX_NAME)
        name = look.kind, look.what
        again = asks_for_runs(now.kind) and is_news(look, runs)
        if look not in brings and again:
            # It shows nothing that was not seen; that it is so again has to be known.
            look = replace(look, ticks="nothing")
        elif look not in brings or (failed_by_look.get(name, ()) == look.failed and not again):
            continue
        failed_by_look[name] = look.failed
        runs += [look] if again else []
        few = len(now.looks) + len(new) < MAX_LOOKS
        (new if few or (again and look.failed is not False) else more).append(look)
    if more and (rest := _with_more_evidence(now, new, more)):
        new.append(merge_looks(rest))
    return [LookedAt(looks=tuple(new))] if new else []


def _with_more_evidence(
    now: Investigation, new: Sequence[Look], more: Sequence[Look]
) -> list[Look]:
    """Those of `more` that opened a file, used a name, or looked for a conflict, which no other
    look has."""
    looks = (*now.looks, *new)
    files = {*now.found.opened, *(file for look in looks for file in look.files)}
    names = {*now.found.used, *(name for look in looks for name in look.names)}
    return [
        look
        for look in more
        if look.conflict is not None or {*look.files} - files or {*look.names} - names
    ]


def merge_looks(looks: Sequence[Look]) -> Look:
    """Several as one, with all that any of them opened and used."""
    if len(looks) == 1:
        return looks[0]
    return Look(
        kind=looks[0].kind,
        what=f"{len(looks)} more: {looks[0].what}"[:MAX_NAME],
        files=tuple(dict.fromkeys(file for look in looks for file in look.files)),
        names=tuple(dict.fromkeys(name for look in looks for name in look.names)),
        acts=tuple(dict.fromkeys(act for look in looks for act in look.acts)),
        runs=tuple(dict.fromkeys(run for look in looks for run in look.runs)),
        conflict=conflict(looks),
        failed=_has_any_failed([look.failed for look in looks if has_end(look)]),
        ticks="named",
    )


def _has_any_failed(ends: Sequence[bool | None]) -> bool | None:
    """None where none is known to have failed, and not all to have succeeded."""
    return True in ends or (None if None in ends or not ends else False)


def combine_looks(looks: Sequence[Look]) -> tuple[Look, ...]:
    """What one command looked at: the first stands for it, the others tick what names them."""
    # Else one command that touches ten files would tick ten things that are asked for.
    rest = (replace(each, ticks="named") if each.ticks == "any" else each for each in looks[1:])
    return (*looks[:1], *rest)


def is_repeat(session: Session, command: Backtrack | ExtendTotal) -> bool:
    """Whether the command's cell asked for the same before, so that it changes nothing now."""
    what = "extend"
    if isinstance(command, Backtrack):
        step = find(session, command.place, command.line)
        what = backtrack_request(step.branch, step.number)
    return was_requested(session, command.cell, what, command.opened)


def backtrack(session: Session, command: Backtrack) -> list[Event]:
    """Nothing for a cell that withdrew the same before. A new cell is kept even where nothing is
    left to withdraw, or it would not be known then."""
    require_investigation(session, "backtrack")
    step = find(session, command.place, command.line)
    reason = None if command.reason is None else validation.sentence("reason", command.reason)
    if is_repeat(session, command):
        return []
    event = plan_withdrawal(session, step, reason)
    if command.cell is not None and command.cell.id is not None:
        # Recorded though it changes nothing: the next run of this cell is known by it.
        event = event or Backtracked(branch=step.branch, number=step.number, reason=reason)
    return [] if event is None else [replace(event, cell=command.cell)]


def extend(session: Session, command: ExtendTotal) -> list[Event]:
    """Nothing for a cell that asked for them before. LineEnded where no more can follow."""
    require_investigation(session, "extend")
    more, reason = (
        validation.whole("more", command.more),
        validation.sentence("reason", command.reason),
    )
    if is_repeat(session, command):
        return []
    line = line_of(session, command.line)
    last, counting = head(session, line, LAST), counting_head(session, line)
    if counting is not None and ends(counting):
        raise LineEnded(counting.number)
    number = 0 if last is None else last.number
    # Steps may have gone beyond the total: more are asked for from where it stands.
    old = max(session.total or number, number)
    return [
        TotalExtended(
            step_number=number,
            old_total=old,
            new_total=old + more,
            reason=reason,
            cell=command.cell,
        )
    ]


def take(session: Session, command: TakeAdvice) -> list[Event]:
    require_investigation(session, "advise")
    if not command.advice:
        return []
    return [
        AdviceTaken(
            advice=command.advice, step=command.step, asked=command.words, cell=command.cell
        )
    ]


def judge(session: Session, command: JudgeHypothesis) -> list[Event]:
    """The verdict of a person on a hypothesis; nothing where the last one is the same. A step may
    give one, too, by `confirms` and `refutes`: `step_rules._with_hypotheses`."""
    now = require_investigation(session, "hypothesis")
    named = hypothesis(session, command.hypothesis)
    reason = None if command.reason is None else validation.sentence("reason", command.reason)
    event = HypothesisJudged(hypothesis=named, verdict=command.verdict, reason=reason)
    fate = fate_of(session, named)
    is_same = now.judged and now.judged[-1][1] == event and fate.fate == event.verdict
    return [] if is_same and fate.by is None else [event]


def require_investigation(session: Session, what: str) -> Investigation:
    """The investigation that is on; NoInvestigation says what belongs to one."""
    now = investigation_of(session)
    if now is None:
        raise NoInvestigation(what)
    return now


def plan_withdrawal(session: Session, step: Step, reason: str | None) -> Backtracked | None:
    """None where nothing from there on counts any more."""
    line = session.lines[step.branch]
    if next(withdrawable(session, line, step.number), None) is None:
        return None
    return Backtracked(branch=step.branch, number=step.number, reason=reason)


def values_of(says: Findings) -> Sequence[object]:
    """What is said, in the order of `NAMES`."""
    return [getattr(says, name) for name in says.__dataclass_fields__]
