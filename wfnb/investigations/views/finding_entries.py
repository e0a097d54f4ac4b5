"""session -> what each step of its investigation says, in order, and whether that counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wfnb.core.events import Version
from wfnb.core.findings import Findings, Look
from wfnb.core.queries import counting_head, step_at
from wfnb.core.session import Session, Step
from wfnb.core.validation import MAIN
from wfnb.frozen_record import record
from wfnb.investigations.core.investigation import current_evidence, investigation_of
from wfnb.investigations.core.reducer import NOTHING, counts
from wfnb.views.step_words import refer, title_of

State = Literal["", "withdrawn", "abandoned", "passed over"]


@record
class Entry:
    """What one step says."""

    key: int
    where: str
    """`3` or `alt:3`."""
    number: int
    branch: str
    title: str
    says: Findings
    looks: tuple[Look, ...]
    level: str | None
    """Its confidence; None where it is said on no scale of this kind."""
    state: State
    before: int | None
    """The key of the step that it goes on from."""


def entries(session: Session, old: bool = False) -> Iterator[Entry]:
    """In order of recording; none where the session is no investigation. `old`: with what versions
    said that were withdrawn before others took their place."""
    now = investigation_of(session)
    for step in session.steps.values():
        evidence = current_evidence(session, step)
        if now is None or evidence is None or step.hidden:
            continue
        says = step.current.findings or NOTHING
        # What is withdrawn follows what stood there; what counts follows what counts.
        way = step_at if step.is_withdrawn else counting_head
        before = way(session, session.lines[step.branch], step.number - 1)
        for at in step.withdrawn_versions if old else ():
            yield _withdrawn_entry(step, step.versions[at])
        yield Entry(
            key=step.key,
            where=refer(step, MAIN),
            number=step.number,
            branch=step.branch,
            title=title_of(step.current.description),
            says=says,
            looks=evidence.looks,
            level=says.confidence if says.confidence in now.kind.confidence.levels else None,
            state=state(session, step),
            before=None if before is None else before.key,
        )


def _withdrawn_entry(step: Step, version: Version) -> Entry:
    return Entry(
        key=step.key,
        where=refer(step, MAIN),
        number=step.number,
        branch=step.branch,
        title=title_of(version.description),
        says=version.findings or NOTHING,
        looks=(),
        level=None,
        state="withdrawn",
        before=None,
    )


def state(session: Session, step: Step) -> State:
    """Why what the step says no longer counts; nothing where it does. A branch is passed over where
    another one was selected, or the one that it leaves is out of play."""
    if counts(session, step):
        return ""
    if step.is_withdrawn:
        return "withdrawn"
    return "abandoned" if session.lines[step.branch].state == "abandoned" else "passed over"


def latest(session: Session) -> Step | None:
    """The last step that counts."""
    return next((step for step in reversed(session.steps.values()) if counts(session, step)), None)
