"""what is to be kept, and what comes back: the values between a namespace and the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wfnb.core.data_flow import Made, Read
from wfnb.core.kept_values import KeptValues, Plan
from wfnb.core.session import Session, Step
from wfnb.core.validation import MAIN
from wfnb.errors import NamesUnknown, nearest
from wfnb.frozen_record import record
from wfnb.views.step_words import refer

if TYPE_CHECKING:
    from wfnb.values import RestoredValues
    from wfnb.views.restore_result import Restoration

LAST = "last"
"""Instead of a step: the last of the line that kept values."""


@record
class KeepRequest:
    """What the end of a step is to keep: `patterns` as they were typed, `names` are those of
    `namespace`. `strict`: a name that is not there is told of."""

    patterns: tuple[str, ...]
    names: tuple[str, ...]
    namespace: Mapping[str, Any]
    strict: bool = True


@record
class PreparedValues:
    """Values that were read and are nowhere yet. `restoration` says what putting them there does,
    `versions` which version of each name that is, `makers` who made its object where another wrote
    it, `doubts` why they may not be as they were."""

    namespace: dict[str, Any]
    values: dict[str, Any]
    gone: tuple[str, ...]
    restoration: Restoration
    give_back: Callable[[], None]
    versions: Mapping[str, Read | None]
    makers: Mapping[str, Made]
    doubts: tuple[str, ...] = ()

    def put(self) -> Restoration:
        """All of them at once."""
        # Then `give_back`: it fills objects that the namespace holds by now.
        self.namespace.update(self.values)
        self.give_back()
        for name in self.gone:
            self.namespace.pop(name, None)
        return self.restoration


class Values(dict[str, Any]):
    """Values by name, as they were at the end of a step. `missing` says of those that did not come
    back why, `notes` why the others may not be what is wanted."""

    def __init__(
        self, values: Mapping[str, Any], missing: Mapping[str, str], notes: Iterable[str] = ()
    ) -> None:
        super().__init__(values)
        self.missing, self.notes = dict(missing), list(notes)


def no_such(name: str, namespace: Mapping[str, Any]) -> str:
    """Why a name was not kept that is not there."""
    from wfnb.values.name_selection import names_in  # noqa: PLC0415  only where values are kept

    near = nearest(name, names_in(namespace)).strip()
    return "there was no such name" + (f" (did{near.removeprefix('Did')})" if near else "")


def all_kept(sessions: Iterable[Session]) -> Iterator[KeptValues]:
    """What the steps refer to."""
    for session in sessions:
        yield from (step.kept for step in session.steps.values() if step.kept is not None)


def pieces(sessions: Iterable[Session]) -> Iterator[str]:
    return (piece for kept in all_kept(sessions) for piece in kept.pieces())


def names_of(step: Step) -> tuple[str, ...]:
    """What a step kept that may come back."""
    return step.kept.names if step.kept is not None else ()


def kept_values_of(step: Step) -> KeptValues:
    assert step.kept is not None
    return step.kept


def check_names_known(step: Step) -> None:
    """NamesUnknown where other names are to be removed, and it is not known which were there: a
    program kept it, or nothing was."""
    if step.kept is None or not step.kept.there:
        raise NamesUnknown(refer(step, MAIN))


def mark_unchanged(plan: Plan, back: RestoredValues, namespace: Mapping[str, Any]) -> Plan:
    """What was read, and is the very object that is there, is not replaced: a class that says the
    same as it did, a member of an enumeration that holds the same."""
    # What is given back later (`give_back`) changes: that it is the same object now says nothing.
    others = {id(one) for member, _ in back.held for one in (member, type(member))}
    others |= {id(one) for one, _ in back.live}
    same = {
        name: value is namespace.get(name) and id(value) not in others
        for name, value in back.values.items()
    }
    entries = (
        replace(one, way="same") if one.way == "replaces" and same.get(one.name) else one
        for one in plan.names
    )
    return replace(plan, names=tuple(entries))


def without_removals(plan: Plan, kept: KeptValues, lost: Iterable[str]) -> tuple[Plan, list[str]]:
    """A plan that removes nothing while something that was kept does not come back, and says so."""
    if set(lost).isdisjoint(kept.names) or all(one.way != "removed" for one in plan.names):
        return plan, []
    stay = (replace(one, way="left") if one.way == "removed" else one for one in plan.names)
    return replace(plan, names=tuple(stay)), ["no name is removed while a value is not back"]
