"""a folder of skills -> the skill of wfnb in it, for an agent that reads such; an exit code."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from wfnb.errors import BadValue
from wfnb.files import write
from wfnb.hints import Option
from wfnb.render.text import escape

from .exit_codes import DONE
from .output import PAPER

_NAME = "SKILL.md"


def give_out(folder: str, overwrite: bool) -> int:
    """BadValue where another text is there, or nothing can be written."""
    path = Path(folder, "wfnb", _NAME)
    text = files("wfnb.mcp").joinpath(_NAME).read_text("utf-8")
    try:
        same = path.exists() and path.read_bytes() == text.encode()
        if path.exists() and not same and not overwrite:
            needs = f"a folder without another {path}; `{Option('overwrite', True)}` replaces that"
            raise BadValue("FOLDER", folder, needs)
        if not same:
            write(path, text)
    except (OSError, ValueError) as error:  # ValueError: a name that cannot be one
        why = getattr(error, "strerror", None) or error
        raise BadValue("FOLDER", folder, f"a place that can be written ({why})") from None
    PAPER.say(escape.line(f"{path} {'is there already' if same else 'written'}"))
    PAPER.settle()
    return DONE
