"""a word of a command line -> the workflow that is meant: a saved one's name, or a file's text."""

from __future__ import annotations

import os
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from wfnb.errors import WorkflowBroken
from wfnb.files import real_path
from wfnb.workflows.definition.name_rules import normal_form
from wfnb.workflows.library.definition_file import read_definition, read_file
from wfnb.workflows.library.saved_workflow import check_workflow_name, is_library_name, named_as

OF_FILE = "file "
"""How the word begins that says where a workflow was written, if that was a file."""


def origin(workflow: str) -> tuple[str, ...]:
    """Where a workflow was written that is a file, in a word: when that is edited and run again,
    what was saved from it before is replaced. Nothing for a saved one, and for stdin."""
    if workflow == "-" or is_library_name(workflow):
        return ()
    return (f"{OF_FILE}{sha256(os.fsencode(real_path(workflow))).hexdigest()[:12]}",)


def source(workflow: str) -> Any:
    """The name of a saved workflow, or what a file says, by the name of the file where it has
    none: anything that cannot be a name is a file, and `-` is stdin. Raises WorkflowBroken."""
    written = read_workflow(workflow)
    return written if is_library_name(workflow) else named_as(written, Path(workflow))


def read_workflow(workflow: str) -> Any:
    """The same, as it is written. Raises BadValue where its normal form is a name."""
    if is_library_name(workflow):
        return workflow
    # `My Flow` was meant as a name: the refusal says how it is written, not that there is no such
    # file.
    if is_library_name(normal_form(workflow)) and not os.path.exists(workflow):
        check_workflow_name(workflow.partition("@")[0])
    if Path(workflow).is_dir():
        raise WorkflowBroken(repr(workflow), "it is a folder")
    if workflow == "-":
        # Bytes that are no UTF-8 are told by the reader of definitions, with their place.
        text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape") if sys.stdin else ""
        return read_definition(text, "stdin")
    return read_file(Path(workflow), workflow)
