"""How a step ended is how its cell ended: ok, failed, interrupted, or not known."""

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel

AWAITING = (
    "import asyncio\nprint('waiting', flush=True)\nwhile True:\n    await asyncio.sleep(0.02)"
)
BLOCKING = "import threading\nprint('waiting', flush=True)\nthreading.Event().wait(60)"


@pytest.mark.parametrize(
    ("body", "outcome", "error"),
    [
        ("1", "ok", None),
        ("1/0", "failed", "ZeroDivisionError: division by zero"),
        ("raise ValueError", "failed", "ValueError"),
        ("raise SystemExit(3)", "failed", "SystemExit: 3"),
        ("import sys\nsys.exit()", "failed", "SystemExit"),
        ("raise KeyboardInterrupt", "interrupted", "KeyboardInterrupt"),
        ("import asyncio\nraise asyncio.CancelledError", "interrupted", "CancelledError"),
        ("raise ExceptionGroup('two', [ValueError(1)])", "failed", "ExceptionGroup: two (1 sub-ex"),
        ("raise RuntimeError(object())", "failed", "RuntimeError: <object object at 0x…>"),
        ("raise ValueError('x' * 10**6)", "failed", "ValueError: xxx"),
        ("raise ValueError('a\\x00b\\nc\\x1b[31m')", "failed", "ValueError: a"),
        ("import asyncio\nawait asyncio.sleep(0)\n1/0", "failed", "ZeroDivisionError: division"),
        ("!exit 3", "ok", None),
        ("get_ipython().run_cell('1/0')", "ok", None),
        ("try:\n    1/0\nexcept ZeroDivisionError:\n    pass", "ok", None),
        ("no_such_name", "failed", "NameError: name 'no_such_name' is not defined"),
        ("import no_such_module", "failed", "ModuleNotFoundError: No module named 'no_such_modul"),
        ("assert 1 == 2, 'they differ'", "failed", "AssertionError: they differ"),
    ],
    ids=lambda value: None if value is None else value.splitlines()[-1][:32],
)
def test_a_step_ends_as_its_cell_does(kernel: Kernel, body: str, outcome: str, error: str | None):
    kernel.run(f"%%step Try\n{body}")

    ((number, ended, said),) = kernel.steps("number", "outcome", "error")
    assert (number, ended) == (1, outcome)
    assert (said or "").startswith(error or "")
    assert len(said or "") <= 300


def test_an_error_that_cannot_be_printed_is_an_error(kernel: Kernel):
    kernel.ok("class Mute(Exception):\n    def __str__(self):\n        raise TypeError('mute')")

    kernel.run("%%step Try\nraise Mute")

    assert kernel.steps("outcome") == ["failed"]
    assert kernel.ok("1").stderr == ""


@pytest.mark.parametrize("body", [AWAITING, BLOCKING], ids=["awaiting", "blocking"])
def test_an_interrupt_is_recorded(kernel: Kernel, body: str):
    ran = kernel.interrupted(f"%%step Wait for it\n{body}")

    assert ran.status == "error"
    assert ran.answer["outcome"] == "interrupted"
    assert kernel.steps("outcome", "attempts") == [("interrupted", 1)]


def test_an_interrupted_step_can_be_run_again(kernel: Kernel):
    kernel.interrupted(f"%%step 1 Wait for it\n{BLOCKING}")

    kernel.ok("%%step 1 Wait for it\n1")

    assert kernel.steps("number", "outcome", "attempts") == [(1, "ok", 2)]


def test_an_interrupt_ends_the_inner_step_and_the_outer_one(kernel: Kernel):
    inner = f"%%step Inner\n{BLOCKING}"

    kernel.interrupted(f"%%step Outer\nget_ipython().run_cell({inner!r}).raise_error()")

    assert kernel.steps("description", "outcome") == [
        ("Outer", "interrupted"),
        ("Inner", "interrupted"),
    ]


def test_a_step_shows_as_running_while_it_runs(kernel: Kernel):
    ran = kernel.ok("%%step Look\n%wfnb status")

    last = ran.shown[0]["text/plain"].splitlines()[-1]
    assert last.split() == ["1", "Look", "main", "▶", "running"]
    assert kernel.steps("outcome") == ["ok"]


def test_a_result_is_kept_in_a_few_words(kernel: Kernel):
    kernel.ok("%%step A number\n6 * 7")
    kernel.ok("%%step A list\nlist(range(1000))")
    kernel.ok("%%step An object\nobject()")
    kernel.ok("%%step Nothing\nNone")

    assert kernel.steps("result") == ["42", "[0, 1, 2, 3, 4, 5, ...]", "object", None]


def test_a_number_of_numpy_is_told_as_its_cell_shows_it(kernel: Kernel):
    kernel.ok("import numpy as np")
    for code in ("np.int64(1935)", "np.float32(0.5)", "np.arange(3).max() > 1"):
        ran = kernel.ok(f"%%step A number\n{code}")

        assert kernel.steps("result")[-1] == ran.value


def test_a_result_whose_own_code_fails_is_told_by_its_type(kernel: Kernel):
    kernel.ok("class Odd:\n    shape = property(lambda self: 1/0)")

    kernel.run("%%step An object\nOdd()")
    kernel.run("%%step A long number\n10**5000")

    assert kernel.steps("result") == ["Odd", "int"]


def test_named_values_are_those_at_the_end(kernel: Kernel):
    code = "%%step Fit --value rmse --value twice=rmse*2 --value lost\nrmse = 0.25\nrmse = 0.5"

    ran = kernel.ok(code)

    assert ran.answer["values"] == {"rmse": 0.5, "twice": 1.0, "lost": None}


def test_a_step_that_failed_has_no_named_values_for_they_may_be_of_another(kernel: Kernel):
    kernel.ok("rmse = 0.01")

    ran = kernel.run("%%step Fit --value rmse\n1/0")

    assert ran.answer["outcome"] == "failed"
    assert "values" not in ran.answer


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("None", None),
        ("float('nan')", "nan"),
        ("float('inf')", "inf"),
        ("10**30", 10**30),
        ("True", True),
        ("'a\\x00b'", "a␀b"),
        ("b'bytes'", "b'bytes'"),
        ("object()", "object"),
        ("{'a': [1]}", "{'a': [1]}"),
        ("'\\ud800'", "\\ud800"),
        ("10**5000", "int"),
        ("'x' * 10**6", "x" * 200),
        ("__import__('numpy').float64(0.5)", 0.5),
        ("__import__('numpy').zeros((2, 3))", "[[0. 0. 0.] [0. 0. 0.]]"),
        ("__import__('numpy').zeros((20, 3))", "ndarray (20, 3)"),
        ("__import__('numpy').array([object(), 1])", "ndarray (2,)"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_any_value_can_be_named(kernel: Kernel, value: str, kept: object):
    ran = kernel.ok(f"%%step Fit --value found\nfound = {value}")

    assert ran.stderr == ""
    assert ran.answer["outcome"] == "ok"
    assert ran.answer["values"] == {"found": kept}


def test_several_values_may_be_named_in_one_word(kernel: Kernel):
    ran = kernel.ok("%%step Fit --value low,high --value 'both=(low, high)'\nlow, high = 1, 2")

    assert ran.answer["values"] == {"low": 1, "high": 2, "both": "(1, 2)"}


@pytest.mark.parametrize(
    ("code", "ends"),
    [
        ("%%step One\nif True:\n    %step Two\n    1/0", [("One", "ok"), ("Two", "failed")]),
        (
            "%%step One\nif True:\n    %step Two\n    1/0\n%step Three\n# said",
            [("One", "ok"), ("Two", "failed")],
        ),
        (
            "for n in (1, 0):\n    get_ipython().run_line_magic('step', f'By {n}')\n    1/n",
            [("By 1", "ok"), ("By 0", "failed")],
        ),
        (
            "%%step One\nfor n in (1, 0):\n    %step Same\n    1/n\n%step Same\n# said",
            [("One", "ok"), ("Same", "ok"), ("Same", "failed")],
        ),
        (
            "%%step One\n%step Two\n# said\n%step Two\n1/0",
            [("One", "ok"), ("Two\n\nsaid", "ok"), ("Two", "failed")],
        ),
    ],
    ids=["indented", "indented-before-another", "by-a-program", "one-title", "reasoning-between"],
)
def test_a_step_opened_inside_other_code_ends_as_that_code_does(
    kernel: Kernel, code: str, ends: list[tuple[str, str]]
):
    kernel.run(code)

    assert kernel.steps("description", "outcome") == ends


def test_a_step_undone_within_its_cell_does_not_refuse_the_next(kernel: Kernel):
    ran = kernel.ok("%%step A\nx = 1\n%wfnb undo\n%step B\ny = 1\ny")

    assert ran.value == "1"
    assert ran.stderr.startswith("wfnb: ")
    assert kernel.steps("description", "outcome") == [("B", "ok")]


@pytest.mark.parametrize("title", ["Fit", "Fit\n# said"], ids=["code", "words"])
def test_a_named_expression_is_evaluated_once(kernel: Kernel, title: str):
    kernel.ok("calls = []\ndef asked():\n    calls.append(1)\n    return len(calls)")
    body = "" if "#" in title else "\nx = 1"

    ran = kernel.ok(f"%%step --value a=asked() {title}{body}")

    assert ran.answer["values"] == {"a": 1}
    assert kernel.ok("len(calls)").value == "1"


def test_what_cannot_be_seen_in_an_error_or_a_value_is_shown_as_a_sign(kernel: Kernel):
    ran = kernel.run("%%step Fit --value v\nv = 'a\\x9bb\\u202ec'")
    kernel.run("%%step Fail\nraise ValueError(v)")

    assert ran.answer["values"] == {"v": "a⟨U+009B⟩b⟨U+202E⟩c"}
    assert kernel.steps("error") == [None, "ValueError: a⟨U+009B⟩b⟨U+202E⟩c"]
