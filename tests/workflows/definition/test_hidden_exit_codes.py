"""A command of which a part may fail unseen is warned of; one that looks meant is not."""

import subprocess

import pytest

from wfnb.workflows.definition.check import ToolFacts, check
from wfnb.workflows.definition.hidden_exit_codes import hidden_exit_codes
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.tools.registry import builtin_tools

LINES = {
    "pytest -q\necho done": "`pytest`",
    "cd x && make\nls": "`cd`",
    "x=$(make)\necho $x": "`x=$…`",
    "pytest > log 2>&1\ncat log": "`pytest`",
    "cat > in <<END\nmake\nEND\nmake\necho y": "`make`",
    "f() {\n  a\n  b\n}\npytest\necho done": "`pytest`",
    "make # all\n\n# then\necho x": "`make`",
    "make \\\n  all\necho x": "`make`",
    "{program}\necho x": "`{program}`",
    "'./my program' a\nls": "`…`",
    "A=1 git push\necho done": "`git`",
    "ls; make\necho done": "`make`",
}
PIPES = {
    "pytest -q | tail -1": "`pytest`",
    "make 2>&1 | tee log": "`make`",
    "FOO=1 pytest | tail": "`pytest`",
    "make |\n  tail": "`make`",
    "set -e\nmake | tail -3": "`make`",
    "cat urls | xargs curl | gunzip | wc -l": "`xargs`",
}
MEANT = [
    "pytest -q",
    "pytest -q\n",
    "pytest && \\\n echo done",
    "pytest &&\n echo done",
    "set -e\npytest\necho done",
    "set -eu; pytest\necho done",
    "set -o errexit\npytest\necho done",
    "set -euo pipefail\npytest | tail\nls",
    "cat <<END\na | b\nc\nEND",
    "python - <<'END'\nimport x\nprint(1) | y\nEND\n",
    "cat > f <<END\na\nEND\necho done",
    "echo a\necho b",
    "ls\nmake",
    "X=1 Y='a b'\nmake",
    "export X=1\nmake",
    "mkdir -p x\nrm -rf y\ncd x",
    "for x in a b; do\n make $x\ndone",
    "if make; then\n echo x\nelse\n make y | tail\nfi",
    "case a in\n a) make | tail;;\n b) ls\n make\n ls;;\nesac",
    "f() {\n make\n ls\n}\nf",
    "{ make; ls; } > log",
    "f() {{\n make\n ls\n}}\nf",
    "pytest || true\necho x",
    "[ -f x ] && rm x\nmake",
    "! make\nls",
    'pytest\ncode=$?\necho "code $code"',
    "server &\nsleep 1\ncurl x",
    "pytest\ntrue",
    "pytest; echo x",
    "sh -c 'a\nb | c'",
    'echo "$(make | tail)"',
    "echo `make | tail`",
    "ls | grep -c csv",
    "cut -d, -f1 data.csv | grep 19 | sort -u",
    "pytest | grep passed",
    "git log | head",
    "make > log 2>&1",
    "make >| log",
    "echo x | tee f",
    "| |",
    "&&\n&&",
    "",
]


@pytest.mark.parametrize(("command", "program"), LINES.items())
def test_of_several_lines_the_first_that_may_fail_is_named(command, program):
    (said,) = hidden_exit_codes(command)

    assert said.startswith("its exit code is that of its last line")
    assert f"whether or not {program} failed: begin it with `set -e`" in said


@pytest.mark.parametrize(("command", "program"), PIPES.items())
def test_of_a_pipe_the_first_that_may_fail_is_named(command, program):
    (said,) = hidden_exit_codes(command)

    assert said.startswith("a pipe has the exit code of its last program")
    assert f"whether or not {program} failed: give `command` as [bash, -eo, pipefail" in said


@pytest.mark.parametrize("command", MEANT)
def test_what_looks_meant_is_not_warned_of(command):
    assert list(hidden_exit_codes(command)) == []


@pytest.mark.parametrize("command", ["false\necho done", "false | cat"])
def test_what_is_warned_of_succeeds_and_what_is_written_instead_fails(command):
    assert len(list(hidden_exit_codes(command))) == 1
    for argv, fails in ((["sh", "-c"], False), (["bash", "-eo", "pipefail", "-c"], True)):
        assert (subprocess.run([*argv, command], check=False).returncode != 0) is fails


def warnings(**args: object) -> list[str]:
    tools = {
        name: ToolFacts(parameters=tool.parameters, results=tool.results)
        for name, tool in builtin_tools().items()
    }
    found = check(parse({"steps": [{"tool": "shell", "args": args}]}), tools)
    assert found.problems == []
    return [warning.message for warning in found.warnings]


def test_a_check_warns_of_it_where_an_exit_code_is_a_failure():
    (said,) = warnings(command="pytest -q\necho done")

    assert said.startswith("steps.0.args.command: its exit code is that of its last line")
    assert warnings(command="pytest -q\necho done", check=False) == []
    assert warnings(command=["bash", "-eo", "pipefail", "-c", "pytest | tail"]) == []
