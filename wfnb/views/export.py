"""session, the ending of a file -> the text of that file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from wfnb import views
from wfnb.core.session import Session

from .pictures import branch_picture
from .snapshot import snapshot
from .text import escape

MARK = "wfnb"  # near the beginning of every exported file: it may be written over


def rendered(session: Session, ending: str) -> str:
    """The session in one of `FORMS`; the same session gives the same text."""
    return FORMS[ending](session)


def _json(session: Session) -> str:
    data = {"wfnb": 1, **snapshot(session, sources=True)}
    return escape.json_text(json.dumps(data, indent=1, ensure_ascii=False)) + "\n"


FORMS: Mapping[str, Callable[[Session], str]] = {
    ".md": lambda session: f"<!-- {MARK} report -->\n{views.report.report(session).markdown}",
    ".html": lambda session: views.report.report(session).html,
    ".json": _json,
    ".svg": lambda session: branch_picture(session).svg,
    ".dot": lambda session: f"// {MARK} history\n{branch_picture(session).dot}",
    ".mmd": lambda session: f"%% {MARK} history\n{branch_picture(session).mermaid}",
    ".txt": lambda session: f"{MARK} history\n{branch_picture(session).text}\n",
}
