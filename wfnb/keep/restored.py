"""what came back of kept values, and what did not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wfnb.core.kept import Differs

from .members import give_back, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class NotBack:
    """`why` follows the name: "model: it cannot be read here (…)"."""

    name: str
    why: str


def held(*found: Restored) -> tuple[dict[str, Any], ...]:
    """What the members of enumerations held that came back in one of them, and hold otherwise now:
    each is the same object in all of them."""
    members = {id(one): one for back in found for one, _ in back.held}
    states = [{id(one): state for one, state in back.held} for back in found]
    return tuple(
        {str(one): shown(state.get(at, vars(one))) for at, one in members.items()}
        for state in states
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """`values` are what was asked for. `also` are names that they need to work, which the namespace
    does not have: modules, functions and classes of the notebook, plain constants. `classes` are
    names of classes that the values are of, and the namespace has another of that name. Nothing was
    put anywhere: `namespace.update(restored.values)` and `.also` does, and `give_back()`: members
    of enumerations are not new objects, and `held` is what they will hold. `left` were in the
    namespace as they were kept: they stay, the same objects."""

    values: dict[str, Any] = field(default_factory=dict)
    also: dict[str, Any] = field(default_factory=dict)
    left: tuple[str, ...] = ()
    missing: tuple[NotBack, ...] = ()
    differs: tuple[Differs, ...] = ()
    classes: tuple[str, ...] = ()
    held: tuple[tuple[Any, Mapping[str, Any]], ...] = ()

    def give_back(self) -> None:
        """To the members of enumerations that are among the values what they held."""
        for member, held in self.held:
            give_back(member, held)
