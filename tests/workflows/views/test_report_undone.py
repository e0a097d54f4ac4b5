"""A report says of each action whether it was undone, and if not, why."""

import pytest

from tests.workflows.views.given import UNDO, Story, deploy, step, steps, table
from wfnb.workflows.core.commands import StartCall
from wfnb.workflows.core.next_action import next_action
from wfnb.workflows.views.report import Report


def test_everything_undone_is_a_run_rolled_back():
    story = Story(deploy()).performs("upload", id=1).fails("migrate").fails("migrate")

    report = Report(story.undoes().finish().run, "deploy-1")

    assert (report.status, table(report)) == (
        "rolled_back",
        [
            (1, "upload", "ok", 1, "undone"),
            (2, "migrate", "failed", 2, ""),
            (3, "restart", "not run", 0, ""),
        ],
    )


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"rollback": False}, "not undone: rollback is off"),
        ({}, "undone"),
    ],
)
def test_what_was_not_undone_says_why(more, why):
    story = Story(steps(step("a", compensation=UNDO), step("b"), step("c"), **more))
    story.performs("a", id=1).performs("b").fails("c")
    if not more:
        story.undoes()

    report = Report(story.finish().run, "deploy-1")

    assert [row.undo for row in report.rows] == [why, "not undone: it has no compensation", ""]


UNKNOWN = "not undone: unknown whether it was done"


@pytest.mark.parametrize(
    ("more", "rollback", "why"),
    [
        ({"compensation": UNDO}, True, UNKNOWN),
        ({"compensation": UNDO}, False, UNKNOWN),
        (
            {"compensation": UNDO, "compensate_on_failure": True},
            False,
            "not undone: cancelled without a rollback",
        ),
        ({}, True, ""),
    ],
)
@pytest.mark.parametrize("form", ["stopped", "lost"])
def test_of_what_was_cut_off_it_is_said_that_nobody_knows(form, more, rollback, why):
    story = Story(steps(step("a", **more), step("b", compensation=UNDO))).starts("a")
    story.cancelled(rollback=rollback)
    story = story.stopped("a") if form == "stopped" else story.resumed(lost="again")

    report = Report(story.finish().run, "deploy-1")

    assert [row.undo for row in report.rows] == [why, ""]


def test_what_was_cut_off_and_called_again_is_known():
    story = Story(steps(step("a", compensation={"tool": "shell"}), step("b"))).starts("a")
    story.cancelled().stopped("a").finish().resumed(lost="again")

    report = Report(story.performs("a").fails("b").undoes().finish().run, "deploy-1")

    assert [(row.action, row.status, row.undo) for row in report.rows] == [
        ("a", "cancelled", ""),
        ("a", "ok", "undone"),
        ("b", "failed", ""),
    ]


def test_what_was_cut_off_and_is_undone_all_the_same_is_told():
    tries = step("a", compensation={"tool": "shell"}, compensate_on_failure=True)
    story = Story(steps(tries)).starts("a").cancelled(rollback=True).stopped("a")

    report = Report(story.undoes().finish().run, "deploy-1")

    assert [(row.status, row.undo) for row in report.rows] == [("cancelled", "undone")]


def test_where_nothing_can_be_undone_nothing_is_said_of_it():
    story = Story(steps(step("a"), step("b"))).performs("a").fails("b").finish()

    assert [row.undo for row in Report(story.run, "deploy-1").rows] == ["", ""]


def test_undoing_that_goes_on_is_told():
    story = Story(deploy()).performs("upload", id=1).fails("migrate").fails("migrate")
    (undo,) = next_action(story.run)

    story.do(StartCall(action="upload", undoes=undo.call))

    run = story.run
    assert Report(run, "deploy-1").rows[0].undo == "being undone"
    run.lost = True
    assert Report(run, "deploy-1").rows[0].undo == "not undone: interrupted"
