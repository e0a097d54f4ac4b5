"""Whether calls were done is asked call by call where a run is resumed from the panel."""

from pathlib import Path
from time import sleep
from types import SimpleNamespace
from typing import Any

import pytest

from tests.jupyter.kernel import Kernel
from tests.jupyter.panel.front import Refused, page
from wfnb.errors import CallStands
from wfnb.jupyter.panel.control_comm import reply
from wfnb.jupyter.panel.request_models import MAX_CALLS

pytestmark = pytest.mark.kernel

PAYS = """\
%%run_workflow pay --background
mode: parallel
steps:
  - {{id: charge, tool: shell, args: {{command: {charge!r}}}}}
  - {{id: send, tool: shell, args: {{command: {send!r}}}}}
"""
MOVES = """\
%%run_workflow move --background
rollback_on_cancel: true
steps:
  - {{id: pack, tool: shell, args: {{command: "echo pack >> {log}"}},
     compensation: {{tool: shell, args: {{command: "echo unpack >> {log}"}}}}}}
  - {{id: charge, tool: shell, args: {{command: "echo charge >> {log}"}}}}
  - {{id: drive, tool: shell, args: {{command: "while [ ! -e {gate} ]; do sleep 0.02; done"}}}}
"""


def test_each_call_is_answered_and_only_what_was_not_done_is_called(kernel: Kernel, tmp_path: Path):
    gate = tmp_path / "gate"
    charge, send = (
        f"echo {word} >> {tmp_path / word}; while [ ! -e {gate} ]; do sleep 0.02; done"
        for word in ("charge", "send")
    )

    kernel.ok("%wfnb start work")
    with page(kernel) as front:
        kernel.ok(PAYS.format(charge=charge, send=send))
        front.until(lambda: len(front.state.runs.get("pay-1", {}).get("now", ())) == 2)
    while not all((tmp_path / word).exists() for word in ("charge", "send")):
        sleep(0.01)
    kernel.kill()
    gate.touch()
    kernel.restart()
    kernel.ok("%wfnb open work")

    with page(kernel) as front:
        refused = front.reply(front.request("resume", run="pay-1"))
        halfway = front.reply(front.request("resume", run="pay-1", lost={"send": "done"}))
        with pytest.raises(Refused) as other:
            front.ask("resume", run="pay-1", lost={"charge": "again", "ship": "done"})
        lost = {"charge": "again", "send": "done"}
        head = front.ask("resume", run="pay-1", lost=lost)
        front.until(lambda: front.state.runs["pay-1"]["status"] == "success")

    assert (refused["error"], refused["calls"]) == ("CallUncertain", ["charge", "send"])
    assert refused["says"].startswith("Whether charge (shell), send (shell) was done is unknown")
    assert halfway["calls"] == ["charge"]
    assert other.value.args[0] == "CallNotAsked"
    assert head["name"] == "pay-1"
    made = {word: (tmp_path / word).read_text().split() for word in ("charge", "send")}
    assert made == {"charge": ["charge", "charge"], "send": ["send"]}


def test_what_stands_after_what_was_undone_is_asked_about(kernel: Kernel, tmp_path: Path):
    log, gate = tmp_path / "log", tmp_path / "gate"

    with page(kernel) as front:
        kernel.ok(MOVES.format(log=log, gate=gate))
        front.until(lambda: front.state.runs.get("move-1", {}).get("done") == 2)
        front.ask("cancel", run="move-1")
        front.until(lambda: front.state.runs["move-1"]["resumable"])
        gate.touch()
        refused = front.reply(front.request("resume", run="move-1"))
        front.ask("resume", run="move-1", lost={"charge": "done"})
        front.until(lambda: front.state.runs["move-1"]["status"] == "success")

    assert (refused["error"], refused["calls"]) == ("CallStands", ["charge"])
    assert log.read_text().split() == ["pack", "charge", "unpack", "pack"]


def test_more_calls_than_one_request_answers_for_are_only_said():
    calls = tuple(f"call{i} (shell)" for i in range(MAX_CALLS + 1))

    class Runner:
        def resume(self, name: str, lost: object) -> None:
            raise CallStands(calls[:1], "pack", calls[1:asked])

    around: Any = SimpleNamespace(notebook=SimpleNamespace(runner=Runner))
    replies = {}
    for asked in (MAX_CALLS, MAX_CALLS + 1):
        data = {"id": 1, "ask": "resume", "run": "a-1"}
        replies[asked] = reply(around, data, lambda: None)

    assert len(replies[MAX_CALLS]["calls"]) == MAX_CALLS
    assert replies[MAX_CALLS + 1].keys() == {"id", "error", "says"}
