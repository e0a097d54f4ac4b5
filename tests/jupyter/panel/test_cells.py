"""A front end tells which cells there are, and what they are then; and edits steps."""

import pytest

from tests.jupyter.kernel import Kernel, running
from tests.jupyter.panel.front import FrontEnd, Refused, page

LOAD = "%%step Load\nreadings = [1, 2]"


@pytest.fixture
def front(kernel: Kernel):
    """A page that told of two cells with a step each."""
    kernel.ok(LOAD, "c1")
    kernel.ok("%%step Fit\nfit = sum(readings)", "c2")
    with page(kernel) as front:
        tells(front, c1=1, c2=1)
        yield front


def tells(front: FrontEnd, *more: str, **cells: int) -> None:
    ids = [*cells, *more]
    front.ask("cells", ids=ids, steps=[*cells.values(), *[1] * len(more)])


def test_a_cell_with_the_words_of_one_that_is_gone_is_its_step(front: FrontEnd, kernel: Kernel):
    tells(front, c2=1, new=1)

    kernel.ok(LOAD, "new")

    assert kernel.steps("number", "attempts", "cell_id") == [(1, 2, "new"), (2, 1, "c2")]


def test_a_copy_is_told_in_the_answer(front: FrontEnd, kernel: Kernel):
    tells(front, c1=1, c2=1, copy=1)

    ran = kernel.ok(LOAD, "copy")

    assert ran.answer["step_number"] == 3
    assert ran.answer["warnings"] == ["same words as step 1; copied?"]


def test_an_id_that_two_cells_have_is_told_and_their_source_decides(
    front: FrontEnd, kernel: Kernel
):
    tells(front, "c1", c1=1, c2=1)

    first = kernel.ok(LOAD, "c1")
    second = kernel.ok("%%step Plot\nfit", "c1")

    assert [ran.answer["step_number"] for ran in (first, second)] == [1, 3]
    assert second.answer["warnings"] == [
        "several cells of this notebook have the id 'c1': they are told apart by their source"
    ]


def test_status_says_which_cells_are_gone(front: FrontEnd, kernel: Kernel):
    tells(front, c2=1)

    assert [step.get("cell") for step in kernel.status()["steps"]] == ["cell gone", None]
    assert "cell gone" in kernel.ok("%wfnb status").text


def test_where_no_page_is_there_nothing_is_known_of_cells(kernel: Kernel):
    kernel.ok(LOAD, "c1")
    with page(kernel) as front:
        tells(front, c2=1)
        assert "cell gone" in kernel.ok("%wfnb status").text
    for _ in range(100):
        if "cell gone" not in kernel.ok("%wfnb status").text:
            break

    assert "cell gone" not in kernel.ok("%wfnb status").text


def test_a_page_says_which_cells_there_are_before_it_is_connected(kernel: Kernel):
    """It loads wfnb as the first cell of *Run All* is on its way. The half without the title has
    the id that the cell had."""
    kernel.ok("%wfnb start halves")
    kernel.ok("%%step Load\nreadings = [1, 2]\nlimit = 2", "c1")
    kernel.restart()
    told = {"ids": ["half", "c1"], "steps": [1, 0]}
    code = "__import__('wfnb').load_ipython_extension(get_ipython())"
    kernel.reply(kernel.send(code, silent=True, more={"wfnbCells": told}))
    kernel.ok("%wfnb resume halves")

    kernel.ok(LOAD, "half")

    assert kernel.steps("number", "attempts", "cell_id") == [(1, 2, "half")]
    with page(kernel) as front:
        tells(front, c1=0)
        assert [step.get("cell") for step in kernel.status()["steps"]] == ["cell gone"]


@pytest.mark.parametrize("told", [None, "c1", {}, {"ids": 1, "steps": [1]}])
def test_wfnb_is_loaded_by_a_request_that_says_nothing_to_be_read_of_cells(
    kernel: Kernel, told: object
):
    request = kernel.send("%load_ext wfnb", more={"wfnbCells": told})

    assert kernel.reply(request)["status"] == "ok"
    assert kernel.ok(LOAD, "c1").answer["step_number"] == 1


def test_a_step_of_another_notebook_says_which(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    for name in ("first.ipynb", "second.ipynb"):
        (folder / name).write_text("{}")
    with running(folder, JPY_SESSION_NAME=str(folder / "first.ipynb")) as first:
        first.ok("%wfnb start shared")
        first.ok(LOAD, "c1")
    with running(folder, JPY_SESSION_NAME=str(folder / "second.ipynb")) as second:
        second.ok("%wfnb resume shared")
        with page(second) as front:
            tells(front, d1=1)
            second.ok(LOAD, "d1")

            said = [step.get("cell") for step in second.status()["steps"]]
            card = front.ask("card", key=2)

    assert said == ["cell in first.ipynb", None]
    assert card["notebook"] == "first.ipynb"


def test_a_step_is_hidden_shown_described_and_tagged_by_its_key(front: FrontEnd, kernel: Kernel):
    key = front.state.rows[0]["key"]

    front.ask("describe", key=key, title="Load both", reason="One was missing.")
    front.ask("tag", key=key, tags=["data", "slow"])
    front.until(lambda: front.state.rows[0].get("tags") == ["data", "slow"])
    front.ask("tag", key=key, tags=["slow"])
    front.until(lambda: front.state.rows[0]["tags"] == ["slow"])
    titles = front.state.titles
    card = front.ask("card", key=key)
    front.ask("hide", key=key)
    front.until(lambda: front.state.head["hidden"] == 1)
    hidden = (front.state.titles, front.ask("rows", first=0, count=9, filter={"hidden": True}))
    front.ask("show", key=key)
    front.until(lambda: front.state.head["hidden"] == 0)

    assert titles == ["Load both", "Fit"]
    assert card["description"] == "Load both\n\nOne was missing."
    assert hidden[0] == ["Fit"]
    assert [row["title"] for row in hidden[1]["rows"]] == ["Load both"]
    assert front.state.titles == ["Load both", "Fit"]


def test_the_code_of_a_step_is_its_own_part_of_the_cell(front: FrontEnd, kernel: Kernel):
    kernel.ok("x = 1\n%step One\na = 1\n\n%step Two\nb = 2  \n", "c3")
    rows = {row["title"]: row["key"] for row in front.ask("rows", first=0, count=9)["rows"]}

    assert front.ask("source", key=rows["Load"]) == {"source": LOAD, "code": "readings = [1, 2]"}
    assert front.ask("source", key=rows["One"]) == {"source": "%step One\na = 1", "code": "a = 1"}
    assert front.ask("source", key=rows["Two"])["code"] == "b = 2"


def test_a_step_of_a_program_has_no_code(front: FrontEnd, kernel: Kernel):
    kernel.ok("import wfnb; wfnb.open('demo').step('By a program')")
    front.until(lambda: len(front.state.rows) == 3)
    rows = front.ask("rows", first=0, count=9)["rows"]

    assert front.ask("source", key=rows[-1]["key"]) is None


def test_why_says_that_the_cell_is_gone_of_a_step_that_was_read(front: FrontEnd, kernel: Kernel):
    tells(front, c2=1)

    lines = kernel.ok("%wfnb why 2").shown[0]["text/plain"].splitlines()
    own = kernel.ok("%wfnb why 1").shown[0]["text/plain"].splitlines()

    assert lines[0] == "step 2 · ✓ ok · all that it read is what its line gives it"
    assert lines[2] == "readings  1 Load · cell gone  1 Load · cell gone  ✓ the same"
    assert own[0].startswith("step 1 · ✓ ok · cell gone")


def test_why_says_how_the_line_goes_without_a_copy_that_was_deleted(
    front: FrontEnd, kernel: Kernel
):
    kernel.ok("%%step Take one\nreadings = [3]", "c3")
    kernel.ok("%%step Count\nn = len(readings)", "c4")
    kernel.ok(LOAD, "c1")
    kernel.ok("%%step Count\nn = len(readings)", "c4")
    tells(front, c1=1, c2=1, c4=1)

    said = kernel.ok("%wfnb why 4").shown[0]["text/plain"].splitlines()[0]

    hint = "; `%wfnb hide 3` takes step 3, whose cell is gone, off its line"
    assert said.endswith(f"or `%wfnb confirm 4`{hint}")
    kernel.ok("%wfnb hide 3")
    assert kernel.steps("number", "stale")[-1] == (4, False)


def test_what_is_hostile_is_refused(front: FrontEnd):
    for asked in (
        {"ids": ["a"], "steps": [-1]},
        {"ids": [1], "steps": [1]},
        {"ids": "abc", "steps": []},
        {"cells": {}},
    ):
        with pytest.raises(Refused):
            front.ask("cells", **asked)
    with pytest.raises(Refused):
        front.ask("describe", key=10**6, title="x")
    with pytest.raises(Refused):
        front.ask("tag", key=front.state.rows[0]["key"], tags=["two words"])


def test_a_kernel_of_two_notebooks_records_for_the_one_that_its_session_is_of(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    for name in ("one.ipynb", "two.ipynb"):
        (folder / name).write_text("{}")
    with running(folder) as kernel, page(kernel) as one, page(kernel) as two:
        one.ask("notebook", path="one.ipynb", root=str(folder), session=None)
        tells(one, c1=1, c2=1)
        kernel.ok(LOAD, "c1")
        told = two.ask("notebook", path="two.ipynb", root=str(folder), session=None)
        tells(two, d1=1, d2=0)

        refused = kernel.run("%%step Other\n1", "d1").refusal
        seen = [step.get("cell") for step in kernel.status()["steps"]]
        kernel.ok("%%step Sum\nsum(readings)", "c2")
        kernel.ok("%wfnb open two", "d2")
        again = [
            each.ask("notebook", path=f"{name}.ipynb", root=str(folder), session=None)["session"]
            for each, name in ((two, "two"), (one, "one"), (two, "two"))
        ]
        kernel.ok("%%step Other\n1", "d1")
        back = kernel.run(LOAD, "c1").refusal
        kernel.ok("%wfnb open one", "d2")
        kernel.ok("%%step Shared\n1", "d1")
        kernel.ok(LOAD, "c1")
        shared = kernel.steps("number", "attempts", "cell_id")

    assert told == {
        "session": None,
        "note": "This kernel records for one.ipynb, not for this notebook. Choose another kernel, "
        "or run `%wfnb open NAME`.",
        "others": ["one.ipynb"],
    }
    assert refused == (
        "This kernel records into session 'one' of one.ipynb, and this cell is of two.ipynb. Give "
        "two.ipynb a kernel of its own, or let this kernel record for it: `%wfnb open NAME`."
    )
    assert seen == ["cell in one.ipynb"]
    assert again[0] is not None
    assert again == [again[0], None, again[0]]
    assert back.startswith("This kernel records into session 'two' of two.ipynb")
    assert shared == [(1, 2, "c1"), (2, 1, "c2"), (3, 1, "d1")]
