"""A run in every kind of event → `runs2.db` and its twins, which have to read for ever
(`recording.py`).

Run once for each version of the tables or of a type of a run's event; what is recorded is never
written again.
"""

from pathlib import Path

from wfnb.workflows.core.events import (
    CallFinished,
    CallStarted,
    QuestionAnswered,
    QuestionAsked,
    RunEnded,
    RunEvent,
    RunResumed,
    RunStarted,
    StopAsked,
)

from .recording import FOLDER, PROCESS, record_run

FILE = FOLDER / "runs2.db"
THERE = "notebook-host 4712 00c0ffee"
WORKFLOW = {
    "name": "deploy",
    "variables": {"env": "prod", "token": {"secret": True}},
    "rollback_on_cancel": True,
    "initial_state": "build",
    "states": {
        "build": {
            "action": {"tool": "shell", "params": {"command": "make {env!q}"}},
            "transitions": [{"condition": {"success": True}, "next_state": "confirm"}],
            "retry": {"attempts": 2, "wait": 1, "backoff": "exponential"},
            "compensation": {"tool": "shell", "params": {"command": "make clean {result.out}"}},
        },
        "confirm": {
            "action": {"tool": "ask", "params": {"question": "Go on?", "choices": ["yes", "no"]}},
            "transitions": [
                {"condition": {"field_equals": {"answer": "yes"}}, "next_state": "upload"}
            ],
        },
        "upload": {
            "action": {"tool": "shell", "params": {"command": "upload {token}"}},
            "on_timeout": "upload",
        },
    },
}

FAILED = {"success": False, "exit_code": 2, "error": "exit code 2"}
MADE = {"success": True, "exit_code": 0, "stdout": "built “x” – 3 Dateien\n", "out": "dist"}
SAID = {"success": True, "answer": "yes"}
LATE = {"success": False, "timeout_occurred": True, "error": "timed out after 30s"}
LOST = {"success": False, "error": "the process ended while it ran"}
STOPPED = {"success": False, "error": "stopped"}
DONE = {"success": True}
MAKE = {"action": "build", "tool": "shell", "params": {"command": "make prod"}}
TEST = {"action": "build", "tool": "shell", "params": {"command": "make test"}}
CLEAN = {"action": "build", "tool": "shell", "params": {"command": "make clean dist"}}
CONFIRM = {"action": "confirm", "tool": "ask", "params": {"question": "Go on?"}}
UPLOAD = {"action": "upload", "tool": "shell", "params": {"command": "upload •••"}}
LIMITS = {"max_states": 20, "timeout": 600.0}
TOKEN = {"secrets": ("token",)}
BUILT = {"goto": "confirm", "captured": {"files": "3"}, "armed": {"result": {"out": "dist"}}}
CHOICES = {"choices": ("yes", "no"), "default": "no", "timeout": 60}

COMMANDS: list[list[RunEvent]] = [
    [RunStarted(workflow=WORKFLOW, variables={"env": "prod"}, process=PROCESS, **TOKEN, **LIMITS)],
    [CallStarted(**MAKE)],
    [CallFinished(call=2, status="failed", result=FAILED, duration=0.5, retry=True)],
    [CallStarted(**MAKE, attempt=2, waited=1.0)],
    [
        CallFinished(call=4, status="ok", result=MADE, duration=0.75, cached=True, **BUILT),
        CallStarted(**CONFIRM, idempotent=True),
    ],
    [QuestionAsked(call=6, question="Go on?", **CHOICES)],
    [QuestionAnswered(call=6, answer="yes")],
    [CallFinished(call=6, status="ok", result=SAID, goto="upload"), CallStarted(**UPLOAD)],
    [CallFinished(call=10, status="timed_out", result=LATE, duration=30.0, goto="upload")],
    [CallStarted(**UPLOAD)],
    [
        CallFinished(call=12, status="unknown", result=LOST, retry=True),
        RunResumed(process=THERE, **TOKEN),
    ],
    [CallStarted(**UPLOAD)],
    [StopAsked(why="cancelled", reason="enough", rollback=True)],
    [CallFinished(call=15, status="cancelled", result=STOPPED)],
    [CallStarted(**CLEAN, undoes=4)],
    [CallFinished(call=18, status="ok", result=DONE, duration=0.1)],
    [RunEnded(status="cancelled", error="enough")],
    [RunResumed(process=THERE, start="build", variables={"env": "test"}, **TOKEN)],
    [CallStarted(**TEST)],
    [CallFinished(call=22, status="ok", result=DONE, duration=1.0)],
    [RunEnded(status="success", saved="deploy")],
]


def write(path: Path) -> None:
    record_run(path, "deploy", COMMANDS)


if __name__ == "__main__":
    write(FILE)
