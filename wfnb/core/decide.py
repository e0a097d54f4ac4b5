"""session, command -> the events that follow from it, or a refusal that names the way on."""

from __future__ import annotations

from typing import assert_never

from wfnb.errors import (
    MainIsFirst,
    MergeIntoItself,
    NothingToRedo,
    NothingToUndo,
)

from . import step_editing, validation, value_keeping
from .commands import (
    AbandonBranch,
    AddStep,
    ChangePlainNames,
    ChooseKeeping,
    ChooseRecording,
    ChooseStrategy,
    ClearSession,
    Command,
    ConfirmSteps,
    DescribeStep,
    ExtensionCommand,
    FinishStep,
    HideSteps,
    KeepValues,
    MergeBranch,
    Redo,
    RenameSession,
    ScoreBranch,
    SelectBranch,
    ShowSteps,
    TagStep,
    TakeBack,
    Undo,
)
from .data_flow import ABSENT, OF
from .events import (
    BranchAbandoned,
    BranchMerged,
    BranchScored,
    BranchSelected,
    Event,
    PlainNamesChanged,
    RecordingChosen,
    Redone,
    SessionCleared,
    SessionRenamed,
    StepsConfirmed,
    StrategyChosen,
    TakenBack,
    Undone,
)
from .extension import EXTENSIONS
from .queries import head
from .session import Line, Session, Step
from .step_addition import add_step
from .step_lookup import find, line_of
from .strategy import to_data
from .validation import MAIN


def decide(session: Session, command: Command) -> list[Event]:
    """The events, in order; none where the session already is as the command wants it, so that a
    cell that runs again does no harm. Raises Refused; the session is only read."""
    match command:
        case AddStep():
            return add_step(session, command)
        case FinishStep():
            return value_keeping.finish(session, command)
        case KeepValues():
            return value_keeping.keep(session, command)
        case ChooseKeeping():
            return value_keeping.choose(session, command)
        case ChooseRecording(on=on, quiet=quiet):
            # That it is off is recorded, too: who runs the notebook to go on later asks whether a
            # person has chosen at all.
            chosen = session.recording
            same = chosen is not None and (chosen.on, chosen.quiet) == (on, quiet)
            return [] if same else [RecordingChosen(on=on, quiet=quiet)]
        case ChangePlainNames(versions=versions):
            now = session.staleness.plain
            # Only names that a step reads are known there: all others would fill the journal for
            # nothing.
            changed = {
                name: each
                for name, each in versions.items()
                if now.get(name, ABSENT if name.partition(OF)[0] in now else each) != each
            }
            return [PlainNamesChanged(versions=changed)] if changed else []
        case ConfirmSteps(places=places, line=line):
            return _confirm(session, [find(session, place, line) for place in places])
        case HideSteps():
            return step_editing.hide(session, command)
        case ShowSteps():
            return step_editing.show(session, command)
        case DescribeStep():
            return step_editing.describe(session, command)
        case TagStep():
            return step_editing.tag(session, command)
        case ScoreBranch(branch=branch, score=score, reason=reason):
            scored = line_of(session, branch)
            score, reason = validation.number("score", score), _reason(reason)
            if scored.score == score and _has_reason(scored, "scored", reason):
                return []
            return [BranchScored(branch=branch, score=score, reason=reason)]
        case SelectBranch(branch=branch, reason=reason):
            reason = _reason(reason)
            if _is(line_of(session, branch), "selected", reason):
                return []
            return [BranchSelected(branch=branch, reason=reason)]
        case MergeBranch():
            return _merge(session, command)
        case AbandonBranch(branch=branch, reason=reason):
            if branch == MAIN:
                raise MainIsFirst("abandoned")
            reason = _reason(reason)
            if _is(line_of(session, branch), "abandoned", reason):
                return []
            return [BranchAbandoned(branch=branch, reason=reason)]
        case ChooseStrategy(strategy=strategy):
            if strategy == session.strategy:
                return []
            return [StrategyChosen(strategy=None if strategy is None else to_data(strategy))]
        case RenameSession(name=name):
            return [SessionRenamed(name=validation.line("session", name, 120))]
        case ClearSession():
            return [SessionCleared()] if session.steps else []
        case Undo():
            if len(session.undo_points) < 2:  # the first is before the session was started
                raise NothingToUndo
            return [Undone(to=session.undo_points[-1])]
        case TakeBack(positions=positions, at=at):
            # What was worked out for another position may rest on things that have happened since.
            return [TakenBack(positions=positions)] if positions and session.position == at else []
        case Redo():
            if not session.redoable:
                raise NothingToRedo
            return [Redone()]
        case ExtensionCommand():
            return EXTENSIONS[command.extension].decide(session, command)
        case _:
            assert_never(command)


def _reason(reason: str | None) -> str | None:
    return None if reason is None else validation.sentence("reason", reason)


def _is(line: Line, state: str, reason: str | None) -> bool:
    """Whether the line already came to that state; one that was selected and then merged did."""
    is_so = line.state == state or (state == "selected" and line.state == "merged")
    return is_so and state in line.reasons and _has_reason(line, state, reason)


def _has_reason(line: Line, what: str, reason: str | None) -> bool:
    return reason in (None, line.reasons.get(what))


def _confirm(session: Session, wanted: list[Step]) -> list[Event]:
    # Without any named, all stale ones are meant.
    keys = {step.key for step in wanted} or session.stale
    stale: dict[str, list[int]] = {}
    for key in sorted(keys & session.stale):
        stale.setdefault(session.steps[key].branch, []).append(session.steps[key].number)
    return [StepsConfirmed(branch=name, numbers=tuple(numbers)) for name, numbers in stale.items()]


def _merge(session: Session, command: MergeBranch) -> list[Event]:
    if command.branch == MAIN:
        raise MainIsFirst("merged")
    line = line_of(session, command.branch)
    into = line_of(session, line.parent or MAIN if command.into is None else command.into)
    reason = _reason(command.reason)
    if into.id == line.id:
        raise MergeIntoItself(line.id, tuple(name for name in session.lines if name != line.id))
    if _is(line, "merged", reason) and line.merged_into == into.id:
        return []
    last = head(session, into)
    after = 0 if last is None else last.number
    return [BranchMerged(branch=line.id, into=into.id, after=after, reason=reason)]
