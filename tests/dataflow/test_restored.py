"""What was brought back has the version that it had when it was kept, whatever ran since."""

import json

import pytest

from tests.dataflow.kernel import Kernel
from wfnb.jupyter.resume import ask

READS = "%%step --number 9 Use\nused = list({})"
FILE = "x = [len(Path('data').read_text())]"
STORIES: dict[str, tuple[tuple[str, ...], str, str]] = {
    "an attempt that was to keep nothing": (
        (f"%%step 1 Load --keep x\n{FILE}", "write(2)", f"%%step 1 Load\n{FILE}"),
        "%wfnb restore 1",
        "x",
    ),
    "an attempt that failed": (
        (
            f"%%step 1 Load --keep x\n{FILE}\nassert x == [1]",
            "write(2)",
            f"%%step 1 Load --keep x\n{FILE}\nassert x == [1]",
        ),
        "%wfnb restore 1",
        "x",
    ),
    "a constant that a function needs": (
        (
            "%%step 1 Limit\nlimit = 'ab'",
            "%%step 2 Function --keep f\ndef f(): return limit",
            "%%step 3 Another limit --keep z\nlimit = 'cd'\nz = [1]",
            "del limit, f, z",
        ),
        "%wfnb restore 3",
        "limit",
    ),
    "a name that shares an object, and was kept along": (
        (
            "%%step 1 Both --keep a,b\na = [1]\nb = a",
            "a.append(5)",
            "%%step 2 Third --keep c\nc = a",
            "%%step 1 Both --keep a,b\na = [1]\nb = a",
        ),
        "%wfnb restore 2",
        "b",
    ),
    "one of two that shared an object": (
        (
            "%%step 1 Both --keep a,b\na = [1]\nb = [a]",
            "del b",
        ),
        "%wfnb restore 1 b",
        "b",
    ),
    "a function with a cache": (
        (
            "from functools import cache\nimport random\nrandom.seed(1)",
            "%%step 1 Both --keep f\n@cache\ndef f(): return [random.random()]\nx = f()",
            "del f",
        ),
        "%wfnb restore 1",
        "f()",
    ),
    "what a program kept": (
        (
            "import os, wfnb",
            "%%step 1 Make\na = [1]",
            "wfnb.open('demo').values.keep(1, {'a': [7]})",
        ),
        "%wfnb restore 1",
        "a",
    ),
}


@pytest.fixture
def kernel(kernel: Kernel) -> Kernel:
    kernel.say("from pathlib import Path\ndef write(n): Path('data').write_text('.' * n)\nwrite(1)")
    return kernel


@pytest.mark.parametrize("story", STORIES)
def test_what_reads_another_value_than_its_line_gives_is_stale(kernel: Kernel, story: str):
    cells, restore, name = STORIES[story]
    for at, cell in enumerate(cells):
        kernel.say(cell, f"cell-{at}")
    assert kernel.say(restore) is None

    seen, answer = kernel.run(READS.format(name), "cell-use")

    assert seen.error is None
    assert answer is not None
    assert answer["stale_steps"][-1:] == [9]


def test_what_a_pattern_kept_has_the_version_that_it_had(kernel: Kernel):
    kernel.say("%wfnb keep 'model*'")
    kernel.say("%%step 1 Models\nmodel = [1]\nmodels = [model]", "cell-1")
    kernel.say("%%step 2 Other\ny = 1", "cell-2")
    kernel.restart()
    assert kernel.say("%wfnb restore 2") is None

    _, answer = kernel.run(READS.format("models"), "cell-use")

    assert answer is not None
    assert "stale_steps" not in answer


def test_a_cell_is_not_skipped_for_what_an_earlier_attempt_kept(kernel: Kernel):
    cells = {"a": f"%%step Load\n{FILE}", "b": "%%step Use\ny = x + [1]"}
    ask(json.dumps({"begin": True}))  # from here on steps keep all that they assign
    for id, source in cells.items():
        kernel.run(source, id)
    ask(json.dumps({"end": True}))
    kernel.say("write(2)")
    for id, source in cells.items():
        kernel.run(source, id)
    kernel.restart()

    ask(json.dumps({"begin": True}))
    told = [ask(json.dumps({"ask": {"id": id, "source": s}})) for id, s in cells.items()]

    assert [reply["run"] for reply in told] == [True, True]


def test_names_that_share_an_object_and_are_restored_together_have_their_versions(kernel: Kernel):
    kernel.say("%%step 1 Both --keep a,b\na = [1]\nb = [a]", "cell-1")
    kernel.say("del a, b")
    assert kernel.say("%wfnb restore 1 b a") is None

    _, answer = kernel.run(READS.format("b"), "cell-use")

    assert answer is not None
    assert "stale_steps" not in answer


def test_a_step_does_not_read_what_the_session_keeps_of_all_steps(kernel: Kernel):
    assert kernel.say("%wfnb keep rain dry") is None
    for number, body in enumerate(("rain = [3, 0]", "dry = [r for r in rain if r == 0]"), 1):
        assert kernel.say(f"%%step Part {number}\n{body}", f"cell-{number}") is None

    assert kernel.say("%%step --revises 1 More\nrain = rain + [0]", "cell-3") is None
    assert kernel.say("%wfnb run-stale") is None

    assert not any(step["stale"] for step in kernel.marks())
    kernel.restart()
    assert kernel.say("%wfnb restore 3") is None
    assert kernel.shell is not None
    assert kernel.shell.user_ns["rain"] == [3, 0, 0]
