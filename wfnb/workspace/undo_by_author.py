"""an author's name -> what that author did is taken back, where nothing rests on it."""

from __future__ import annotations

from functools import partial

from wfnb.core import validation
from wfnb.core.commands import TakeBack
from wfnb.core.events import Recorded
from wfnb.core.replay import standing
from wfnb.core.undo_by_author import Resting, changes_of
from wfnb.errors import ChangeNeeded, NothingByAuthor
from wfnb.session_log import SessionLog
from wfnb.views.event_sentences import describe
from wfnb.views.step_words import author_text, is_by, is_named


def take_back(log: SessionLog, by: str, since: int | str = 0, exact: bool = False) -> list[str]:
    """Take back what that author did after entry `since` of the log, and say what it was. Where
    nobody has that name, and unless it is to be `exact`, it may be the beginning of one.
    NothingByAuthor; ChangeNeeded where something of another's rests on it."""
    after = validation.whole("since", since) if since else 0
    while True:
        with log.lock:
            session = log.refresh()
            there = standing(log.entries())
            named = exact or any(is_named(entry.event.by, by) for entry in there)
            means = partial(is_named if named else is_by, name=by)
            found = changes_of(session, there, means, after)
            if isinstance(found, Resting):
                raise ChangeNeeded(_text(found.on), _text(found.what), found.on.position)
            if not found:
                authors = dict.fromkeys(author_text(entry.event.by) for entry in there)
                raise NothingByAuthor(by, tuple(authors))
            chosen = TakeBack(
                positions=tuple(entry.position for entry in found), at=session.position
            )
            if log.do(chosen):
                return [describe(entry.event) for entry in found]


def _text(entry: Recorded) -> str:
    return f"{describe(entry.event)} · by {author_text(entry.event.by)}"
