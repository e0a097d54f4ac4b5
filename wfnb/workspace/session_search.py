"""a journal, words -> the steps and runs of its sessions that they mean.

    for each session   are the words anywhere in what it recorded?    a look at its rows
    if so              replay what its steps say, and ask each        as the panel's filter does

To replay is what takes long: a session without the words is not replayed, and of the others not
how their steps ended, for what a step says does not depend on that (but whether it is stale does,
so that no state is told here). What was found in one is there before the next is looked at. Nothing
is opened, recorded or locked: give it a journal that only reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from wfnb.core.queries import visible
from wfnb.core.replay import replay_words
from wfnb.errors import BadValue, JournalError
from wfnb.gc_pause import without_gc
from wfnb.journal import Journal, RunInfo, SessionInfo, guard_replay
from wfnb.views.run_entries import RunEntry
from wfnb.views.search_results import SessionHits, run_hit, step_hit
from wfnb.views.step_filter import Words

from .session_views import run_entry

MAX_HITS = 20
"""Hits of a session that are shown: the newest."""


def search_sessions(
    journal: Journal, sessions: Iterable[SessionInfo], text: str, most: int = MAX_HITS
) -> Iterator[SessionHits]:
    """What was found in each session: with at most so many hits, and often with none. One that
    cannot be read says so, and hides nothing in the others. BadValue without words."""
    words = Words(text)
    if not words:
        raise BadValue("words", text, "at least one: `ridge`, `tag:slow`, `by:helper`, `code:fit`")
    return (_search(journal, info, words, most) for info in sessions)


def _search(journal: Journal, info: SessionInfo, words: Words, most: int) -> SessionHits:
    about = SessionHits(session=info.name, notebooks=tuple(info.notebooks), archived=info.archived)
    try:
        runs = [entry for each in journal.runs(info.id) if (entry := _meant(journal, each, words))]
        if not runs and not journal.mentions(info.id, words.recorded):
            return about
        entries = journal.read(info.id)
        session = guard_replay(journal.place, lambda: without_gc(lambda: replay_words(entries)))
    except JournalError as error:
        return replace(about, fault=str(error))
    steps = [step for step in visible(session) if words.mean(step)]
    found = [step_hit(step, words) for step in reversed(steps[-most:])]
    found += [run_hit(session, entry) for entry in reversed(runs[-most:])]
    return replace(about, count=len(steps) + len(runs), hits=tuple(found))


def _meant(journal: Journal, info: RunInfo, words: Words) -> RunEntry | None:
    """The run, if the words are in its name, that of its workflow, or in why it failed."""
    # Why it failed is read only where it is needed: a run that went well has no such event.
    if words.mean_text(f"{info.name} {info.workflow}"):
        return run_entry(journal, info)
    if info.status in ("running", "success"):
        return None
    entry = run_entry(journal, info)
    return entry if words.mean_text(f"{info.name} {info.workflow} {entry.error or ''}") else None
