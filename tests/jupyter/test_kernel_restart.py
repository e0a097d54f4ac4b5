"""Restart and run all, with cell ids and without: a history is never doubled."""

from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel

CELLS = (
    "%%step 1/9 Load\nx = 1",
    "%%step Use\nx + 1",
    "%%step Use\nx + 1",
    "%%branch alt --from 2 Other\nx - 1",
    "%%branch alt Further\nx - 2",
    "%step Both\nx = 2\n%step in a cell\nx = 3",
    "%%step Reason --text\nBecause.",
    "for n in range(2):\n    get_ipython().run_line_magic('step', f'Fit {n} --quiet')",
)
HEADLESS = [(None, code) for code in CELLS]
WITH_IDS = [(f"cell-{number}", code) for number, code in enumerate(CELLS)]
OTHER_IDS = [(f"other-{number}", code) for number, code in enumerate(CELLS)]


@pytest.fixture
def fresh(shared: Kernel, tmp_path: Path) -> Kernel:
    """A kernel about to be restarted, over an empty home."""
    shared.home = tmp_path / "home"
    return shared


def history(kernel: Kernel) -> list[tuple[object, ...]]:
    return kernel.steps("branch", "number", "description", "outcome", "stale")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (WITH_IDS, WITH_IDS),
        (HEADLESS, HEADLESS),
        (HEADLESS, WITH_IDS),
        (WITH_IDS, HEADLESS),
    ],
    ids=["ids", "headless", "headless then ids", "ids then headless"],
)
def test_run_all_in_a_new_kernel_repeats_every_step(
    fresh: Kernel, first: list[tuple[str | None, str]], second: list[tuple[str | None, str]]
):
    fresh.run_all(*first)
    before = history(fresh)

    fresh.run_all(*second)

    assert history(fresh) == before
    assert fresh.steps("attempts", "versions") == [(2, 1)] * len(before)
    assert [row[:2] for row in before] == [
        ("main", 1),
        ("main", 2),
        ("main", 3),
        ("alt", 3),
        ("alt", 4),
        ("main", 4),
        ("main", 5),
        ("main", 6),
        ("main", 7),
        ("main", 8),
    ]


def test_cells_of_other_ids_are_another_notebook_until_its_session_is_named(fresh: Kernel):
    fresh.run_all(*WITH_IDS[:3])
    fresh.run_all(*OTHER_IDS[:3])
    another = fresh.steps("number", "attempts")
    fresh.run_all((None, "%wfnb open notebook"), *OTHER_IDS[:3])

    assert another == [(1, 1), (2, 1), (3, 1)]
    assert fresh.steps("number", "attempts") == [(1, 2), (2, 2), (3, 2)]


def test_a_third_time_makes_a_third_attempt(fresh: Kernel):
    for cells in (HEADLESS, WITH_IDS, HEADLESS):
        fresh.run_all(*cells[:3])

    assert fresh.steps("number", "attempts") == [(1, 3), (2, 3), (3, 3)]


def test_cells_that_have_ids_by_place_are_known_when_all_have_moved(fresh: Kernel, tmp_path: Path):
    notebook = tmp_path / "study.ipynb"
    notebook.write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    named = (None, f"__vsc_ipynb_file__ = {str(notebook)!r}")
    cells = ["%%step Load\nx = 1", "# plain\nk = 1", "%%step Use\nx + k", "%%step Tell\nx"]

    for place in (0, 1, 7):
        ids = [f"vscode-notebook-cell:{notebook}#W{place + n}sZmlsZQ%3D%3D" for n in range(4)]
        fresh.run_all(named, *zip(ids, cells, strict=True))

    told = fresh.steps("number", "description", "attempts", "versions", "stale")
    assert told == [
        (1, "Load", 3, 1, False),
        (2, "Use", 3, 1, False),
        (3, "Tell", 3, 1, False),
    ]


def test_a_cell_changed_between_kernels_is_a_version(fresh: Kernel):
    fresh.run_all(("a", "%%step Load\nx = 1"), ("b", "%%step Use\nx"))

    fresh.run_all(("a", "%%step Load\nx = 2"))

    assert fresh.steps("number", "versions", "stale") == [(1, 2, False), (2, 1, True)]


def test_cells_run_in_another_order_keep_their_numbers(fresh: Kernel):
    cells = [("a", "%%step Load\nx = 1"), ("b", "%%step Use\n1"), ("c", "%%step Tell\n2")]
    fresh.run_all(*cells)

    fresh.run_all(*reversed(cells))

    assert fresh.steps("number", "description", "attempts") == [
        (1, "Load", 2),
        (2, "Use", 2),
        (3, "Tell", 2),
    ]


def test_a_cell_put_in_between_is_a_new_step(fresh: Kernel):
    cells = [("a", "%%step Load\nx = 1"), ("b", "%%step Use\n1")]
    fresh.run_all(*cells)

    fresh.run_all(cells[0], ("new", "%%step Clean\n0"), cells[1])

    assert fresh.steps("number", "description", "attempts") == [
        (1, "Load", 2),
        (2, "Use", 2),
        (3, "Clean", 1),
    ]


def test_a_session_started_by_a_cell_is_resumed_by_run_all(fresh: Kernel):
    cells = [("a", "%wfnb start drift"), ("b", "%%step Load\nx = 1")]
    fresh.run_all(*cells)

    resumed, _ = fresh.run_all(*cells)

    assert resumed.text == "session 'drift' resumed · 1 step"
    assert fresh.steps("number", "attempts") == [(1, 2)]


def test_a_resumed_session_goes_on(fresh: Kernel):
    fresh.run_all(("a", "%wfnb start drift"), ("b", "%%step Load\nx = 1"))

    fresh.run_all(("c", "%wfnb resume drift"), ("d", "%%step Use\n1"))

    assert fresh.steps("number", "description") == [(1, "Load"), (2, "Use")]


def test_after_a_restart_a_step_says_that_it_was_not_run_in_this_kernel(fresh: Kernel):
    fresh.run_all(("a", "%wfnb start drift"), ("b", "%%step Load\nx = 1"), ("c", "%%step Use\nx"))

    fresh.run_all(("a", "%wfnb start drift"), ("b", "%%step Load\nx = 1"))

    assert fresh.steps("number", "here", "stale") == [(1, True, False), (2, False, False)]
    shown = fresh.ok("%wfnb status").text.splitlines()
    assert shown[2].endswith("✓ ok")
    assert shown[3].endswith("not run in this kernel")
