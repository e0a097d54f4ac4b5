"""a word and what it takes, as text -> the answer, as a kernel gives it to the panel.

Only what is looked at: whatever changes a session is asked of a kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import time
from typing import Any

from wfnb import panel
from wfnb.core.session import Session
from wfnb.core.validation import MAIN
from wfnb.errors import RunUnknown, StepUnknown
from wfnb.identity.notebook_document import others_beside
from wfnb.views.export import FORMS
from wfnb.views.figures import figure_data
from wfnb.views.search_results import session_data

from .session_location import LOCK_TIMEOUT, Location
from .session_reader import Reader

Arguments = Mapping[str, Sequence[str]]
MAX_ROWS, SESSIONS_PER_PAGE = 1_000, 10
"""Rows of a page of steps; sessions of a page of a search in which something was found."""
_FILTER = ("branch", "stage", "outcome", "text", "hidden")


class BadQuery(Exception):
    """A question that cannot be answered: which word, or which of its arguments, is wrong."""


def search(location: Location, given: Arguments) -> Any:
    """What the words of `text` find in all sessions that are kept where those of the notebook are,
    each with the notebooks of it that this server has. A page: `next` is where another begins."""
    text, first = _text(given, "text"), _number(given, "first")
    sessions, following = [], None
    for place, found in enumerate(
        location.home.search(text, first=first, busy=LOCK_TIMEOUT), first + 1
    ):
        if not found.is_empty:
            here = location.served_paths(found.notebooks)
            sessions.append(session_data(replace(found, notebooks=tuple(here))))
        if len(sessions) == SESSIONS_PER_PAGE:
            following = place
            break
    return {"sessions": sessions, "next": following}


def snapshot(reader: Reader, given: Arguments, notebook: Path, note: str) -> Any:
    """None where nothing is new since `version`. `note` is what whoever has that notebook open has
    to know of the history."""
    with reader.locked_session() as session:
        others = others_beside(notebook, panel.notebook_names(session))
        # The note and the neighbours are in the answer, too: when one changes, it is another.
        version = f"{reader.version}.{hash((note, *others)) & 0xFFFFFFFF:x}"
        if given.get("version", ("",))[-1] == version:
            return None
        return {
            **panel.snapshot(session, runs=reader.runs()),
            "now": time(),
            "version": version,
            **({"note": note} if note else {}),
            **({"others": others} if others else {}),
        }


def rows(reader: Reader, given: Arguments) -> Any:
    chosen = {name: given[name][-1] for name in _FILTER if given.get(name)}
    first, count = _number(given, "first"), min(_number(given, "count"), MAX_ROWS)
    with reader.locked_session() as session:
        return panel.rows_page(session, first, count, chosen, panel.runs_by_step(reader.runs()))


def card(reader: Reader, given: Arguments) -> Any:
    key = _number(given, "key")
    with reader.locked_session() as session:
        recorded_at = partial(reader.journal.time, reader.id)
        return panel.card(session, _check_step(session, key), recorded_at)


def source(reader: Reader, given: Arguments) -> Any:
    key = _number(given, "key")
    version = _number(given, "version") if "version" in given else None
    with reader.locked_session() as session:
        return panel.source(session, _check_step(session, key), version)


def figure(reader: Reader, given: Arguments) -> Any:
    """What the step showed that has this name; None where it is not kept, or not its own any more.
    A kernel is never asked this: a server drops what a kernel sends too much of, outputs of cells
    too."""
    key, name = _number(given, "key"), _text(given, "name")
    with reader.locked_session() as session:
        end = session.steps[_check_step(session, key)].outcome
        names = panel.figure_names(end) if end else []
        figures = [end.figures[names.index(name)]] if end and name in names else []
    return next((figure_data(each, reader.views.figures.read(each)) for each in figures), None)


def _check_step(session: Session, key: int) -> int:
    if key not in session.steps:
        raise StepUnknown(key, MAIN, tuple(session.lines[MAIN].numbers))
    return key


def compare(reader: Reader, given: Arguments) -> Any:
    with reader.locked_session() as session:
        return panel.comparison(session, list(given.get("lines", ())) or list(session.lines))


def compare_code(reader: Reader, given: Arguments) -> Any:
    with reader.locked_session() as session:
        return panel.code_comparison(session, given.get("lines", ()))


def run(reader: Reader, given: Arguments) -> Any:
    name = _text(given, "run")
    with reader.locked_session():
        found = reader.run(name)
        if found is None:
            raise RunUnknown(name, tuple(each.entry.name for each in reversed(reader.runs())))
        said = () if found.run is None else panel.kept_output(found.run)
        return panel.run_detail(found, said)


def report(reader: Reader, given: Arguments) -> Any:
    form = _text(given, "form")
    if f".{form}" not in FORMS:
        raise BadQuery(f"form: one of {', '.join(each[1:] for each in FORMS)}.")
    return {"name": f"{reader.session.name}.{form}", "text": reader.views.export_text(f".{form}")}


WORDS: Mapping[str, Callable[[Reader, Arguments], Any]] = {
    "rows": rows,
    "card": card,
    "source": source,
    "figure": figure,
    "compare": compare,
    "compare_code": compare_code,
    "run": run,
    "report": report,
}


def _text(given: Arguments, name: str) -> str:
    found = given.get(name)
    if not found:
        raise BadQuery(f"{name}: this is needed.")
    return found[-1]


def _number(given: Arguments, name: str) -> int:
    text = _text(given, name)
    # The text comes from a URL: `int` reads digits of any script, and takes long for a million of
    # them.
    if not (text.isascii() and text.isdigit() and len(text) <= 16):
        raise BadQuery(f"{name}: a whole number from 0 on.")
    return int(text)
