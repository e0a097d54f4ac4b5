"""Events of runs: one of every kind, and as a journal records them."""

from wfnb.journal import RunInfo
from wfnb.workflows.core.events import (
    CallFinished,
    CallStarted,
    QuestionAnswered,
    QuestionAsked,
    RunEnded,
    RunEvent,
    RunParked,
    RunRecorded,
    RunResumed,
    RunStarted,
    StopAsked,
)

STARTED = RunStarted(workflow={"name": "deploy"})
EVERY_KIND: list[RunEvent] = [
    RunStarted(
        workflow={"name": "deploy", "steps": [{"tool": "shell", "args": {"command": "a {b!q}"}}]},
        variables={"zone": "eu “x” \U0001f600", "n": 3, "deep": [{"none": None, "real": 0.1}]},
        secrets=("token",),
        max_states=7,
        timeout=0.5,
        depth=1,
        caller=4,
        process="host 17 abc",
    ),
    RunResumed(process="host 18 abc", start="build", variables={"n": 4}, secrets=("key",)),
    RunResumed(kept=(4, 6)),
    RunParked(until=1764547200.5, notebook=True, save=False),
    CallStarted(
        action="build",
        tool="shell",
        params={"command": "make\n"},
        attempt=2,
        waited=1.5,
        idempotent=True,
        undoes=3,
    ),
    QuestionAsked(
        call=3, question="Go on?", choices=("yes", "no"), default="no", secret=True, timeout=9.0
    ),
    QuestionAnswered(call=3, answer="yes"),
    CallFinished(
        call=3,
        status="timed_out",
        result={"success": False, "stdout": "\x1b[31mred\x00"},
        duration=0.25,
        goto="undo",
        retry=True,
        captured={"port": "80"},
        armed={"path": "/tmp/x"},
        cached=True,
    ),
    StopAsked(why="failed", reason="it is late", rollback=True),
    RunEnded(status="rolled_back", error="no room", saved="deploy"),
]


def call(number: int) -> CallStarted:
    return CallStarted(action=f"state_{number}", tool="sleep")


def recorded(*events: RunEvent, first: int = 1, at: float = 1.0) -> list[RunRecorded]:
    """The events of one command, as they are recorded."""
    return [
        RunRecorded(position=position, first=first, event=event, at=at)
        for position, event in enumerate(events, first)
    ]


def names(runs: list[RunInfo]) -> list[str]:
    return [run.name for run in runs]
