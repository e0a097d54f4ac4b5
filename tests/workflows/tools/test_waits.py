"""What waits for the clock, for a file, a port or a command."""

import asyncio
import socket
import time
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workflows.runner.place import runner_in, step, steps
from wfnb.workflows.definition.time_parser import time_meant, time_problem
from wfnb.workflows.runner import attempt, run_loop
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools import ask, sleep, wait, watch


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return runner_in(tmp_path / "home")


def given_back(runner: Runner, tool: str, **args: Any) -> dict[str, Any]:
    result = runner.run(steps(step("wait", tool, args=args)), save=False)
    (entry,) = result.execution_log
    fields: dict[str, Any] = entry["result"]
    return fields


MINUTES = st.integers(0, 24 * 60 - 1)


@given(since=st.datetimes(timezones=st.just(UTC)), minutes=MINUTES, hours=st.integers(-12, 12))
def test_a_time_alone_is_the_next_such_one(since: datetime, minutes: int, hours: int):
    if since > datetime(9998, 1, 1, tzinfo=UTC) or since < datetime(2, 1, 1, tzinfo=UTC):
        return
    written = f"{minutes // 60:02}:{minutes % 60:02}{'-' if hours < 0 else '+'}{abs(hours):02}:00"

    found = time_meant(written, since)

    there = found.astimezone(timezone(timedelta(hours=hours)))
    assert since <= found <= since + timedelta(days=1)
    assert (there.hour * 60 + there.minute, there.second) == (minutes, 0)


def test_a_time_without_an_offset_is_that_of_the_clock_on_the_wall(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        before = datetime(2026, 10, 24, 12)  # the clock goes back in the night
        found = time_meant("08:00", before)
        day = time_meant("2026-12-24", before)
        left_out = time_meant("02:30", datetime(2026, 3, 29, 1))
    finally:
        monkeypatch.undo()
        time.tzset()

    assert found.isoformat() == "2026-10-25T08:00:00+01:00"
    assert day.isoformat() == "2026-12-24T00:00:00+01:00"
    assert left_out.isoformat() == "2026-03-29T03:30:00+02:00"


@pytest.mark.parametrize(
    "written", ["", "8:00", "25:00", "2026-02-30", "now", "2026-12", "08:00 h"]
)
def test_what_is_no_time_is_refused_before_the_run(runner: Runner, written: str):
    assert time_problem(written)
    with pytest.raises(Exception, match="is no time"):
        given_back(runner, "wait_until", time=written)
    assert runner.runs() == []


def test_a_time_that_is_over_is_not_waited_for(runner: Runner):
    found = given_back(runner, "wait_until", time="2020-01-01T00:00+00:00")

    assert found == {"success": True, "time": "2020-01-01 00:00:00+00:00"}


SECONDS, HOUR = 0.5, 3600
SOON_OVER = {
    "sleep": step("wait", "sleep", args={"seconds": SECONDS}),
    "a question": step("wait", "ask", args={"question": "?", "timeout": SECONDS, "default": 1}),
    "a look": step(
        "wait",
        "watch",
        args={"file": "none", "every": 0.1, "timeout": SECONDS},
        on_failure="continue",
    ),
    "looks": step(
        "wait",
        "watch",
        args={"command": "echo . >> n; test $(wc -l < n) -ge 2", "every": SECONDS},
    ),
    "another attempt": step(
        "wait",
        "shell",
        args={"command": "echo . >> n; test $(wc -l < n) -ge 2"},
        retry={"attempts": 1, "wait": SECONDS},
    ),
    "another round": step(
        "wait",
        "shell",
        args={"command": "echo . >> n; wc -l < n"},
        repeat={"until": "stdout >= 2", "wait": SECONDS},
    ),
}


@pytest.mark.parametrize("jump", [-HOUR, HOUR], ids=["back", "forward"])
@pytest.mark.parametrize("what", SOON_OVER)
def test_a_wait_takes_as_long_as_it_says_whatever_the_clock_is_set_to_meanwhile(
    runner: Runner, monkeypatch: pytest.MonkeyPatch, what: str, jump: int
):
    shift, real = [0], time.time
    for module in (ask, attempt, run_loop, sleep, wait, watch):
        name = "now" if module is sleep else "time"
        monkeypatch.setattr(module, name, lambda: real() + shift[0])
    began = time.monotonic()

    running = runner.start(steps(SOON_OVER[what]), timeout=60, save=False)
    while not (running.run_loop.open_waits or running.is_done):
        time.sleep(0.01)  # what is tried again has to be tried first
    shift[0] = jump
    running.wait()

    assert running.run.status in ("success", "partial_success")
    assert SECONDS <= time.monotonic() - began < 20


def test_a_file_is_waited_for_until_it_is_there(runner: Runner, tmp_path: Path):
    made = {"command": "(sleep 0.2; touch flag) >/dev/null 2>&1 &"}
    result = runner.run(
        steps(
            step("make", "shell", args=made),
            step("wait", "watch", args={"file": "flag", "every": 0.1}),
        ),
        save=False,
    )

    assert result.success
    assert (tmp_path / "flag").exists()


def test_a_file_that_was_there_before_has_to_be_written_anew(runner: Runner, tmp_path: Path):
    (tmp_path / "data").write_text("old")
    how = {"file": "data", "changed": True, "every": 0.1, "timeout": 0.3}

    late = given_back(runner, "watch", **how)

    assert (late["success"], late["timeout_occurred"]) == (False, True)
    assert late["error"] == "data was not written in 0.3 s."


def test_a_port_is_waited_for_until_something_answers(runner: Runner):
    with socket.create_server(("127.0.0.1", 0)) as server:
        found = given_back(runner, "watch", host="127.0.0.1", port=server.getsockname()[1])
        port = server.getsockname()[1]
    closed = given_back(runner, "watch", host="127.0.0.1", port=port, every=0.1, timeout=0.2)

    assert found == {"success": True}
    assert closed["timeout_occurred"]
    assert closed["error"] == f"nothing answered at 127.0.0.1:{port} in 0.2 s."


def test_a_command_is_waited_for_until_it_succeeds(runner: Runner):
    command = "echo . >> looks; echo seen; test $(wc -l < looks) -ge 3"

    assert given_back(runner, "watch", command=command, every=0.1)["stdout"] == "seen\n"
    late = given_back(runner, "watch", command="false", every=0.1, timeout=0.2)
    assert late["error"] == "`false` did not succeed in 0.2 s."


def test_a_wait_is_ended_by_an_interrupt_of_its_run(runner: Runner):
    running = runner.start(steps(step("wait", "watch", args={"file": "never"})))
    while not running.run.open:
        asyncio.run(asyncio.sleep(0.01))
    running.stop()
    running.wait()

    assert running.run.status == "cancelled"
