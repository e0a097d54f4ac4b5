"""Code and functions run with the notebook's names; a failure points at the line."""

import asyncio
import linecache
import os
import sys
import threading

import pytest

from wfnb.tools.children import bearing
from wfnb.tools.evaluate import REMEMBERED, call_of
from wfnb.tools.perform import StillRunning, perform
from wfnb.tools.python import PYTHON

from .calls import cancelled, context_of, done, fields

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


@pytest.mark.parametrize("process", [False, True])
def test_a_failure_has_its_type_its_line_its_message_and_the_way_to_it(process):
    code = "def f(n):\n    return n / 0\n\nprint('here')\nf(1)"

    result = fields(PYTHON, code=code, process=process)

    trace = [line for line in result.pop("traceback").splitlines() if "~" not in line]
    assert result == {
        "success": False,
        "error": "ZeroDivisionError: division by zero (line 2: return n / 0)",
        "error_type": "ZeroDivisionError",
        "stdout": "here\n",
        "stderr": "",
    }
    assert trace == [
        "Traceback (most recent call last):",
        '  File "<code>", line 5, in <module>',
        "    f(1)",
        '  File "<code>", line 2, in f',
        "    return n / 0",
        "ZeroDivisionError: division by zero",
    ]


ERRORS = [
    ("x = 1\n\nx = 1/0", "ZeroDivisionError: division by zero (line 3: x = 1/0)"),
    (
        "import json\njson.loads('{')",
        "JSONDecodeError: Expecting property name enclosed in double quotes: "
        "line 1 column 2 (char 1) "
        "(line 2: json.loads('{'))",
    ),
    ("if 1:\n  x = = 2", "SyntaxError: invalid syntax (line 2: x = = 2)"),
    ("if 1:\nx = 2", "IndentationError: expected an indented block after 'if' st"),
    (
        "import asyncio\nawait asyncio.sleep(0)\nno",
        "NameError: name 'no' is not defined (line 3: no)",
    ),
    ("raise ValueError", "ValueError (line 1: raise ValueError)"),
    ("eval('1 +')", "SyntaxError: invalid syntax (<string>, line 1) (line 1: eval('1 +'))"),
    (
        "f = lambda: 1/0\ntry:\n  f()\nexcept OSError: pass",
        "ZeroDivisionError: division by zero (line 1: f = lambda: 1/0)",
    ),
    (
        "1/0 # " + "x" * 200,
        "ZeroDivisionError: division by zero (line 1: 1/0 # " + "x" * 74 + "…)",
    ),
]


@pytest.mark.parametrize(("code", "error"), ERRORS)
def test_an_error_names_the_line_of_the_code(code, error):
    result = fields(PYTHON, code=code)

    assert result["error"].startswith(error)
    assert fields(PYTHON, code=code) == result


def test_the_way_to_it_has_only_the_users_own_lines():
    code = "import json\ntry:\n    json.loads('{')\nexcept ValueError:\n    1 / 0"

    trace = fields(PYTHON, code=code)["traceback"]

    assert [line.strip() for line in trace.splitlines() if line.startswith("  File")] == [
        'File "<code>", line 3, in <module>',
        'File "<code>", line 5, in <module>',
    ]
    assert "During handling of the above exception" in trace


def test_a_function_of_a_cell_is_told_without_the_cells_temporary_file(tmp_path):
    file = str(tmp_path / "ipykernel_4711" / "123456.py")
    source = "def clean(rows):\n    return rows / 0\n"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names: dict[str, object] = {}
    exec(compile(source, file, "exec"), names)

    result = fields(PYTHON, context_of(namespace=names), function="clean", args=[1])

    said = "ZeroDivisionError: division by zero (clean, line 2: return rows / 0)"
    assert result["error"] == said
    assert '  File "<cell>", line 2, in clean' in result["traceback"]
    assert "ipykernel" not in result["traceback"]


def test_the_lines_of_old_code_are_forgotten():
    def kept():
        return [name for name in linecache.cache if name.startswith("<python ")]

    for number in range(2 * REMEMBERED):
        call_of(f"x = {number}", {}, {})

    result = fields(PYTHON, code="oh = 'the last'\nno_such_name")

    assert len(kept()) == REMEMBERED
    assert "    no_such_name" in result["traceback"]


FAILURES = [
    ({"code": "x ="}, "SyntaxError", "line 1"),
    ({"code": "\n\nawait nothing"}, "NameError", "line 3"),
    ({"code": "import sys\nsys.exit(3)"}, "SystemExit", "line 2"),
    ({"code": "raise KeyboardInterrupt"}, "KeyboardInterrupt", "line 1"),
    ({"code": "next(iter(()))"}, "StopIteration", "line 1"),
    ({"code": "'a\\0'\nraise ValueError('\\ud800')"}, "ValueError", "line 2"),
    ({"function": "math.sqrt", "args": [-1]}, "ValueError", "math domain error"),
    ({"function": "json.loads", "args": ["{"]}, "JSONDecodeError", "line 1 column 2 (char 1)"),
]


@pytest.mark.parametrize(("params", "kind", "trace"), FAILURES)
def test_whatever_code_raises_is_a_failure(params, kind, trace):
    result = fields(PYTHON, **params)

    assert (result["success"], result["error_type"]) == (False, kind)
    assert trace in result["traceback"]
    assert "wfnb/tools" not in result["traceback"]


REFUSED = [
    ({}, "Give one of `code`, `function` and `step`."),
    ({"code": "1", "function": "f"}, "Give one of `code`, `function` and `step`."),
    ({"code": "1", "step": 1}, "Give one of `code`, `function` and `step`."),
    ({"function": "f", "step": 1}, "Give one of `code`, `function` and `step`."),
    ({"code": "1", "branch": "alt"}, "A `branch` goes with the `step` that is on it."),
    ({"step": 1, "args": [1]}, "Code takes no `args`: `arguments` become names that it finds"),
    ({"step": 0}, "python: step should be greater than or equal to 1."),
    ({"step": 1}, "There are no steps here whose code could be run."),
    ({"code": "1", "args": [1]}, "Code takes no `args`: `arguments` become names that it finds"),
    ({"function": "nothing"}, "No function is called 'nothing': the notebook has no such name."),
    ({"function": "no.such"}, "No function is called 'no.such': there is no such module or name."),
    ({"function": "math.no"}, "No function is called 'math.no': there is no 'no'."),
    ({"function": "math.pi"}, "'math.pi' is no function but a float."),
    ({"function": ".a"}, "No function is called '.a': there is no such module or name."),
]


@pytest.mark.parametrize(("params", "said"), REFUSED)
def test_a_call_that_means_nothing_is_a_failure_that_says_so(params, said):
    result = fields(PYTHON, **params)

    assert not result["success"]
    assert result["error"].startswith(said)


def test_code_that_is_cancelled_stops():
    names = {}
    code = "try:\n    print('here')\n    while True: pass\nfinally:\n    left = True"

    task, _ = done(cancelled(PYTHON, {"code": code}, "here", namespace=names))

    assert task.cancelled()
    assert names["left"] is True


def test_awaiting_code_that_is_cancelled_stops():
    code = "import asyncio\nprint('here')\nawait asyncio.Event().wait()"

    task, _ = done(cancelled(PYTHON, {"code": code}, "here"))

    assert task.cancelled()


def test_awaiting_code_that_does_not_stop_is_reported():
    code = (
        "import asyncio\nprint('here')\nwhile not go.is_set():\n"
        "    try:\n        await go.wait()\n    except asyncio.CancelledError:\n        pass"
    )

    async def called():
        go = asyncio.Event()
        task, _ = await cancelled(PYTHON, {"code": code}, "here", namespace={"go": go})
        go.set()
        return task.exception()

    assert isinstance(done(called()), StillRunning)


def test_code_in_a_process_that_is_cancelled_is_killed_with_what_it_started():
    starts = "import subprocess, time\nsubprocess.Popen(['sleep', '600'])"
    code = f"{starts}\nprint('here')\ntime.sleep(600)"

    task, context = done(cancelled(PYTHON, {"code": code, "process": True}, "here"))

    assert task.cancelled()
    assert bearing(context.mark) == frozenset()


def test_a_process_runs_in_the_folder_of_the_notebook(tmp_path):
    result = fields(PYTHON, context_of(tmp_path), function="os.getcwd", process=True)

    assert result["result"] == os.path.realpath(tmp_path)
