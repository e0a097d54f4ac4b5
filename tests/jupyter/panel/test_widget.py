"""`%wfnb panel` shows the session in a cell: a widget where one can be shown, else its picture."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.jupyter.kernel import MIME, PATIENCE, Kernel
from tests.jupyter.panel import kernels
from tests.jupyter.panel.front import FrontEnd, waits_for

pytestmark = pytest.mark.kernel

VIEW = "application/vnd.jupyter.widget-view+json"
OURS = "application/vnd.wfnb.panel+json"
LOADER = "export default { render() {} }; // a loader"
REMAINS = """\
import comm, time
from ipywidgets.widgets.widget import _instances
from wfnb.jupyter.panel.comms import channel_of
channel = channel_of(get_ipython())
publisher = channel.publisher
for _ in range(6_000 if {closing} else 0):
    if not publisher._listeners and len(comm.get_comm_manager().comms) == 1: break
    time.sleep(0.01)
len(comm.get_comm_manager().comms), len(_instances), bool(publisher._listeners), \
publisher._thread, \
len(channel.notebook.workspace.log.watchers)
"""


shared = kernels.of_every_python


@pytest.fixture
def widgets(kernel: Kernel, tmp_path: Path) -> Kernel:
    """A kernel with a front end of our own: as built, but for what it does."""
    static = tmp_path / "static"
    static.mkdir()
    for name, text in {"widget.js": LOADER, "renderer.js": "R" * 200_000, "wfnb.css": "C"}.items():
        (static / name).write_text(text)
    kernel.ok(
        "import pathlib, wfnb.jupyter.panel.assets as built\n"
        f"built.STATIC = pathlib.Path({str(static)!r})"
    )
    return kernel


class View(FrontEnd):
    """A page that shows one widget. It talks over the widget's own model."""

    def __init__(self, kernel: Kernel, model: str) -> None:
        super().__init__(kernel)
        self.model = model

    def say(self, **content: Any) -> None:
        self.post({"method": "custom", "content": content}, comm=self.model)

    def heard(self, **facts: Any) -> dict[str, Any]:
        """The next message of the widget that has these."""

        def found() -> list[dict[str, Any]]:
            return [each for each in self.custom if facts.items() <= each.items()]

        self.until(lambda: bool(found()))
        message = found()[0]
        self.custom.remove(message)
        return message


@pytest.fixture
def view(widgets: Kernel) -> Iterator[View]:
    widgets.ok("%step One")
    (bundle,) = widgets.ok("%wfnb panel").shown
    shown = View(widgets, bundle[VIEW]["model_id"])
    yield shown
    shown.leave()


def test_it_is_one_output_in_every_form(widgets: Kernel):
    widgets.ok("%step One")

    first, again = widgets.ok("%wfnb panel").shown[0], widgets.ok("%wfnb panel").shown[0]

    assert list(first) == [MIME, "text/plain", "text/html", OURS, VIEW]
    assert first[MIME] == {"panel": "demo"}
    assert "One" in first["text/plain"]
    assert "One" in first["text/html"]
    assert first["text/html"].count("<svg") == 1
    assert first.pop(VIEW) != again.pop(VIEW)
    assert first == again


def last_value(kernel: Kernel) -> dict[str, Any]:
    """The forms of a session that is the last value of a cell."""
    ran = kernel.ok("import wfnb\nwfnb.open('demo')")
    (found,) = (each for each in ran.published if each["msg_type"] == "execute_result")
    return dict(found["content"]["data"])


def test_a_session_that_a_cell_displays_is_the_widget(widgets: Kernel):
    widgets.ok("%step One")

    (asked,), displayed = widgets.ok("%wfnb panel").shown, last_value(widgets)

    assert asked.pop(VIEW) != displayed.pop(VIEW)
    assert displayed == asked


def test_a_session_that_is_not_in_use_here_is_its_picture(widgets: Kernel):
    widgets.ok("%step One")
    widgets.ok("%wfnb start other")

    bundle = last_value(widgets)

    assert list(bundle) == [MIME, "text/plain", "text/html"]
    assert "One" in bundle["text/plain"]


def test_without_wfnb_in_the_kernel_a_session_is_displayed_in_words(widgets: Kernel):
    widgets.ok("%step One")
    widgets.ok("%unload_ext wfnb")
    bundle = last_value(widgets)
    widgets.ok("%load_ext wfnb")

    assert bundle == {"text/plain": "<wfnb session 'demo': 1 steps>"}


def test_in_a_terminal_a_session_is_displayed_in_words(tmp_path: Path):
    program = (
        "import sys, wfnb\n"
        "from IPython.terminal.interactiveshell import TerminalInteractiveShell as Shell\n"
        "shell = Shell.instance()\n"
        "shell.run_line_magic('load_ext', 'wfnb')\n"
        "workspace = wfnb.open('demo', scratch=True)\n"
        "print(shell.display_formatter.format(workspace)[0])\n"
        "print([name for name in ('anywidget', 'ipywidgets') if name in sys.modules])\n"
    )
    environment = os.environ | {"WFNB_HOME": str(tmp_path), "IPYTHONDIR": str(tmp_path / "ipython")}

    ran = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )

    assert ran.stdout.splitlines() == ["{'text/plain': \"<wfnb session 'demo': 0 steps>\"}", "[]"]


def test_it_is_the_same_each_time_in_words(widgets: Kernel):
    made = (
        "from wfnb.jupyter.panel.widget import PanelWidget\n"
        "PanelWidget(get_ipython(), built.load_assets(), 'demo')"
    )

    assert widgets.ok(f"{made}.__repr__()").value == "\"<wfnb panel of session 'demo'>\""


def test_a_notebook_keeps_little_of_it(widgets: Kernel):
    for number in range(300):
        widgets.ok(f"%step A step with a title of the usual length {number}")

    (bundle,) = widgets.ok("%wfnb panel").shown
    state = widgets.ok(
        "import json\nfrom ipywidgets.widgets.widget import _instances\n"
        f"print(json.dumps(_instances[{bundle[VIEW]['model_id']!r}].get_state()))"
    ).stdout

    assert len(state) - len(LOADER) < 1_500
    assert len(json.dumps(bundle)) < 18_000
    assert bundle["text/plain"].startswith("demo · the last ")
    assert "of 300" in bundle["text/plain"]


def test_the_picture_alone_is_all_of_it(widgets: Kernel):
    for number in range(20):
        widgets.ok(f"%step Step {number}")

    (picture,) = widgets.ok("%wfnb panel --static").shown

    assert picture == widgets.ok("%wfnb graph").shown[0]


def test_without_a_front_end_it_says_so_and_is_a_picture(widgets: Kernel, tmp_path: Path):
    widgets.ok("%step One")
    widgets.ok(f"built.STATIC = pathlib.Path({str(tmp_path / 'none')!r})")

    (bundle,) = widgets.ok("%wfnb panel").shown

    assert VIEW not in bundle
    assert bundle["text/plain"].splitlines()[0] == (
        "the widget's front end was not built · `make lab` builds it · this is its picture"
    )
    assert "One" in bundle["text/html"]


def test_before_the_first_step_it_is_a_sentence(widgets: Kernel):
    (bundle,) = widgets.ok("%wfnb panel").shown

    assert bundle["text/plain"] == "demo · no step yet · `%%step` records one"
    assert "<svg" not in bundle["text/html"]


def test_a_page_gets_the_renderer_from_the_kernel(view: View):
    view.say(want="renderer")

    sent = view.heard(kind="renderer")

    assert (len(sent["script"]), sent["style"]) == (200_000, "C")
    state = view.kernel.ok(
        f"from ipywidgets.widgets.widget import _instances; _instances[{view.model!r}].renderer"
    ).value
    assert state == repr(sent["hash"])


def test_it_is_told_and_asks_over_its_own_model(view: View):
    view.say(want="session")
    first = view.heard(kind="snapshot")
    view.say(id=2**50, ask="undo")
    reply = view.heard(id=2**50)
    again = view.heard(kind="snapshot")
    view.say(id=1, ask="nonsense")

    assert [row["title"] for row in first["rows"]] == ["One"]
    assert reply["answer"] == "undone: step 1 added: One"
    assert again["count"] == 0
    assert view.heard(id=1)["error"] == "BadRequest"


def test_it_answers_while_a_cell_blocks(view: View, tmp_path: Path):
    if view.subshell is None:
        pytest.skip("requests wait for the cell in this kernel")
    gate = tmp_path / "gate"
    view.say(want="session")
    view.heard(kind="snapshot")

    request = view.kernel.send(waits_for(gate, "%%step Wait\n"))
    view.prints("waiting")
    view.say(id=5, ask="rows", first=0, count=9)
    reply = view.heard(id=5)
    gate.touch()

    assert [row["title"] for row in reply["answer"]["rows"]] == ["One", "Wait"]
    assert view.kernel.reply(request)["status"] == "ok"


@pytest.mark.parametrize("who", ["program", "page"])
def test_when_closed_nothing_of_it_remains(widgets: Kernel, who: str):
    widgets.ok("%step One")
    widgets.ok("import ipywidgets; ipywidgets.Widget.close_all()")
    before = widgets.ok(REMAINS.format(closing=False)).value
    models = [widgets.ok("%wfnb panel").shown[0][VIEW]["model_id"] for _ in range(3)]
    views = [View(widgets, model) for model in models]
    for view in views:
        view.say(want="session")
        view.heard(kind="snapshot")
    during = widgets.ok(REMAINS.format(closing=False)).value

    for view in views:
        if who == "page":
            view.send("comm_close", comm_id=view.model, data={})
            comms_closed(view)
        else:
            widgets.ok(f"_instances[{view.model!r}].close()")
    after = widgets.ok(REMAINS.format(closing=True)).value
    for view in views:
        view.leave()

    assert before == after == "(1, 0, False, None, 0)"
    assert during.startswith("(7, 6, True, <Thread(wfnb-panel,")


def comms_closed(view: View) -> None:
    """Until the kernel has handled what the page sent."""
    view.client.comm_info()
    while view.client.get_shell_msg(timeout=PATIENCE)["msg_type"] != "comm_info_reply":
        pass
