"""A run told in a few words: a definition, what the tools will say, and what happened.

    run = played(steps("a", "b"), b=fails)

    assert told(run) == ["a ok", "b failed"]

No tool is called: `says` gives the results that tools would have given, by action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from wfnb.workflows.core.apply import initial_run, replay
from wfnb.workflows.core.commands import EndRun, FinishCall, RunCommand, StartCall
from wfnb.workflows.core.decide import decide
from wfnb.workflows.core.events import RunEvent, RunRecorded, RunStarted
from wfnb.workflows.core.next_action import End, Gather, Start, Stop, Undo, next_action
from wfnb.workflows.core.run import Run

Result = Mapping[str, Any]
Says = Result | list[Result] | Callable[[int], Result]

ok: Result = {"success": True}
fails: Result = {"success": False, "error": "no"}
late: Result = {"success": False, "timeout_occurred": True, "error": "timed out"}


class Told:
    """A run and all that was recorded of it, as a journal would have it."""

    def __init__(self, definition: Mapping[str, Any], **started: Any) -> None:
        first = RunStarted(workflow=definition, **started)
        self.entries = [RunRecorded(position=1, first=1, event=first, at=1.0)]
        self.run: Run = initial_run(self.entries[0])

    def do(self, command: RunCommand) -> list[RunEvent]:
        """Decide and record; the run is replayed from its events now and then, so that nothing
        can hide in memory."""
        events = decide(self.run, command)
        first = len(self.entries) + 1
        for position, event in enumerate(events, first):
            at = float(position)
            self.entries.append(RunRecorded(position=position, first=first, event=event, at=at))
        self.run = replay(self.entries)
        return events


def played(definition: Mapping[str, Any], told: Told | None = None, **says: Says) -> Told:
    """The run to its end. Actions that nothing is said of succeed; of a list, the first attempt
    gets the first, and the last is said again for ever."""
    told = told or Told(definition)
    for _ in turns(told, says):
        pass
    return told


def turns(told: Told, says: Mapping[str, Says]) -> Iterator[Run]:
    """The run, event for event: all calls that may begin, then the end of the oldest."""
    said: dict[str, int] = {}
    while told.run.status == "running":
        act(told)
        yield told.run
        called = [call for call in told.run.open.values() if not call.gathers]
        if called:
            call = called[0]
            name = call.action if call.undoes is None else f"undo_{call.action}"
            times = said[name] = said.get(name, 0) + 1
            told.do(FinishCall(call=call.id, result=_said(says.get(name, ok), times)))
            yield told.run


def act(told: Told) -> None:
    """All that is to be done now: calls begin, or are stopped; the run ends."""
    for do in next_action(told.run):
        match do:
            case Start(action=action):
                told.do(StartCall(action=action))
            case Undo(call=call):
                told.do(StartCall(action=told.run.calls[call].action, undoes=call))
            case Gather(call=call):
                told.do(FinishCall(call=call))
            case Stop(call=call):
                told.do(FinishCall(call=call, stopped=True))
            case End(status=status, error=error):
                told.do(EndRun(status=status, error=error))


def _said(says: Says, times: int) -> Result:
    if callable(says):
        return says(times)
    if isinstance(says, list):
        return says[min(times, len(says)) - 1]
    return says


def calls(told: Told) -> list[str]:
    """Every call in order: its action, its status, `undo` before a compensation."""
    return [
        f"{'undo ' if call.undoes is not None else ''}{call.action} {call.status}"
        for call in told.run.calls.values()
    ]


def steps(*written: str | Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A workflow of steps; a word stands for a step of that name."""
    made = [{"id": step} if isinstance(step, str) else dict(step) for step in written]
    return {
        "name": "told",
        "steps": [{"tool": "noop", "args": {}, **step} for step in made],
        **more,
    }


def states(first: str, **written: Any) -> dict[str, Any]:
    """A workflow of states: `a={"success": "b"}` goes from a to b when a succeeded. Words beside
    are fields of the state."""
    return {
        "name": "told",
        "initial_state": first,
        "states": {name: _state(dict(state)) for name, state in written.items()},
    }


def _state(state: dict[str, Any]) -> dict[str, Any]:
    fields = {"retry", "timeout", "on_timeout", "compensation", "idempotent", "capture", "params"}
    fields |= {"compensate_on_failure", "transitions", "when", "always", "for_each"}
    fields |= {"repeat", "on_error"}
    chosen = {name: state.pop(name) for name in tuple(state) if name in fields}
    transitions = [
        {"condition": _condition(when), "next_state": then} for when, then in state.items()
    ]
    params = chosen.pop("params", {})
    return {
        "action": {"tool": "noop", "params": params},
        "transitions": transitions,
        **chosen,
    }


def _condition(when: str) -> dict[str, Any] | str:
    if any(f" {sign} " in when for sign in ("==", "!=", ">", "<")):
        return when
    return {
        "success": {"success": True},
        "failure": {"success": False},
        "timeout": {"timeout_occurred": True},
    }.get(when) or {"pattern_match": when}


def undo(**args):
    return {"compensation": {"tool": "undo", "args": args}}
