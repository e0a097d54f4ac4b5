"""Code and functions run with the notebook's names, and what they print is kept."""

import asyncio
import os
import sys
import threading

import pytest

from wfnb.workflows.tools.python import PYTHON
from wfnb.workflows.tools.tool_execution import perform

from .calls import context_of, done, fields

QUIET = {"stdout": "", "stderr": ""}

VALUES = [
    ({"code": "1 + 1"}, 2),
    ({"code": "x = 3\nx * 2"}, 6),
    ({"code": "x = 3"}, None),
    ({"code": ""}, None),
    ({"code": "# only words"}, None),
    ({"code": "import asyncio\nawait asyncio.sleep(0, 'late')"}, "late"),
    ({"code": "import asyncio\nx = await asyncio.sleep(0, 2)\nx + 1"}, 3),
    ({"code": "[a, b]", "arguments": {"a": 1, "b": [2]}}, [1, [2]]),
    ({"code": "{'success': False}"}, {"success": False}),
    ({"code": "def f(n):\n    return n and n * f(n - 1) or 1\nf(5)"}, 120),
    ({"code": "__name__"}, "__main__"),
    ({"function": "math.hypot", "args": [3, 4]}, 5.0),
    ({"function": "os.path.join", "args": ["a", "b"]}, "a/b"),
    ({"function": "builtins.dict", "arguments": {"a": 1}}, {"a": 1}),
    ({"function": "asyncio.sleep", "args": [0, "slept"]}, "slept"),
]


@pytest.mark.parametrize(("params", "value"), VALUES)
def test_the_value_of_the_last_line_or_of_the_function_is_the_result(params, value):
    assert fields(PYTHON, **params) == {"success": True, "result": value, **QUIET}


@pytest.mark.parametrize(("params", "value"), VALUES)
def test_it_is_the_same_in_a_process_of_its_own(params, value):
    assert fields(PYTHON, **params, process=True) == {"success": True, "result": value, **QUIET}


def test_code_sees_and_sets_the_names_of_the_notebook():
    names = {"x": 2}

    fields(PYTHON, context_of(namespace=names), code="y = x + z", arguments={"z": 3})

    assert (names["x"], names["y"], names["z"]) == (2, 5, 3)


def test_without_a_notebook_names_are_new_for_each_call():
    fields(PYTHON, code="x = 1")

    assert fields(PYTHON, code="x")["error_type"] == "NameError"


def test_a_function_of_the_notebook_is_called_by_its_name():
    async def double(n):
        return 2 * n

    names = {"double": double, "deep": {"a": 1}, "half": lambda n: n / 2}
    context = context_of(namespace=names)

    assert fields(PYTHON, context, function="double", arguments={"n": 4})["result"] == 8
    assert fields(PYTHON, context, function="half", args=[4])["result"] == 2
    assert fields(PYTHON, context, function="deep.get", args=["a"])["result"] == 1


def test_a_process_has_copies_of_the_names_that_are_used():
    names = {"x": [1], "hangs": threading.Lock(), "twice": lambda xs: xs * 2}
    context = context_of(namespace=names)

    result = fields(PYTHON, context, code="x.append(2)\ntwice(x)", process=True)

    assert result["result"] == [1, 2, 1, 2]
    assert names["x"] == [1]
    assert fields(PYTHON, context, function="twice", args=["a"], process=True)["result"] == "aa"


def test_a_name_that_cannot_travel_is_a_failure():
    context = context_of(namespace={"lock": threading.Lock()})

    result = fields(PYTHON, context, code="lock.locked()", process=True)

    assert result["error"].startswith("it cannot be taken to another process (")


def test_what_is_printed_is_kept_and_said_and_goes_nowhere_else(capsys):
    said = []
    code = (
        "import sys\nprint('out')\nprint('err', file=sys.stderr)\nsys.stdout.writelines(['a', 'b'])"
    )

    result = fields(PYTHON, context_of(said=said), code=code)

    assert (result["stdout"], result["stderr"]) == ("out\nab", "err\n")
    assert "".join(said) == "out\nerr\nab"
    assert capsys.readouterr() == ("", "")


def test_what_others_print_meanwhile_is_not_taken(capsys):
    go, gone = threading.Event(), threading.Event()
    names = {"go": go, "gone": gone}
    stdout = sys.stdout

    def prints():
        go.wait()
        print("mine")
        gone.set()

    thread = threading.Thread(target=prints)
    thread.start()
    code = "print('before')\ngo.set()\ngone.wait()\nprint('after')"
    result = fields(PYTHON, context_of(namespace=names), code=code)
    thread.join()

    assert result["stdout"] == "before\nafter\n"
    assert capsys.readouterr().out == "mine\n"
    assert sys.stdout is stdout


def test_two_calls_at_a_time_hear_each_its_own():
    barrier = threading.Barrier(2)
    context = context_of(namespace={"meet": barrier.wait})

    async def called():
        work = [
            perform(PYTHON, {"code": f"meet()\nprint({n})\nmeet()\nprint({n})\nmeet()"}, context)
            for n in (1, 2)
        ]
        return [result["stdout"] for result in await asyncio.gather(*work)]

    assert done(called()) == ["1\n1\n", "2\n2\n"]


def test_in_a_process_too_what_is_printed_is_kept_and_said():
    said = []

    result = fields(PYTHON, context_of(said=said), code="print('out')\n1/0", process=True)

    assert (result["stdout"], result["error_type"]) == ("out\n", "ZeroDivisionError")
    assert "".join(said) == "out\n"


def test_in_a_process_what_its_children_print_is_kept_too():
    code = "import os, sys\nprint('first')\nos.system('echo out; echo err >&2')\nprint('last')"

    result = fields(PYTHON, code=code, process=True)

    assert (result["stdout"], result["stderr"]) == ("first\nout\nlast\n", "err\n")


def test_a_process_runs_in_the_folder_of_the_notebook(tmp_path):
    result = fields(PYTHON, context_of(tmp_path), function="os.getcwd", process=True)

    assert result["result"] == os.path.realpath(tmp_path)
