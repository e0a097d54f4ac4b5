"""Setters of libraries change objects that no fingerprint reads whole, wherever they are called."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dataflow.kernel import Kernel

FIGURE = "from matplotlib.figure import Figure\nfig = Figure()\nax = fig.subplots()"
MORE = "{0}.set_title({0}.get_title() + 'q')"
MODULE = f"def mark(a): {MORE.format('a')}\n"
CALLS = {
    "a function": (f"def mark(a): {MORE.format('a')}", "mark(ax)"),
    "a lambda": (f"mark = lambda k, a: {MORE.format('a')}", "mark(1, a=ax)"),
    "a function of a function": (
        f"def put(a): {MORE.format('a')}\ndef mark(k, a): put(a)",
        "mark(1, ax)",
    ),
    "a function in a function": (
        f"def mark(k, a):\n    def put(b): {MORE.format('b')}\n    put(a)",
        "mark(1, ax)",
    ),
    "a decorator": (
        "def twice(f):\n    def g(*given): return f(*given)\n    return g\n"
        f"@twice\ndef mark(a): {MORE.format('a')}",
        "mark(ax)",
    ),
    "a partial function": (
        f"from functools import partial\ndef f(k, a): {MORE.format('a')}\nmark = partial(f, 1)",
        "mark(ax)",
    ),
    "a function that holds it": (
        f"def make(a):\n    def g(): {MORE.format('a')}\n    return g\nmark = make(ax)",
        "mark()",
    ),
    "a method": (
        f"class C:\n    def __init__(self, a): self.a = a\n"
        f"    def mark(self): {MORE.format('self.a')}\nc = C(ax)",
        "c.mark()",
    ),
    "a function of a global": (f"def mark(): {MORE.format('ax')}", "mark()"),
    "a function of a module": ("from marks_ import mark", "mark(ax)"),
    "a function of parts": (
        f"def mark(every):\n    for i, a in enumerate(every): {MORE.format('a')}",
        "mark([ax])",
    ),
    "what a function gives": (
        f"def first(f): return f.axes[0]\ndef mark(a): {MORE.format('a')}",
        "a = first(fig)\nmark(a)",
    ),
    "what a method gives": ("0", f"a = fig.gca()\n{MORE.format('a')}"),
    "a loop over what a method gives": ("0", f"for a in fig.get_axes(): {MORE.format('a')}"),
}
"""A cell that defines, and one that changes the title of the axes."""
CHANGES = {
    "ax.set_xlim(0, ax.get_xlim()[1] + 1)": "ax.get_xlim()",
    "ax.set_yscale('log')": "ax.get_yscale()",
    "ax.spines['top'].set_visible(False)": "ax.spines['top'].get_visible()",
    "ax.title.set_text('q')": "ax.get_title()",
    "for b in bars: b.set_height(4)": "bars[0].get_height()",
    "ax.grid(True)": "ax.xaxis.get_gridlines()[0].get_visible()",
    "ax.invert_yaxis()": "ax.yaxis_inverted()",
    "ax.tick_params(labelsize=3)": "ax.xaxis.get_tick_params()",
    "ax.figure.suptitle('e')": "fig.get_suptitle()",
    "fig.subplots_adjust(left=0.3)": "fig.subplotpars.left",
    "fig.gca().set_title('e')": "ax.get_title()",
    "fig.set_size_inches(3, 4)": "str(fig.get_size_inches())",
    "log.handlers[0].setLevel(30)": "log.handlers[0].level",
    "image.putpixel((0, 0), 9)": "image.getpixel((0, 0))",
}
"""Changes of what `OBJECTS` gives, and what is another then."""
OBJECTS = (
    f"{FIGURE}\nbars = ax.bar([1, 2], [3, 4])\nimport logging\nlog = logging.Logger('marks')\n"
    "log.addHandler(logging.NullHandler())\nfrom PIL import Image\nimage = Image.new('L', (3, 3))"
)
DRAW = (
    "def draw(d, k, a):\n    a.plot(d[:5])\n    a.set_title(str(len(k)))\n"
    "import logging, numpy as np\nd = np.zeros(500_000)\nlog = logging.Logger('marks')"
)


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    monkeypatch.setenv("WFNB_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "argv", ["wfnb"])
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "marks_.py").write_text(MODULE)
    kernel = Kernel("setters")
    yield kernel
    kernel.stop()
    sys.modules.pop("marks_", None)


def stale(kernel: Kernel, cells: list[str], runs: list[int]) -> set[int]:
    for number in runs:
        assert kernel.say(f"%%step T\n{cells[number - 1]}", f"cell-{number}") is None
    return {step["number"] for step in kernel.marks() if step["stale"]}


@pytest.mark.parametrize("call", CALLS)
def test_a_change_that_comes_twice_makes_its_readers_stale(kernel: Kernel, call: str):
    definition, change = CALLS[call]

    assert stale(kernel, [FIGURE, definition, change, "ax.get_title()"], [1, 2, 3, 4, 3]) == {3, 4}


@pytest.mark.parametrize("way", ["in the cell", "in a function", "in a function of globals"])
@pytest.mark.parametrize("change", CHANGES)
def test_what_was_read_before_a_change_is_stale_when_it_is_read_again(
    kernel: Kernel, change: str, way: str
):
    root = "bars" if "bars" in change else change.partition(".")[0]
    called = {
        "in the cell": ("0", change),
        "in a function": (f"def f({root}):\n    {change}", f"f({root})"),
        "in a function of globals": (f"def f():\n    {change}", "f()"),
    }[way]

    # What is asked for may be computed by then, which changes the axes, too.
    assert 2 in stale(kernel, [OBJECTS, CHANGES[change], *called], [1, 2, 3, 4, 2])


@pytest.mark.parametrize(
    "change",
    ["draw(d, log.name, ax)", "draw(d, k=log.name, a=ax)", "for a in fig.axes: draw(d, 'k', a)"],
)
def test_what_a_function_only_reads_is_not_changed(kernel: Kernel, change: str):
    cells = [FIGURE, DRAW, "x = d.sum(), log.name", change, "y = d.sum(), log.name"]

    assert stale(kernel, cells, [1, 2, 3, 4, 5, 3]) == set()
