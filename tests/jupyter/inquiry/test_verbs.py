"""`%wfnb kind, findings, backtrack, extend, advise, estimate`, and the options of `start`."""

import pytest

from tests.jupyter.inquiry.cells import ADVISERS, evidence
from tests.jupyter.kernel import MIME, Kernel

pytestmark = pytest.mark.kernel


def test_where_the_investigation_stands(debugging: Kernel):
    debugging.ok("!grep -c read parse.py")
    shown = debugging.ok("%wfnb kind").text.splitlines()

    assert shown[0].startswith("debug · ")
    assert shown[1].startswith("☑ ")
    assert shown[1].endswith(" — cell: !grep -c read parse.py")
    assert [line[0] for line in shown[2:5]] == ["☐", "☐", "•"]
    assert shown[5] == "1 look since step 1: cell: !grep -c read parse.py"


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
    position = (
        "(lambda s: (s.position, s.states['investigation'].now.reviewer))"
        "(wfnb.open('crash').session)"
    )
    for id, code in cells[:4]:
        kernel.ok(code, id)
    assert kernel.ok(position).value.endswith(", 'sceptic')")
    for id, code in cells[4:]:
        kernel.ok(code, id)
    events = "[type(entry.event).__name__ for entry in wfnb.open('crash').log.entries()]"
    chosen = f"[name for name in {events} if name in ('KindChosen', 'AdviceTaken')]"
    before = kernel.ok(chosen).value

    shown = {id: kernel.ok(code, id) for id, code in cells}

    assert kernel.ok(chosen).value == before
    assert shown["c2"].text.splitlines()[1] == (
        "this cell chose debug before, and changes nothing now: a new cell does"
    )
    assert shown["c6"].answer["model_consulted"] == "broken:neutral"
    assert kernel.ok(position).value.endswith(", 'sceptic')")


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

    assert debugging.ok("%wfnb backtrack 2").text == (
        "steps 2, 3 no longer count · go on with step 4"
    )
    stands = debugging.ok("%wfnb kind").text.splitlines()
    assert stands[1].startswith("☐ Find the code")
    assert stands[-1] == "go on with step 4 · step 1 is the last that counts"
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
    assert told.text == f"{total} steps · +1 it says 'sometimes'"


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
    debugging.ok("%wfnb look parse.py")
    debugging.ok('%step Two --finding "it never ends" --file parse.py')
    told = debugging.ok("%wfnb start mend --kind refactor --continues crash").text
    answer = debugging.ok("%step Take the loop out").answer

    assert told == "session 'mend' started · investigation refactor · continues 'crash'"
    assert answer["refactor_status"]["relevant_files"] == 1
    assert answer["refactor_status"]["files_checked"] == 1


def test_a_reviewer_is_named_at_the_start(kernel: Kernel):
    kernel.ok(ADVISERS)
    kernel.ok("%wfnb start checked --kind debug --reviewer sceptic")

    code = "wfnb.open('checked').session.states['investigation'].now.reviewer"
    assert kernel.ok(code).value == "'sceptic'"


def test_a_list_of_sessions_tells_their_kinds(debugging: Kernel):
    debugging.ok("%wfnb start plain")

    told = {line.split()[0]: line for line in debugging.ok("%wfnb list").text.splitlines()}

    place = told["session"].index("kind")
    assert told["crash"][place:].startswith("debug")
    assert told["plain"][place:].startswith("     ")
