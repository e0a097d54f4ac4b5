"""What a notebook feels: `%%step` against the same plain cell, and loading the extension, in a
real kernel and over its own channels."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL
from time import perf_counter
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from . import child
from .figures import Figure, Measured, Times, told, within
from .histories import NAME, by_cell, empty_folder, grown

ROUNDS, WARM = 400, 40
OVERHEAD = 0.002
STATUS = 0.025
FRESH = 9
LOAD = 0.08
LONG = 10_000
NAMES = 5_000
PATIENCE = 60
# Of IPython's own: it waits for the disk in every cell, which would drown what is measured.
HISTORY = "--HistoryManager.hist_file=:memory:"
TIMED_LOAD = """
from time import perf_counter as _now, process_time as _cpu
_begun, _busy = _now(), _cpu()
get_ipython().run_line_magic("load_ext", "wfnb")
_took, _worked = _now() - _begun, _cpu() - _busy
"""
DISPLAYED = f"""
import wfnb
session = wfnb.open({NAME!r})
displayed = session.views.answer(list(session.session.steps.values())[-1])._repr_mimebundle_()
"""
HEAVY = ("ipywidgets", "jsonschema", "pygraphviz", "nbformat")
LOADED = f"[name for name in {HEAVY!r} if name in __import__('sys').modules]"
IMPORTS = """
from time import perf_counter
begun = perf_counter()
import wfnb
bare = perf_counter() - begun
wfnb.open
opened = perf_counter() - begun
step = wfnb.open("imports", scratch=True).step("Is it recorded?")
first = perf_counter() - begun
assert step.step_history_length == 1
import json, sys
print(json.dumps([bare, opened, first, [name for name in HEAVY if name in sys.modules]]))
""".replace("HEAVY", repr(HEAVY))


def measure() -> Iterator[Measured]:
    yield from _load()
    yield from _imports()
    yield from _overhead(empty_folder(), 0, "in a new session")
    workspace = grown(by_cell, LONG)
    workspace.log.journal.close()
    folder = Path(workspace.log.journal.place).parent
    yield from _overhead(folder, LONG, f"in a session that has {LONG:,} steps")
    yield from _overhead(empty_folder(), 0, f"in a namespace of {NAMES:,} names", NAMES)


def _overhead(home: Path, before: int, where: str, names: int = 0) -> Iterator[Measured]:
    """Three cells in one kernel, in turn, so that whatever else the machine does slows all alike:
    a plain one, one that displays what a step displays, and a step."""
    seconds: dict[str, list[float]] = {"plain": [], "display": [], "step": []}
    with _kernel(home) as kernel:
        kernel.run(f"%load_ext wfnb\n%wfnb open {NAME}")
        kernel.run("%%step Look at part 0\nx = 1")
        kernel.run(DISPLAYED)
        kernel.run(f"globals().update({{f'name_{{n}}': [n] for n in range({names})}})")
        for number in range(1, WARM + ROUNDS):
            cells = {
                "plain": "x = 1",
                "display": "x = 1; display(displayed, raw=True)",
                "step": f"%%step Look at part {number}\nx = 1",
            }
            for name in list(cells)[number % 3 :] + list(cells)[: number % 3]:
                took, displays = kernel.round_trip(cells[name], f"{name}-{number}")
                assert displays == (name != "plain"), name
                if number >= WARM:
                    seconds[name].append(took)
        shows = [kernel.round_trip("%wfnb status", f"status-{n}")[0] for n in range(ROUNDS)]
        steps = kernel.value(f"len(__import__('wfnb').open({NAME!r}).session.steps)")
    assert steps == before + WARM + ROUNDS
    assert {len(found) for found in seconds.values()} == {ROUNDS}
    plain, display, step = (Times(found) for found in seconds.values())
    yield within(f"`%%step` over the same plain cell, {where}", _over(plain, step), OVERHEAD)
    yield told("of that, an output of that size by a plain cell", _over(plain, display))
    yield told("round trip of the plain cell there", plain)
    yield within("`%wfnb status` there, round trip", Times(shows), STATUS)
    yield told(f"round trip of the step there (ratio {step.median / plain.median:.2f})", step)


def _over(less: Times, more: Times) -> Times:
    return Times([after - before for before, after in zip(less.seconds, more.seconds, strict=True)])


def _load() -> Iterator[Measured]:
    """Each time in a kernel that has just been started and has nothing to do."""
    loads, works, firsts = [], [], []
    for number in range(FRESH + 1):
        with _kernel(empty_folder()) as kernel:
            kernel.run(TIMED_LOAD)
            took, worked = kernel.value("(_took, _worked)")
            first, shown_there = kernel.round_trip("%%step Look\nx = 1", "first")
            assert shown_there
            assert kernel.value(LOADED) == [], "imported by a step and not needed"
        if number:  # the first one may have had to compile
            loads.append(took)
            works.append(worked)
            firsts.append(first)
    yield within("`%load_ext wfnb` in a fresh kernel", Times(loads), LOAD)
    yield told("the same, time of the processor", Times(works))
    yield told("the first `%%step` after it, round trip", Times(firsts))


def _imports() -> Iterator[Measured]:
    found = [child.asked("-c", IMPORTS) for _ in range(FRESH + 1)][1:]
    bare, opened, first, heavy = zip(*found, strict=True)
    yield told("`import wfnb` in a fresh Python", Times(bare))
    yield told("`import wfnb` and `wfnb.open`, which imports the rest", Times(opened))
    yield told("the same with a session in memory and a first step", Times(first))
    names = sorted({name for names in heavy for name in names})
    yield Figure(
        f"imported by a recorded step, of {', '.join(HEAVY)}",
        "none",
        ", ".join(names) or "none",
        met=not names,
    )


class Kernel:
    """A kernel, and a client that waits for everything a cell sends."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self.client = client

    def run(self, code: str) -> None:
        self.round_trip(code, "setup")

    def value(self, expression: str) -> Any:
        """A literal that the kernel computes."""
        request = self.client.execute("", user_expressions={"asked": expression})
        _, reply = self._await(request)
        found = reply["user_expressions"]["asked"]
        assert found["status"] == "ok", found
        return literal_eval(found["data"]["text/plain"])

    def round_trip(self, code: str, cell: str) -> tuple[float, bool]:
        """Seconds until the cell's reply and its last message are here; whether it showed anything.
        The cell has to succeed."""
        content = {
            "code": code,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": True,
        }
        session = self.client.session
        message = session.msg("execute_request", content, metadata={"cellId": cell})
        begun = perf_counter()
        self.client.shell_channel.send(message)
        displayed, reply = self._await(message["header"]["msg_id"])
        took = perf_counter() - begun
        assert reply["status"] == "ok", reply
        return took, displayed

    def _await(self, request: str) -> tuple[bool, dict[str, Any]]:
        displayed = False
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") != request:
                continue
            displayed = displayed or message["msg_type"] == "display_data"
            if message["content"].get("execution_state") == "idle":
                break
        while True:
            message = self.client.get_shell_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") == request:
                return displayed, dict(message["content"])


@contextmanager
def _kernel(home: Path) -> Iterator[Kernel]:
    """A new kernel process without the user's settings, idle."""
    environment = {**child.environment(), "WFNB_HOME": str(home), "IPYTHONDIR": str(empty_folder())}
    environment.pop("JPY_SESSION_NAME", None)
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(env=environment, stderr=DEVNULL, extra_arguments=[HISTORY])
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=PATIENCE)
        kernel = Kernel(client)
        kernel.run("pass")
        yield kernel
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()
