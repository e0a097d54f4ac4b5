"""saved workflows and tools -> what is shown of them, and what is changed."""

from __future__ import annotations

from typing import Any

from wfnb.data_files.plain_yaml import dump
from wfnb.render.text import escape
from wfnb.render.text.tables import text_table
from wfnb.workflows.views.tool_parameters import parameter_rows

from .exit_codes import DONE
from .output import PAPER, complain
from .run_lookup import CommandPlace


def list_workflows(place: CommandPlace, json: bool) -> int:
    found = place.library().list()
    data: list[dict[str, Any]] = [
        {
            "name": saved.name,
            "description": saved.description,
            "success_count": saved.success_count,
            "last_execution": saved.last_execution,
            "example": saved.example,
        }
        for saved in found.workflows
    ]
    if json:
        PAPER.data({"workflows": data, "warnings": list(found.warnings)})
        return DONE
    rows = [
        (
            row["name"],
            "example" if row["example"] else f"{row['success_count']}×",
            row["description"],
        )
        for row in data
    ]
    PAPER.say(text_table(("workflow", "succeeded", ""), rows))
    for warning in found.warnings:
        complain(escape.line(f"! {warning}"))
    return DONE


def show(place: CommandPlace, name: str, json: bool) -> int:
    definition = place.library().load(name)
    if json:
        PAPER.data(definition)
    else:
        PAPER.document(escape.printable(dump(definition)).removesuffix("\n"))
    return DONE


def delete(place: CommandPlace, name: str) -> int:
    place.library().delete(name)
    PAPER.say(f"workflow {name!r} deleted")
    PAPER.settle()
    return DONE


def rename(place: CommandPlace, name: str, new: str) -> int:
    place.library().rename(name, new)
    PAPER.say(f"workflow {name!r} is now {new!r}")
    PAPER.settle()
    return DONE


def take_in(place: CommandPlace, file: str, name: str | None, overwrite: bool) -> int:
    library = place.library()
    saved = library.import_file(file, name, overwrite, file)
    same = None if saved else library.same_as(file)
    PAPER.say(
        f"imported as {saved!r}" if saved else f"nothing new: it is saved already as {same!r}"
    )
    PAPER.settle()
    return DONE


def give_out(place: CommandPlace, name: str, file: str) -> int:
    PAPER.say(escape.line(f"workflow {name!r} exported to {place.library().export(name, file)}"))
    PAPER.settle()
    return DONE


def tools(name: str | None, json: bool) -> int:
    """All tools in a line each, or everything about one."""
    from wfnb.workflows.tools.registry import REGISTRY  # noqa: PLC0415  heavy: the tools themselves

    found = REGISTRY.tools() if name is None else (REGISTRY.get(name),)
    if json:
        data = [_facts(tool) for tool in found]
        PAPER.data(
            data[0] if name is not None else {"tools": data, "broken": REGISTRY.broken_tools()}
        )
        return DONE
    if name is None:
        PAPER.say(text_table(("tool", ""), [(tool.name, tool.says) for tool in found]))
        for where, why in REGISTRY.broken_tools().items():
            complain(escape.line(f"! {where}: {why}"))
        return DONE
    (tool,) = found
    PAPER.say(escape.printable("\n\n".join(filter(None, (f"{name}: {tool.says}", tool.about)))))
    rows = parameter_rows(tool.parameters)
    if rows:
        PAPER.say("\n" + text_table(("parameter", "", "", ""), rows))
    if tool.results:
        PAPER.say(f"\nresult: {', '.join(tool.results)}")
    return DONE


def _facts(tool: Any) -> dict[str, Any]:
    return {
        "name": tool.name,
        "says": tool.says,
        "about": tool.about,
        "parameters": dict(tool.parameters),
        "results": None if tool.results is None else list(tool.results),
        "idempotent": tool.idempotent,
        "travels": tool.travels,
    }
