"""the names of a kind, a reviewer, a planner -> the command that chooses them."""

from __future__ import annotations

from wfnb.core.events import Cell
from wfnb.data_files.investigation_kinds import KindShelf
from wfnb.investigations.advisers.registry import AdviserShelf
from wfnb.investigations.core.commands import NOBODY, ChooseKind
from wfnb.investigations.core.kind_check import NONE


def choice(
    kinds: KindShelf,
    advisers: AdviserShelf,
    kind: str | None,
    pause: bool = True,
    reviewer: str | None = None,
    planner: str | None = None,
    cell: Cell | None = None,
) -> ChooseKind:
    """Raises KindUnknown and AdviserUnknown for a name that is none, AdviserBroken, AdviserKey."""
    for name in (reviewer, planner):
        if name not in (None, NONE):
            advisers.ready(name)
    return ChooseKind(
        kind=None if kind in (None, NONE) else kinds.get(kind),
        pause=pause,
        reviewer=NOBODY if reviewer == NONE else reviewer,
        planner=NOBODY if planner == NONE else planner,
        cell=cell,
    )
