"""A change is ready once what failed is well: the same ran again, where it ran, and with a test."""

import pytest

from tests.jupyter.inquiry.test_look import (
    BY_PYTEST,
    CASE,
    FAIL,
    PASS,
    PROGRAM,
    TEST,
    examine_change,
    ready,
)
from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel

CALL = "%wfnb call shell command='{}'"
DOCKER = (
    "_ = open('docker', 'w').write('#!/bin/sh\\nshift 2\\nexec \"$@\"\\n')\n"
    "import os; os.chmod('docker', 0o755)"
)
"""What stands for a container: it runs what it is given."""
IN_DOCKER = f"!./docker run image {PROGRAM}"
MAKEFILE = f"_ = open('Makefile', 'w').write('test:\\n\\t{PROGRAM}\\n')"
OTHER = f"_ = open('test_b.py', 'w').write({CASE + PASS!r})"
FOLDER = "!mkdir other && printf 'import unittest\\nclass T(unittest.TestCase):\\n" + (
    "  def test_a(self): pass\\n' > other/test_parse.py"
)
LESS = "import os; os.environ['PYTEST_ADDOPTS'] = '--ignore=test_parse.py'"
ALL = BY_PYTEST.removesuffix(" test_parse.py")
TWIN = "import unittest\nwhat = [{0!r}]\nunittest.main({0!r}, argv=['x'], exit=False)"
CODE = "import unittest\nunittest.main(what, argv=['x'], exit=False)"
STORIES = {
    "a call after a call": ("", (CALL.format(PROGRAM), CALL.format("python parse.py")), False),
    "the same call": ("", (CALL.format(PROGRAM), PASS, CALL.format(PROGRAM)), True),
    "a cell after a call": ("", (CALL.format(PROGRAM), PASS, TEST), True),
    "a program after a container": (DOCKER, (IN_DOCKER, PASS, "!python parse.py"), False),
    "tests after those of a container": (DOCKER, (IN_DOCKER, PASS, TEST), False),
    "the same container": (DOCKER, (IN_DOCKER, PASS, IN_DOCKER), True),
    "a program after make": (MAKEFILE, ("!make test", PASS, "!python parse.py"), False),
    "make again": (MAKEFILE, ("!make test", PASS, "!make test"), True),
    "another folder": (FOLDER, (TEST, PASS, f"!cd other && {PROGRAM}"), False),
    "a folder that was changed to": (
        FOLDER,
        (TEST, PASS, f"%cd -q other\n{TEST}\n%cd -q .."),
        False,
    ),
    "a variable of the kernel": (
        OTHER,
        (f"!{ALL}", f"{LESS}\n!{ALL}\ndel os.environ['PYTEST_ADDOPTS']"),
        False,
    ),
    "a variable of a process": (
        OTHER,
        (
            f"!{ALL}",
            f"{LESS}\nwith_it = dict(os.environ)\ndel os.environ['PYTEST_ADDOPTS']",
            f"import subprocess\nsubprocess.run({ALL.split()}, env=with_it, check=True)",
        ),
        False,
    ),
    "a variable": ("", (TEST, PASS, f"!ONLY=some {PROGRAM}"), False),
    "a cell of the same first line": (
        "",
        (f"!python -m unittest -q test_b\n{TEST}", PASS, "!python -m unittest -q test_b"),
        False,
    ),
    "code of the same first line": (
        OTHER,
        (TWIN.format("test_parse"), TWIN.format("test_b")),
        False,
    ),
    "the same code over another text": (
        OTHER,
        ("what = 'test_parse'", CODE, "what = 'test_b'", CODE),
        False,
    ),
    "a terminal": (
        "",
        (
            "%%run_workflow typed\nsteps:\n- {id: open, tool: open_terminal}\n- {id: type, tool: "
            f"send_input, args: {{session_id: '{{open.session_id}}', input_text: {PROGRAM}}}}}",
            "!python parse.py",
        ),
        False,
    ),
    "a choice, then all": ("", (f"!{BY_PYTEST} -x -k test_a", PASS, f"!{BY_PYTEST}"), True),
    "all, then a choice": ("", (f"!{BY_PYTEST}", PASS, f"!{BY_PYTEST} --lf"), False),
    "a linter that always ends well": (
        "",
        (f"!{BY_PYTEST}", PASS, f"!{BY_PYTEST}", "!ruff check --exit-zero ."),
        False,
    ),
}


@pytest.mark.parametrize(("before", "cells", "is_ready"), STORIES.values(), ids=STORIES)
def test_what_failed_is_well_once_the_same_ran_again(
    debugging: Kernel, before: str, cells: tuple[str, ...], is_ready: bool
):
    debugging.ok(OTHER)
    debugging.ok(before)
    code, *more = cells

    answer = ready(debugging, code, FAIL, *more)

    assert (answer["next_step_needed"] is False) == is_ready


@pytest.mark.parametrize("back", ["%wfnb backtrack 3", "%step Back --backtrack 3"])
def test_a_failure_is_not_withdrawn_with_its_step(debugging: Kernel, back: str):
    ready(debugging, TEST, FAIL)
    debugging.ok(back)
    debugging.ok("!python parse.py")

    answer = debugging.ok("%step Ready --confidence certain --done").answer
    debugging.ok("_ = open('test_parse.py', 'w').write(" + repr(CASE + PASS) + ")")
    debugging.ok(TEST)
    mended = debugging.ok("%step Ready now --confidence certain --done").answer

    assert "tests without a failure after `unittest -q test_parse`" in str(answer)
    assert mended["next_step_needed"] is False


UNDONE = {
    "after a step that is undone": (("%step Next", TEST), 1),
    "in a step that is undone": ((f"%%step Tests\n{TEST}",), 1),
    "in a step that ran again": ((f"%%step Tests\n{TEST}", f"%%step Tests\n{TEST}"), 2),
    "twice as far back": (("%step Next", TEST, "%step After"), 2),
    "by its author": (("%step Next", TEST), "%wfnb undo --by notebook --since 7"),
}


@pytest.mark.parametrize(("cells", "times"), UNDONE.values(), ids=UNDONE)
@pytest.mark.parametrize("again", [False, True])
def test_a_failure_is_not_undone(
    debugging: Kernel, cells: tuple[str, ...], times: int | str, again: bool
):
    examine_change(debugging, "!python parse.py", FAIL)
    for cell in cells:
        debugging.run(cell)
    for undo in ["%wfnb undo"] * times if isinstance(times, int) else [times]:
        debugging.ok(undo)
        if again:
            debugging.ok("%wfnb redo")
            debugging.ok(undo)
    debugging.ok("!python parse.py")

    answer = debugging.ok("%step Ready --confidence certain --done").answer

    assert "tests without a failure after `unittest -q test_parse`" in str(answer)


@pytest.mark.parametrize("way", ["%wfnb clear", "%wfnb kind precommit --no-pause"])
@pytest.mark.parametrize("at", ["", "%step Between"])
def test_a_failure_stays_where_steps_are_put_away_or_another_kind_is_chosen(
    debugging: Kernel, way: str, at: str
):
    if "clear" in way:
        examine_change(debugging, "!python parse.py", FAIL)
    else:
        debugging.ok("import os, sys; sys.path[:0] = [os.getcwd()]")
        debugging.ok("_ = open('test_parse.py', 'w').write(" + repr(CASE + FAIL) + ")")
    # A source that ran in this kernel before may be one that *Run All* runs again.
    debugging.run(f"way = {way + at!r}\n{TEST}")
    debugging.ok(at)
    debugging.ok(way)
    debugging.ok("del sys.path[0]" if "kind" in way else "")
    says = "--finding 'all that was asked for is in it and nothing else is as far as one sees here'"
    debugging.ok(f"%step What is to be committed now --set path=. --relevant parse.py {says}")
    debugging.ok("%wfnb look changes")
    debugging.ok("_ = open('parse.py').read() ; again = 1")
    debugging.ok("!python parse.py ")
    debugging.ok("%step It ran again")

    answer = debugging.ok("%step Ready at last --confidence certain --done").answer

    assert "tests without a failure after `unittest -q test_parse`" in str(answer)


IN_CODE = 'import pytest; pytest.main(["-q", "test_parse.py"])'
STARTED = "import subprocess; subprocess.run({}{})"
STEP = "%%run_workflow tested\nsteps:\n- {id: a, tool: "
UNSEEN = {
    "a result in place of a failure": (
        f"{STEP}shell, args: {{command: {BY_PYTEST}}}, on_error: [{{result: {{stdout: x}}}}]}}"
    ),
    "a tool in place of a failure": (
        f"{STEP}shell, args: {{command: {BY_PYTEST}}}, on_error: [{{tool: sleep, args: "
        "{seconds: 0}}]}"
    ),
    "a step that goes on": (f"{STEP}shell, args: {{command: {BY_PYTEST}}}, on_failure: continue}}"),
    "a process of a call": f"%wfnb call python code={STARTED.format(BY_PYTEST.split(), '')!r}",
    "code of a program": f"!python -c '{IN_CODE}'",
    "a cell of another Python": f"%%python\n{IN_CODE}",
}


@pytest.mark.parametrize("code", UNSEEN.values(), ids=UNSEEN)
def test_a_failure_that_nothing_raises_is_none_the_less_one(debugging: Kernel, code: str):
    answer = ready(debugging, code, FAIL, "!python parse.py")

    assert answer["next_step_needed"] is True
    assert "what is missing: tests" in str(answer)


def test_a_process_of_a_call_that_checks_it_is_seen(debugging: Kernel):
    code = STARTED.format(BY_PYTEST.split(), ", check=True")

    answer = ready(debugging, f"%wfnb call python code={code!r}", PASS)

    assert answer["next_step_needed"] is False


COLLECTS = "_ = open('pytest.ini', 'w').write('[pytest]\\naddopts = --co')"
EMPTY = {
    "unittest": f"!{PROGRAM}",
    "unittest in a script": f"%%bash\n{PROGRAM}",
    "unittest in a process": f"import subprocess\nsubprocess.run({PROGRAM.split()})",
    "unittest in a call": CALL.format(PROGRAM),
    "unittest behind make": "!make test",
    "doctest": "!python -m doctest parse.py",
    "the file of tests": "!python test_parse.py",
    "pytest that lists, by its file of settings": f"{COLLECTS}\n!pytest -q -p no:cacheprovider",
    "pytest, where all is skipped": f"!{BY_PYTEST.replace('_parse', '_skipped')}",
}


@pytest.mark.parametrize("code", EMPTY.values(), ids=EMPTY)
def test_a_success_without_a_test_is_none(debugging: Kernel, code: str):
    debugging.ok(MAKEFILE)
    skips = "import pytest\n@pytest.mark.skip\ndef test_a(): pass"
    debugging.ok(f"_ = open('test_skipped.py', 'w').write({skips!r})")

    answer = ready(debugging, code, "_ = open('test_parse.py', 'w').write('def test_a(): pass')")

    assert answer["next_step_needed"] is True
    assert "would not show a failure, or that no test ran" in str(answer)
