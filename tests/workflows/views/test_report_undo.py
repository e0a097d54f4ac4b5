"""Why something was not undone stands in a column of its own."""

from tests.workflows.views.given import Story, step, steps
from wfnb.workflows.views.report import Report


def test_a_reason_of_several_lines_is_not_told_as_a_result_as_well():
    undo = {"tool": "shell", "args": {"command": "rm a"}}
    story = Story(steps(step("a", compensation=undo), step("b")))
    story.performs("a", stdout="made").fails("b").undoes(success=False, error="no\nlast words")

    (first, *_) = [
        line
        for line in Report(story.finish().run, "deploy-1").markdown.splitlines()
        if "| a |" in line
    ]

    assert first.count("not undone") == 1
    assert "made" in first
