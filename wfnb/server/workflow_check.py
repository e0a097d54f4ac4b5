"""the text of a workflow's file -> what is wrong with it, without a kernel.

The tools are those that come with wfnb: nothing is imported into the server for a check.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wfnb.workflows.library.workflow_library import WorkflowLibrary
from wfnb.workflows.runner.editor_answers import check_text, list_tools, without_packages

from .history_queries import BadQuery
from .session_location import Location

_FILES = (".yaml", ".yml", ".json")
_ASKED = 'A check is `{"path": …, "text": …}`, both texts.'


def check(root: Path, word: str, asked: Any) -> dict[str, Any]:
    """What `check_text` gives, and the `tools` that were known. `asked` has the `path` of the file
    below `root`, and the `text` that it is to have; perhaps an `action` of it, and those that are
    `opened`. BadQuery, OutsideRoot."""
    if word != "check":
        raise BadQuery("Nobody can ask this here. Words: check.")
    path, text = (asked.get(name) if isinstance(asked, dict) else None for name in ("path", "text"))
    if not isinstance(path, str) or not isinstance(text, str):
        raise BadQuery(_ASKED)
    action = asked.get("action")
    if action is not None and not isinstance(action, str):
        raise BadQuery(_ASKED)
    location = Location(root, path, _FILES)
    library = WorkflowLibrary(location.home.path / "workflows")
    around = without_packages(library, location.notebook.parent)
    return {
        **check_text(text, location.notebook.name, around, action, _opened(asked)),
        "tools": list_tools(around.tools),
    }


def _opened(asked: Mapping[str, Any]) -> set[tuple[str, ...]]:
    """Actions that run a workflow, each by the path of actions that leads to it. BadQuery."""
    opened = asked.get("opened", [])
    if not isinstance(opened, list) or not all(isinstance(path, list) for path in opened):
        raise BadQuery(_ASKED)
    if not all(isinstance(name, str) for path in opened for name in path):
        raise BadQuery(_ASKED)
    return {tuple(path) for path in opened}
