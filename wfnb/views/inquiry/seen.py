"""what was looked at -> a table, a text or a diagram of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from wfnb.core.seen import Call, CallPath, Changed, Changes, Outline, Undocumented
from wfnb.views.drawing.graph import Edge, Graph, Node
from wfnb.views.pictures import Picture, drawn_html
from wfnb.views.said import Said
from wfnb.views.text import escape
from wfnb.views.text.tables import html_table, markdown_table, text_table
from wfnb.views.words import MIME

MOST_ROWS, MOST_LINES, MOST_LETTERS = 200, 1_000, 60_000
"""Of a table, and of a text."""
_WHERE = {
    "conflict": "✕ in conflict",
    "staged": "staged",
    "unstaged": "not staged",
    "untracked": "untracked",
    "committed": "committed",
}
_ELSEWHERE = {False: "elsewhere", None: "not known where"}
_MOST_CALLS = 6


class Seen:
    """Something that was looked at: a line that says it, a table, and what else there is to say;
    where there is one, a `body` of text (a difference, a file) or a `picture`. What is too long is
    cut, and its true size noted."""

    def __init__(
        self,
        title: str,
        heads: Sequence[str] = (),
        rows: Sequence[Sequence[str]] = (),
        data: Mapping[str, Any] = MappingProxyType({}),
        notes: Sequence[str] = (),
        body: str = "",
        size: int = 0,
        picture: Picture | None = None,
    ) -> None:
        self.title, self.heads, self.data, self.picture = title, heads, data, picture
        self.rows = rows[:MOST_ROWS]
        more = len(rows) - len(self.rows)
        self.notes = [*([f"and {more:,} more"] if more else []), *notes]
        self.body = _cut(body)
        if len(self.body) < max(size, len(body)):
            all_of_it = max(size, len(body))
            self.notes.append(f"{len(self.body):,} of {all_of_it:,} characters are shown")

    @property
    def text(self) -> str:
        return "\n".join(self._text())

    def _text(self) -> Iterator[str]:
        yield escape.line(self.title)
        if self.picture is not None:
            yield self.picture.text
        elif self.rows:
            yield text_table(self.heads, self.rows)
        yield from map(escape.line, self.notes)
        if self.body:
            yield escape.printable(self.body)

    @property
    def html(self) -> str:
        return "".join(self._html())

    def _html(self) -> Iterator[str]:
        yield _said(self.title)
        table = html_table(self.heads, self.rows) if self.rows else ""
        if self.picture is not None:
            yield drawn_html(self.picture.svg, self.picture.text, table)
        else:
            yield table
        yield from map(_said, self.notes)
        if self.body:
            shown = f'<pre style="margin:0;overflow:auto">{escape.html(self.body)}</pre>'
            folded = '<details><summary style="cursor:pointer">the difference</summary>'
            yield f"{folded}{shown}</details>" if self.rows else shown

    @property
    def markdown(self) -> str:
        return "\n\n".join(self._markdown())

    def _markdown(self) -> Iterator[str]:
        yield escape.markdown(self.title)
        if self.rows:
            yield markdown_table(self.heads, self.rows)
        yield from map(escape.markdown, self.notes)
        if self.body:
            fence = escape.fence(self.body)
            yield f"{fence}\n{escape.printable(self.body)}\n{fence}"

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON data; texts are cut as they are shown."""
        return dict(self.data)

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        svg = {} if self.picture is None else {"image/svg+xml": self.picture.svg}
        shown = {"text/plain": self.text, "text/html": self.html}
        return {MIME: {"seen": self.to_dict()}, **svg, **shown}


class SeenTogether(Seen):
    """Several things, one after the other."""

    def __init__(self, parts: Sequence[Seen]) -> None:
        super().__init__(", ".join(part.title for part in parts))
        self.parts = parts

    def _text(self) -> Iterator[str]:
        for part in self.parts:
            yield part.text

    def _html(self) -> Iterator[str]:
        for part in self.parts:
            yield part.html

    def _markdown(self) -> Iterator[str]:
        for part in self.parts:
            yield part.markdown

    def to_dict(self) -> dict[str, Any]:
        return {"parts": [part.to_dict() for part in self.parts]}


def changes(seen: Changes) -> Seen:
    """A row a file and place; the difference below."""
    order = list(_WHERE)
    files = sorted(seen.changed, key=lambda each: order.index(each.where))
    return Seen(
        title=" · ".join(_repository(seen)),
        heads=("file", "where", "how", "lines"),
        rows=[(each.path, _WHERE[each.where], _how(each), _lines(each)) for each in files],
        data=asdict(seen) | {"patch": _cut(seen.patch)},
        notes=() if files else ("nothing differs",),
        body=seen.patch,
        size=seen.size,
    )


def outline(seen: Outline) -> Seen:
    """A row a definition, in the order of lines."""
    said = "documented" if seen.documented else "not documented"
    return Seen(
        title=f"{seen.path} · {_count(seen.lines, 'line')} · {said}",
        heads=("name", "what", "lines", "documented", "calls"),
        rows=[
            (
                each.name,
                each.kind,
                f"{each.line}–{each.end}",
                "yes" if each.documented else "no",
                _listed(each.calls),
            )
            for each in seen.definitions
        ],
        data=asdict(seen),
        notes=[seen.error] if seen.error else [] if seen.definitions else ["it defines nothing"],
    )


def outlines(seen: Sequence[Outline]) -> Seen:
    """Several files in one table."""
    if len(seen) == 1:
        return outline(seen[0])
    parts = [(each, outline(each)) for each in seen]
    return Seen(
        title=", ".join(each.path for each in seen),
        heads=("file", *parts[0][1].heads) if parts else (),
        rows=[(each.path, *row) for each, part in parts for row in part.rows],
        data={"files": [part.to_dict() for _, part in parts]},
        notes=[f"{each.path}: {note}" for each, part in parts for note in part.notes],
    )


def undocumented(seen: Undocumented) -> Seen:
    """A row a file in which something is missing."""
    missing = sum(count for _, count in seen.files)
    notes = [seen.cut] if seen.cut else []
    notes += [f"{path} does not parse" for path in seen.broken[:MOST_ROWS]]
    return Seen(
        title=(
            f"{_count(len(seen.files), 'file')} of {seen.read:,} in {seen.folder} with something "
            f"undocumented, {missing:,} in all"
        ),
        heads=("file", "undocumented"),
        rows=[(path, f"{count:,}") for path, count in seen.files],
        data=asdict(seen) | {"files": dict(seen.files)},
        notes=notes,
    )


def calls(seen: CallPath) -> Seen:
    """A diagram, and a row a call."""
    notes = [f"also defined at {', '.join(seen.also)}"] if seen.also else []
    notes += [] if seen.calls else ["it calls nothing that is known, and nothing calls it"]
    return Seen(
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


def file(path: str, lines: Sequence[str], first: int = 1, total: int | None = None) -> Seen:
    """Lines of a file with their numbers."""
    last = first + len(lines) - 1
    count = len(lines) if total is None else total
    wide = len(f"{last}")
    part = _count(count, "line") if len(lines) == count else f"lines {first}–{last} of {count:,}"
    text = "\n".join(f"{number:>{wide}}  {line}" for number, line in enumerate(lines, first))
    data = {"path": path, "first": first, "last": last, "lines": count}
    return Seen(title=f"{path} · {part}", data=data, body=text)


def _repository(seen: Changes) -> Iterator[str]:
    yield "this repository" if seen.top == "." else f"repository {seen.top}"
    yield "no branch" if seen.branch is None else f"branch {seen.branch}"
    if seen.upstream is not None:
        ways = [f"{seen.ahead} ahead of"] * (seen.ahead > 0)
        ways += [f"{seen.behind} behind"] * (seen.behind > 0)
        yield f"{', '.join(ways) or 'even with'} {seen.upstream}"
    yield "no commit yet" if seen.commit is None else f"last commit {seen.commit}: {seen.subject}"
    for where, words in _WHERE.items():
        count = sum(each.where == where for each in seen.changed)
        if count:
            yield f"{count:,} {words.removeprefix('✕ ')}"


def _how(changed: Changed) -> str:
    return f"{changed.how}, was {changed.was}" if changed.was is not None else changed.how


def _lines(changed: Changed) -> str:
    if changed.added is None or changed.removed is None:
        return ""
    return f"+{changed.added} −{changed.removed}"


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_CALLS
    return ", ".join(names[:_MOST_CALLS]) + (f" and {more} more" if more > 0 else "")


def _ends(call: Call) -> tuple[str, str]:
    return call.caller, call.callee


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def _said(text: str) -> str:
    html: str = Said(text, None)._repr_mimebundle_()["text/html"]
    return html


def _cut(text: str) -> str:
    """As many whole lines as are shown."""
    if len(text) <= MOST_LETTERS and text.count("\n") <= MOST_LINES:
        return text
    lines = text[:MOST_LETTERS].split("\n")
    whole = lines[:-1] if len(text) > MOST_LETTERS and len(lines) > 1 else lines
    return "\n".join(whole[:MOST_LINES])
