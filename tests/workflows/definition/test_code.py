"""Code that does not read is said before a run, with its line; what placeholders make is not."""

import warnings

import pytest

from wfnb.workflows.definition.check import ToolFacts, check
from wfnb.workflows.definition.python_syntax import mistake
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.tools.python import PYTHON
from wfnb.workflows.tools.registry import builtin_tools

READS = [
    "",
    "x = 1",
    "await x\nasync for y in z: pass",
    "def f():\n    return 1",
    "print(f'{x}')",
    "'\\d'",
]
DOES_NOT = [
    ("x = = 1", "line 1: x = = 1 — invalid syntax"),
    ("if x:\ny = 1", "line 2: y = 1 — expected an indented block after 'if' statement on line 1"),
    ("\n\nreturn 1", "line 3 — 'return' outside function"),
    ("def f():\n    await x", "line 2 — 'await' outside async function"),
    ("x = (" + "y" * 100 + ")) =", "line 1: x = (" + "y" * 75 + "… — unmatched ')'"),
]


@pytest.mark.parametrize("code", READS)
def test_code_that_reads_is_not_complained_of(code: str):
    with warnings.catch_warnings(record=True) as warned:
        assert mistake(code) is None

    assert warned == []


@pytest.mark.parametrize(("code", "said"), DOES_NOT)
def test_the_line_that_does_not_read_is_said(code: str, said: str):
    assert mistake(code) == said


def test_what_is_no_text_of_a_program_at_all_is_said_too():
    assert "null bytes" in str(mistake("a\0b"))
    assert mistake("(" * 10_000) is not None


def problems(code: object) -> list[str]:
    workflow = parse({"steps": [{"id": "a", "tool": "python", "args": {"code": code}}]})
    facts = ToolFacts(parameters=PYTHON.parameters, results=PYTHON.results)
    variables = {"n": 1, "code": "x"}
    return [str(problem) for problem in check(workflow, {"python": facts}, variables).problems]


def test_a_workflow_whose_code_does_not_read_is_not_run():
    assert problems("x = = 1") == [
        "steps.0 (a).args.code is no Python: line 1: x = = 1 — invalid syntax"
    ]


@pytest.mark.parametrize(
    "code", ["{code}", "f'{nothing}'", "{{n}}", "{k: {k} for k in 'ab'}", None]
)
def test_braces_in_code_are_python_s_and_name_nothing_of_the_run(code: object):
    assert problems(code) == []


@pytest.mark.parametrize("code", ["x {n}", "x = {n} {n}", "{steps.a.stdout!q}"])
def test_code_that_needs_placeholders_to_read_is_refused_with_the_way_on(code: object):
    (said,) = problems(code)

    assert "is no Python: line 1" in said
    assert said.endswith("`arguments` gives it values by name")


@pytest.mark.parametrize(
    ("tool", "args", "place"),
    [
        ("shell", {"command": "true \0"}, "command"),
        ("shell", {"command": "echo {x} \0"}, "command"),
        ("shell", {"command": ["true", "\0"]}, "command.1"),
        ("shell", {"command": "true", "cwd": "a\0b"}, "cwd"),
        ("shell", {"command": "true", "env": {"A": "\0"}}, "env.A"),
        ("shell", {"command": "true", "env": {"A\0": "b"}}, "env.A\\x00"),
        ("read", {"path": "a\0"}, "path"),
        ("watch", {"file": "a\0"}, "file"),
        ("notebook", {"path": "a\0"}, "path"),
        ("open_terminal", {"shell": "a\0"}, "shell"),
        ("open_terminal", {"environment": {"A": "\0"}}, "environment.A"),
    ],
)
def test_what_the_system_is_given_holds_no_nul(tool, args, place):
    facts = ToolFacts(parameters=builtin_tools()[tool].parameters, results=None)
    definition = parse({"variables": {"x": 1}, "steps": [{"id": "a", "tool": tool, "args": args}]})
    found = check(definition, {tool: facts}, {})

    assert [str(problem.message) for problem in found.problems] == [
        f"steps.0 (a).args.{place} holds a NUL, which the system cannot be given"
    ]


def test_what_a_program_reads_may_hold_a_nul():
    args = {"command": "cat", "input": "a\0b"}
    facts = ToolFacts(parameters=builtin_tools()["shell"].parameters, results=None)
    definition = parse({"steps": [{"id": "a", "tool": "shell", "args": args}]})

    assert check(definition, {"shell": facts}, {}).problems == []
