"""What a check says of placeholders in shell commands is what a shell does with their values."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.amount import times
from wfnb.workflows.definition.check import ToolFacts, check
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.definition.shell_quoting import quoting_problems
from wfnb.workflows.definition.template import fill

SAFE = [
    "echo {x!q}",
    "echo a{x!q}b",
    "echo 'say '{x!q}' now'",
    'echo "it is "{x!q}',
    'echo "$(echo {x!q})"',
    "echo $(cat {x!q} 2>/dev/null)",
    "for f in {x!q}; do echo $f; done",
    "cat <<END\nno place\nEND\necho {x!q}",
    "cat <<<{x!q}",
    "echo \\' {x!q}",
    "# don't\necho {x!q}",
    "echo ${#a} {x!q}",
    "echo $((1 << 2))\necho {x!q}",
    "echo $((1 + (2) << $(echo $((3))))) {x!q}",
    "echo $((echo a); echo {x!q})",
    "{x}",
]
UNSAFE = [
    "echo {x}",
    "echo '{x}'",
    'echo "{x}"',
    "echo '{x!q}'",
    'echo "{x!q}"',
    "echo \"$(echo '{x!q}')\"",
    "cat <<END\n{x}\nEND",
    "cat <<END\n{x!q}\nEND",
    "cat <<-'END'\n\t{x!q}\n\tEND",
    "cat <<A; cat <<B\na\nA\n{x}\nB\n",
    "echo `echo {x}`",
    "echo a # {x!q}",
    "echo a#it's {x!q}'",
    "# don't\necho '{x!q}'",
    "echo \\{x!q}",
    "echo \\{x}",
    "echo $(({x!q} + 1))",
    "echo $((1 + (2 * {x!q})))",
]


@pytest.mark.parametrize("command", SAFE)
def test_what_is_quoted_as_its_place_needs_is_not_warned_of(command):
    assert list(quoting_problems(command)) == []


@pytest.mark.parametrize("command", UNSAFE)
def test_what_a_shell_would_read_as_a_command_is_warned_of(command):
    assert len(list(quoting_problems(command))) == 1


SAID = [
    ("echo {a.b}", "{a.b} is read by the shell as part of the command: write {a.b!q}"),
    (
        "echo '{x}'",
        "{x} is read by the shell as part of the command: write {x!q}, outside of other quotes",
    ),
    (
        'echo "a {x!q}"',
        '{x!q} stands within quotes, which undo its own: end them before it, as in "… "{x!q}" …"',
    ),
    (
        "cat <<END\n{x}\nEND",
        "{x} stands in a here-document: a here-document quotes nothing: give its text by `input` "
        "instead",
    ),
]


@pytest.mark.parametrize(("command", "said"), SAID)
def test_it_says_what_to_write(command, said):
    ((_, line),) = quoting_problems(command)

    assert line == said


PIECES = ["{x}", "{x!q}", "'", '"', " ", "a", "\\", "$(", ")", "echo ", "\n", "<<E\n", "\nE\n", ";"]
PIECES += [" # ", "#", "it's", "$((", "))", "1 << 2", "(", "`", "${a:-", "}", "<<-E\n", "\n\tE\n"]
VALUES = ["$(touch hit)", "'; touch hit; '", '"; touch hit; "', "\nE\ntouch hit\n", "`touch hit`"]
VALUES += ["\ntouch hit\n", ")\ntouch hit #"]


@settings(
    max_examples=times(60, 600),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=7), value=st.sampled_from(VALUES))
def test_no_command_that_is_not_warned_of_runs_what_stands_in_a_value(
    tmp_path: Path, pieces, value
):
    command = "echo " + "".join(pieces)
    if list(quoting_problems(command)):
        return
    written = fill({"command": command}, {"x": value})["command"]

    subprocess.run(
        ["sh", "-c", written], cwd=tmp_path, capture_output=True, check=False, timeout=20
    )

    assert not (tmp_path / "hit").exists(), written


def warnings(command, variables):
    shell = {"type": "string", "format": "shell"}
    facts = ToolFacts(
        parameters={"properties": {"command": {"anyOf": [shell, {"type": "array"}]}}}, results=()
    )
    step = {"id": "a", "tool": "run", "args": {"command": command}}
    workflow = parse({"variables": variables, "steps": [step]})
    problems, found = check(workflow, {"run": facts})
    assert problems == []
    return list(map(str, found))


def test_a_check_warns_with_the_place_but_not_of_numbers():
    assert warnings(
        "echo {x} {n} {t} {x}", {"x": "a", "n": 3, "t": {"type": "integer", "default": 1}}
    ) == ["steps.0 (a).args.command: {x} is read by the shell as part of the command: write {x!q}"]
    assert warnings(["echo", "{x}"], {"x": "a"}) == []


GIVERS = {
    "s": {"tool": "shell", "args": {"command": "x"}},
    "c": {"tool": "shell", "args": {"command": "x"}, "capture": "(?P<version>.*)(?P<index>.)"},
    "p": {"tool": "python", "args": {"code": "1"}},
    "mine": {"tool": "mine"},
    "each": {"tool": "shell", "args": {"command": "x"}, "for_each": [1]},
    "else": {
        "tool": "shell",
        "args": {"command": "x"},
        "on_error": [{"result": {"exit_code": "none; it failed"}}],
    },
}
NUMBERS = ["s.exit_code", "steps.s.exit_code", "mine.success", "p.version", "each.count"]
NUMBERS += ["each.results.0.exit_code", "success", "exit_code", "else.success"]
TEXTS = ["version", "index", "mine.version", "mine.count", "p.result.version", "p.result.count"]
TEXTS += ["each.results.0.stdout", "else.exit_code", "step", "s.stdout"]


@pytest.mark.parametrize("name", [*NUMBERS, *TEXTS])
def test_only_what_is_surely_a_number_needs_no_quotes(name):
    """A text may have any name, also one that a number of another tool has."""
    shell = {"properties": {"command": {"type": "string", "format": "shell"}}}
    tools = {
        "shell": ToolFacts(
            parameters=shell, results=("exit_code", "stdout"), kinds={"exit_code": "integer"}
        ),
        "python": ToolFacts(parameters={}, kinds={"version": "integer", "stdout": "string"}),
        "mine": ToolFacts(parameters={}),
    }
    reads = {"tool": "shell", "args": {"command": f"echo {{{name}}}"}}
    written = [{"id": id, **step} for id, step in GIVERS.items()]
    problems, odd = check(parse({"steps": [*written, reads]}), tools)

    assert problems == []
    assert len([each for each in odd if each.rule == "quoting"]) == (name in TEXTS)
