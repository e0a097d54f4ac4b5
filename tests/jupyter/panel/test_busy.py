"""What reaches a kernel while a cell runs, in each ipykernel: at once, or when the cell has ended.

The table of what was found, as tests:

    ipykernel   blocking cell:      blocking cell:       awaiting cell:
                a widget of others  requests, our panel  a widget of others
    6.31        at the end          at the end           at the end
    7.0-7.3     at once             at once              at once
    7.4         at the end          at once              at once
"""

from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from uuid import uuid4

import pytest

from tests.jupyter.kernel import PATIENCE, Kernel
from tests.jupyter.panel import kernels
from tests.jupyter.panel.front import FrontEnd, page, waits_for
from tests.jupyter.panel.workflows import ASKS, SLEEPS

pytestmark = pytest.mark.kernel

AWAITS = """\
import asyncio, pathlib
print('waiting', flush=True)
while not pathlib.Path({!r}).exists(): await asyncio.sleep(0.01)
print('done', flush=True)
"""
OTHER = """\
import ipywidgets, threading, pathlib
class Echo(ipywidgets.Widget):
    def __init__(self):
        super().__init__()
        self.on_msg(lambda widget, content, buffers: pathlib.Path(content["file"]).write_text(
            "main" if threading.current_thread() is threading.main_thread() else "subshell"))
echo = Echo()
echo.model_id
"""


shared = kernels.of_every_python


@pytest.fixture
def front(kernel: Kernel) -> Iterator[FrontEnd]:
    kernel.ok("%step Begin")
    with page(kernel) as front:
        yield front


def version(kernel: Kernel) -> tuple[int, ...]:
    said = kernel.ok("import ipykernel; print(ipykernel.__version__)").stdout
    return tuple(int(part) for part in said.split(".")[:2])


def test_a_request_is_answered_while_a_cell_blocks(kernel: Kernel, front: FrontEnd, tmp_path: Path):
    at_once = version(kernel) >= (7,)
    gate = tmp_path / "gate"

    request = kernel.send(waits_for(gate, then="print('done', flush=True)"))
    front.prints("waiting")
    asked = front.request("rows", first=0, count=1)
    if at_once:
        front.reply(asked)
    gate.touch()
    front.prints("done")
    early = asked in front.replies

    assert front.reply(asked)["answer"]["count"] == 1
    assert early == at_once
    assert kernel.reply(request)["status"] == "ok"


def test_what_is_asked_is_no_cell(kernel: Kernel, front: FrontEnd):
    """A hook of cells may draw, or set, what the cell that runs works with."""
    kernel.ok(
        "called = []\n"
        "for name in ('pre_execute', 'post_execute'):\n"
        "    get_ipython().events.register(name, lambda name=name: called.append(name))"
    )
    before = kernel.ok("print(len(called))").stdout

    for _ in range(3):
        front.reply(front.request("rows", first=0, count=1))

    assert int(kernel.ok("print(len(called))").stdout) == int(before) + 2


def test_a_page_connects_while_a_cell_blocks(kernel: Kernel, tmp_path: Path):
    kernel.ok("%step Begin")
    at_once = version(kernel) >= (7,)
    gate = tmp_path / "gate"
    front = FrontEnd(kernel)

    request = kernel.send(waits_for(gate, then="print('done', flush=True)"))
    front.prints("waiting")
    front.open(front.control_comm, "wfnb.control")
    front.open(front.state_comm, "wfnb.state")
    if at_once:
        front.until(lambda: bool(front.messages))
    gate.touch()
    front.prints("done")
    early = bool(front.messages)
    front.until(lambda: bool(front.messages))
    front.close()
    front.leave()

    assert early == at_once
    assert front.messages[0]["kind"] == "snapshot"
    assert kernel.reply(request)["status"] == "ok"


def test_it_is_told_while_a_cell_blocks(kernel: Kernel, front: FrontEnd, tmp_path: Path):
    gate = tmp_path / "gate"

    request = kernel.send(waits_for(gate, "%%step Wait\n"))
    front.until(lambda: front.state.titles == ["Begin", "Wait"])
    gate.touch()

    assert front.state.rows[1]["outcome"] == "running"
    assert kernel.reply(request)["status"] == "ok"


def test_answers_go_on_after_the_main_shell_answered(kernel: Kernel, tmp_path: Path):
    """ipykernel 7.4 takes what comes on a comm to the shell that published on it last."""
    kernel.ok("%step Begin")
    gate = tmp_path / "gate"

    with page(kernel) as front:
        if front.subshell is None:
            pytest.skip("requests wait for the cell in this kernel")
        thread, front.subshell = front.subshell, None
        front.ask("rows", first=0, count=1)
        front.subshell = thread
        request = kernel.send(waits_for(gate))
        front.prints("waiting")
        assert front.ask("rows", first=0, count=1)["count"] == 1
        gate.touch()

    assert kernel.reply(request)["status"] == "ok"


@pytest.mark.parametrize("cell", ["blocks", "awaits"])
def test_a_widget_of_others_is_heard_while_a_cell_runs(
    kernel: Kernel, front: FrontEnd, tmp_path: Path, cell: str
):
    model = str(kernel.ok(OTHER).value).strip("'")
    gate, come = tmp_path / "gate", tmp_path / uuid4().hex
    known = version(kernel)
    at_once = known >= (7,) if cell == "awaits" else (7,) <= known < (7, 4)
    code = waits_for(gate, then="print('done', flush=True)")

    request = kernel.send(AWAITS.format(str(gate)) if cell == "awaits" else code)
    front.prints("waiting")
    front.post({"method": "custom", "content": {"file": str(come)}}, comm=model)
    if at_once:
        written(come)
    early = come.exists()
    gate.touch()
    front.prints("done")
    assert kernel.reply(request)["status"] == "ok"

    assert early == at_once
    thread = written(come)
    in_subshell = (7,) <= known < (7, 4)
    assert thread == ("subshell" if in_subshell else "main")


def test_a_run_that_blocks_its_cell_is_cancelled(kernel: Kernel, front: FrontEnd):
    request = kernel.send(SLEEPS.format(name="nap", options=""))
    front.until(lambda: front.state.runs.get("nap-1", {}).get("status") == "running")
    asked = front.request("cancel", run="nap-1")
    if front.subshell is None:
        kernel.interrupt()  # what a front end says that it can do

    reply = kernel.reply(request)

    assert (reply["status"], reply["ename"]) == ("error", "RunFailed")
    front.until(lambda: front.state.runs["nap-1"]["status"] == "cancelled")
    late = "Run nap-1 had ended: ⊘ cancelled."
    assert front.reply(asked)["answer"] in (None, late)


def test_a_question_of_a_run_that_blocks_its_cell_is_answered(kernel: Kernel, front: FrontEnd):
    if front.subshell is None:
        pytest.skip("requests wait for the cell in this kernel")

    request = kernel.send(ASKS)
    front.until(lambda: bool(front.state.runs.get("deploy-1", {}).get("asks")))
    (asked,) = front.state.runs["deploy-1"]["asks"]
    front.ask("answer", run="deploy-1", call=asked["call"], answer="yes")

    assert kernel.reply(request)["status"] == "ok"
    front.until(lambda: front.state.runs["deploy-1"]["status"] == "success")


def written(file: Path) -> str:
    """What a file says, once it is there."""
    late = monotonic() + PATIENCE
    while not (file.exists() and file.read_text()):
        assert monotonic() < late
        sleep(0.01)
    return file.read_text()


def test_replies_are_sent_by_the_stream_that_reads_requests(kernel: Kernel):
    """A request that comes while one goes out is lost on a bare socket: nothing runs any more."""
    if version(kernel) < (7,):
        pytest.skip("its shell channel has no thread of its own")

    said = kernel.ok(
        "kernel = get_ipython().kernel\n"
        "manager = kernel.shell_channel_thread.manager\n"
        "sender = getattr(manager, '_shell_socket', None) or manager._shell_stream\n"
        "print(sender is kernel.shell_stream)"
    )

    assert said.stdout == "True\n"
