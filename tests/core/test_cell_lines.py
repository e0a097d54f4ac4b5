"""What the lines of a cell are to wfnb, and what becomes of the cell of a step: tables by hand."""

from __future__ import annotations

import pytest

from tests.core.story import at, done, given
from wfnb.core.commands import NotebookCells
from wfnb.core.events import Cell
from wfnb.core.session import Step
from wfnb.core.step_magic_lines import Mark, is_plain, lines_under, mark, marks, runs

CODE = {
    "": False,
    "\n \n\t\n": False,
    "# why": False,
    "  # why\n\n#": False,
    "x = 1": True,
    "# a\n  x": True,
    "x  # why": True,
    "#x\n \n%%step a": True,
}


@pytest.mark.parametrize("code", CODE)
def test_code_runs_where_a_line_is_neither_blank_nor_a_comment(code):
    assert runs(code) is CODE[code]


TO_WFNB = (
    *("%wfnb status", "%%wfnb", "  %step a", "%%step a\nx", "%%branch b\nx", "%run_workflow w"),
    *("%%workflow w\na: 1", "%load_ext wfnb", "%reload_ext wfnb", "%unload_ext   wfnb"),
    *("x = 1\n%wfnb undo", "get_ipython().run_line_magic('wfnb', '')", "run_cell_magic('step')"),
)
PLAIN = (
    *(
        "x = 1",
        "%load_ext other",
        "%wfnbs",
        "%%stepwise\nx",
        "x = '%wfnb'",
        "x %wfnb",
        "%workflows",
    ),
    *("run_line_magics(1)", "!wfnb status", "%load_ext wfnb2"),
)


@pytest.mark.parametrize("source", [*TO_WFNB, *PLAIN])
def test_a_cell_is_plain_where_no_line_of_its_code_speaks_to_wfnb(source):
    assert is_plain(source) is (source in PLAIN)
    assert not is_plain(f"# {source}".replace("\n", "\n# "))


MARKS = {
    "%%step Why?": Mark(magic="step", words="Why?"),
    "%step": Mark(magic="step", words=""),
    "  %%branch  alt 3 ": Mark(magic="branch", words="alt 3", column=2),
    "%%steps a": None,
    "%%%step a": None,
    "x %step a": None,
    "": None,
}


@pytest.mark.parametrize("line", MARKS)
def test_a_line_opens_a_step_where_the_magic_stands_first_on_it(line):
    assert mark(line) == MARKS[line]


def found(source: str) -> list[tuple[str, int, int]]:
    return [(each.words, each.row, each.column) for each in marks(source)]


def test_the_marks_of_a_cell_are_those_outside_of_strings_by_row_and_column():
    text = "'''\n%step no\n  %step no\n'''"

    assert found("%step a\nx\n  %step b") == [("a", 0, 0), ("b", 2, 2)]
    assert found(f"%step a\nx = {text}\n%step b\n  %step c\ny") == [
        ("a", 0, 0),
        ("b", 5, 0),
        ("c", 6, 2),
    ]
    assert found(f"x = {text} + y\nif x:\n  %step b\n!ls\n") == [("b", 5, 2)]
    assert found("x = 'a\\\n%step no'\n%step a") == [("a", 2, 0)]
    assert found(f"%step a\nx = (\n{text}") == [("a", 0, 0), ("no", 3, 0), ("no", 4, 2)]
    assert found("  %step a\n  x") == [("a", 0, 0)]  # IPython takes an indented cell so


def test_what_is_under_a_mark_goes_up_to_the_next_that_is_not_indented():
    source = "x\n%step a\ny\n  %step b\nz\n%step c\n%step d\n"
    all_marks = marks(source)

    under = [lines_under(source, all_marks, each) for each in all_marks]

    assert under == ["y\n  %step b\nz", "z", "", ""]


def step_of(cell_id: str | None, notebook: str | None = None, source: str = "x", part: int = 0):
    session = given(done("a", cell=Cell(id=cell_id, source=source, part=part, notebook=notebook)))
    return at(session, 1)


CELLS = {
    "there": (step_of("c"), {"c": 1}, "", True),
    "the second of two": (step_of("c", part=1), {"c": 2}, "", True),
    "the second of one": (step_of("c", part=1), {"c": 1}, "cell gone", False),
    "no steps in it": (step_of("c"), {"c": 0}, "", True),  # a plain cell that was recorded
    "no steps where one was": (step_of("c", source="%%step a\nx"), {"c": 0}, "cell gone", False),
    "gone": (step_of("c", "own.ipynb"), {"d": 1}, "cell gone", False),
    "gone, in no notebook": (step_of("c"), {}, "cell gone", False),
    "in another notebook": (step_of("c", "b.ipynb"), {}, "cell in b.ipynb", True),
    "moved here from another": (step_of("c", "b.ipynb"), {"c": 1}, "", True),
    "moved here, and emptied": (
        step_of("c", "b.ipynb", "%%step a"),
        {"c": 0},
        "cell gone",
        False,
    ),
    "of no id": (step_of(None, "b.ipynb"), {}, "", True),
    "of no id, in no notebook": (step_of(None), {}, "", False),
    "without a cell": (at(given(done("words")), 1), {}, "", False),
}


@pytest.mark.parametrize("what", CELLS)
def test_what_became_of_the_cell_of_a_step_is_told_by_the_cells_there_are(what):
    step, opens, lacks, holds = CELLS[what]
    cells = NotebookCells(steps=opens, others=frozenset({"b.ipynb"}))

    assert isinstance(step, Step)
    assert cells.lacks(step) == lacks
    assert cells.holds(step) is holds
