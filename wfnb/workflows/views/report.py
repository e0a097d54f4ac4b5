"""run -> a report of it to read: every action in a table, Markdown, JSON, and HTML in one file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wfnb.render import html_page
from wfnb.render.message import MIME
from wfnb.render.text import escape
from wfnb.render.text.tables import html_table, markdown_table
from wfnb.views.words import cut, short, sign
from wfnb.workflows.core.run import Run
from wfnb.workflows.definition.truncation import INVALID

from .action_rows import Row, count_text, headline, rows, time_texts, whole_duration
from .failure_location import fault
from .graph import run_picture
from .timeline import Timeline
from .words import displayed_state, iso, run_sign, seconds, status_of

HEADS = ("", "action", "tool", "state", "attempts", "started (UTC)", "took", "result", "undo")
_TIMED = (5, 6)  # columns that differ when the same happens again
_DECODING = frozenset(("shell", "read", "python"))  # tools that make texts of bytes
_LONGEST = 4_000  # characters of one parameter or field in the HTML; the JSON has all


class Report:
    """`rows` are the actions in order (`rows.Row`); `markdown` and `html` are to be read, and
    `to_dict()` is for programs. What a notebook stores of it has no times."""

    def __init__(self, run: Run, name: str, warnings: Sequence[str] = ()) -> None:
        self.run = run
        self.name = name
        self.warnings = (*warnings, *_in_part(run), *_not_utf8(run))
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
            "variables": self.run.variables,
            "warnings": list(self.warnings),
            "actions": [action_data(row) for row in self.rows],
        }

    def to_json(self) -> str:
        """The same, as indented JSON."""
        return escape.json_text(json.dumps(self.to_dict(), indent=2, ensure_ascii=False))

    @property
    def markdown(self) -> str:
        return "\n".join(_markdown(self)) + "\n"

    @property
    def html(self) -> str:
        return "\n".join(html_page.page(self.name, _html(self))) + "\n"

    def markdown_part(self) -> Iterator[str]:
        """The lines of its part in a report of several: what was done, under a third heading."""
        yield f"\n### {escape.markdown(self.name)}"
        yield from _markdown_facts(self, times=True)
        yield f"\n{_markdown_table(self, times=True)}"
        yield from _markdown_faults(self)

    def html_part(self) -> Iterator[str]:
        """The same as HTML, and the graph."""
        yield f"<h3>{escape.html(self.name)}</h3>"
        yield from _html_facts(self)
        yield f"{run_picture(self.run, self.name).html}{_table(self)}"
        yield from _html_faults(self)

    def __repr__(self) -> str:
        return "\n".join(_markdown(self, times=False)) + "\n"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        text = repr(self)
        return {"text/markdown": text, "text/plain": text, MIME: {"report": True}}


def _in_part(run: Run) -> Iterator[str]:
    """Warnings: of what an answer was looked for in, a part was gone."""
    names = {(call.action, name): None for call in run.forward_calls() for name in call.in_part}
    for action, name in names:
        yield (
            f"{action}: its conditions and patterns saw only both ends of {name}, which was too "
            "long to be kept. Have it written to a file, and look into that"
        )


def _not_utf8(run: Run) -> Iterator[str]:
    """Warnings: a text is not what its bytes were."""
    for call in run.forward_calls():
        if call.tool not in _DECODING:
            continue
        for name in call.result:
            if name.endswith(INVALID):
                field = name.removesuffix(INVALID)
                yield (
                    f"{call.action}: {field} is not all UTF-8: bytes were replaced by U+FFFD. Have "
                    "it decoded with its own encoding (`iconv -f`), or pass the file's path"
                )


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
    state = "· not run" if row.status == "not run" else sign(row.state)
    beside = (headline(row.undo), row.ends)
    said = [part for part in row.notes if part not in beside] or [row.result]
    result = cut(" · ".join(filter(None, (*said, row.ends))), 160)
    cells = (
        *(str(row.index), row.action, row.tool, state, str(row.attempts or "–")),
        *time_texts(run, row),
        *(result, row.undo),
    )
    return _without_times(cells, times)


def _without_times(cells: Sequence[str], times: bool) -> tuple[str, ...]:
    return tuple(cell for column, cell in enumerate(cells) if times or column not in _TIMED)


def _facts(report: Report, times: bool) -> Iterator[str]:
    """The whole in a line."""
    performed = sum(row.last is not None for row in report.rows)
    yield run_sign(report.status)
    yield count_text(report.run, performed)
    undone = sum(row.undo == "undone" for row in report.rows)
    if undone:
        yield f"{undone} undone"
    lost = sum(row.undo.startswith("not undone") for row in report.rows)
    if lost:
        yield f"{lost} not undone"
    if times:
        yield f"started {iso(report.run.started) or '–'}"
        yield f"took {seconds(report.duration)}"
    if report.run.workflow.name:
        yield f"workflow {report.run.workflow.name} {report.run.workflow.version}"


def _markdown(report: Report, times: bool = True) -> Iterator[str]:
    yield f"# {escape.markdown(report.name)}"
    yield from _markdown_facts(report, times)
    yield f"\n## Actions\n\n{_markdown_table(report, times)}"
    if any(map(fault, report.rows)):
        yield "\n## What went wrong"
        yield from _markdown_faults(report)
    if times and report.run.variables:
        yield f"\n## Variables\n\n{markdown_table(('name', 'value'), _variables(report.run))}"
    yield from _fence_lines("\n## Graph\n\n", run_picture(report.run, report.name).text)
    if times:
        yield from _fence_lines("\n## Timeline\n\n", report.timeline.text)


def _markdown_facts(report: Report, times: bool) -> Iterator[str]:
    yield f"\n{escape.markdown(' · '.join(_facts(report, times)))}"
    if report.run.workflow.description:
        yield f"\n{escape.markdown(report.run.workflow.description)}"
    if report.run.error:
        yield f"\n**Error:** {escape.markdown(headline(report.run.error))}"
    for warning in report.warnings:
        yield f"\nWarning: {escape.markdown(warning)}"


def _markdown_table(report: Report, times: bool) -> str:
    cells = [_cells(report.run, row, times) for row in report.rows]
    return markdown_table(_without_times(HEADS, times), cells)


def _markdown_faults(report: Report) -> Iterator[str]:
    for row in report.rows:
        if said := fault(row):
            yield from _fence_lines(
                f"\n{row.index}\\. {escape.markdown(row.action)}\n\n", "\n".join(said)
            )


def _fence_lines(above: str, text: str) -> Iterator[str]:
    fence = escape.fence(text)
    yield f"{above}{fence}text\n{text}\n{fence}"


def _variables(run: Run) -> list[tuple[str, str]]:
    return [(name, short(_value_text(value), 200)) for name, value in sorted(run.variables.items())]


def _value_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _html(report: Report) -> Iterator[str]:
    yield f"<h1>{escape.html(report.name)}</h1>"
    yield from _html_facts(report)
    yield f"<h2>Graph</h2>{run_picture(report.run, report.name, times=True).html}"
    yield f"<h2>Actions</h2>{_table(report)}"
    if any(map(fault, report.rows)):
        yield "<h2>What went wrong</h2>"
        yield from _html_faults(report)
    yield f"<h2>Timeline</h2>{report.timeline.html}"
    yield "<h2>What went in and came out</h2>"
    for row in report.rows:
        yield from _html_action(report.run, row)
    if report.run.variables:
        yield f"<h2>Variables</h2>{html_table(('name', 'value'), _variables(report.run))}"


def _html_facts(report: Report) -> Iterator[str]:
    yield f'<p class="quiet">{escape.html(" · ".join(_facts(report, times=True)))}</p>'
    if report.run.workflow.description:
        yield f"<p>{escape.html(report.run.workflow.description)}</p>"
    if report.run.error:
        yield f'<div class="answer">{escape.html(headline(report.run.error))}</div>'
    for warning in report.warnings:
        yield f"<p>! {escape.html(warning)}</p>"


def _html_faults(report: Report) -> Iterator[str]:
    for row in report.rows:
        if said := fault(row):
            yield f"<p>{row.index}. {escape.html(row.action)}</p>"
            yield f"<pre>{escape.html(chr(10).join(said))}</pre>"


def _table(report: Report) -> str:
    cells = [_cells(report.run, row, True) for row in report.rows]
    return html_table(HEADS, cells, firm=frozenset(range(2, 7)))


def _html_action(run: Run, row: Row) -> Iterator[str]:
    if row.last is None:
        return
    head = f"{row.index}. {row.action} · {sign(row.state)}"
    yield f"<details><summary>{escape.html(head)}</summary>"
    for call in row.calls:
        said = sign(displayed_state(run, call))
        said += f" · {seconds(call.duration)}" + (" · cached" if call.cached else "")
        yield f'<p class="quiet">attempt {call.attempt}: {escape.html(said)}</p>'
        yield _data(call.params)
        yield _data(call.result)
    for call in row.undoing:
        said = (
            f"undoing it, attempt {call.attempt}: {call.tool} · {sign(displayed_state(run, call))}"
        )
        yield f'<p class="quiet">{escape.html(said)}</p>'
        yield _data(call.params)
        yield _data(call.result)
    yield "</details>"


def _data(data: Mapping[str, Any]) -> str:
    if not data:
        return ""
    lines = (f"{name}: {cut(_value_text(value), _LONGEST)}" for name, value in data.items())
    return f"<pre>{escape.html(chr(10).join(lines))}</pre>"
