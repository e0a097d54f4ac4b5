"""runs in the journal -> what is shown of them: a table, their events, reports and pictures."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

from wfnb.errors import BadValue, NothingCalled, RunUnknown
from wfnb.journal import FOLLOW, RunInfo
from wfnb.parked_run_owner import parked_until
from wfnb.process_identity import has_ended, shown_status
from wfnb.render.text.terminal_width import fit_table, wrap_sentence
from wfnb.views.graphs import Picture
from wfnb.views.sessions_table import session_facts, table
from wfnb.views.step_words import run_sign
from wfnb.workflows.core.events import RunEnded, RunParked, RunRecorded, RunResumed, RunStarted
from wfnb.workflows.definition.name_rules import is_run_name, is_workflow_name
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.views.graph import definition_picture, run_picture
from wfnb.workflows.views.report import Report
from wfnb.workflows.views.run_diff import diff as difference
from wfnb.workflows.views.run_text import plain
from wfnb.workflows.views.run_words import parked_text
from wfnb.workflows.views.timeline import Timeline

from .exit_codes import DONE, FAILED, code_of
from .output import PAPER, complain, put, width
from .run_events import Lines
from .run_lookup import CommandPlace, lives
from .workflow_source import source

_HEADS = ("run", "session", "state", "began (UTC)", "events", "")


def runs(place: CommandPlace, json: bool) -> int:
    """A row a run. Only those that go on are read."""
    facts = [_facts(place, info) for info in place.runs()]
    if json:
        PAPER.data({"runs": facts})
    elif facts:
        PAPER.say("\n".join(_table(facts)))
    else:
        PAPER.say("no run yet · `wfnb run FILE` starts one")
    return DONE


def sessions(place: CommandPlace, archived: bool, json: bool) -> int:
    """A row a session, with the notebooks that go on with it."""
    data = []
    for info in place.list_sessions(archived):
        facts = session_facts(info.name, place.home.look(info), info.notebooks, info.archived)
        data.append(facts | {"started": _iso(info.started), "changed": _iso(info.changed)})
    if json:
        PAPER.data({"sessions": data})
    elif data:
        shown = table(data)
        PAPER.say("\n".join(fit_table(shown.heads, shown.rows, width())))
    else:
        PAPER.say("no session yet · `%wfnb start NAME` in a notebook opens one")
    return DONE


def _table(facts: list[dict[str, Any]]) -> Iterator[str]:
    yield from fit_table(_HEADS, [_row(fact) for fact in facts], width())
    for question in (each for fact in facts for each in fact["questions"]):
        yield from wrap_sentence(f"? {question['run']}: {question['says']}", width())


def _questions(place: CommandPlace, info: RunInfo) -> Iterator[dict[str, str]]:
    """What a run and those that it called wait for, and how that is answered."""
    for waiting in place.asks(info):
        from .open_questions import open_questions  # noqa: PLC0415  heavy: the runner

        for each in open_questions(place.log(waiting)):
            yield {"run": each.run, "to": each.action, "says": f"{each.words} · answer: {each.way}"}


def _facts(place: CommandPlace, info: RunInfo) -> dict[str, Any]:
    goes_on = lives(info)
    questions = list(_questions(place, info)) if goes_on else []
    return {
        "run": info.name,
        "session": place.sessions[info.session],
        "workflow": info.workflow,
        "status": shown_status(info.status, info.process),
        "asks": bool(questions),
        "questions": questions,
        "started": _iso(info.started),
        "changed": _iso(info.changed),
        "events": info.events,
        "process": info.process,
    }


def _row(fact: dict[str, Any]) -> tuple[str, ...]:
    way = ""
    if fact["asks"]:
        way = "asks"
    elif fact["status"] == "parked":
        way = parked_text(parked_until(fact["process"]))
    elif fact["status"] not in ("running", "success", "partial_success"):
        way = f"wfnb resume {fact['run']}"
    began = fact["started"][:16].replace("T", " ")
    return fact["run"], fact["session"], run_sign(fact["status"]), began, str(fact["events"]), way


def log(place: CommandPlace, name: str, follow: bool, json: bool) -> int:
    """The events of a run with their times; with `follow` until it ends, whoever performs it."""
    info = place.find(name)
    lines = Lines(place.journal, info, times=True)
    last: RunRecorded | None = None
    performer = info.process
    while True:
        gone = follow and has_ended(performer)  # asked before its last words are read
        for entry, line in lines.new():
            last = entry
            if isinstance(entry.event, RunStarted | RunResumed):
                # Another process goes on with it: what was known of the one before no longer
                # counts.
                performer, gone = entry.event.process, False
            elif isinstance(entry.event, RunParked):
                # No process has a parked run, so none can be gone.
                performer, gone = None, False
            said = f"{_iso(entry.at)}  {line}"
            if not (PAPER.datum(lines.teller.data(entry)) if json else PAPER.say(said)):
                return DONE
        if not follow:
            return DONE
        if last is not None and isinstance(last.event, RunEnded):
            return code_of(last.event.status)
        if gone:
            say = complain if json else PAPER.say
            say(f"{info.name} {run_sign('interrupted')}: its process is gone")
            return FAILED
        time.sleep(FOLLOW)


def show(place: CommandPlace, name: str, form: str | None, file: str | None) -> int:
    """A report."""
    info = place.find(name)
    run = place.log(info).run
    form = form or _ending(file, _REPORTS, "text")
    match form:
        case "html":
            text = Report(run, info.name).html
        case "json":
            text = Report(run, info.name).to_json() + "\n"
        case "md":
            text = Report(run, info.name).markdown
        case _:
            notes = [f"! {warning}" for warning in Report(run, info.name).warnings]
            notes += [f"? {each['says']}" for each in _questions(place, info)]
            lines = [line for said in notes for line in ("", *wrap_sentence(said, width(file)))]
            text = "\n".join([plain(run, info.name, width(file)), *lines, ""])
    put(file or "-", text, form)
    return DONE


def graph(place: CommandPlace, name: str, form: str | None, file: str | None) -> int:
    """A run as a diagram, or else a workflow."""
    drawn = form or _ending(file, _PICTURES, "text")
    text = str(getattr(_picture(place, name), drawn)).removesuffix("\n") + "\n"
    put(file or "-", text, drawn)
    return DONE


_REPORTS = {".txt": "text", ".md": "md", ".html": "html", ".json": "json"}
_PICTURES = {".svg": "svg", ".dot": "dot", ".mmd": "mermaid", ".txt": "text"}


def _picture(place: CommandPlace, name: str) -> Picture:
    can_be_one = is_workflow_name(name) or is_run_name(name)
    names = place.library().names(examples=True) if can_be_one else ()
    saved = name in names
    if can_be_one and not saved:
        try:
            info = place.find(name)
        except RunUnknown as unknown:
            raise NothingCalled(name, unknown.names, tuple(names)) from None
        return run_picture(place.log(info).run, info.name)
    return definition_picture(parse(place.library().load(name) if saved else source(name)))


def timeline(place: CommandPlace, name: str, form: str | None, file: str | None) -> int:
    """When each call of a run was made, and how long it took."""
    info = place.find(name)
    drawn = form or _ending(file, {".svg": "svg", ".html": "html", ".txt": "text"}, "text")
    text = getattr(Timeline(place.log(info).run, info.name), drawn)
    put(file or "-", f"{text}\n", drawn)
    return DONE


def diff(place: CommandPlace, one: str, other: str, json: bool) -> int:
    """How two runs differ."""
    first, second = place.find(one), place.find(other)
    found = difference(place.log(first).run, place.log(second).run, first.name, second.name)
    if json:
        PAPER.data(found.to_dict())
    else:
        PAPER.say(found.text_for_width(width()))
    return DONE


def _ending(file: str | None, forms: dict[str, str], default: str) -> str:
    """The form that a file's name asks for."""
    if file is None or file == "-":
        return default
    ending = PurePath(file).suffix.lower()
    if ending and ending not in forms:
        raise BadValue("--output", file, f"one of the endings {', '.join(forms)}, or an option")
    return forms.get(ending, default)


def _iso(at: float | None) -> str:
    return "" if at is None else datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
