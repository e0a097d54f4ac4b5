"""A session by its name, and what there is in it to go back to or to show."""

from __future__ import annotations

from wfnb.hints import Command, Option, spelling

from .base import Refused
from .phrases import listing, nearest


class SessionExists(Refused):
    name: str
    steps: int

    def __str__(self) -> str:
        return (
            f"Session {self.name!r} exists, with {self.steps} step{'s' * (self.steps != 1)}. "
            f"`{Command('open', self.name)}` goes on with it, each time that it runs; "
            f"`{Command('start', self.name, Option('fresh', True))}` archives it and starts anew."
        )


class OtherNotebook(Refused):
    """Two notebooks have one kernel, and a cell of one is to be recorded as a step of the other."""

    notebook: str
    session: str
    owner: str

    def __str__(self) -> str:
        return (
            f"This kernel records into session {self.session!r} of {self.owner}, and this cell is "
            f"of {self.notebook}. Give {self.notebook} a kernel of its own, or let this kernel "
            f"record for it: `{Command('open', 'NAME')}`."
        )

    @property
    def note(self) -> str:
        """The same for whoever looks at the notebook, before a cell of it runs: in few words, for
        a panel is narrow."""
        return (
            f"This kernel records for {self.owner}, not for this notebook. Choose another kernel, "
            f"or run `{Command('open', 'NAME')}`."
        )


class SessionUnknown(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"No session is called {self.name!r}. {nearest(self.name, self.names)}"
            f"Sessions: {listing(self.names, 'none yet')}."
        )


class NothingToUndo(Refused):
    def __str__(self) -> str:
        return "There is nothing to undo: the session is as it was when it started."


class NothingByAuthor(Refused):
    by: str
    authors: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"Nothing that {self.by!r} did can be taken back. {nearest(self.by, self.authors)}"
            f"Changes are by: {listing(self.authors, 'nobody yet')}."
        )


class ChangeNeeded(Refused):
    """What one did is to be taken back, and what another did rests on it."""

    change: str
    other: str
    position: int

    def __str__(self) -> str:
        return (
            f"Nothing was taken back: “{self.other}” rests on “{self.change}”. "
            f"Take that back first; `{Option('since', self.position)}` takes what came after it."
        )


class NothingToRedo(Refused):
    def __str__(self) -> str:
        return "There is nothing to redo: nothing was undone since the last change."


class NothingRecorded(Refused):
    what: str

    def __str__(self) -> str:
        way = spelling().first_step
        return f"There is nothing to {self.what}: no step and no run is recorded yet. {way}"
