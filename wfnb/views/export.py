"""session, the ending of a file -> the text of that file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from wfnb import views
from wfnb.core.session import Session
from wfnb.render.text import escape

from .figures import FigureRoom
from .graphs import branch_picture
from .run_entries import RunEntry
from .snapshot import snapshot

Runs = Sequence[RunEntry]
MARK = "wfnb"  # near the beginning of every exported file: it may be written over


def render_session(
    session: Session, ending: str, runs: Runs = (), figures: FigureRoom | None = None
) -> str:
    """The session in one of `FORMS`; the same session, runs and figures give the same text."""
    return FORMS[ending](session, runs, figures)


def _json(session: Session, runs: Runs, _: object) -> str:
    data = {"wfnb": 1, **snapshot(session, sources=True, runs=runs)}
    return escape.json_text(json.dumps(data, indent=1, ensure_ascii=False)) + "\n"


def _markdown(session: Session, runs: Runs, figures: FigureRoom | None) -> str:
    return f"<!-- {MARK} report -->\n{views.report.report(session, runs, figures).markdown}"


FORMS: Mapping[str, Callable[[Session, Runs, FigureRoom | None], str]] = {
    ".md": _markdown,
    ".html": lambda session, runs, figures: views.report.report(session, runs, figures).html,
    ".json": _json,
    ".svg": lambda session, runs, _: branch_picture(session, runs).svg,
    ".dot": lambda session, runs, _: f"// {MARK} history\n{branch_picture(session, runs).dot}",
    ".mmd": lambda session, runs, _: f"%% {MARK} history\n{branch_picture(session, runs).mermaid}",
    ".txt": lambda session, runs, _: f"{MARK} history\n{branch_picture(session, runs).text}\n",
}
