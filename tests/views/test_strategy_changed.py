"""A strategy that takes the place of another shows no stage of that, nor one of a step that is
hidden."""

from tests.core.drawn import FORK
from tests.core.story import Story, done, following
from wfnb.core.commands import HideSteps
from wfnb.core.strategy import builtin_strategies
from wfnb.core.validation import StepPlace
from wfnb.views.graphs import stage_picture
from wfnb.views.report import report
from wfnb.views.snapshot import snapshot
from wfnb.views.status import Status


def test_a_stage_of_the_strategy_before_is_none_of_the_next():
    """Both begin with a stage of that name."""
    assert builtin_strategies()["base_sequential"].start in builtin_strategies()["react"].stages
    fields = dict.fromkeys(
        builtin_strategies()["base_sequential"].stages["problem_reception"].fields, "x"
    )
    story = Story(following("base_sequential"), done("a", fields=fields), following("react"))

    assert snapshot(story.session)["stage"] is None


def test_a_status_that_is_solved_names_no_next_stage():
    """Where a branch was chosen, its stage may be one that others may follow."""
    fields = dict.fromkeys(
        builtin_strategies()["base_sequential"].stages["problem_reception"].fields, "x"
    )
    data = snapshot(Story(following("base_sequential"), done("a", fields=fields)).session)

    assert " · next " in Status(data).sentence
    assert " · next " not in Status({**data, "solved": True}).sentence


def test_a_session_stands_where_its_last_step_that_counts_does():
    """As what may come next, and the panel, have it."""
    story = Story(following(FORK), done("a", stage="ask"), done("b", stage="try"))
    story.do(HideSteps(places=(StepPlace(number=2),)))

    drawn = stage_picture(story.session, FORK, "main")

    assert [node.id for node in drawn.graph.nodes if node.current] == ["ask"]
    assert drawn.lines[0] == "now ask"
    assert snapshot(story.session)["stage"] == "ask"


def test_a_report_says_where_the_other_lines_are_in_the_strategy():
    story = Story(following(FORK), done("a", stage="ask"), done("b", stage="try"))
    alone = report(story.session).markdown

    story.do(done("c", branch="alt", leaves=1, stage="try"))

    assert "Beside it" not in alone
    assert "Marked is where main is. Beside it: alt at try." in report(story.session).markdown
