"""A workflow of a cell is saved under its name: called again, edited, kept from being lost."""

import pytest

from tests.jupyter.kernel import MIME, Kernel
from tests.jupyter.runs.workflows import HELLO, came_to

pytestmark = pytest.mark.kernel


def test_a_saved_workflow_is_called_by_its_name(kernel: Kernel):
    kernel.ok(HELLO)

    assert kernel.ok("%run_workflow hello").text.startswith("hello-2 · ✓ success · 2 steps")
    assert "hello" in kernel.ok("%wfnb workflows").text


EDITED = HELLO.replace("echo hi", "echo hello")
LAST = "import wfnb\nwfnb.open('notebook').runs.fields('last.stdout')"
GREETS = """%%run_workflow hello
steps: [{id: other, tool: shell, args: {command: echo other}}]
"""


@pytest.mark.parametrize("cell_id", ["cell-1", None], ids=["a front end", "headless"])
def test_a_workflow_that_is_edited_in_its_cell_takes_the_place_of_what_it_was(
    kernel: Kernel, cell_id: str | None
):
    kernel.ok(HELLO, cell_id)

    edited = came_to(kernel.ok(EDITED, cell_id))
    by_name = kernel.ok(f"%run_workflow hello\n{LAST}").value
    again = came_to(kernel.ok(EDITED, cell_id))
    back = came_to(kernel.ok(HELLO, cell_id))

    assert edited.splitlines()[0] == "hello-2 · ✓ success · 2 steps · saved as hello"
    assert by_name == "'hello\\n'"
    assert again.splitlines()[0] == "hello-4 · ✓ success · 2 steps"
    assert back.splitlines()[0] == "hello-5 · ✓ success · 2 steps · saved as hello"
    assert "not saved" not in edited + again + back


def test_a_workflow_that_another_cell_defined_is_not_replaced(kernel: Kernel):
    kernel.ok(HELLO, "cell-1")

    other = came_to(kernel.ok(GREETS, "cell-2"))

    assert "not saved: Workflow 'hello' exists, with other content." in other
    assert "`--overwrite` replaces it; another name keeps both." in other
    kernel.ok(GREETS.replace("hello", "hello --overwrite", 1), "cell-2")
    assert "not saved" in came_to(kernel.ok(EDITED, "cell-1"))


def test_a_workflow_of_another_session_is_not_replaced(kernel: Kernel):
    kernel.ok(HELLO, "cell-1")

    kernel.ok("%wfnb start copy")

    assert "not saved" in came_to(kernel.ok(EDITED, "cell-1"))


def test_an_edited_workflow_that_is_resumed_is_saved_as_the_cell_would(kernel: Kernel):
    kernel.ok(HELLO, "cell-1")
    kernel.run(EDITED.replace("echo hello", "test -e wanted"), "cell-1")
    (kernel.folder / "wanted").touch()

    assert "saved as hello" in came_to(kernel.ok("%run_workflow --resume last", "cell-2"))


def test_an_earlier_version_is_shown_and_run_by_its_hash(kernel: Kernel):
    for cell in (HELLO, EDITED):
        kernel.ok(cell, "cell-1")

    (version,) = kernel.ok("%wfnb workflows versions hello").shown[0][MIME]["versions"]

    assert "echo hi" in kernel.ok(f"%wfnb workflows show {version}").text
    assert kernel.ok(f"%run_workflow {version}\n{LAST}").value == "'hi\\n'"


def test_a_file_is_a_workflow(kernel: Kernel):
    (kernel.folder / "w.yaml").write_text("name: filed\nsteps: [{tool: sleep, args: {seconds: 0}}]")

    assert kernel.ok("%run_workflow w.yaml").text.startswith("filed-1 · ✓ success")
