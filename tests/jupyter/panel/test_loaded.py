"""Loading wfnb tells front ends that it is there, costs no import, and unloading leaves nothing."""

import sys
from collections.abc import Iterator
from logging import WARNING
from pathlib import Path
from typing import Any

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from tests.jupyter.kernel import PATIENCE, Kernel, running, started
from tests.jupyter.panel.front import FrontEnd, page

pytestmark = pytest.mark.kernel

HEAVY = (
    "anywidget",
    "ipywidgets",
    "pydantic",
    "wfnb.workflows.runner",
    "wfnb.panel",
    "nh3",
    "yaml",
)
WORKFLOWS = ("wfnb.workflows.definition.models", "wfnb.workflows.core.run", "wfnb.workflows.runner")
LEFT = """\
import comm, threading
manager = comm.get_comm_manager()
([name for name in manager.targets if "wfnb" in name],
 [each.target_name for each in manager.comms.values() if "wfnb" in each.target_name],
 [each.name for each in threading.enumerate() if each.name == "wfnb-panel" and each.is_alive()])
"""

BARE = """\
import comm

class Comm:  # as those of xeus-python: no attribute of its own, nothing but this
    __slots__ = ("_comm",)
    def __init__(self, comm): self._comm = comm
    comm_id = property(lambda self: self._comm.comm_id)
    on_msg = property(lambda self: self._comm.on_msg)
    on_close = property(lambda self: self._comm.on_close)
    send = property(lambda self: self._comm.send)
    close = property(lambda self: self._comm.close)
    topic = property(lambda self: self._comm.topic)

class Manager:
    __slots__ = ("_manager",)
    def __init__(self, manager): self._manager = manager
    register_target = property(lambda self: self._manager.register_target)
    unregister_comm = property(lambda self: self._manager.unregister_comm)
    def register_comm(self, comm): self._manager.register_comm(getattr(comm, "_comm", comm))

made, manager = comm.create_comm, Manager(comm.get_comm_manager())
comm.create_comm = lambda **fields: Comm(made(**fields))
comm.get_comm_manager = lambda: manager
"""


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Kernel]:
    with running(tmp_path / "kernel", KERNEL_PYTHON=sys.executable) as kernel:
        yield kernel


def comms(front: FrontEnd) -> dict[str, Any]:
    """The comms that the kernel says it has, by their target."""
    front.client.comm_info()
    while True:
        reply = front.client.get_shell_msg(timeout=PATIENCE)
        if reply["msg_type"] == "comm_info_reply":
            found = reply["content"]["comms"].items()
            return {each["target_name"]: name for name, each in found}


def test_loading_imports_nothing_of_the_panel_but_its_comms(own: Kernel):
    assert own.ok(f"import sys; [name for name in {HEAVY!r} if name in sys.modules]").value == "[]"


def test_a_page_is_told_a_session_without_runs_and_nothing_of_workflows_is_imported(own: Kernel):
    own.ok("%step One")

    with page(own) as front:
        own.ok("%step Two")
        front.until(lambda: front.state.titles == ["One", "Two"])
        imported = own.ok(
            f"import sys; [name for name in {WORKFLOWS!r} if name in sys.modules]"
        ).value

    assert imported == "[]"


def test_a_page_that_is_there_is_greeted_when_wfnb_is_loaded(own: Kernel):
    own.ok("%unload_ext wfnb")
    front = FrontEnd(own)

    own.ok("%load_ext wfnb")
    message = front.take()
    while message["msg_type"] != "comm_open":
        message = front.take()

    assert message["content"]["target_name"] == "wfnb.hello"
    front.leave()


def test_nobody_who_runs_notebooks_is_warned_of_a_page(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    cell = new_code_cell("%load_ext wfnb\n%wfnb start --scratch s\n%step One\n%unload_ext wfnb")
    ran = new_notebook(cells=[cell])

    NotebookClient(ran, resources={"metadata": {"path": str(tmp_path)}}).execute()

    assert [output.output_type for output in cell.outputs] == ["display_data"] * 2
    assert [each.getMessage() for each in caplog.records if each.levelno >= WARNING] == []


def test_a_page_that_comes_later_finds_wfnb_among_the_comms(own: Kernel):
    front = FrontEnd(own)
    hello = comms(front)["wfnb.hello"]
    front.send("comm_close", comm_id=hello, data={})  # a front end that does not know wfnb

    assert comms(front) == {"wfnb.hello": hello}
    own.ok("%unload_ext wfnb")
    assert comms(front) == {}
    front.leave()


def test_unloading_tells_that_it_is_gone_and_leaves_nothing(own: Kernel):
    own.ok("%step One")
    front = FrontEnd(own).connect()
    own.ok("%step Two")
    front.until(lambda: front.state.titles == ["One", "Two"])

    own.ok("%unload_ext wfnb")
    front.until(lambda: front.closed >= {front.state_comm, front.control_comm})

    assert front.state.gone == (
        "wfnb was unloaded from this kernel. `%load_ext wfnb` brings it back."
    )
    own.ok(
        "import threading\nfor each in threading.enumerate():\n"
        "    if each.name == 'wfnb-panel': each.join(60)"
    )
    assert own.ok(LEFT).value == "([], [], [])"
    front.leave()


def test_loading_again_lets_pages_connect_again(own: Kernel):
    own.ok("%step One")
    own.ok("%reload_ext wfnb")

    with page(own) as front:
        at_once = front.state.titles
        own.ok("%step Two")
        front.until(lambda: len(front.state.titles) > 1)

    assert at_once == ["One"]
    assert front.state.titles == ["One", "Two"]


def test_the_thread_ends_with_the_last_page(own: Kernel):
    own.ok("%step One")
    one, other = FrontEnd(own).connect(), FrontEnd(own).connect()
    one.close()
    own.ok("%step Two")
    other.until(lambda: other.state.titles == ["One", "Two"])
    during = own.ok(LEFT).value
    other.close()
    own.ok(
        "import threading\nfor each in threading.enumerate():\n"
        "    if each.name == 'wfnb-panel': each.join(60)"
    )
    after = own.ok(LEFT).value
    for front in (one, other):
        front.leave()

    assert "wfnb-panel" in str(during)
    assert after == "(['wfnb.state', 'wfnb.control'], ['wfnb.hello'], [])"


def test_a_session_that_would_be_resumed_is_shown_and_not_opened(own: Kernel, tmp_path: Path):
    own.ok("%step One")
    own.restart()

    with page(own) as front:
        (first,) = front.messages
        opened = own.ok(
            "from wfnb.jupyter.panel.comms import channel_of\n"
            "channel_of(get_ipython()).notebook.workspace is not None"
        ).value
        page_of = front.ask("rows", first=0, count=5)
        front.ask("switch", branch="main")
        own.ok("%step Two")
        front.until(lambda: front.state.titles == ["One", "Two"])

    assert [row["title"] for row in first["rows"]] == ["One"]
    assert opened == "False"
    assert page_of["count"] == 1


def test_it_can_be_loaded_as_the_kernel_starts(tmp_path: Path):
    (tmp_path / "ipython" / "profile_default").mkdir(parents=True)
    config = tmp_path / "ipython" / "profile_default" / "ipython_kernel_config.py"
    config.write_text("c.IPKernelApp.extensions = ['wfnb']\n")

    with started(tmp_path) as kernel, page(kernel) as front:
        kernel.ok("%step One")
        front.until(lambda: bool(front.state.titles))

    assert front.state.titles == ["One"]


def test_where_a_kernel_has_comms_of_another_kind_widgets_are_shown_too(tmp_path: Path):
    with started(tmp_path / "kernel", KERNEL_PYTHON=sys.executable) as kernel:
        kernel.ok(BARE)
        kernel.ok("%load_ext wfnb")
        kernel.ok("%wfnb start demo")

        shown = kernel.ok("%wfnb panel").shown[0]
        kernel.ok("%unload_ext wfnb")
        kernel.ok("%load_ext wfnb")
        again = kernel.ok("%wfnb panel").shown[0]

    assert ["application/vnd.jupyter.widget-view+json" in each for each in (shown, again)] == [
        True,
        True,
    ]


def test_wfnb_is_unloaded_while_its_greeting_is_closed(own: Kernel):
    own.ok("import comm; comm.get_comm_manager().comms.clear()")  # as another thread is doing it

    own.ok("%unload_ext wfnb")
