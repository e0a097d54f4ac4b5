"""sessions from outside -> a table of them, and the same as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wfnb.core.session import Session
from wfnb.render.message import Table

from .snapshot import snapshot

_MARKS = ("solved", "archived", "in_use")


def session_facts(
    name: str, session: Session, notebooks: Sequence[str], archived: bool
) -> dict[str, Any]:
    """A session in a few facts: its name as it is kept, and the paths of the notebooks that go on
    with it."""
    state = snapshot(session)
    return {
        "session": name,
        "steps": state["step_history_length"],
        "strategy": state["strategy"],
        "solved": state["solved"],
        "kind": state.get("investigation", {}).get("kind"),
        "notebooks": list(notebooks),
        "archived": archived,
    }


def table(sessions: Sequence[dict[str, Any]]) -> Table:
    """A row a session; a column that nothing would be in is left out."""
    kinds = ("kind",) if any(about["kind"] for about in sessions) else ()
    notebooks = ("notebook",) if any(about["notebooks"] for about in sessions) else ()
    rows = [
        (
            about["session"],
            *([", ".join(about["notebooks"])] if notebooks else []),
            f"{about['steps']} step{'s' * (about['steps'] != 1)}",
            about["strategy"] or "",
            *([about["kind"] or ""] if kinds else []),
            " · ".join(mark.replace("_", " ") for mark in _MARKS if about.get(mark)),
        )
        for about in sessions
    ]
    heads = ("session", *notebooks, "", "strategy", *kinds, "")
    return Table(heads, rows, {"sessions": list(sessions)})
