"""Code that fails: its type, its line, its message and the way to it."""

import linecache

import pytest

from wfnb.workflows.tools.evaluate import REMEMBERED, call_of
from wfnb.workflows.tools.python import PYTHON

from .calls import context_of, fields


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
    assert "wfnb/workflows/tools" not in result["traceback"]


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
