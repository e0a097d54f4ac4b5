"""what others did since an agent was answered last -> sentences for its next answer."""

from __future__ import annotations

from collections.abc import Iterator

from wfnb.author_context import AUTHOR
from wfnb.core.events import (
    PlainNamesChanged,
    Recorded,
    Redone,
    StepFinished,
    TakenBack,
    Undone,
    ValuesKept,
)
from wfnb.core.replay import standing
from wfnb.session_log import SessionLog
from wfnb.views.event_sentences import describe
from wfnb.views.step_words import author_text, cut

_MAX_CHANGES, _MAX_LENGTH = 8, 120
"""Changes that are told, the last ones; letters of each."""
_SILENT = (PlainNamesChanged, StepFinished, ValuesKept)
"""What comes with a step, and says nothing new to one who reads of that."""


class ChangesByOthers:
    """What an agent knows of a session: all up to the position that it was told last."""

    def __init__(self, log: SessionLog) -> None:
        self._log, self._known = log, log.opened

    def news(self) -> list[str]:
        """What another did since, which it then knows: the newest sentences, and how many more."""
        with self._log.lock:
            now = self._log.refresh().position
            known, self._known = self._known, now
            new = [] if now == known else self._log.journal.read(self._log.id, known)
        me = AUTHOR.get()
        theirs = [each for each in new if each.event.by != me]
        said = [cut(each, _MAX_LENGTH) for each in self._sentences(theirs, known)]
        older = (
            [f"… and {len(said) - _MAX_CHANGES} changes before"] if len(said) > _MAX_CHANGES else []
        )
        return older + said[-_MAX_CHANGES:]

    def _sentences(self, theirs: list[Recorded], known: int) -> Iterator[str]:
        for entry in theirs:
            match entry.event:
                case Undone() | Redone() | TakenBack():
                    yield from self._turned(entry, known)
                case event if not isinstance(event, _SILENT):
                    yield f"{describe(event)} · by {author_text(event.by)}"

    def _turned(self, entry: Recorded, known: int) -> Iterator[str]:
        """What an undo took back, or a redo brought again, of what the agent knew."""
        entries = self._log.journal.read(self._log.id)
        before = {each.position for each in standing(entries[: entry.position - 1])}
        after = {each.position for each in standing(entries[: entry.position])}
        who = author_text(entry.event.by)
        for each in entries[:known]:
            if each.position in before ^ after and not isinstance(each.event, _SILENT):
                what = "taken back" if each.position in before else "there again"
                yield f"{what} by {who}: {describe(each.event)}"
