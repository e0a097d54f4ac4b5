"""What a run costs beside its tools: side by side, beside a bare loop of processes, in a terminal,
after many others, and until a person sees it or has stopped it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter

import pexpect

from tests.jupyter.kernel import running
from wfnb.home_folder import open_session
from wfnb.workflows.runner.parked_runs import due_runs
from wfnb.workspace import Workspace

from . import child
from .child import call
from .figures import Figure, Measured, Times, repeated, shown, timed, told, within
from .histories import empty_folder

PARALLEL, WIDTH, EACH = 100, 20, 0.05
SHELLS, MANY = 100, 1_000
SHELL_RATIO = 2.0
OUTPUT, FLOOD = 5_000_000, 50_000_000
"""Bytes that a terminal prints."""
TIMES = {
    "wide": 5,
    "shells": 9,
    "ten": 40,
    "open": 15,
    "echo": 200,
    "match": 3,
    "wait": 12,
    "parked": 20,
}
MEGABYTE = 1_000_000


def measure() -> Iterator[Measured]:
    workspace = open_session("runs", home_folder=empty_folder())
    yield from _parallel(workspace)
    yield from _shells(workspace)
    yield from _after_many(workspace)
    yield _parked()
    yield from _terminal()
    found = child.asked(child.__file__, "flood", FLOOD)
    grew = found["peak"] - found["before"]
    what = "memory that 50 MB of a terminal's output took"
    yield Figure(what, "≤ 50 MB", f"{grew / MEGABYTE:.0f} MB", "", grew <= 50 * MEGABYTE)
    yield told("the longest that the loop was held up meanwhile", Times([found["held"]]))
    yield from _seen()


def _parallel(workspace: Workspace) -> Iterator[Measured]:
    steps = [{"tool": "sleep", "args": {"seconds": EACH}}] * PARALLEL
    definition = {"name": "wide", "mode": "parallel", "max_parallel": WIDTH, "steps": steps}
    times = repeated(lambda: workspace.run(definition, save=False), TIMES["wide"])
    ideal = PARALLEL / WIDTH * EACH
    what = f"{PARALLEL} independent steps of {shown(EACH)}, {WIDTH} at a time"
    yield Figure(
        f"{what}, over the ideal of {shown(ideal)}",
        "ratio ≤ 1.3",
        f"{times.median / ideal:.2f}",
        f"{times.p95 / ideal:.2f}",
        times.median <= 1.3 * ideal,
    )


def _shells(workspace: Workspace) -> Iterator[Measured]:
    for form, command, bare in (
        ('`["true"]`', ["true"], ["true"]),
        ("`true` by /bin/sh", "true", ["/bin/sh", "-c", "true"]),
    ):
        steps = [{"tool": "shell", "args": {"command": command}}] * SHELLS
        definition = {"name": "shells", "steps": steps}

        def loop(bare: list[str] = bare) -> None:
            for _ in range(SHELLS):
                subprocess.run(bare, check=True, capture_output=True)

        run = partial(workspace.run, definition, save=False)
        ours, theirs = _in_turn(run, loop, TIMES["shells"])
        ratio = ours.median / theirs.median
        what = f"{SHELLS} steps of `shell` {form} over a bare loop of `subprocess.run`"
        yield Figure(what, f"ratio ≤ {SHELL_RATIO:g}", f"{ratio:.2f}", "", ratio <= SHELL_RATIO)


def _in_turn(one: Callable[[], object], other: Callable[[], object], times: int) -> list[Times]:
    one(), other()
    pairs = [(timed(one), timed(other)) for _ in range(times)]
    return [Times(found) for found in zip(*pairs, strict=True)]


def _after_many(workspace: Workspace) -> Iterator[Measured]:
    """One more run in a session that has few, and in one that has a thousand."""
    definition = {"name": "ten", "steps": [{"tool": "sleep", "args": {"seconds": 0}}] * 10}
    few = open_session("few", home_folder=empty_folder())
    many = open_session("many", home_folder=empty_folder())
    for _ in range(MANY):
        many.run(definition, save=False)
    after, before = _in_turn(
        lambda: many.run(definition, save=False),
        lambda: few.run(definition, save=False),
        TIMES["ten"],
    )
    ratio = after.median / before.median
    what = "a run after 1,000 others over one after few"
    yield Figure(what, "ratio ≤ 1.25", f"{ratio:.2f}", "", ratio <= 1.25)


def _parked() -> Figure:
    """Whether a thousand runs that wait for days have something to do."""
    waiting = open_session("parked", home_folder=empty_folder())
    definition = {"name": "days", "steps": [{"tool": "sleep", "args": {"seconds": 86_400}}]}
    for _ in range(MANY):
        waiting.runs.run(definition, save=False, park=0.0)
    journal = waiting.runs.session_log.journal
    times = repeated(lambda: due_runs(journal), TIMES["parked"])
    return within("1,000 parked runs are looked at", times, 0.05)


def _terminal() -> Iterator[Measured]:
    opened, bare = _in_turn(_open, _bare_shell, TIMES["open"])
    beyond = Times(
        [ours - theirs for ours, theirs in zip(opened.seconds, bare.seconds, strict=True)]
    )
    yield within(
        "a terminal, open to its first prompt, beyond the shell's own start", beyond, 0.015
    )
    with_one = call("open_terminal")["session_id"]
    call("await_output", session_id=with_one, pattern=re.escape("$ "))
    rounds = iter(range(10_000))

    def echo() -> None:
        number = next(rounds)
        call("send_input", session_id=with_one, input_text=f"echo hi{number}_$((1+1))\n")
        found = call("await_output", session_id=with_one, pattern=f"hi{number}_2")
        assert found["match_text"], found

    yield within("send and await of an `echo` there", repeated(echo, TIMES["echo"]), 0.002)

    def late() -> None:
        yes = "yes 0123456789012345678901234567890123456789"
        command = f"{yes} | head -c {OUTPUT}; echo en'd'\n"
        call("send_input", session_id=with_one, input_text=command)
        found = call("await_output", session_id=with_one, pattern="end", timeout=60)
        assert found["match_text"], found

    yield within("a match after 5 MB of output", repeated(late, TIMES["match"]), 1.0)
    call("exit_terminal", session_id=with_one)


def _open() -> None:
    found = call("open_terminal")
    call("await_output", session_id=found["session_id"], pattern=re.escape("$ "))
    call("exit_terminal", session_id=found["session_id"])


def _bare_shell() -> None:
    shell = pexpect.spawn("bash", ["--norc", "--noprofile"], env={**os.environ, "PS1": "$ "})
    shell.delaybeforesend = None
    shell.expect_exact("$ ")
    # Its own `close` gives up on a shell that a busy machine has not ended within its delay.
    shell.kill(signal.SIGKILL)
    shell.wait()
    shell.ptyproc.delayafterclose = 0.0
    shell.close()


def _seen() -> Iterator[Measured]:
    """In a real kernel, as a front end sees it."""
    cell = "%%run_workflow wait{}\nsteps:\n- {{tool: sleep, args: {{seconds: 60}}}}"
    first: list[float] = []
    stopped: list[float] = []
    with running(empty_folder(), KERNEL_PYTHON=sys.executable) as kernel:
        for turn in range(TIMES["wait"]):
            begun = perf_counter()
            request = kernel.send(cell.format(turn), "cell")
            for message in kernel.published(request):
                if message["msg_type"] == "display_data" and len(first) == turn:
                    first.append(perf_counter() - begun)
                    begun = perf_counter()
                    kernel.interrupt()
            kernel.reply(request)
            stopped.append(perf_counter() - begun)
    yield within(
        "the first progress of a run on screen (the first run included)", Times(first), 0.1
    )
    yield within("from an interrupt to the end of the cell", Times(stopped), 0.3)
