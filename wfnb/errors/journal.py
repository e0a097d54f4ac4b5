"""What the disk says to the journal. What was recorded stays."""

from __future__ import annotations

from .root import WfnbError


class JournalError(WfnbError):
    """The journal could not be read or written. What was recorded stays. `left` is the run that it
    kept from going on, if it was one."""

    def __init__(self, *facts: object) -> None:
        super().__init__(*facts)
        self.left: str | None = None

    def way(self, otherwise: str) -> str:
        """The next move: a cell that is run again would begin another run."""
        if self.left is None:
            return otherwise
        return (
            f"Run {self.left} stopped there, and what it had done is recorded: "
            f"`%run_workflow --resume {self.left}` goes on with it, once that is over."
        )


class JournalConflict(JournalError):
    session: str
    position: int

    def __str__(self) -> str:
        return (
            f"Session {self.session!r} went on after event {self.position}. Read on, decide again."
        )


class JournalLocked(JournalError):
    path: str

    def __str__(self) -> str:
        return f"{self.path} is locked by another process. " + self.way(
            "Nothing was lost: run the cell again, "
            "or go on in memory with `%wfnb start NAME --scratch`."
        )


class JournalReadOnly(JournalError):
    path: str

    def __str__(self) -> str:
        return f"{self.path} cannot be written. " + self.way(
            "Set WFNB_HOME to a folder that can be, "
            "or go on in memory with `%wfnb start NAME --scratch`."
        )


class JournalFull(JournalError):
    path: str

    def __str__(self) -> str:
        return f"There is no room left for {self.path}. " + self.way(
            "What was recorded stays: free some space and "
            "run the cell again, or go on in memory with `%wfnb start NAME --scratch`."
        )


class JournalCorrupt(JournalError):
    path: str
    what: str

    def __str__(self) -> str:
        return (
            f"{self.path} cannot be read as a journal ({self.what}). It is left as it is: move it "
            "away to start anew, or go on in memory with `%wfnb start NAME --scratch`."
        )


class JournalNewer(JournalError):
    path: str
    what: str

    def __str__(self) -> str:
        return f"{self.path} was written by a newer wfnb ({self.what}). Update wfnb to read it."
