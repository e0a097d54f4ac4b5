"""run -> its actions, a row for each time one was performed: attempts folded, undoing told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from wfnb.frozen_record import record
from wfnb.render.drawing.graph import State as NodeState
from wfnb.views.step_words import cut, sign
from wfnb.workflows.core.ready_actions import FAILED
from wfnb.workflows.core.rollback_state import is_undone, perhaps_done, undone_at_work
from wfnb.workflows.core.run import Call, Run
from wfnb.workflows.definition.for_each import base_action, place
from wfnb.workflows.definition.models import State, StatesWorkflow, Step
from wfnb.workflows.definition.scope import CAUGHT
from wfnb.workflows.definition.template import as_text

from .run_words import displayed_state, iso, result_line, run_sign, seconds

NOT_RUN: NodeState = "not yet"


@record
class Row:
    """One time that an action was performed, or a step that was not.

    What is done for each item of a list has a row, and then one for each `is_item`. So has a group
    of steps.
    """

    index: int
    """From 1."""
    action: str
    tool: str
    state: NodeState
    undo: str = ""
    """What became of it in a rollback."""
    ends: str = ""
    """Why the run came to its end there, where more could have come."""
    skipped: str = ""
    """Why it was not called."""
    calls: tuple[Call, ...] = ()
    """Its attempts."""
    undoing: tuple[Call, ...] = ()
    """The attempts of its compensation."""
    items: str = ""
    """How many ended and how many there are."""
    item: str = ""
    """Which one, where there was another list, so that its place does not say so."""
    group: str = ""
    """The group that the step is one of."""

    @property
    def is_item(self) -> bool:
        return bool(self.calls) and self.calls[-1].within is not None

    @property
    def number(self) -> str:
        """The index, for a table: items and steps of groups have none."""
        return "" if self.is_item or self.group else str(self.index)

    @property
    def status(self) -> str:
        return "not run" if self.state == NOT_RUN else self.state

    @property
    def shown_state(self) -> str:
        """The same with its sign."""
        return "· not run" if self.state == NOT_RUN else sign(self.state)

    @property
    def attempts(self) -> int:
        if self.last is not None and self.last.gathers:
            return 1  # begun anew with the items that are left
        return sum(call.status != "skipped" for call in self.calls)

    @property
    def started(self) -> float | None:
        """In seconds since 1970."""
        return self.calls[0].started if self.calls else None

    @property
    def duration(self) -> float | None:
        """In seconds, with the waits between attempts."""
        durations = [call.duration for call in self.calls if call.duration is not None]
        # The waits between attempts count; that before the first was for something else.
        return sum(durations) + sum(call.waited for call in self.calls[1:]) if durations else None

    @property
    def last(self) -> Call | None:
        return self.calls[-1] if self.calls else None

    @property
    def error(self) -> str | None:
        return self.last.error if self.last else None

    @property
    def result(self) -> str:
        """What came back, in a line."""
        if self.last is None or self.error or self.items:
            return ""  # what items gave is said of them
        return result_line(self.last.result)

    @property
    def notes(self) -> list[str]:
        """What else is to be known: nothing that differs when the same happens again."""
        parts: list[str] = []
        last = self.last
        if last is not None:
            parts += filter(None, (self.item, self.items, self.skipped))
            # A tool may have a field of that name of its own: only where something handles errors
            # is it ours.
            if (last.work.on_error or last.fallback is not None) and last.result.get(CAUGHT):
                handled = "not handled" if last.status in FAILED else "handled"
                parts.append(f"{handled}: {headline(str(last.result[CAUGHT]))}")
            if last.cached:
                parts.append("cached")
            if last.result.get("taken_as_done"):
                parts.append("taken as done")
            name, status = last.result.get("run"), last.result.get("status")
            if last.tool == "run_workflow" and isinstance(name, str) and isinstance(status, str):
                parts.append(f"▶ {name} {run_sign(status)}")
            parts += [self.ends] if self.ends else []
        return [*parts, *(headline(part) for part in (self.error, self.undo) if part)]


def _why_skipped(call: Call, before: Mapping[str, Sequence[Call]]) -> str:
    """Why a call was not made; `before` has those that were, by action."""
    needs = call.work.needs if isinstance(call.work, Step) else ()
    for need in needs:
        calls = before.get(need.id)
        if need.only_if and not (calls and calls[-1].status in FAILED):
            return f"{need.id} did not fail"
    return f"{cut(call.work.when or '', 60)} did not hold"


def headline(error: str) -> str:
    """An error in a line: its first, with a sign where there are more (`fault` has them).

    >>> headline("2 problems:\\n- a\\n- b")
    '2 problems: …'
    """
    first, *more = error.strip().splitlines() or [""]
    return f"{first} …" if more else first


def rows(run: Run) -> list[Row]:
    """In order of their beginning; then the steps that were skipped, or not run. What a run that
    lost its process had begun goes on no more: it was interrupted."""
    compensations: dict[int, list[Call]] = {}
    performed: list[list[Call]] = []
    newest: dict[str, list[Call]] = {}
    skipped: dict[int, str] = {}
    for call in run.calls.values():
        if call.undoes is not None:
            undone: Call | None = run.calls[call.undoes]
            while undone is not None:
                compensations.setdefault(undone.id, []).append(call)
                undone = run.calls.get(undone.stands_for)
        elif (
            (of := call.action if call.within is None else run.identity(call)) in newest
            and call.status != "skipped"
            and newest[of][-1].time == call.time
            and (call.attempt > 1 or newest[of][-1].retried)
        ):
            newest[of].append(call)  # an attempt whose end nobody saw is followed by one
        else:
            if call.status == "skipped":
                skipped[call.id] = _why_skipped(call, newest)
            # A state may be entered again: that is another row, while an attempt goes to the row
            # before.
            newest[of] = [call]
            performed.append(newest[of])
    # Where nothing can be undone, "not undone" at each row would say nothing.
    says_why = any(work.compensation is not None for work in run.workflow.actions.values())
    several = _of_several_lists(run) if run.loops else set()
    groups = run.workflow.groups if isinstance(run.workflow, StatesWorkflow) else {}
    collected: list[Row] = []
    index = 0
    for calls in _after_their_whole(performed):
        group = groups.get(base_action(calls[-1].action), "")
        index += calls[-1].within is None and not group
        why = skipped.get(calls[-1].id, "")
        row = _row(run, index, calls, compensations, says_why, why, several)
        collected.append(replace(row, group=group) if group else row)
    if groups:
        collected = _with_steps_not_run(collected)
    return [*collected, *_rest(run, index, newest)]


def _with_steps_not_run(collected: Sequence[Row]) -> list[Row]:
    """After each group that has ended the steps of it that were not run."""
    complete: list[Row] = []
    done: set[str] = set()
    of: Row | None = None
    for row in (*collected, None):
        if row is None or not (row.is_item or row.group):
            last = None if of is None else of.last
            if (
                of is not None
                and last is not None
                and last.work.is_group
                and last.status != "running"
            ):
                order = last.work
                assert isinstance(order, State)
                for step in order.steps if last.status != "skipped" else ():
                    if step.id not in done:
                        complete.append(_not_run(of.index, step.id, step.tool, of.action))
            # Where it was not gone on from, the next time is what a resume goes on with.
            if last is None or not last.work.is_group or last.goto or last.status == "ok":
                done = set()
            of = row
        if row is not None:
            complete.append(row)
            done.add(base_action(row.action))
    return complete


def _not_run(index: int, action: str, tool: str, group: str) -> Row:
    return Row(index=index, action=action, tool=tool, state=NOT_RUN, group=group)


def _after_their_whole(performed: Sequence[list[Call]]) -> Iterator[list[Call]]:
    """Items in their order, after the action that is done for each of them."""
    items: dict[str, list[list[Call]]] = {}
    for calls in performed:
        if calls[-1].within is not None:
            items.setdefault(base_action(calls[-1].action), []).append(calls)
    for calls in performed:
        if calls[-1].within is None:
            yield calls
            if calls[-1].items is not None:
                within = {call.id for call in calls}
                all_items = items.get(calls[-1].action, ())
                own = [each for each in all_items if each[0].within in within]
                yield from sorted(own, key=lambda each: place(each[-1].action))


ITEMS = 12
"""Items of an action that are shown: more only where they are to be looked at."""


def visible_rows(every: Sequence[Row], most: int = 0) -> list[Row]:
    """Without the items of long lists that ended as they should; the last `most`, or all."""
    many = Counter(base_action(row.action) for row in every if row.is_item)
    return [
        row
        for row in every
        if not row.is_item
        or many[base_action(row.action)] <= ITEMS
        or row.state not in ("ok", "skipped")
        or row.undo.startswith("not undone")
    ][-most:]


def with_items(every: Sequence[Row]) -> Iterator[tuple[Row, list[Row]]]:
    """Each row with those of the items that it was done for."""
    items: list[Row] = []
    for row in reversed(every):
        if row.is_item:
            items.append(row)
        else:
            yield row, items[::-1]
            items = []


def undo_of_items(items: Sequence[Row]) -> str:
    """What a rollback did to a loop, by what it did to the items."""
    undos = [row.undo for row in items]
    if len(set(undos)) == 1:
        return undos[0]
    counts = ((what, sum(each.startswith(what) for each in undos)) for what in _UNDOING)
    return next((f"{what}: {n} of {len(undos)} items" for what, n in counts if n), "")


_UNDOING = ("being undone", "not undone", "undone")


def _row(
    run: Run,
    index: int,
    calls: Sequence[Call],
    compensations: Mapping[int, Sequence[Call]],
    says_why: bool,
    skipped: str,
    several: Collection[str],
) -> Row:
    last = calls[-1]
    item = ""
    if last.within is not None and base_action(last.action) in several:
        item = f"for {cut(as_text(run.item(last.action, last.within)['item']), 30)}"
    undoing = tuple(each for call in calls for each in compensations.get(call.id, ()))
    # Between two attempts no call is open: the row still goes on.
    waits = not run.lost and last.retried and run.status == "running" and last.action in run.tries
    return Row(
        index=index,
        action=last.action,
        tool=last.tool,
        state="running" if waits else displayed_state(run, last),
        undo=_undo(run, last, undoing) if undoing or says_why else "",
        ends=_ends(run, last),
        skipped=skipped,
        items=_items(run, last),
        item=item,
        calls=tuple(calls),
        undoing=undoing,
    )


def _items(run: Run, call: Call) -> str:
    """How many items there are and, until all have ended, how many have."""
    if call.work.is_group and call.status != "skipped":
        return group_progress(run, call)
    loop = run.loops.get(call.id)
    if loop is None:
        return ""
    count, ended = len(loop.keys), len(loop.ended)
    ended_text = f"{count} item{'s' * (count != 1)}"
    if ended != count:
        ended_text = f"{ended} of {count} items"
    done = [run.calls[id] for id in loop.ended.values()]
    counts = {
        "cached": sum(bool(each.cached) for each in done),
        "failed": loop.failed,
        "undone": sum(is_undone(run, each) for each in done),
    }
    return ", ".join([ended_text, *(f"{count} {what}" for what, count in counts.items() if count)])


def group_progress(run: Run, call: Call) -> str:
    """How many steps a group has and, until all have ended, how many have."""
    order = call.work
    assert isinstance(order, State)
    count, failed = len(order.steps), int(str(call.result.get("failed") or 0))
    count_text = f"{count} step{'s' * (count != 1)}"
    if call.id == run.group:
        states = [run.settled.get(step) for step in order.needs]
        count_text = f"{count - states.count(None)} of {count_text}"
        failed = sum(state in FAILED for state in states)
    return f"{count_text}, {failed} failed" if failed else count_text


def _of_several_lists(run: Run) -> set[str]:
    """The actions that were done for the items of more than one list."""
    lists: dict[str, set[tuple[str, ...]]] = {}
    for id, loop in run.loops.items():
        lists.setdefault(run.calls[id].action, set()).add(loop.keys)
    return {action for action, keys in lists.items() if len(keys) > 1}


def _ends(run: Run, call: Call) -> str:
    """A success that comes of a condition which does not hold may not be the one that is meant."""
    ways = len(call.work.transitions) if isinstance(call.work, State) else 0
    if not ways or run.status != "success" or call.id != run.last:
        return ""
    held = "its transition did not hold" if ways == 1 else f"none of its {ways} transitions held"
    return f"the run ends here: {held}"


def _undo(run: Run, call: Call, undoing: Sequence[Call]) -> str:
    if call.work.always:  # it was done after the rollback
        return ""
    last = undoing[-1] if undoing else None
    # A nested run may have had nothing to undo; a tool may have a field of that name of its own.
    undid = call.nested is None or (last is not None and last.result.get("undone") is not False)
    failed = last is not None and last.status in FAILED and last.undoes == call.id
    if last is not None and (undid or failed):
        if is_undone(run, call):
            return "undone while it was still at work" if call in undone_at_work(run) else "undone"
        if not run.lost and run.status == "running" and (last.status == "running" or last.retried):
            return "being undone"
        return f"not undone: {last.error or displayed_state(run, last)}"
    if call.gathers:  # its items were, or were not
        return ""
    has_way = call.work.compensation is not None or bool(call.nested)
    armed = call.id in run.armed
    unsure = call in perhaps_done(run)
    undoable = call.status == "ok" or armed or unsure
    if not undoable or run.status in ("running", "success", "partial_success"):
        return ""
    if unsure:
        return "not undone: unknown whether it was done"
    if not has_way:
        return "not undone: it has no compensation"
    if run.status == "cancelled":
        return "not undone: cancelled without a rollback"
    return f"not undone: {'no rollback took place' if run.workflow.rollback else 'rollback is off'}"


def _rest(run: Run, index: int, performed: Mapping[str, object]) -> Iterator[Row]:
    # Of states nobody can say which would have come.
    if isinstance(run.workflow, StatesWorkflow):
        return
    for name, work in run.workflow.actions.items():
        if name in performed:
            continue
        index += 1
        skipped = run.settled.get(name) == "skipped"
        yield Row(index=index, action=name, tool=work.tool, state="skipped" if skipped else NOT_RUN)


def count_performed(every: Sequence[Row]) -> int:
    """How many actions were called, each as often as it was; items are none, nor steps of
    groups."""
    return sum(row.attempts > 0 and not (row.is_item or row.group) for row in every)


def count_text(run: Run, count: int) -> str:
    """How many states or steps, in words: "5 states"."""
    thing = "state" if isinstance(run.workflow, StatesWorkflow) else "step"
    return f"{count} {thing}{'s' * (count != 1)}"


def rollback_counts(every: Sequence[Row]) -> list[str]:
    """What a rollback came to: how many actions were undone, and how many were not."""
    undos = [row.undo.partition(":")[0] for row in every]
    return [f"{undos.count(what)} {what}" for what in ("undone", "not undone") if what in undos]


def whole_duration(run: Run) -> float | None:
    """Seconds from the run's start to its end, or to its newest call's end; None if unknown. Where
    the clock was set back before it was resumed, at least as long as it took until then."""
    if run.started is None:
        return None
    # The newest time of all: after a clock that was set back, the end may lie before a call.
    times = [run.started, run.ended, *(call.ended or call.started for call in run.calls.values())]
    return round(max(at for at in times if at is not None) - run.started, 6)


def time_texts(run: Run, row: Row) -> tuple[str, str]:
    """When it started (UTC; the date only where it is not that of the run) and how long it took,
    for a table."""
    at, day = iso(row.started) or "", (iso(run.started) or "")[:10]
    shown = at[:23].replace("T", " ").removeprefix(f"{day} ")
    return shown or "–", seconds(row.duration)
