"""the user's own Python: files and modules -> names that workflows may call, registered tools."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import TracebackException, extract_tb
from types import ModuleType, TracebackType
from typing import Any

from wfnb.errors import ToolsUnloadable, WfnbError
from wfnb.files import real_path
from wfnb.workflows.definition.name_rules import is_workflow_name
from wfnb.workflows.tools.registry import REGISTRY
from wfnb.workflows.tools.tool import Tool


def importable(workflow: str | None) -> None:
    """The folder of a workflow's file is where modules are looked for first, as with `python
    FILE`; for a saved one, and where there is no file, that is the current folder."""
    named = workflow is None or workflow == "-" or is_workflow_name(workflow)
    _prepend_path(Path.cwd() if named else real_path(str(workflow)).parent)


def load(source: str) -> None:
    """Run a Python file, or import a module by its name: the functions in it that are marked by
    `@wfnb.tool` are tools then. What it prints goes to stderr. Raises ToolsUnloadable."""
    # Importing may register tools without a marked function, as a module that imports others does.
    before = REGISTRY.names()
    try:
        # stdout may be JSON that a program reads.
        with redirect_stdout(sys.stderr):
            module = _of_file(Path(source)) if _is_file(source) else import_module(source)
    # Not a fault of the module: the command ends as interrupted.
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a module may do anything, end the process too
        raise ToolsUnloadable(source, _describe_error(error, _is_file(source))) from None
    marked = any(isinstance(getattr(one, "tool", None), Tool) for one in vars(module).values())
    if not marked and REGISTRY.names() == before:
        raise ToolsUnloadable(source, "no function in it is marked by @wfnb.tool")


def _is_file(source: str) -> bool:
    return source.endswith(".py") or "/" in source or "\\" in source


def _of_file(path: Path) -> ModuleType:
    """The file as a module, its neighbours importable. It keeps its name, so that a process apart
    finds it again; unless another module has that."""
    path = real_path(path)
    name = path.stem if path.stem not in sys.modules else f"{path.stem}_tools"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError("it is no Python file")
    _prepend_path(path.parent)
    module = module_from_spec(spec)
    # Before it runs: dataclasses and pickle look a class's module up there.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _prepend_path(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def _describe_error(error: BaseException, file: bool) -> str:
    """The mistake in a line, and where the user's own text has it."""
    if isinstance(error, WfnbError):
        said = str(error)  # a sentence: it tells no class
    else:
        (*_, last) = ["", *TracebackException.from_exception(error).format_exception_only()]
        said = last.strip()
    said = said.rstrip(".")
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f"{Path(error.filename).name}, line {error.lineno}: {said}"
    if isinstance(error, OSError) and error.filename is not None and file:
        said = f"{error.strerror}: {error.filename}"
    where = list(_own(error.__traceback__))
    return f"{where[-1]}: {said}" if where else said


def _own(trace: TracebackType | None) -> Iterator[str]:
    """The places outside of Python's own library, of installed packages, and of wfnb."""
    here = (str(Path(__file__).parents[1]), sys.base_prefix, sys.prefix, "<frozen")
    for frame in extract_tb(trace):
        if not frame.filename.startswith(here):
            inside = f" in {frame.name}" if frame.name != "<module>" else ""
            yield f"{Path(frame.filename).name}, line {frame.lineno}{inside}"


def load_user_code(workflow: Any, tools: tuple[str, ...]) -> None:
    """What a command needs of the user's Python before it does anything."""
    importable(workflow)
    for source in tools:
        load(source)
