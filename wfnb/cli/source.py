"""a word of a command line -> the workflow that is meant: a saved one's name, or a file's text."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from wfnb.errors import WorkflowBroken
from wfnb.library.definition import read_definition, read_file
from wfnb.library.saved import NAME


def source(workflow: str) -> Any:
    """The name of a saved workflow, or what a file says: anything that cannot be a name is a file,
    and `-` is stdin. Raises WorkflowBroken."""
    if workflow == "-":
        text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape") if sys.stdin else ""
        return read_definition(text, "stdin")
    if Path(workflow).is_dir():
        raise WorkflowBroken(repr(workflow), "it is a folder")
    return workflow if NAME.fullmatch(workflow) else read_file(Path(workflow))
