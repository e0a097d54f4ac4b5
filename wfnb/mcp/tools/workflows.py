"""workflows: checked by anybody; run where a person allowed it."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from wfnb.errors import BadValue, RunUnknown, WorkflowInvalid, WorkflowSource
from wfnb.journal import FOLLOW, RunInfo
from wfnb.mcp.connection import Connection
from wfnb.mcp.tool_declaration import Data, Detail, SessionName, tool
from wfnb.parked_run_owner import parked_until
from wfnb.process_identity import shown_status
from wfnb.views.step_words import cut
from wfnb.workflows.definition.json_equality import indistinguishable
from wfnb.workspace import Workspace

if TYPE_CHECKING:
    from wfnb.workflows.run_log import RunLog

Name = Annotated[str | None, Field(description="of a saved workflow")]
Definition = Annotated[
    str | dict[str, Any] | None, Field(description="or a definition, as YAML or JSON")
]
Variables = Annotated[dict[str, Any], Field(description="what it begins with")]
_LINES = 10


@tool(gives={"valid": "boolean", "problems": "array", "warnings": "array", "workflows": "array"})
def check_workflow(
    around: Connection,
    *,
    workflow: Name = None,
    definition: Definition = None,
    variables: Variables = {},  # noqa: B006  never changed
    session: SessionName = None,
) -> Data:
    """All that is wrong with a workflow; nothing is called. Without arguments: which are saved."""
    runner = around.workspace(session).runs
    if workflow is None and definition is None:
        saved = [
            f"{each.name}: {cut(each.description, 60)}" for each in runner.library.list().workflows
        ]
        ways = ["`run_workflow` runs one"]
        return {"valid": True, "problems": [], "warnings": [], "workflows": saved, "next": ways}
    problems: list[str] = []
    warnings: list[str] = []
    try:
        warnings += map(str, runner.check(workflow_of(workflow, definition), variables).warnings)
    except WorkflowInvalid as refusal:
        problems += map(str, refusal.problems)
    way = "resource wfnb://schema/workflow has the form" if problems else "`run_workflow` runs it"
    return {"valid": not problems, "problems": problems, "warnings": warnings, "next": [way]}


RUN = {
    "run": "string",
    "status": "string",
    "done": "boolean",
    "error": "string|null",
    "asks": "array",
    "output": "array",
    "report": "string",
    "outputs": "object",
}


@tool(gives=RUN, changes=True, destroys=True, reaches=True)
def run_workflow(
    around: Connection,
    *,
    workflow: Name = None,
    definition: Definition = None,
    variables: Variables = {},  # noqa: B006
    key: Annotated[str | None, Field(description="repeated with it, it starts nothing")] = None,
    session: SessionName = None,
) -> Data:
    """Start a workflow, where a person allowed that. `run_status` waits for it."""
    meant = workflow_of(workflow, definition)
    around.check_run(workflow)
    opened = around.workspace(session, make=True)
    with around.key_lock(key):
        log = None if key is None else _begun_by(opened, key, meant, variables)
        if log is None:
            running = opened.runs.start(meant, variables=variables, save=False, key=key)
            around.began.add(opened)
            log = running.log
    return _facts(opened, log, "brief")


def _begun_by(
    workspace: Workspace, key: str, meant: Any, variables: dict[str, Any]
) -> RunLog | None:
    """The run of that key. BadValue where it is of another workflow, or has other variables: its
    result would be told as that of what is asked for."""
    begun = workspace.runs.by_key(key)
    if begun is None:
        return None
    log = workspace.runs.log(begun.name)
    asked = workspace.runs.check(meant, variables)
    is_same = indistinguishable(asked.workflow.data, log.run.workflow.data)
    if not (is_same and indistinguishable(asked.variables, log.run.initial)):
        raise BadValue("key", key, f"another one: run {begun.name} was begun by it, and it differs")
    return log


@tool(gives=RUN)
def run_status(
    around: Connection,
    *,
    run: Annotated[str | None, Field(description="as deploy-3; default: the last")] = None,
    wait: Annotated[float, Field(ge=0, le=25, description="seconds, at most, for its end")] = 0,
    session: SessionName = None,
    detail: Detail = "brief",
) -> Data:
    """How far a run is: state, last output, questions, and at its end the report. A person answers
    questions, and goes on with a run that failed."""
    opened = around.workspace(session)
    runs = opened.runs
    log = runs.log(run) if run is not None else runs.log(_last(runs.runs()))
    ends = time.monotonic() + wait
    while not _is_over(log) and not log.asks and time.monotonic() < ends:
        running = runs.running(log.name)
        if running is not None:
            # In short turns: a question of the run does not end this wait, and is looked for
            # between two.
            running.wait(min(FOLLOW, max(0.0, ends - time.monotonic())))
        else:
            time.sleep(FOLLOW)
        log.refresh()
    return _facts(opened, log, detail)


def workflow_of(workflow: str | None, definition: str | dict[str, Any] | None) -> Any:
    """What a run is of. Refused where it is not exactly one of the two, or no definition."""
    if (workflow is None) == (definition is None):
        raise WorkflowSource("A workflow is a saved one's name, or a definition: exactly one.")
    from wfnb.workflows.library.definition_file import read_definition  # noqa: PLC0415  heavy
    from wfnb.workflows.library.saved_workflow import check_workflow_name  # noqa: PLC0415

    if workflow is not None:
        check_workflow_name(workflow)
        return workflow
    text = json.dumps(definition) if isinstance(definition, dict) else definition or ""
    return read_definition(text, "the definition")


def _last(runs: list[RunInfo]) -> str:
    if not runs:
        raise RunUnknown("last", ())
    return runs[-1].name


def _is_over(log: RunLog) -> bool:
    return log.run.status != "running" or log.run.lost


def _facts(workspace: Workspace, log: RunLog, detail: str) -> Data:
    run = log.run
    status = shown_status(run.status, run.process)
    running = workspace.runs.running(log.name)
    asks = [f"{run.calls[call].action}: {each.question}" for call, each in run.questions.items()]
    data: Data = {"run": log.name, "status": status, "done": _is_over(log), "error": run.error}
    data["asks"] = asks
    if running is not None and running.tail:
        data["output"] = [f"{who}: {cut(text, 160)}" for who, text in running.tail[-_LINES:]]
    if data["done"]:
        data["outputs"] = dict(run.outputs)
        from wfnb.workflows.views.run_text import plain  # noqa: PLC0415  as above

        data["report"] = plain(run, log.name, None if detail == "full" else 78)
    return {**data, "next": _ways(log, status, asks)}


def _ways(log: RunLog, status: str, asks: list[str]) -> list[str]:
    from wfnb.workflows.views.run_result import RESUMABLE, WELL  # noqa: PLC0415  as above
    from wfnb.workflows.views.run_words import parked_text  # noqa: PLC0415

    if asks:
        return [f"a person answers, in the panel or by `wfnb answer TEXT --run {log.name}`"]
    if status == "running":
        return [f"`run_status` waits for it: run={log.name}, wait=25"]
    if status in WELL:
        return ["`record_step` says what came of it"]
    if status in RESUMABLE:
        return [f"a person goes on with it by `wfnb resume {log.name}`"]
    return [f"it waits {parked_text(parked_until(log.run.process))}"]
