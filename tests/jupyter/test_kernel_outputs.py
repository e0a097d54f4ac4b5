"""What a step and a verb show: one output each, small, the same in every run."""

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import pytest
from nbclient import NotebookClient
from traitlets.config import Config

from tests.jupyter.kernel import MIME, SEVEN, Kernel

pytestmark = pytest.mark.kernel

FORMS = [MIME, "text/plain", "text/html"]
CHANGING = re.compile(
    r"0x[0-9a-f]{5,}"  # an address
    r"|\b[0-9a-f]{8}-[0-9a-f]{4}-"  # a UUID
    r"|\b[0-9a-f]{32}\b"
    r"|\b20[2-9]\d-[01]\d-[0-3]\d\b"  # a date
    r"|\b[0-2]\d:[0-5]\d:[0-5]\d\b"  # a time
    r"|\b1[6-9]\d{8}(\.\d+)?\b"  # seconds since 1970
    r"|duration|cell_id|/tmp/|/home/|localhost"
)
NOTEBOOK = (
    "%load_ext wfnb",
    "%wfnb start drift --strategy tree_of_thoughts",
    "%%step 1/9 Load --value x\n# Both files,\n# in order.\nx = 1\nobject()",
    "%%step Explore --set approaches=[alt,beta]\n1/0",
    "%%branch alt --from 2 Try --value y=x*0.5\nimport time\ntime.sleep(0.001)\n{1: object()}",
    "%%branch beta --from 2 Try\nraise RuntimeError(object())",
    "%%branch alt Develop --set approach_id=alt\n%%bash\necho hi",
    "%%branch alt Judge --set approach_id=alt --set evaluation_score=0.9\nobject",
    "%wfnb score beta 0.3 --reason 'it failed'",
    "%step 3 Choose --stage branch_selection\nlambda: 1",
    "%%step Go on --text\n* one\n* two",
    "%%step --revises 1 Better\nx = 2",
    "%step 0 Refused",
    *("%wfnb", "%wfnb list", "%wfnb status", "%wfnb strategy", "%wfnb strategy --list"),
    *("%wfnb stages", "%wfnb graph", "%wfnb compare", "%wfnb log", "%wfnb confirm"),
    *("%wfnb abandon beta", "%wfnb merge alt", "%wfnb undo", "%wfnb redo"),
    *("%wfnb help", "%wfnb help score", "%wfnb export out.md", "%step", "%branch"),
    "%wfnb clear",
)
SHOWN = {
    "": "%%step [N[/TOTAL]] [TITLE …]",
    "start other": "session 'other' started",
    "resume demo": "session 'demo' resumed · 3 steps · strategy react",
    "list": "session  ",
    "list --all": "session  ",
    "status": "demo · 3 steps on 2 lines · react: initial reasoning · next action planning",
    "switch alt": "on 'alt': steps that name no branch go there",
    "switch": "on 'main': steps that name no branch go there",
    "strategy": "strategy react\nnext action planning: Choose one action",
    "strategy none": "no strategy: steps have no stages",
    "strategy --list": "strategy",
    "stages": "",
    "stages self_ask": "",
    "stages --text": "",
    "stages --dot": "digraph",
    "stages --mermaid": "",
    "stages --svg": "<svg",
    "graph": "",
    "graph --text": "",
    "graph --dot": "digraph",
    "graph --mermaid": "",
    "graph --svg": "<svg",
    "compare": "",
    "compare alt main --lowest steps": "",
    "score alt 0.8 --reason 'half the error'": "branch 'alt' · open · score 0.8 · half the error",
    "select alt": "branch 'alt' · selected",
    "merge alt": "branch 'alt' · merged into main",
    "merge alt --into main --reason done": "branch 'alt' · merged into main · done",
    "abandon alt": "branch 'alt' · abandoned",
    "confirm": "no such step is stale",
    "show alt:2": "2  Other\n✓ ok",
    "undo": "undone: branch 'alt' opened from step 1 of 'main', step alt:2 added: Other · ",
    "log": "",
    "log --last 1": "",
    "export out.html": "exported to out.html",
    "clear": "3 steps put away · `%wfnb undo` brings them back",
    "help": "%%step [N[/TOTAL]] [TITLE …]",
    "help graph": "%wfnb graph",
}


def test_where_no_step_was_put_away_undo_is_not_said_to_bring_any_back(kernel: Kernel):
    kernel.ok("%wfnb start empty")

    assert kernel.ok("%wfnb clear").text == "there are no steps"


@pytest.mark.parametrize(
    ("code", "kinds"),
    [
        ("%step Line", ["display_data"]),
        ("%%step Cell\n1", ["execute_result", "display_data"]),
        ("%%step Fails\n1/0", ["error", "display_data"]),
        ("%%step Prints\nprint(1)", ["stdout", "display_data"]),
        ("%%step Text --text\n* one", ["display_data"]),
        ("%%branch alt --from 1 Other\nx = 1", ["display_data"]),
        ("%wfnb revise 1 Better", ["display_data"]),
    ],
)
def test_a_step_shows_one_output_in_three_forms(kernel: Kernel, code: str, kinds: list[str]):
    kernel.ok("%step First")

    ran = kernel.run(code)

    assert ran.kinds == kinds
    (bundle,) = ran.shown
    assert sorted(bundle) == sorted(FORMS)
    assert tuple(bundle[MIME])[:7] == SEVEN
    assert bundle["text/plain"] == json.dumps(bundle[MIME], ensure_ascii=False)
    assert bundle["text/html"].startswith("<d")


def test_a_plain_step_adds_at_most_1_2_kb_to_a_notebook(kernel: Kernel):
    for number in range(1, 13):
        ran = kernel.ok(
            f"%%step Read the file of month {number} --value rows\nrows = 31 * {number}"
        )
    cell = nbformat.v4.new_code_cell()
    empty = nbformat.v4.new_notebook(cells=[cell])
    without = len(nbformat.writes(empty))

    cell.outputs = [nbformat.v4.new_output("display_data", bundle) for bundle in ran.shown]

    assert len(nbformat.writes(empty)) - without <= 1_200


def test_the_words_under_a_step_stay_apart_where_a_page_takes_out_its_look(kernel: Kernel):
    kernel.ok("%%step 1/3 Load --value rows --keep rows\nrows = 31")
    ran = kernel.ok("%%branch alt --from 1 Other --value rows\nrows = 30")
    (bundle,) = ran.shown

    words = re.sub(r"<[^>]+>", "", re.sub(r"</?div[^>]*>", "\n", bundle["text/html"])).split("\n")

    assert words[1] == "2/3 · Other · ✓ ok · rows 30 · alt ⟵ 1"


def test_the_seven_fields_are_those_of_the_step(kernel: Kernel):
    kernel.ok("%step 1/5 First")
    kernel.ok("%step Second")
    ran = kernel.ok("%branch alt --from 1 Other --done")

    assert {name: ran.answer[name] for name in SEVEN} == {
        "step_number": 2,
        "total_steps": 5,
        "next_step_needed": False,
        "last_step_description": "Other",
        "current_branch": "alt",
        "branches": ["alt"],
        "step_history_length": 3,
    }


def test_quiet_shows_nothing_and_records(kernel: Kernel):
    ran = kernel.ok("%%step Quietly --quiet\nx = 1")

    assert ran.published == []
    assert kernel.steps("description", "outcome") == [("Quietly", "ok")]


def test_quiet_leaves_what_the_cell_itself_shows(kernel: Kernel):
    assert kernel.run("%%step Quietly --quiet\n1/0").kinds == ["error"]
    assert kernel.ok("%%step Quietly --quiet\n5").kinds == ["execute_result"]


def test_json_shows_no_html(kernel: Kernel):
    ran = kernel.ok("%%step As data --json\nx = 1")

    (bundle,) = ran.shown
    assert sorted(bundle) == [MIME, "text/plain"]
    assert json.loads(bundle["text/plain"]) == bundle[MIME]


@pytest.mark.parametrize(("line", "text"), SHOWN.items())
def test_a_verb_shows_one_output_in_every_form(kernel: Kernel, line: str, text: str):
    kernel.ok("%wfnb strategy react")
    for code in ("%step 1/9 One", "%step Two", "%branch alt --from 1 Other"):
        kernel.ok(code)

    ran = kernel.ok(f"%wfnb {line}")

    (bundle,) = ran.shown
    assert ran.kinds == ["display_data"]
    assert bundle["text/plain"].startswith(text)
    assert bundle["text/plain"].strip()
    assert bundle["text/html"].startswith("<")
    assert not CHANGING.search(json.dumps(bundle))


@pytest.mark.parametrize("line", ["status", "list", "compare", "log"])
def test_a_verb_shows_its_data_on_request(kernel: Kernel, line: str):
    kernel.ok("%step One")

    (bundle,) = kernel.ok(f"%wfnb {line} --json").shown

    assert sorted(bundle) == [MIME, "text/plain"]
    assert json.loads(bundle["text/plain"]) == bundle[MIME]


def test_the_status_tells_the_whole_state_in_one_call(kernel: Kernel):
    kernel.ok("%step 1/3 One")

    state = kernel.status()

    assert tuple(state)[:7] == SEVEN
    assert {"session", "strategy", "stage", "next_stages", "stale_steps", "runs"} <= set(state)
    assert {"number", "branch", "description", "stage", "outcome"} <= set(state["steps"][0])
    assert {"stale", "revised_by", "attempts"} <= set(state["steps"][0])
    assert {"id", "from", "state", "score"} <= set(state["lines"][0])


def executed(folder: Path) -> str:
    """What wfnb shows in the notebook, run headless in an empty folder. (What the code itself
    shows, of objects with addresses, is not ours.)"""
    folder.mkdir()
    cells = [nbformat.v4.new_code_cell(code, id=f"c{n}") for n, code in enumerate(NOTEBOOK)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    with TemporaryDirectory(prefix="k") as sockets:
        NotebookClient(
            notebook,
            resources={"metadata": {"path": str(folder)}},
            allow_errors=True,
            coalesce_streams=True,
            timeout=60,
            config=Config({"KernelManager": {"transport": "ipc", "ip": f"{sockets}/k"}}),
        ).execute()
    ours = [
        output
        for cell in notebook.cells
        for output in cell["outputs"]
        if output["output_type"] == "display_data"
        or output.get("traceback") == [output.get("evalue")]
    ]
    return json.dumps(ours, indent=1, ensure_ascii=False)


def test_the_same_notebook_has_the_same_outputs_in_every_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("WFNB_HOME", raising=False)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))

    first, second = executed(tmp_path / "one"), executed(tmp_path / "two")

    assert first == second
    assert first.count('"output_type": "display_data"') == len(NOTEBOOK) - 2
    assert first.count('"output_type": "error"') == 1
    assert not CHANGING.search(first)
