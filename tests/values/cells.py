"""A cell, as a program performs one: a namespace at its end → a step that kept names of it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wfnb.core.events import Outcome
from wfnb.core.session import Step
from wfnb.workspace import KeepRequest, Workspace


@dataclass
class Model:
    rows: list[int]


def run(
    ws: Workspace, title: str, namespace: dict[str, Any], *names: str, asked: tuple[str, ...] = ()
) -> Step:
    """A step of a cell, which ends with that namespace."""
    asked = asked or names
    step = ws.steps.begin(ws.steps.command_for(title, keep=asked))
    assert step.running is not None
    return ws.steps.finish(
        step.running, Outcome(), KeepRequest(patterns=asked, names=names, namespace=namespace)
    )


def file_of(tmp_path: Path, ws: Workspace, name: str) -> Path:
    """The file that the value of the first step is in."""
    kept = ws.session.steps[2].kept
    assert kept is not None
    value = kept.get(name)
    assert value is not None
    assert value.group is not None
    blob = kept.groups[value.group].blobs[0]
    (found,) = (tmp_path / "home" / "values").rglob(f"*{blob}*")
    return found
