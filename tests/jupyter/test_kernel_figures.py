"""Figures that the code of a step shows are kept with it, in a real kernel."""

import ast
from pathlib import Path
from typing import Any

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel

SHOWN = """\
from IPython.display import SVG, HTML, display, clear_output
def svg(n): return SVG(f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="{n}"></svg>')
"""
FIGURES = """\
from wfnb.jupyter.ipython_extension import _LOADED
_ws = next(iter(_LOADED.values())).notebook.workspace
_end = list(_ws.session.steps.values())[-1].outcome
([(f.form, bytes(_ws.views.figures.read(f))) for f in _end.figures], _end.figures_left)
"""


def figures(kernel: Kernel) -> tuple[list[tuple[str, bytes]], int]:
    """Of the last step: form and bytes of each, and how many are left out."""
    found: Any = ast.literal_eval(kernel.ok(FIGURES).value or "")
    return found


def heights(kernel: Kernel) -> list[int]:
    return [int(data.split(b'"')[5]) for _, data in figures(kernel)[0]]


def test_a_plot_and_a_frame_are_kept_in_order_and_a_plain_value_is_not(kernel: Kernel):
    kernel.ok("%matplotlib inline\nimport matplotlib.pyplot as plt, pandas as pd")
    ran = kernel.ok("%%step Plot\nplt.plot([1, 2])\nplt.show()\npd.DataFrame({'a': [1, 2]})")
    (picture, table), left = figures(kernel)

    assert ran.kinds == ["display_data", "execute_result", "display_data"]
    assert picture[0] == "image/png"
    assert picture[1].startswith(b"\x89PNG")
    assert table == ("table", b'{"heads": ["", "a"], "rows": [["0", "1"], ["1", "2"]], "says": ""}')
    assert left == 0

    kernel.ok("%%step Number\n1 + 1")
    assert figures(kernel) == ([], 0)


def test_a_plot_that_the_end_of_the_cell_shows_is_one_of_the_step(kernel: Kernel):
    kernel.ok("%matplotlib inline\nimport matplotlib.pyplot as plt")
    kernel.ok("%%step Plot\n_ = plt.plot([1, 2])")

    assert [form for form, _ in figures(kernel)[0]] == ["image/png"]


def test_the_first_six_are_kept_and_how_many_more_there_were(kernel: Kernel):
    kernel.ok(SHOWN + "big = 'x' * 600_000")
    kernel.ok("%%step Many\nfor n in range(9): display(svg(n))")
    assert heights(kernel) == [0, 1, 2, 3, 4, 5]
    assert figures(kernel)[1] == 3

    kernel.ok(
        "%%step Large\ndisplay(SVG(f'<svg xmlns=\"http://www.w3.org/2000/svg\">{big}</svg>'))"
    )
    assert figures(kernel) == ([], 1)


def test_what_is_cleared_or_takes_the_place_of_another_is_kept_as_it_is_in_the_end(kernel: Kernel):
    kernel.ok(SHOWN)
    kernel.ok(
        "%%step Cleared\nfor n in range(3):\n    clear_output(wait=True)\n    display(svg(n))"
    )
    assert heights(kernel) == [2]

    kernel.ok(
        "%%step Replaced\nh = display(svg(1), display_id=True)\ndisplay(svg(7))\nh.update(svg(5))"
    )
    assert heights(kernel) == [5, 7]


def test_what_is_captured_or_shown_by_a_plain_cell_is_no_figure_of_a_step(kernel: Kernel):
    kernel.ok(SHOWN)
    kernel.ok("%%step Captured\n%%capture\ndisplay(svg(1))")
    assert figures(kernel) == ([], 0)

    kernel.ok("display(svg(1))")
    assert figures(kernel) == ([], 0)


def test_a_step_that_fails_has_what_it_showed_before(kernel: Kernel):
    kernel.ok(SHOWN)
    kernel.run("%%step Fails\ndisplay(svg(4))\n1/0")

    assert heights(kernel) == [4]


def test_each_step_of_a_cell_has_its_own(kernel: Kernel):
    kernel.ok(SHOWN)
    kernel.ok("%step One\ndisplay(svg(1))\n%step Two\ndisplay(svg(2))")

    assert heights(kernel) == [2]


def test_bytes_that_are_no_picture_are_left_out_and_the_step_is_well(kernel: Kernel):
    ran = kernel.ok(
        "%%step Odd\nfrom IPython.display import display\n"
        "display({'image/png': '§'}, raw=True)\ndisplay({'image/png': 3}, raw=True)"
    )

    assert ran.answer["outcome"] == "ok"
    assert ran.stderr == ""
    assert figures(kernel) == ([], 1)


def test_the_answers_of_wfnb_are_no_figures(kernel: Kernel):
    kernel.ok("%%step One\nget_ipython().run_line_magic('wfnb', 'status')")

    assert figures(kernel) == ([], 0)


def test_a_session_may_keep_none(kernel: Kernel):
    kernel.ok(SHOWN)
    assert "no figures" in kernel.ok("%wfnb keep --no-figures").text
    kernel.ok("%%step Shown\ndisplay(svg(1))")
    assert figures(kernel) == ([], 0)

    kernel.ok("%wfnb keep --figures")
    kernel.ok("%%step Again\ndisplay(svg(1))")
    assert heights(kernel) == [1]


def test_a_report_has_them_unless_it_is_to_have_none(kernel: Kernel, tmp_path: Path):
    kernel.ok(SHOWN)
    kernel.ok("%%step Shown\ndisplay(svg(1))")
    kernel.ok(f"%wfnb export {tmp_path}/with.html")
    kernel.ok(f"%wfnb export {tmp_path}/without.html --no-figures")

    assert (tmp_path / "with.html").read_text().count("<img") == 1
    assert "<img" not in (tmp_path / "without.html").read_text()


def test_a_session_in_memory_keeps_none_and_goes_on(kernel: Kernel):
    kernel.ok(SHOWN)
    kernel.ok("%wfnb start passing --scratch")
    assert kernel.ok("%%step Shown\ndisplay(svg(1))").answer["outcome"] == "ok"
    assert figures(kernel) == ([], 0)


def test_without_the_extension_nothing_is_watched(kernel: Kernel):
    kernel.ok("%unload_ext wfnb")
    names = "'publish' in vars(p), 'write_format_data' in vars(get_ipython().displayhook)"
    try:
        assert kernel.ok(f"p = get_ipython().display_pub\n{names}").value == "(False, False)"
    finally:
        kernel.ok("%load_ext wfnb")
