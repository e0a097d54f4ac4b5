"""session, what a step says -> which files were checked, and what its evidence lacks."""

from __future__ import annotations

from .ending import missing
from .findings import Findings
from .found import NOTHING, conflict, words
from .investigation import Found
from .session import Session


def own(session: Session, found: Found, says: Findings = NOTHING) -> bool:
    """Whether something was found here, and not all brought along from another session; with what
    a step says that is to come."""
    now = session.investigation
    if now is None or now.carried is None:
        return True
    here = len(found.findings) > len(now.brought)  # what was brought is among them
    return here or any(words(text) not in now.brought for text in says.findings)


def lacking(
    session: Session, found: Found, letters: int, relevant: int, says: Findings = NOTHING
) -> tuple[str, ...]:
    """What the evidence lacks, where that was found: so many letters of findings, so many relevant
    files, something of this session, and the looks that the kind asks for."""
    return missing(letters, relevant, own(session, found, says), unseen(session, found))


_NAMES = {
    "cell": "a cell",
    "tool": "a tool",
    "file": "a file",
    "git": "git",
    "code": "code",
    "adviser": "an adviser",
}


def unseen(session: Session, found: Found) -> tuple[str, ...]:
    """The kinds of looks that are asked for, and were not there; and a conflict, until a later look
    finds none. The code of a step that ran well is a cell."""
    now = session.investigation
    if now is None or not now.kind.evidence:
        return ()
    seen = {*found.looks, *(look.kind for look in now.looks if look.ticks != "nothing")}
    seen |= {"cell"} if found.ran else set()
    lacks = tuple(
        f"a look at {' or '.join(_NAMES[way] for way in ways)}"
        for ways in now.kind.evidence
        if seen.isdisjoint(ways)
    )
    last = conflict(now.looks)
    if last is None:
        last = next(reversed(found.conflicts.values()), None)
    return (*lacks, "a look at git that finds nothing in conflict") if last else lacks


def checked(found: Found) -> list[str]:
    """The files that were looked at: named, read by a look, or said to be relevant."""
    return list({**found.files, **found.relevant})
