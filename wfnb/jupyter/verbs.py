"""the words of a verb -> what it shows: one function a verb.

No verb decides anything about sessions: it asks the workspace, and hands on what there is to show.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

from wfnb.core.values import whole
from wfnb.views.log import Log
from wfnb.views.said import Json, Said, Table
from wfnb.views.snapshot import snapshot
from wfnb.views.status import Status
from wfnb.views.words import fate

from .grammar import Words
from .notebook import Notebook
from .steps import open_step

Run = Callable[[Notebook, Words], Any]
_RUN = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]*-[0-9]+")


def start(notebook: Notebook, words: Words) -> Said:
    workspace = notebook.home().start(
        words.words[0],
        strategy=words.get("strategy"),
        fresh=words.get("fresh", False),
        scratch=words.get("scratch", False),
        cell=notebook.cell(),
        kind=words.get("kind"),
        pause=words.get("pause", True),
        reviewer=words.get("reviewer"),
        planner=words.get("planner"),
        continues=words.get("continues"),
    )
    notebook.use(workspace)
    kept = "in memory only" if words.get("scratch") else ""
    return _opened("resumed" if workspace.session.steps else "started", notebook, kept)


def resume(notebook: Notebook, words: Words) -> Said:
    notebook.use(notebook.home().resume(words.words[0]))
    return _opened("resumed", notebook, "")


def _opened(verb: str, notebook: Notebook, kept: str) -> Said:
    session = notebook.open().session
    steps = len(session.steps)
    said = [f"session {session.name!r} {verb}", kept]
    said.append(f"{steps} step{'s' * (steps != 1)}" if steps else "")
    said.append(f"strategy {session.strategy.name}" if session.strategy else "")
    data: dict[str, Any] = {"session": session.name, "steps": steps}
    if session.investigation is not None:
        data["kind"] = session.investigation.kind.name
        said.append(f"investigation {data['kind']}")
        if session.investigation.carried is not None:
            data["continues"] = session.investigation.carried.session
            said.append(f"continues {data['continues']!r}")
    return Said(" · ".join(part for part in said if part), data)


def sessions(notebook: Notebook, words: Words) -> Any:
    place = notebook.home()
    known = [info for info in place.sessions() if words.get("all") or not info.archived]
    used = notebook.workspace and (notebook.workspace.journal, notebook.workspace.id)
    data = []
    for info in known:
        found = snapshot(place.look(info))
        about: dict[str, Any] = {"session": info.name, "steps": found["step_history_length"]}
        about |= {"strategy": found["strategy"], "solved": found["solved"]}
        about["kind"] = found.get("investigation", {}).get("kind")
        about |= {"archived": info.archived, "in_use": used == (place.journal, info.id)}
        times = {"started": info.started, "changed": info.changed} if words.get("json") else {}
        data.append(about | times)
    if words.get("json"):
        return Json({"sessions": data})
    if not data:
        return Said("no session yet · `%wfnb start NAME` opens one", {"sessions": []})
    marks = ("solved", "archived", "in_use")
    kinds = ("kind",) if any(about["kind"] for about in data) else ()
    rows = [
        (
            about["session"],
            f"{about['steps']} step{'s' * (about['steps'] != 1)}",
            about["strategy"] or "",
            *([about["kind"] or ""] if kinds else []),
            " · ".join(mark.replace("_", " ") for mark in marks if about[mark]),
        )
        for about in data
    ]
    return Table(("session", "", "strategy", *kinds, ""), rows, {"sessions": data})


def status(notebook: Notebook, words: Words) -> Any:
    found = notebook.open().status()
    return Json(found) if words.get("json") else Status(found)


def show_step(notebook: Notebook, words: Words) -> Any:
    """A step, or what has the name of a run."""
    name = words.words[0]
    if _RUN.fullmatch(name):
        return import_module("wfnb.jupyter.run_verbs").show(notebook, name)
    return notebook.open().show(name)


def later(name: str, module: str = "run_verbs") -> Run:
    """A verb about runs or investigations: what it needs is imported when it is first used."""

    def run(notebook: Notebook, words: Words) -> Any:
        return getattr(import_module(f"wfnb.jupyter.{module}"), name)(notebook, words)

    return run


def switch(notebook: Notebook, words: Words) -> Any:
    if words.get("restore"):
        branch = words.words[0] if words.words else "main"
        return import_module("wfnb.jupyter.keep_verbs").switch(notebook, branch)
    workspace = notebook.open()
    workspace.switch(words.words[0] if words.words else "main")
    return Said(
        f"on {workspace.line!r}: steps that name no branch go there", {"line": workspace.line}
    )


def strategy(notebook: Notebook, words: Words) -> Any:
    workspace = notebook.open()
    if words.words:
        name = words.words[0]
        workspace.strategy(None if name == "none" else name)
    elif workspace.refresh().strategy is None or words.get("list"):
        return _strategies(notebook)
    chosen = workspace.session.strategy
    if chosen is None:
        return Said("no strategy: steps have no stages", {"strategy": None})
    following = workspace.status()["next_stages"]
    onward = f"next: {' · '.join(following)}" if following else "ended"
    data = {"strategy": chosen.name, "next_stages": following}
    return Said(f"strategy {chosen.name} · {onward}", data)


def _strategies(notebook: Notebook) -> Table:
    shelf = notebook.open().strategies()
    rows = [(name, found.title, found.description) for name, found in shelf.found.items()]
    rows += [(name, "broken", str(error)) for name, error in shelf.broken.items()]
    return Table(("strategy", "", ""), rows, {"strategies": list(shelf.found)})


def stages(notebook: Notebook, words: Words) -> Any:
    return _picture(notebook.open().stages(*words.words[:1]), words)


def graph(notebook: Notebook, words: Words) -> Any:
    if words.words:
        found = import_module("wfnb.jupyter.run_verbs").graph(notebook, words.words[0])
        return _picture(found, words)
    return _picture(notebook.open().graph(), words)


def _picture(picture: Any, words: Words) -> Any:
    form = words.get("form")
    return picture if form is None else Said(getattr(picture, form), None, block=True)


def compare(notebook: Notebook, words: Words) -> Any:
    found = notebook.open().compare(
        *words.words, lowest=words.get("lowest", ()), highest=words.get("highest", ())
    )
    return Json(found.to_dict()) if words.get("json") else found


def score(notebook: Notebook, words: Words) -> Said:
    branch, value = words.words
    notebook.open().score(branch, value, words.get("reason"))
    return _line(notebook, branch)


def _settled(verb: str) -> Run:
    def run(notebook: Notebook, words: Words) -> Said:
        getattr(notebook.open(), verb)(words.words[0], **words.options)
        return _line(notebook, words.words[0])

    return run


select, merge, abandon = _settled("select"), _settled("merge"), _settled("abandon")


def revise(notebook: Notebook, words: Words) -> None:
    revised, *title = words.words
    open_step(notebook, Words(words=tuple(title), options={**words.options, "revises": revised}))


def _line(notebook: Notebook, branch: str) -> Said:
    workspace = notebook.open()
    line = next(line for line in workspace.status()["lines"] if line["id"] == branch)
    became = fate(workspace.session, workspace.session.lines[branch])
    said = [f"branch {branch!r}" if branch != "main" else "main", became]
    said.append(f"score {line['score']:.4g}" if line["score"] is not None else "")
    said.append(line["reason"] or "")
    return Said(" · ".join(part for part in said if part), line)


def confirm(notebook: Notebook, words: Words) -> Said:
    steps = notebook.open().confirm(*words.words)
    many = "s" * (len(steps) != 1)
    said = f"step{many} {', '.join(steps)} confirmed" if steps else "no such step is stale"
    return Said(said, {"confirmed": steps})


def undo(notebook: Notebook, words: Words) -> Said:
    workspace = notebook.open()
    return Said(f"undone: {workspace.undo()} · `%wfnb redo` brings it back", {"undone": True})


def redo(notebook: Notebook, words: Words) -> Said:
    return Said(f"redone: {notebook.open().redo()}", {"redone": True})


def clear(notebook: Notebook, words: Words) -> Said:
    workspace = notebook.open()
    count = len(workspace.refresh().steps)
    workspace.clear()
    return Said(
        f"{count} step{'s' * (count != 1)} put away · `%wfnb undo` brings them back",
        {"cleared": count},
    )


def log(notebook: Notebook, words: Words) -> Any:
    workspace = notebook.open()
    last = whole("--last", words.get("last", 30))
    shown = Log(workspace.log(), last, "times" in words.options, workspace.run_entries())
    return Json(shown.to_dict()) if words.get("json") else shown


def export(notebook: Notebook, words: Words) -> Said:
    file = words.words[0]
    notebook.open().export(file, force=words.get("force", False))
    return Said(f"exported to {file}", {"file": file})
