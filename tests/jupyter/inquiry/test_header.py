"""What a step found, as YAML over its code."""

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel

SAID = """%%step Empty input crashes --finding "on the line" --context read
---
findings:
  - the loop never ends
  - it reads: twice
hypothesis: the end is not seen
confidence: medium
file: parse.py
relevant: [parse.py]
context: parse
issues:
  - high: no check
  - {severity: low, description: no test}
---
"""


@pytest.fixture
def debugging(kernel: Kernel) -> Kernel:
    kernel.ok("%wfnb start crash --kind debug --no-pause")
    kernel.ok("import pathlib; pathlib.Path('parse.py').touch()")
    kernel.ok("pathlib.Path('parse.py').read_text()")
    return kernel


def found(kernel: Kernel, number: int = 1) -> dict[str, object]:
    """What a step says, as a program reads it."""
    names = ["findings", "hypothesis", "confidence", "files", "relevant", "context"]
    code = f"import wfnb\nnow = wfnb.open('crash').log.find({number}).current.findings\n"
    value = kernel.ok(f"{code}{{name: getattr(now, name) for name in {names}}}").value
    assert value is not None
    return dict(eval(value))


def test_a_header_and_the_line_say_it_together(debugging: Kernel):
    answer = debugging.ok(SAID + "1 + 1").answer

    assert answer["debug_status"] == {
        "files_checked": 1,
        "relevant_files": 1,
        "relevant_context": 2,
        "issues_found": 2,
        "current_confidence": "medium",
    }
    assert found(debugging) == {
        "findings": ("on the line", "the loop never ends", "it reads: twice"),
        "hypothesis": "the end is not seen",
        "confidence": "medium",
        "files": ("parse.py",),
        "relevant": ("parse.py",),
        "context": ("read", "parse"),
    }


def test_the_code_under_it_keeps_its_lines(debugging: Kernel):
    ran = debugging.run("%%step Empty input\n---\nfinding: it ends\n---\n\nx = 1\n1 / 0")

    assert "----> 7 1 / 0" in ran.traceback


def test_the_cell_may_stay_plain_python(debugging: Kernel):
    ran = debugging.ok(
        "%step One\n# ---\n# finding: a\n# ---\n# Words\nx = 1\n"
        "%step Two\n# ---\n# finding: b\n# ---\nx + 1"
    )

    assert ran.value == "2"
    assert [found(debugging, n)["findings"] for n in (1, 2)] == [("a",), ("b",)]
    assert ran.answers[0]["last_step_description"] == "One\n\nWords"


def test_a_step_of_words_has_one_too(debugging: Kernel):
    answer = debugging.ok("%%step One --text\n---\nfinding: a\n---\n**Words** and no code").answer

    assert answer["last_step_description"] == "One\n\n**Words** and no code"
    assert found(debugging)["findings"] == ("a",)


def test_fields_are_set_in_it(kernel: Kernel):
    kernel.ok("%wfnb start crash --kind tracer")
    answer = kernel.ok("%%step How is it called\n---\nset: {mode: precision}\n---\n1").answer

    assert answer["status"] == "pause_for_tracing"


def test_another_finding_leaves_what_came_after_as_it_is(debugging: Kernel):
    one = "%%step One\n---\nfinding: {}\n---\nx = 1"
    debugging.ok(one.format("a"), "c1")
    debugging.ok("%%step Two\nx + 1", "c2")
    debugging.ok(one.format("b"), "c1")

    assert found(debugging)["findings"] == ("b",)
    assert debugging.steps("number", "stale") == [(1, False), (2, False)]


def test_a_tool_runs_the_code_under_it(debugging: Kernel):
    debugging.ok("%%step One\n---\nfinding: it is 2\n---\n1 + 1")

    assert '"result": 2' in debugging.ok("%wfnb call python step=1").text


LINES = {
    "finding: a": "is not closed. Write the same line again under it.",
    "findin: a\n---": "the header says 'findin'. Did you mean 'finding'?",
    "finding: [a\n---": "its header is no YAML: ",
    "just words\n---": "its header has no NAME: VALUE. Written: finding: the loop is left",
    "confidence: low\n---": "confidence is said on the line and in the header. Say it in one of",
    "set: {mode: x}\nmodels: [a]\n---": "field 'mode' is said twice. Say it in one place.",
    "issues: [huge: x]\n---": "issue severity is 'huge'. It needs one of critical,",
    "file: pars.py\n---": "There is no file 'pars.py' here. Did you mean 'parse.py'?",
}


@pytest.mark.parametrize(("header", "says"), LINES.items(), ids=LINES)
def test_a_mistake_in_it_is_told_in_one_line(debugging: Kernel, header: str, says: str):
    ran = debugging.run(f"%%step One --confidence high --set mode=a\n---\n{header}\nx = undefined")

    assert says in ran.refusal
    assert debugging.steps("number") == []
