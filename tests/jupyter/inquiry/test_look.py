"""`%wfnb look`, and cells that look: what counts in an investigation that goes on."""

from pathlib import Path

import pytest

from tests.jupyter.inquiry.cells import evidence
from tests.jupyter.kernel import Kernel, running

pytestmark = pytest.mark.kernel


def test_a_file_is_looked_at(debugging: Kernel):
    shown = debugging.ok("%wfnb look parse.py 1-2").text

    assert "return read(text)" in shown
    assert evidence(debugging) == ["file: parse.py"]


def test_the_repository_is_looked_at(debugging: Kernel):
    assert "parse.py" in debugging.ok("%wfnb look changes").text
    assert evidence(debugging)[0] == "git: status"


def test_what_a_file_defines_is_looked_at(debugging: Kernel):
    assert "read" in debugging.ok("%wfnb look outline parse.py").text
    assert evidence(debugging) == ["code: outline parse.py"]


def test_a_look_in_the_body_of_a_step_is_part_of_the_step(debugging: Kernel):
    debugging.ok("%%step It is the loop --no-pause\n%wfnb look parse.py")

    assert "Nothing new was looked at since step 2." in debugging.run("%step Three").refusal


RUN_ALL = (
    ("go", "%wfnb start again --kind debug"),
    ("one", "%%step 1/4 The last line is missing"),
    ("look", "import os; os.listdir('.')[:0]"),
    ("two", '%%step It is the file --hypothesis "the file"'),
    ("back", "%wfnb backtrack 2"),
    ("more", '%wfnb extend 2 --reason "two parsers"'),
    ("three", '%%step It is the slice --hypothesis "the slice"'),
    ("prepare", "import re\nLIMIT = 3"),
    ("four", '%%step Shown --finding "one is missing"'),
)


def test_an_unchanged_notebook_that_runs_again_changes_nothing(tmp_path: Path):
    with running(tmp_path) as kernel:
        kernel.run_all(*RUN_ALL)
        first = kernel.status()["total_steps"], kernel.ok("%wfnb findings").text
        again = dict(zip(dict(RUN_ALL), kernel.run_all(*RUN_ALL), strict=True))

        assert again["back"].text == (
            "this cell withdrew step 2 before, and changes nothing now: a new cell does"
        )
        assert again["more"].text == (
            "this cell asked for 2 more before, and changes nothing now: a new cell does · "
            "7 steps are planned"
        )
        assert (kernel.status()["total_steps"], kernel.ok("%wfnb findings").text) == first


def test_a_cell_that_only_prepares_ticks_nothing(debugging: Kernel):
    debugging.ok("import re\nLIMIT = 3")

    assert "☑" not in debugging.ok("%wfnb kind").text
    assert debugging.run("%step It is the loop").refusal.startswith("Nothing new was looked at")


def test_a_cell_before_the_first_step_ticks_its_list(debugging: Kernel):
    debugging.ok("%wfnb start early --kind debug")
    debugging.ok("!grep -c read parse.py")

    assert debugging.ok("%step It crashes").answer["ticked"] == {
        "Find the code that the symptom passes through: search for its message, its names, "
        "its inputs.": "cell: !grep -c read parse.py"
    }


FAILS = {
    "a program": "!python -c 'raise SystemExit(3)'",
    "an exception": "import subprocess; subprocess.run(['python', 'stop.py'], check=True)",
    "what it returned": "import subprocess; subprocess.run(['python', 'stop.py'])",
    "a program that is not the last": "import subprocess as s; s.run(['python', 'stop.py']); 1",
    "one whose end is kept": "import subprocess; ended = subprocess.run(['python', 'stop.py'])",
    "one of several lines": "!python -c 'raise SystemExit(3)'\n!python -c 1",
    "one whose output is kept": "out = !python -c 'raise SystemExit(3)'\nout",
    "one by another way": "import os; os.popen('python stop.py').close(); open('parse.py')",
    "a script that exits": "%run stop.py",
    "a script that raises": "%run raises.py",
    "one beside a search": "!python -c 'raise SystemExit(1)'\n!grep -q nowhere parse.py",
    "a search that failed": "import subprocess; subprocess.run(['grep', 'a', 'none.py'])",
}
PROGRAM = "python -m unittest -q test_parse"
CASE = "import unittest\nclass Test(unittest.TestCase):\n    def test_a(self): "
PASS, FAIL = "pass", "self.fail()"
BY_PYTEST = "python -m pytest -q -p no:cacheprovider test_parse.py"
HIDES = {
    "a pipe": f"!{PROGRAM} 2>&1 | tail -3",
    "an end that is taken": f"!{PROGRAM} || true",
    "another program behind it": f"!{PROGRAM} > out.txt 2>&1; cat out.txt",
    "a program in brackets": f"!({PROGRAM}) | cat",
    "a shell in the shell": f"!bash -c '{PROGRAM} || true'",
    "a script of several lines": f"%%bash\n{PROGRAM}\ntrue",
    "a script that raises nothing": f"%%bash --no-raise-error\n{PROGRAM}",
    "os.system": f"import os\nos.system('{PROGRAM}')",
    "os.system by its name": f"from os import system\nsystem('{PROGRAM}')",
    "os.popen": f"import os\nos.popen('{PROGRAM}').read()",
    "a program that nobody waits for": f"import subprocess\nsubprocess.Popen({PROGRAM.split()})",
    "an exception that is caught": "import test_parse\n"
    "try:\n    test_parse.Test().test_a()\nexcept AssertionError:\n    print('failed')",
    "a thread": "import threading, test_parse\n"
    "beside = threading.Thread(target=test_parse.Test('test_a').test_a)\n"
    "beside.start()\nbeside.join()",
    "a process": "import multiprocessing, test_parse\n"
    "beside = multiprocessing.get_context('fork').Process(target=test_parse.Test('test_a').test_a)"
    "\nbeside.start()\nbeside.join()",
    "a function that runs tests": "def checked():\n    import unittest\n"
    "    unittest.main('test_parse', argv=['x'], exit=False)\nchecked()",
    "nothing that ran": "import os\nos.listdir()",
    "no exit": "import unittest\nunittest.main('test_parse', argv=['x'], exit=False);\nprint()",
    "a call that is not checked": f"%wfnb call shell command='{PROGRAM} | tail -3'",
}
SHOWS = {
    "a program": "!python -m unittest -q test_parse",
    "a folder before": "!cd . && python -m unittest -q test_parse",
    "a script that stops": f"%%bash\nset -eo pipefail\n{BY_PYTEST} 2>&1 | cat\nls",
    "its process": f"import subprocess\nsubprocess.run({BY_PYTEST.split()})",
    "a process whose output is its value": "import subprocess\n"
    f"subprocess.run({PROGRAM.split()}, capture_output=True)",
    "one that another starts": f"!timeout 60 {PROGRAM}",
    "its output": "out = !python -m unittest -q test_parse\nout",
    "its result": "import unittest\nunittest.main('test_parse', argv=['x'], exit=False)",
    "a call": "%wfnb call shell command='python -m unittest -q test_parse'",
}
READS = "Read each changed file around its changes. — "


@pytest.mark.parametrize(
    ("code", "reads"),
    [("!cat parse.py", True), ("!python -m py_compile parse.py", False), ("!pytest --co", False)],
)
def test_a_file_that_was_tested_or_checked_was_not_read(debugging: Kernel, code: str, reads: bool):
    debugging.ok("%wfnb start ready --kind precommit --no-pause")
    debugging.ok("%step What is to be committed --set path=.")
    debugging.ok("%step It is the reader")
    debugging.ok(code)

    assert (READS in debugging.ok("%wfnb kind").text) == reads


SEARCHES = {
    "a program": "!grep -q nowhere parse.py",
    "a pipe": "!cat parse.py | grep nowhere",
    "its words": "import subprocess; subprocess.run(['grep', '-q', 'nowhere', 'parse.py'])",
    "its line": "import subprocess; subprocess.run('grep nowhere parse.py', shell=True)",
    "its output": "found = !grep nowhere parse.py\nfound",
}


@pytest.mark.parametrize("code", FAILS.values(), ids=FAILS)
def test_a_change_is_not_ready_while_what_was_run_failed(debugging: Kernel, code: str):
    says = "--finding 'all that was asked for is in it and nothing else is as far as one sees here'"
    debugging.ok("%wfnb start ready --kind precommit --no-pause")
    debugging.ok(f"%step What is to be committed --set path=. --relevant parse.py {says}")
    debugging.ok("%wfnb look changes")
    debugging.ok("_ = open('parse.py').read()")
    debugging.ok("_ = open('stop.py', 'w').write('raise SystemExit(3)')")
    debugging.ok("_ = open('raises.py', 'w').write('1 / 0')")
    debugging.run(code)
    debugging.ok("%step It ran")

    failed = debugging.ok("%step Ready --confidence certain --done").answer
    debugging.ok("import subprocess; subprocess.run(['python', 'parse.py'])")
    passed = debugging.ok("%step Ready now --confidence certain --done").answer

    assert "something that ran without a failure after" in str(failed)
    assert "without a failure" not in str(passed)
    assert passed["next_step_needed"] is False


def ready(kernel: Kernel, code: str, test: str, *more: str) -> dict[str, object]:
    """What is said of a change that is to be committed once this code has run a test, and more
    cells after it: PASS and FAIL write the test anew."""
    examine_change(kernel, code, test, *more)
    return kernel.ok("%step Ready --confidence certain --done").answer


def examine_change(kernel: Kernel, code: str, test: str, *more: str) -> None:
    kernel.ok("import os, sys; sys.path[:0] = [os.getcwd()]; sys.modules.pop('test_parse', 0)")
    says = "--finding 'all that was asked for is in it and nothing else is as far as one sees here'"
    kernel.ok("%wfnb start ready --kind precommit --no-pause")
    kernel.ok(f"%step What is to be committed --set path=. --relevant parse.py {says}")
    kernel.ok("%wfnb look changes")
    kernel.ok("_ = open('parse.py').read()")
    for each in (test, code, *more):
        written = f"_ = open('test_parse.py', 'w').write({CASE + each!r})"
        kernel.run(written if each in (PASS, FAIL) else each)
    kernel.ok("del sys.path[0]")
    kernel.ok("%step It ran")


@pytest.mark.parametrize("code", HIDES.values(), ids=HIDES)
def test_a_success_that_hides_a_failure_was_not_seen(debugging: Kernel, code: str):
    answer = ready(debugging, code, FAIL)

    assert answer["next_step_needed"] is True
    assert "seen to succeed: `" in str(answer) or "something that ran" in str(answer)


@pytest.mark.parametrize("code", SHOWS.values(), ids=SHOWS)
def test_a_success_that_would_have_been_a_failure_was_seen(debugging: Kernel, code: str):
    assert ready(debugging, code, PASS)["next_step_needed"] is False


TEST = f"!{PROGRAM}"
ANOTHER = "!cp test_parse.py test_b.py && python -m unittest -q test_b"
ANEW = "import unittest, importlib, test_parse\nimportlib.reload(test_parse)\n" + (
    "unittest.main('test_parse', argv=['x'], exit=False)"
)
OLD = "import unittest\nunittest.main('test_parse', argv=['x'], exit=False)"
ORDERS = {
    "another test that succeeds": ((FAIL, TEST, PASS, ANOTHER), False),
    "the same again": ((FAIL, TEST, PASS, TEST), True),
    "all tests": ((FAIL, TEST, PASS, "!python -m unittest -q"), True),
    "a linter after a linter": (
        (PASS, "!python -m py_compile nowhere.py", "!python -m py_compile parse.py"),
        False,
    ),
    "a failure that comes back": ((FAIL, ANEW, PASS, ANEW, FAIL, ANEW), False),
    "one that comes back after another": ((FAIL, TEST, PASS, ANOTHER, FAIL, TEST), False),
    "the change after the test": ((PASS, TEST, FAIL), False),
    "a change that an editor made": ((PASS, TEST, "!touch -d 2001-01-01 parse.py"), False),
    "another test after the change": ((PASS, TEST, "%%writefile -a parse.py\n", ANOTHER), False),
    "the same after the change": ((PASS, TEST, "%%writefile -a parse.py\n", TEST), True),
    "what a test writes": ((PASS, TEST, "_ = open('report.csv', 'w').write('1')"), True),
    "a test that was loaded before": ((PASS, OLD, FAIL, OLD), False),
    "a success that comes back": ((PASS, ANEW, FAIL, ANEW, PASS, ANEW), True),
}


@pytest.mark.parametrize(("cells", "is_ready"), ORDERS.values(), ids=ORDERS)
def test_what_failed_is_well_once_that_was_seen(
    debugging: Kernel, cells: tuple[str, ...], is_ready: bool
):
    test, code, *more = cells
    answer = ready(debugging, code, test, *more)

    assert (answer["next_step_needed"] is False) == is_ready


def test_a_cell_that_may_have_run_again_is_told_before_one_that_came_after_it(
    debugging: Kernel, tmp_path: Path
):
    debugging.run(TEST)  # a cell of before the step: it may be a Run All that runs it again

    answer = ready(debugging, TEST, PASS, FAIL, f"{TEST}\n# new: {tmp_path}")

    assert answer["next_step_needed"] is True


def test_a_change_by_the_last_step_itself_was_not_tested(debugging: Kernel):
    answer = ready(debugging, TEST, PASS)
    again = "%%step Now --confidence certain --done\nopen('parse.py', 'a').close()\n!touch parse.py"
    debugging.ok("%wfnb backtrack 3")
    changed = debugging.ok(again).answer
    debugging.ok(TEST)

    assert answer["next_step_needed"] is False
    assert changed["next_step_needed"] is True
    assert "tests after source files changed" in str(changed)


@pytest.mark.parametrize("code", SEARCHES.values(), ids=SEARCHES)
def test_a_search_that_finds_nothing_has_not_failed(debugging: Kernel, code: str):
    says = "--finding 'all that was asked for is in it and nothing else is as far as one sees here'"
    debugging.ok("%wfnb start ready --kind precommit --no-pause")
    debugging.ok(f"%step What is to be committed --set path=. --relevant parse.py {says}")
    debugging.ok("%wfnb look changes")
    debugging.ok("_ = open('parse.py').read()")
    debugging.ok("import subprocess; subprocess.run(['python', 'parse.py'])")
    debugging.ok(code)
    debugging.ok("%step It ran")

    answer = debugging.ok("%step Ready --confidence certain --done").answer

    assert "without a failure" not in str(answer)
    assert answer["next_step_needed"] is False
