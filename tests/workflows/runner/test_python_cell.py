"""The tool `python` runs the cell of a step, as its newest version was recorded, with the names
that there are."""

import pytest

from wfnb.core.commands import HideSteps
from wfnb.core.events import Cell, Outcome
from wfnb.core.validation import StepPlace
from wfnb.core.validation import source as kept_source
from wfnb.workflows.runner.session_runs import SessionRuns
from wfnb.workspace import Workspace

from .place import step, steps

FIT = "%%step Fit the baseline --value rmse\n# With what we have.\nslope = 2\nslope * 21"
TWO = "%%step One\na = 1\n%step Two\na = 2\na"


def wrote(runner, title, source, *, part=0, failed=False, **says):
    """A step that a cell ran."""
    workspace = Workspace(runner.session_log)
    cell = Cell(source=kept_source(source), part=part)
    begun = workspace.steps.begin(workspace.steps.command_for(title, cell=cell, **says))
    if begun.running is not None:
        workspace.steps.finish(begun.running, Outcome(status="failed" if failed else "ok"))


def test_a_step_is_run_by_its_number(runner):
    wrote(runner, "Fit the baseline", FIT)

    result = runner.call("python", step=1)

    assert result == {
        "success": True,
        "result": 42,
        "stdout": "",
        "stderr": "",
        "step": 1,
        "version": 1,
    }


def test_the_newest_version_is_the_one_that_is_run(runner):
    wrote(runner, "Fit the baseline", FIT)
    wrote(runner, "Fit it well", FIT.replace("21", "50"), number=1)

    result = runner.call("python", step=1)

    assert (result["result"], result["version"]) == (100, 2)


def test_what_is_run_of_a_hidden_step_says_so(runner):
    wrote(runner, "Fit the baseline", FIT)
    wrote(runner, "Fit it well", "%%step Fit it well\n100")
    runner.session_log.do(HideSteps(places=(StepPlace(number=2),)))

    ran = [runner.call("python", step=number) for number in (1, 2)]

    assert [(each["result"], each.get("hidden")) for each in ran] == [(42, None), (100, True)]


def test_running_it_records_nothing_of_the_step(runner):
    wrote(runner, "Fit the baseline", FIT)
    before = runner.session_log.session.position

    runner.call("python", step=1)

    assert runner.session_log.refresh().position == before


def test_a_step_of_a_branch_is_meant_by_its_branch_or_by_the_chosen_line(runner):
    wrote(runner, "Fit the baseline", FIT)
    wrote(runner, "Go on", "%%step Go on\n'main'")
    wrote(runner, "Go on", "%%branch alt Go on\n'alt'", branch="alt", branch_from=1)

    on_main = runner.call("python", step=2)["result"]
    on_alt = runner.call("python", step=2, branch="alt")["result"]
    inherited = runner.call("python", step=1, branch="alt")["result"]
    runner.session_log.line = "alt"
    chosen = runner.call("python", step=2)["result"]

    assert (on_main, on_alt, inherited, chosen) == ("main", "alt", 42, "alt")


def test_of_a_cell_with_several_steps_the_lines_of_the_step_are_run(runner):
    wrote(runner, "One", TWO, part=0)
    wrote(runner, "Two", TWO, part=1)

    assert runner.call("python", step=1, arguments={"a": 7})["result"] is None
    assert runner.call("python", step=2)["result"] == 2


def test_it_takes_arguments_as_names_and_the_names_of_the_notebook(runner):
    runner.namespace = {"slope": 3}
    wrote(runner, "Ask", "%%step Ask\nasked = slope * by\nasked")

    result = runner.call("python", step=1, arguments={"by": 5})

    assert result["result"] == 15
    assert runner.namespace["asked"] == 15


def test_without_a_notebook_names_are_new_for_each_call(runner):
    wrote(runner, "Fit the baseline", FIT)

    runner.call("python", step=1)

    assert runner.call("python", code="slope")["error_type"] == "NameError"


def test_it_may_await_and_have_a_process_of_its_own(runner):
    wrote(runner, "Wait", "%%step Wait\nimport asyncio\nawait asyncio.sleep(0, 'late')")

    here = runner.call("python", step=1)
    there = runner.call("python", step=1, process=True)

    assert here == there
    assert here["result"] == "late"


def test_a_failure_tells_the_line_as_the_cell_has_it(runner):
    wrote(runner, "Divide", "# first\n%%step Divide\nx = 1\nx / 0", failed=True)

    result = runner.call("python", step=1)

    assert result["error"] == "ZeroDivisionError: division by zero (line 4: x / 0)"
    assert (result["step"], result["version"]) == (1, 1)


def test_what_it_gave_is_there_for_the_next_action(runner):
    wrote(runner, "Fit the baseline", FIT)
    flow = steps(
        step("fit", "python", args={"step": 1}),
        step("said", "python", args={"code": "n", "arguments": {"n": "{steps.fit.version}"}}),
    )

    run = runner.run(flow)

    assert run.status == "success"
    assert runner.log("told-1").run.results["said"]["result"] == 1


REFUSED = [
    ({"step": 9}, "There is no step 9 on 'main'. Steps there: 1, 2, 3, 4, 5, 6, 7, 8."),
    ({"step": 1, "branch": "no"}, "No branch is called 'no'. Branches: main."),
    ({"step": 2}, "Step 2 is words only: it has no code to run."),
    ({"step": 3}, "Step 3 is words only: it has no code to run."),
    (
        {"step": 4},
        "Step 4 is not all Python: line 3: !ls — invalid syntax. Lines that only a notebook reads "
        "(`%magic`, `!command`) cannot be run here.",
    ),
    ({"step": 5}, "Step 5 is not all Python: line 2: %%time — invalid syntax. Lines that only"),
    (
        {"step": 6},
        "It cannot be told which lines of its cell are step 6. Open each step",
    ),
    (
        {"step": 7},
        "It cannot be told which lines of its cell are step 7. Open each step",
    ),
    ({"step": 8}, "The cell of step 8 is kept up to 200,000 characters only, and cannot be run."),
    ({"step": 1, "code": "1"}, "Give one of `code`, `function` and `step`."),
]


@pytest.mark.parametrize(("params", "said"), REFUSED)
def test_what_cannot_be_run_is_refused_in_one_line(runner, params, said):
    wrote(runner, "Fit the baseline", FIT)
    wrote(runner, "Because", "%%step --text Because\n1 + 1", outcome=Outcome())
    Workspace(runner.session_log).step("Told by a program")
    wrote(runner, "Look", "%%step Look\nx = 1\n!ls")
    wrote(runner, "Time", "%%step Time\n%%time\nx = 1")
    wrote(runner, "Mine", "get_ipython().run_line_magic('step', 'Mine')\n1")
    wrote(runner, "Often", "for n in range(2):\n    %step Often\n    n")
    wrote(runner, "Long", f"%%step Long\nx = '{'x' * 200_000}'")

    result = runner.call("python", **params)

    assert not result["success"]
    assert result["error"].startswith(said)
    assert "\n" not in result["error"]
    assert "traceback" not in result


def test_a_definition_is_checked_without_a_word_on_steps_that_may_come(runner: SessionRuns):
    what = runner.check(steps(step("fit", "python", args={"step": 12, "branch": "alt"})))

    assert what.warnings == ()
