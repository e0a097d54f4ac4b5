"""session, the ending of a file -> the text of that file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from wfnb.core.session import Session

from .pictures import branch_picture
from .report import report
from .snapshot import snapshot

MARK = "wfnb"  # near the beginning of every exported file: it may be written over


def rendered(session: Session, ending: str) -> str:
    """The session in one of `FORMS`; the same session gives the same text."""
    return FORMS[ending](session)


def _json(session: Session) -> str:
    data = {"wfnb": 1, **snapshot(session, sources=True)}
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


FORMS: Mapping[str, Callable[[Session], str]] = {
    ".md": lambda session: f"<!-- {MARK} report -->\n{report(session).markdown}",
    ".html": lambda session: report(session).html,
    ".json": _json,
    ".svg": lambda session: branch_picture(session).svg,
    ".dot": lambda session: f"// {MARK} history\n{branch_picture(session).dot}",
    ".mmd": lambda session: f"%% {MARK} history\n{branch_picture(session).mermaid}",
    ".txt": lambda session: f"{MARK} history\n{branch_picture(session).text}\n",
}
