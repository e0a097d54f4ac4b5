"""a session in the journal -> what was recorded in it, a line each; whether all of it is whole."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from wfnb.core.events import Recorded, name_of
from wfnb.errors import BadValue, JournalCorrupt, NothingRecorded
from wfnb.journal import FOLLOW, Codec, SessionInfo
from wfnb.render.text import escape
from wfnb.views.event_sentences import describe
from wfnb.views.step_words import author_text, is_by
from wfnb.workflows.run_log import replay_run

from .exit_codes import DONE, JOURNAL
from .output import PAPER
from .run_lookup import CommandPlace


def log_session(place: CommandPlace, follow: bool, json: bool, by: str | None) -> int:
    """The events of the session that was named, else of the newest; with `follow` also those that
    come, until nobody reads or an interrupt comes. `by`: those of one author."""
    info = _newest(place)
    after, codec = 0, Codec()
    while True:
        entries = place.journal.read(info.id, after)
        for entry in entries:
            after = entry.position
            if by is not None and not is_by(entry.event.by, by):
                continue
            data = _data(info.name, entry, codec)
            said = f"{data['at']} {data['position']} {data['says']} · by {data['by']}"
            # Nobody reads any more, as behind `| head`.
            if not (PAPER.datum(data) if json else PAPER.say(escape.line(said))):
                return DONE
        if not follow:
            return DONE
        time.sleep(FOLLOW)


def verify(place: CommandPlace, mark: str, json: bool) -> int:
    """Whether each event is as it was written, none before it is missing, and a run ended as its
    events say: of the session that was named, with its runs, or of all. Last events that were taken
    away leave no trace: `mark` is what this said earlier, and says whether all up to there is there
    still, byte for byte. It has the numbers of events, those of the session first and then those of
    each run, and a digest."""
    if mark:
        return _compare(place, mark, json)
    found = [_state(place, info) for info in _meant(place)]
    if json:
        PAPER.data({"sessions": found})
    for fact in found if not json else ():
        sign = f"✕ {fact['session']}: {fact['fault']}"
        if fact["fault"] is None:
            whole = f"{fact['events']} events as they were written"
            sign = f"✓ {fact['session']} · {whole} · {fact['mark']}"
        PAPER.say(escape.line(sign))
    return JOURNAL if any(fact["fault"] for fact in found) else DONE


def _compare(place: CommandPlace, mark: str, json: bool) -> int:
    before, _, said = mark.partition(":")
    if not re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,15})*", before) or not said:
        raise BadValue("--verify", mark, "what it said earlier, as 12:3f2a9c0d51e6b874")
    info = _newest(place)
    upto = tuple(map(int, before.split(".")))
    same = place.journal.digest(info.id, upto) == (upto, said)
    position, runs = upto[0], len(upto) - 1
    says = f"as it was at event {position}" if same else f"another than it was at event {position}"
    if runs:
        says += f", with {runs} run{'s' * (runs != 1)}"
    elif same and place.journal.runs(info.id):
        says += "; the mark says nothing of runs"
    if json:
        PAPER.data({"session": info.name, "mark": mark, "same": same})
    else:
        PAPER.say(escape.line(f"{'✓' if same else '✕'} {info.name} is {says}"))
    return DONE if same else JOURNAL


def _state(place: CommandPlace, info: SessionInfo) -> dict[str, Any]:
    fault, mark = None, None
    try:
        counts, digest = place.journal.digest(info.id)
        mark = f"{'.'.join(map(str, counts))}:{digest}"
        if not counts[0]:  # each session begins with an event
            fault = f"events of session {info.name!r} are missing"
        # All: a run whose row names another session than its own is found, too.
        for run in [run for run in place.journal.runs() if run.session == info.id]:
            told = replay_run(place.journal, run.id)
            if (told.status, told.process) != (run.status, run.process):
                fault = f"run {run.name!r} is another by its events: {told.status}"
    except JournalCorrupt as wrong:
        fault = wrong.what
    return {"session": info.name, "events": info.events, "mark": mark, "fault": fault}


def _data(session: str, entry: Recorded, codec: Codec) -> dict[str, Any]:
    """All that was recorded, as the journal has it, and what it says."""
    event = entry.event
    ((*_, body, _),) = codec.rewrite([entry])
    at = datetime.fromtimestamp(entry.at or 0.0, UTC)
    return {
        "session": session,
        "position": entry.position,
        "at": at.isoformat(timespec="milliseconds"),
        "event": name_of(type(event)),
        "by": author_text(event.by),
        "says": describe(event),
        "recorded": json.loads(body),
    }


def _meant(place: CommandPlace) -> Iterator[SessionInfo]:
    """The session that was named, or all. SessionUnknown."""
    names = place.sessions
    for info in place.list_sessions(archived=True):
        if place.session in (None, names[info.id]):
            yield info


def _newest(place: CommandPlace) -> SessionInfo:
    sessions = [info for info in _meant(place) if place.session or not info.archived]
    if not sessions:
        raise NothingRecorded("log")
    return max(sessions, key=lambda info: info.changed)
