"""Cell magics above and below `%%step`, and steps that a program or another cell runs."""

import IPython
import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel


def test_time_below_measures_the_body_and_shows_its_value(kernel: Kernel):
    ran = kernel.ok("%%step Measure\n%%time\nx = 6\nx * 7")

    assert "Wall time" in ran.stdout
    assert ran.value == "42"
    assert kernel.ok("x").value == "6"


def test_time_above_measures_the_step(kernel: Kernel):
    ran = kernel.ok("%%time\n%%step Measure\nx = 6\nx * 7")

    assert "Wall time" in ran.stdout
    assert ran.value == "42"
    assert kernel.steps("description", "outcome") == [("Measure", "ok")]


@pytest.mark.skipif(IPython.version_info < (9,), reason="its %%time swallows the error")
def test_a_failure_under_time_fails_the_step(kernel: Kernel):
    ran = kernel.run("%%step Measure\n%%time\n1/0")

    assert ran.reply["ename"] == "ZeroDivisionError"
    assert kernel.steps("outcome") == ["failed"]


def test_capture_above_keeps_the_answer_with_the_outputs(kernel: Kernel):
    ran = kernel.ok("%%capture kept\n%%step Quietly\nprint('out')\n5")

    assert ran.published == []
    assert kernel.steps("description", "outcome") == [("Quietly", "ok")]
    assert kernel.ok("kept.stdout").value == "'out\\n'"


def test_bash_below_is_the_body(kernel: Kernel):
    ran = kernel.ok("%%step Ask the shell\n%%bash\nfor i in 1 2; do echo $i; done")

    assert ran.stdout == "1\n2\n"
    assert ran.answer["outcome"] == "ok"


def test_a_script_that_fails_fails_the_step(kernel: Kernel):
    ran = kernel.run("%%step Ask the shell\n\n%%bash\nexit 3")

    assert ran.reply["ename"] == "CalledProcessError"
    assert ran.answer["outcome"] == "failed"


def test_writefile_below_gets_the_body_as_it_is(kernel: Kernel):
    kernel.ok("%%step Write it\n%%writefile note.txt\n%step is not a magic here\n  {x} $y\n")

    assert (kernel.folder / "note.txt").read_text() == "%step is not a magic here\n  {x} $y\n"
    assert kernel.steps("description") == ["Write it"]


def test_help_of_a_magic_below_is_shown(kernel: Kernel):
    ran = kernel.ok("%%step What does it do\n%%time?")

    assert "Time execution" in ran.reply["payload"][0]["data"]["text/plain"]
    assert kernel.steps("outcome") == ["ok"]


def test_a_line_form_may_follow_other_code(kernel: Kernel):
    ran = kernel.ok("x = 1\n%step Then\nx + 1")

    assert ran.value == "2"
    assert ran.kinds == ["execute_result", "display_data"]


@pytest.mark.parametrize(
    "title", ["Is it so?", "What, x?", "Don't panic", 'It\'s "so"?', "{x} of $x?", "50% of it"]
)
def test_a_later_line_may_have_any_title(kernel: Kernel, title: str):
    ran = kernel.ok(f"x = 1\n%step {title}\ny = 'a'\ny")

    assert ran.value == "'a'"
    assert ran.answer["last_step_description"] == title.replace('"', "")


def test_a_string_that_holds_a_step_is_a_string(kernel: Kernel):
    ran = kernel.ok("s = '''\n%step Is it so?\n'''\ns")

    assert ran.value == repr("\n%step Is it so?\n")
    assert kernel.steps("number") == []


def test_two_steps_in_a_cell_end_each_other(kernel: Kernel):
    ran = kernel.run("%step One\nx = 1\n%step Two\nx / 0\n%step Three")

    assert [(a["step_number"], a["outcome"]) for a in ran.answers] == [(1, "ok"), (2, "failed")]
    assert ran.kinds == ["display_data", "error", "display_data"]
    assert kernel.steps("description", "outcome") == [("One", "ok"), ("Two", "failed")]


def test_steps_of_one_cell_have_their_own_words(kernel: Kernel):
    kernel.ok("%step One\n# first\nx = 1\n%step Two\n# second\ny = 1")

    assert kernel.steps("description") == ["One\n\nfirst", "Two\n\nsecond"]


def test_a_step_in_a_function_is_a_step(kernel: Kernel):
    kernel.ok("for name in ('a', 'b'):\n    %step --value name Fit\n    pass")

    assert kernel.steps("number", "outcome") == [(1, "ok"), (2, "ok")]


def test_a_program_runs_a_step_as_the_cell_it_would_be(kernel: Kernel):
    ran = kernel.ok("get_ipython().run_cell_magic('step', 'By program', 'z = 3\\nz')")

    assert ran.value == "3"
    assert kernel.steps("description", "outcome") == [("By program", "ok")]


def test_a_program_gets_the_error_of_its_step(kernel: Kernel):
    ran = kernel.run("get_ipython().run_cell_magic('branch', 'alt', '1/0')")

    assert ran.status == "error"
    assert "There is no step 1 on 'main'. Steps there: none yet." in ran.traceback

    ran = kernel.run("get_ipython().run_cell_magic('step', 'By program', '1/0')")

    assert ran.reply["ename"] == "ZeroDivisionError"
    assert kernel.steps("outcome") == ["failed"]


def test_a_program_can_catch_the_error_of_its_step(kernel: Kernel):
    code = "try:\n    get_ipython().run_cell_magic('step', 'By program', '1/0')\n"

    ran = kernel.ok(f"{code}except ZeroDivisionError as error:\n    print(error)")

    assert ran.stdout == "division by zero\n"
    assert kernel.steps("outcome") == ["failed"]


def test_a_step_inside_a_step_ends_alone(kernel: Kernel):
    inner = "get_ipython().run_cell('%%step Inner\\n1/0')"

    ran = kernel.ok(f"%%step Outer\n{inner}\n5")

    assert [a["outcome"] for a in ran.answers] == ["failed", "ok"]
    assert kernel.steps("number", "description", "outcome") == [
        (1, "Outer", "ok"),
        (2, "Inner", "failed"),
    ]


def test_a_cell_run_by_a_cell_can_hold_the_step(kernel: Kernel):
    ran = kernel.ok("get_ipython().run_cell('%%step Inner\\n7')")

    assert ran.value == "7"
    assert kernel.steps("description", "outcome") == [("Inner", "ok")]


def test_a_step_after_a_nested_cell_is_one_of_the_outer_cell(kernel: Kernel):
    kernel.ok("get_ipython().run_cell('1')\n%step After\n1", cell_id="a")

    assert kernel.steps("description", "outcome", "cell_id") == [("After", "ok", "a")]


def test_a_step_without_history_is_a_step(kernel: Kernel):
    ran = kernel.run("%%step No history\n7", store_history=False)

    assert ran.value == "7"
    assert kernel.steps("description", "outcome") == [("No history", "ok")]


def test_a_silent_step_is_recorded_though_its_end_is_not_known(kernel: Kernel):
    kernel.run("%%step Silent\nsilent = 7", silent=True)

    assert kernel.ok("silent").value == "7"
    assert kernel.steps("description", "outcome") == [("Silent", "unknown")]


def test_a_step_after_a_silent_one_is_its_own(kernel: Kernel):
    kernel.run("%%step Silent\n1", silent=True)
    kernel.ok("%%step Loud\n1/1")

    assert kernel.steps("description", "outcome") == [("Silent", "unknown"), ("Loud", "ok")]
