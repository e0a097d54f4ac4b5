"""What a run that lost its process had begun is told as interrupted, attempt by attempt too."""

from tests.workflows.views.given import Story, step, steps
from wfnb.workflows.views.report import Report


def test_the_page_of_a_run_whose_process_is_gone_shows_no_attempt_that_runs_still():
    run = Story(steps(step("fetch"))).starts("fetch").run
    run.lost = True

    page = Report(run, "deploy-1").html

    assert "attempt 1: ◐ interrupted" in page
    assert "▶ running" not in page
