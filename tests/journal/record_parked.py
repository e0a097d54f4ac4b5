"""A run that is parked, answered and taken up → `runs_parked1.db` and its twins, which have to read
for ever (`recording.py`). Written once, as the others."""

from pathlib import Path

from wfnb.workflows.core.events import (
    CallFinished,
    CallStarted,
    QuestionAnswered,
    QuestionAsked,
    RunEnded,
    RunEvent,
    RunParked,
    RunResumed,
    RunStarted,
)

from .recording import FOLDER, PROCESS, record_run

FILE = FOLDER / "runs_parked1.db"
THERE = "notebook-host 4712 00c0ffee"
WORKFLOW = {
    "name": "release",
    "steps": [
        {"id": "approve", "tool": "ask", "args": {"question": "Go on?", "timeout": 86400}},
        {"id": "later", "tool": "sleep", "args": {"seconds": 3600}},
    ],
}
ASK = {"action": "approve", "tool": "ask", "params": {"question": "Go on?", "timeout": 86400}}
SLEEP = {"action": "later", "tool": "sleep", "params": {"seconds": 3600}}
SAID = {"success": True, "answer": "yes"}

COMMANDS: list[list[RunEvent]] = [
    [RunStarted(workflow=WORKFLOW, process=PROCESS)],
    [CallStarted(**ASK, idempotent=True)],
    [QuestionAsked(call=2, question="Go on?", timeout=86400)],
    [RunParked(until=1_700_086_402.0, notebook=True)],
    [QuestionAnswered(call=2, answer="yes")],
    [RunResumed(process=THERE)],
    [CallFinished(call=2, status="ok", result=SAID, duration=4.0)],
    [CallStarted(**SLEEP, idempotent=True)],
    [RunParked(until=1_700_003_608.0, save=False)],
    [RunResumed(process=PROCESS)],
    [CallFinished(call=8, status="ok", result={"success": True}, duration=3600.0)],
    [RunEnded(status="success")],
]


def write(path: Path) -> None:
    record_run(path, "release", COMMANDS)


if __name__ == "__main__":
    write(FILE)
