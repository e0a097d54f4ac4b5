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


DEFINED = """%%workflow ship
variables:
  place: {type: string, choices: [here, there]}
  amount: {type: integer}
  token: {secret: true}
steps:
  - {id: pack, tool: shell, args: {command: "echo packed"}}
  - {id: insure, when: amount > 1000, needs: [pack], tool: shell, args: {command: "echo {place!q}"}}
"""
RUN = "%run_workflow ship --var place=there --var amount=2000 --secret token=HOME"


def test_a_workflow_is_checked_shown_and_saved_without_a_run(kernel: Kernel):
    picture, said = kernel.ok(DEFINED, "cell-1").shown

    assert "insure" in picture["text/html"]
    way = "%run_workflow ship --var place=… --var amount=… --secret token"
    assert said["text/plain"] == f"workflow 'ship' saved · `{way}` runs it"
    assert kernel.ok("%wfnb runs --json").shown[0][MIME] == {"runs": []}
    listed = kernel.ok("%wfnb workflows --json").shown[0][MIME]["workflows"][0]
    assert (listed["name"], listed["success_count"]) == ("ship", 0)
    assert kernel.ok(RUN).text.startswith("ship-1 · ✓ success · 2 steps")
    listed = kernel.ok("%wfnb workflows --json").shown[0][MIME]["workflows"][0]
    assert (listed["name"], listed["success_count"]) == ("ship", 1)


@pytest.mark.parametrize(
    "cell", [DEFINED, DEFINED.replace("%%workflow", "%%run_workflow --save-only")]
)
def test_a_workflow_that_is_defined_again_takes_the_place_of_what_it_was(kernel: Kernel, cell: str):
    def saved(cell: str, id: str) -> str:
        return str(kernel.ok(cell, id).shown[-1]["text/plain"])

    assert saved(cell, "cell-1").startswith("workflow 'ship' saved")
    assert saved(cell, "cell-1").startswith("workflow 'ship' is saved already, with this content")
    other = cell.replace("ship", "send")
    assert saved(other, "cell-2").startswith("workflow 'ship' is saved already")
    assert saved(cell.replace("packed", "wrapped"), "cell-1").startswith("workflow 'ship' saved")
    assert kernel.ok("%wfnb workflows versions ship").text.count("ship@") == 1
    refused = kernel.run(cell.replace("packed", "tied"), "cell-2")
    assert "Workflow 'ship' exists, with other content." in refused.traceback


def test_what_cannot_run_is_not_saved(kernel: Kernel):
    refused = kernel.run(DEFINED.replace("amount > 1000", "weight > 1000"))

    assert "weight" in refused.traceback
    assert "ship" not in kernel.ok("%wfnb workflows").text
    assert "needs a workflow" in kernel.run("%workflow --overwrite").refusal


@pytest.mark.parametrize("option", ["--var amount=1", "--no-save", "--resume ship-1", "--dry-run"])
def test_what_only_a_run_could_heed_is_refused_where_none_is_started(kernel: Kernel, option: str):
    cell = DEFINED.replace("%%workflow ship", f"%%run_workflow ship --save-only {option}")

    assert f"starts no run, for which {option.split()[0]} is" in kernel.run(cell).refusal
    assert "ship" not in kernel.ok("%wfnb workflows").text
