"""Stale hides nothing: a step that failed, was interrupted or runs says both, in every view."""

import pytest

from tests.core.story import at, given
from tests.core.story import done as step
from wfnb.core.events import Outcome
from wfnb.panel.timeline import row
from wfnb.views.graphs import branch_picture
from wfnb.views.report import report
from wfnb.views.snapshot import snapshot
from wfnb.views.status import Status
from wfnb.views.step_card import Card

SAYS = {
    "ok": "◌ stale",
    "failed": "✕ failed · ◌ stale",
    "interrupted": "◐ interrupted · ◌ stale",
    "unknown": "? unknown · ◌ stale",
    "running": "▶ running · ◌ stale",
}


def outdated(status):
    """A session whose step 2 went so, and is stale since step 1 was changed."""
    outcome = None if status == "running" else Outcome(status=status)
    return given(step("a"), step("b", outcome=outcome), step("A", number=1))


@pytest.mark.parametrize(("status", "says"), SAYS.items(), ids=SAYS)
@pytest.mark.parametrize(
    "view",
    [
        lambda session: repr(Status(snapshot(session))),
        lambda session: Card(session, at(session, 2)).text,
        lambda session: report(session).markdown,
        lambda session: report(session).html,
        lambda session: branch_picture(session).text,
        lambda session: branch_picture(session).mermaid,
        lambda session: branch_picture(session).dot,
        lambda session: branch_picture(session).svg,
    ],
    ids=["status", "card", "markdown", "html", "text", "mermaid", "dot", "svg"],
)
def test_a_stale_step_says_how_it_went(view, status, says):
    assert says in view(outdated(status))


@pytest.mark.parametrize("status", SAYS)
def test_outcome_and_stale_are_fields_of_their_own(status):
    session = outdated(status)

    data = snapshot(session)["steps"][1]
    shown = row(session, at(session, 2), 1)

    assert (data["outcome"], data["stale"]) == (status, True)
    assert (shown["outcome"], shown["stale"]) == (status, True)
