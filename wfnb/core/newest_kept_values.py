"""session, a step -> at which step of its line the newest kept value of each name is."""

from __future__ import annotations

from collections.abc import Iterable, Set

from wfnb.frozen_record import record

from .data_flow import ABSENT, LIBRARY
from .kept_values import KeptValue, KeptValues
from .queries import line_steps
from .session import Session, Step
from .staleness import kept_version


@record
class Source:
    """Names whose newest value, up to a later step of the line, is what `step` kept."""

    step: Step
    names: tuple[str, ...]

    @property
    def kept_values(self) -> KeptValues:
        assert self.step.kept is not None
        return self.step.kept


def steps_until(session: Session, step: Step) -> list[Step]:
    """The steps of its line up to that one that count, in order."""
    line = session.lines[step.branch]
    return [
        one
        for one in line_steps(session, line)
        if one is step or (one.is_counting and one.number < step.number)
    ]


def sources(session: Session, step: Step) -> list[Source]:
    """In the order of the steps. What a step deleted, or that was not there when `step` had ended,
    is not among it. A value that could not be kept counts, too: an older one would be wrong."""
    newest: dict[str, Step] = {}
    for one in steps_until(session, step):
        for name, version in one.flow.writes.items() if one.flow else ():
            # `del`: whatever an earlier step kept under that name is not there any more.
            if version == ABSENT:
                newest.pop(name, None)
        for value in one.kept.values if one.kept else ():
            # Without a type there was no such name at that step; then what an earlier one kept is
            # still the newest.
            if value.group is not None or value.type or one is step:
                newest[value.name] = one
    kept_names = step.kept.there if step.kept is not None else ()
    own = {value.name for value in step.kept.values} if step.kept is not None else set()
    names: dict[int, list[str]] = {}
    for name, one in newest.items():
        # `there` has no names that begin with `_`: of these it says nothing.
        if not kept_names or name in kept_names or name in own or name.startswith("_"):
            names.setdefault(one.key, []).append(name)
    return [
        Source(step=one, names=tuple(names[one.key]))
        for one in steps_until(session, step)
        if one.key in names
    ]


def deleted_elsewhere(session: Session, line: Iterable[Step], names: Set[str]) -> set[str]:
    """Of names that are not there any more: those that a step deleted which is none of the line's.
    A run of the line alone has them."""
    own = {step.key for step in line}
    flows = (step.flow for step in session.steps.values() if step.key not in own)
    return {name for flow in flows if flow for name in names if flow.writes.get(name) == ABSENT}


def merged_values(origins: Iterable[Source]) -> tuple[KeptValue, ...]:
    """What was kept of the names, those of the last step first."""
    return tuple(
        value
        for source in reversed(list(origins))
        for value in source.kept_values.values
        if value.name in source.names
    )


def changed_since(session: Session, step: Step, origins: Iterable[Source]) -> dict[str, Step]:
    """Names that a step up to that one changed after they were kept, and did not keep: by what it
    was seen to write."""
    changed: dict[str, Step] = {}
    steps = steps_until(session, step)
    for source in origins:
        for one in steps[steps.index(source.step) + 1 :]:
            for name in source.names:
                version = one.flow.writes.get(name) if one.flow else None
                kept_as = kept_version(source.step, name)
                same = version is None or version.startswith(LIBRARY)
                if not same and (kept_as is None or kept_as[0] != version):
                    changed.setdefault(name, one)
    return changed
