"""What a cell with a run leaves for programs and for readers: why it failed, and what ran."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from tests.jupyter.kernel import MIME, Kernel
from tests.jupyter.runs.workflows import HELLO

pytestmark = pytest.mark.kernel

FAILS = """%%run_workflow fails
steps:
- {id: look, tool: shell, args: {command: echo hi}}
- {id: check, tool: shell, args: {command: 'echo nothing there >&2; exit 3'}}
"""
RAISES = """%%run_workflow raises
steps:
- id: compute
  tool: python
  args:
    code: |
      def ratio(a, b):
          return a / b

      ratio(1, 0)
"""
LOCK = """import os, sqlite3
import wfnb.workflows.runner.run_loop
wfnb.workflows.runner.run_loop.RETRY_DELAYS = (0.01,)
def lock():
    global db
    file = os.environ["WFNB_HOME"] + "/journal.db"
    db = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    db.execute("BEGIN EXCLUSIVE")"""
KEPT = """%%run_workflow kept
steps:
- {id: lock, tool: python, args: {code: lock()}}
- {id: after, tool: shell, args: {command: echo hi}}
"""
SAID = "Run fails-1 failed: check: exit code 3: nothing there."


def test_who_runs_a_notebook_headless_learns_which_action_failed_and_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("WFNB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    cells = [nbformat.v4.new_code_cell(code) for code in ("%load_ext wfnb", FAILS)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    client = NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path)}}, timeout=60)

    with pytest.raises(CellExecutionError) as failed:
        client.execute()

    assert (failed.value.ename, failed.value.evalue) == ("RunFailed", SAID)
    assert str(failed.value).rstrip().endswith(f"\n{SAID}")
    assert [output for output in notebook.cells[1].outputs if output.output_type == "error"] == [
        {"output_type": "error", "ename": "RunFailed", "evalue": SAID, "traceback": [SAID]}
    ]


def test_a_refusal_does_not_bring_back_the_traceback_of_an_earlier_cell(kernel: Kernel):
    kernel.run("1 / 0")

    ran = kernel.run("%run_workflow nope")

    assert ran.reply["ename"] == "WorkflowUnknown"
    assert ran.reply["traceback"] == [ran.refusal]


def test_what_is_refused_can_be_caught_as_what_it_is(kernel: Kernel):
    code = """from wfnb.errors import RunFailed
try:
    get_ipython().run_cell_magic("run_workflow", "fails", {!r})
except RunFailed as failed:
    said = failed.name, failed.status, failed.error
said"""

    ran = kernel.ok(code.format(FAILS.partition("\n")[2]))

    assert ran.value == "('fails-1', 'failed', 'check: exit code 3: nothing there')"


def test_the_line_of_the_code_that_failed_is_shown_in_the_cell_and_later(kernel: Kernel):
    ran = kernel.run(RAISES)

    for shown in (ran.text, kernel.ok("%wfnb show raises-1").text):
        assert "  line 2, in ratio\n      return a / b\n" in shown
        assert "\n  ZeroDivisionError: division by zero\n" in shown


def test_a_session_of_runs_alone_is_logged_drawn_and_exported(kernel: Kernel):
    kernel.ok(HELLO)
    kernel.run(FAILS)

    log = kernel.ok("%wfnb log").shown[0][MIME]["log"]
    kernel.ok("%wfnb export out.md")
    kernel.ok("%wfnb export out.html")

    assert [entry["says"] for entry in log] == [
        "session 'demo' started",
        "run hello-1 started",
        "run hello-1 ✓ success",
        "run fails-1 started",
        "run fails-1 ✕ failed · check: exit code 3: nothing there",
    ]
    assert kernel.ok("%wfnb graph").text.splitlines()[0] == "✓ hello-1"
    assert "### fails-1" in (kernel.folder / "out.md").read_text()
    assert "nothing there" in (kernel.folder / "out.html").read_text()


@pytest.mark.usefixtures("hasty")
def test_a_run_that_the_journal_kept_from_going_on_says_what_became_of_it(kernel: Kernel):
    kernel.ok(LOCK)

    said = kernel.run(KEPT).refusal
    kernel.ok("db.close()")

    assert "is locked by another process. Run kept-1 stopped there" in said
    assert "`%run_workflow --resume kept-1` goes on with it" in said
    assert "✓ success" in kernel.ok("%run_workflow --resume kept-1 --done").text


def test_that_nothing_was_cut_off_is_said_to_who_takes_it_as_done(kernel: Kernel):
    kernel.run(FAILS)

    ran = kernel.run("%run_workflow --resume fails-1 --done")

    assert "! `--done` changed nothing: no call was cut off" in ran.text


def test_a_workflow_that_never_ran_is_drawn_from_its_file_and_by_a_dry_run(kernel: Kernel):
    text = "steps:\n  - {id: send, tool: shell, args: {command: ls}, retry: 2}\n"
    (kernel.folder / "send.yaml").write_text(text)

    drawn = kernel.ok("%wfnb graph send.yaml")
    planned = kernel.ok("%run_workflow send.yaml --dry-run")

    assert drawn.text.splitlines() == ["· send · shell · retry 2×"]
    html = planned.shown[0]["text/html"]
    assert "<svg" in html
    assert "retry 2×" in html
