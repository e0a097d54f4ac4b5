"""a run that goes on, or has ended -> what is odd about that, in sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from wfnb.errors import TerminalGone, listing
from wfnb.hints import Command, Option
from wfnb.workflows.core.commands import Lost, verdict
from wfnb.workflows.core.next_action import problem_of
from wfnb.workflows.core.resume_queries import (
    asked_about,
    outdated_actions,
    standing,
    standing_after,
    with_kept_items,
)
from wfnb.workflows.core.resume_rules import built_on
from wfnb.workflows.core.run import Run
from wfnb.workflows.definition.condition import fields_of
from wfnb.workflows.definition.for_each import base_action
from wfnb.workflows.definition.json_equality import indistinguishable
from wfnb.workflows.definition.models import StatesWorkflow
from wfnb.workflows.definition.reader import Definition
from wfnb.workflows.definition.regex_search import group_names
from wfnb.workflows.definition.scope import NESTED, TERMINAL_ID, TERMINALS, following
from wfnb.workflows.definition.template import names, used_scope
from wfnb.workflows.definition.used_fields import strings

OPEN = "open_terminal"
EXIT = "exit_terminal"


def kept_as_it_was(run: Run, nested: str = "") -> Iterator[str]:
    """What succeeded under another definition is not called again; `nested` is the name of the run
    where it is one within another: `--from` goes not into it."""
    if others := outdated_actions(run):
        several = len(others) > 1
        yield (
            f"{listing(others, '')}{nested and f' of {nested}'} {'have' if several else 'has'} "
            f"another definition now and had succeeded: {'they are' if several else 'it is'} not "
            f"called again{'' if nested else _way(others[0], 'one' if several else 'it')}"
        )
    for action in (action for action, is_other in with_kept_items(run).items() if is_other):
        yield (
            f"{_of(action, nested)} has another definition now, and items of it had succeeded: "
            f"they are not called again{'' if nested else _way(action, 'all')}"
        )


def _of(action: str, nested: str) -> str:
    return f"{action}{nested and f' of {nested}'}"


def _way(action: str, it: str) -> str:
    return f". `{Option('from', action)}` calls {it} again"


def kept_with_other_values(run: Run, before: Mapping[str, Any], nested: str = "") -> Iterator[str]:
    """What succeeded with a variable that had another value `before` is not called again; `nested`
    as above."""
    known = ((name, value, before.get(name, value)) for name, value in run.initial.items())
    other = {name for name, value, was in known if not indistinguishable(value, was)}
    listed = with_kept_items(run)
    for action, work in run.workflow.actions.items():
        until = () if work.repeat is None else fields_of(work.repeat.until)
        of_each = (*until, *(name for _, name in names(work.params)))
        all_names = of_each if action in listed else (*of_each, *work.names_before)
        read = {name.partition(".")[0] for name in all_names} & other
        is_kept = run.settled.get(action) == "ok" and action not in run.ready
        if read and (is_kept or action in listed):
            what, are, them = ("", "it is", "it") if is_kept else ("items of ", "they are", "all")
            yield (
                f"{what}{_of(action, nested)} had succeeded with another value of "
                f"{listing(sorted(read), '')}: {are} not called again"
                f"{'' if nested else _way(action, them)}"
            )


def called_again(
    run: Run, start: str | None, workflow: Definition | None, lost: Lost
) -> Iterator[str]:
    """What succeeded is called again after what was undone, unless it is taken as done."""
    calls = standing(run, start, workflow)
    taken = [call for call in asked_about(calls) if verdict(lost, call.action) == "done"]
    if repeated := tuple(dict.fromkeys(call.action for call in calls if call not in taken)):
        several = len(repeated) > 1
        yield (
            f"{listing(repeated, '')} had succeeded and {'are' if several else 'is'} called again: "
            f"{'they come' if several else 'it comes'} after {standing_after(run)}"
        )


def left_as_it_was(nested: Iterable[str]) -> Iterator[str]:
    """Nested runs that were cut off, and that this run did not come to again."""
    for name in nested:
        yield (
            f"Run '{name}', which this one had begun when its process ended, is left as it was. "
            f"`{Command('resume', name)}` brings it to its end, "
            f"`{Command('cancel', name)}` stops it"
        )


def need_terminals(run: Run, there: Collection[str]) -> None:
    """Raises TerminalGone where what goes on would use a terminal that has ended; those of the
    sessions `there` have not. A run that is to be undone calls nothing that would. What a fallback
    would use is not asked for: the run may never need it, and its call would say so."""
    if _only_undoes(run):
        return
    opened = _ended_terminals(run, there)
    to_come = _to_come(run, frozenset(opened.values())) if opened else ()
    lost: dict[str, None] = {}
    for action in to_come:
        for value in _texts_for(run, action):
            opener = opened.get(value)
            # A mended definition has no longer the action that opened it, so nothing can open it
            # again.
            if opener is not None and opener not in run.workflow.actions:
                raise TerminalGone((), value)
            # An opener that is to come opens a new one before this action uses it.
            if opener is not None and opener not in to_come:
                lost[opener] = None
    if lost:
        raise TerminalGone(tuple(lost), "")


def need_given_terminals(run: Run, there: Collection[str]) -> None:
    """The same for a terminal that no action opened: a variable names it, or the definition. It may
    be for a run within."""
    if _only_undoes(run):
        return
    given = {*strings(run.initial)}
    for action in _to_come(run, ()):
        work = run.work(action)
        if work.tool in (*TERMINALS, NESTED):
            filled = (text for text in _texts_for(run, action) if text in given)
            for text in (*strings(work.params), *filled):
                if TERMINAL_ID.fullmatch(text) and text not in there:
                    raise TerminalGone((), text)


def ended_with_attempt(run: Run, there: Collection[str]) -> Iterator[str]:
    """What a run that goes on may miss: terminals that compensations use, and processes that were
    left running."""
    opened = _ended_terminals(run, there)
    for id, values in run.armed.items():
        undoing = run.calls[id].work.compensation
        # To close a terminal that has ended is done already.
        if undoing is not None and undoing.tool != EXIT:
            used = strings(used_scope(dict(undoing.params), values))
            if opener := next((opened[text] for text in used if text in opened), None):
                yield (
                    f"{run.calls[id].action} cannot be undone any more: that needs the terminal "
                    f"that {opener!r} opened, and it has ended"
                )
    if _only_undoes(run):
        return
    last = {call.action: call for call in run.whole_calls() if call.status == "ok"}
    for action, call in last.items():
        is_kept = action in run.workflow.actions and action not in _to_come(run, ())
        parts = (call.result, *call.result.get("results", ())) if call.items else (call.result,)
        if is_kept and any(part and part.get("left_running") is True for part in parts):
            yield (
                f"What {action} left running has ended with the attempt that started it. "
                f"`{Option('from', action)}` starts it again"
            )


def failed_without_terminal(run: Run, there: Collection[str]) -> Iterator[str]:
    """The action that the run ends with has failed, and used a terminal that has ended."""
    last = None if run.last is None else run.calls[run.last]
    if last is not None and last.status == "failed":
        opened = _ended_terminals(run, there)
        openers = dict.fromkeys(opened[text] for text in strings(last.params) if text in opened)
        if openers:
            yield str(TerminalGone(tuple(openers), ""))


def captured_before(run: Run) -> Iterator[str]:
    """An action whose `capture` was not found in its last result, and was in an earlier one: what
    came after read the older value."""
    last = {call.action: call for call in run.whole_calls() if call.status == "ok"}
    for action, call in last.items():
        wanted = {name for pattern in run.work(action).capture for name in group_names(pattern)}
        missing = wanted - call.captured.keys()
        if not missing:
            continue
        earlier = (each.captured for each in run.whole_calls() if each.action == action)
        if old := sorted(missing & set().union(*earlier)):
            yield (
                f"{action} captured {listing(old, '')} before, and not when it was called last: "
                f"the older value stayed"
            )


def done_before(run: Run) -> Iterator[str]:
    """A step stands that was done when another, after which it comes, had been skipped: that one
    was done since. What somebody took as done is so."""
    last = {call.action: call for call in run.whole_calls()}
    skipped = {call.action: None for call in run.whole_calls() if call.status == "skipped"}
    for action in (action for action in skipped if last[action].status == "ok"):
        order = run.workflow.order_of(action)
        for step in () if order is None else sorted(built_on(order, [action]) - {action}):
            stands = run.settled.get(step) == "ok" and last[step].id < last[action].id
            if stands and last[step].id not in (*run.kept, *run.stood):
                yield (
                    f"{step} had succeeded when {action}, which it comes after, was skipped: it is "
                    f"not called again, though {action} was done now{_way(step, 'it')}"
                )


def _only_undoes(run: Run) -> bool:
    return run.stop is not None or problem_of(run) is not None


def _ended_terminals(run: Run, there: Collection[str]) -> dict[str, str]:
    """The terminals of the run, and of the runs that it called, that have ended, and the actions
    that opened them."""
    given = {*there, *strings(run.initial)}
    found: dict[str, str] = {}
    for call in run.forward_calls():
        if call.tool in (OPEN, NESTED):
            for text in strings(call.result):
                # By their shape, wherever they stand in a result: a nested run gives them under
                # names of its own.
                if TERMINAL_ID.fullmatch(text) and text not in given:
                    found.setdefault(text, base_action(call.action))
    return found


def _to_come(run: Run, openers: Collection[str]) -> dict[str, None]:
    """The actions that may be called now; in a workflow of states up to one that opens a
    terminal."""
    if not isinstance(run.workflow, StatesWorkflow):
        return {name: None for name in run.workflow.actions if name not in run.settled}
    found: dict[str, None] = {}
    waiting = list(run.ready)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = None
            state = run.workflow.states.get(name)  # none: it failed, and was mended away
            waiting += () if state is None or name in openers else following(state)
    found.update(dict.fromkeys(run.workflow.always))
    # one that is only come to by way of what needs its terminal opens it too late
    first = next(iter(run.ready), None)
    steps = (
        step
        for name in found
        for step in run.workflow.group_of(name)
        if name not in run.ready or step not in run.settled
    )
    left = {name: None for name in found if name not in openers or name == first}
    return left | dict.fromkeys(steps)


def _texts_for(run: Run, action: str) -> Iterator[str]:
    """The texts that an action is called with, as far as they are known now: for its items, too."""
    work = run.work(action)
    items = () if work.for_each is None else work.for_each.names()
    read = {**work.params, "items": [f"{{{name}}}" for name in items]}
    yield from strings(used_scope(read, run.scope))
