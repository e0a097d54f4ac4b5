"""The runs of a session beside the steps that started them."""

import pytest

from tests.core.story import at, done, given
from tests.views.graphs import HOSTILE
from wfnb.views.entries import RunEntry
from wfnb.views.export import FORMS, rendered
from wfnb.views.pictures import branch_picture
from wfnb.views.report import report
from wfnb.views.snapshot import snapshot

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
    assert "<h2>Runs of no step</h2>\n<p>▶ deploy-3 ◐ interrupted</p>" in html


@pytest.mark.parametrize("ending", FORMS)
def test_every_export_tells_of_the_runs(ending):
    assert "deploy-2" in rendered(SESSION, ending, RUNS).replace("#45;", "-").replace("\\", "")


@pytest.mark.parametrize("ending", FORMS)
def test_without_runs_an_export_is_as_it_was(ending):
    assert rendered(SESSION, ending, ()) == rendered(SESSION, ending)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_name_stays_text(text):
    entry = RunEntry(name=text, workflow=text, status="failed", step=STEP, error=text)

    html = report(SESSION, (entry,)).html

    assert not any(tag in html for tag in ("<script", "<img", "\x1b"))
