"""What is said of a run in the tests: commands that the core decides, at times of our own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.views.graphs import HOSTILE
from wfnb.workflows.core.apply import advance, initial_run, replay
from wfnb.workflows.core.commands import (
    AnswerQuestion,
    AskQuestion,
    EndRun,
    FinishCall,
    ResumeRun,
    RunCommand,
    StartCall,
    StopRun,
)
from wfnb.workflows.core.decide import decide
from wfnb.workflows.core.events import QuestionAsked, RunEvent, RunRecorded, RunStarted
from wfnb.workflows.core.next_action import End, Start, Undo, next_action
from wfnb.workflows.core.run import Run
from wfnb.workflows.views.report import Report

WRITTEN = tuple(text for text in HOSTILE if "\ud800" not in text)
"""Hostile texts that a definition can hold."""
NOON = 1_750_000_000.0
"""2025-06-15 15:06:40 UTC, when every run of the tests begins."""


class Story:
    """A run that is told: what happens in it, and when. `run` is the replay of its events."""

    def __init__(
        self, workflow: Mapping[str, Any], /, secrets: tuple[str, ...] = (), **variables: Any
    ):
        self.now = NOON
        self.entries: list[RunRecorded] = []
        self._told: Run | None = None
        self._record(RunStarted(workflow=workflow, variables=variables, secrets=secrets))

    @property
    def run(self) -> Run:
        return replay(self.entries)

    def performs(self, action: str, took: float = 1.0, **result: Any) -> Story:
        """The action is called and ends; `success` unless it says otherwise."""
        return self.starts(action).ends(action, took, **result)

    def fails(
        self, action: str, error: str = "it broke", took: float = 1.0, **result: Any
    ) -> Story:
        return self.performs(action, took, success=False, error=error, **result)

    def times_out(self, action: str, took: float = 5.0, **result: Any) -> Story:
        return self.performs(action, took, timeout_occurred=True, **result)

    def starts(self, action: str) -> Story:
        """The call of an action that is to be called now, after its wait."""
        wanted = self._wanted(action)
        self.passes(wanted.wait[0])
        return self.do(StartCall(action=action, waited=wanted.wait[0]))

    def ends(self, action: str, took: float = 1.0, cached: bool = False, **result: Any) -> Story:
        call = self._open(action)
        self.now = max(self.now, (self._run.calls[call].started or 0) + took)
        given = {"success": True, **result}
        return self.do(FinishCall(call=call, result=given, duration=took, cached=cached))

    def stopped(self, action: str, took: float = 1.0) -> Story:
        """The call was ended from here."""
        self.passes(took)
        return self.do(FinishCall(call=self._open(action), duration=took, stopped=True))

    def undoes(self, took: float = 1.0, **result: Any) -> Story:
        """The compensation that is next is called and ends."""
        undo = next(do for do in next_action(self._run) if isinstance(do, Undo))
        call = self._run.calls[undo.call]
        self.passes(undo.wait[0])
        self.do(StartCall(action=call.action, undoes=undo.call, waited=undo.wait[0]))
        return self.ends(call.action, took, **result)

    def asks(self, action: str, question: str, *choices: str, **more: Any) -> Story:
        call = self._open(action)
        asked = QuestionAsked(call=call, question=question, choices=choices, **more)
        return self.do(AskQuestion(event=asked))

    def answered(self, answer: Any) -> Story:
        return self.do(AnswerQuestion(answer=answer))

    def cancelled(self, reason: str | None = None, rollback: bool | None = None) -> Story:
        return self.do(StopRun(reason=reason, rollback=rollback))

    def resumed(self, **options: Any) -> Story:
        return self.do(ResumeRun(process="another", **options))

    def finish(self, saved: str | None = None) -> Story:
        """The end that is due."""
        (end,) = next_action(self._run)
        assert isinstance(end, End)
        return self.do(EndRun(status=end.status, error=end.error, saved=saved))

    def passes(self, seconds: float) -> Story:
        self.now += seconds
        return self

    def do(self, command: RunCommand) -> Story:
        events = decide(self._run, command)
        assert events, command
        for event in events:
            self._record(event)
        return self

    @property
    def _run(self) -> Run:
        assert self._told is not None
        return self._told

    def _record(self, event: RunEvent) -> None:
        position = len(self.entries) + 1
        entry = RunRecorded(position=position, first=position, event=event, at=self.now)
        self.entries.append(entry)
        if self._told is None:
            self._told = initial_run(entry)
        else:
            advance(self._told, entry)

    def _wanted(self, action: str) -> Start:
        due = next_action(self._run)
        return next(do for do in due if isinstance(do, Start) and do.action == action)

    def _open(self, action: str) -> int:
        return next(id for id, call in self._run.open.items() if call.action == action)


def state(tool: str, *after: str | tuple[Mapping[str, Any], str], **more: Any) -> dict[str, Any]:
    """A state that calls a tool; `after` are the states that follow a success, or pairs of a
    condition and a state."""
    params = more.pop("params", {})
    pairs = [({"success": True}, each) if isinstance(each, str) else each for each in after]
    return {
        "action": {"tool": tool, "params": params},
        "transitions": [{"condition": cond, "next_state": name} for cond, name in pairs],
        **more,
    }


def states(name: str, /, **found: Mapping[str, Any]) -> dict[str, Any]:
    """A workflow that begins with the first of its states."""
    return {"name": name, "initial_state": next(iter(found)), "states": found}


def steps(*found: Mapping[str, Any], name: str = "deploy", **more: Any) -> dict[str, Any]:
    return {"name": name, "steps": list(found), **more}


def step(id: str, *needs: str, tool: str = "shell", **more: Any) -> dict[str, Any]:
    return {"id": id, "tool": tool, **({"needs": list(needs)} if needs else {}), **more}


UNDO = {"tool": "shell", "params": {"command": "undo {result.id}"}}


def checks() -> dict[str, Any]:
    """Tests that are tried until they pass, with a way out for each end."""
    return states(
        "checks",
        build=state("shell", "test", params={"command": "make {target}"}),
        test=state(
            "await_output",
            ({"pattern_match": r"\d+ passing"}, "done"),
            ({"pattern_match": "failing"}, "fix"),
            timeout=5.0,
            on_timeout="give_up",
        ),
        fix=state("python", "test", ({"success": False}, "give_up")),
        give_up=state("notify"),
        done=state("notify"),
    ) | {"variables": {"target": "all"}}


def deploy(**more: Any) -> dict[str, Any]:
    """Three steps, two of which can be undone."""
    return steps(
        step("upload", compensation=UNDO),
        step("migrate", compensation=UNDO, retry=1),
        step("restart"),
        **more,
    )


def failed_deploy() -> Story:
    """The third step fails: one of the others is undone, the undoing of the other fails too."""
    return (
        Story(deploy())
        .performs("upload", 2.0, id="u1")
        .fails("migrate", "locked", 0.5)
        .performs("migrate", 1.0, id="m1")
        .fails("restart", "port in use", 0.25)
        .undoes(0.5)
        .undoes(0.5, success=False, error="no such upload")
        .finish()
    )


def looped() -> Story:
    """The tests pass at the second attempt to fix them."""
    return (
        Story(checks(), target="all")
        .performs("build", 2.0, stdout="built")
        .performs("test", 1.0, match_text="2 failing")
        .performs("fix", 0.5)
        .performs("test", 1.0, match_text="1 failing")
        .performs("fix", 0.5)
        .performs("test", 1.0, match_text="12 passing")
        .performs("done", 0.1)
        .finish(saved="checks")
    )


def table(report: Report) -> list[tuple[object, ...]]:
    return [(row.index, row.action, row.status, row.attempts, row.undo) for row in report.rows]


def opened() -> Story:
    """A terminal is opened and used."""
    session = states(
        "shell",
        open=state("open_terminal", "use"),
        use=state("send_input", params={"session_id": "{session_id}"}),
    )
    return (
        Story(session)
        .performs("open", 0.5, session_id="session_1a2b3c4d")
        .performs("use", 0.25)
        .finish()
    )
