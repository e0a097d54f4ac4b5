"""session, step -> what a reviewer is told: all that was found, in words, and no contents of
files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wfnb.core.queries import line_steps
from wfnb.core.session import Session, Step
from wfnb.investigations.core.investigation import investigation_of, looks_before
from wfnb.investigations.core.reducer import NOTHING, counts

from . import prompts
from .adviser import Request

MAX_LENGTH = 60_000
"""Characters of a prompt. What is left out is the middle, and is said."""


def request(session: Session, step: Step, stance: str = "neutral") -> Request:
    """About the line up to the step: its end, or where it stands."""
    now = investigation_of(session)
    role = "adviser" if step.current.next_step_needed else "reviewer"
    return Request(
        prompt=_cut("\n\n".join(_parts(session, step))),
        system=prompts.system(role),
        role="reviewer",
        stance=stance,
        kind=now.kind.name if now is not None else "",
        session=session.name,
    )


def _parts(session: Session, last: Step) -> Iterator[str]:
    now = investigation_of(session)
    if now is None:
        return
    steps = [
        step
        for step in line_steps(session, session.lines[last.branch])
        if counts(session, step) and step.number <= last.number
    ]
    # The first step says what was asked: later ones say what was done about it.
    first = steps[0] if steps else last
    yield f"Kind of investigation: {now.kind.title or now.kind.name}"
    yield f"What was asked:\n{first.current.description}"
    if now.carried is not None:
        yield _list(f"Known before, from {now.carried.session}", now.carried.found.findings)
    for step in steps:
        yield "\n".join(_step(session, step))
    found = now.found
    issues = sorted(found.issues, key=lambda issue: issue.rank)
    yield _list("Issues", (f"{issue.severity}: {issue.text}" for issue in issues))
    yield _list("Relevant files", found.relevant)
    yield _list(
        "Other files that were looked at", (f for f in found.files if f not in found.relevant)
    )
    yield _list("Names in the code", found.context)
    name = "Where it stands" if last.current.next_step_needed else "The final analysis"
    yield f"{name}:\n{last.current.description}"


def _step(session: Session, step: Step) -> Iterator[str]:
    says = step.current.findings or NOTHING
    yield f"Step {step.number} (confidence {says.confidence}): {step.current.description}"
    yield from (f"- found: {text}" for text in says.findings)
    if says.hypothesis:
        yield f"- hypothesis: {says.hypothesis}"
    yield from (f"- looked at: {look.kind}: {look.what}" for look in looks_before(session, step))


def _list(title: str, entries: Iterable[str]) -> str:
    said = [f"- {entry}" for entry in entries]
    return "\n".join((f"{title}:", *(said or ["- none"])))


def _cut(text: str) -> str:
    if len(text) <= MAX_LENGTH:
        return text
    note = f"\n\n… left out: {len(text) - MAX_LENGTH:,} characters …\n\n"
    half = (MAX_LENGTH - len(note)) // 2
    return f"{text[:half]}{note}{text[-half:]}"
