"""run -> what it came to as plain text, in aligned columns that fit a terminal.

It has times and what tools gave back: it is to be read at a terminal, and not for what a notebook
stores.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from wfnb.render.text import escape
from wfnb.render.text.terminal_width import FREE, fit_table, wrap_sentence
from wfnb.render.text.text_width import cut
from wfnb.views.step_words import short
from wfnb.workflows.core.run import Run
from wfnb.workflows.definition.models import StatesWorkflow

from .action_rows import Row, count_text, rollback_counts, rows, visible_rows, whole_duration
from .failure_location import fault
from .run_words import iso, run_sign, seconds, status_of

_SAID_ABOVE = frozenset({"success", "error", "traceback"})


def ending(run: Run, width: int | None = None) -> str:
    """A row an action. `width` is that of a terminal: nothing is wider."""
    return "\n".join([*_table(run, rows(run), width, said=False), *_outputs(run, width)])


def summary(run: Run, name: str, width: int | None = None) -> str:
    """How it ended, and a row an action."""
    every = rows(run)
    head, table = _head(run, name, every, width), _table(run, every, width, said=False)
    return "\n".join([*head, *table, *_outputs(run, width), *_faults(every, width)])


def plain(run: Run, name: str, width: int | None = None) -> str:
    """The same with what it is for, when it was, what the actions gave back, and each variable
    once: those that it began with or captured, then the fields of the results, by action."""
    every = rows(run)
    lines = [*_head(run, name, every, width), *wrap_sentence(" · ".join(_facts(run)), width)]
    lines += wrap_sentence(run.workflow.description, width)
    lines += ["", *_table(run, every, width, said=True), *_outputs(run, width)]
    lines += _faults(every, width)
    variables = list(_variables(run))
    if variables:
        lines += ["", *fit_table(("variable", "value"), variables, width)]
    return "\n".join(lines)


def _head(run: Run, name: str, every: Sequence[Row], width: int | None) -> list[str]:
    begun = sum(row.last is not None and not (row.is_item or row.group) for row in every)
    parts = [name, run_sign(status_of(run)), count_text(run, begun)]
    parts += rollback_counts(every)
    parts.append(f"took {seconds(whole_duration(run))}")
    parts += [f"saved as {run.saved}"] if run.saved else []
    return [*wrap_sentence(" · ".join(parts), width), *wrap_sentence(run.error or "", width)]


def _facts(run: Run) -> Iterator[str]:
    if run.workflow.name:
        yield f"workflow {run.workflow.name} {run.workflow.version}"
    started = iso(run.started)
    if started:
        yield f"started {started[:19].replace('T', ' ')} UTC"


def _table(run: Run, found: Sequence[Row], width: int | None, said: bool) -> list[str]:
    thing = "state" if isinstance(run.workflow, StatesWorkflow) else "step"
    heads = (thing, "status", "attempts", "took", "note")
    cells = [_cells(row, said) for row in visible_rows(found)]
    return fit_table(heads, cells, width) if cells else []


def _outputs(run: Run, width: int | None) -> list[str]:
    outputs = [(name, _value_text(value)) for name, value in run.outputs.items()]
    return ["", *fit_table(("output", "value"), outputs, width)] if outputs else []


def _faults(every: Sequence[Row], width: int | None) -> Iterator[str]:
    """Errors that take more than a line, whole or nearly so."""
    for row in every:
        if lines := fault(row):
            yield ""
            yield escape.line(f"{row.action}:")
            yield from (f"  {line}" if width is None else cut(f"  {line}", width) for line in lines)


def _cells(row: Row, said: bool) -> tuple[str, ...]:
    notes = ([row.result] if said and row.result else []) + row.notes
    note = escape.line(" · ".join(notes))
    tried, took = str(row.attempts or "–"), seconds(row.duration)
    return escape.line(row.action), row.shown_state, tried, took, note


def _variables(run: Run) -> Iterator[tuple[str, str]]:
    """The fields of a result are known by two names: the shorter one is left out."""
    given: dict[str, Any] = {name: run.variables[name] for name in run.initial}
    by_action = {f"{action}_{name}" for action, result in run.results.items() for name in result}
    fields = {name for result in run.results.values() for name in result}
    captured = {
        name: value
        for name, value in {**run.standard, **run.specific}.items()
        # Each field is told once by its action: what capturing named the same way is left out.
        if name not in by_action and name not in fields
    }
    shown = {**given, **captured}
    for action, result in run.results.items():
        shown |= {f"{action}.{name}": result[name] for name in result if name not in _SAID_ABOVE}
    for name, value in shown.items():
        if value not in (None, "", [], {}):
            yield escape.line(name), _value_text(value)


def _value_text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return escape.line(short(text.strip(), FREE * 2))
