"""What the disk says to the journal. What was recorded stays."""

from __future__ import annotations

from wfnb.hints import Command, Option, clause, spelling

from .base import WfnbError


def _in_memory(join: str = ", or") -> str:
    return clause(f"{join} go on in memory with", Command("start", "NAME", Option("scratch", True)))


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
            f"`{Command('resume', self.left)}` goes on with it, once that is over."
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
            f"Nothing was lost: {spelling().again}{_in_memory()}."
        )


class JournalReadOnly(JournalError):
    path: str

    def __str__(self) -> str:
        return f"{self.path} cannot be written. " + self.way(
            "Set WFNB_HOME to a folder that can be, a copy of this one where what is in it is to "
            f"go on{_in_memory()}."
        )


class JournalUnreadable(JournalError):
    path: str

    def __str__(self) -> str:
        return f"{self.path} cannot be read: this user may not. " + self.way(
            "Let its owner allow it (`chmod u+rw`), or set WFNB_HOME to another folder"
            f"{_in_memory()}."
        )


class JournalFull(JournalError):
    path: str

    def __str__(self) -> str:
        return f"There is no room left for {self.path}. " + self.way(
            f"What was recorded stays: free some space and {spelling().again}{_in_memory()}."
        )


class JournalFaulty(JournalError):
    path: str
    what: str

    def __str__(self) -> str:
        return f"The disk failed at {self.path} ({self.what}). " + self.way(
            f"What was recorded stays: {spelling().again}, and if it fails again, copy the folder "
            f"to another disk{_in_memory()}."
        )


class JournalGone(JournalError):
    path: str

    def __str__(self) -> str:
        return (
            f"{self.path} is not there any more: it was moved or deleted while it was in use. "
            "Put it back to go on"
            f"{clause(', or begin another session with', Command('start', 'NAME'))}."
        )


class JournalReplaced(JournalError):
    path: str

    def __str__(self) -> str:
        return (
            f"{self.path} is another journal than the one that was read here: the file was "
            "replaced. Nothing was written into it. Put the old one back to go on, or open the "
            f"session of this one with `{Command('resume-session', 'NAME')}`."
        )


class JournalTorn(JournalError):
    path: str

    def __str__(self) -> str:
        return (
            f"{self.path} is empty, and was not always: what was recorded is in {self.path}-wal, "
            "and that is not there. Copy both files, or this one after the kernels that use it "
            f"were closed{_in_memory('; or')}."
        )


class JournalCorrupt(JournalError):
    path: str
    what: str

    def __str__(self) -> str:
        return (
            f"{self.path} cannot be read as a journal ({self.what}). It is left as it is. Put back "
            f"a copy of it that can be read, or set WFNB_HOME to another folder{_in_memory()}."
        )


class JournalNewer(JournalError):
    path: str
    what: str

    def __str__(self) -> str:
        return f"{self.path} was written by a newer wfnb ({self.what}). Update wfnb to read it."
