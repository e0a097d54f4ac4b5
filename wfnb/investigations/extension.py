"""What investigations add to sessions: commands, events, and their words in the rules and views."""

from __future__ import annotations

from wfnb.core.commands import ExtensionCommand
from wfnb.core.events import Event, ExtensionEvent
from wfnb.core.extension import Extension
from wfnb.core.session import Session
from wfnb.views.words import title_of

from .core import decide
from .core.commands import LookAt
from .core.events import LookedAt


class InvestigationExtension(Extension):
    name = "investigation"
    events = (LookedAt,)

    def decide(self, session: Session, command: ExtensionCommand) -> list[Event]:
        assert isinstance(command, LookAt)
        return decide.look_at(session, command)

    def apply(self, session: Session, event: ExtensionEvent) -> None:
        assert isinstance(event, LookedAt)
        if session.investigation is not None:
            session.investigation.looks += event.looks

    def describe(self, event: ExtensionEvent) -> str:
        assert isinstance(event, LookedAt)
        said = [title_of(f"{look.kind}: {look.what}", 60) for look in event.looks]
        return f"looked at {', '.join(said)}"
