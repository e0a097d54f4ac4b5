"""runs in the journal -> what is shown of them: a table, their events, reports and pictures."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from wfnb.core.runs.events import RunEnded, RunRecorded, RunResumed, RunStarted
from wfnb.errors import BadValue
from wfnb.journal import RunInfo
from wfnb.process import ended
from wfnb.views.entries import run_sign
from wfnb.views.text.tables import text_table

from .codes import DONE, FAILED, code_of
from .lines import Lines
from .paper import PAPER, put
from .place import Place

if TYPE_CHECKING:
    from wfnb.views.pictures import Picture

FOLLOW = 0.2
"""Seconds between two looks at what other processes recorded."""
_HEADS = ("run", "session", "state", "began (UTC)", "events", "")


def runs(place: Place, json: bool) -> int:
    """A row a run. Only those that go on are read."""
    facts = [_facts(place, info) for info in place.runs()]
    if json:
        PAPER.data({"runs": facts})
    elif facts:
        PAPER.say(text_table(_HEADS, [_row(fact) for fact in facts]))
    else:
        PAPER.say("no run yet · `wfnb run FILE` starts one")
    return DONE


def _facts(place: Place, info: RunInfo) -> dict[str, Any]:
    lost = info.status == "running" and ended(info.process)
    goes_on = info.status == "running" and not lost
    return {
        "run": info.name,
        "session": place.sessions[info.session],
        "workflow": info.workflow,
        "status": "interrupted" if lost else info.status,
        "asks": goes_on and bool(place.asks(info)),
        "started": _iso(info.started),
        "changed": _iso(info.changed),
        "events": info.events,
        "process": info.process,
    }


def _row(fact: dict[str, Any]) -> tuple[str, ...]:
    way = ""
    if fact["asks"]:
        way = f"asks: wfnb answer TEXT --run {fact['run']}"
    elif fact["status"] not in ("running", "success", "partial_success"):
        way = f"wfnb resume {fact['run']}"
    began = fact["started"][:19].replace("T", " ")
    return fact["run"], fact["session"], run_sign(fact["status"]), began, str(fact["events"]), way


def log(place: Place, name: str, follow: bool, json: bool) -> int:
    """The events of a run with their times; with `follow` until it ends, whoever performs it."""
    info = place.find(name)
    lines = Lines(place.journal, info, times=True)
    last: RunRecorded | None = None
    performer = info.process
    while True:
        gone = follow and ended(performer)  # asked before its last words are read
        for entry, line in lines.new():
            last = entry
            if isinstance(entry.event, RunStarted | RunResumed):
                performer, gone = entry.event.process, False
            said = f"{_iso(entry.at)}  {line}"
            if not (PAPER.datum(lines.teller.data(entry)) if json else PAPER.say(said)):
                return DONE
        if not follow:
            return DONE
        if last is not None and isinstance(last.event, RunEnded):
            return code_of(last.event.status)
        if gone:
            if not json:
                PAPER.say(f"{info.name} {run_sign('interrupted')}: its process is gone")
            return FAILED
        time.sleep(FOLLOW)


def show(place: Place, name: str, form: str | None, file: str | None) -> int:
    """A report."""
    from wfnb.views.runs.report import Report  # noqa: PLC0415  heavy: pictures

    info = place.find(name)
    report = Report(place.log(info).run, info.name)
    match form or _ending(file, {".md": "md", ".html": "html", ".json": "json"}, "md"):
        case "html":
            text = report.html
        case "json":
            text = report.to_json() + "\n"
        case _:
            text = report.markdown
    put(file or "-", text)
    return DONE


def graph(place: Place, name: str, form: str | None, file: str | None) -> int:
    """A run as a diagram, or else a workflow."""
    drawn = form or _ending(file, _PICTURES, "text")
    put(file or "-", str(getattr(_picture(place, name), drawn)).removesuffix("\n") + "\n")
    return DONE


_PICTURES = {".svg": "svg", ".dot": "dot", ".mmd": "mermaid", ".txt": "text"}


def _picture(place: Place, name: str) -> Picture:
    from wfnb.library.saved import NAME  # noqa: PLC0415  heavy, as all that follows
    from wfnb.views.runs.graph import definition_picture, run_picture  # noqa: PLC0415
    from wfnb.workflow.read import parse  # noqa: PLC0415

    from .source import source  # noqa: PLC0415

    saved = NAME.fullmatch(name) and name in place.library().names(examples=True)
    if NAME.fullmatch(name) and not saved:
        info = place.find(name)
        return run_picture(place.log(info).run, info.name)
    return definition_picture(parse(place.library().load(name) if saved else source(name)))


def timeline(place: Place, name: str, form: str | None, file: str | None) -> int:
    """When each call of a run was made, and how long it took."""
    from wfnb.views.runs.timeline import Timeline  # noqa: PLC0415  heavy: pictures

    info = place.find(name)
    drawn = form or _ending(file, {".svg": "svg", ".html": "html", ".txt": "text"}, "text")
    text = getattr(Timeline(place.log(info).run, info.name), drawn)
    put(file or "-", f"{text}\n")
    return DONE


def diff(place: Place, one: str, other: str, json: bool) -> int:
    """How two runs differ."""
    from wfnb.views.runs.diff import diff  # noqa: PLC0415  heavy: the models of workflows

    first, second = place.find(one), place.find(other)
    found = diff(place.log(first).run, place.log(second).run, first.name, second.name)
    if json:
        PAPER.data(found.to_dict())
    else:
        PAPER.say(found.text)
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
