"""`%wfnb kind, look, findings, backtrack, extend, advise, estimate`, and the options of `start`."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.jupyter.kernel import MIME, Kernel

pytestmark = pytest.mark.kernel

PARSE = 'def parse(text):\n    return read(text)\n\n\ndef read(text):\n    """All of it."""\n'
ADVISERS = """import wfnb
@wfnb.adviser
def sceptic(request):
    return "It is not the loop.\\nVerdict: against"
@wfnb.adviser
def broken(request):
    raise RuntimeError("no time")
"""


@pytest.fixture
def debugging(kernel: Kernel, tmp_path: Path) -> Iterator[Kernel]:
    """An investigation whose first step is done, in a folder with a small repository."""
    (tmp_path / "parse.py").write_text(PARSE)
    subprocess.run(["git", "init", "-q", "."], cwd=tmp_path, check=True)
    kernel.ok(f"%cd -q {tmp_path}")
    kernel.ok(f"import os; os.environ['JPY_SESSION_NAME'] = {str(tmp_path / 'n.ipynb')!r}")
    kernel.ok("%wfnb start crash --kind debug")
    kernel.ok("%step Empty input crashes the parser --relevant parse.py")
    yield kernel
    kernel.ok("del os.environ['JPY_SESSION_NAME']")


def evidence(kernel: Kernel) -> list[str]:
    return list(kernel.ok("%step It is the loop").answer["evidence"])


def test_where_the_investigation_stands(debugging: Kernel):
    debugging.ok("'what happens'")
    shown = debugging.ok("%wfnb kind").text.splitlines()

    assert shown[0].startswith("debug · ")
    assert shown[1].startswith("☑ ")
    assert shown[1].endswith(" — cell: 'what happens'")
    assert [line[0] for line in shown[2:]] == ["☐", "☐", "☐"]


def test_kinds_are_listed(kernel: Kernel):
    assert "consensus" in kernel.ok("%wfnb kind").text
    assert "consensus" in kernel.ok("%wfnb kind --list").text


def test_a_session_becomes_an_investigation_and_stops_being_one(kernel: Kernel):
    kernel.ok("%step Plain")
    kernel.ok("%wfnb kind debug")
    assert kernel.ok("%step Not plain").answer["status"] == "pause_for_investigation"
    assert kernel.ok("%wfnb kind none").text == "no investigation: steps have no pauses"
    assert "status" not in kernel.ok("%step Plain again").answer


def test_a_kind_is_followed_without_pauses(kernel: Kernel):
    kernel.ok("%wfnb kind debug --no-pause")
    kernel.ok("%step One")

    assert kernel.ok("%step Two").answer["step_number"] == 2


def test_the_cells_that_choose_kinds_run_again_and_change_nothing(kernel: Kernel):
    cells = (
        ("c0", ADVISERS),
        ("c1", "%wfnb start crash --kind debug --reviewer sceptic"),
        ("c2", "%wfnb kind debug --no-pause"),
        ("c3", "%%step Empty input crashes\n1"),
        ("c4", "%wfnb kind consensus"),
        ("c5", "%%step Warn? --model sceptic:for --model broken\n2"),
        ("c6", "%%step One says no\n3"),
    )
    position = "(lambda s: (s.position, s.investigation.reviewer))(wfnb.open('crash').session)"
    for id, code in cells[:4]:
        kernel.ok(code, id)
    assert kernel.ok(position).value.endswith(", 'sceptic')")
    for id, code in cells[4:]:
        kernel.ok(code, id)
    events = "[type(entry.event).__name__ for entry in wfnb.open('crash').log()]"
    chosen = f"[name for name in {events} if name in ('KindChosen', 'AdviceTaken')]"
    before = kernel.ok(chosen).value

    shown = {id: kernel.ok(code, id) for id, code in cells}

    assert kernel.ok(chosen).value == before
    assert shown["c2"].text.splitlines()[1] == (
        "this cell chose debug before, and changes nothing now: a new cell does"
    )
    assert shown["c6"].answer["model_consulted"] == "broken:neutral"
    assert kernel.ok(position).value.endswith(", 'sceptic')")


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

    assert "Nothing was looked at since step 2." in debugging.run("%step Three").refusal


def test_findings_are_shown(debugging: Kernel):
    debugging.ok('%step Two --finding "it never ends" --issue "high: no check" --hypothesis loop')
    page = debugging.ok("%wfnb findings")

    assert "it never ends" in page.text
    assert "no check" in page.text
    assert page.shown[0][MIME]["kind"] == "debug"
    assert '"kind": "debug"' in debugging.ok("%wfnb findings --json").text


def test_steps_are_withdrawn(debugging: Kernel):
    debugging.ok("%step Two --no-pause")
    debugging.ok("%step Three --no-pause")

    assert debugging.ok("%wfnb backtrack 2").text == "steps 2, 3 no longer count"
    assert debugging.ok("%wfnb backtrack 2").text == (
        "nothing to withdraw: from step 2 on none counts"
    )
    assert debugging.ok("%wfnb backtrack 1 --reason wrong").text == "step 1 no longer counts"


def test_more_steps_are_asked_for(debugging: Kernel):
    before = debugging.ok("%wfnb status --json").shown[0][MIME]["total_steps"]
    told = debugging.ok('%wfnb extend 2 --reason "two parsers"').text

    assert told == f"{before + 2} steps are planned · two parsers"


def test_a_problem_is_estimated(kernel: Kernel):
    kernel.ok("%wfnb start crash --kind debug")
    told = kernel.ok("%wfnb estimate The importer sometimes loses readings in the night")

    total = told.shown[0][MIME]["total_steps"]
    assert told.text.startswith(f"{total} steps · ")


def test_advisers_are_asked_and_a_failing_one_is_told(debugging: Kernel):
    debugging.ok(ADVISERS)
    shown = debugging.ok("%wfnb advise sceptic:against broken").text

    assert "It is not the loop." in shown
    assert "no time" in shown
    assert "sceptic" in debugging.ok("%wfnb advise --list").text
    assert "adviser: sceptic" in evidence(debugging)


def test_models_are_asked_by_an_option(kernel: Kernel):
    kernel.ok(ADVISERS)
    kernel.ok("%wfnb start vote --kind consensus")
    answer = kernel.ok("%step Is it the loop? --model sceptic:against --model sceptic:for").answer

    assert (answer["total_steps"], answer["model_consulted"]) == (2, "sceptic:against")


def test_an_investigation_goes_on_as_another_kind(debugging: Kernel):
    debugging.ok('%step Two --finding "it never ends" --file parse.py')
    told = debugging.ok("%wfnb start mend --kind refactor --continues crash").text
    answer = debugging.ok("%step Take the loop out").answer

    assert told == "session 'mend' started · investigation refactor · continues 'crash'"
    assert answer["refactor_status"]["relevant_files"] == 1
    assert answer["refactor_status"]["files_checked"] == 1


def test_a_reviewer_is_named_at_the_start(kernel: Kernel):
    kernel.ok(ADVISERS)
    kernel.ok("%wfnb start checked --kind debug --reviewer sceptic")

    code = "wfnb.open('checked').session.investigation.reviewer"
    assert kernel.ok(code).value == "'sceptic'"


LINES = {
    "%wfnb kind debgu": "There is no kind of investigation 'debgu'. Did you mean 'debug'?",
    "%wfnb kind --no-pause": "%wfnb kind: its options go with the name of a kind. Written: ",
    "%wfnb look nothing": "There is nothing to look at called 'nothing'. ",
    "%wfnb look pars.py": "There is no file 'pars.py' here. Did you mean 'parse.py'?",
    "%wfnb look calls pars": "No function or class is called 'pars' in the files here.",
    "%wfnb backtrack 9": "There is no step 9 on 'main'. Steps there: 1.",
    "%wfnb backtrack": "%wfnb backtrack: it needs the number of a step.",
    "%wfnb extend 2": '%wfnb extend: it needs a reason. Written: %wfnb extend 2 --reason "two',
    "%wfnb extend 0 --reason x": "more is '0'. It needs a whole number",
    "%wfnb advise nobody": "No adviser is called 'nobody'. ",
    "%wfnb advise sceptic:angry": "stance is 'angry'. It needs one of for, against, neutral.",
    "%wfnb estimate": "%wfnb estimate: it needs the problem.",
    "%wfnb start x --reviewer sceptic": "reviewer belongs to an investigation,",
    "%wfnb start x --kind debug --reviewer nobody": "No adviser is called 'nobody'. ",
    "%wfnb start x --continues nowhere": "No session is called 'nowhere'. ",
    "%wfnb start x --continues demo": "Session 'demo' is no investigation: it has nothing to go on",
}


@pytest.mark.parametrize(("line", "says"), LINES.items(), ids=LINES)
def test_a_mistake_is_told_in_one_line(debugging: Kernel, line: str, says: str):
    debugging.ok(ADVISERS)
    position = "wfnb.open('crash').session.position"
    before = debugging.run(position, store_history=False).value

    assert debugging.run(line).refusal.startswith(says)
    assert debugging.run(position, store_history=False).value == before


@pytest.mark.parametrize("line", ["findings", "extend 2 --reason x", "backtrack 1", "advise"])
def test_a_session_that_is_none_says_so(kernel: Kernel, line: str):
    kernel.ok("%step Plain")

    assert (
        "belongs to an investigation, and this session is none."
        in kernel.run(f"%wfnb {line}").refusal
    )


COMPLETIONS = {
    "%wfnb kind ref": ["refactor"],
    "%wfnb look chan": ["changes"],
    "%wfnb look par": ["parse.py"],
    "%step x --file par": ["parse.py"],
    "%step x --issue cri": ["critical:"],
    "%step x --confidence alm": ["almost_certain"],
    "%step x --model sce": ["sceptic"],
    "%wfnb start x --continues cra": ["crash"],
}


@pytest.mark.parametrize(("line", "words"), COMPLETIONS.items(), ids=COMPLETIONS)
def test_words_are_completed(debugging: Kernel, line: str, words: list[str]):
    debugging.ok(ADVISERS)

    assert debugging.complete(line) == words


VERBS = ("kind", "look", "findings", "backtrack", "extend", "advise", "estimate")


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_its_help(kernel: Kernel, verb: str):
    assert kernel.ok(f"%wfnb help {verb}").text.startswith(f"%wfnb {verb}")
