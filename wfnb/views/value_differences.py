"""two steps that kept values -> what is shown of how these differ: a few lines for each name.

`wfnb/values/difference.py` compares the values themselves, and its lines come here; this is what a
person sees of all names, as text and HTML.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Any

from wfnb.core.kept_values import KeptValue
from wfnb.core.session import Step
from wfnb.errors import listing
from wfnb.frozen_record import record
from wfnb.render.message import MIME
from wfnb.render.text import escape
from wfnb.render.text.css_fonts import FONT
from wfnb.render.text.tables import html_table, text_table

from .restore_result import kept_before, place_of
from .step_words import title_of


@record
class ValueDifference:
    """A name, and what differs of its values: nothing where they are the same. `pictures` are those
    of two figures, as PNG. `unclear`: no difference was found, and yet they were not written as
    the same, or what they hold was not written at all."""

    name: str
    lines: tuple[str, ...]
    pictures: tuple[bytes, ...] = ()
    unclear: bool = False

    @classmethod
    def from_kept(cls, name: str, old: KeptValue | None, new: KeptValue | None) -> ValueDifference:
        """Without reading a value: it is the same, or one of the steps has none."""
        lines = []
        for word, value, other in (("new", new, old), ("gone", old, new)):
            if value is not None and value.group is not None and not _is_kept(other):
                why = f" ({other.why_not})" if other is not None and other.why_not else ""
                summary = " · ".join(part for part in (value.type, value.says) if part)
                lines.append(f"{word}{why}: {summary}")
        return cls(name=name, lines=tuple(lines), unclear=not lines and not (old and old.is_held))


def _is_kept(value: KeptValue | None) -> bool:
    return value is not None and value.group is not None


class Differences:
    """What the verb `diff` shows of two steps."""

    def __init__(self, before: Step, after: Step, values: tuple[ValueDifference, ...]) -> None:
        self.before, self.after = before, after
        self.values = tuple(value for value in values if value.lines)
        alike = [value for value in values if not value.lines]
        self.same = tuple(value.name for value in alike if not value.unclear)
        self.unclear = tuple(value.name for value in alike if value.unclear)
        # What an earlier attempt kept is not what the step came to last.
        self.notes = tuple(filter(None, dict.fromkeys(map(kept_before, (before, after)))))

    @property
    def sentence(self) -> str:
        steps = " → ".join(
            f"step {place_of(step)}, {title_of(step.current.description, 50)}"
            for step in (self.before, self.after)
        )
        count = len(self.values)
        count_text = f"{count} value{'s' * (count != 1)} differ{'s' * (count == 1)}"
        none = "no difference was found" if self.unclear else "no kept value differs"
        return f"{steps} · {count_text if count else none}"

    def to_dict(self) -> dict[str, Any]:
        """The two steps, what differs by name, the names of what is the same, and of what may be:
        no difference was found, and it cannot be told why it was written otherwise. `notes` say of
        which attempt what was kept is, where it is not of the last one."""
        return {
            "before": place_of(self.before),
            "after": place_of(self.after),
            "values": {value.name: list(value.lines) for value in self.values},
            "same": list(self.same),
            **({"unclear": list(self.unclear)} if self.unclear else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    @property
    def text(self) -> str:
        parts = [escape.line(self.sentence)]
        if self.values:
            parts.append(text_table(("name", "what differs"), self._rows()))
        return "\n".join([*parts, *(escape.line(line) for line in self._others())])

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {MIME: self.to_dict(), "text/plain": self.text, "text/html": "".join(self._html())}

    def _rows(self) -> list[tuple[str, str]]:
        return [
            (name if not at else "", line)
            for name, value in self._named_groups()
            for at, line in enumerate(value.lines)
        ]

    def _named_groups(self) -> Iterator[tuple[str, ValueDifference]]:
        """Names of one picture together: a figure and its axes."""
        drawn: dict[object, list[ValueDifference]] = {}
        for value in self.values:
            # The name as the key keeps all others apart.
            key = (value.pictures, value.lines) if value.pictures else value.name
            drawn.setdefault(key, []).append(value)
        return ((", ".join(one.name for one in same), same[0]) for same in drawn.values())

    def _others(self) -> Iterator[str]:
        if self.same:
            yield f"the same: {listing(self.same, '')}"
        if self.unclear:
            yield f"no difference found, though they may differ: {listing(self.unclear, '')}"
        yield from (f"! {note}" for note in self.notes)

    def _html(self) -> Iterator[str]:
        yield f'<div class="wfnb-differences" style="{FONT}">{escape.html(self.sentence)}'
        if self.values:
            yield html_table(("name", "what differs"), self._rows())
        for name, value in self._named_groups():
            # There may be none, or one where only one of both could be drawn.
            for step, picture in zip((self.before, self.after), value.pictures, strict=False):
                caption = escape.attribute(f"{name} at step {place_of(step)}")
                data = b64encode(picture).decode("ascii")
                yield f'<img alt="{caption}" title="{caption}" style="max-width:48%" '
                yield f'src="data:image/png;base64,{data}">'
        yield from (f"<div>{escape.html(line)}</div>" for line in self._others())
        yield "</div>"
