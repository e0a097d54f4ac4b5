"""words, facts -> which steps they mean, and the line in which the words are. The one rule by which
steps are found: in the panel, in a search of all sessions, over MCP."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wfnb.core.session import Step

from .finding_lines import finding_lines
from .step_words import is_by, outcome_of, title_of

_TAG, _BY, _CODE = "tag:", "by:", "code:"
WIDTH, _BEFORE = 120, 40
"""Characters of a line that are shown; of those that stand before the word."""


class Words:
    """Words that all have to be there, in any case: in what a step says, what it found, or its
    tags. `tag:slow` is the tag itself, `by:helper` who recorded it, `code:merge` is in its code."""

    def __init__(self, text: str) -> None:
        self._all = text.casefold().split()
        self._said = [each for each in self._all if not each.startswith((_TAG, _BY, _CODE))]

    def __bool__(self) -> bool:
        return bool(self._all)

    @property
    def recorded(self) -> list[str]:
        """Words one of which is missing in all that a session recorded: no step of it is meant."""
        # Who recorded a step is also told where nobody is named: that is the notebook.
        words = (each for each in self._all if not each.startswith(_BY))
        bare = (each.removeprefix(_TAG).removeprefix(_CODE) for each in words)
        # `hypothesis:` and the comma in `files: a.py, b.py` are of the line that is shown.
        return [each.rstrip(":,") for each in bare]

    def mean(self, step: Step) -> bool:
        """Whether all of them are there."""
        lines = "\n".join(_lines(step)).casefold()
        tags = [tag.casefold() for tag in step.tags]
        return all(_holds(word, step, lines, tags) for word in self._all)

    def mean_text(self, text: str) -> bool:
        """The same of what has no author, tags or code."""
        folded = text.casefold()
        return all(word in folded for word in self._all)

    def line(self, step: Step) -> str:
        """The first line below the title that has one of the words, or what is around the word in
        a long one; "" where the title has one, or none has."""
        title, *rest = _lines(step)
        if self._place(title) is not None:
            return ""
        placed = ((line, self._place(line)) for line in rest)
        return next((around(line, place) for line, place in placed if place is not None), "")

    def _place(self, line: str) -> int | None:
        """Where in the line the first of the words is."""
        folded = line.casefold()
        return min((at for word in self._said if (at := folded.find(word)) >= 0), default=None)


def around(line: str, place: int) -> str:
    """A line without its Markdown marks; of a long one what is around a place.

    >>> around("- the **ridge** is better", 8)
    '- the ridge is better'
    >>> len(around("a" * 500 + " ridge " + "b" * 500, 501))
    121
    """
    begin = max(0, place - _BEFORE) if len(line) > WIDTH else 0
    return f"{'…' if begin else ''}{title_of(line[begin:])}"


class StepFilter:
    """Whether a step is one of those asked for by `branch`, `stage`, `outcome` and `text`, each
    where it is given."""

    def __init__(self, conditions: Mapping[str, Any]) -> None:
        self.says = {name: value for name, value in conditions.items() if value}
        self._words = Words(self.says.get("text", ""))

    def __call__(self, step: Step) -> bool:
        says = self.says
        if "branch" in says and step.branch != says["branch"]:
            return False
        if "stage" in says and step.current.stage != says["stage"]:
            return False
        if "outcome" in says and not _has_outcome(step, says["outcome"]):
            return False
        # Texts are folded for those alone that nothing else has ruled out.
        return not self._words or self._words.mean(step)


def _lines(step: Step) -> Iterator[str]:
    yield from step.current.description.strip().split("\n")
    yield from finding_lines(step.current.findings)


def _holds(word: str, step: Step, lines: str, tags: Sequence[str]) -> bool:
    now = step.current
    if word.startswith(_TAG):
        return word.removeprefix(_TAG) in tags
    if word.startswith(_BY):
        return is_by(now.by, word.removeprefix(_BY))
    if word.startswith(_CODE):
        return now.cell is not None and word.removeprefix(_CODE) in now.cell.source.casefold()
    return word in lines or any(word in tag for tag in tags)


def _has_outcome(step: Step, outcome: str) -> bool:
    return step.stale if outcome == "stale" else outcome_of(step) == outcome
