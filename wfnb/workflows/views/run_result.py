"""run -> its result: what a caller gets back, and what a cell shows of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields as dataclass_fields
from typing import Any

from wfnb.frozen_record import record
from wfnb.hints import Command, Option
from wfnb.render.message import MIME
from wfnb.render.text import escape
from wfnb.render.text.css_fonts import CODE, SPACED
from wfnb.render.text.inline_code import html as coded
from wfnb.render.text.tables import html_table, text_table
from wfnb.views.step_words import cut, short
from wfnb.workflows.core.apply import learned
from wfnb.workflows.core.rollback_state import is_undone, undone_below
from wfnb.workflows.core.run import Call, Run

from .action_rows import (
    Row,
    count_performed,
    count_text,
    headline,
    rows,
    visible_rows,
    whole_duration,
)
from .failure_location import fault
from .progress import progress
from .report import Report
from .run_words import iso, run_sign, said_line, status_of

MAX_ROWS = 40  # rows a cell shows; the report has all
_NOTE = 160  # characters of a note
FAULTS = 3  # errors of several lines that a cell shows
HEADS = ("", "action", "tool", "state", "attempts", "note")
FIRM = frozenset({2, 3, 4})
WELL = ("success", "partial_success")
_HIDDEN = ("report",)
_TONES = {
    "success": "var(--jp-success-color1,#2e7d32)",
    "partial_success": "var(--jp-warn-color1,#8a5a00)",
    "failed": "var(--jp-error-color1,#b3261e)",
    "rolled_back": "var(--jp-error-color1,#b3261e)",
    "partly_rolled_back": "var(--jp-error-color1,#b3261e)",
    "cancelled": "var(--jp-warn-color1,#8a5a00)",
    "interrupted": "var(--jp-warn-color1,#8a5a00)",
    "parked": "var(--jp-brand-color1,#1a73b8)",
    "running": "var(--jp-brand-color1,#1a73b8)",
}
_QUIET = "opacity:.72"
RESUMABLE = ("failed", "rolled_back", "partly_rolled_back", "cancelled", "interrupted")


class Outputs(dict[str, Any]):
    """What a run handed on, by name: the values themselves, which are read when they are asked for.
    Asking raises ValueLost for one that is not there any more."""

    def __init__(
        self, forms: Mapping[str, Any], read: Callable[[Any], Any] = lambda form: form
    ) -> None:
        super().__init__(forms)
        self._read = read

    def __getitem__(self, name: str) -> Any:
        return self._read(super().__getitem__(name))

    def __iter__(self) -> Iterator[str]:
        # A dict that goes through its names otherwise is copied by `dict(…)` and `{**…}` by name.
        return super().__iter__()

    def get(self, name: str, default: Any = None) -> Any:
        return self._read(super().__getitem__(name)) if name in self else default

    def copy(self) -> dict[str, Any]:
        return dict(self)

    def pop(self, name: str, *default: Any) -> Any:
        found = self.get(name, *default)
        super().pop(name, *default)
        return found

    def __or__(self, other: Any) -> Any:
        return dict(self) | other

    def __ror__(self, other: Any) -> Any:
        return other | dict(self)

    def values(self) -> Any:
        # Through `self[name]`, as `dict.values` would hand out the forms unread.
        return [self[name] for name in self]

    def items(self) -> Any:
        return [(name, self[name]) for name in self]


@record
class RunResult:
    """What a run gave back (docs/workflows.md). Times are in seconds.

    `success`: all that had to succeed did, so a `partial_success` is one. `final_state` is the
    action that was called last, `error` where there was none. `outputs` are those that its workflow
    declares, in Python the values themselves. Each entry of `execution_log` is one
    action: `state`, `tool`, `params` (of the last attempt, secrets taken out), `result`,
    `elapsed_time` with its retries, `timestamp` (ISO 8601, UTC; when it started), `status` and
    `attempts`. `rollback` has the compensations that were called, in order: `state`, `tool`,
    `params`, `result`, `status`, `undone`, `error`. `run` is the run's name, `status` how it ended
    in one word.
    """

    success: bool
    final_state: str
    states_executed: int
    total_elapsed_time: float
    execution_log: list[dict[str, Any]]
    final_variables: dict[str, Any]
    session_id: str | None
    workflow_saved: bool
    saved_workflow_name: str | None
    available_workflows: list[str]
    recursion_depth: int
    error: str | None
    run: str
    status: str
    outputs: dict[str, Any]
    rollback: list[dict[str, Any]]
    warnings: list[str]
    report: Report

    def to_dict(self) -> dict[str, Any]:
        """All fields in order, as JSON data."""
        names = (field.name for field in dataclass_fields(self) if field.name not in _HIDDEN)
        # The forms, not the values: a value that went through a store is no JSON.
        forms = {"outputs": dict(self.report.run.outputs)}
        return {name: getattr(self, name) for name in names} | forms

    def to_json(self) -> str:
        """The same, as indented JSON."""
        return escape.json_text(json.dumps(self.to_dict(), indent=2, ensure_ascii=False))

    def __repr__(self) -> str:
        return _text(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        data = stored_fields(self)
        return {MIME: data, "text/plain": _text(self), "text/html": "".join(_html(self, data))}


def run_result(
    run: Run,
    name: str,
    warnings: Sequence[str] = (),
    available: Sequence[str] = (),
    read: Callable[[Any], Any] = lambda form: form,
) -> RunResult:
    """The result of a run, or how far it is; `available` are the names of the saved workflows.
    `read` gives the value of which something is the form."""
    report = Report(run, name, warnings)
    return RunResult(
        **_plain(run, report.rows),
        execution_log=[_entry(run, row) for row in report.rows if row.last is not None],
        available_workflows=list(available),
        run=name,
        status=report.status,
        outputs=Outputs(run.outputs, read) if run.outputs else {},
        rollback=list(_rollback(run)),
        warnings=list(report.warnings),
        report=report,
    )


def response(run: Run, name: str) -> dict[str, Any]:
    """What a nested run gives the run that called it."""
    own = {"run": name, "status": status_of(run), "outputs": dict(run.outputs)}
    return {**_plain(run, rows(run)), **own}


def _plain(run: Run, found: Sequence[Row]) -> dict[str, Any]:
    variables = run.variables
    session = variables.get("session_id")
    forward = list(run.forward_calls())
    return {
        "success": run.status in WELL,
        "final_state": run.final_state or (forward[-1].action if forward else "error"),
        "states_executed": count_performed(found),
        "total_elapsed_time": whole_duration(run) or 0.0,
        "final_variables": variables,
        "session_id": None if session is None else str(session),
        "workflow_saved": run.saved is not None,
        "saved_workflow_name": run.saved,
        "recursion_depth": run.depth,
        "error": run.error,
    }


def _rollback(run: Run) -> Iterator[dict[str, Any]]:
    """The compensations that were called, in order: of several attempts the last."""
    newest: dict[int, Call] = {}
    for call in run.calls.values():
        if call.undoes is not None:
            newest.pop(call.undoes, None)  # it has the place of the last attempt, too
            newest[call.undoes] = call
    for undoes, call in newest.items():
        yield {
            "state": call.action,
            "tool": call.tool,
            "params": dict(call.params),
            "result": dict(call.result),
            "status": call.status,
            "undone": is_undone(run, run.calls[undoes]),
            "error": call.error,
        }


def _entry(run: Run, row: Row) -> dict[str, Any]:
    assert row.last is not None
    standard: dict[str, Any] = {}
    specific: dict[str, Any] = {}
    # A call that did not end gave the run nothing; nor does an item, whose whole gives the list.
    if row.status not in ("cancelled", "unknown", "running") and not row.is_item:
        learned(run, row.last, standard, specific)
    return {
        "state": row.action,
        "tool": row.tool,
        "params": dict(row.last.params),
        "result": dict(row.last.result),
        "elapsed_time": row.duration,
        "timestamp": iso(row.started),
        "status": row.status,
        "attempts": row.attempts,
        "variables_after": {**standard, **specific},
    }


def stored_fields(result: RunResult) -> dict[str, Any]:
    """The part of a result that is the same when the same happens again, for an output that a
    notebook keeps: no times, nothing that a tool gave back, and not more actions than are shown."""
    return {
        "run": result.run,
        "status": result.status,
        "success": result.success,
        "final_state": result.final_state,
        "states_executed": result.states_executed,
        "error": result.error,
        "actions": [
            {
                "index": row.index,
                "action": row.action,
                "tool": row.tool,
                "status": row.status,
                "attempts": row.attempts,
                "note": " · ".join(row.notes),
            }
            for row in visible_rows(result.report.rows, MAX_ROWS)
        ],
        "workflow_saved": result.workflow_saved,
        "saved_workflow_name": result.saved_workflow_name,
        "recursion_depth": result.recursion_depth,
        "warnings": list(result.warnings),
    }


def next_move(result: RunResult) -> str:
    """What can be done about a run that did not reach its end, or left out what was undone."""
    run, status = result.run, result.status
    if status == "partial_success" and (undone := undone_below(result.report.run)):
        return f"`{Command('resume', run, Option('from', undone[0]))}` does it again"
    if status == "parked":
        return f"`{Command('work')}` goes on with it when what it waits for has come"
    if status not in RESUMABLE:
        return ""
    move = f"`{Command('resume', run)}` goes on from there"
    # Of what was perhaps done nobody knows what to undo: a resume asks about it.
    if status == "partly_rolled_back" and result.report.run.has_effects:
        again = Command("cancel", run, Option("rollback", True))
        return f"`{again}` tries again to undo what is left; {move}"
    return move


def cells(row: Row) -> tuple[str, ...]:
    # Of a failure the error says more than what was printed before it.
    said = [said_line(row.last.result)] if row.last and row.state == "ok" else []
    note = cut(" · ".join(filter(None, (*said, *row.notes))), _NOTE)
    tried = str(row.attempts or "–")
    return row.number, cut(row.action, 60), row.tool, row.shown_state, tried, note


def _sentence(result: RunResult) -> str:
    said = [result.run, run_sign(result.status)]
    said.append(count_text(result.report.run, result.states_executed))
    if result.saved_workflow_name:
        said.append(f"saved as {result.saved_workflow_name}")
    if len(visible_rows(result.report.rows)) > MAX_ROWS:
        said.append(f"the last {MAX_ROWS}")
    return " · ".join(said)


def _notes(result: RunResult) -> Iterator[str]:
    if result.error and not any(
        _tells(row, result.error) for row in visible_rows(result.report.rows, MAX_ROWS)
    ):
        yield headline(result.error)
    yield from (f"{name}: {value}" for name, value in output_lines(result.report.run.outputs))
    if result.status == "parked":
        yield from parked_questions(result)
    if move := next_move(result):
        yield move
    yield from (f"! {warning}" for warning in result.warnings)


def parked_questions(result: RunResult) -> Iterator[str]:
    """What a parked run asks, and how that is answered, each in a line."""
    for each in progress(result.report.run, result.run).questions:
        choices = f" ({' · '.join(each.choices)})" if each.choices else ""
        yield f"{each.action} asks: {each.question}{choices} · `{each.answer}`"


def output_lines(outputs: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The outputs of a run, each in a line."""
    for name, value in outputs.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        yield name, short(text.strip(), _NOTE)


def _tells(row: Row, error: str) -> bool:
    """Whether the table, or what stands under it, says already why the run failed."""
    short = len(row.error or "") <= _NOTE - len(row.undo) - 3
    return error == f"{row.action}: {row.error}" and (short or bool(fault(row)))


def _faults(result: RunResult) -> Iterator[tuple[str, Sequence[str]]]:
    """The last actions that failed with more to say than fits a line."""
    found = [
        (row.action, said)
        for row in visible_rows(result.report.rows, MAX_ROWS)
        if (said := fault(row))
    ]
    yield from found[-FAULTS:]


def _text(result: RunResult) -> str:
    shown = [cells(row) for row in visible_rows(result.report.rows, MAX_ROWS)]
    lines = [escape.line(_sentence(result))]
    if shown:
        lines.append(text_table(HEADS, shown))
    for action, fault_lines in _faults(result):
        lines += [f"{escape.line(action)}:", *(f"  {line}" for line in fault_lines)]
    return "\n".join([*lines, *map(escape.line, _notes(result))])


def _html(result: RunResult, data: Mapping[str, Any]) -> Iterator[str]:
    tone = _TONES.get(result.status, "rgba(128,128,128,.6)")
    said = escape.json_text(json.dumps(data, indent=2, ensure_ascii=False))
    yield (
        f'<div class="wfnb-run" style="{SPACED};border-left:3px solid {tone};padding:3px 0 3px 9px;'
        'margin:2px 0"><details><summary title="the result as JSON" style="cursor:pointer">'
        f'<b style="overflow-wrap:anywhere">{escape.html(_sentence(result))}</b></summary>'
        f'<pre style="{CODE};margin:4px 0 4px 12px;white-space:pre-wrap;font-size:.92em;{_QUIET}">'
        f"{escape.html(said)}</pre></details>"
    )
    for note in _notes(result):
        yield f'<div style="overflow-wrap:anywhere">{coded(note)}</div>'
    shown = [cells(row) for row in visible_rows(result.report.rows, MAX_ROWS)]
    if shown:
        yield html_table(HEADS, shown, firm=FIRM)
    for action, lines in _faults(result):
        yield (
            f"<div>{escape.html(action)}:</div>"
            f'<pre style="{CODE};margin:2px 0 4px 12px;white-space:pre-wrap;overflow-wrap:anywhere;'
            f'font-size:.92em">{escape.html(chr(10).join(lines))}</pre>'
        )
    yield "</div>"
