"""What a cell shows and a notebook stores of a result: no times, no secrets, not too much."""

import json

import pytest

from tests.views.graphs import HOSTILE
from tests.workflows.views.given import (
    NOON,
    Story,
    deploy,
    failed_deploy,
    opened,
    state,
    states,
    step,
    steps,
)
from wfnb.render.message import MIME
from wfnb.workflows.views.run_result import MAX_ROWS, run_result


@pytest.mark.parametrize("when", [0, 86_400])
def test_what_a_notebook_stores_is_the_same_whenever_the_same_happens(when):
    story = failed_deploy()
    later = failed_deploy()
    for place, entry in enumerate(later.entries):
        later.entries[place] = type(entry)(
            position=entry.position, first=entry.first, event=entry.event, at=entry.at + when
        )

    bundles = [run_result(told.run, "deploy-1")._repr_mimebundle_() for told in (story, later)]

    assert bundles[0] == bundles[1]
    assert list(bundles[0]) == [MIME, "text/plain", "text/html"]
    assert not any(word in json.dumps(bundles[0]) for word in ("2025", str(int(NOON)), "elapsed"))


def test_the_stored_data_says_what_happened_and_nothing_that_a_tool_gave_back():
    data = run_result(opened().run, "shell-1")._repr_mimebundle_()[MIME]

    assert data == {
        "run": "shell-1",
        "status": "success",
        "success": True,
        "final_state": "use",
        "states_executed": 2,
        "error": None,
        "actions": [
            {
                "index": 1,
                "action": "open",
                "tool": "open_terminal",
                "status": "ok",
                "attempts": 1,
                "note": "",
            },
            {
                "index": 2,
                "action": "use",
                "tool": "send_input",
                "status": "ok",
                "attempts": 1,
                "note": "",
            },
        ],
        "workflow_saved": False,
        "saved_workflow_name": None,
        "recursion_depth": 0,
        "warnings": [],
    }


def test_a_cell_shows_the_last_actions_of_a_long_run_and_the_report_all():
    story = Story(steps(*(step(f"s{n}") for n in range(100))))
    for number in range(100):
        story.performs(f"s{number}")
    story.finish()

    result = run_result(story.run, "long-1")

    assert repr(result).splitlines()[0] == "long-1 · ✓ success · 100 steps · the last 40"
    assert len(repr(result).splitlines()) == 2 + MAX_ROWS
    assert len(result._repr_mimebundle_()[MIME]["actions"]) == MAX_ROWS
    assert len(result.report.rows) == len(result.execution_log) == 100


def test_a_secret_is_in_nothing_that_is_shown():
    workflow = states("login", enter=state("shell", params={"command": "login {password}"}))
    story = Story(workflow, secrets=("password",)).performs("enter").finish()
    result = run_result(story.run, "login-1")

    assert result.execution_log[0]["params"] == {"command": "login •••"}
    assert json.loads(result.to_json()) == result.to_dict()
    assert "command: login •••" in result.report.html


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_error_stays_text(text):
    story = Story(deploy(rollback=False)).fails("upload", error=text or "x").finish()

    result = run_result(story.run, "deploy-1", [text])
    bundle = result._repr_mimebundle_()

    assert "\x1b" not in bundle["text/plain"] + bundle["text/html"]
    for tag in ("<script", "<img", "</svg", "</style"):
        assert tag not in bundle["text/html"]
