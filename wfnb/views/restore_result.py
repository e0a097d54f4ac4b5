"""a step that kept values, what restoring does or did -> a sentence, and a row for each name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any

from wfnb.core.kept_values import KeptValue, KeptValues, Plan, PlanEntry
from wfnb.core.session import Session, Step
from wfnb.errors import listing
from wfnb.hints import Command
from wfnb.render.message import MIME
from wfnb.render.text import escape
from wfnb.render.text.css_fonts import FONT
from wfnb.render.text.tables import html_table, text_table

from .staleness import reason
from .step_words import outcome_of, refer, title_of

MAX_ROWS = 60
"""Rows; of names that stay, none."""
_WAYS = {
    "comes back": ("would come back", "back"),
    "replaces": ("would be replaced", "replaced"),
    "same": ("would stay the same", "unchanged"),
    "cannot": ("cannot come back", "not back"),
    "removed": ("would be removed", "removed"),
}
"""What happens to a name: before, and after."""


class Restoration:
    """`lost` are the names that did not come back, each with the reason; None: nothing was done
    yet. `also` are names that came with the others, because those need them; `there` are all names
    that are there now, `uses` what functions among the values look up. What did not come back may
    be made `again`, by steps that run again."""

    def __init__(
        self,
        step: Step,
        kept: KeptValues,
        plan: Plan,
        notes: list[str],
        lost: Mapping[str, str] | None = None,
        also: tuple[str, ...] = (),
        there: Set[str] | None = None,
        uses: Mapping[str, Set[str]] | None = None,
    ) -> None:
        self.step, self.kept = step, kept
        self.done = lost is not None
        # What is left as it is would fill the table and says nothing.
        self.names = [
            _with_failure(entry, lost or {}) for entry in plan.names if entry.way != "left"
        ]
        self.notes = [*notes, *_version_lines(plan), *_needs(kept, self.names, there)]
        self.notes += [] if self.done else _methods_run(self.names)
        self.notes += _parts(step, kept, self.names, there or frozenset(), uses or {})
        self.again: dict[str, str] = {}
        if also:
            self.notes.append(f"with them came what they need: {', '.join(also)}")

    @property
    def sentence(self) -> str:
        ways: list[str] = [entry.way for entry in self.names]
        counts = {way: ways.count(way) for way in _WAYS}
        word = 1 if self.done else 0
        parts = [f"step {place_of(self.step)}", title_of(self.step.current.description, 60)]
        parts += [f"{count} {_WAYS[way][word]}" for way, count in counts.items() if count]
        return " · ".join(parts if any(counts.values()) else [*parts, "nothing to restore"])

    @property
    def line(self) -> str:
        """The sentence with what it is not without: what does not come back and why, and the
        notes."""
        lost = [f"{each.name}: {each.why}" for each in self.names if each.way == "cannot"]
        more = [f"… {len(lost) - MAX_ROWS} more"] if len(lost) > MAX_ROWS else []
        return escape.line(" · ".join([self.sentence, *lost[:MAX_ROWS], *more, *self.notes]))

    def to_dict(self) -> dict[str, Any]:
        """The step, whether it was done, and of each name what happens to it."""
        facts = ("name", "way", "type", "says", "now", "why")
        names = [
            {fact: value for fact in facts if (value := getattr(entry, fact))}
            for entry in self.names
        ]
        place = {"step": self.step.number, "branch": self.step.branch}
        return {**place, "restored": self.done, "names": names, "notes": self.notes}

    @property
    def text(self) -> str:
        return "\n".join((escape.line(self.sentence), *self._table(text_table), *self._notes()))

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        notes = "".join(f"<div>! {escape.html(note)}</div>" for note in self.notes)
        html = (
            f'<div class="wfnb-restored" style="{FONT}">{escape.html(self.sentence)}'
            f"{''.join(self._table(html_table))}{notes}</div>"
        )
        return {MIME: self.to_dict(), "text/plain": self.text, "text/html": html}

    def _way(self, entry: PlanEntry) -> str:
        if entry.name in self.again:
            return f"made again by step {self.again[entry.name]}"
        return _WAYS[entry.way][1 if self.done else 0]

    def _notes(self) -> Iterator[str]:
        return (escape.line(f"! {note}") for note in self.notes)

    def _table(self, form: Any) -> Iterator[str]:
        rows = [
            (entry.name, self._way(entry), _what(entry), _overwritten_text(entry))
            for entry in self.names[:MAX_ROWS]
        ]
        if len(self.names) > MAX_ROWS:
            rows.append((f"… {len(self.names) - MAX_ROWS} more", "", "", ""))
        if rows:
            last = "was" if self.done else "is now"
            heads = ("name", "", "as it was kept", last)
            wide = any(row[3] for row in rows)
            yield form(heads if wide else heads[:3], rows if wide else [row[:3] for row in rows])


def place_of(step: Step) -> str:
    """`3`, or `alt:3` on another line than main."""
    return refer(step, "main")


def notes(session: Session, step: Step) -> list[str]:
    """Why what a step kept may not be what is wanted."""
    warnings = []
    place = place_of(step)
    if step.stale:
        warnings.append(f"step {place} is stale: {reason(session, step)}")
    if step.is_withdrawn:
        warnings.append(f"step {place} was withdrawn")
    if step.revised_by is not None:
        warnings.append(
            f"step {place} was revised by step {place_of(session.steps[step.revised_by])}"
        )
    line = session.lines[step.branch]
    later = (session.steps[line.keys[number]] for number in line.numbers if number > step.number)
    # Whoever asks for a step by its title may mean the later one.
    titled = [each for each in later if each.current.description == step.current.description]
    if titled:
        warnings.append(f"step {place_of(titled[-1])} has the same title, and comes later")
    older = kept_before(step)
    return [*warnings, older] if older else warnings


def kept_before(step: Step) -> str:
    """Why what a step kept is not of its last attempt; empty where it is."""
    place, versions, outcome = place_of(step), len(step.versions), outcome_of(step)
    if step.kept_in < versions:
        return f"kept by version {step.kept_in} of step {place}, which is now at {versions}"
    if outcome != "ok":
        words = {"failed": "failed", "interrupted": "was interrupted", "running": "still runs"}
        last = words.get(outcome, "ended in a way that is not known")
        return f"kept by an earlier attempt of step {place}: the last one {last}"
    if step.kept is not None and step.kept.failed:
        return f"kept by an earlier attempt of step {place}: the last one could keep nothing"
    if not step.keeps:
        return f"kept by an earlier attempt of step {place}: the last one was to keep nothing"
    return ""


def _with_failure(entry: PlanEntry, lost: Mapping[str, str]) -> PlanEntry:
    if entry.name not in lost:
        return entry
    return PlanEntry(
        name=entry.name,
        way="cannot",
        type=entry.type,
        says=entry.says,
        now=entry.now,
        why=lost[entry.name],
    )


def _what(entry: PlanEntry) -> str:
    if entry.way == "cannot":
        return entry.why or ""
    return " · ".join(part for part in (entry.type, entry.says) if part)


def _overwritten_text(entry: PlanEntry) -> str:
    """What is overwritten or goes."""
    return entry.now if entry.way in ("replaces", "removed") else ""


def _version_lines(plan: Plan) -> Iterator[str]:
    for one in plan.differs:
        now = f"{one.now} is here" if one.now else "it is not installed here"
        yield f"kept with {one.name} {one.then}; {now}"


def _needs(kept: KeptValues, names: list[PlanEntry], there: Set[str] | None) -> Iterator[str]:
    """What is used by a value that came back, and is not there; and what it came back without."""
    back = {entry.name: entry.way for entry in names if entry.way not in ("cannot", "removed")}
    for value in kept.values:
        if value.without and back.get(value.name, "same") != "same":
            yield without(value)
        # None: what is there is not known (a look from outside the kernel), so nothing is said to
        # lack.
        gone = [name for name in value.needs if there is not None and name not in there]
        if value.name in back and gone:
            yield f"{value.name} uses {', '.join(gone)}, which is not there"


def without(value: KeptValue) -> str:
    """What does not come back of a value that does."""
    return f"{value.name} comes back without {listing(value.without, '')}"


def _methods_run(names: list[PlanEntry]) -> Iterator[str]:
    """What restoring does beside: a class may count its objects, or print something."""
    for entry in names:
        if entry.runs:
            yield f"{entry.name}: to restore it may run {', '.join(entry.runs)} of its classes"


def _parts(
    step: Step,
    kept: KeptValues,
    names: list[PlanEntry],
    there: Set[str],
    uses: Mapping[str, Set[str]],
) -> Iterator[str]:
    """What a value that came back uses, was kept with it, and was not asked for."""
    for entry in names:
        used_names = uses.get(entry.name, frozenset())
        missing = [name for name in kept.names if name in used_names and name not in there]
        if missing and entry.way not in ("cannot", "removed"):
            way = Command("restore", place_of(step), entry.name, *missing)
            yield f"{entry.name} needs {listing(missing, '')}: `{way}`"
