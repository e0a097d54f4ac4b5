"""Under `%%step` a cell is what it was: its value, its traceback, its await, its status."""

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel


def test_the_last_value_is_shown(kernel: Kernel):
    ran = kernel.ok("%%step Load the readings\nx = 6\nx * 7")

    assert ran.value == "42"
    assert ran.kinds == ["execute_result", "display_data"]


def test_a_last_value_that_is_silenced_is_not_shown(kernel: Kernel):
    ran = kernel.ok("%%step Load the readings\nx = 6\nx * 7;")

    assert ran.value is None


def test_names_stay_in_the_notebook(kernel: Kernel):
    kernel.ok("%%step Define it\nscale = 3\ndef scaled(x):\n    return scale * x")

    assert kernel.ok("scaled(5)").value == "15"


def test_a_name_of_the_notebook_is_not_expanded_in_a_title(kernel: Kernel):
    kernel.ok("price = 3")

    ran = kernel.ok("%%step It costs {price} or $price, not $nothing\n1")

    assert ran.answer["last_step_description"] == "It costs {price} or $price, not $nothing"


def test_await_works_at_the_top(kernel: Kernel):
    ran = kernel.ok("%%step Wait\nimport asyncio\nx = await asyncio.sleep(0, result='done')\nx")

    assert ran.value == "'done'"
    assert ran.answer["outcome"] == "ok"


def test_a_traceback_has_the_lines_of_the_cell(kernel: Kernel):
    ran = kernel.run("%%step Divide\n# by nothing\nx = 1\nx / 0\ny = 2")

    assert ran.status == "error"
    assert ran.reply["ename"] == "ZeroDivisionError"
    assert "----> 4 x / 0" in ran.traceback
    assert ran.traceback.count("Traceback") == 1
    assert "wfnb" not in ran.traceback


def test_a_traceback_reaches_into_functions_of_earlier_steps(kernel: Kernel):
    kernel.ok("%%step Define it\ndef halved(x):\n    return x / 2")

    ran = kernel.run("%%step Use it\n\nhalved('x')")

    assert "----> 3 halved('x')" in ran.traceback
    assert "in halved(x)\n" in ran.traceback
    assert "----> 3     return x / 2" in ran.traceback


def test_an_error_stops_what_was_asked_for_after_it(kernel: Kernel):
    fails = "%%step Fail\n__import__('time').sleep(0.5)  # until the next is there\n1/0"
    asked = [kernel.send(code) for code in (fails, "reached = True")]

    published = [list(kernel.published(request)) for request in asked]
    replies = [kernel.reply(request)["status"] for request in asked]

    assert replies == ["error", "aborted"]
    assert published[1] == []
    assert kernel.run("reached").reply["ename"] == "NameError"


def test_a_syntax_error_is_told_at_its_line_and_the_step_has_failed(kernel: Kernel):
    ran = kernel.run("%%step Typo\nx = 1\nx = = 2", "a")

    assert (ran.status, ran.reply["ename"]) == ("error", "SyntaxError")
    assert "Cell In" in ran.traceback
    assert "line 3\n    x = = 2" in ran.traceback
    assert kernel.steps("number", "outcome", "error") == [
        (1, "failed", "SyntaxError: invalid syntax (line 3)")
    ]


def test_a_cell_that_is_mended_after_a_syntax_error_is_the_same_step(kernel: Kernel):
    kernel.run("%%step Typo\nx = = 2", "a")

    ran = kernel.ok("%%step Typo\nx = 2\nx", "a")

    assert ran.value == "2"
    assert kernel.steps("number", "description") == [(1, "Typo")]


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("%%step Ask the shell\nfound = !echo hi\nfound", "['hi']"),
        ("%%step Ask IPython\nnamed = %who_ls str\ntype(named)", "list"),
        ("%%step In a loop\nfor _ in range(2):\n    !echo hi\n1", "1"),
        ("%%step Is it so?\n1", "1"),
        ("%%step Is it?? \n1", "1"),
        ("%%step\n1", "1"),
        ("\n\n%%step Below blank lines\n1", "1"),
        ("# NBVAL_IGNORE_OUTPUT\n%%step Below a comment\n1", "1"),
        ("%step As a line\n1", "1"),
        ("%%step\tWith a tab\n1", "1"),
        ('%%step Quoted "it\'s"\n1', "1"),
        ("%%step Ends in a comment\n1\n# that is all", "1"),
        ("%%step Continued\n(1 +\n 2)", "3"),
        (
            "%%step Text that looks like a step\n'''\n%step not this\n'''.strip()",
            "'%step not this'",
        ),
        ("%%branch alt --from 1 Another way\n1", "1"),
        ("%branch alt --from 1 Another way\n1", "1"),
    ],
    ids=lambda code: code.strip().splitlines()[-1 if code.startswith("#") else 0][:30],
)
def test_a_body_runs_as_it_would_alone(kernel: Kernel, code: str, value: str):
    kernel.ok("%step First")

    ran = kernel.ok(code)

    assert ran.value == value
    assert ran.answer["outcome"] == "ok"
    assert ran.answer["step_number"] == 2


def test_the_shell_writes_to_the_cell(kernel: Kernel):
    assert kernel.ok("%%step Ask\n!echo hi").stdout.split() == ["hi"]


def test_a_body_of_nothing_but_words_is_a_step_of_reasoning(kernel: Kernel):
    ran = kernel.ok("%%step Why\n# If the sensor aged,\n# residuals grow.\n")

    assert ran.answer["last_step_description"] == "Why\n\nIf the sensor aged,\nresiduals grow."
    assert ran.kinds == ["display_data"]


def test_an_empty_body_is_a_step(kernel: Kernel):
    kernel.ok("%%step Nothing under it")
    kernel.ok("%%step Blank lines under it\n\n")

    assert kernel.steps("number", "outcome") == [(1, "ok"), (2, "ok")]


def test_a_text_is_not_run(kernel: Kernel):
    ran = kernel.ok("%%step Plan --text\n# Steps\n1. `import nothing`\n2. **stop** at 1/0\n%%time")

    assert ran.kinds == ["display_data"]
    words = "Plan\n\n# Steps\n1. `import nothing`\n2. **stop** at 1/0\n%%time"
    assert ran.answer["last_step_description"] == words


def test_a_text_may_hold_lines_that_look_like_steps(kernel: Kernel):
    kernel.ok("%step Plan --text\nfirst\n%step is how it is written\nlast")

    assert kernel.steps("description") == ["Plan\n\nfirst\n%step is how it is written\nlast"]


def test_a_title_may_speak_of_texts(kernel: Kernel):
    assert kernel.ok("%%step -- How --text is used\n1").value == "1"
    assert kernel.ok('%%step "How --text is used"\n1').value == "1"


def test_an_indented_cell_fails_as_any_other(kernel: Kernel):
    ran = kernel.run("    %%step Indented\n    1/0")

    assert ran.answer["outcome"] == "failed"


ONE_LINE = ("pwd", "ls -d .", "who", "time 1 + 1", "  pwd", "steps_macro", "%cd .")


@pytest.mark.parametrize("body", ONE_LINE)
def test_a_body_of_one_line_is_taken_as_a_cell_of_one_line(kernel: Kernel, body: str):
    kernel.ok("%macro -q steps_macro 1\nkeep = 7")
    plain = kernel.run(body)
    under = kernel.run(f"%%step T\n{body}")

    assert (under.status, under.answer["outcome"]) == (plain.status, "ok") == ("ok", "ok")


def test_a_body_may_be_indented(kernel: Kernel):
    assert kernel.ok("%%step T\n  a = 1\n  if a:\n    a += 1\n  a").value == "2"
    assert kernel.ok("%step T\n\n  a + 1").value == "3"


@pytest.mark.parametrize("code", ["x = = 2", "if x:\nx", "  a = 1\n b = 2", "f('", "return 1"])
def test_a_cell_that_python_cannot_read_is_a_failed_step(kernel: Kernel, code: str):
    kernel.ok("x = 1")
    kernel.ok("%%step Fine\nx", "a")

    typo = kernel.run(f"%%step Fine\n{code}", "a")
    failed = kernel.steps("number", "outcome", "versions")
    error = kernel.status()["steps"][0]["error"]
    kernel.ok("%%step Fine\nx", "a")

    assert typo.status == "error"
    assert failed == [(1, "failed", 2)]
    assert "Error: " in error
    assert "ipykernel" not in error
    assert kernel.steps("number", "outcome") == [(1, "ok")]


def test_a_docstring_says_more(kernel: Kernel):
    ran = kernel.ok("%%step Load\n'''Both files,\n\n    in order.'''\nx = 1")

    assert ran.answer["last_step_description"] == "Load\n\nBoth files,\n\nin order."


def test_a_string_that_holds_a_step_costs_the_next_one_nothing(kernel: Kernel):
    kernel.ok('%%step It\'s one\ns = f"""\n%step not one\n"""\n%step Two\n# Because')

    assert kernel.steps("description", "outcome") == [("It's one", "ok"), ("Two\n\nBecause", "ok")]


def test_where_a_cell_is_not_python_alone_its_steps_keep_their_words(kernel: Kernel):
    kernel.ok("%%step One\n# First\nx = !echo it''s\n%step Two\n# Because")

    assert kernel.steps("description") == ["One\n\nFirst", "Two\n\nBecause"]


def test_a_refused_step_does_not_run(kernel: Kernel):
    ran = kernel.run("%%step 0 Nothing\nreached = 1")

    assert ran.refusal.startswith("step_number is '0'. It needs a whole number from 1")
    assert kernel.run("reached").status == "error"
