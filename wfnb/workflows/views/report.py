"""run -> a report of it to read: every action in a table, Markdown, JSON, and HTML in one file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wfnb.frozen_record import record
from wfnb.render import document, html_page
from wfnb.render.document import Part, code, figure, folded, heading, paragraph, quiet, table
from wfnb.render.message import MIME
from wfnb.render.text import escape
from wfnb.render.text.tables import html_table, markdown_table
from wfnb.views.step_words import cut, short, sign
from wfnb.workflows.core.run import Call, Run
from wfnb.workflows.definition.absent_fields import STILL_RUNNING
from wfnb.workflows.definition.truncation import INVALID

from .action_rows import (
    Row,
    count_performed,
    count_text,
    headline,
    rollback_counts,
    rows,
    time_texts,
    visible_rows,
    whole_duration,
)
from .failure_location import fault
from .graph import run_picture
from .run_words import displayed_state, iso, run_sign, seconds, status_of
from .timeline import Timeline

HEADS = ("", "action", "tool", "state", "attempts", "started (UTC)", "took", "result", "undo")
_TIMED = (5, 6)  # columns that differ when the same happens again
_DECODING = frozenset(("shell", "watch", "read", "python"))  # tools that make texts of bytes
_PARTLY = "partly_rolled_back"
_WELL = ("success", "partial_success")
_MAX_LENGTH = 4_000  # characters of one parameter or field; the JSON has all


class Report:
    """`rows` are the actions in order (`rows.Row`); `markdown` and `html` are to be read, and
    `to_dict()` is for programs. What a notebook stores of it has no times."""

    def __init__(self, run: Run, name: str, warnings: Sequence[str] = ()) -> None:
        self.run = run
        self.name = name
        self.warnings = (*warnings, *warnings_of(run))
        self.rows = tuple(rows(run))

    @property
    def status(self) -> str:
        """success, failed, rolled_back, partly_rolled_back, partial_success, cancelled; before its
        end running, or interrupted where its process is gone."""
        return status_of(self.run)

    @property
    def duration(self) -> float | None:
        """Seconds from the start to the end, pauses included."""
        return whole_duration(self.run)

    @property
    def timeline(self) -> Timeline:
        return Timeline(self.run, self.name)

    def to_dict(self) -> dict[str, Any]:
        """The whole as JSON data. Durations are in seconds; `started` is ISO 8601, UTC."""
        return {
            "run": self.name,
            "workflow": self.run.workflow.name,
            "status": self.status,
            "started": iso(self.run.started),
            "duration": self.duration,
            "error": self.run.error,
            "outputs": dict(self.run.outputs),
            "variables": self.run.variables,
            "warnings": list(self.warnings),
            "actions": [action_data(row) for row in self.rows],
        }

    def to_json(self) -> str:
        """The same, as indented JSON."""
        return escape.json_text(json.dumps(self.to_dict(), indent=2, ensure_ascii=False))

    @property
    def markdown(self) -> str:
        return document.markdown(_parts(self))

    @property
    def html(self) -> str:
        return html_page.page(self.name, document.html(_parts(self)))

    def parts(self) -> Iterator[Part]:
        """Its part in a report of several: what was done, under a third heading."""
        yield heading(3, self.name)
        yield from _fact_parts(self, times=True)
        yield figure(run_picture(self.run, self.name))
        yield table(_actions(self, times=True))
        yield from _fault_parts(self)

    def __repr__(self) -> str:
        return document.markdown(_parts(self, times=False))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        text = repr(self)
        return {"text/markdown": text, "text/plain": text, MIME: {"report": True}}


def warnings_of(run: Run) -> Iterator[str]:
    """What is odd about its calls: of what an answer was looked for in, a part was gone; a text is
    not what its bytes were; an attempt at a nested run left something, or one was still at work,
    whatever came of the next."""
    names = {(call.action, name): None for call in run.forward_calls() for name in call.in_part}
    for action, name in names:
        yield (
            f"{action}: its conditions and patterns saw only both ends of {name}, which was too "
            "long to be kept. Have it written to a file, and look into that"
        )
    for call in run.forward_calls():
        if call.unsure and call.result.get(STILL_RUNNING) is True and _went_on(run, call):
            yield (
                f"{call.action}: attempt {call.attempt} was told to stop, and was still at work "
                "when the run went on: what it does after that, it does beside what came next. "
                "Have it end when it is stopped, or give it more time (`timeout`)"
            )
        for name in call.result if call.tool in _DECODING else ():
            if name.endswith(INVALID):
                field = name.removesuffix(INVALID)
                yield (
                    f"{call.action}: {field} is not all UTF-8: bytes were replaced by U+FFFD. Have "
                    "it decoded with its own encoding (`iconv -f`), or pass the file's path"
                )
        # Where the run itself is rolled back, what is left is undone with it, or named there.
        left = call.nested is not None and call.undone_by is None
        if left and call.result.get("status") == _PARTLY:
            stays = f"{call.result.get('run')} was rolled back only in part, and what it left stays"
            yield f"{call.action}: {stays}: {' '.join((call.error or _PARTLY).split())}"


def _went_on(run: Run, call: Call) -> bool:
    """Whether the run did: else the error of its last call says how that ended."""
    later = (each.id > call.id for each in run.forward_calls() if each.action == call.action)
    return run.status in _WELL or any(later)


def action_data(row: Row) -> dict[str, Any]:
    """One action as JSON data: `params` and `result` are those of the last attempt."""
    last = row.last
    return {
        "index": row.index,
        "action": row.action,
        "tool": row.tool,
        "status": row.status,
        "attempts": row.attempts,
        "started": iso(row.started),
        "duration": row.duration,
        "params": dict(last.params) if last else {},
        "result": dict(last.result) if last else {},
        "error": row.error,
        "undo": row.undo or None,
        "cached": bool(last and last.cached),
        **({"ends": row.ends} if row.ends else {}),
    }


def _cells(run: Run, row: Row, times: bool) -> tuple[str, ...]:
    # They have a column of their own here, and stand among the notes elsewhere.
    beside = (headline(row.undo), row.ends)
    said = [part for part in row.notes if part not in beside] or [row.result]
    result = cut(" · ".join(filter(None, (*said, row.ends))), 160)
    cells = (
        *(
            row.number,
            row.action,
            row.tool,
            row.shown_state,
            str(row.attempts or "–"),
        ),
        *time_texts(run, row),
        *(result, row.undo),
    )
    return _without_times(cells, times)


def _without_times(cells: Sequence[str], times: bool) -> tuple[str, ...]:
    return tuple(cell for column, cell in enumerate(cells) if times or column not in _TIMED)


def _facts(report: Report, times: bool) -> Iterator[str]:
    """The whole in a line."""
    yield run_sign(report.status)
    yield count_text(report.run, count_performed(report.rows))
    yield from rollback_counts(report.rows)
    if times:
        yield f"started {iso(report.run.started) or '–'}"
        yield f"took {seconds(report.duration)}"
    if report.run.workflow.name:
        yield f"workflow {report.run.workflow.name} {report.run.workflow.version}"


def _parts(report: Report, times: bool = True) -> Iterator[Part]:
    """All of it; without `times` what is the same when the same happens again."""
    yield heading(1, report.name)
    yield from _fact_parts(report, times)
    yield heading(2, "Actions")
    yield table(_actions(report, times))
    if times and report.run.outputs:
        yield heading(2, "Outputs")
        yield table(_named_values(report.run.outputs))
    if any(map(fault, report.rows)):
        yield heading(2, "What went wrong")
        yield from _fault_parts(report)
    if times and report.run.variables:
        yield heading(2, "Variables")
        yield table(_named_values(report.run.variables))
    yield heading(2, "Graph")
    yield figure(run_picture(report.run, report.name, times=times))
    if times:
        yield heading(2, "Timeline")
        yield figure(report.timeline)
        yield heading(2, "What went in and came out")
        shown = (row for row in visible_rows(report.rows) if row.last is not None)
        yield from (_action_part(report.run, row) for row in shown)


def _fact_parts(report: Report, times: bool) -> Iterator[Part]:
    yield quiet(" · ".join(_facts(report, times)))
    if report.run.workflow.description:
        yield paragraph(report.run.workflow.description)
    if report.run.error:
        yield paragraph(headline(report.run.error), label="Error", look="answer")
    yield from (paragraph(warning, label="Warning") for warning in report.warnings)


def _fault_parts(report: Report) -> Iterator[Part]:
    for row in visible_rows(report.rows):
        if said := fault(row):
            yield paragraph(f"{row.index}. {row.action}")
            yield code("\n".join(said))


@record
class _Table:
    heads: Sequence[str]
    cells: Sequence[Sequence[str]]

    @property
    def markdown(self) -> str:
        return markdown_table(self.heads, self.cells)

    @property
    def html(self) -> str:
        return html_table(self.heads, self.cells, firm=frozenset(range(2, 7)))


def _actions(report: Report, times: bool) -> _Table:
    cells = [_cells(report.run, row, times) for row in visible_rows(report.rows)]
    return _Table(heads=_without_times(HEADS, times), cells=cells)


def _named_values(values: Mapping[str, Any]) -> _Table:
    cells = [(name, short(_value_text(value), 200)) for name, value in sorted(values.items())]
    return _Table(heads=("name", "value"), cells=cells)


def _value_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _action_part(run: Run, row: Row) -> Part:
    """Each attempt of an action with its parameters and its result, then those that undid it."""
    parts: list[Part] = []
    for call in row.calls:
        said = f"attempt {call.attempt}: {sign(displayed_state(run, call))}"
        said += f" · {seconds(call.duration)}" + (" · cached" if call.cached else "")
        parts += [quiet(said), *_data(call.params), *_data(call.result)]
    for call in row.undoing:
        state = sign(displayed_state(run, call))
        parts.append(quiet(f"undoing it, attempt {call.attempt}: {call.tool} · {state}"))
        parts += [*_data(call.params), *_data(call.result)]
    return folded(f"{row.index}. {row.action} · {sign(row.state)}", parts)


def _data(data: Mapping[str, Any]) -> Iterator[Part]:
    lines = [f"{name}: {cut(_value_text(value), _MAX_LENGTH)}" for name, value in data.items()]
    if lines:
        yield code("\n".join(lines))
