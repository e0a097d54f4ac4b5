"""saved workflows and tools -> what their verbs show of them, and change in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wfnb.data_files.plain_yaml import dump
from wfnb.errors import BadOption
from wfnb.render.message import Json, Message, Table
from wfnb.workflows.library.workflow_library import WorkflowLibrary
from wfnb.workflows.tools.registry import REGISTRY
from wfnb.workflows.views.tool_parameters import parameter_rows

from .notebook import Notebook

_NEEDS: Mapping[str, tuple[str, ...]] = {
    "list": (),
    "show": ("name",),
    "versions": ("name",),
    "delete": ("name",),
    "rename": ("name", "new"),
    "import": ("file",),
    "export": ("name", "file"),
}
"""What `%wfnb workflows` does, and the words that each needs."""


def workflows(notebook: Notebook, words: Sequence[str], as_json: bool, overwrite: bool) -> Any:
    """The library: listed, or what its first word asks of it."""
    asked, *rest = words or ("list",)
    if asked not in _NEEDS:
        way = f"Written: %wfnb workflows {' | '.join(_NEEDS)}"
        raise BadOption("%wfnb workflows", f"it does not know {asked!r}", way)
    needs = _NEEDS[asked]
    if len(rest) != len(needs):
        what = f"it needs {' and '.join(needs) or 'nothing'}"
        way = " ".join(("Written: %wfnb workflows", asked, *map(str.upper, needs)))
        raise BadOption(f"%wfnb workflows {asked}", what, way)
    library, folder = notebook.runner().library, notebook.location.folder()
    match asked, *rest:
        case "show", name:
            definition = library.load(name)
            return Message(dump(definition), definition, block=True)
        case "versions", name:
            return _versions(library, name)
        case "delete", name:
            library.delete(name)
            return Message(f"workflow {name!r} deleted", {"deleted": name})
        case "rename", name, new:
            library.rename(name, new)
            return Message(f"workflow {name!r} is now {new!r}", {"renamed": rest})
        case "import", file:
            saved = library.import_file(folder / file, overwrite=overwrite, where=file)
            said = f"imported as {saved!r}"
            if saved is None:
                said = f"nothing new: it is saved already as {library.same_as(folder / file)!r}"
            return Message(said, {"imported": saved})
        case "export", name, file:
            library.export(name, folder / file)
            return Message(f"workflow {name!r} exported to {file}", {"file": file})
    return _list(library, as_json)


def _list(library: WorkflowLibrary, as_json: bool) -> Json | Table:
    found = library.list()
    data: list[dict[str, Any]] = [
        {"name": saved.name, "description": saved.description, "success_count": saved.success_count}
        | {"example": saved.example}
        for saved in found.workflows
    ]
    if as_json:
        return Json({"workflows": data, "warnings": list(found.warnings)})
    rows = [
        (
            saved["name"],
            saved["description"],
            "example" if saved["example"] else f"{saved['success_count']}×",
        )
        for saved in data
    ]
    rows += [("", warning, "broken") for warning in found.warnings]
    return Table(("workflow", "", "succeeded"), rows, {"workflows": data})


def _versions(library: WorkflowLibrary, name: str) -> Table:
    """The one that its name calls, then those that it called before, the newest first."""
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


def tools(name: str | None) -> Any:
    """All tools, or the parameters of one."""
    if name is not None:
        tool = REGISTRY.get(name)
        rows = parameter_rows(tool.parameters)
        heads = (tool.name, "", "", tool.says)
        return Table(heads, rows, {"tool": tool.name, "parameters": dict(tool.parameters)})
    found = REGISTRY.tools()
    rows2 = [(tool.name, tool.says) for tool in found]
    rows2 += [(name, f"broken: {why}") for name, why in REGISTRY.broken_tools().items()]
    return Table(("tool", ""), rows2, {"tools": [tool.name for tool in found]})
