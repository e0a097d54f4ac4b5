"""a session's investigation -> what another session's can bring along from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from wfnb.core.findings import Findings
from wfnb.core.session import Session

from .events import CarriedFindings
from .finding_parser import MAX_ENTRIES
from .investigation import investigation_of
from .reducer import counts

T = TypeVar("T")


def carry_findings(session: Session) -> CarriedFindings | None:
    """All that was found and counts, each once and in its own words, of very much the latest; None
    where nothing is investigated."""
    now = investigation_of(session)
    if now is None:
        return None
    said = tuple(_all_findings(session))
    return CarriedFindings(
        session=session.name,
        kind=now.kind.name,
        found=Findings(
            findings=_unique(each for says in said for each in says.findings),
            hypothesis=_last_given(says.hypothesis for says in said),
            confidence=_last_given(says.confidence for says in said),
            files=_unique(now.found.opened),
            relevant=_unique(now.found.relevant),
            context=_unique(now.found.context),
            issues=_unique(now.found.issues),
        ),
        # A copy: this session goes on, and what was carried stays as it was.
        fields=dict(now.fields),
    )


def _all_findings(session: Session) -> Iterator[Findings]:
    """What it had brought along itself, then what its steps say."""
    now = investigation_of(session)
    if now is not None and now.carried is not None:
        yield now.carried.found
    for step in session.steps.values():
        if step.current.findings is not None and counts(session, step):
            yield step.current.findings


def _unique(said: Iterable[T]) -> tuple[T, ...]:
    """Each once; as many as a step may say."""
    return tuple(dict.fromkeys(said))[-MAX_ENTRIES:]


def _last_given(said: Iterable[str | None]) -> str | None:
    known = [each for each in said if each is not None]
    return known[-1] if known else None
