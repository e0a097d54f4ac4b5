"""recorded events -> the steps that look otherwise after them, the rest of them not looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wfnb.core.events import (
    ExtensionEvent,
    Recorded,
    StepAdded,
    StepChanged,
    StepDescribed,
    StepFinished,
    StepRepeated,
    StepsConfirmed,
    StepTagged,
    ValuesKept,
)
from wfnb.core.extension import EXTENSIONS
from wfnb.core.queries import step_at
from wfnb.core.session import Session, Step


class AffectedSteps:
    """It remembers which attempts run, which steps are stale, and how many changes of why there
    were: the rest is in the events."""

    def __init__(self, session: Session) -> None:
        # `StepFinished` names its attempt only: which step that is has to be remembered.
        self._attempts = {attempt: key for attempt, (key, _) in session.running.items()}
        self._stale = set(session.stale)
        self._changes = len(session.staleness.changes)

    def affected_keys(self, session: Session, entries: Sequence[Recorded]) -> set[int]:
        """Keys of steps; the session has these entries already."""
        affected: set[int] = set()
        for entry in entries:
            affected.update(self._affected_by(session, entry, len(entries)))
        changes = session.staleness.changes
        # `changes` only grows: what is behind the last known place is new, and nothing is looked
        # for.
        affected.update(changes[self._changes :])
        self._changes = len(changes)
        if self._stale != session.stale:
            affected |= self._stale ^ session.stale
            self._stale = set(session.stale)
        return affected & session.steps.keys()

    def _affected_by(self, session: Session, entry: Recorded, batch: int) -> Iterator[int]:
        event = entry.event
        match event:
            case StepAdded() | StepChanged() | StepRepeated():
                step = _step(session, event.branch, event.number)
                if event.outcome is None:
                    # The end of an attempt names its beginning alone.
                    self._attempts[entry.position] = step.key
                yield step.key
                if not isinstance(event, StepRepeated):
                    yield from _revised_keys(session, step, batch)
            case StepFinished(attempt=attempt):
                key = self._attempts.pop(attempt, None)
                if key is not None:
                    yield key
            case ValuesKept(step=key) if key in session.steps:
                yield key
            case StepsConfirmed(branch=branch, numbers=numbers):
                for number in numbers:
                    yield _step(session, branch, number).key
            case (
                StepDescribed(branch=branch, number=number)
                | StepTagged(branch=branch, number=number)
            ):
                yield _step(session, branch, number).key
            case ExtensionEvent():
                changed = EXTENSIONS[event.extension].changed_steps(session, event)
                for step in changed:
                    yield step.key
                    yield from _revised_keys(session, step, 0)
            case _:
                pass


def _step(session: Session, branch: str, number: int) -> Step:
    return session.steps[session.lines[branch].keys[number]]


def _revised_keys(session: Session, step: Step, batch: int) -> Iterator[int]:
    """What the step revises, and what it did before so many events: whose reviser may be another
    now."""
    line = session.lines[step.branch]
    for number in {version.revises for version in step.versions[-batch - 1 :]}:
        revised = None if number is None else step_at(session, line, number)
        if revised is not None:
            yield revised.key
