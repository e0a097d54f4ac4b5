"""What a cell says of a step is true: which one holds the answer, its title, its branch."""

import pytest

from tests.jupyter.kernel import MIME, Kernel

pytestmark = pytest.mark.kernel

HOLDS = "solved: this step holds the answer"


def html(ran) -> str:
    return str(ran.shown[0]["text/html"])


def titles(kernel: Kernel) -> list[tuple[int, str]]:
    return [(step["number"], step["description"]) for step in kernel.status()["steps"]]


def test_run_all_twice_leaves_one_step_that_holds_the_answer(kernel: Kernel):
    cells = ("%%step 1/2 Load\nx = 1", "load"), ("%%step 2/2 --done The answer\nx", "answer")

    for _ in range(2):
        shown = [kernel.ok(source, cell) for source, cell in cells]

        assert [HOLDS in html(each) for each in shown] == [False, True]
        assert [each.answer["solved"] for each in shown] == [False, True]


def test_a_late_thought_takes_no_answer_that_was_declared(kernel: Kernel):
    kernel.ok("%step --done --no-more The answer")

    late = kernel.ok("%step Late thought")

    assert HOLDS not in html(late)
    report = kernel.ok("import wfnb; wfnb.open('demo').views.report()").value
    assert "**Answer:** The answer" in report
    assert kernel.status()["solved"] is True


def test_beyond_the_estimate_nothing_is_solved_and_the_reason_stands_everywhere(kernel: Kernel):
    for title in ("1/3 One", "2 Two", "3 Three", "But wait there is more"):
        last = kernel.ok(f"%step {title}")

    status = kernel.ok("%wfnb status")

    assert (last.answer["total_steps"], last.answer["solved"]) == (4, False)
    assert "not solved yet: no step is marked as the last (`--done`)" in status.text
    assert kernel.status()["unsolved"] == "no step is marked as the last (`--done`)"


TITLES = {
    "%step --done --no-more 121 after two rounds": "Is 121 a number or part of the title? Step 4",
    "%step 2 of the 3 readings are wrong": "Is 2 a number or part of the title? Step 2 is 'B',",
    "%step 1/3 of the values are zero": "Is 1/3 a number or part of the title? Step 1 is 'A',",
}


@pytest.mark.parametrize(("line", "asks"), TITLES.items(), ids=TITLES)
def test_a_title_that_begins_with_a_number_loses_nothing(kernel: Kernel, line: str, asks: str):
    for title in "ABC":
        kernel.ok(f"%step {title}", f"cell-{title}")

    refused = kernel.run(line, "new")

    assert refused.refusal.startswith(asks)
    assert titles(kernel) == [(1, "A"), (2, "B"), (3, "C")]


QUOTED = {
    '%step "17"': (4, "17"),
    "%step '17'": (4, "17"),
    '%step "2 of the 3 readings are wrong"': (4, "2 of the 3 readings are wrong"),
    '%step "121" after two rounds': (4, "121 after two rounds"),
    "%step --number 121 after two rounds": (121, "after two rounds"),
    "%step --number 4 12 monkeys": (4, "12 monkeys"),
    "%step 4 Next": (4, "Next"),
    "%step 5 A gap of one": (5, "A gap of one"),
}


@pytest.mark.parametrize(("line", "step"), QUOTED.items(), ids=QUOTED)
def test_quotes_hold_and_a_number_may_be_said_by_name(kernel: Kernel, line: str, step):
    for title in "ABC":
        kernel.ok(f"%step {title}", f"cell-{title}")

    kernel.ok(line, "new")

    assert titles(kernel)[3:] == [step]


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("%step --branch medain Next on median", "median"),
        ("%branch medain Next on median", "median"),
        ("%branch Median Next on median", "median"),
    ],
)
def test_a_slip_in_the_name_of_a_branch_opens_none(kernel: Kernel, line: str, near: str):
    kernel.ok("%step Load")
    kernel.ok("%branch median --from 1 Without the outliers")

    refused = kernel.run(line)

    assert f"Did you mean {near!r}?" in refused.refusal
    assert [each["id"] for each in kernel.status()["lines"]] == ["main", "median"]


def test_a_branch_of_a_near_name_is_opened_where_its_origin_is_said(kernel: Kernel):
    kernel.ok("%step Load")
    kernel.ok("%branch median --from 1 Without the outliers")
    kernel.ok("%branch medain --from 1 By another hand")

    kernel.ok("%step --branch medain And on")

    assert [each["steps"] for each in kernel.status()["lines"]] == [1, 1, 2]


def test_the_step_that_selects_names_the_branch(exploring: Kernel):
    for name, score in (("a", 1), ("b", 2)):
        exploring.ok(f"%branch {name} --from 2 Open {name}")
        exploring.ok(f"%branch {name} --set approach_id={name} Work")
        exploring.ok(
            f"%branch {name} --set approach_id={name} --set evaluation_score={score} Score"
        )

    chosen = exploring.ok("%step --stage branch_selection Choose")
    for stage in ("continuation_decision", "solution_formulation", "path_justification"):
        exploring.ok(f"%step --stage {stage} On")
    end = exploring.ok("%step The solution")

    assert chosen.answer["selected"] == "b"
    assert "selected b" in html(chosen)
    assert (end.answer["stage"], end.answer["solved"]) == ("final_response", True)
    assert "selected b" in exploring.ok("%wfnb status").text


def test_a_search_finds_steps_of_other_sessions(kernel: Kernel):
    kernel.ok("%wfnb start cars")
    kernel.ok("%%step Load the cars\nmpg = 18")
    kernel.ok("%wfnb start barley\n%step Load the yields")

    found = kernel.ok("%wfnb search load --json").shown[0][MIME]["sessions"]
    code = kernel.ok("%wfnb search code:MPG")

    assert [(each["session"], each["hits"][0]["step"]) for each in found] == [
        ("barley", "1"),
        ("cars", "1"),
    ]
    assert "Load the cars" in code.text
    assert "yields" not in code.text
    assert kernel.ok("%wfnb search nobody").text == "nothing found"


def test_the_code_of_two_lines_is_compared(kernel: Kernel):
    kernel.ok("%wfnb start cars\n%step Load")
    kernel.ok("%%step Fit\nx = 1\ny = 2")
    kernel.ok("%%branch ridge --from 1 Fit\nx = 1\ny = 3")

    found = kernel.ok("%wfnb compare --code")
    refused = kernel.run("%wfnb compare main --code")

    assert " x = 1\n    -y = 2\n    +y = 3" in found.text
    assert "--code needs two lines, not 1" in refused.reply["evalue"]
