"""cells -> the namespace they make, as a kernel's: functions in it look up names in it. Names of it
are kept, and come back into it, as in a notebook."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

from wfnb.core.kept_values import KeptValues
from wfnb.values import Keeper, RestoredValues


def namespace(*cells: str) -> dict[str, Any]:
    made: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}
    for cell in cells:
        exec(dedent(cell), made)
    return made


def keep(keeper: Keeper, space: dict[str, Any], *names: str) -> KeptValues:
    return keeper.keep({name: space[name] for name in names}, namespace=space)


def put_back(keeper: Keeper, kept: KeptValues, space: dict[str, Any]) -> None:
    """All of it, whatever is there."""
    restored = keeper.restore(kept, namespace=space)
    assert restored.missing == ()
    space.update(restored.also | restored.values)
    restored.give_back()


def gone_back(
    keeper: Keeper, kept: KeptValues, space: dict[str, Any], *names: str
) -> RestoredValues:
    """What has changed; the rest stays the object that it is."""
    plan, back = keeper.go_back(kept, names or None, namespace=space)
    left = {entry.name for entry in plan.names if entry.way == "same"}
    assert left == set(back.left)
    space.update(back.also | back.values)
    back.give_back()
    return back


def reasons(kept: KeptValues) -> dict[str, str | None]:
    """By its name: why it was not kept."""
    return {value.name: value.why_not for value in kept.values}
