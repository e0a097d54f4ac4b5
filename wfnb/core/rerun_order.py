"""stale steps, what a kernel's names hold -> the steps to run, in order, until none is stale."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from itertools import chain

from wfnb.frozen_record import record

from .data_flow import ABSENT, CODE_OF, DERIVED, Flow, Order, Read
from .queries import depth
from .run_all_order import order_of, place_on
from .session import Session, Step
from .staleness import (
    given_to,
    given_to_shared_names,
    is_open,
    maker,
    may_write,
)


@record
class Rerun:
    """What to run, in order, so that the last of `steps` is fresh; `missing` are names that it
    needs and that come from cells that are no steps, `derived` those that such cells make out of
    what steps made, `foreign` those that no step of the line makes, `changed` what no step of the
    line changes, or one that comes later has made, and is not as it was when the kernel started."""

    steps: tuple[Step, ...]
    missing: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def stale_steps(session: Session, wanted: Collection[Step] = ()) -> list[Step]:
    """Those of the wanted steps that are stale; none wanted: the stale steps that have code and
    were not decided against, in the order of their run."""
    if wanted:
        return [step for step in wanted if step.stale]
    return in_order(session, _runnable(session))


def has_stale_steps(session: Session) -> bool:
    """Whether there is one of `stale_steps`."""
    return any(True for _ in _runnable(session))


def _runnable(session: Session) -> Iterator[Step]:
    steps = (session.steps[key] for key in session.stale)
    return (step for step in steps if step.flow and step.branch not in session.passed_over)


def next_stale(session: Session, wanted: Collection[Step], done: Container[int]) -> Step | None:
    """Of the steps that are wanted (none: of all) the first that is stale still and that was not
    run: `done` has the keys of those that were."""
    steps = stale_steps(session, wanted)
    return next((step for step in steps if step.key not in done), None)


def in_order(session: Session, steps: Iterable[Step]) -> list[Step]:
    """Steps as a run from the top passes them, those of a line before those of its branches."""

    def place(step: Step) -> tuple[object, ...]:
        level = depth(session, session.lines[step.branch])
        return level, step.branch, order_of(session, step)

    return sorted(steps, key=place)


def rerun(session: Session, step: Step, held: Callable[[str], Read]) -> Rerun:
    """What to run so that the step is fresh: itself, after the steps whose names do not hold what
    the line gives it. `held` says what version a name has in the kernel that will run it, and who
    bound it to its object there."""

    def place(each: Step) -> Order:
        return place_on(session, step.branch, each) or ()

    def comes_later(one: Step, flow: Flow, name: str) -> bool:
        """Whether it met what a step that comes after it on the line has made."""
        writer = session.steps.get(flow.reads[name][1] or 0)
        at = None if writer is None else place_on(session, step.branch, writer)
        return at is not None and at >= place(one)

    shareable = session.staleness.shared
    needed = {step.key: step}
    missing: dict[str, None] = {}
    derived: dict[str, None] = {}
    foreign: dict[str, None] = {}
    changed: dict[str, None] = {}
    waiting = [step]
    while waiting:
        one = waiting.pop()
        if one.flow is None:
            continue
        shared = (each for each in given_to_shared_names(session, one) if each[2] is not None)
        for name, given, writer in chain(given_to(session, one), shared):
            version, made_by = held(name)
            if writer is None:
                if version != given and not name.startswith(CODE_OF):
                    is_variable = name.isidentifier()
                    if is_variable and given != ABSENT:
                        missing[name] = None
                    elif _is_derived(one, name):
                        derived[name] = None
                    elif (
                        is_variable
                        and name in one.flow.reads
                        and not comes_later(one, one.flow, name)
                    ):
                        foreign[name] = None
                    else:  # a restart alone makes it what the line gives
                        changed[name] = None
            elif writer not in needed and (
                is_open(given)
                or version != given
                or (name in shareable and made_by != maker(session, name, writer))
                or _is_overwritten(place, needed.values(), session.steps[writer], name)
            ):
                needed[writer] = session.steps[writer]
                waiting = list(needed.values())  # what it writes may be in the way of others
    steps = sorted(needed.values(), key=place)
    # Only a merge mixes two lines; without one the order of the line is right, and this costs a
    # square.
    if session.staleness.merged:
        steps = _sparing(session, steps)
    return Rerun(
        steps=tuple(steps),
        missing=tuple(missing),
        derived=tuple(derived),
        foreign=tuple(foreign),
        changed=tuple(changed),
    )


def _sparing(session: Session, steps: list[Step]) -> list[Step]:
    """The steps in an order in which none overwrites what another one still needs, and has: the
    steps of a branch that was merged do not follow those of the line beside it, though a run of
    that line passes these first. Where there is no such order, they stay as they are."""
    needs = {
        step.key: [(name, by) for name, _, by in (*given_to(session, step), *shared)]
        for step in steps
        if step.flow is not None
        for shared in [given_to_shared_names(session, step)]
    }
    writes = {key: may_write(session.staleness, session.steps[key]) for key in needs}
    left, chosen = list(steps), list[Step]()
    while left:
        keys = {step.key for step in left}
        # Where all are in each other's way, the line's own order decides.
        first = next((step for step in left if _spares(step.key, keys, needs, writes)), left[0])
        left.remove(first)
        chosen.append(first)
    return chosen


def _spares(
    key: int,
    left: set[int],
    needs: Mapping[int, list[tuple[str, int | None]]],
    writes: Mapping[int, frozenset[str]],
) -> bool:
    """Whether a step has what it needs, and writes nothing that another one of `left` has."""
    is_ready = all(by == key or by not in left for _, by in needs.get(key, ()))
    others = (need for other in left - {key} for need in needs.get(other, ()))
    return is_ready and not any(by not in left and n in writes.get(key, ()) for n, by in others)


def _is_derived(step: Step, name: str) -> bool:
    """Whether a cell that is no step made what the step read, out of what steps made."""
    flow = step.flow
    read = None if flow is None else flow.reads.get(name) or flow.perhaps.get(name)
    return read is not None and read[1] == DERIVED


def _is_overwritten(
    place: Callable[[Step], Order], needed: Collection[Step], step: Step, name: str
) -> bool:
    """Whether a step that is run and stands before it writes that name, too."""
    return any(
        other.flow is not None
        and other.key != step.key
        and (name in other.flow.writes or name in other.flow.possible)
        and place(other) < place(step)
        for other in needed
    )
