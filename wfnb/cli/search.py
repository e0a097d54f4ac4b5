"""words -> the steps and runs of all sessions that they mean, session by session."""

from __future__ import annotations

from wfnb.render.text import escape
from wfnb.render.text.terminal_width import fit_table
from wfnb.views.search_results import SessionHits, heading, rows, session_data

from .exit_codes import DONE, JOURNAL
from .output import PAPER, width
from .run_lookup import CommandPlace


def search(place: CommandPlace, text: str, archived: bool, most: int, json: bool) -> int:
    """A block a session, as soon as it was looked through. JOURNAL where one cannot be read."""
    place.require_folder()
    hits = place.home.search(text, archived=archived, most=most)
    found: list[SessionHits] = []
    for each in hits:
        if each.is_empty:
            continue
        if not json and not PAPER.say(_block(each, first=not found)):
            return DONE  # nobody reads any more, as behind `| head`
        found.append(each)
    if json:
        PAPER.data({"sessions": [session_data(each) for each in found]})
    elif not found:
        PAPER.say("nothing found")
    return JOURNAL if any(each.fault for each in found) else DONE


def _block(found: SessionHits, first: bool) -> str:
    table = fit_table(("step", "title", "where"), list(rows(found)), width())
    return "\n".join([*([] if first else [""]), escape.line(heading(found)), *table])
