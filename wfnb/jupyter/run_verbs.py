"""the words of a verb about runs, workflows or tools -> what it shows: one function a verb."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from wfnb.errors import BadOption, NothingCalled, RunUnknown, spoken
from wfnb.process import has_ended
from wfnb.render.message import Json, Message, Table
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.library.key_values import secrets
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.views.action_rows import rows
from wfnb.workflows.views.diff import diff
from wfnb.workflows.views.graph import definition_picture, run_picture
from wfnb.workflows.views.result import rollback_counts
from wfnb.workflows.views.runs_table import runs_table
from wfnb.workflows.views.timeline import Timeline

from .grammar import Words
from .keyboard import takes_input
from .notebook import Notebook
from .options import SET
from .run_choice import asking, going, open_questions
from .run_wait import end_elsewhere, end_here
from .tool_call import call_tool


def _first_word(words: Words) -> str | None:
    return words.words[0] if words.words else None


def call(notebook: Notebook, words: Words) -> None:
    """One tool, called as a run of its own."""
    tool, *given = words.words
    call_tool(notebook, tool, given)


def runs(notebook: Notebook, words: Words) -> Any:
    runner = notebook.runner()
    found = runner.runs()
    going = [info for info in found if info.status == "running"]
    lost = {info.name for info in going if has_ended(info.process)}
    asks = {name: said for name, said in _questions(runner).items() if name not in lost}
    table = runs_table(found, lost, asks, times=bool(words.get("json")))
    for run in table.data["runs"]:
        run |= {"asks": asks[run["name"]]} if run["name"] in asks else {}
    if words.get("json"):
        return Json(table.data)
    if not found:
        return Message("no run yet · `%%run_workflow` starts one", {"runs": []})
    table.rows = [(*row[:-1], " · ".join(asks.get(row[0], row[-1:]))) for row in table.rows]
    return table


def _questions(runner: Runner) -> dict[str, list[str]]:
    """What is asked, by the run that it stops: question, choices, and how it is answered."""
    asking = open_questions(runner)
    found: dict[str, list[str]] = {}
    for each in asking:
        to = f" --run {each.log.name}" if len(asking) > 1 else ""
        for question in each.questions:
            choices = f" ({' · '.join(question.choices)})" if question.choices else ""
            said = f"{question.action} asks: {question.question}{choices}: {question.answer}{to}"
            found.setdefault(each.top, []).append(said)
    return found


def cancel(notebook: Notebook, words: Words) -> Message:
    """A run of this kernel is at its end when this returns; an interrupt ends only the waiting."""
    runner = notebook.runner()
    log = runner.cancel(
        going(runner, _first_word(words)),
        words.get("rollback"),
        words.get("reason"),
        secrets=secrets(words.get("secret", ()), "%wfnb cancel", SET),
    )
    performed = runner.running(log.name)
    with suppress(KeyboardInterrupt):
        if performed is not None:
            performed.wait()
    status = log.run.status
    said = f"{log.name} is being stopped · `%wfnb wait {log.name}` shows what it came to"
    if status != "running":
        said = " · ".join((f"{log.name} {spoken(status)}", *rollback_counts(rows(log.run))))
    return Message(said, {"run": log.name, "status": status})


def answer(notebook: Notebook, words: Words) -> Message:
    runner = notebook.runner()
    log = asking(runner, words.get("run"))
    counts = runner.answer(" ".join(words.words), words.get("to"), log.name)
    said = f"{log.name}: answered {counts}"
    if has_ended(log.run.process):
        said += f" · its process is gone: `%run_workflow --resume {log.name}` goes on with it"
    return Message(said, {"run": log.name, "answered": True})


def wait(notebook: Notebook, words: Words) -> Any:
    runner = notebook.runner()
    running = runner.running(_first_word(words))
    if running is None and not words.words:
        return Message("no run is going on", {"run": None})
    if running is None:
        log = runner.log(words.words[0])
        end_elsewhere(log)
        return runner.result(log)
    end_here(running, takes_input(notebook.shell))
    return runner.result(running)


def show(notebook: Notebook, name: str) -> Any:
    return notebook.runner().result(name)


def graph(notebook: Notebook, name: str) -> Any:
    """Of a run, else of a saved workflow."""
    runner = notebook.runner()
    names = runner.library.names(examples=True)
    if name in names:
        return definition_picture(parse(runner.library.load(name)))
    try:
        log = runner.log(name)
    except RunUnknown as unknown:
        raise NothingCalled(name, unknown.names, tuple(names)) from None
    with log.lock:
        return run_picture(log.run, log.name)


def timeline(notebook: Notebook, words: Words) -> Timeline:
    log = notebook.runner().log(words.words[0])
    with log.lock:
        return Timeline(log.run, log.name)


def difference(notebook: Notebook, words: Words) -> Any:
    runner = notebook.runner()
    one, other = (runner.log(name) for name in words.words)
    found = diff(one.run, other.run, one.name, other.name)
    return Json(found.to_dict()) if words.get("json") else found


def workflows(notebook: Notebook, words: Words) -> Any:
    """The library: listed, or what its first word asks of it."""
    asked, *rest = words.words or ("list",)
    if asked not in _LIBRARY:
        way = f"Written: %wfnb workflows {' | '.join(_LIBRARY)}"
        raise BadOption("%wfnb workflows", f"it does not know {asked!r}", way)
    count, run = _LIBRARY[asked]
    if len(rest) != len(count):
        needs = " and ".join(count) or "nothing"
        raise BadOption(
            f"%wfnb workflows {asked}", f"it needs {needs}", f"Written: {_usage(asked)}"
        )
    return run(notebook, rest, words)


def _usage(asked: str) -> str:
    return " ".join(("%wfnb workflows", asked, *(word.upper() for word in _LIBRARY[asked][0])))


def _list(notebook: Notebook, rest: list[str], words: Words) -> Any:
    found = notebook.runner().library.list()
    data = [
        {"name": saved.name, "description": saved.description, "success_count": saved.success_count}
        | {"example": saved.example}
        for saved in found.workflows
    ]
    if words.get("json"):
        return Json({"workflows": data, "warnings": list(found.warnings)})
    rows = [
        (
            saved.name,
            saved.description,
            "example" if saved.example else f"{saved.success_count}×",
        )
        for saved in found.workflows
    ]
    rows += [("", warning, "broken") for warning in found.warnings]
    return Table(("workflow", "", "succeeded"), rows, {"workflows": data})


def _show(notebook: Notebook, rest: list[str], words: Words) -> Message:
    from wfnb.data_files.plain_yaml import dump  # noqa: PLC0415  (YAML only when it is shown)

    definition = notebook.runner().library.load(rest[0])
    return Message(dump(definition), definition, block=True)


def _versions(notebook: Notebook, rest: list[str], words: Words) -> Table:
    """The one that its name calls, then those that it called before, the newest first."""
    name, library = rest[0], notebook.runner().library
    kept = {f"{saved.name}@{saved.hash}": saved for saved in reversed(library.versions(name))}
    own = {saved.name: saved for saved in library.list().workflows if saved.name == name}
    if not own and not kept:
        library.load(name)  # refuses it
    told = [
        (each, "current" if each in own else "", f"{saved.success_count}×", saved.description)
        for each, saved in {**own, **kept}.items()
    ]
    data = {"versions": list(kept), "current": next(iter(own), None)}
    return Table(("version", "", "succeeded", ""), told, data)


def _delete(notebook: Notebook, rest: list[str], words: Words) -> Message:
    notebook.runner().library.delete(rest[0])
    return Message(f"workflow {rest[0]!r} deleted", {"deleted": rest[0]})


def _rename(notebook: Notebook, rest: list[str], words: Words) -> Message:
    notebook.runner().library.rename(*rest)
    return Message(f"workflow {rest[0]!r} is now {rest[1]!r}", {"renamed": rest})


def _import(notebook: Notebook, rest: list[str], words: Words) -> Message:
    library = notebook.runner().library
    overwrite = bool(words.get("overwrite"))
    file = notebook.folder() / rest[0]
    name = library.import_file(file, overwrite=overwrite, where=rest[0])
    same = None if name else library.same_as(file)
    said = f"imported as {name!r}" if name else f"nothing new: it is saved already as {same!r}"
    return Message(said, {"imported": name})


def _export(notebook: Notebook, rest: list[str], words: Words) -> Message:
    notebook.runner().library.export(rest[0], notebook.folder() / rest[1])
    return Message(f"workflow {rest[0]!r} exported to {rest[1]}", {"file": rest[1]})


_LIBRARY: dict[str, tuple[tuple[str, ...], Callable[[Notebook, list[str], Words], Any]]] = {
    "list": ((), _list),
    "show": (("name",), _show),
    "versions": (("name",), _versions),
    "delete": (("name",), _delete),
    "rename": (("name", "new"), _rename),
    "import": (("file",), _import),
    "export": (("name", "file"), _export),
}


def tools(notebook: Notebook, words: Words) -> Any:
    """All tools, or the parameters of one."""
    from wfnb.workflows.tools.registry import REGISTRY  # noqa: PLC0415  heavy: only for workflows

    if words.words:
        tool = REGISTRY.get(words.words[0])
        needed = tool.parameters.get("required", ())
        rows = [
            (
                name,
                _type(spec),
                "needed" if name in needed else _default(spec),
                description_of(spec),
            )
            for name, spec in tool.parameters.get("properties", {}).items()
        ]
        heads = (tool.name, "", "", tool.says)
        return Table(heads, rows, {"tool": tool.name, "parameters": dict(tool.parameters)})
    found = REGISTRY.tools()
    rows2 = [(tool.name, tool.says) for tool in found]
    rows2 += [(name, f"broken: {why}") for name, why in REGISTRY.broken_tools().items()]
    return Table(("tool", ""), rows2, {"tools": [tool.name for tool in found]})


def _type(spec: dict[str, Any]) -> str:
    kinds = [part.get("type", "") for part in spec.get("anyOf", ())] or [spec.get("type", "any")]
    return " or ".join(str(kind) for kind in kinds if kind)


def _default(spec: dict[str, Any]) -> str:
    return "" if spec.get("default") is None else f"default {spec['default']}"


def description_of(spec: dict[str, Any]) -> str:
    return str(spec.get("description", ""))
