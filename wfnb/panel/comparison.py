"""session, names of lines -> the lines side by side, as words in cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wfnb.core.queries import open_lines, visible_on
from wfnb.core.session import Line, Session
from wfnb.render.text import escape
from wfnb.views.code_comparison import compare_code
from wfnb.views.line_comparison import compare
from wfnb.views.step_words import cut

from .timeline import figure_names

MAX_LINES = 50
"""Lines that are compared at most: the first of them."""
MAX_STEPS, MAX_DIFF = 200, 8_000
"""Pairs of steps whose code is compared; characters of the difference of one."""


def comparison(session: Session, lines: Sequence[str] | None = None) -> dict[str, Any]:
    """These lines, or all; names that no line has are left out."""
    chosen = [session.lines[name] for name in lines or session.lines if name in session.lines]
    # More columns fit no panel.
    chosen = chosen[:MAX_LINES]
    compared = compare(session, chosen, frozenset(), frozenset())
    ongoing = {line.id for line in open_lines(session)}
    return {
        "lines": [
            {
                "id": line.id,
                "head": escape.line(heading),
                "state": line.state,
                "open": line.id in ongoing,
                **_shown(session, line),
            }
            for line, heading in zip(chosen, compared.lines, strict=True)
        ],
        "rows": [
            {
                "name": cut(escape.line(row.name), 80),
                "cells": [escape.line(text) for text in row.shown],
                "best": list(row.best),
            }
            for row in compared.rows
        ],
    }


def _shown(session: Session, line: Line) -> dict[str, Any]:
    """The last of the line's own steps that showed a figure which is kept, if one did."""
    for step in reversed(visible_on(session, line)):
        if step.is_counting and step.ended and step.ended.figures:
            figures = figure_names(step.ended)
            return {"shown": {"key": step.key, "number": step.number, "figures": figures}}
    return {}


def code_comparison(session: Session, lines: Sequence[str]) -> dict[str, Any]:
    """How the code of the first two of these lines differs; nothing where one is not there."""
    compared_lines = [session.lines[name] for name in lines if name in session.lines]
    if len(compared_lines) < 2:
        return {"says": "", "steps": []}
    compared = compare_code(session, compared_lines[0], compared_lines[1])
    return {
        "says": escape.line(compared.sentence),
        "steps": [
            {
                "steps": escape.line(pair.places),
                "title": escape.line(pair.title),
                "says": escape.line(pair.says),
                "diff": cut(escape.printable(pair.diff), MAX_DIFF),
            }
            for pair in compared.pairs[:MAX_STEPS]
        ],
    }
