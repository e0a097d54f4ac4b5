"""session, what a step says -> which files were checked, and whether some evidence is its own."""

from __future__ import annotations

from collections.abc import Container

from .findings import Findings
from .found import NOTHING, counts, words
from .investigation import Found
from .session import Session


def own(session: Session, says: Findings = NOTHING, but: Container[int] = ()) -> bool:
    """Whether something was looked at or found here, and not all brought along from another
    session; with what a step says that is to come, and without the steps whose keys are in
    `but`."""
    now = session.investigation
    if now is None or now.carried is None or now.looks:
        return True
    brought = {words(text) for text in now.carried.found.findings}
    here = (each for each in session.steps.values() if counts(session, each))
    return any(words(text) not in brought for text in says.findings) or any(
        (step.counted is not None and step.counted.looks)
        or any(words(text) not in brought for text in (step.now.findings or NOTHING).findings)
        for step in here
        if step.key not in but
    )


def checked(found: Found) -> list[str]:
    """The files that were looked at: named, read by a look, or said to be relevant."""
    return list({**found.files, **found.relevant})
