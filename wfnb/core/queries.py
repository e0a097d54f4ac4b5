"""Session -> answers to questions about it. Nothing here changes or refuses anything."""

from __future__ import annotations

from bisect import bisect, bisect_left
from collections.abc import Container, Iterator, Sequence

from .events import WENT_WELL
from .session import Line, Session, Step
from .strategy import Stage
from .validation import MAIN

LAST = 10**12  # above every step number


def own(session: Session, line: Line) -> list[Step]:
    """The steps made on this line, by number."""
    return [session.steps[line.keys[number]] for number in line.numbers]


def lineage(session: Session, line: Line, upto: int = LAST) -> Iterator[tuple[Line, int]]:
    """The line and those it inherits from, nearest first, each with the last number that counts.
    The line may be one that is only being opened."""
    yield line, upto
    while line.parent is not None:
        # A line inherits no more than the line it left had inherited by then.
        upto = min(upto, line.leaves)
        line = session.lines[line.parent]
        yield line, upto


def depth(session: Session, line: Line) -> int:
    """How many lines it consists of, with itself: 1 for main."""
    return sum(1 for _ in lineage(session, line))


def step_at(session: Session, line: Line, number: int) -> Step | None:
    """Step `number` as the line sees it: its own, or one it inherited."""
    for part, upto in lineage(session, line):
        if number in part.keys and number <= upto:
            return session.steps[part.keys[number]]
    return None


def line_steps(session: Session, line: Line) -> list[Step]:
    """All steps of the line, inherited ones first."""
    parts = [
        [session.steps[part.keys[number]] for number in part.numbers[: bisect(part.numbers, upto)]]
        for part, upto in lineage(session, line)
    ]
    return [step for part in reversed(parts) for step in part]


def head(session: Session, line: Line, upto: int = LAST) -> Step | None:
    """The last step that the line sees (of number `upto` at most): its own, else an inherited."""
    for part, end in lineage(session, line, upto):
        count = bisect(part.numbers, end)
        if count:
            return session.steps[part.keys[part.numbers[count - 1]]]
    return None


def counting_head(
    session: Session, line: Line, upto: int = LAST, but: Container[int] = ()
) -> Step | None:
    """The same, of the steps that still count and have none of the keys in `but`."""
    for part, end in lineage(session, line, upto):
        # From the end: the last one nearly always counts, and nothing is copied of a long line.
        for at in range(bisect(part.numbers, end) - 1, -1, -1):
            step = session.steps[part.keys[part.numbers[at]]]
            if step.is_counting and step.key not in but:
                return step
    return None


def next_number(line: Line) -> int:
    return (line.numbers[-1] if line.numbers else line.leaves) + 1


def following_steps(session: Session, branch: str, number: int) -> Iterator[Step]:
    """What came after step `number` of a line, and on the branches that inherit that step."""
    waiting = [(branch, number)]
    # No recursion: branches may leave branches as deep as one likes.
    while waiting:
        name, after = waiting.pop()
        line = session.lines[name]
        for at in line.numbers[bisect_left(line.numbers, after) :]:
            step = session.steps[line.keys[at]]
            if at > after:
                yield step
            waiting += [(child, at) for child in session.leaving.get(step.key, ())]


def visible(session: Session) -> list[Step]:
    """All steps that are not hidden, in order of creation."""
    # The usual case, in which no step is asked.
    if not session.hidden:
        return list(session.steps.values())
    return [step for step in session.steps.values() if not step.hidden]


def visible_on(session: Session, line: Line) -> list[Step]:
    """The steps made on this line that are not hidden, by number."""
    steps = (session.steps[line.keys[number]] for number in line.numbers)
    return [step for step in steps if not step.hidden]


def visible_before(session: Session, line: Line, number: int) -> Step | None:
    """The last step that the line sees, of this number at most, that is not hidden."""
    for part, end in lineage(session, line, number):
        for at in range(bisect(part.numbers, end) - 1, -1, -1):
            step = session.steps[part.keys[part.numbers[at]]]
            if not step.hidden:
                return step
    return None


def visible_lines(session: Session) -> list[Line]:
    """Main, and the branches that have more than hidden steps."""
    if not session.hidden:
        return list(session.lines.values())
    return [
        line
        for line in session.lines.values()
        if line.id == MAIN
        or not line.keys
        or any(key not in session.hidden for key in line.keys.values())
    ]


def last_step(session: Session) -> Step | None:
    """The last that is not hidden."""
    return next((step for step in reversed(session.steps.values()) if not step.hidden), None)


def branches(session: Session) -> list[str]:
    """Ids of all branches in order of creation; `main` is not one."""
    return [name for name in session.lines if name != MAIN]


def passed_over(session: Session) -> set[str]:
    """The branches that were decided against: abandoned, or not selected where one that left the
    same step was. `apply` keeps them in `session.passed_over`."""
    over = {line.id for line in session.lines.values() if line.state == "abandoned"}
    for line in session.lines.values():
        if line.parent is not None and line.is_chosen:
            over |= {
                name
                for name in rivals(session, line)
                if name != line.parent and not session.lines[name].is_chosen
            }
    return over


def open_lines(session: Session) -> list[Line]:
    """Lines on which more is expected: not ended, merged or passed over. A line from whose last
    step a selected branch goes on is settled by it, and so is one that goes on no more after the
    strategy ended with a branch that was selected or merged into it."""
    ends = list(_strategy_ends(session))
    settled = session.passed_over | {
        line.parent
        for line in session.lines.values()
        if line.parent is not None
        and (
            (line.is_chosen and line.parent in rivals(session, line))
            or (_is_taken(line) and _outlasts_parent(session, line, ends))
        )
    }
    return [
        line
        for line in session.lines.values()
        if line.state in ("open", "selected")
        and line.id not in settled
        and not _has_ended(session, line)
        and not any(_has_returned(session, line, end) for end in ends)
    ]


def _strategy_ends(session: Session) -> Iterator[Step]:
    """The last steps of lines that the strategy ends with."""
    for line in session.lines.values() if session.strategy is not None else ():
        last = _last_counting(session, line)
        stage = stage_of(session, last)
        if last is not None and stage is not None and not stage.next:
            yield last


def _has_returned(session: Session, line: Line, end: Step) -> bool:
    """Whether a branch came back to the line on which the strategy ended later (rule 13)."""
    last = _last_counting(session, line)
    parts = list(lineage(session, line))[1:]
    return (
        last is not None
        and last.key < end.key
        and any(part.id == end.branch and upto < end.number for part, upto in parts)
    )


def _is_taken(line: Line) -> bool:
    """Whether it was selected, or merged into the line that it left."""
    return line.is_chosen or (line.state == "merged" and line.merged_into == line.parent)


def _outlasts_parent(session: Session, line: Line, ends: Sequence[Step]) -> bool:
    """Whether the strategy ends with the branch, after the last step of the line that it left."""
    before = counting_head(session, session.lines[line.parent or MAIN])
    return any(end.branch == line.id and before and before.key < end.key for end in ends)


def rivals(session: Session, line: Line) -> list[str]:
    """The lines that a selected one was chosen over: those that left the same step, and the one
    it left, where that did not go on by itself."""
    if line.parent is None:
        return []
    parent = session.lines[line.parent]
    origin = step_at(session, parent, line.leaves)
    same = session.leaving.get(origin.key, []) if origin else []
    # A parent that has gone on by itself is not up for choice any more.
    stayed = [parent.id] if next_number(parent) == line.leaves + 1 else []
    return [name for name in [*stayed, *same] if name != line.id]


def _has_ended(session: Session, line: Line) -> bool:
    if not line.numbers:
        return line.id == MAIN and not session.steps
    last = _last_counting(session, line)
    if last is None:  # a branch that was hidden awaits nothing
        return line.id != MAIN and all(session.steps[key].hidden for key in line.keys.values())
    return not last.current.next_step_needed


def _last_counting(session: Session, line: Line) -> Step | None:
    """The last of the line's own steps that counts."""
    own = (session.steps[line.keys[number]] for number in reversed(line.numbers))
    return next((step for step in own if step.is_counting), None)


def more_needed(session: Session, step: Step) -> bool:
    """Whether the whole problem needs more: as the step said, else inferred (rule 11):
    other open lines, a stale step that still counts, or a number below the total, mean more. An
    investigation that ends early has earned it: what was planned beyond is not needed."""
    if step.current.needs_more_steps is not None:
        return step.current.needs_more_steps
    if step.current.next_step_needed or (
        step.number < step.current.total and step.current.end is None
    ):
        return True
    if any(session.steps[key].branch not in session.passed_over for key in session.stale):
        return True
    return any(line.id != step.branch for line in open_lines(session))


def declares(step: Step) -> bool:
    """Whether the step says itself if more follows; what was recorded before steps said so is
    taken at its words."""
    now = step.current
    is_declared = now.declared or now.needs_more_steps is not None
    if now.planned is not None:  # an investigation says it of each step
        return is_declared
    return is_declared or (not now.next_step_needed and now.number < now.total)


def deciding_step(session: Session) -> Step | None:
    """The step that says whether the whole is solved: the last that was not decided against, and
    still counts. One that declares nothing does not take the place of an end that was declared."""
    steps = reversed(session.steps.values())
    last = next((step for step in steps if _counts(session, step)), None)
    if last is None or declares(last):
        return last
    ends = (session.steps[key] for key in reversed(session.ends))
    return next((end for end in ends if _outlasts(session, end, last)), last)


def _counts(session: Session, step: Step) -> bool:
    return step.branch not in session.passed_over and step.is_counting


def _outlasts(session: Session, end: Step, later: Step) -> bool:
    """Whether a declared end stays one after a later step that declares nothing: it said that the
    problem is solved, or the later step's line was not going on then."""
    if not _counts(session, end) or end.key > later.key:
        return False
    if end.current.needs_more_steps is False or end.branch == later.branch:
        return True
    line = session.lines[later.branch]
    # By key, which is the order in time: numbers of two lines cannot be compared.
    before = bisect(line.numbers, end.key, key=line.keys.__getitem__)
    if before == 0:
        return True
    return not session.steps[line.keys[line.numbers[before - 1]]].current.next_step_needed


def answer_step(session: Session) -> Step | None:
    """The step that holds the answer, once the session is solved; else None. A step that did not
    go well or is stale holds none, nor does a branch that was decided against."""
    step = deciding_step(session)
    if step is None or step.stale or step.current.next_step_needed or more_needed(session, step):
        return None
    went = step.running is None and step.outcome and step.outcome.status in WENT_WELL
    return step if went else None


def stage_choices(session: Session, line: Line, upto: int = LAST) -> tuple[str, ...]:
    """The stages that the line's next step may have, in order: () without a strategy or at its end.

    They follow the line's last step (of number `upto` at most) that was not withdrawn, or that of
    a branch that left from it: alternatives come back to where they started. A selected branch and
    the line that it left go on from whichever of the two went further (rule 13).
    """
    return tuple(dict(stage_ways(session, line, upto)))


def stage_ways(session: Session, line: Line, upto: int = LAST) -> list[tuple[str, Step | None]]:
    """Those stages, each with the step that it may follow; None where the strategy begins. A stage
    that may follow several steps is there as often."""
    strategy = session.strategy
    if strategy is None:
        return []
    at = counting_head(session, line, upto)
    stage = stage_of(session, at)
    if at is None or stage is None:
        return [(strategy.start, None)]
    ways: list[tuple[str, Step | None]] = [(name, at) for name in stage.next]
    # The strategy was chosen after this step, so that it may begin here.
    if at.key <= session.strategy_since:
        ways.append((strategy.start, None))
    for end in _alternatives(session, line, at):
        back = stage_of(session, end)
        if back is not None:
            ways += ((after, end) for after in back.next)
    return ways


def _alternatives(session: Session, line: Line, at: Step) -> Iterator[Step | None]:
    """The last steps of the branches that left from `at`, the last step of a line; and of those
    that went on after it: the selected ones that left earlier, and of a selected one its parent."""
    if at.branch != line.id:
        return
    left = session.leaving.get(at.key, ())
    chosen = [each for each in session.lines.values() if each.is_chosen]
    for branch in map(session.lines.__getitem__, left):
        if branch.state != "abandoned":
            yield counting_head(session, branch)
    related = [each for each in chosen if each.parent == line.id and each.id not in left]
    related += [session.lines[each.parent] for each in chosen if each is line and each.parent]
    for other in related:
        end = counting_head(session, other)
        if end is not None and end.key > at.key:
            yield end


def stage_of(session: Session, step: Step | None) -> Stage | None:
    """The step's stage, where the session's strategy knows it."""
    return None if step is None else stage_named(session, step.current.stage)


def stage_named(session: Session, name: str | None) -> Stage | None:
    """The stage of that name in the session's strategy, if there is one."""
    strategy = session.strategy
    return None if strategy is None or name is None else strategy.stages.get(name)
