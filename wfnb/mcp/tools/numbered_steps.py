"""a step with the numbers that an agent gives its steps -> recorded under those of the history."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from wfnb.core.queries import next_number, step_at
from wfnb.core.validation import MAIN, StepPlace, place_text
from wfnb.errors import BadValue
from wfnb.mcp.agent_step_numbers import AgentStepNumbers
from wfnb.mcp.connection import Connection
from wfnb.mcp.tool_declaration import Data
from wfnb.workspace import Workspace

from .steps import answer_data

Number = Annotated[int, Field(ge=1)]


def record_numbered(
    around: Connection,
    workspace: Workspace,
    text: str,
    number: int,
    total: int,
    *,
    revises: int | None = None,
    branch: str | None = None,
    branch_from: int | None = None,
    backtrack: int | None = None,
    **words: Any,
) -> Data:
    """The answer to the step, with the numbers that the agent gave."""
    session = workspace.log.refresh()
    branch = branch_name(branch)
    count = around.step_numbers.get(workspace.log.id)
    aim = revises or backtrack
    if count is not None and aim is not None and branch is None:
        # A step is corrected on its own line.
        aimed = count.find(session, aim, MAIN) or count.find(session, aim)
        branch = None if aimed is None or aimed.branch == MAIN else aimed.branch
    same = count.find(session, number, branch or MAIN) if count else None
    if same and (backtrack or same.is_withdrawn or same.current.description != text.strip()):
        same = None
    own = same.number if same else next_number(session.lines[MAIN])
    fresh = number == 1 and not (same or revises or branch or backtrack)
    if count is None or fresh:  # of a server that was started again, it is another's count
        count = AgentStepNumbers(before=max(own - number, 0))
        around.step_numbers[workspace.log.id] = count
    # On a branch the agent's numbers are ahead of the step's, by as many as other lines have.
    ahead = count.before if branch else own - number

    def place(given: int) -> StepPlace:
        step = count.find(session, given, branch or MAIN) or count.find(session, given)
        if step is None:
            return StepPlace(number=given + count.before)
        return StepPlace(number=step.number, branch=step.branch)

    for given in filter(None, (revises, backtrack)):
        line, aimed_at = session.lines.get(branch or MAIN), place(given)
        seen = None if line is None else step_at(session, line, aimed_at.number)
        if seen is not None and aimed_at.branch not in (None, seen.branch):
            needs = f"a step of {branch or MAIN}: that is of {aimed_at.branch}"
            raise BadValue("what is revised", str(given), needs)
    answer = workspace.step(
        text,
        number=same.number if same else None,  # a call that is made twice is one step
        total=max(total, number) + ahead,
        revises=None if revises is None else place(revises).number,
        backtrack=None if backtrack is None else place(backtrack).number,
        branch=branch,
        # A known branch is gone on with, whatever thought is said to be before.
        branch_from=place(branch_from) if branch_from and not count.is_on(branch) else None,
        **words,
    )
    step = workspace.log.find(StepPlace(number=answer.step_number, branch=answer.current_branch))
    count.add(number, step)
    data = answer_data(answer) | {
        "step_number": number,
        "total_steps": max(answer.total_steps - ahead, number),
    }
    return {**data, "step": place_text(step.branch, step.number)}


def branch_name(given: str | None) -> str | None:
    """A branch's name has no spaces; those of other servers may."""
    return "-".join(given.split()) if given else None
