"""a run's name, or none -> the one run that is meant, or a refusal that says how to name it."""

from __future__ import annotations

from wfnb.errors import BadOption, listing
from wfnb.workflows.run_log import RunLog
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.runner.session_runs import WELL, Asking

from .options import RUN


def going(runner: Runner, name: str | None) -> str:
    """The run to cancel. RunNone, RunAmbiguous."""
    return runner.going(name, "%wfnb cancel")


def asking(runner: Runner, name: str | None) -> RunLog:
    """The run to answer. QuestionNone, RunAmbiguous."""
    return runner.asking(name, "%wfnb answer TEXT --run")


def open_questions(runner: Runner) -> list[Asking]:
    """The runs of the session that ask something, those that were called by runs too."""
    return runner.open_questions()


def last_stopped_run(runner: Runner) -> str:
    """The last run that did not succeed. BadOption where all have."""
    names = [info.name for info in runner.runs()]
    left = [info.name for info in runner.runs() if info.status not in WELL]
    if left:
        return left[-1]
    way = "Write a workflow under %%run_workflow, or name a saved one."
    if names:
        known = listing(reversed(names), "")
        way = f"`--resume {names[-1]} --from STATE` does a part again. Runs: {known}."
    raise BadOption(RUN.name, "no run of this session failed or was stopped", way)
