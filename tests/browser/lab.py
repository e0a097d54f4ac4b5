"""A real JupyterLab in a folder, and what a person does there."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

import nbformat
import pytest
from playwright.sync_api import Locator, Page, expect

EXTENSION = Path(sys.prefix) / "share" / "jupyter" / "labextensions" / "wfnb" / "package.json"
SLOW = 30_000
"""Milliseconds: longer than anything takes on a loaded machine."""
_FORKED = f"""
import sys
sys.path.append({str(Path(__file__).parents[2])!r})
from jupyter_client.provisioning import KernelProvisionerFactory
from tests.jupyter.forked import FORKED
KernelProvisionerFactory.instance().default_provisioner_name = FORKED
"""
_QUIET = {"fetchNews": "false", "checkForUpdates": False}


class Server:
    """JupyterLab on a folder; it can be stopped, and started again at the same address. It knows
    nothing of the settings of whoever tests."""

    def __init__(self, folder: Path) -> None:
        if not EXTENSION.is_file():
            pytest.fail("JupyterLab has no wfnb. `pip install -e .` builds and installs the panel.")
        self.folder, self.work = folder, folder / "work"
        self._settings = folder / "settings"
        name = "notification.jupyterlab-settings"
        quiet = self._settings / "@jupyterlab" / "apputils-extension" / name
        quiet.parent.mkdir(parents=True)
        quiet.write_text(json.dumps(_QUIET))
        self.work.mkdir(exist_ok=True)
        (folder / "home").mkdir()
        (folder / "config").mkdir()
        (folder / "config" / "jupyter_server_config.py").write_text(_FORKED)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self._port}"
        self._sockets = TemporaryDirectory(prefix="k")  # a socket's path has about 100 characters
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Server":
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()
        self._sockets.cleanup()

    def start(self) -> None:
        folder = self.folder
        own = {
            "HOME": str(folder / "home"),
            "WFNB_HOME": str(folder / "sessions"),
            "IPYTHONDIR": str(folder / "ipython"),
            "JUPYTER_CONFIG_DIR": str(folder / "config"),
            "JUPYTER_RUNTIME_DIR": self._sockets.name,
        }
        command = [
            *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"),
            *(f"--port={self._port}", "--ServerApp.port_retries=0", "--IdentityProvider.token="),
            *("--ServerApp.disable_check_xsrf=True", f"--ServerApp.root_dir={self.work}"),
            *("--expose-app-in-browser", f"--LabApp.user_settings_dir={self._settings}"),
            f"--LabApp.workspaces_dir={folder / 'workspaces'}",
            "--KernelManager.transport=ipc",  # a port may be taken before the kernel has it
            "--JupyterNotebookApp.expose_app_in_browser=True",
        ]
        log = folder / "server.log"
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                command,
                cwd=folder,  # what extensions write beside themselves
                env=os.environ | own,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
            )
        _answers(f"{self.address}/api/status", self._process, log)

    def stop(self) -> None:
        """The kernels end with it."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=30)


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """JupyterLab on a folder -> its address."""
    with Server(folder) as server:
        yield server.address


def _answers(address: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    """Until the server answers."""
    while server.poll() is None:
        try:
            with urlopen(address, timeout=10):
                return
        except (URLError, OSError):
            time.sleep(0.05)  # it needs the processor itself
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")


def notebook(*cells: str) -> str:
    """The text of a notebook; its cells have the ids cell-0, cell-1, …"""
    made = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(text, id=f"cell-{i}") for i, text in enumerate(cells)],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    return str(nbformat.writes(made))


STEPS = notebook(
    "%load_ext wfnb\n%wfnb start panel --fresh",
    "%%step 1/4 Load the readings\nreadings = [1, 2, 3]",
    "%%step Fit the *baseline*\nsum(readings)",
    "%%branch robust --from 1 A robust loss <b>instead</b>\nmax(readings)",
)


@dataclass
class Lab:
    """JupyterLab in a page. `requests` are the addresses that the page asked for."""

    page: Page
    address: str
    work: Path
    requests: list[str] = field(default_factory=list)

    @property
    def panel(self) -> Locator:
        return self.page.locator("#wfnb-panel")

    @property
    def rows(self) -> Locator:
        return self.panel.get_by_role("row")

    @property
    def titles(self) -> list[str]:
        return self.rows.locator(".wfnb-title").all_text_contents()

    @property
    def hosts(self) -> set[str]:
        """Whom the page asked for something; what it made itself is nobody's."""
        return {host for each in self.requests if (host := urlsplit(each).hostname)}

    def said(self) -> str:
        """What the page asks, and the last that the server wrote."""
        log = (self.work.parent / "server.log").read_text()[-4000:]
        return "\n".join([*(f"a dialog: {each}" for each in self.dialogs.all_text_contents()), log])

    def start(self) -> None:
        """Open the page, empty."""
        self.page.goto(f"{self.address}/lab?reset")
        self.ready()

    def ready(self) -> None:
        """Until the page is restored, and has opened the file that its address names: on a slow
        machine it does that long after, in the middle of what comes next."""
        self.page.wait_for_function("() => window.jupyterapp !== undefined", timeout=SLOW)
        self.run("await app.restored")
        expect(self.page.locator(".jp-mod-restoring")).to_have_count(0, timeout=SLOW)

    def run(self, script: str, *values: Any) -> Any:
        """Run the body of an async function of `app` and `values`. It fails where that never
        ends."""
        return self.page.evaluate(
            f"""
            (values) => {{
                const app = window.jupyterapp;
                const late = new Promise((_, fail) => setTimeout(
                    () => fail(new Error('This did not end.')), {2 * SLOW}));
                return Promise.race([(async () => {{ {script} }})(), late]);
            }}
            """,
            list(values),
        )

    def command(self, name: str, **options: Any) -> None:
        self.run("await app.commands.execute(values[0], values[1])", name, options)

    def command_begun(self, name: str) -> None:
        """Begin a command that asks a person something first."""
        self.run("void app.commands.execute(values[0])", name)

    def open(self, name: str, text: str | None = None) -> None:
        """Open a notebook and the panel; its kernel is there afterwards."""
        if text is not None:
            (self.work / name).write_text(text)
        self.run(
            """
            const panel = await app.commands.execute('docmanager:open', {path: values[0]});
            await panel.context.ready;
            await panel.sessionContext.ready;
            while (!panel.sessionContext.session?.kernel) { // later than that, if slow
                await new Promise(done => setTimeout(done, 50));
            }
            await panel.sessionContext.session.kernel.info;
            app.shell.activateById(panel.id);
            while (app.shell.currentWidget !== panel) { // until then, commands are of no notebook
                await new Promise(done => setTimeout(done, 20));
            }
            """,
            name,
        )
        self.command("wfnb:open-panel")

    def open_again(self, name: str, kernel: bool) -> None:
        """Open a notebook as it was saved; with no kernel, where there is to be none."""
        self.run(
            """
            const kernelPreference = values[1] ? undefined
                : {shouldStart: false, autoStartDefault: false};
            const panel = await app.commands.execute(
                'docmanager:open', {path: values[0], factory: 'Notebook', kernelPreference});
            await panel.context.ready;
            await panel.revealed;
            """,
            name,
            kernel,
        )

    def leave(self, end: bool) -> None:
        """Close the notebook that is open; its kernel goes on, unless it is to end."""
        self.run(
            """
            const panel = app.shell.currentWidget;
            const session = panel.sessionContext.session.id;
            do { // what the kernel answers late is a change, for which closing would ask
                await panel.context.save();
            } while (panel.context.model.dirty);
            panel.close();
            if (values[0]) { await app.serviceManager.sessions.shutdown(session); }
            """,
            end,
        )

    def close(self) -> None:
        """Close all notebooks without saving them, and end their kernels."""
        self.run(
            """
            for (const widget of [...app.shell.widgets('main')]) {
                if (widget.sessionContext) { // one that still connects would hold up what is next
                    const {sessionContext} = widget;
                    const there = sessionContext.ready.then(
                        () => sessionContext.session?.kernel?.info);
                    await Promise.race([there, new Promise(done => setTimeout(done, values[0]))]);
                }
                widget.dispose(); // to close() would ask, where its kernel has changed it meanwhile
            }
            await app.serviceManager.sessions.shutdownAll();
            await app.serviceManager.sessions.refreshRunning();
            """,
            SLOW / 3,
        )

    def unfold(self, part: Locator) -> None:
        """Open a `details` by a key: a click is lost where an answer that comes above it moves it
        away between the mouse's down and up."""
        part.locator("summary").press("Enter")
        expect(part).to_have_attribute("open", "")

    @property
    def dialogs(self) -> Locator:
        return self.page.locator(".jp-Dialog")

    def dismiss(self) -> list[str]:
        """What the dialogs said that nobody closed: they would lie over all that comes."""
        left = self.dialogs.all_text_contents()
        for _ in left:
            self.dialogs.last.press("Escape")
        return left

    def run_all(self) -> None:
        """Run all cells of the notebook that is open, and wait for the last. Where they load wfnb,
        the panel can ask the kernel then: what it shows before that is the journal's."""
        self.command("notebook:run-all-cells")
        self.page.wait_for_function(
            """() => {
                const model = jupyterapp.shell.currentWidget?.content.model;
                if (!model) { return false; } // nothing is current for a moment, on its way there
                const loads = [...model.cells].some(
                    cell => cell.sharedModel.getSource().includes('%load_ext wfnb'));
                const writing = [...document.querySelectorAll('#wfnb-panel [data-writes]')];
                return !loads || !writing.some(
                    each => /^(Waiting for|The history as)/.test(each.getAttribute('title')));
            }"""
        )

    def run_cell(self, index: int) -> None:
        """Run a cell, and wait for its end."""
        self.run("app.shell.currentWidget.content.activeCellIndex = values[0]", index)
        self.command("notebook:run-cell")

    def begin(self, index: int) -> None:
        """Run a cell without waiting for its end."""
        self.run("app.shell.currentWidget.content.activeCellIndex = values[0]", index)
        self.command_begun("notebook:run-cell")

    def idle(self) -> None:
        """Until no cell runs."""
        self.page.wait_for_function(
            "() => jupyterapp.shell.currentWidget?.content.widgets.every("
            "cell => cell.model.executionState !== 'running')"
        )

    def asks_in_its_cell(self, question: str) -> None:
        """Until a cell has asked this on the keyboard, too: its field takes the focus."""
        self.page.locator(".jp-Stdin", has_text=question).locator("input").wait_for()

    def output(self, index: int) -> str:
        """All texts that a cell has shown; -1 is the last cell."""
        return str(
            self.run(
                """
                const {cells} = app.shell.currentWidget.content.model;
                const at = values[0] < 0 ? cells.length + values[0] : values[0];
                return JSON.stringify(cells.get(at).outputs.toJSON());
                """,
                index,
            )
        )

    def set(self, name: str, value: Any) -> None:
        """Change a setting, and wait until it is saved."""
        self.run(
            """
            const name = '@jupyterlab/coreutils:ISettingRegistry';
            const tokens = [...app.pluginRegistry._services.keys()];
            const registry = await app.resolveRequiredService(
                tokens.find(token => token.name === name));
            await registry.set('wfnb:plugin', values[0], values[1]);
            """,
            name,
            value,
        )

    def again(self) -> None:
        """Load the page again, when the server knows what it looks like."""
        self.run(
            """
            const ours = ({widgets}) => widgets.some(({id}) => id === 'wfnb-panel');
            for (let tries = 0; tries < 300; tries++) {
                const {data} = await app.serviceManager.workspaces.fetch('default');
                const saved = data['layout-restorer:data'] ?? {};
                const {leftArea, rightArea} = app.shell.saveLayout();
                const {current, dock} = saved.main ?? {};
                const open = [...app.shell.widgets('main')].filter(({context}) => context);
                const named = open.map(({context}) => `notebook:${context.path}`);
                const at = app.shell.currentWidget?.context?.path;
                const there = named.every(name => JSON.stringify(dock ?? {}).includes(`"${name}"`))
                    && (!at || current === `notebook:${at}`);
                if (there && [[saved.left, leftArea], [saved.right, rightArea]].every(([was, is]) =>
                    was && was.collapsed === is.collapsed
                        && was.widgets.includes('wfnb-panel') === ours(is))) {
                    return;
                }
                await new Promise(done => setTimeout(done, 100));
            }
            throw new Error('The layout was not saved.');
            """
        )
        self.page.reload()
        self.ready()

    def cell(self, text: str) -> None:
        """Type a cell at the end and run it."""
        self.run(
            """
            const panel = app.shell.currentWidget;
            const model = panel.content.model.sharedModel;
            model.insertCell(model.cells.length, {cell_type: 'code', source: values[0]});
            panel.content.activeCellIndex = model.cells.length - 1;
            await app.commands.execute('notebook:run-cell');
            """,
            text,
        )

    def active_cell(self) -> str:
        return str(self.run("return app.shell.currentWidget.content.activeCell.model.id"))

    def source(self) -> str:
        """The text of the active cell."""
        return str(
            self.run(
                "return app.shell.currentWidget.content.activeCell.model.sharedModel.getSource()"
            )
        )

    def settled(self) -> None:
        """Until what was asked for is drawn: the fonts are there, and two frames have passed."""
        self.page.evaluate(
            "() => document.fonts.ready.then(() => new Promise(done =>"
            " requestAnimationFrame(() => requestAnimationFrame(done))))"
        )
