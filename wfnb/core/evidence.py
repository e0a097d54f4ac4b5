"""session, what a step says -> which files were checked, and what its evidence lacks."""

from __future__ import annotations

from collections.abc import Container

from .ending import missing
from .findings import Findings
from .found import NOTHING, counts, words
from .header import code
from .investigation import Found
from .session import Session, Step


def own(session: Session, says: Findings = NOTHING, but: Container[int] = ()) -> bool:
    """Whether something was found here, and not all brought along from another session; with what
    a step says that is to come, and without the steps whose keys are in `but`."""
    now = session.investigation
    if now is None or now.carried is None:
        return True
    brought = {words(text) for text in now.carried.found.findings}
    here = (
        each.now.findings or NOTHING
        for each in session.steps.values()
        if each.key not in but and counts(session, each)
    )
    return any(words(text) not in brought for said in (says, *here) for text in said.findings)


def lacking(
    session: Session,
    letters: int,
    relevant: int,
    says: Findings = NOTHING,
    but: Container[int] = (),
) -> tuple[str, ...]:
    """What the evidence lacks: so many letters of findings, so many relevant files, something of
    this session, and the looks that the kind asks for."""
    return missing(letters, relevant, own(session, says, but), _unseen(session, but))


_NAMES = {
    "cell": "a cell",
    "tool": "a tool",
    "file": "a file",
    "git": "git",
    "code": "code",
    "adviser": "an adviser",
}


def _unseen(session: Session, but: Container[int]) -> tuple[str, ...]:
    """The kinds of looks that are asked for, and were not there. The code of a step that ran well
    is a cell."""
    now = session.investigation
    if now is None or not now.kind.evidence:
        return ()
    seen = {look.kind for look in now.looks if look.ticks != "nothing"}
    for step in session.steps.values():
        if step.key not in but and counts(session, step) and step.counted is not None:
            seen |= {look.kind for look in step.counted.looks if look.ticks != "nothing"}
            seen |= {"cell"} if _ran(step) else set()
    return tuple(
        f"a look at {' or '.join(_NAMES[way] for way in ways)}"
        for ways in now.kind.evidence
        if seen.isdisjoint(ways)
    )


def _ran(step: Step) -> bool:
    cell, outcome = step.now.cell, step.outcome
    return (
        cell is not None and outcome is not None and outcome.status == "ok" and _runs(cell.source)
    )


def _runs(source: str) -> bool:
    lines = (line.strip() for line in code(source).splitlines())
    return any(line and not line.startswith("#") for line in lines)


def checked(found: Found) -> list[str]:
    """The files that were looked at: named, read by a look, or said to be relevant."""
    return list({**found.files, **found.relevant})
