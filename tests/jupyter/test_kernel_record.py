"""Record mode, in a real kernel: plain cells are steps, by the same way as `%%step`."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.jupyter.kernel import Kernel, running
from tests.jupyter.ran import MIME

pytestmark = pytest.mark.kernel


@pytest.fixture
def recording(kernel: Kernel) -> Kernel:
    kernel.ok("%wfnb record")
    return kernel


def titles(kernel: Kernel) -> list[str]:
    return [said.partition("\n")[0] for said in kernel.steps("description")]


def notebook(folder: Path, *cells: tuple[str, str, dict[str, Any]]) -> Path:
    """A file with these cells: each an id, its source (Markdown where it begins with #), and its
    metadata."""
    path = folder / "analysis.ipynb"
    data = [
        {"cell_type": "markdown" if source.startswith("# ") else "code", "id": id}
        | {"metadata": metadata, "source": source}
        | ({} if source.startswith("# ") else {"outputs": [], "execution_count": None})
        for id, source, metadata in cells
    ]
    whole = {"cells": data, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(whole), "utf-8")
    return path


def test_a_plain_cell_is_a_step_with_the_title_of_its_comment_or_its_first_line(
    recording: Kernel,
):
    shown = recording.ok("# Load the readings\n# of March\nx = [1, 2]\nx", "a")
    recording.ok("%%time\ny = sum(x)", "b")
    recording.ok("import re\nz = y", "c")
    recording.ok("%%step\nfrom re import (\n    sub,\n)\nz = 1", "d")

    assert recording.steps("number", "description", "outcome", "result") == [
        (1, "Load the readings\nof March", "ok", "[1, 2]"),
        (2, "y = sum(x)", "ok", None),
        (3, "z = y", "ok", None),
        (4, "z = 1", "ok", None),
    ]
    assert shown.value == "[1, 2]"
    assert shown.shown[0][MIME]["step_number"] == 1


def test_it_is_recorded_as_the_same_cell_under_a_line_would_be(kernel: Kernel):
    code = "# Load\nx = [1, 2]\nprint(x)\nx"
    kernel.ok("%wfnb start one")
    marked = kernel.ok(f"%%step\n{code}", "a")
    one = kernel.history()["steps"]

    kernel.ok("%wfnb start other")
    kernel.ok("%wfnb record")
    plain = kernel.ok(code, "a")
    other = kernel.history()["steps"]

    for step in (*one, *other):
        step.pop("duration")
    assert one == other
    answers = [{**ran.answer, "session": ""} for ran in (marked, plain)]
    assert answers[0] == answers[1]
    assert (marked.kinds, marked.value, marked.stdout) == (plain.kinds, plain.value, plain.stdout)


@pytest.mark.parametrize(
    "source",
    [
        "df.head()",
        "x",
        "print(type(x), x)",
        "x?",
        "# only words",
        "%wfnb status",
        "%wfnb keep all\ny = 1",
        "%load_ext wfnb",
    ],
)
def test_cells_that_only_show_say_nothing_or_speak_to_wfnb_are_no_steps(
    recording: Kernel, source: str
):
    recording.ok("x = 1\nclass df:\n    head = print", "a")

    recording.ok(source, "b")

    assert len(recording.steps("number")) == 1


def test_what_changes_something_is_a_step_though_it_is_one_expression(recording: Kernel):
    recording.ok("x = []", "a")
    recording.ok("x.append(1)", "b")

    assert titles(recording) == ["x = []", "x.append(1)"]


def test_the_same_cell_again_is_another_attempt_and_changed_code_a_new_version(
    recording: Kernel,
):
    recording.ok("x = 1", "a")
    recording.ok("x = 1", "a")
    recording.ok("x = 2", "a")

    assert recording.steps("number", "description", "attempts", "versions") == [(1, "x = 2", 3, 2)]


def test_a_line_over_it_makes_no_other_step_of_the_cell(recording: Kernel):
    recording.ok("x = 1", "a")
    recording.ok("y = x", "b")
    recording.ok("%%step Load\nx = 1", "a")

    assert recording.steps("description", "stale") == [("Load", False), ("y = x", False)]


def test_errors_keep_their_lines_and_the_step_has_failed(recording: Kernel):
    ran = recording.run("x = 1\n1 / 0", "a")
    unread = recording.run("x = (", "b")

    assert "line 2" in ran.traceback
    assert (ran.status, unread.status) == ("error", "error")
    assert recording.steps("outcome") == ["failed", "failed"]


def test_a_step_is_stale_that_read_what_a_recorded_cell_gives_another_value_now(
    recording: Kernel,
):
    recording.ok("x = 1", "a")
    recording.ok("y = x + 1", "b")
    recording.ok("x = 2", "a")
    assert recording.steps("stale") == [False, True]

    recording.ok("%wfnb run-stale")

    assert recording.steps("stale", "attempts") == [(False, 2), (False, 2)]
    assert recording.ok("y").value == "3"


def test_it_lasts_over_a_restart_and_ends_when_it_is_said(recording: Kernel):
    recording.ok("x = 1", "a")
    recording.restart()
    recording.ok("x = 1", "a")
    recording.ok("y = 2", "b")
    assert recording.steps("attempts") == [2, 1]
    assert "plain cells are steps" in recording.ok("%wfnb status").text

    recording.ok("%wfnb record off")
    recording.ok("z = 3", "c")

    assert len(recording.steps("number")) == 2
    assert "plain cells" not in recording.ok("%wfnb status").text


def test_what_is_neither_on_nor_off_is_refused(kernel: Kernel):
    assert "'maybe' is neither on nor off" in kernel.run("%wfnb record maybe").traceback


def test_a_step_that_is_refused_runs_as_a_plain_cell(recording: Kernel):
    recording.ok("%wfnb kind debug")
    recording.ok("x = 1", "a")

    ran = recording.ok("y = 2", "b")

    assert "this cell is not recorded" in ran.stderr
    assert recording.ok("y").value == "2"
    assert recording.steps("number") == [1]


def test_quiet_cells_show_no_answer(kernel: Kernel):
    kernel.ok("%wfnb record --quiet")

    assert kernel.ok("x = 1", "a").shown == []
    assert titles(kernel) == ["x = 1"]


def test_headings_and_tags_come_from_the_file_where_no_front_end_says_them(tmp_path: Path):
    tag = {"tags": ["wfnb-step"]}
    path = notebook(
        tmp_path,
        ("m", "# About `loading`", {}),
        ("a", "x = 1", {}),
        ("b", "print(x)", tag),
        ("c", "y = x", {}),
    )
    with running(tmp_path, JPY_SESSION_NAME=str(path)) as kernel:
        kernel.ok("x = 1", "a")
        kernel.ok("print(x)", "b")
        assert titles(kernel) == ["print(x)"]

        kernel.ok("%wfnb record")
        kernel.ok("x = 1")
        kernel.ok("y = x", "c")

        assert titles(kernel) == ["print(x)", "About loading", "y = x"]
