"""Which cells an investigation counts as something that was looked at."""

from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel, running

pytestmark = pytest.mark.kernel

START = "%wfnb start crash --kind debug"
HELD = "Nothing new was looked at since step "
CELLS = (
    ("c0", "import os\ndef parse(text):\n    return text.split()[:1]"),
    ("c1", START),
    ("c2", "%%step Empty input crashes\nx = 1"),
    ("c3", "parse('10')"),
    ("c4", "%%step It is the loop\nx = 2"),
)
NEXT = ("c6", "%%step It is the end of it\n3")


@pytest.fixture
def notebook(kernel: Kernel) -> Kernel:
    """A notebook of two steps, with a plain cell between them."""
    for id, code in CELLS:
        kernel.ok(code, id)
    return kernel


def again(kernel: Kernel, *cells: tuple[str, str]) -> None:
    """Restart, and run these cells, with sessions kept where they were."""
    kernel.restart()
    kernel.ok(f"import os; os.environ['WFNB_HOME'] = {str(kernel.home)!r}")
    for id, code in cells:
        kernel.ok(code, id)


def evidence(kernel: Kernel) -> list[str]:
    """What the next step has as evidence, beside what is new in it."""
    return list(kernel.ok(NEXT[1], NEXT[0]).answer["evidence"])


def test_plain_cells_between_old_steps_are_no_looks_at_the_last(notebook: Kernel):
    again(notebook, *CELLS)

    assert notebook.run(*reversed(NEXT)).refusal.startswith(f"{HELD}2.")


def test_nor_are_they_in_the_same_kernel(notebook: Kernel):
    for id, code in CELLS:
        notebook.ok(code, id)

    assert notebook.run(*reversed(NEXT)).refusal.startswith(f"{HELD}2.")


def test_a_cell_after_the_last_step_is_one_when_all_cells_run_again(notebook: Kernel):
    again(notebook, *CELLS, ("c5", "parse('20')"))

    assert evidence(notebook) == ["cell: parse('20')"]


def test_a_cell_that_ran_before_is_nothing_new_over_the_same(notebook: Kernel):
    notebook.ok("parse('10')", "c3")

    assert notebook.run(*reversed(NEXT)).refusal.startswith(f"{HELD}2.")


def test_a_cell_of_a_new_kernel_counts_before_a_new_step(notebook: Kernel):
    again(
        notebook,
        ("p", "import os; os.getcwd()"),
        ("c1", "%wfnb resume crash"),
        ("q", "!grep -c 1 kernel.json"),
    )

    assert evidence(notebook) == ["cell: !grep -c 1 kernel.json"]


VIEWS = ["kind", "status", "findings"]


@pytest.mark.parametrize("view", VIEWS)
def test_what_a_cell_in_doubt_looked_at_is_ticked_when_it_comes(notebook: Kernel, view: str):
    again(notebook, ("c1", "%wfnb resume crash"), ("q", "!grep -c 1 kernel.json"))

    shown = notebook.ok(f"%wfnb {view}").text

    assert shown.count("☑ ") == 1
    assert " — cell: !grep -c 1 kernel.json" in shown
    assert evidence(notebook) == ["cell: !grep -c 1 kernel.json"]


@pytest.mark.parametrize("view", VIEWS)
def test_what_shows_to_be_a_cell_of_old_is_ticked_no_longer(notebook: Kernel, view: str):
    again(notebook, *CELLS)

    assert "☑" not in notebook.ok(f"%wfnb {view}").text


def test_a_cell_in_doubt_is_ticked_where_the_view_opens_the_session(kernel: Kernel):
    kernel.restart()
    kernel.ok(f"import os; os.environ['WFNB_HOME'] = {str(kernel.home)!r}")
    kernel.ok("%wfnb kind debug")
    kernel.ok("%step Empty input crashes")
    again(kernel, ("q", "!grep -c 1 kernel.json"))

    assert " — cell: !grep -c 1 kernel.json" in kernel.ok("%wfnb status").text


def test_a_cell_after_an_old_step_that_was_mended_counts_before_a_new_step(notebook: Kernel):
    notebook.ok("%%step Empty input crashes\nx = 5", "c2")
    notebook.ok("parse('30')")

    assert evidence(notebook) == ["cell: parse('30')"]


@pytest.mark.parametrize(
    "tries",
    [
        "ws.step('It is the loop')",
        "ws.step('It is the loop', files='nowhere.py')",
        "ws.step('It is the loop', number='x')",
        "get_ipython().run_line_magic('step', 'It is the loop')",
    ],
)
def test_a_cell_that_catches_a_refusal_is_no_look(kernel: Kernel, tries: str):
    kernel.ok(f"import wfnb\n{START}")
    kernel.ok("%%step Empty input crashes\nws = wfnb.open('crash')")
    kernel.ok(f"try:\n    {tries}\nexcept wfnb.Refused as no:\n    print(no)")

    assert kernel.run("%step It is the loop").refusal.startswith(f"{HELD}1.")


def test_the_next_step_may_be_a_programs(notebook: Kernel):
    notebook.ok("parse('20')")
    notebook.ok("import wfnb; answer = wfnb.open('crash').step('Three').to_dict()")

    assert notebook.ok("answer['evidence']").value == "[\"cell: parse('20')\"]"


@pytest.mark.parametrize("by", ["ws", "wfnb.open('crash')"], ids=["before", "then"])
@pytest.mark.parametrize(
    "calls",
    ["work()", "t = threading.Thread(target=work); t.start(); t.join()"],
    ids=["", "thread"],
)
def test_what_was_looked_at_counts_for_a_step_by_another_opening_of_the_session(
    kernel: Kernel, by: str, calls: str
):
    for id, code in CELLS[:3]:
        kernel.ok(code, id)
    kernel.ok("import wfnb, threading\nws = wfnb.open('crash')\nparse('10')")
    kernel.ok(*reversed(CELLS[4]))
    for id, code in (CELLS[2], ("q", "os.getcwd()")):
        kernel.ok(code, id)
    kernel.ok(f"def work():\n    global three\n    three = {by}.step('Three').to_dict()\n{calls}")

    assert kernel.ok("three['evidence']").value == "['cell: os.getcwd()']"


def test_a_view_by_another_opening_ticks_what_waits_for_the_next_step(notebook: Kernel):
    again(notebook, ("c1", "%wfnb resume crash"), ("q", "!grep -c 1 kernel.json"))
    notebook.ok("import wfnb; found = wfnb.open('crash').investigation.findings()")

    assert " — cell: !grep -c 1 kernel.json" in notebook.ok("print(found.text)").stdout


def test_what_a_run_called_is_looked_at(notebook: Kernel):
    notebook.ok("%wfnb call shell command=ls")
    notebook.run('%wfnb call shell command="ls nowhere"')

    assert evidence(notebook) == ["tool: shell · ok", "tool: shell · failed"]


def test_a_file_that_a_tool_read_was_checked(notebook: Kernel):
    notebook.ok("import pathlib; _ = pathlib.Path('parse.py').write_text('def parse(): ...')")
    notebook.ok("%wfnb call read path=./parse.py")
    answer = notebook.ok(NEXT[1]).answer

    assert answer["evidence"][-1] == "file: parse.py"
    assert answer["debug_status"]["files_checked"] == 1


def test_a_run_in_the_body_of_a_step_is_part_of_the_step(kernel: Kernel):
    kernel.ok(START)
    kernel.ok("%%step Empty input crashes\n%wfnb call shell command=ls")

    assert kernel.run("%step It is the loop").refusal.startswith(f"{HELD}1.")


def test_two_sessions_in_one_kernel_share_nothing(kernel: Kernel):
    kernel.ok(START)
    kernel.ok("%step Empty input crashes")
    kernel.ok("%wfnb start slow --kind analyze")
    kernel.ok("import pathlib; pathlib.Path('parse.py').touch()")
    slow = kernel.ok("%step It is slow --relevant parse.py --issue high:slow").answer
    kernel.ok("os.listdir()")
    kernel.ok("%wfnb resume crash")

    refused = kernel.run("%step It is the loop").refusal
    crash = kernel.ok("%step It is the loop --no-pause").answer
    kernel.ok("%wfnb resume slow")
    assert refused.startswith(f"{HELD}1.")
    assert (slow["analyze_status"]["issues_found"], crash["debug_status"]["issues_found"]) == (1, 0)
    assert crash["evidence"] == []
    assert kernel.ok("%step It is the disk").answer["evidence"] == ["cell: os.listdir()"]


def test_a_kernel_that_is_killed_is_asked_for_the_same(tmp_path: Path):
    """Killed after a cell that was looked at, and before the next step."""
    with running(tmp_path, tmp_path / "home") as kernel:
        kernel.ok(START)
        kernel.ok('%%step Empty input --finding "it ends never"\n---\nconfidence: medium\n---\n1')
        kernel.ok("import os\nos.listdir('.')[:0]")
        kernel.ok("%wfnb call shell command=ls")
        before = kernel.ok("%wfnb kind").text
        kernel.kill()
    with running(tmp_path / "second", tmp_path / "home") as kernel:
        kernel.ok("%wfnb resume crash")
        after = kernel.ok("%wfnb kind").text
        answer = kernel.ok("%step It is the loop").answer

    assert "os.listdir('.')[:0]" in before
    assert "shell · ok" in before
    assert after == before
    assert answer["evidence"] == ["cell: os.listdir('.')[:0]", "tool: shell · ok"]


TELLING = {
    "look": ("%wfnb look parse.py", "file: parse.py"),
    "run": ("%wfnb call shell command=ls", "tool: shell · ok"),
    "program": (
        "import wfnb; _ = wfnb.open('crash').investigation.look('parse.py')",
        "file: parse.py",
    ),
}


@pytest.mark.parametrize(("cell", "says"), TELLING.values(), ids=TELLING)
def test_what_an_old_cell_tells_is_no_look_at_the_last_step(kernel: Kernel, cell: str, says: str):
    kernel.ok("import pathlib; _ = pathlib.Path('parse.py').write_text('def parse(): ...')")
    cells = (CELLS[1], CELLS[2], ("m", cell), CELLS[4])
    for id, code in cells:
        kernel.ok(code, id)
    again(kernel, *cells)

    assert kernel.run(*reversed(NEXT)).refusal.startswith(f"{HELD}2.")
    kernel.ok(cell, "m")
    assert says not in kernel.ok("%wfnb kind").text
    assert kernel.run(*reversed(NEXT)).refusal.startswith(f"{HELD}2.")
