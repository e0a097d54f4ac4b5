"""session, step -> all that is known of the step: what it says, what it ran, how it ended, and the
same of every version before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wfnb.core.events import Outcome, Version
from wfnb.core.session import Session, Step
from wfnb.errors import spoken
from wfnb.render.message import MIME
from wfnb.render.text import escape
from wfnb.render.text.css_fonts import CODE, SPACED
from wfnb.render.text.safe_markdown import html as markup

from .finding_lines import finding_lines
from .kept_value_words import kept_lines, kept_notes
from .staleness import reason
from .step_words import (
    author_text,
    body_of,
    notes,
    outcome_of,
    short,
    sign,
    signs,
    states_of,
    title_of,
)


class Card:
    """One step in full, shown as text and HTML; the newest version first."""

    def __init__(self, session: Session, step: Step) -> None:
        self.about = summary_line(session, step)
        self.title = title_of(step.current.description)
        self.number = step.number
        self.versions = list(version_data(step))
        self.kept = list(kept_lines(step))

    def to_dict(self) -> dict[str, Any]:
        """The step's number, its state in words, its versions, newest first, and what it kept."""
        more = {"kept": self.kept} if self.kept else {}
        return {"step_number": self.number, "says": self.about, "versions": self.versions, **more}

    @property
    def text(self) -> str:
        return escape.printable("\n".join(self._text()))

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {MIME: self.to_dict(), "text/plain": self.text, "text/html": "".join(self._html())}

    def _text(self) -> Iterator[str]:
        yield f"{self.number}  {self.title}"
        yield self.about
        yield from (f"  {line}" for line in self.kept)
        for version in self.versions:
            yield f"\nversion {version['version']}: {version['says']}"
            yield from (f"  earlier: {words}" for words in version["earlier"])
            yield from (f"  {words}" for words in version.get("found", ()))
            yield from (part for part in (body_of(version["description"]),) if part)
            if version["source"]:
                yield "\n".join(f"    {line}" for line in version["source"].splitlines())

    def _html(self) -> Iterator[str]:
        yield f'<div class="wfnb-card" style="{SPACED}"><b>{self.number}. '
        yield f'{escape.html(self.title)}</b> <span style="opacity:.72">'
        yield f"{escape.html(self.about)}</span>"
        yield from (f"<div>{escape.html(line)}</div>" for line in self.kept)
        for index, version in enumerate(self.versions):
            yield version_html(version, open_=index == 0)
        yield "</div>"


def summary_line(session: Session, step: Step) -> str:
    """Everything that is known of a step in one line; a stale one says how it had ended."""
    shown = states_of(step)
    parts = [signs(shown)]
    # A stale or withdrawn step hides how it ended among its states: a card has room to say it.
    if outcome_of(step) not in shown:
        parts.append(sign(outcome_of(step)))
    if step.stale:
        parts.append(reason(session, step))
    parts += notes(session, step)
    if step.current.stage:
        parts.append(spoken(step.current.stage))
    parts += [f"{name}: {short(value)}" for name, value in step.current.fields.items()]
    parts += [f"#{tag}" for tag in step.tags]
    parts += ["hidden"] if step.hidden else []
    parts += [f"by {author_text(step.current.by)}"] if step.current.by else []
    values = step.ended.values if step.ended else {}
    parts += [f"{name} = {short(value)}" for name, value in values.items()]
    return " · ".join([*parts, *kept_notes(step)])


def version_data(step: Step) -> Iterator[dict[str, Any]]:
    """The versions of a step, newest first, each with how it ended, and ended before."""
    # `past` has the attempts before the last; the last is of the newest version.
    ended = [*step.past, *([(len(step.versions), step.outcome)] if step.outcome else [])]
    for number in range(len(step.versions), 0, -1):
        endings = [ending(outcome) for version, outcome in reversed(ended) if version == number]
        if number == len(step.versions) and step.running is not None:
            endings.insert(0, sign("running"))
        yield _version(number, step.versions[number - 1], endings or ["no outcome"])


def ending(outcome: Outcome) -> str:
    """How an attempt ended, in a line."""
    parts = [sign(outcome.status)]
    parts += [f"{name} = {short(value)}" for name, value in outcome.values.items()]
    parts += [part for part in (outcome.result, outcome.error) if part]
    return " · ".join(parts)


def version_html(version: Mapping[str, Any], open_: bool = False) -> str:
    """A version that opens into its words and its code."""
    source = version["source"]
    code = f'<pre style="{CODE}">{escape.html(source)}</pre>' if source else ""
    head = escape.html(f"version {version['version']}: {version['says']}")
    lines = [*(f"earlier: {words}" for words in version["earlier"]), *version.get("found", ())]
    earlier = "".join(f"<div>{escape.html(words)}</div>" for words in lines)
    return (
        f"<details{' open' if open_ else ''}><summary>{head}</summary>{earlier}"
        f"{markup(body_of(version['description']))}{code}</details>"
    )


def _version(number: int, version: Version, endings: list[str]) -> dict[str, Any]:
    findings = list(finding_lines(version.findings))
    return {
        "version": number,
        "says": f"{title_of(version.description)} · {endings[0]}",
        "earlier": endings[1:],
        "description": version.description,
        "source": version.cell.source if version.cell else None,
        **({"found": findings} if findings else {}),
    }
