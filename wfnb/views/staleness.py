"""a stale step -> why it is stale, in one line, and what settles it."""

from __future__ import annotations

from wfnb.core.data_flow import (
    CODE_OF,
    DERIVED,
    INTERRUPT,
    LEFT,
    LOOKED_AT,
    LOST,
    OLD,
    PLAIN,
    UNSEEN,
    Doubt,
)
from wfnb.core.queries import step_at
from wfnb.core.run_all_order import comes_after
from wfnb.core.session import Session, Step
from wfnb.hints import Command, Option

from .step_words import refer


def reason(session: Session, step: Step) -> str:
    """Why a step is stale: of several reasons the one to settle first. Empty where it is not."""
    if not step.stale:
        return ""
    if step.doubts:
        return _doubt_text(session, step, min(step.doubts, key=_rank))
    if step.unrecorded:
        return "what it read is not known"
    # A cause may have been undone since: its key is still noted.
    cause = next((session.steps[key] for key in step.made_stale_by if key in session.steps), None)
    if cause is None:
        return "a step before it has changed" if step.made_stale_by else ""
    name = refer(cause, step.branch)
    if cause.current.revises is not None:
        return f"step {cause.current.revises}, before it, is revised by step {name}"
    verb = "is stale" if cause.stale else "has changed"
    return f"step {name}, before it, {verb}"


def settles(session: Session, step: Step, obstacle: str | None = None) -> str:
    """What settles it, as a sentence without its end. `obstacle`: why it cannot be run again now,
    and what is to be done first; None where there is no kernel that knows."""
    place = refer(step, "main")
    restart = "restart the kernel, then " if obstacle is None and needs_restart(step) else ""
    if any(doubt.open for doubt in step.doubts) and not obstacle:
        return f"{restart}`{Command('run-stale', place)}` runs what it rests on, then it"
    written_by = {doubt.read_from for doubt in step.doubts}
    first = obstacle or f"{restart}run it again, `{Command('run-stale', place)}`"
    # Running the step again would read the same doubtful value: the cell has to become a step.
    if DERIVED in written_by:
        first = "put that cell's code into this step, or one above it"
    elif LEFT in written_by:
        first = "run those cells again, from the first, then this one"
    return f"{first}, or `{Command('confirm', place)}`{_other_place(session, step)}"


def needs_restart(step: Step) -> bool:
    """Whether it read what a step had set in the process, and its line finds that as it is when a
    kernel starts: nothing sets it back."""
    return any(
        doubt.given_by is None
        and (doubt.read_from == UNSEEN or (doubt.read_from or 0) > 0)
        and not doubt.name.isidentifier()
        and not doubt.name.startswith(CODE_OF)
        and doubt.name != INTERRUPT
        for doubt in step.doubts
    )


def _other_place(session: Session, step: Step) -> str:
    """A cell that was put or moved above this one has a later number, and stands after it in the
    line for good: as a revision of the step before it, it comes first. That is the step before the
    first that read what it wrote."""
    doubt = min(step.doubts, key=_rank, default=None)
    late = None if doubt is None else _later_writer(session, step, doubt)
    if late is None or late.current.revises is not None or late.branch != step.branch:
        return ""
    stale = (session.steps[key] for key in session.stale)
    readers = (
        each
        for each in stale
        if each.key == step.key or late.key in {d.read_from for d in each.doubts}
    )
    before = min(each.number for each in readers if each.branch == step.branch) - 1
    if step_at(session, session.lines[step.branch], before) is None:
        return ""
    return f"; if step {late.number} is to come first, give it `{Option('revises', before)}`"


def _later_writer(session: Session, step: Step, doubt: Doubt) -> Step | None:
    """The step of which it read a name, though its line passes that later: the one that changed it
    last, and no step that only might have."""
    read, given = _step(session, doubt.read_from), _step(session, doubt.given_by)
    if doubt.open or read is None or read.is_withdrawn or doubt.name.startswith(CODE_OF):
        return None
    if given is not None and (given.key == read.key or _revises(session, given, read)):
        return None
    if not comes_after(session, read, step):
        return None
    if read.end > step.end:  # it ran again since: what it read when it was read itself is not known
        return read
    while (before := _passed_on(session, read, doubt.name)) and comes_after(session, before, step):
        read = before
    return read


def _passed_on(session: Session, step: Step, name: str) -> Step | None:
    """Of which step it has what it left under a name, where it was not seen to change that."""
    flow = step.flow
    if flow is None or name not in flow.writes or name not in flow.reads:
        return None
    version, by = flow.reads[name]
    if version.rpartition(LOOKED_AT)[2] != flow.writes[name].rpartition(LOOKED_AT)[2]:
        return None
    read = _step(session, by)
    return read if read is not None and read.end < step.end else None


def _rank(doubt: Doubt) -> tuple[bool, bool]:
    """Below others what follows from another stale step, and what nobody saw."""
    return doubt.open, doubt.read_from == UNSEEN


def _doubt_text(session: Session, step: Step, doubt: Doubt) -> str:
    name = doubt.name
    are, come = ("are", "come") if " options of " in name else ("is", "comes")
    read = _step(session, doubt.read_from)
    given = _step(session, doubt.given_by)
    if name == INTERRUPT:
        return "it was interrupted, and went on"
    if doubt.open and given is not None and _is_aside(given, name):
        place = refer(given, step.branch)
        return f"step {place} changes what {name} shares, and ran before {name} was made anew"
    if doubt.open and given is not None:
        state = _open(given, name, step.branch)
        reads = "which it read" if given.key == doubt.read_from else f"which gives it {name}"
        return f"step {refer(given, step.branch)}, {reads}, {state}"
    if name.startswith(CODE_OF):
        is_old = doubt.read_from == UNSEEN
        return f"it used {name} as it was" if is_old else f"{name} has changed since"
    giver = f"step {refer(given, step.branch)}" if given else "a cell that is no step"
    if " " in name and doubt.read_from in (None, PLAIN):  # a setting, which is always there
        if given is not None and given.end < step.end:
            return f"{giver} changes {name}, and that was not so when it ran"
        return f"{giver} has changed {name} since"
    if doubt.read_from is None:
        if given is None and session.staleness.plain.get(name) == LOST:
            return f"{name} was not there when it ran; a cell of an earlier kernel may give it"
        return f"{name} was not there when it ran; {giver} gives it"
    # IPython binds these anew after each cell: there is nobody to be looked for.
    if doubt.read_from == UNSEEN and (name.startswith("_") or name in ("In", "Out")):
        return f"{name} is what was typed or shown last, and no step makes it"
    if doubt.read_from == UNSEEN:
        return f"something changed {name}, and it is not known what"
    if doubt.read_from == LEFT:
        return f"{name} {are} not what your cells that are no steps give, run in order"
    if doubt.read_from == OLD:
        return f"{name} holds an object that another cell has made anew since"
    if doubt.read_from == DERIVED:
        return f"{name} {come} from a cell that is no step, out of what steps made"
    if doubt.read_from == PLAIN:
        return f"{name} was changed by a cell that is no step"
    if read is None:
        return f"{name} came from a step that is gone"
    place = refer(read, step.branch)
    if read.is_withdrawn:
        return f"{name} came from step {place}, which was withdrawn"
    if read.key == step.key and given is None and step.flow and name not in step.flow.writes:
        return f"{name} is left from an earlier run of it, and nothing makes it now"
    if read.key == step.key:
        return f"it ran again over {name}, which it had changed itself"
    if given is not None and _revises(session, given, read):
        return f"read {name} of step {place}, which step {refer(given, step.branch)} revises"
    if given is not None and given.key == read.key:
        if read.end > step.end:
            return f"read {name} of step {place}, which has run again since"
        if read.stale:
            return f"step {place}, which it read, is stale"
        if doubt.copy:
            return f"read a copy of {name}, and not the object of step {place}"
        return f"read {name} of an earlier run of step {place}"
    if (late := _later_writer(session, step, doubt)) is not None:
        return f"ran after step {refer(late, step.branch)}, which changed {name}"
    if read.branch != step.branch and not comes_after(session, step, read):
        return f"{name} came from branch `{read.branch}`"
    if given is not None:
        return (
            f"read {name} of step {place}; its line gives that of step {refer(given, step.branch)}"
        )
    return f"read {name} of step {place}, which no longer makes it"


def _is_aside(step: Step, name: str) -> bool:
    """Whether a fresh step gives a version that nobody knows for a name that its code does not
    name."""
    flow = step.flow
    if flow is None or not step.certain or step.stale:
        return False
    return name in flow.aliases or name not in {*flow.writes, *flow.unsure, *flow.possible}


_ENDED = {
    "failed": "failed",
    "interrupted": "was interrupted",
    "unknown": "ended in a way that is not known",
}
"""How a step ended that did not all that it does, as a verb."""


def _open(step: Step, name: str, branch: str) -> str:
    """Why it is not known what the step gives for a name on a branch."""
    if step.stale:
        return "is stale"
    if step.ended is None:
        return "has not ended"
    if step.ended.status in _ENDED:
        return _ENDED[step.ended.status]
    if not step.certain:
        return "ran where nobody observed it"
    if step.branch != branch:
        return f"runs otherwise on branch {branch}"
    return f"may have left {name} as it was"


def _step(session: Session, key: int | None) -> Step | None:
    return session.steps.get(key) if key is not None and key > 0 else None


def _revises(session: Session, step: Step, other: Step) -> bool:
    """Whether a step corrects the other, or what does."""
    return other.revised_by == step.key or (
        (by := _step(session, other.revised_by)) is not None and _revises(session, step, by)
    )
