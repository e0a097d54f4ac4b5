"""The seam: what a slice (investigations, …) adds to sessions, without the core knowing the slice.

Theory of operation
-------------------

A slice has commands, events and state of its own, and a word in some rules of the core. It says so
in one `Extension`, which `wfnb/slices.py` plugs in by its name:

    commands    subclasses of `ExtensionCommand`: `decide` hands them to the slice's `decide`
    events      subclasses of `ExtensionEvent`, listed so that a journal finds them by their name
                on disk: `apply` hands them to the slice's `apply`

Example: `LookAt` is a command of investigations. The core's `decide` sees an `ExtensionCommand`
whose `extension` is "investigation", and asks that slice for the events.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from .commands import ExtensionCommand
from .events import KINDS, Event, ExtensionEvent, name_of
from .session import Session


class Extension(ABC):
    """What one slice adds."""

    name: ClassVar[str]
    events: ClassVar[tuple[type[ExtensionEvent], ...]]

    @abstractmethod
    def decide(self, session: Session, command: ExtensionCommand) -> list[Event]:
        """The events of a command of the slice. Raises Refused; the session is only read."""

    @abstractmethod
    def apply(self, session: Session, event: ExtensionEvent) -> None:
        """Change the session as an event of the slice says."""

    @abstractmethod
    def describe(self, event: ExtensionEvent) -> str:
        """What happened, in a few words."""


EXTENSIONS: dict[str, Extension] = {}
"""The slices that are plugged in, by name."""


def plug_in(extension: Extension) -> None:
    EXTENSIONS[extension.name] = extension


def event_kinds() -> Mapping[str, type[Event]]:
    """All classes of events, the slices' too, by their names on disk."""
    added = [kind for extension in EXTENSIONS.values() for kind in extension.events]
    return {**KINDS, **{name_of(kind): kind for kind in added}}
