"""What went wrong in more words than a line has."""

from tests.workflows.views.given import Story, step, steps
from wfnb.workflows.views.action_rows import rows
from wfnb.workflows.views.failure_location import LINES, fault
from wfnb.workflows.views.report import Report
from wfnb.workflows.views.run_result import run_result

TRACEBACK = """Traceback (most recent call last):
  File "<code>", line 7, in <module>
    f(x)
  File "/home/ada/rates.py", line 4, in f
    return a / 0
           ~~^~~
ZeroDivisionError: division by zero"""
SHOWN = (
    "line 7, in <module>",
    "    f(x)",
    "rates.py, line 4, in f",
    "    return a / 0",
    "           ~~^~~",
    "ZeroDivisionError: division by zero",
)


def failed(error: str, **result: str) -> Story:
    return Story(steps(step("py"), step("after"))).fails("py", error, **result).finish()


def test_of_a_traceback_the_lines_are_shown_and_where_a_file_is_not():
    story = failed("line 4: return a / 0 — division by zero", traceback=TRACEBACK)

    assert fault(rows(story.run)[0]) == SHOWN


def test_an_error_of_one_line_has_no_more_to_say():
    assert fault(rows(failed("exit code 1").run)[0]) == ()


def test_what_succeeded_has_no_fault():
    story = Story(steps(step("py"))).performs("py", traceback=TRACEBACK).finish()

    assert fault(rows(story.run)[0]) == ()


def test_a_long_traceback_is_shown_by_its_end_and_another_long_error_by_its_beginning():
    frames = "\n".join(f'  File "<code>", line {n}, in f' for n in range(100))
    deep = failed("too deep", traceback=f"{frames}\nRecursionError: too deep")
    many = failed("100 problems:\n" + "\n".join(f"- {n}" for n in range(100)))

    shown, told = (fault(rows(story.run)[0]) for story in (deep, many))

    assert (len(shown), shown[0], shown[-1]) == (LINES, "…", "RecursionError: too deep")
    assert (len(told), told[0], told[-1]) == (LINES, "100 problems:", "…")


def test_a_cell_and_a_report_show_it_as_a_block():
    run = failed("line 4", traceback=TRACEBACK).run

    result, report = run_result(run, "bad-1"), Report(run, "bad-1")

    block = "\n".join(SHOWN)
    assert "\n".join(["py:", *(f"  {line}" for line in SHOWN)]) in repr(result)
    assert "return a / 0\n           ~~^~~" in result._repr_mimebundle_()["text/html"]
    assert f"```text\n{block}\n```" in report.markdown
    assert "<h2>What went wrong</h2>" in report.html


def test_a_line_of_an_error_of_several_says_that_there_are_more():
    story = failed("2 problems:\n- a\n- b")

    assert rows(story.run)[0].notes == ["2 problems: …"]
    assert "1         2 problems: …" in repr(run_result(story.run, "bad-1"))


def test_a_hostile_traceback_stays_text():
    story = failed("no", traceback='  File "<code>", line 1, in \x1b[31m\u202e<script>\n\x9b2J')

    shown = run_result(story.run, "bad-1")

    for text in (repr(shown), shown._repr_mimebundle_()["text/html"]):
        assert not any(sign in text for sign in ("\x1b", "\x9b", "\u202e"))
    assert "<script" not in shown._repr_mimebundle_()["text/html"]
