"""a notebook's file -> the notebook, its parameters set -> the file of the executed copy.

nbformat takes a second to import: it is, when the first notebook is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from keyword import iskeyword
from math import isfinite
from pathlib import Path
from typing import Any

from wfnb import files

from .result_fields import ToolFailed

_SHOWN = ("text", "data", "ename", "evalue", "traceback")
"""What an output shows."""
_BINARY = ("image/png", "image/jpeg", "image/gif", "application/pdf")
"""What is written in base64."""
_NOT_RUN = "skip-execution"
"""The tag of a cell that nbclient leaves as it is."""


def read(path: Path) -> Any:
    try:
        import_module("nbclient")
        nbformat: Any = import_module("nbformat")
    except ImportError:
        raise ToolFailed("Notebooks are run by nbclient: `pip install nbclient`.") from None
    try:
        return nbformat.read(path, as_version=4)
    except OSError as error:
        raise ToolFailed(f"{path} cannot be read: {error.strerror}.") from None
    except Exception as error:
        first = str(error).partition("\n")[0]
        raise ToolFailed(f"{path} is no notebook ({first}).") from None


def is_run(cell: Any) -> bool:
    """Whether nbclient runs a cell."""
    tags = cell.metadata.get("tags", ())
    return cell.cell_type == "code" and bool(cell.source.strip()) and _NOT_RUN not in tags


def clear_outputs(notebook: Any) -> None:
    """What cells showed when they were run before, and the marks that stand for it: in a copy that
    is stopped, or whose cells fail, that of the cells below would look like today's."""
    for cell in filter(is_run, notebook.cells):
        cell.outputs, cell.execution_count = [], None
        cell.metadata.pop("wfnb", None)


def write(path: Path, notebook: Any, hide: Callable[[str], str]) -> None:
    """The whole copy, or the file as it was. What its cells say and show is hidden as told."""
    shown = {**notebook, "cells": [_cell(cell, hide) for cell in notebook.cells]}
    nbformat = import_module("nbformat")
    files.write(path, nbformat.writes(nbformat.from_dict(shown)))


def _cell(cell: Mapping[str, Any], hide: Callable[[str], str]) -> dict[str, Any]:
    said = {name: _texts(cell[name], hide) for name in ("source", "attachments") if name in cell}
    if "outputs" in cell:
        said["outputs"] = [
            {**out, **{name: _texts(out[name], hide) for name in _SHOWN if name in out}}
            for out in cell["outputs"]
        ]
    return {**cell, **said}


def _texts(value: Any, hide: Callable[[str], str]) -> Any:
    """A value, each text in it hidden as told; fields keep their names, pictures what they show."""
    match value:
        case str():
            return hide(value)
        case Mapping():
            return {
                name: item if name in _BINARY else _texts(item, hide)
                for name, item in value.items()
            }
        case list():
            return [_texts(item, hide) for item in value]
        case _:
            return value


def check_names(parameters: Mapping[str, Any]) -> None:
    for name in parameters:
        if not name.isidentifier() or iskeyword(name):
            raise ToolFailed(f"{name!r} cannot be a parameter: it is no name in Python.")


def inject(notebook: Any, parameters: Mapping[str, Any], language: str) -> None:
    """Set parameters: in the place of those set before, after the cell that has the defaults, or
    first."""
    if language.lower() != "python":
        raise ToolFailed(f"Parameters can be set in Python notebooks; this one is {language}.")
    lines = ["# Parameters", *(f"{name} = {_literal(value)}" for name, value in parameters.items())]
    made = import_module("nbformat.v4").new_code_cell(
        "\n".join(lines), metadata={"tags": ["injected-parameters"]}
    )
    # As papermill does it, so that a copy can be run again, by either.
    for tag, over in (("injected-parameters", 1), ("parameters", 0)):
        for place, cell in enumerate(notebook.cells):
            if tag in cell.metadata.get("tags", ()):
                notebook.cells[place + 1 - over : place + 1] = [made]
                return
    notebook.cells.insert(0, made)


def _literal(value: Any) -> str:
    """The value as Python writes it, where the names `inf` and `nan` mean nothing.

    >>> _literal({"a": [1, float("inf")], "b": None})
    "{'a': [1, float('inf')], 'b': None}"
    """
    if isinstance(value, float) and not isfinite(value):
        return f"float('{float(value)!r}')"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key!r}: {_literal(each)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return repr(value)


def last_value(notebook: Any) -> str | None:
    """The text of the value that the last cell that was run shows, if it shows one."""
    code = [*filter(is_run, notebook.cells)]
    values = (
        [out for out in code[-1].outputs if out.output_type == "execute_result"] if code else []
    )
    return values[-1].data.get("text/plain") if values else None
