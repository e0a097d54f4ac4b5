"""what was looked at -> a table, a text or a diagram of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from wfnb.core.findings import Call, CallPath
from wfnb.hints import Command
from wfnb.inspection.result_types import ChangedFile, Changes, Outline, UndocumentedFiles
from wfnb.render.drawing.graph import Edge, Graph, Node
from wfnb.views.graphs import Picture

from .evidence_view import MAX_LINES, MAX_ROWS, cut, marked_parts
from .evidence_view import CombinedEvidence as CombinedEvidence
from .evidence_view import EvidenceView as EvidenceView

_WHERE = {
    "conflict": "✕ in conflict",
    "staged": "staged",
    "unstaged": "not staged",
    "untracked": "untracked",
    "committed": "committed",
}
_ELSEWHERE = {False: "elsewhere", None: "not known where"}
_MAX_CALLS, _MAX_NAMED = 6, 3
_DIFFERS = re.compile(r"^diff --git ", re.MULTILINE)
_CONFLICT = re.compile(r"^diff --(?:cc|combined) (.*)$", re.MULTILINE)
_NEW = re.compile(r"^new file (.*)$", re.MULTILINE)
_BREAKS = re.compile("[\x85\u2028\u2029]")
_SIGNS = {sign: f"⟨U+{ord(sign):04X}⟩" for sign in "\x85\u2028\u2029"}


def changes(seen: Changes) -> EvidenceView:
    """A row a file and place; the difference below, that of each place under its mark."""
    order = list(_WHERE)
    files = sorted(seen.changed, key=lambda each: order.index(each.where))
    notes = [] if files else ["nothing differs"]
    if seen.left_out:
        many = _count(seen.left_out, "file")
        notes.append(f"{many} left out: the notebook itself, checkpoints, exports, .wfnb")
    notes += [f"{short}  {subject}" for short, subject in seen.commits]
    if seen.count > len(seen.commits):
        notes.append(f"and {seen.count - len(seen.commits):,} more")
    return EvidenceView(
        title=" · ".join(_repository(seen)),
        heads=("file", "where", "how", "lines"),
        rows=[
            (each.path, _WHERE[each.where], _describe_change(each), _lines(each)) for each in files
        ],
        data=asdict(seen) | {"patch": cut(seen.patch)},
        notes=notes,
        body=seen.patch,
        size=seen.size,
    )


def shown_files(seen: Changes, sight: EvidenceView, where: str) -> list[str]:
    """The files whose difference at that place is in what is shown, in git's order."""
    # Git tells what is in conflict among what is not staged.
    mark = {"committed": "", "conflict": _WHERE["unstaged"]}.get(where, _WHERE[where])
    text = next((text for name, text in marked_parts(sight.body) if name == mark), "")
    files = [each.path for each in seen.changed if each.where == where]
    if where == "untracked":
        names = set(_NEW.findall(text))
        # Names stand there as `untracked.text` writes them, on one line.
        return [path for path in files if path.replace("\n", "\\n") in names]
    if where == "conflict":
        names = set(_CONFLICT.findall(text))
        return [path for path in files if path in names]
    # Counted, not read: git quotes and renames in these lines, but keeps the order of the files.
    return files[: len(_DIFFERS.findall(text))]


def outline(seen: Outline) -> EvidenceView:
    """A row a definition, in the order of lines."""
    said = "documented" if seen.documented else "not documented"
    return EvidenceView(
        title=f"{seen.path} · {_count(seen.lines, 'line')} · {said}",
        heads=("name", "what", "lines", "documented", "calls"),
        rows=[
            (
                each.name,
                each.kind,
                f"{each.line}–{each.end}",
                "yes" if each.documented else "no",
                _list_calls(each.calls),
            )
            for each in seen.definitions
        ],
        data=asdict(seen),
        notes=[seen.error] if seen.error else [] if seen.definitions else ["it defines nothing"],
    )


def outlines(seen: Sequence[Outline], left: int = 0, cuts: Sequence[str] = ()) -> EvidenceView:
    """Several files in one table; `left` are not in it."""
    if len(seen) == 1 and not left:
        return outline(seen[0])
    parts = [(each, outline(each)) for each in seen]
    count = len(seen) + left
    several = f"{len(seen)} of {count:,} files" if left else _count(count, "file")
    named = ", ".join(each.path for each in seen)
    ways = [f"{_count(left, 'file')} left out: name a file, or a folder in there"] if left else []
    return EvidenceView(
        title=several if left or len(seen) > _MAX_NAMED else named,
        heads=("file", *parts[0][1].heads) if parts else (),
        rows=[(each.path, *row) for each, part in parts for row in part.rows],
        data={"files": [part.to_dict() for _, part in parts]},
        notes=[
            *ways,
            *cuts,
            *(f"{each.path}: {note}" for each, part in parts for note in part.notes),
        ],
    )


def undocumented_view(seen: UndocumentedFiles) -> EvidenceView:
    """A row a file in which something is missing."""
    missing = sum(count for _, count in seen.files)
    notes = [seen.cut] if seen.cut else []
    notes += [f"{path} does not parse" for path in seen.broken[:MAX_ROWS]]
    return EvidenceView(
        title=(
            f"{_count(len(seen.files), 'file')} of {seen.read:,} in {seen.folder} with something "
            f"undocumented, {missing:,} in all"
        ),
        heads=("file", "undocumented"),
        rows=[(path, f"{count:,}") for path, count in seen.files],
        data=asdict(seen) | {"files": dict(seen.files)},
        notes=notes,
    )


def calls(seen: CallPath) -> EvidenceView:
    """A diagram, and a row a call."""
    notes = [f"also defined at {', '.join(seen.also)}"] if seen.also else []
    notes += [] if seen.calls else ["it calls nothing that is known, and nothing calls it"]
    return EvidenceView(
        title=f"{seen.target} · {seen.path}:{seen.line}",
        heads=("who", "calls", "at"),
        rows=[(call.caller, call.callee, f"{call.path}:{call.line}") for call in seen.calls],
        data=asdict(seen),
        notes=[*notes, *([seen.cut] if seen.cut else [])],
        picture=Picture(call_graph(seen)),
    )


def call_graph(seen: CallPath) -> Graph:
    """A node a function, an arrow from who calls to what is called."""
    outside = {call.callee: _ELSEWHERE[call.inside] for call in seen.calls if not call.inside}
    names = dict.fromkeys([seen.target, *(name for call in seen.calls for name in _ends(call))])
    return Graph(
        name="calls",
        title=f"calls of {seen.target}",
        nodes=tuple(
            Node(
                id=name,
                title=name,
                state="current" if name == seen.target else "not yet",
                note=outside.get(name, ""),
                shape="end" if name in outside else "stage",
                current=name == seen.target,
            )
            for name in names
        ),
        edges=tuple(
            Edge(tail=call.caller, head=call.callee, kind="transition") for call in seen.calls
        ),
        direction="LR",
        thing="function",
    )


def part(
    path: str, lines: Sequence[str], first: int, wanted: int, size: int, total: int
) -> EvidenceView:
    """The `wanted` lines from `first` on, of which `lines` were kept: as many as are shown. `size`
    is that of all that are wanted, in characters."""
    last = first + wanted - 1
    wide = len(f"{first + len(lines) - 1}")
    said = _count(total, "line") if wanted == total else f"lines {first}–{last} of {total:,}"
    rows = [f"{number:>{wide}}  {_single_line(line)}" for number, line in enumerate(lines, first)]
    body = cut("\n".join(rows[:MAX_LINES]))
    shown = body.count("\n") + 1 if body else 0
    notes = []
    if shown < wanted:
        end = first + shown - 1
        at = f"line {first} is" if shown == 1 else f"lines {first:,}–{end:,} are"
        onward = Command("look", path, f"{end + 1}-{min(last, end + MAX_LINES)}")
        notes.append(f"{at} shown; `{onward}` goes on")
    # One line may be longer than all that is shown: then the next line is no way on.
    if shown == 1 and (len(body) < len(rows[0]) or (wanted == 1 and size > len(lines[0]) + 1)):
        notes.append(f"{len(body) - wide - 2:,} characters of line {first} are shown")
    data = {"path": path, "first": first, "last": last, "lines": total, "shown": shown}
    return EvidenceView(title=f"{path} · {said}", data=data, notes=notes, body=body)


def _repository(seen: Changes) -> Iterator[str]:
    yield "this repository" if seen.top == "." else f"repository {seen.top}"
    if seen.part is not None:
        yield f"in {seen.part} alone"
    yield "no branch" if seen.branch is None else f"branch {seen.branch}"
    if seen.upstream is not None:
        ways = [f"{seen.ahead} ahead of"] * (seen.ahead > 0)
        ways += [f"{seen.behind} behind"] * (seen.behind > 0)
        yield f"{', '.join(ways) or 'even with'} {seen.upstream}"
    if seen.between is not None:
        yield f"{_count(seen.count, 'commit')} of {seen.between}"
    else:
        last = "last commit" if seen.newest else "commit"
        none = seen.commit is None
        yield "no commit yet" if none else f"{last} {seen.commit}: {seen.subject}"
    for where, words in _WHERE.items():
        count = sum(each.where == where for each in seen.changed)
        if count:
            yield f"{count:,} {words.removeprefix('✕ ')}"


def _describe_change(changed: ChangedFile) -> str:
    return f"{changed.how}, was {changed.was}" if changed.was is not None else changed.how


def _lines(changed: ChangedFile) -> str:
    if changed.added is None or changed.removed is None:
        return "binary" if changed.binary else ""
    return f"+{changed.added} −{changed.removed}"


def _list_calls(names: Sequence[str]) -> str:
    more = len(names) - _MAX_CALLS
    return ", ".join(names[:_MAX_CALLS]) + (f" and {more} more" if more > 0 else "")


def _ends(call: Call) -> tuple[str, str]:
    return call.caller, call.callee


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def _single_line(line: str) -> str:
    """A line of a file on one line, with its spaces."""
    # Other tools would break the line at these signs, and its number would be wrong from there on.
    return "".join(_SIGNS.get(sign, sign) for sign in line) if _BREAKS.search(line) else line
