"""the newest kept values up to a step, each of the step that kept it -> read as one.

They are read from the oldest step to the newest, so that a class that an older step kept is there
for objects that a newer one did. Nothing is put anywhere before all are read.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wfnb.core.kept_values import KeptValues, Plan
from wfnb.core.newest_kept_values import Source, changed_since, merged_values, sources
from wfnb.core.session import Session, Step
from wfnb.core.validation import MAIN
from wfnb.errors import NotRestored, ValueNotKept, listing
from wfnb.hints import Command
from wfnb.views.step_words import refer

from .value_transfer import names_of

if TYPE_CHECKING:
    from wfnb.values import Keeper, RestoredValues


def wanted_values(
    session: Session, step: Step, names: Iterable[str], alone: bool
) -> tuple[list[Source], KeptValues]:
    """What to restore, the step itself at last, and all that there is, as if one step had kept it;
    `alone`: of that step only. `names` and patterns choose of it. ValueNotKept says which step kept
    that name last."""
    from wfnb.values import choose_values  # noqa: PLC0415  only where values are kept

    own = [] if step.kept is None else [value.name for value in step.kept.values]
    origins = [Source(step=step, names=tuple(own))] if alone else sources(session, step)
    if step.kept is not None and all(source.step is not step for source in origins):
        origins.append(Source(step=step, names=()))  # it says which names were there
    last = origins[-1].kept_values if origins else KeptValues()
    every = KeptValues(
        values=merged_values(origins), environment=last.environment, there=last.there
    )
    wanted = tuple(names)
    if wanted:
        mine, unknown = choose_values(wanted, dict.fromkeys(value.name for value in every.values))
        if unknown:
            some = [one for one in session.steps.values() if unknown[0] in names_of(one)]
            other = refer(some[-1], MAIN) if some else ""
            raise ValueNotKept(unknown[0], every.names, refer(step, MAIN), other)
        origins = [
            replace(source, names=tuple(name for name in mine if name in source.names))
            for source in origins
        ]
    return origins, every


def plan(
    keeper: Keeper, origins: Sequence[Source], namespace: Mapping[str, Any], exact: bool
) -> Plan:
    """What `read` would do, without running code of a pickle."""
    plans = [
        keeper.plan(source.kept_values, source.names, namespace=namespace, exact=exact)
        for source in origins
    ]
    return _merge_plans(plans, origins)


def read(
    keeper: Keeper, origins: Sequence[Source], namespace: dict[str, Any], exact: bool
) -> tuple[Plan, RestoredValues]:
    """The values. StoreForeign: then nothing at all was unpickled."""
    from wfnb.values import RestoredValues  # noqa: PLC0415  only where values are kept

    for source in origins[1:]:  # the first is checked as it is read
        keeper.check(source.kept_values, source.names)
    plans: list[Plan] = []
    back = RestoredValues()
    for source in origins:
        above = back.also | back.values
        planned, more = keeper.go_back(
            source.kept_values, source.names, namespace=namespace, exact=exact, above=above
        )
        plans.append(planned)
        back = back.and_then(more)
    return _merge_plans(plans, origins), back


def read_apart(keeper: Keeper, origins: Sequence[Source]) -> RestoredValues:
    """The values as new objects: what is in no namespace needs nothing to be given back. Functions
    look up names in `__main__`; where that has not all that is read, as in a program, in a
    namespace of their own, with what was kept with them."""
    from wfnb.values import RestoredValues  # noqa: PLC0415  as above

    for source in origins[:-1]:
        keeper.check(source.kept_values, source.names)
    main = vars(sys.modules["__main__"])
    whole = all(name in main for source in origins for name in source.names)
    # A copy: a function must find its names, and nobody's `__main__` is to change by a restore.
    space = main if whole else dict(main)
    back = RestoredValues()
    # The newest first, and `and_then` puts what is older below it: a newer value of a name stays.
    for source in reversed(origins):
        back = keeper.restore(source.kept_values, source.names, apart=True, lookups=space).and_then(
            back
        )
    if not whole:
        space.update(back.also | back.values)
    return back


def torn(
    origins: Sequence[Source], every: KeptValues, back: Container[str], now: Container[str]
) -> dict[str, list[str]]:
    """Of names that came `back`, those that shared objects with others that are there and stay as
    they are, with the names of these."""
    lost: dict[str, list[str]] = {}
    for source in origins:
        kept = source.kept_values
        for group in range(len(kept.groups)):
            members = kept.members(group)
            stay = [
                name
                for name in members
                if name in now and name not in back and every.get(name) is kept.get(name)
            ]
            if stay:
                lost |= {name: stay for name in members if name in source.names and name in back}
    return lost


def torn_note(step: Step, name: str, others: Sequence[str]) -> str:
    way = Command("restore", refer(step, MAIN), name, *others)
    return (
        f"{name} no longer shares objects with {listing(others, '')}: `{way}` restores all of them"
    )


def _merge_plans(plans: Sequence[Plan], origins: Sequence[Source]) -> Plan:
    """The names of the last step first. It alone says which others are removed or stay."""
    mine = {name for source in origins for name in source.names}
    entries = [entry for each in reversed(plans) for entry in each.names if entry.name in mine]
    # Older steps knew fewer names, and would remove what came since.
    others = [entry for each in plans[-1:] for entry in each.names if entry.name not in mine]
    differs = {one.name: one for each in plans for one in each.differs}
    return Plan(names=(*entries, *others), differs=tuple(differs.values()))


def check_whole(
    session: Session, step: Step, origins: Sequence[Source], lost: Mapping[str, str]
) -> None:
    """NotRestored where going on from these values would be wrong: one that was kept is not back,
    the step itself could not keep one, or one was changed later and that was not kept."""
    kept_names = [value.name for value in merged_values(origins) if value.group is not None]
    mine = [name for source in origins if source.step is step for name in source.names]
    gone = {name: why for name, why in lost.items() if name in kept_names or name in mine}
    for name, one in changed_since(session, step, origins).items():
        # Why a value did not come back says more than that it was changed.
        gone.setdefault(
            name, f"step {refer(one, MAIN)} changed it after it was kept, and did not keep it"
        )
    if gone:
        order = [name for name in (*kept_names, *gone) if name in gone]
        first, *others = [(name, gone[name].rstrip(".")) for name in dict.fromkeys(order)]
        raise NotRestored(refer(step, MAIN), *first, tuple(map(": ".join, others)))


def notes_on(session: Session, step: Step, origins: Sequence[Source]) -> list[str]:
    """Of what other steps a value is, and what changed it since."""
    earlier = [source for source in origins if source.names and source.step is not step]
    lines = [f"{', '.join(source.names)}: of step {refer(source.step, MAIN)}" for source in earlier]
    if step.kept is None:
        lines.append(f"step {refer(step, MAIN)} itself kept nothing")
    changed = changed_since(session, step, origins)
    return lines + [
        f"{name} was changed by step {refer(one, MAIN)}, which did not keep it"
        for name, one in changed.items()
    ]
