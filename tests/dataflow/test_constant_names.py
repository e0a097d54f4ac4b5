"""Constants and functions that a step binds before all else it gives whatever it reads: who reads
those alone is not stale by it. What else a stale step gives is not known."""

from __future__ import annotations

import pytest

from tests.dataflow.kernel import Kernel

GIVEN = {
    "a constant": ("size = 8\nn = limit", "size + 1"),
    "constants, of constants": ("a, b = 1, 2\nsize = a * b\nn = limit", "size"),
    "a function": ("def half(v): return v / 2\nn = limit", "half(3)"),
    "after imports, seeds and lists": (
        "import random\nfrom math import pi\nrandom.seed(3)\nxs = [1]\nsize = 8\nn = limit",
        "size",
    ),
}
NOT_GIVEN = {
    "what it reads": ("size = 8\nn = limit", "n"),
    "what follows on what may fail": ("n = 10 // limit\nsize = 8", "size"),
    "what is bound again": ("size = 8\nsize = limit", "size"),
    "what a branch binds again": ("size = 8\nif limit > 1: size = 9", "size"),
    "what a function of it binds again": (
        "size = 8\ndef put():\n    global size\n    size = limit\nput()",
        "size",
    ),
    "what a function of another cell binds again": ("size = 8\nput_size(limit)", "size"),
    "what a text binds again": ("size = 8\nexec('size = limit')", "size"),
    "what a text that is put together binds again": (
        "size = 8\ntext = 'size = '\nexec(text + 'limit')",
        "size",
    ),
    "what a magic binds again": ("size = 8\n%time size = limit", "size"),
    "a list, which may be changed": ("xs = [1]\nxs.append(limit)", "xs"),
    "a function that holds a list": ("xs = [1]\ndef f(v=xs): return v\nxs.append(limit)", "f()"),
    "what a module binds again": ("pi = 8\nn = limit\nfrom math import *", "pi"),
    "what a loop binds": ("size = 8\nfor size in [limit]: pass", "size"),
    "what is deleted": ("size = 8\nif limit > 1: del size", "size"),
}
PUT = "def put_size(value):\n    global size\n    size = value"


def stale(kernel: Kernel, writes: str, reads: str) -> set[int]:
    """Step 2 is stale: what it reads is another one now."""
    cells = (f"limit = 1\n{PUT}", writes, f"q = {reads}", f"limit = 2\n{PUT}")
    for number in (1, 2, 3):
        assert kernel.say(f"%%step Cell {number}\n{cells[number - 1]}", f"cell-{number}") is None
    assert kernel.say(f"%%step Cell 1\n{cells[3]}", "cell-1") is None
    return {step["number"] for step in kernel.marks() if step["stale"]}


@pytest.mark.parametrize("case", GIVEN)
def test_what_a_step_binds_whatever_it_reads_makes_no_reader_stale(kernel: Kernel, case: str):
    assert stale(kernel, *GIVEN[case]) == {2}


@pytest.mark.parametrize("case", NOT_GIVEN)
def test_what_it_may_bind_otherwise_makes_its_readers_stale(kernel: Kernel, case: str):
    assert stale(kernel, *NOT_GIVEN[case]) == {2, 3}


def test_what_is_imported_below_its_use_is_not_there_in_a_run_from_the_top(kernel: Kernel):
    above, below = (
        "from math import floor\nn = floor(7.5)",
        "n = floor(7.5)\nfrom math import floor",
    )
    for cell, body in (("cell-1", above), ("cell-2", "m = floor(3.5)"), ("cell-1", below)):
        assert kernel.say(f"%%step Cell {cell[-1]}\n{body}", cell) is None

    assert {step["number"] for step in kernel.marks() if step["stale"]} == {1, 2}
