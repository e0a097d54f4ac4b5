"""the words of a verb -> what it shows: one function a verb.

No verb decides anything about sessions: it asks the workspace, and hands on what there is to show.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from wfnb.core.validation import whole
from wfnb.deferral import load
from wfnb.errors import BadOption, spoken
from wfnb.home_folder import check_kind
from wfnb.journal import MemoryJournal
from wfnb.render.message import Json, Message, Table
from wfnb.views.log import Log
from wfnb.views.sessions import session_facts, table
from wfnb.views.status import MOST, Status
from wfnb.views.words import body_of, fate, title_of

from .grammar import Words
from .keyboard import confirms, takes_input
from .notebook import Notebook
from .step_command import open_step

Run = Callable[[Notebook, Words], Any]
_RUN = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]*-[0-9]+")


def start(notebook: Notebook, words: Words) -> Message:
    name, cell = words.words[0], notebook.cell()
    anew = words.get("fresh") or words.get("scratch")
    if not anew and notebook.is_started_by(name, cell):
        return _opened_message("", notebook, notebook.open_named(name))
    return _start(notebook, words)


def _start(notebook: Notebook, words: Words) -> Message:
    place = notebook.home()
    workspace = place.start(
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
        notebook=notebook.identity().path,
    )
    notebook.use(workspace, place)
    kept = "in memory only" if words.get("scratch") else ""
    return _opened_message("", notebook, kept)


def open_named(notebook: Notebook, words: Words) -> Message:
    """As `wfnb.open` does it."""
    name = words.words[0]
    if not notebook.knows(name):
        return _start(notebook, words)
    says = notebook.open_named(name)
    check_kind(notebook.open().session, words.get("kind"))
    return _opened_message("", notebook, says)


def resume(notebook: Notebook, words: Words) -> Message:
    name = words.words[0]
    if not notebook.knows(name):
        notebook.home().find(name)
    return _opened_message("resumed", notebook, notebook.open_named(name))


def rename(notebook: Notebook, words: Words) -> Message:
    workspace = notebook.open()
    before = workspace.session.name
    workspace.rename(words.words[0])
    name = workspace.session.name
    return Message(f"session {before!r} is now called {name!r}", {"session": name})


def copy(notebook: Notebook, words: Words) -> Message:
    """The copy is what the notebook goes on with: the session stays as it is now."""
    workspace, place = notebook.open(), notebook.home()
    if isinstance(workspace.journal, MemoryJournal):
        way = "Start one that is kept on disk: `%wfnb start NAME`."
        raise BadOption("%wfnb copy", "a session in memory cannot be copied", way)
    before = workspace.session.name
    name = words.words[0] if words.words else place.free_name(before)
    notebook.use(place.copy(workspace.id, name, notebook.identity().path), place)
    return _opened_message("", notebook, f"a copy of {before!r}, which stays as it is")


def forget(notebook: Notebook, words: Words) -> Message:
    name, place = words.words[0], notebook.home()
    steps = len(place.look(place.journal.info(place.find(name))).steps)
    if not words.get("yes"):
        if not takes_input(notebook.shell):
            way = f"`%wfnb forget {name} --yes` forgets it."
            raise BadOption("%wfnb forget", "nobody can be asked whether it is meant", way)
        many = "s" * (steps != 1)
        if not confirms(f"Forget session {name!r} with {steps} step{many}?"):
            return Message(f"session {name!r} is not forgotten", {"forgotten": None})
    archived = notebook.forget(name)
    said = [f"session {name!r} forgotten", f"`%wfnb resume {archived}` goes on with it"]
    said.append(f"`%wfnb rename {name}` then brings it back into the lists")
    return Message(" · ".join(said), {"forgotten": name, "archived": archived})


def _opened_message(verb: str, notebook: Notebook, kept: str) -> Message:
    session = notebook.open().session
    steps = len(session.steps)
    verb = verb or ("resumed" if steps else "started")
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
    return Message(" · ".join(part for part in said if part), data)


def sessions(notebook: Notebook, words: Words) -> Any:
    place = notebook.home()
    known = [info for info in place.sessions() if words.get("all") or not info.archived]
    used = notebook.workspace and (notebook.workspace.journal, notebook.workspace.id)
    data = []
    for info in known:
        paths = info.notebooks
        notebooks = paths if words.get("json") else list(map(_display_path, paths))
        facts = session_facts(info.name, place.look(info), notebooks, info.archived)
        facts["in_use"] = used == (place.journal, info.id)
        times = {"started": info.started, "changed": info.changed} if words.get("json") else {}
        data.append(facts | times)
    if words.get("json"):
        return Json({"sessions": data})
    if not data:
        return Message("no session yet · `%wfnb start NAME` opens one", {"sessions": []})
    return table(data)


def _display_path(path: str) -> str:
    """A notebook as an output names it: one that is elsewhere by its name, for a notebook that is
    shown to others does not say where its author keeps files."""
    return path.rsplit("/", 1)[1] if path.startswith("/") else path


def status(notebook: Notebook, words: Words) -> Any:
    workspace = notebook.open()
    found = workspace.status(None if words.get("json") else MOST)
    for data in found["steps"]:
        line = workspace.session.lines[data["branch"]]
        step = workspace.session.steps[line.keys[data["number"]]]
        data["here"] = step.key in workspace.ran
        if notebook.cells is not None and (gone := notebook.cells.lacks(step)):
            data["cell"] = gone
    return Json(found) if words.get("json") else Status(found)


def show_step(notebook: Notebook, words: Words) -> Any:
    """A step, or what has the name of a run."""
    name = words.words[0]
    if _RUN.fullmatch(name):
        return load("wfnb.jupyter.run_verbs").show(notebook, name)
    return notebook.open().show(name)


def lazy_verb(name: str, module: str = "run_verbs") -> Run:
    """A verb about runs or investigations: what it needs is imported when it is first used."""

    def run(notebook: Notebook, words: Words) -> Any:
        return getattr(load(f"wfnb.jupyter.{module}"), name)(notebook, words)

    return run


def switch(notebook: Notebook, words: Words) -> Any:
    if words.get("restore"):
        branch = words.words[0] if words.words else "main"
        return load("wfnb.jupyter.keep_verbs").switch(notebook, branch)
    workspace = notebook.open()
    workspace.switch(words.words[0] if words.words else "main")
    return Message(
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
        return Message("no strategy: steps have no stages", {"strategy": None})
    following = workspace.status()["next_stages"]
    onward = f"next: {' · '.join(map(spoken, following))}" if following else "ended"
    data = {"strategy": chosen.name, "next_stages": following}
    return Message(f"strategy {chosen.name} · {onward}", data)


def _strategies(notebook: Notebook) -> Table:
    shelf = notebook.open().strategies()
    rows = [(name, found.title, found.description) for name, found in shelf.found.items()]
    rows += [(name, "broken", str(error)) for name, error in shelf.broken.items()]
    return Table(("strategy", "", ""), rows, {"strategies": list(shelf.found)})


def stages(notebook: Notebook, words: Words) -> Any:
    return _picture(notebook.open().stages(*words.words[:1]), words)


def graph(notebook: Notebook, words: Words) -> Any:
    if words.words:
        found = load("wfnb.jupyter.run_verbs").graph(notebook, words.words[0])
        return _picture(found, words)
    return _picture(notebook.open().graph(), words)


def _picture(picture: Any, words: Words) -> Any:
    form = words.get("form")
    return picture if form is None else Message(getattr(picture, form), None, block=True)


def compare(notebook: Notebook, words: Words) -> Any:
    found = notebook.open().compare(
        *words.words, lowest=words.get("lowest", ()), highest=words.get("highest", ())
    )
    return Json(found.to_dict()) if words.get("json") else found


def score(notebook: Notebook, words: Words) -> Message:
    branch, value = words.words
    notebook.open().score(branch, value, words.get("reason"))
    return _line(notebook, branch)


def _branch_verb(verb: str) -> Run:
    def run(notebook: Notebook, words: Words) -> Message:
        getattr(notebook.open(), verb)(words.words[0], **words.options)
        return _line(notebook, words.words[0])

    return run


select, merge, abandon = _branch_verb("select"), _branch_verb("merge"), _branch_verb("abandon")


def revise(notebook: Notebook, words: Words) -> None:
    revised, *title = words.words
    open_step(notebook, Words(words=tuple(title), options={**words.options, "revises": revised}))


def _line(notebook: Notebook, branch: str) -> Message:
    workspace = notebook.open()
    line = next(line for line in workspace.status()["lines"] if line["id"] == branch)
    became = fate(workspace.session, workspace.session.lines[branch])
    said = [f"branch {branch!r}" if branch != "main" else "main", became]
    said.append(f"score {line['score']:.4g}" if line["score"] is not None else "")
    said.append(line["reason"] or "")
    return Message(" · ".join(part for part in said if part), line)


def why(notebook: Notebook, words: Words) -> Any:
    from wfnb.views.why import StepExplanation  # noqa: PLC0415  draws: only where it is asked

    workspace = notebook.open()
    cells = notebook.cells
    lacks = (lambda step: "") if cells is None else cells.lacks
    shown = StepExplanation(workspace.refresh(), workspace.find(words.words[0]), lacks)
    return Json(shown.data) if words.get("json") else shown


def run_stale(notebook: Notebook, words: Words) -> Message:
    run: Callable[[Notebook, Words], Message] = load("wfnb.jupyter.run_stale").run_stale
    return run(notebook, words)


def confirm(notebook: Notebook, words: Words) -> Message:
    steps = notebook.open().confirm(*words.words)
    said = f"{_steps(steps)} confirmed" if steps else "no such step is stale"
    return Message(said, {"confirmed": steps})


def hide(notebook: Notebook, words: Words) -> Message:
    steps = notebook.open().hide(*words.words)
    if not steps:
        return Message("hidden already", {"hidden": []})
    back = f"`%wfnb unhide {' '.join(steps)}` shows {'it' if len(steps) == 1 else 'them'} again"
    return Message(f"{_steps(steps)} hidden · {back}", {"hidden": steps})


def unhide(notebook: Notebook, words: Words) -> Message:
    steps = notebook.open().unhide(*words.words)
    said = f"{_steps(steps)} shown again" if steps else "no such step is hidden"
    return Message(said, {"shown": steps})


def _steps(places: list[str]) -> str:
    return f"step{'s' * (len(places) != 1)} {', '.join(places)}"


def retitle(notebook: Notebook, words: Words) -> Message:
    place, *title = words.words
    notebook.open().describe(place, title=" ".join(title))
    return _description_message(notebook, place)


def note(notebook: Notebook, words: Words) -> Message:
    place, *reason = words.words
    notebook.open().describe(place, reason=" ".join(reason))
    return _description_message(notebook, place)


def _description_message(notebook: Notebook, place: str) -> Message:
    description = notebook.open().find(place).current.description
    title, reason = title_of(description), body_of(description)
    said = f"{title} · {title_of(reason)}" if reason else title
    return Message(f"step {place}: {said}", {"step": place, "description": description})


def tag(notebook: Notebook, words: Words) -> Message:
    place, *names = words.words
    return _tags_message(place, notebook.open().tag(place, *_split_names(names)))


def untag(notebook: Notebook, words: Words) -> Message:
    place, *names = words.words
    workspace = notebook.open()
    gone = _split_names(names) or workspace.find(place).tags
    return _tags_message(place, workspace.tag(place, remove=gone))


def _split_names(words: list[str]) -> tuple[str, ...]:
    return tuple(filter(None, (name.strip() for word in words for name in word.split(","))))


def _tags_message(place: str, tags: tuple[str, ...]) -> Message:
    said = f"tagged {', '.join(tags)}" if tags else "has no tags"
    return Message(f"step {place} {said}", {"step": place, "tags": list(tags)})


def undo(notebook: Notebook, words: Words) -> Message:
    workspace = notebook.open()
    return Message(f"undone: {workspace.undo()} · `%wfnb redo` brings it back", {"undone": True})


def redo(notebook: Notebook, words: Words) -> Message:
    return Message(f"redone: {notebook.open().redo()}", {"redone": True})


def clear(notebook: Notebook, words: Words) -> Message:
    workspace = notebook.open()
    count = len(workspace.refresh().steps)
    workspace.clear()
    return Message(
        f"{count} step{'s' * (count != 1)} put away · `%wfnb undo` brings them back",
        {"cleared": count},
    )


def log(notebook: Notebook, words: Words) -> Any:
    workspace = notebook.open()
    last = whole("--last", words.get("last", 30))
    shown = Log(workspace.log(), last, "times" in words.options, workspace.run_entries())
    return Json(shown.to_dict()) if words.get("json") else shown


def export(notebook: Notebook, words: Words) -> Message:
    file = words.words[0]
    notebook.open().export(file, force=words.get("force", False))
    return Message(f"exported to {file}", {"file": file})
