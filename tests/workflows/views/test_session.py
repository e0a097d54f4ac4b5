"""The runs of a session beside the steps that started them."""

import pytest

from tests.core.story import at, done, given
from tests.views.graphs import HOSTILE
from tests.workflows.views.given import failed_deploy
from wfnb.core.events import Recorded, SessionStarted
from wfnb.views.event_sentences import Log
from wfnb.views.export import FORMS, render_session
from wfnb.views.graphs import branch_picture
from wfnb.views.report import report
from wfnb.views.run_entries import RunEntry
from wfnb.views.snapshot import snapshot
from wfnb.workflows.views.report import Report as RunReport

SESSION = given(done("load"), done("deploy"), done("deploy it otherwise", branch="alt", leaves=1))
STEP = at(SESSION, 2).key
ELSEWHERE = at(SESSION, 2, "alt").key
RUNS = (
    RunEntry(name="deploy-1", workflow="deploy", status="rolled_back", step=STEP, error="no disk"),
    RunEntry(name="deploy-2", workflow="deploy", status="success", step=STEP),
    RunEntry(name="checks-1", workflow="checks", status="running", step=ELSEWHERE),
    RunEntry(name="deploy-3", workflow="deploy", status="interrupted"),
)


def test_a_step_of_the_history_names_its_newest_run():
    assert branch_picture(SESSION, RUNS).text.splitlines() == [
        "●    1  load                 ✓ ok",
        "├─╮",
        "● │  2  deploy               ✓ ok · ▶ deploy-2 ✓ success · 1 more before",
        "  ■  2  deploy it otherwise  ✓ ok · ▶ checks-1 ▶ running  [alt]",
    ]


def test_a_session_of_runs_alone_has_a_picture_of_them():
    picture = branch_picture(given(), RUNS[:3])

    assert picture.text.splitlines() == [
        "↶ deploy-1 (undone) · rolled back",
        "✓ deploy-2",
        "▶ checks-1 (running)",
    ]
    assert picture.graph.says == "test: 3 runs, now at checks-1"
    assert "rolled back" in picture.svg


def test_a_report_of_runs_alone_has_no_lines_and_each_run_with_its_actions():
    run = RunReport(failed_deploy().run, "deploy-1")
    entry = RunEntry(name="deploy-1", workflow="deploy", status="failed", report=run)

    found = report(given(), [entry])

    assert found.markdown.splitlines()[2] == "1 run"
    assert "## main" not in found.markdown
    assert "### deploy-1" in found.markdown
    assert "| 2 | migrate | shell | ✓ ok | 2 |" in found.markdown
    assert "<h3>deploy-1</h3>" in found.html
    assert "migrate" in found.html


def test_the_log_tells_when_runs_began_and_how_they_ended():
    started = Recorded(position=1, first=1, event=SessionStarted(name="x"), at=10.0)
    ran = RunEntry(
        name="a-1", workflow="a", status="failed", error="b: no", started=11.0, ended=14.0
    )
    runs = RunEntry(name="b-1", workflow="b", status="running", started=12.0, ended=13.0)

    log = Log([started], 30, False, [ran, runs])

    assert [(line["position"], line["event"], line["says"]) for line in log.to_dict()["log"]] == [
        (1, "session-started", "session 'x' started"),
        (None, "run-started", "run a-1 started"),
        (None, "run-started", "run b-1 started"),
        (None, "run-ended", "run a-1 ✕ failed · b: no"),
    ]


def test_the_snapshot_tells_each_run_with_its_step():
    assert snapshot(SESSION, runs=RUNS)["runs"] == [
        {
            "name": "deploy-1",
            "workflow": "deploy",
            "status": "rolled_back",
            "step": 2,
            "branch": "main",
            "error": "no disk",
        },
        {
            "name": "deploy-2",
            "workflow": "deploy",
            "status": "success",
            "step": 2,
            "branch": "main",
            "error": None,
        },
        {
            "name": "checks-1",
            "workflow": "checks",
            "status": "running",
            "step": 2,
            "branch": "alt",
            "error": None,
        },
        {
            "name": "deploy-3",
            "workflow": "deploy",
            "status": "interrupted",
            "step": None,
            "branch": None,
            "error": None,
        },
    ]


def test_the_report_tells_every_run_under_its_step_and_the_others_at_the_end():
    lines = report(SESSION, RUNS).markdown.splitlines()

    place = lines.index("### 2. deploy")
    assert lines[place : place + 7] == [
        "### 2. deploy",
        "",
        "✓ ok",
        "",
        "▶ deploy-1 ↶ rolled back · no disk",
        "",
        "▶ deploy-2 ✓ success",
    ]
    assert lines[lines.index("## Runs of no step") :][:3] == [
        "## Runs of no step",
        "",
        "- ▶ deploy-3 ◐ interrupted",
    ]
    html = report(SESSION, RUNS).html
    assert '<p class="quiet">▶ deploy-1 ↶ rolled back · no disk</p>' in html
    assert "<h2>Runs of no step</h2>\n<ul><li>▶ deploy-3 ◐ interrupted</li></ul>" in html


@pytest.mark.parametrize("ending", FORMS)
def test_every_export_tells_of_the_runs(ending):
    assert "deploy-2" in render_session(SESSION, ending, RUNS).replace("#45;", "-").replace(
        "\\", ""
    )


@pytest.mark.parametrize("ending", FORMS)
def test_without_runs_an_export_is_as_it_was(ending):
    assert render_session(SESSION, ending, ()) == render_session(SESSION, ending)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_name_stays_text(text):
    entry = RunEntry(name=text, workflow=text, status="failed", step=STEP, error=text)

    html = report(SESSION, (entry,)).html

    assert not any(tag in html for tag in ("<script", "<img", "\x1b"))
