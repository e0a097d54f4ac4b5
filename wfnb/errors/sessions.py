"""A session by its name, and what there is in it to go back to or to show."""

from __future__ import annotations

from .names import listing, nearest
from .root import Refused


class SessionExists(Refused):
    name: str
    steps: int

    def __str__(self) -> str:
        return (
            f"Session {self.name!r} exists, with {self.steps} step{'s' * (self.steps != 1)}. "
            f"`%wfnb resume {self.name}` goes on with it; "
            f"`%wfnb start {self.name} --fresh` archives it and starts anew."
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


class NothingToRedo(Refused):
    def __str__(self) -> str:
        return "There is nothing to redo: nothing was undone since the last change."


class NothingRecorded(Refused):
    what: str

    def __str__(self) -> str:
        return (
            f"There is nothing to {self.what}: no step and no run is recorded yet. "
            "Write `%%step` over a cell."
        )
