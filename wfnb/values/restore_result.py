"""what came back of kept values, and what did not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wfnb.core.kept_values import Differs

from .belongings import fill
from .enum_members import give_back, own_state
from .refusals import attempt


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreFailure:
    """`why` follows the name: "model: it cannot be read here (…)"."""

    name: str
    why: str


def held_states(*found: RestoredValues) -> tuple[dict[str, Any], ...]:
    """What the members of enumerations held that came back in one of them, and hold otherwise now:
    each is the same object in all of them."""
    members = {id(one): one for back in found for one, _ in back.held}
    states = [{id(one): state for one, state in back.held} for back in found]
    return tuple(
        {str(one): own_state(state.get(at, vars(one))) for at, one in members.items()}
        for state in states
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoredValues:
    """`values` are what was asked for. `also` are names that they need to work, which the namespace
    does not have: modules, functions and classes of the notebook, plain constants. `classes` are
    names of classes that the values are of, and the namespace has another of that name; `constants`
    those of plain values that functions use, and that are others there. Nothing was
    put anywhere: `namespace.update(restored.values)` and `.also` does, and `give_back()`: members
    of enumerations are not new objects, and `held` is what they will hold, as `live` is of what
    belongs to libraries. `left` were in the
    namespace as they were kept: they stay, the same objects."""

    values: dict[str, Any] = field(default_factory=dict)
    also: dict[str, Any] = field(default_factory=dict)
    left: tuple[str, ...] = ()
    missing: tuple[RestoreFailure, ...] = ()
    differs: tuple[Differs, ...] = ()
    classes: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    held: tuple[tuple[Any, Mapping[str, Any]], ...] = ()
    live: tuple[tuple[Any, Any], ...] = ()

    def and_then(self, more: RestoredValues) -> RestoredValues:
        """What comes back if more does after it."""
        return RestoredValues(
            values=self.values | more.values,
            also=self.also | more.also,
            left=(*self.left, *more.left),
            missing=(*self.missing, *more.missing),
            differs=tuple({one.name: one for one in (*self.differs, *more.differs)}.values()),
            classes=tuple(dict.fromkeys((*self.classes, *more.classes))),
            constants=tuple(dict.fromkeys((*self.constants, *more.constants))),
            held=(*self.held, *more.held),
            live=(*self.live, *more.live),
        )

    def give_back(self) -> None:
        """To the members of enumerations, and to objects of libraries, that are among the values
        what they held. What a library's own code raises at that stops no other."""
        for member, held in self.held:
            give_back(member, held)
        for found, held in self.live:
            with attempt({}, {}):
                fill(found, held)
