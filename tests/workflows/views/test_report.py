"""A report of a run: a row for each action; as data, Markdown and HTML."""

import json

import pytest
from markdown_it import MarkdownIt

from tests.views.graphs import HOSTILE
from tests.workflows.views.given import (
    Story,
    deploy,
    failed_deploy,
    looped,
    state,
    states,
    step,
    steps,
    table,
)
from wfnb.workflows.views.report import Report


def test_a_report_has_a_row_for_each_action_with_its_attempts_and_undoing():
    report = Report(failed_deploy().run, "deploy-1")

    assert table(report) == [
        (1, "upload", "ok", 1, "not undone: no such upload"),
        (2, "migrate", "ok", 2, "undone"),
        (3, "restart", "failed", 1, ""),
    ]


def test_a_report_as_data_has_times_parameters_and_results():
    story = Story(deploy(), id=7).performs("upload", 2.0, id="u1").cancelled("enough").finish()

    assert Report(story.run, "deploy-1", ["a warning"]).to_dict() == {
        "run": "deploy-1",
        "workflow": "deploy",
        "status": "cancelled",
        "outputs": {},
        "started": "2025-06-15T15:06:40.000+00:00",
        "duration": 2.0,
        "error": "enough",
        "variables": {"id": "u1", "success": True, "upload_id": "u1", "upload_success": True},
        "warnings": ["a warning"],
        "actions": [
            {
                "index": 1,
                "action": "upload",
                "tool": "shell",
                "status": "ok",
                "attempts": 1,
                "started": "2025-06-15T15:06:40.000+00:00",
                "duration": 2.0,
                "params": {},
                "result": {"success": True, "id": "u1"},
                "error": None,
                "undo": "not undone: cancelled without a rollback",
                "cached": False,
            },
            *(
                {
                    "index": index,
                    "action": action,
                    "tool": "shell",
                    "status": "not run",
                    "attempts": 0,
                    "started": None,
                    "duration": None,
                    "params": {},
                    "result": {},
                    "error": None,
                    "undo": None,
                    "cached": False,
                }
                for index, action in ((2, "migrate"), (3, "restart"))
            ),
        ],
    }


def test_an_action_between_two_attempts_is_running():
    story = Story(deploy()).performs("upload", id=1).fails("migrate")

    assert table(Report(story.run, "deploy-1"))[1] == (2, "migrate", "running", 1, "")


def test_a_call_that_nobody_saw_end_is_an_attempt_of_its_action():
    story = Story(deploy()).starts("upload").resumed(lost="again")

    report = Report(story.performs("upload", id=1).run, "deploy-1")

    assert table(report)[0] == (1, "upload", "ok", 2, "")


def test_what_needed_a_failed_step_is_skipped_and_the_rest_runs():
    story = Story(
        steps(step("a", on_failure="continue"), step("b", "a"), step("c", "b"), step("d"))
    )

    report = Report(story.fails("a").performs("d").finish().run, "deploy-1")

    assert (report.status, table(report)) == (
        "partial_success",
        [
            (1, "a", "failed", 1, ""),
            (2, "d", "ok", 1, ""),
            (3, "b", "skipped", 0, ""),
            (4, "c", "skipped", 0, ""),
        ],
    )


def test_stopped_and_timed_out_are_told_apart():
    story = Story(steps(step("a"), step("b"), mode="parallel")).starts("a").starts("b")

    report = Report(story.ends("a", timeout_occurred=True).stopped("b").finish().run, "deploy-1")

    assert [row.status for row in report.rows] == ["timed out", "cancelled"]


def test_a_report_in_markdown_has_the_table_the_graph_and_the_timeline():
    assert Report(failed_deploy().run, "deploy-1").markdown.splitlines()[:12] == [
        "# deploy-1",
        "",
        "◔ partly rolled back · 3 steps · 1 undone · 1 not undone"
        " · started 2025-06-15T15:06:40.000+00:00"
        " · took 4.8 s · workflow deploy 1.0",
        "",
        "**Error:** restart: port in use · not undone: upload (no such upload)",
        "",
        "## Actions",
        "",
        "|   | action | tool | state | attempts | started (UTC) | took | result | undo |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        "| 1 | upload | shell | ✓ ok | 1 | 15:06:40.000 | 2 s | id u1 "
        "| not undone: no such upload |",
        "| 2 | migrate | shell | ✓ ok | 2 | 15:06:42.000 | 1\\.5 s | id m1 | undone |",
    ]
    whole = Report(failed_deploy().run, "deploy-1").markdown
    assert "## Graph\n\n```text\n✓ upload · not undone" in whole
    assert "## Timeline\n\n```text\naction" in whole


def test_what_a_notebook_stores_of_a_report_has_no_times():
    bundle = Report(failed_deploy().run, "deploy-1")._repr_mimebundle_()

    assert "| 2 | migrate | shell | ✓ ok | 2 | id m1 | undone |" in bundle["text/markdown"]
    assert not any(word in json.dumps(bundle) for word in ("2025", "15:06", " took", "Timeline"))


def test_a_report_in_html_is_one_file_that_fetches_nothing():
    html = Report(looped().run, "checks-1").html

    assert html.startswith('<!doctype html><html lang="en"><head><meta charset="utf-8">')
    assert "default-src 'none'; style-src 'unsafe-inline'" in html
    assert html.count("<svg ") == 2
    assert not any(word in html for word in ("<script", " href=", " src=", "@import", "url("))


def test_a_report_of_another_day_says_the_day():
    story = Story(steps(step("a"), step("b"))).performs("a").passes(86_400).performs("b").finish()

    lines = Report(story.run, "deploy-1").markdown.splitlines()

    assert "| 1 | a | shell | ✓ ok | 1 | 15:06:40.000 | 1 s |  |  |" in lines
    assert "| 2 | b | shell | ✓ ok | 1 | 2025-06-16 15:06:41.000 | 1 s |  |  |" in lines


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_result_stays_text(text):
    story = Story(
        deploy(description=text[:500].replace("\ud800", "").replace("\udfff", ""))
    ).performs("upload", stdout=text, id=text)
    report = Report(story.fails("migrate", error=text).run, "deploy-1")

    for shown in (report.html, MarkdownIt("commonmark").enable("table").render(report.markdown)):
        assert not any(tag in shown for tag in ("<script>", "<img", "</style></title>", "\x1b"))
    json.loads(report.to_json())


def test_where_a_run_of_states_ends_with_success_because_no_transition_held_it_is_said():
    look = state("shell", ({"field_equals": {"exit_code": "0"}}, "deploy"))
    story = Story(states("cond", look=look, deploy=state("shell")))
    report = Report(story.performs("look", exit_code=0, stdout="ready").finish().run, "cond-1")

    said = "the run ends here: its transition did not hold"

    assert report.to_dict()["actions"][0]["ends"] == said
    assert f"ready · {said}" in repr(report)
    assert report.rows[-1].notes == [said]
    assert 'exit_code = "0"' in repr(report)


def test_a_run_that_ends_at_a_state_without_transitions_says_nothing_of_it():
    story = Story(states("s", a=state("shell", "b"), b=state("shell")))
    report = Report(story.performs("a").performs("b").finish().run, "s-1")

    assert [row.ends for row in report.rows] == ["", ""]
