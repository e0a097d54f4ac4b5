"""The seam: what a slice (investigations, …) adds to sessions, without the core knowing the slice.

Theory of operation
-------------------

A slice has commands, events and state of its own, and a word in some rules of the core. It says so
in one `Extension`, which `wfnb/feature_slices.py` plugs in by its name:

    commands    subclasses of `ExtensionCommand`: `decide` hands them to the slice's `decide`
    events      subclasses of `ExtensionEvent`, listed so that a journal finds them by their name
                on disk: `apply` hands them to the slice's `apply`
    state       any object, in `session.states` under the slice's name, from its first event on
    amendments  a new step, or a changed one, is shown to the slice before it is recorded: it may
                refuse it, or say another total, whether the line goes on, and why (`amend_step`)
    hooks       the slice learns which steps are added and changed, and which begin or cease to
                count (`exclude` and `include`), so that it can count in flat time

Only slices that have a state in the session are asked: a step in a session without an investigation
walks through none of its code. A step that says something of a slice which has no state here (what
it found, where nothing is investigated) is shown to all of them, so that one can refuse it.

Example: `LookAt` is a command of investigations. The core's `decide` sees an `ExtensionCommand`
whose `extension` is "investigation", and asks that slice for the events: one `LookedAt`. The core's
`apply` hands it to the slice, which adds the look to its state.

Not taken: state and hooks by the class of the state (a journal knows only names), entry points (no
slice comes from outside), and free fields on steps for slices: what a step says that it found is on
disk with the step, so that its records are the core's (`findings.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from wfnb.frozen_record import record

from .commands import AddStep, ExtensionCommand, FinishStep
from .events import KINDS, Event, ExtensionEvent, Judged, StepFinished, name_of
from .findings import Findings
from .session import Line, Session, Step
from .strategy import Holds


@record
class Amendment:
    """What a slice makes of a step."""

    findings: Findings
    """What it found, as that holds."""
    total: int
    """How many steps are planned."""
    given: bool
    """Whether somebody gave `total`."""
    needed: bool
    """Whether the line goes on."""
    end: str | None
    """Why it ends, or does not."""
    warnings: tuple[str, ...]
    """What to say of it."""
    opening: tuple[Event, ...] = ()
    """What happens before it."""
    wants_end: bool | None = None
    """Whether an end was asked for."""
    planned: int | None = None
    """The last planned turn, before the step could lower it."""
    declares: bool = False
    """Whether it was said or earned that its line ends. A step that comes after an end and says
    nothing of it declares none."""


class Extension:
    """What one slice adds. What it need not say does nothing."""

    name: ClassVar[str]
    events: ClassVar[tuple[type[ExtensionEvent], ...]]

    def decide(self, session: Session, command: ExtensionCommand) -> list[Event]:
        """The events of a command of the slice. Raises Refused; the session is only read."""
        raise NotImplementedError

    def apply(self, session: Session, event: ExtensionEvent) -> None:
        """Change the session as an event of the slice says."""
        raise NotImplementedError

    def describe(self, event: ExtensionEvent) -> str:
        """What happened, in a few words."""
        raise NotImplementedError

    def changed_steps(self, session: Session, event: ExtensionEvent) -> Iterable[Step]:
        """The steps that look otherwise after an event of the slice, which was applied."""
        return ()

    def remains(self, event: Event) -> ExtensionEvent | None:
        """What an event says that is so, and counts, though it was undone; None: nothing."""
        return None

    def clear(self, session: Session) -> None:
        """All steps of the session were put away."""

    def amend_step(
        self, session: Session, line: Line, number: int, existing: Step | None, command: AddStep
    ) -> Amendment | None:
        """What the slice makes of a step that is to be recorded; `existing` is the one that is
        meant again. None: nothing. Raises Refused for a step that it does not allow."""
        return None

    def judge_again(self, session: Session, step: Step, command: FinishStep) -> Judged | None:
        """What the step comes to once its code has ended, where that is another than before."""
        return None

    def add(self, session: Session, step: Step) -> None:
        """A new step was added."""

    def change(self, session: Session, step: Step) -> None:
        """A step has a new version; the old one was excluded."""

    def finish(self, session: Session, step: Step, event: StepFinished) -> None:
        """The code of a step has ended."""

    def exclude(self, session: Session, step: Step) -> None:
        """A step is about to be changed, or to count no more: it is hidden, or its line is
        decided against."""

    def include(self, session: Session, step: Step) -> None:
        """A step counts again: it is shown, or its line is no longer decided against."""

    def recount(self, session: Session) -> None:
        """All of them were excluded and included."""

    def missing_at_end(self, session: Session, step: Step) -> tuple[str, ...]:
        """What is missing for an end with the step; none: nothing."""
        return ()

    def fields(self, session: Session) -> Mapping[str, Holds]:
        """The fields that the slice asks for, and how each is read."""
        return {}


EXTENSIONS: dict[str, Extension] = {}
"""The slices that are plugged in, by name."""


def plug_in(extension: Extension) -> None:
    EXTENSIONS[extension.name] = extension


def event_kinds() -> Mapping[str, type[Event]]:
    """All classes of events, the slices' too, by their names on disk."""
    added = [kind for extension in EXTENSIONS.values() for kind in extension.events]
    return {**KINDS, **{name_of(kind): kind for kind in added}}


def active(session: Session) -> Iterator[Extension]:
    """The slices that have a state in the session."""
    return (EXTENSIONS[name] for name in session.states)


def amend_step(
    session: Session, line: Line, number: int, existing: Step | None, command: AddStep
) -> Amendment | None:
    """What the first slice that has to do with the step makes of it."""
    speaks = command.findings is not None or command.backtrack is not None
    for extension in EXTENSIONS.values() if speaks else active(session):
        amended = extension.amend_step(session, line, number, existing, command)
        if amended is not None:
            return amended
    return None


def fields(session: Session) -> dict[str, Holds]:
    """The fields that slices ask for, and how each is read."""
    return {
        name: holds
        for extension in active(session)
        for name, holds in extension.fields(session).items()
    }
