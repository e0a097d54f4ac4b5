"""session, the ending of a file -> the text of that file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from wfnb import views
from wfnb.core.session import Session
from wfnb.render.text import escape

from .pictures import branch_picture
from .run_entries import RunEntry
from .snapshot import snapshot

Runs = Sequence[RunEntry]
MARK = "wfnb"  # near the beginning of every exported file: it may be written over


def render_session(session: Session, ending: str, runs: Runs = ()) -> str:
    """The session in one of `FORMS`; the same session and runs give the same text."""
    return FORMS[ending](session, runs)


def _json(session: Session, runs: Runs) -> str:
    data = {"wfnb": 1, **snapshot(session, sources=True, runs=runs)}
    return escape.json_text(json.dumps(data, indent=1, ensure_ascii=False)) + "\n"


def _markdown(session: Session, runs: Runs) -> str:
    return f"<!-- {MARK} report -->\n{views.report.report(session, runs).markdown}"


FORMS: Mapping[str, Callable[[Session, Runs], str]] = {
    ".md": _markdown,
    ".html": lambda session, runs: views.report.report(session, runs).html,
    ".json": _json,
    ".svg": lambda session, runs: branch_picture(session, runs).svg,
    ".dot": lambda session, runs: f"// {MARK} history\n{branch_picture(session, runs).dot}",
    ".mmd": lambda session, runs: f"%% {MARK} history\n{branch_picture(session, runs).mermaid}",
    ".txt": lambda session, runs: f"{MARK} history\n{branch_picture(session, runs).text}\n",
}
