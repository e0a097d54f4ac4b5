"""a folder -> its Python files with something public that has no docstring.

Each file is read by a process of its own kind, `docstring_count.py`, several of them side by side;
what a file had is kept by its size and time, so that counting again only looks at what was changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired
from tempfile import TemporaryFile
from time import monotonic
from typing import IO, Any

from wfnb.files import write

from . import docstring_count
from .python_files import MAX_FILE_BYTES, python_files, readable_path
from .result_types import UndocumentedFiles

SECONDS = 60.0
"""How long the counting may take."""
_MAX_PROCESSES = 8
"""Processes that read files at the same time."""
_NAMED = 5
"""Files that are too large, named in a line."""
_ALONE = 150
"""Files that one process reads before another would be sooner."""
Counts = dict[str, list[int | None]]
"""Path -> its time in nanoseconds, its size, and how much in it is not documented (None: it does
not parse)."""


def find_undocumented(
    folder: Path, cache: Path | None = None, seconds: float = SECONDS
) -> UndocumentedFiles:
    """Counted now. `cache` is a folder where the counts are kept, if it is there: it only spares
    work."""
    paths, cut = python_files(folder)
    now: Counts = {path: [*stamp, None] for path in paths if (stamp := _stamp(folder, path))}
    large = [
        path for path, (_, size, _) in now.items() if size is not None and size > MAX_FILE_BYTES
    ]
    for path in large:
        del now[path]
    cached = _CountCache(cache, folder)
    before = cached.read()
    # Same time and size: the file is not read again.
    unchanged = {path: old for path, old in before.items() if now.get(path, [])[:2] == old[:2]}
    to_count = [path for path in now if path not in unchanged]
    counted, late = _count_in_processes(folder, to_count, seconds)
    for path, (*_, count) in unchanged.items():
        now[path][2] = count
    for path in to_count:
        if path in counted:
            now[path][2] = counted[path]
        else:
            del now[path]
    if to_count or len(unchanged) < len(before):
        cached.write(now)
    return UndocumentedFiles(
        folder=readable_path(str(folder)),
        files=tuple((readable_path(path), count) for path, (*_, count) in now.items() if count),
        read=len(now),
        broken=tuple(readable_path(path) for path, (*_, count) in now.items() if count is None),
        cut="; ".join(filter(None, (late or cut, _too_large(large)))) or None,
    )


def _too_large(paths: list[str]) -> str | None:
    """That files were not read."""
    if not paths:
        return None
    named = ", ".join(map(readable_path, paths[:_NAMED])) + ", …" * (len(paths) > _NAMED)
    many = "1 file was" if len(paths) == 1 else f"{len(paths):,} files were"
    return f"{many} not read, larger than {MAX_FILE_BYTES:,} bytes: {named}"


def _stamp(folder: Path, path: str) -> list[int | None] | None:
    """The time and the size of what is a file; None for anything else, as for one that git has and
    the folder has not."""
    try:
        status = os.stat(folder / path)
    except (OSError, ValueError):
        return None
    return [status.st_mtime_ns, status.st_size] if stat.S_ISREG(status.st_mode) else None


def _count_in_processes(
    folder: Path, paths: list[str], seconds: float
) -> tuple[dict[str, int | None], str | None]:
    """Of each file how much is not documented; and why some are not there."""
    if not paths:
        return {}, None
    count = max(1, min(_cores(), _MAX_PROCESSES, len(paths) // _ALONE))
    over = monotonic() + seconds
    late = None
    counts: dict[str, int | None] = {}
    started: list[tuple[Popen[bytes], IO[bytes]]] = []
    try:
        for place in range(count):
            # Every n-th, not n pieces: large files of one folder are spread over all.
            started.append(_start_process(folder, paths[place::count]))
        for process, output in started:
            try:
                if process.wait(max(0.0, over - monotonic())):
                    late = "a file could not be read to its end"
            except TimeoutExpired:
                late = f"it would have taken more than {seconds:g} s"
                process.kill()
                process.wait()
            output.seek(0)
            for line in output.read().splitlines():
                with suppress(ValueError):  # a line that was cut off
                    path, number = json.loads(line)
                    counts[path] = number
    finally:
        for process, output in started:
            process.kill()
            process.wait()
            output.close()
    return counts, late


def _start_process(folder: Path, paths: list[str]) -> tuple[Popen[bytes], IO[bytes]]:
    # Files and not pipes: all processes are fed and left to run, and read one after the other.
    output = TemporaryFile()  # noqa: SIM115  (closed by who reads it)
    with TemporaryFile() as file_names:
        file_names.write(b"\0".join(map(os.fsencode, paths)))
        file_names.seek(0)
        # Isolated, without `site`: it starts sooner, and modules of the folder cannot stand in for
        # others.
        words = [sys.executable, "-I", "-S", "-X", "utf8", str(docstring_count.__file__)]
        process = Popen(words, cwd=folder, stdin=file_names, stdout=output, stderr=DEVNULL)
    return process, output


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _CountCache:
    """The counts of one folder, in a file. What cannot be read is not there."""

    def __init__(self, cache: Path | None, folder: Path) -> None:
        # Another Python parses other files: what is broken for one may not be for the other.
        self._version = [*sys.version_info[:2], 2]  # the last: of what is counted
        name = hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:16]
        self._path = None if cache is None else cache / f"undocumented-{name}.json"

    def read(self) -> Counts:
        if self._path is None:
            return {}
        try:
            data: Any = json.loads(self._path.read_bytes())
            right = data["version"] == self._version and isinstance(data["files"], dict)
            counts = data["files"] if right else {}
        except (OSError, ValueError, RecursionError, KeyError, TypeError):
            return {}
        return {path: old for path, old in counts.items() if _is_count(old)}

    def write(self, counts: Counts) -> None:
        # The cache never makes a `.wfnb`: looking at a folder that has none leaves it as it is.
        if self._path is None or not self._path.parent.parent.is_dir():
            return
        with suppress(OSError, ValueError):
            data = {"version": self._version, "files": counts}
            # A repository must not take the counts for files of its own.
            if not self._path.parent.exists():
                write(self._path.parent / ".gitignore", "*\n")
            write(self._path, json.dumps(data))


def _is_count(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 3
        and all(isinstance(number, int) for number in value[:2])
        and (value[2] is None or isinstance(value[2], int))
    )
