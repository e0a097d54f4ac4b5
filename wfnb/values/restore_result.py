"""what came back of kept values, and what did not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wfnb.core.kept_values import Differs

from .enum_members import give_back, own_state
from .keep_refusals import collect_refusals
from .singletons import fill


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
    """What comes back. Nothing was put anywhere: `namespace.update(restored.values)` and `.also`
    does, and `give_back()` for members of enumerations, which are not new objects."""

    values: dict[str, Any] = field(default_factory=dict)
    """What was asked for."""
    also: dict[str, Any] = field(default_factory=dict)
    """Names that they need to work, which the namespace does not have: modules, functions and
    classes of the notebook, plain constants."""
    left: tuple[str, ...] = ()
    """Those that were in the namespace as they were kept: they stay, the same objects."""
    missing: tuple[RestoreFailure, ...] = ()
    differs: tuple[Differs, ...] = ()
    classes: tuple[str, ...] = ()
    """Names of classes that the values are of, and the namespace has another of that name."""
    constants: tuple[str, ...] = ()
    """Those of plain values that functions use, and that are others there."""
    held: tuple[tuple[Any, Mapping[str, Any]], ...] = ()
    """What members of enumerations will hold."""
    live: tuple[tuple[Any, Any], ...] = ()
    """What objects that belong to libraries will hold."""

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
            with collect_refusals({}, {}):
                fill(found, held)
