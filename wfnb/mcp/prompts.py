"""what a person may choose to say -> the words that the agent gets."""

from __future__ import annotations

from collections.abc import Mapping

from wfnb.errors import BadValue
from wfnb.frozen_record import record


@record
class Prompt:
    """Words with `{names}`, which the person fills in."""

    name: str
    says: str
    words: str
    asks: tuple[str, ...] = ()


PROMPTS = (
    Prompt(
        name="continue",
        says="Go on where the session stands",
        words="Call `session_status`. Say in three sentences where the work stands, what is open "
        "and what is stale. Then go on with the next step, and record it.",
    ),
    Prompt(
        name="investigate",
        says="Investigate a problem with evidence",
        words="Begin an investigation with `start_session` (kind: {kind}) of this problem: "
        "{problem}. Record each step with what was found and how sure it is. Look at something "
        "with `look` between two steps; claim no more than that shows.",
        asks=("kind", "problem"),
    ),
    Prompt(
        name="compare",
        says="Try several ways, and decide",
        words="Try at least two ways to do this: {problem}. Open a branch for each with "
        "`open_branch`, record named values, compare them with `compare_branches`, and decide "
        "with `settle_branch` and a reason.",
        asks=("problem",),
    ),
    Prompt(
        name="write_workflow",
        says="Write a workflow",
        words="Write a workflow that does this: {goal}. Read wfnb://schema/workflow first. Give "
        "what changes something a compensation, and mend all that `check_workflow` says.",
        asks=("goal",),
    ),
    Prompt(
        name="explain_run",
        says="Say what a run did, and why it ended so",
        words="Read `run_status` of {run} with detail full. Say what it did, what failed and why, "
        "what was undone, and what a person has to do next.",
        asks=("run",),
    ),
    Prompt(
        name="handover",
        says="Hand the work over",
        words="Read the report of the session. Write for whoever goes on: the question, what is "
        "known and by which step, what was tried and given up, and what comes next. Record that "
        "as a step.",
    ),
)
_BY_NAME: Mapping[str, Prompt] = {each.name: each for each in PROMPTS}


def fill(name: str, given: Mapping[str, str]) -> str:
    """The words of a prompt. BadValue names the prompts there are, or what is missing."""
    if name not in _BY_NAME:
        raise BadValue("prompt", name, f"one of {', '.join(_BY_NAME)}")
    prompt = _BY_NAME[name]
    for asked in prompt.asks:
        if not given.get(asked):
            raise BadValue(asked, "", "some words")
    return prompt.words.format_map({asked: given[asked] for asked in prompt.asks})
