"""session, two lines -> their steps side by side, and how the code of each pair differs.

A step of one line belongs to that of the other which revises the same step, or is revised by it;
else to the one of the same title; else to the one at the same place after the lines part. What
both lines have in common is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any, TypeAlias

from wfnb.core.moved_cells import own_code
from wfnb.core.queries import lineage, step_at
from wfnb.core.run_all_order import place_on
from wfnb.core.session import Line, Session, Step
from wfnb.core.validation import MAX_SOURCE, place_text
from wfnb.frozen_record import record
from wfnb.render.message import MIME
from wfnb.render.text import escape
from wfnb.render.text.css_fonts import CODE, FONT
from wfnb.render.text.line_diff import line_diff

from .step_words import title_of

Pair: TypeAlias = tuple[Step | None, Step | None]
_COLOURS = {"-": "rgba(200,60,50,.16)", "+": "rgba(50,150,70,.16)"}


@record
class StepPair:
    """Two steps that belong together; None: the line has none. `diff` has their code's lines, each
    after `-` (of the first line), `+` or a space; "": their code is the same, or not known."""

    before: Step | None
    after: Step | None
    diff: str

    @property
    def places(self) -> str:
        """`3 → alt:3`"""
        return " → ".join("–" if step is None else _place(step) for step in self._both)

    @property
    def title(self) -> str:
        titles = [title_of(each.current.description, 80) for each in self._both if each]
        return " → ".join(dict.fromkeys(titles))

    @property
    def says(self) -> str:
        """How they stand to each other, where no line differs; else ""."""
        if self.before is None or self.after is None:
            return f"only on {(self.after or self.before).branch}"  # type: ignore[union-attr]
        if _code(self.before) is None or _code(self.after) is None:
            return "no code is known"
        return "" if self.diff else "the same code"

    @property
    def _both(self) -> tuple[Step | None, Step | None]:
        return self.before, self.after


@record
class CodeComparison:
    """The code of two lines, step by step, after what they have in common."""

    lines: tuple[str, str]
    pairs: tuple[StepPair, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "lines": list(self.lines),
            "steps": [
                {"steps": pair.places, "title": pair.title, "says": pair.says, "diff": pair.diff}
                for pair in self.pairs
            ],
        }

    @property
    def sentence(self) -> str:
        one, other = self.lines
        if not self.pairs:
            return f"{one} and {other} have the same steps"
        count = sum(bool(pair.diff) for pair in self.pairs)
        if not count:
            return f"{one} and {other}: no step that both have is known to differ in its code"
        return f"{one} and {other}: the code of {count} step{'s' * (count != 1)} differs"

    @property
    def text(self) -> str:
        return "\n".join(self._lines(escape.line, _indented))

    @property
    def markdown(self) -> str:
        return "\n\n".join(self._lines(escape.markdown, _fenced))

    @property
    def html(self) -> str:
        paragraphs = "".join(self._lines(_paragraph, _coloured))
        return f'<div class="wfnb-said" style="{FONT}">{paragraphs}</div>'

    def _lines(self, words: Callable[[str], str], code: Callable[[str], str]) -> Iterator[str]:
        yield words(self.sentence)
        for pair in self.pairs:
            yield words(" · ".join(filter(None, (pair.places, pair.title, pair.says))))
            if pair.diff:
                yield code(pair.diff)

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {MIME: {"code": self.to_dict()}, "text/plain": self.text, "text/html": self.html}


def compare_code(session: Session, one: Line, other: Line) -> CodeComparison:
    """Of a step that was revised on its line, the revision has its place. Steps that do not count
    any more, or are hidden, have none."""
    first, second = (_steps_by_root(session, line) for line in (one, other))
    pairs: list[Pair] = [
        (step, second[root])
        for root, step in first.items()
        if root in second and second[root] is not step
    ]
    left = [step for root, step in first.items() if root not in second]
    right = [step for root, step in second.items() if root not in first]
    pairs += _pairs_by_title(left, right)
    pairs += zip_longest(left, right)
    pairs.sort(key=lambda pair: next(step.number for step in pair if step))
    return CodeComparison(
        lines=(one.id, other.id),
        pairs=tuple(StepPair(before=a, after=b, diff=_difference(a, b)) for a, b in pairs),
    )


def _steps_by_root(session: Session, line: Line) -> dict[int, Step]:
    """Key of the step that was revised first -> the last revision of it that the line has."""
    # A revision on a line that it grew out of is its own, too, also where it has a later number.
    parts = {part.id for part, _ in lineage(session, line)}
    counting = (step for step in session.steps.values() if step.is_counting)
    places = [(place_on(session, line.id, each), each) for each in counting if each.branch in parts]
    passed = sorted((place, step.key) for place, step in places if place is not None)
    steps = [session.steps[key] for _, key in passed]
    return {_root(session, step): step for step in steps}


def _pairs_by_title(left: list[Step], right: list[Step]) -> Iterator[Pair]:
    """Steps of the same title, in order; they are taken out of both lists."""
    for step in list(left):
        partner = next((each for each in right if _title(each) == _title(step)), None)
        if partner is not None:
            left.remove(step)
            right.remove(partner)
            yield step, partner


def _title(step: Step) -> str:
    return title_of(step.current.description).casefold()


def _root(session: Session, step: Step) -> int:
    """The key of the step that it revises, or of the one that this revises, and so on."""
    # A revision names an earlier number: the way back has an end.
    while step.current.revises is not None:
        revised = step_at(session, session.lines[step.branch], step.current.revises)
        if revised is None or revised.key == step.key:
            break
        step = revised
    return step.key


def _difference(before: Step | None, after: Step | None) -> str:
    if before is None or after is None:
        return ""
    one, other = _code(before), _code(after)
    return "" if one is None or other is None else line_diff(one, other)


def _code(step: Step) -> str | None:
    cell = step.current.cell
    # A longer one was cut when it was recorded: what differs may be in the part that is gone.
    is_whole = cell is not None and 0 < len(cell.source) <= MAX_SOURCE
    return own_code(cell) if cell is not None and is_whole else None


def _place(step: Step) -> str:
    return place_text(step.branch, step.number)


def _indented(diff: str) -> str:
    return "\n".join(f"    {escape.printable(line)}".rstrip() for line in diff.splitlines())


def _fenced(diff: str) -> str:
    fence = escape.fence(diff)
    return f"{fence}diff\n{escape.printable(diff)}\n{fence}"


def _paragraph(text: str) -> str:
    return f'<div style="margin-top:4px">{escape.html(text)}</div>'


def _coloured(diff: str) -> str:
    style = f"{CODE};font-size:12px;line-height:1.4;margin:0 0 4px;overflow:auto;white-space:pre"
    return f'<pre style="{style}">{"".join(map(_line, diff.splitlines()))}</pre>'


def _line(line: str) -> str:
    colour = _COLOURS.get(line[:1])
    look = f' style="background:{colour}"' if colour else ' style="opacity:.72"'
    return f"<span{look}>{escape.html(line)}\n</span>"
