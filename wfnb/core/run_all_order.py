"""session, a line -> the order in which a run from the top passes the steps that it sees.

A line consists of parts: itself, what it inherits of others up to its fork, and the branches that
were merged into it, each after the step that was the last one then. A step stands after what it
revises, whatever number it has.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping

from .data_flow import Order, Part
from .queries import depth, lineage, step_at
from .session import Line, Session, Step

LAST = 1 << 62
"""Above every key and number: behind what stands there."""


def order_of(session: Session, step: Step) -> Order:
    """Where the step stands, after all that it revises: of the revisions of one step, those of a
    line before those of its branches."""
    places: list[tuple[int, int]] = []
    while True:
        line = session.lines[step.branch]
        level = depth(session, line)
        revised = (
            None if step.current.revises is None else step_at(session, line, step.current.revises)
        )
        places.append((step.number, level) if revised is None else (level, step.number))
        if revised is None:
            return tuple(reversed(places))
        step = revised


def comes_after(session: Session, step: Step, before: Step) -> bool:
    """Whether a run of the step's line from the top passes the other step first."""
    place = place_on(session, step.branch, before)
    return step.key != before.key and place is not None and place < order_of(session, step)


def place_on(session: Session, line: str, step: Step) -> Order | None:
    """Where a run of the line from the top passes a step; None: it does not."""
    order = order_of(session, step)
    for part in parts_of(session, line):
        is_within = part.since <= order and (part.bound is None or order < part.bound)
        if is_within and part.line == step.branch:
            return part.after + order
    return None


def _inheritance_end(leaves: int) -> Order:
    """The first place on a line that a branch which leaves that step does not see."""
    # Below every depth of a line, so before whatever has the next number.
    return ((leaves + 1, -1),)


def parts_of(session: Session, line: str) -> list[Part]:
    """The lines that a line consists of, nearest first. They change with what is merged alone, and
    each step asks for them."""
    parts = session.staleness.parts
    if line not in parts:
        parts[line] = _work_out_parts(session, line)
    return parts[line]


def _work_out_parts(session: Session, line: str) -> list[Part]:
    inherits: dict[str, tuple[int, int]] = {}
    upto_position = LAST
    for part, upto in lineage(session, session.lines[line]):
        inherits[part.id] = upto, upto_position
        upto_position = part.begun
    parts: list[Part] = []
    for part_id, limits in inherits.items():
        bound = None if part_id == line else _inheritance_end(limits[0])
        parts.append(Part(line=part_id, bound=bound, after=(), since=()))
        merged = [each for each in session.staleness.merged.get(part_id, ()) if each != line]
        inherited = [each for each in merged if _is_within(session.lines[each], limits)]
        for branch in inherited:
            parts += _merged_parts(session, branch, (), limits[1], inherits, {line})
    return parts


def _is_within(branch: Line, limits: tuple[int, int]) -> bool:
    """Whether it was merged after a step up to that number, and before that position of the
    journal: a branch sees what its parent had when it was begun."""
    return (branch.merged_after or 0) <= limits[0] and branch.merged_at < limits[1]


def _merged_parts(
    session: Session,
    branch: str,
    place: Order,
    upto_position: int,
    inherits: Mapping[str, tuple[int, int]],
    visited: set[str],
) -> Iterator[Part]:
    """A branch that was merged, and those that were merged into it, but for what is inherited."""
    visited.add(branch)
    limits = inherits.get(branch)
    # After the step, and after all that revises it.
    inside = (*place, (session.lines[branch].merged_after or 0, LAST))
    since = () if limits is None else _inheritance_end(limits[0])
    yield Part(line=branch, bound=None, after=inside, since=since)
    for each in session.staleness.merged.get(branch, ()):
        line = session.lines[each]
        own = limits is None or not _is_within(line, limits)
        if own and line.merged_at < upto_position and each not in visited:
            yield from _merged_parts(session, each, inside, upto_position, inherits, visited)


def lines_from(
    session: Session, line: str, order: Order, visited: frozenset[str] = frozenset()
) -> Iterator[tuple[str, Order]]:
    """The line, those that inherit that place on it, and those that it was merged into; with the
    place as they have it."""
    if line in visited:
        return
    visited |= {line}
    yield line, order
    for child in session.staleness.children.get(line, ()):
        if order < _inheritance_end(session.lines[child].leaves):
            yield from lines_from(session, child, order, visited)
    into, after = session.lines[line].merged_into, session.lines[line].merged_after
    if into is not None and after is not None:
        yield from lines_from(session, into, ((after, LAST), *order), visited)


def last_before(
    entries: list[tuple[Order, int]], order: Order, part: Part
) -> tuple[Order, int] | None:
    """The last of `entries`, places on the part's own line, before a place of the whole line.

    `bound` hides what the whole line does not see, `since` what it had before the merge:

        main  1 ── 2 ─────────────── 3        branch `alt` leaves main after 1, and is merged
              └─ alt: 2' ── 3' ──┘            into it after 2

    Of the part `alt` of main `since` is the first place after 1: step 1 is no place of `alt`'s own
    to main, which has it where it always stood. Asked for the last writer before main's 3, this
    gives 3' or 2'; asked before main's 2, the merge comes later, and it gives none.
    """
    bound, after, since = part.bound, part.after, part.since
    at = len(entries)
    if after:
        inside = order[: len(after)] == after
        at = bisect_left(entries, (order[len(after) :],)) if inside else at if order > after else 0
    else:
        # A place without a key sorts before the step that stands there: that one is not before
        # itself.
        at = bisect_left(entries, (order if bound is None else min(order, bound),))
    if not at or entries[at - 1][0] < since:
        return None
    return after + entries[at - 1][0], entries[at - 1][1]


def first_after(
    entries: list[tuple[Order, int]], order: Order, part: Part
) -> tuple[Order, int] | None:
    """The first of them after that place."""
    bound, after, since = part.bound, part.after, part.since
    if after:
        inside = order[: len(after)] == after
        rest = (order[len(after) :], LAST)
        at = bisect_left(entries, rest) if inside else len(entries) if order > after else 0
        at = max(at, bisect_left(entries, (since,)))
    else:
        # With a key above all others, it sorts behind the step that stands there.
        at = bisect_left(entries, (order, LAST))
    if at == len(entries) or (bound is not None and entries[at][0] >= bound):
        return None
    return after + entries[at][0], entries[at][1]
