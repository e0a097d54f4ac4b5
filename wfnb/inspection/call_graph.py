"""a name, a folder -> what is called from there on, and who calls it.

What is defined and called where is read by `ast`; which definition a call means is asked of jedi.
Nothing is run.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from wfnb.core.findings import Call, CallPath
from wfnb.errors import NameNowhere
from wfnb.frozen_record import record

from .python_files import content, python_files, readable_path
from .python_outline import CallSite, DefinitionCalls, Source, Unreadable, parse_source

DEPTH, MAX_CALLS, MAX_ASKED = 4, 60, 400
"""How deep calls are followed; calls that are told; those whose meaning is looked up."""
MAX_CALLERS = 30
_MAX_NAMES = 5_000


@record
class Spot:
    """A definition in a file: what a call may mean."""

    path: str
    line: int


class Folder:
    """The Python files of a folder; each is read once. Their paths are told from `start` on."""

    def __init__(self, folder: Path, start: Path | None = None) -> None:
        self.folder = folder
        self._real, self._start = _real(folder), _real(folder if start is None else start)
        self.paths, self.cut = python_files(folder)
        self._sources: dict[str, Source | None] = {}

    def display_path(self, path: str) -> str:
        """A path as it is told."""
        return readable_path(os.path.relpath(os.path.join(self._real, path), self._start))

    def data(self, path: str) -> bytes:
        """What a file has; nothing, where it cannot be read."""
        try:
            return content(self.folder / path)
        except (OSError, ValueError):
            return b""

    def source(self, path: str) -> Source | None:
        """A file as it was read; None where it does not parse."""
        if path not in self._sources:
            try:
                self._sources[path] = parse_source(self.data(path))
            except Unreadable:
                # Kept as well: a file that does not parse is not parsed again for each name.
                self._sources[path] = None
        return self._sources[path]

    def holding(self, pattern: bytes) -> Iterator[str]:
        """The files whose text has it."""
        wanted = re.compile(pattern)
        # A search in bytes is far cheaper than parsing: most files of a folder do not have the
        # name.
        return (path for path in self.paths if wanted.search(self.data(path)))

    def find_definitions(self, target: str) -> list[tuple[Spot, DefinitionCalls]]:
        """The definitions that a name means: `read`, `Parser.read`, `pkg.parse.Parser.read`."""
        last = re.escape(target.rpartition(".")[2]).encode("utf-8", "replace")
        return [
            (Spot(path=path, line=calls.definition.line), calls)
            for path in self.holding(rb"\b(?:def|class)\s+" + last + rb"\b")
            for calls in self._definitions(path)
            # The dot before both: `read` must not match `spread`.
            if f".{_module(path)}.{calls.definition.name}".endswith(f".{target}")
        ]

    def names(self) -> tuple[str, ...]:
        """Names that are defined here."""
        defined = re.compile(rb"^\s*(?:async\s+def|def|class)\s+(\w+)", re.MULTILINE)
        names: dict[str, None] = {}
        for path in self.paths:
            names |= dict.fromkeys(
                name.decode("utf-8", "replace") for name in defined.findall(self.data(path))
            )
            if len(names) >= _MAX_NAMES:
                break
        return tuple(names)[:_MAX_NAMES]

    def definition_at(self, spot: Spot) -> DefinitionCalls | None:
        """What is defined there."""
        at_line = (
            each for each in self._definitions(spot.path) if each.definition.line == spot.line
        )
        return next(at_line, None)

    def definitions_in(self, spot: Spot) -> list[tuple[Spot, DefinitionCalls]]:
        """The definition there and, of a class, its methods."""
        whole = self.definition_at(spot)
        if whole is None:
            return []
        name = f"{whole.definition.name}."
        inside = [
            (Spot(path=spot.path, line=calls.definition.line), calls)
            for calls in self._definitions(spot.path)
            if whole.definition.kind == "class"
            and calls.definition.kind == "method"
            and calls.definition.name.startswith(name)
            and spot.line < calls.definition.line <= whole.definition.end
        ]
        return [(spot, whole), *inside]

    def _definitions(self, path: str) -> tuple[DefinitionCalls, ...]:
        source = self.source(path)
        return source.definitions if source is not None else ()


class Callee(NamedTuple):
    """What a call means: its definition, where the folder has it, else its full `name` (None: what
    Python brings along by itself). `is_inside` the folder; None: not known."""

    spot: Spot | None
    name: str | None
    is_inside: bool | None


class _Resolving:
    """Which definition a call means, for so many calls: by their number and not by time, so that
    the same folder gives the same answer."""

    def __init__(self, files: Folder, most: int) -> None:
        import jedi  # noqa: PLC0415  heavy, and wanted for this only

        self._jedi: Any = jedi
        self._files = files
        self._project = jedi.Project(files.folder)
        self._here = jedi.InterpreterEnvironment()  # any other would start a program
        self._scripts: dict[str, Any] = {}
        self._paths = {_real(files.folder / path): path for path in files.paths}
        self.most = self._left = most

    def ensure_lookups(self, most: int) -> None:
        """So many from now on, where fewer are left."""
        self._left = max(self._left, most)

    @property
    def is_exhausted(self) -> bool:
        return self._left <= 0

    def resolve_call(self, path: str, call: CallSite) -> Callee:
        """What a call means."""
        self._left -= 1
        try:
            names = self._script(path).goto(
                # One letter before the end: jedi wants a place inside of the name, and `place` is
                # behind it.
                call.end,
                max(0, call.place - 1),
                follow_imports=True,
                follow_builtin_imports=True,
            )
            for name in names:
                inside = self._paths.get(_real(name.module_path)) if name.module_path else None
                if inside is not None and self._files.definition_at(
                    Spot(path=inside, line=name.line or 0)
                ):
                    return Callee(Spot(path=inside, line=name.line or 0), None, True)
            for name in names:
                if name.type in ("function", "class", "module"):
                    full = str(name.full_name or call.name)
                    return Callee(None, None if full.startswith("builtins.") else full, False)
        except Exception:  # a parser of anything that was ever written has its own faults
            return Callee(None, call.name, None)
        return Callee(None, call.name, None)

    def _script(self, path: str) -> Any:
        if path not in self._scripts:
            source = self._files.source(path)
            self._scripts[path] = self._jedi.Script(
                source.text if source else "",
                path=self._files.folder / path,
                project=self._project,
                environment=self._here,
            )
        return self._scripts[path]


def path(
    target: str,
    folder: Path,
    depth: int = DEPTH,
    most: int = MAX_CALLS,
    most_asked: int = MAX_ASKED,
    start: Path | None = None,
) -> CallPath:
    """What a function, method or class calls, what these call, and so on, `depth` calls deep and
    in the folder; and who calls it. Of what is outside of the folder only the call is told; calls
    of what Python itself brings along (`len`, `str.join`) are left out. Files are told from `start`
    on. Raises NameNowhere."""
    files = Folder(folder, start)
    starts = files.find_definitions(target)
    if not starts:
        raise NameNowhere(target, files.names(), files.display_path("."))
    resolving = _Resolving(files, most_asked)
    names = _Names(files)
    cuts = [files.cut] if files.cut else []
    target, *_ = [names.unique_name(spot, found) for spot, found in starts]
    # Before the callers, though told after them: so each gets its share of the lookups.
    followed = list(_follow_calls(files, starts, resolving, names, cuts, depth, most))
    resolving.ensure_lookups(
        most_asked // 2
    )  # a folder has more callers in doubt than a function has calls
    calls = dict.fromkeys([*_callers(files, starts, resolving, names, cuts), *followed])
    (first, _), *others = starts
    return CallPath(
        target=target,
        path=files.display_path(first.path),
        line=first.line,
        also=tuple(f"{files.display_path(spot.path)}:{spot.line}" for spot, _ in others),
        calls=tuple(calls),
        cut="; ".join(dict.fromkeys(cuts)) or None,
    )


def _follow_calls(
    files: Folder,
    starts: list[tuple[Spot, DefinitionCalls]],
    resolving: _Resolving,
    names: _Names,
    cuts: list[str],
    depth: int,
    most: int,
) -> Iterator[Call]:
    waiting = deque((part, 1) for start, _ in starts for part in files.definitions_in(start))
    queued = {spot for (spot, _), _ in waiting}
    listed: set[tuple[str, str]] = set()
    while waiting:
        (spot, found), deep = waiting.popleft()
        caller = names.unique_name(spot, found)
        for call in found.calls:
            if resolving.is_exhausted:
                cuts.append(
                    f"of {resolving.most} calls it was asked what they mean, and there are more"
                )
                return
            meant, outside, inside = resolving.resolve_call(spot.path, call)
            definition = files.definition_at(meant) if meant is not None else None
            callee = names.unique_name(meant, definition) if meant and definition else outside
            if callee is None or (caller, callee) in listed:
                continue
            if len(listed) >= most:
                cuts.append(f"there are more than {most} calls")
                return
            listed.add((caller, callee))
            path = files.display_path(spot.path)
            yield Call(caller=caller, callee=callee, path=path, line=call.line, inside=inside)
            for part in _entry_points(files, meant) if meant else ():
                if part[0] not in queued and deep < depth:
                    queued.add(part[0])
                    waiting.append((part, deep + 1))
                # Said only where there is something below: a leaf at the last level is not cut.
                elif part[0] not in queued and part[1].calls:
                    cuts.append(f"it goes on below {depth} calls")


def _entry_points(files: Folder, spot: Spot) -> Iterator[tuple[Spot, DefinitionCalls]]:
    """What runs when it is called: of a class, what makes it."""
    whole, *methods = files.definitions_in(spot)
    if whole[1].definition.kind != "class":
        yield whole
    for part in methods:
        if part[1].definition.name.rpartition(".")[2] in ("__init__", "__new__", "__post_init__"):
            yield part


def _callers(
    files: Folder,
    starts: list[tuple[Spot, DefinitionCalls]],
    resolving: _Resolving,
    names: _Names,
    cuts: list[str],
) -> Iterator[Call]:
    """Calls of it that jedi takes for such."""
    wanted = {spot: names.unique_name(spot, found) for spot, found in starts}
    last = starts[0][1].definition.name.rpartition(".")[2]
    listed: set[tuple[str, str]] = set()
    unsure = 0
    for path in files.holding(rb"\b" + re.escape(last).encode() + rb"\b"):
        source = files.source(path)
        if source is None:
            continue
        # A call may be by the name that an import gave it; jedi is asked of those calls only.
        called = {last, *re.findall(rf"\b{re.escape(last)}\s+as\s+(\w+)", source.text)}
        for caller, call in _all(files, path, source, names):
            if call.name.rpartition(".")[2] not in called:
                continue
            if resolving.is_exhausted or len(listed) >= MAX_CALLERS:
                cuts.append("there may be more callers")
                return
            meant, _, inside = resolving.resolve_call(path, call)
            if meant in wanted and (caller, wanted[meant]) not in listed:
                listed.add((caller, wanted[meant]))
                yield Call(
                    caller=caller,
                    callee=wanted[meant],
                    path=files.display_path(path),
                    line=call.line,
                )
            # A call that jedi cannot place is not told as a caller, and not kept quiet about
            # either.
            unsure += inside is None
    if unsure:
        calls = "a call" if unsure == 1 else f"{unsure} calls"
        cuts.append(f"{calls} of something named {last} may mean it or not")


def _all(files: Folder, path: str, source: Source, names: _Names) -> Iterator[tuple[str, CallSite]]:
    """Every call in a file, with who calls; outside of all functions that is the file."""
    for call in source.calls:
        yield files.display_path(path), call
    for found in source.definitions:
        for call in found.calls:
            yield names.unique_name(Spot(path=path, line=found.definition.line), found), call


class _Names:
    """What each definition is called: by its own name, or where another has it too, by its file."""

    def __init__(self, files: Folder) -> None:
        self._taken: dict[str, Spot] = {}
        self._files = files

    def unique_name(self, spot: Spot, found: DefinitionCalls) -> str:
        name = found.definition.name
        if self._taken.setdefault(name, spot) == spot:
            return name
        if self._taken[name].path == spot.path:
            return f"{name} (line {spot.line})"
        return f"{name} ({self._files.display_path(spot.path)})"


def _module(path: str) -> str:
    """The dotted name of a file's module, from the folder on."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _real(path: str | Path) -> str:
    return str(Path(path).resolve())
