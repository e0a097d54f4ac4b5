"""What an investigation costs: a step of one, over the same step without, as the history grows."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from functools import partial

from wfnb.core.events import Outcome
from wfnb.core.findings import Findings
from wfnb.investigations.core.commands import ChooseKind
from wfnb.investigations.core.events import CarriedFindings
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.kind_reader import builtin_kinds
from wfnb.workspace import Workspace

from .figures import Curve, Figure, Measured, Times, shown, timed
from .histories import Recording, by_api, grown

SIZES = (100, 10_000)
OTHER_SIZES = (100, 3_000)
ROUNDS = 500
LIMIT = 0.0002


def measure() -> Iterator[Measured]:
    for size in SIZES:
        yield from _measured("an investigation", by_inquiry, size)
    for size in OTHER_SIZES:
        yield from _measured("a validation", by_validation, size)
        yield from _measured("one that continues another", by_continuing, size)


def _measured(what: str, record: Recording, size: int) -> Iterator[Measured]:
    plain, investigated = _side_by_side(record, size)
    more = investigated.median - plain.median
    yield Figure(
        f"a step of {what} over a plain one, after {size:,} others",
        f"median ≤ {shown(LIMIT)}",
        shown(more),
        shown(investigated.p95 - plain.p95),
        more <= LIMIT,
    )
    rows = (("plain", *plain.cells), (f"of {what}", *investigated.cells))
    yield Curve(f"a step of {what} after {size:,} others", ("", "median", "p95"), rows)


def by_inquiry(workspace: Workspace, number: int) -> None:
    """A step that says what it found; its finding is new, so that the pause lets it through."""
    if number == 1:
        workspace.investigation.choose("debug")
    workspace.step(
        f"Compare the residuals of day {number}",
        total=1_000_000 if number == 1 else None,
        finding=f"the residuals of day {number} drift by a tenth more than those of the day before",
        hypothesis="the sensor ages",
        confidence="low",
        context=f"day_{number}",
        issues=f"low: day {number} has a gap",
    )


def by_validation(workspace: Workspace, number: int) -> None:
    """A step of a kind that asks for looks before it ends early. The first names a repository,
    which is not looked up here."""
    if number > 1:
        _found(workspace, number)
        return
    workspace.investigation.choose("precommit")
    first = workspace.steps.command_for(
        "Is it ready?", total=1_000_000, fields={"path": "."}, outcome=Outcome(), finding="begun"
    )
    workspace.log.do(first)


def by_continuing(workspace: Workspace, number: int) -> None:
    """A step that goes on with what another session found."""
    if number == 1:
        brought = Findings(findings=tuple(f"known before: {each}" for each in range(20)))
        carried = CarriedFindings(session="before", kind="debug", found=brought)
        workspace.log.do(ChooseKind(kind=builtin_kinds()["debug"], carried=carried))
    _found(workspace, number, 1_000_000 if number == 1 else None)


def _found(workspace: Workspace, number: int, total: int | None = None) -> None:
    finding = f"the residuals of day {number} drift"
    words = f"Compare the residuals of day {number}"
    workspace.step(words, total=total, finding=finding, confidence="low")


def _side_by_side(record: Recording, size: int) -> tuple[Times, Times]:
    """A step in each of two sessions, round after round, so that whatever else the machine does
    slows both alike."""
    recordings = (by_api, record)
    workspaces = [grown(each, size) for each in recordings]
    seconds: tuple[list[float], ...] = ([], [])
    gc.collect()
    for turn in range(1, ROUNDS + 1):
        for each, workspace, found in zip(recordings, workspaces, seconds, strict=True):
            found.append(timed(partial(each, workspace, size + turn)))
    for workspace in workspaces:
        assert len(workspace.session.steps) == size + ROUNDS
        workspace.log.journal.close()
    investigation = investigation_of(workspaces[1].session)
    assert investigation is not None
    assert len(investigation.found.findings) == size + ROUNDS + len(investigation.brought)
    return Times(seconds[0]), Times(seconds[1])
