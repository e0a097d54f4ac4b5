"""definitions, saved -> what a folder holds."""

import json
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wfnb.workflows.definition.reader import content_hash, parse
from wfnb.workflows.library.workflow_library import WorkflowLibrary


def workflow(says: str, **more):
    """A definition whose content is the text it says."""
    return {"steps": [{"tool": "shell", "args": {"command": f"echo {says}"}}], **more}


def save(library: WorkflowLibrary, name: str, says: str, overwrite: bool = False, **more):
    definition = workflow(says, **more)
    return library.save(definition, name, content_hash(parse(definition)), 1, overwrite)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def index(folder: Path):
    return json.loads((folder / "index.json").read_text("utf-8"))


@contextmanager
def no_room() -> Iterator[None]:
    """No file can be written, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
