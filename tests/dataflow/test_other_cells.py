"""What other cells have to do with a step: their functions call what it defines, and a cell of an
earlier kernel gave a name that it lacks now."""

import pytest

from tests.dataflow.kernel import Kernel

CALLING: dict[str, tuple[str, ...]] = {
    "a function": ("def call(): return f()", "def f(): return k[0]\ny = call()"),
    "a method": (
        "class Caller:\n    def call(self): return f()",
        "def f(): return k[0]\na = Caller()\ny = a.call()",
    ),
    "a class": ("def call(): return F().n", "class F:\n    n = k[0]\ny = call()"),
    "a method of a new object": (
        "def call(): return a.f()",
        "class A:\n    def f(self): return k[0]\na = A()\ny = call()",
    ),
    "through two cells": (
        "def call(): return f()",
        "def between(): return g()",
        "def f(): return between()\ndef g(): return k[0]\ny = call()",
    ),
}
BINDING: dict[str, tuple[str, str]] = {
    "a function": ("def call(): return k", "k = [2]\ny = call()"),
    "in a loop": ("def call(): return k", "for n in [1, 2]:\n    k = [n]\ny = call()"),
    "a method": (
        "class Caller:\n    def call(self): return k",
        "k = [2]\na = Caller()\ny = a.call()",
    ),
    "a change": ("def call(): k.append(1)", "k = []\ncall()\ny = len(k)"),
}


def run(kernel: Kernel, number: int, code: str) -> str | None:
    return kernel.say(f"%%step --number {number} Cell\n{code}", f"cell-{number}")


def stale(kernel: Kernel) -> list[int]:
    return [step["number"] for step in kernel.marks() if step["stale"]]


@pytest.mark.parametrize("name", CALLING)
def test_what_a_cell_defines_reads_where_a_function_of_another_cell_calls_it(
    kernel: Kernel, name: str
):
    cells = ("k = [1]", *CALLING[name])
    for number, code in enumerate(cells, 1):
        run(kernel, number, code)

    run(kernel, 1, "k = [2]")

    assert stale(kernel) == [len(cells)]


@pytest.mark.parametrize("name", BINDING)
def test_a_function_of_another_cell_reads_what_the_cell_bound_before_the_call(
    kernel: Kernel, name: str
):
    for number, code in enumerate(BINDING[name] * 2):
        run(kernel, number % 2 + 1, code)

    assert stale(kernel) == []


def test_what_a_step_gives_is_not_known_where_it_fails_for_want_of_what_an_old_kernel_had(
    kernel: Kernel,
):
    kernel.say("unit = 3", "cell-plain")
    run(kernel, 1, "b = [1]")
    run(kernel, 2, "c = len(b)")
    kernel.restart()

    error = run(kernel, 1, "b = [1]\nb.append(unit)")

    assert (error, stale(kernel)) == ("NameError", [1, 2])


def test_undo_takes_nothing_back_of_what_cells_give_that_are_no_steps(kernel: Kernel):
    kernel.say("unit = 3", "cell-plain")
    run(kernel, 1, "b = unit")
    run(kernel, 2, "c = b")
    kernel.say("unit = 4", "cell-plain")
    assert stale(kernel) == [1, 2]

    kernel.say("%wfnb undo")

    assert stale(kernel) == [1]
    kernel.say("%wfnb redo")
    assert stale(kernel) == [1, 2]


def test_nor_where_no_step_ran_in_the_old_kernel(kernel: Kernel):
    kernel.say("unit = 3", "cell-plain")
    kernel.restart()

    run(kernel, 1, "b = [1]\nb.append(unit)")
    run(kernel, 2, "c = len(b)")

    assert stale(kernel) == [1, 2]


def test_what_a_step_gives_is_known_where_it_fails_for_want_of_what_no_kernel_had(kernel: Kernel):
    run(kernel, 1, "b = [1]")
    run(kernel, 2, "c = len(b)")

    error = run(kernel, 1, "b = [1]\nb.append(unit)")

    assert (error, stale(kernel)) == ("NameError", [])


CHANGING: dict[str, tuple[str, ...]] = {
    "a closure, that holds what another one reads": (
        "def counter():\n    n = 0\n    def add():\n        nonlocal n\n        n += 1\n"
        "    return add, lambda: n",
        *("add, total = counter()", "add()", "total()"),
    ),
    "an object that can be called": (
        "class Counter:\n    n = 0\n    def __call__(self): self.n += 1",
        *("add = Counter()", "add()", "add.n"),
    ),
    "a function that others are registered with": (
        "from functools import singledispatch\n@singledispatch\ndef show(x): return 'any'",
        *("n = 1", "@show.register\ndef of_int(x: int): return 'int'", "show(n)"),
    ),
    "a generator of random numbers": (
        *("import random", "n = 1", "random.seed(1)", "random.random() < n"),
    ),
    "a setting": ("import numpy as np", "n = 1", "np.set_printoptions(2)", "np.array([n / 3])"),
    "what has another name": ("n = []\ndef add(): n.append(1)", "m = n", "add()", "len(m)"),
}


@pytest.mark.parametrize("what", CHANGING)
def test_a_step_that_failed_for_want_of_a_name_would_change_what_it_changes_with_it(
    kernel: Kernel, what: str
):
    for number in (3, 1, 2, 4):
        run(kernel, number, CHANGING[what][number - 1])
    assert stale(kernel) == [3, 4]

    for number, code in enumerate(CHANGING[what], 1):
        run(kernel, number, code)

    assert stale(kernel) == []


LATER = {
    "a number": ("a = 1", "a = 2", "a + 1"),
    "a name that was not there": ("b = 1", "a = 2", "a + 1"),
    "a list": ("a = [1]", "a.append(2)", "len(a)"),
    "another list": ("a = [1]", "a = [1, 2]", "len(a)"),
    "an object": ("class A: pass\na = A()\na.n = 1", "a.n = 2", "a.n"),
    "a class": ("class a:\n    n = 1", "a.n = 2", "a.n"),
    "a frame": ("import pandas as pd\na = pd.DataFrame({'n': [1]})", "a['m'] = 2", "a.shape"),
    "a function": ("def a(): return 1", "a.__defaults__ = (1,)", "a()"),
}


@pytest.mark.parametrize("what", LATER)
def test_what_a_thread_changed_after_its_cell_is_of_no_line(kernel: Kernel, what: str):
    before, changes, reads = LATER[what]
    run(kernel, 1, f"{before}\nimport threading\ngo = threading.Event()")
    run(kernel, 2, f"def work():\n    global a\n    go.wait()\n    {changes}")
    run(kernel, 3, "t = threading.Thread(target=work)\nt.start()")
    assert stale(kernel) == []
    names = kernel.shell.user_ns
    names["go"].set()
    names["t"].join()

    run(kernel, 4, f"r = {reads}")

    assert stale(kernel) == [4]
