"""code that has run, the files that it opened -> the look that it was: what it read, ran or showed.

`seen` stands for what was there to be seen: the code, the versions of the names that it read, how
it ended, and the files as they are. The same code over the same is nothing new; after a change of
any of these it is. Of a program, which may read whatever lies here, that is the whole folder.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path, PurePath
from subprocess import CompletedProcess
from types import FunctionType, MethodType, ModuleType
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from wfnb.core.events import Outcome
from wfnb.core.findings import Look, ProgramRun
from wfnb.dataflow.observer import Segment
from wfnb.inspection.digest import digest
from wfnb.inspection.folder_files import list_files, source_state
from wfnb.inspection.look_recognition import Nature, Sight, sight
from wfnb.inspection.shell_commands import code_runs
from wfnb.investigations.core.finding_parser import MAX_NAME
from wfnb.safe_attributes import class_namespace, own_attributes
from wfnb.type_names import is_a, local_name, module_of

from . import unseen_failures
from .cell_title import cell_title
from .input_transform import plain_python
from .ipython_compat import blank_lines_above, line_raised, result_of
from .opened_files import Watch, is_foreign
from .running_cell import Running

_MAX_FILES, _MAX_BYTES, _MAX_NAMES = 50, 10_000_000, 100
_MAX_LINES = 10_000
_CODE = (FunctionType, MethodType, type)


@dataclass(frozen=True)
class CodeEnd:
    """Code of a cell that has ended: all of it, or that of a step; `watch` is what it opened and
    started."""

    running: Running
    source: str
    watch: Watch
    outcome: Outcome
    segment: Segment | None


class Witness:
    """Of one kernel's names."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._names: Mapping[str, Any] = shell.user_ns
        self._hidden: Mapping[str, Any] = shell.user_ns_hidden
        """Those of them that IPython put there."""
        self._fixed: set[str] = set()

    def look(
        self, ended: CodeEnd, folder: Path, notebook: Path | None, notes_sources: bool
    ) -> Look | None:
        """The look that the code was. None: nothing was to be seen."""
        running, watch, outcome = ended.running, ended.watch, ended.outcome
        held = {} if ended.segment is None else ended.segment.reads
        reads = {name: version for name, (version, _) in held.items()}
        code, result = plain_python(self._shell, ended.source), result_of(self._shell, running.info)
        above, raised = running.source.partition(ended.source)[0].count("\n"), None
        if outcome.status != "ok":
            raised = line_raised(result, running.source, self._shell.user_ns)
            raised = raised and raised - above
        above -= blank_lines_above(running.source)
        value = getattr(result, "result", None)
        paths = {name for name, held in self._names.items() if is_a(held, PurePath)}
        seen = sight(code, self._nature, self._fixed, raised, paths)
        self._fixed = (self._fixed | seen.fixed) - seen.free
        what = cell_title(ended.source)
        # Tests that ran succeeded or failed, also where nothing of it was shown.
        if what is None or not (seen.looks or {"test", "check"} & {*watch.acts}):
            return None
        called = [self._value(name) for name in seen.calls]
        if unseen_failures.runs_tests(called):
            seen = replace(seen, acts=tuple(dict.fromkeys((*seen.acts, "test"))), tests=True)
        if unseen_failures.runs_beside(called):
            seen = replace(seen, hides=True)
        acts = (*seen.acts, *watch.acts)
        has_tests = not {"test", "check"}.isdisjoint(acts)
        unread = {(line + above, column) for line, column in seen.unread}
        opened = [file for file, places in watch.files.items() if not places <= unread]
        named = [*opened, *self._files(seen.calls), *self._named_files(seen, folder)]
        files = list(dict.fromkeys(map(os.path.realpath, named)))[:_MAX_FILES]
        home = os.path.realpath(folder)
        shown = [os.path.relpath(file, home).replace(os.sep, "/") for file in files]
        parts = [_plain(code), outcome.status, outcome.result or "", outcome.error or ""]
        parts += [f"{name}={version}" for name, version in sorted(reads.items())]
        parts += [f"{name}:{_content(file)}" for name, file in zip(shown, files, strict=True)]
        if seen.opaque:
            parts += list_files(folder, but=notebook)
        return Look(
            kind="cell",
            what=what,
            files=tuple(name for name in shown if len(name) <= MAX_NAME),
            acts=_acts(acts, files),
            failed=_has_failed(seen, watch, outcome, value, folder) if acts else None,
            names=seen.names[:_MAX_NAMES],
            seen=digest(*parts),
            runs=self._runs(code, {*reads}, seen, watch, home) if has_tests else (),
            sources=source_state(folder) if notes_sources and acts else "",
        )

    def _runs(
        self, code: str, reads: set[str], seen: Sight, watch: Watch, home: str
    ) -> tuple[ProgramRun, ...]:
        """The tests and linters that ran: programs by their lines, else the code by its text and
        by the texts and numbers that it read."""
        programs = (*watch.runs(home), *seen.runs)
        acts = {*seen.acts, *watch.acts} - {run.act for run in programs}
        acts |= {"test"} if seen.tests else set()
        held = {name: self._names.get(name) for name in sorted(reads)}
        told = [f"{name}={value!r}" for name, value in held.items() if type(value) in (str, int)]
        return (*programs, *code_runs(acts, _plain(code), *told))

    def _nature(self, name: str) -> Nature:
        value = self._names.get(name)
        if name not in self._names or (name in self._hidden and value is self._hidden[name]):
            return "value"
        if is_a(value, ModuleType):
            return "module"
        return "code" if is_a(value, *_CODE) else "value"

    def _files(self, calls: Iterable[str]) -> Iterator[str]:
        """The files whose code was called, or is shown."""
        for name in calls:
            value, file = self._value(name), None
            for part in (value, type(value)):
                file = file or own_attributes(_module(part)).get("__file__")
            if isinstance(file, str) and not is_foreign(os.path.realpath(file)):
                yield file

    def _value(self, dotted: str) -> Any:
        """What a dotted name holds; only modules are asked for their attributes."""
        first, *rest = dotted.split(".")
        value = self._names.get(first)
        for part in rest:
            # Not getattr: an attribute of an object may be code, which nobody asked to run.
            held = class_namespace(value) if is_a(value, type) else own_attributes(value)
            if not is_a(value, ModuleType, type) or part not in held:
                break
            value = held[part]
        return value

    def _named_files(self, seen: Sight, folder: Path) -> Iterator[str]:
        """The files that a program's words, or a reading function's, name."""
        for word in seen.words:
            path = folder / os.path.expanduser(word)
            try:
                if path.is_file() and not is_foreign(os.path.realpath(path)):
                    yield str(path)
            except (OSError, ValueError):  # no name of a file
                continue


def _acts(acts: tuple[str, ...], files: list[str]) -> tuple[str, ...]:
    """With `file`, where a file was read: what tests or checks one shows nothing of it."""
    reads = files and {"test", "check"}.isdisjoint(acts)
    return tuple(dict.fromkeys((*acts, *(("file",) if reads else ()))))


def _has_failed(
    seen: Sight, watch: Watch, outcome: Outcome, value: Any, folder: Path
) -> bool | None:
    """Whether the code raised, or what it ran failed: a program by its code, which raises
    nothing. None where that would not have been seen, or what was tested is not what the files
    say."""
    passed = _has_passed(value)
    if outcome.status != "ok" or watch.has_failure or passed is False:
        return True
    if seen.hides or watch.hides_failure(_printed(value)) or (seen.tests and not passed):
        return None
    return None if seen.tests and unseen_failures.has_old_modules(folder) else False


def _printed(value: Any) -> str | None:
    """What a program printed, where that is what a cell ended with: its output, or the lines of
    that. None where it is not."""
    if is_a(value, CompletedProcess):
        held = own_attributes(value)
        value = [held.get("stdout"), held.get("stderr")]
    parts = list.__iter__(value) if is_a(value, list) else iter((value,))
    texts = [each for each in islice(parts, _MAX_LINES) if type(each) in (str, bytes)]
    return "\n".join(map(os.fsdecode, texts)) if texts else None


def _has_passed(value: Any) -> bool | None:
    """Whether the tests passed whose result this is: of `pytest.main`, `doctest.testmod`, or
    `unittest`; None where it is none, or none was run."""
    kind = local_name(type(value))
    if kind == "ExitCode" and is_a(value, int):
        return not int.__bool__(value)
    if kind == "TestResults" and is_a(value, tuple):  # of doctest
        failed, attempted = tuple.__iter__(value)
        return False if failed else bool(attempted) or None
    unittest = sys.modules.get("unittest")
    if unittest is None:
        return None
    if is_a(value, unittest.TestProgram):
        value = own_attributes(value).get("result")
    if not is_a(value, unittest.TestResult):
        return None
    held = own_attributes(value)
    if any(held[name] for name in ("failures", "errors", "unexpectedSuccesses")):
        return False
    return held["testsRun"] > len(held["skipped"]) or None


def _module(value: Any) -> ModuleType | None:
    if is_a(value, ModuleType):
        return value  # type: ignore[no-any-return]
    value = value.__func__ if is_a(value, MethodType) else value
    name = module_of(value) if is_a(value, type) else own_attributes(value).get("__module__")
    return sys.modules.get(name) if type(name) is str and name != "__main__" else None


def _plain(code: str) -> str:
    """The code without comments and layout."""
    try:
        return ast.unparse(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code


def _content(file: str) -> str:
    try:
        size = os.path.getsize(file)
        # To hash it would take longer than the cell: size and time tell whether it was written.
        if size > _MAX_BYTES:
            return f"{size} {os.stat(file).st_mtime_ns}"
        return blake2b(Path(file).read_bytes(), digest_size=12).hexdigest()
    except OSError:
        return ""
