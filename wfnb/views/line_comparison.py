"""session, lines -> the lines side by side: one column a line, one row a fact."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import suppress
from fractions import Fraction
from typing import Any

from wfnb.core.kept_values import KeptValue
from wfnb.core.queries import visible_on
from wfnb.core.session import Line, Session, Step
from wfnb.errors import BadValue, listing
from wfnb.frozen_record import record
from wfnb.render.message import MIME
from wfnb.render.text.tables import Places, Rows, html_table, markdown_table, text_table

from .kept_value_words import now_kept
from .step_words import fate, outcome_of, short, sign, title_of


@record
class Row:
    """One fact of every line: `cells` are raw values; `best` are the columns with the best."""

    name: str
    cells: tuple[Any, ...]
    best: tuple[int, ...] = ()
    timed: bool = False

    @property
    def shown(self) -> tuple[str, ...]:
        """The cells in few characters: numbers with all their digits where fewer would make two of
        them look alike."""
        texts = [short(value, 200) for value in self.cells]
        numbers = {value for value in self.cells if isinstance(value, float)}
        alike = len({short(value) for value in numbers}) < len(numbers)
        return tuple(
            repr(value) if alike and isinstance(value, float) else text
            for value, text in zip(self.cells, texts, strict=True)
        )


@record
class Comparison:
    """`lines` are the columns. Rows that hold times are left out of what a notebook stores."""

    lines: tuple[str, ...]
    rows: tuple[Row, ...]

    def to_dict(self, times: bool = True) -> dict[str, Any]:
        """Row name -> line -> value, as JSON data."""
        return {
            row.name: dict(zip(self.lines, row.cells, strict=True))
            for row in self.rows
            if times or not row.timed
        }

    @property
    def text(self) -> str:
        return text_table(*self._table_parts(times=True))

    @property
    def markdown(self) -> str:
        return markdown_table(*self._table_parts(times=False))

    @property
    def html(self) -> str:
        return html_table(*self._table_parts(times=False))

    def __repr__(self) -> str:
        return self.text

    def _table_parts(self, times: bool) -> tuple[tuple[str, ...], Rows, Places]:
        """The heads and rows of a table, and where in it the best values are."""
        rows = [row for row in self.rows if times or not row.timed]
        return (
            ("", *self.lines),
            [(row.name, *row.shown) for row in rows],
            {(place, index + 1) for place, row in enumerate(rows) for index in row.best},
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {
            MIME: {"compare": self.to_dict(times=False)},
            "text/plain": text_table(*self._table_parts(times=False)),
            "text/html": self.html,
        }


def compare(
    session: Session, lines: Sequence[Line], lowest: Set[str], highest: Set[str]
) -> Comparison:
    """The lines side by side. A value is the last of its name on the line's own steps that count;
    fields that are numbers are values, too, and of what a step kept numbers are, and all else is
    told as what it is.
    The best score is the highest; of a value it is the end that was said, else the usual one for
    its name (`rmse` the lowest, `r2` the highest), else none.
    """
    rows = tuple(_rows(session, lines, lowest, highest))
    unknown = sorted((lowest | highest) - {row.name for row in rows})
    if unknown:
        names = listing((row.name for row in rows), "none")
        raise BadValue("value", unknown[0], f"a name that the lines have: {names}")
    return Comparison(
        lines=tuple(
            line.id if line.parent is None else f"{line.id} ⟵ {line.leaves}" for line in lines
        ),
        rows=rows,
    )


def _rows(
    session: Session, lines: Sequence[Line], lowest: Set[str], highest: Set[str]
) -> Iterator[Row]:
    steps = [visible_on(session, line) for line in lines]
    # Withdrawn steps are there to be seen, and what they came to is no result of the line.
    counting = [[step for step in part if step.is_counting] for part in steps]
    values_of_lines = [_last_values(part) for part in counting]
    # What cells gave as values comes first, and then what was only kept.
    given = (name for part in counting for step in part for name in _given_values(step))
    values = dict.fromkeys([*given, *(name for part in values_of_lines for name in part)])

    def own(name: str, cells: Iterable[Any], **rest: Any) -> Row:
        """A row of the lines themselves; a value may have its name."""
        # JSON data is a mapping by name: a value called `steps` would take the row of the line.
        label = f"{name} of the line" if name in values else name
        return Row(name=label, cells=tuple(cells), **rest)

    yield own("steps", map(len, steps))
    outcomes = [_outcome(part) for part in counting]
    # What a line came to on which something failed is no result that others are measured by.
    failed = [each not in (None, sign("ok")) for each in outcomes]
    yield own("outcome", outcomes)
    if any(step.stale for part in steps for step in part):
        yield own("stale", (sum(step.stale for step in part) for part in steps))
    yield own("seconds", map(_seconds, steps), timed=True)
    for name in values:
        cells = tuple(part.get(name) for part in values_of_lines)
        end = min if name in lowest else max if name in highest else _usual_best(name)
        well = [None if bad else cell for cell, bad in zip(cells, failed, strict=True)]
        yield Row(name=name, cells=cells, best=_best(well, end))
    results = tuple(map(_last_result, counting))
    if any(result is not None for result in results):
        yield own("result", results)
    for name in ("confidence", "hypothesis"):
        latest_texts = [_latest_text(part, name) for part in counting]
        if any(each is not None for each in latest_texts):
            yield own(name, latest_texts)
    scores = tuple(line.score for line in lines)
    if any(score is not None for score in scores):
        yield own("score", scores, best=_best(scores, max))
    yield own("state", (fate(session, line) for line in lines))
    if any(line.reason for line in lines):
        yield own("why", (line.reason for line in lines))
    yield own("last step", map(_last_title, counting))


def _outcome(steps: Sequence[Step]) -> str | None:
    """The first that did not go well, else ok."""
    for step in steps:
        if outcome_of(step) != "ok":
            return f"{sign(outcome_of(step))} at {step.number}"
    return sign("ok") if steps else None


def _latest_text(steps: Sequence[Step], name: str) -> str | None:
    """What was said last of that."""
    all_findings = (step.current.findings for step in reversed(steps))
    return next((text for each in all_findings if each and (text := getattr(each, name))), None)


def _seconds(steps: Sequence[Step]) -> float | None:
    durations = [step.ended.duration for step in steps if step.ended and step.ended.duration]
    return round(sum(durations), 3) if durations else None


def _last_values(steps: Sequence[Step]) -> dict[str, Any]:
    """By name, what the last of the line's own steps gave that gave or kept it."""
    values_by_name: dict[str, Any] = {}
    for step in steps:
        # What a cell gave as a value is exact; what was kept is read back from words.
        values_by_name |= _kept_summary(step) | _given_values(step)
    return values_by_name


def _given_values(step: Step) -> dict[str, Any]:
    numbers = {name: value for name, value in step.current.fields.items() if _is_number(value)}
    return numbers | dict(step.ended.values if step.ended else {})


def _kept_summary(step: Step) -> dict[str, Any]:
    """What it kept: a number as it is, of anything else its type and shape."""
    kept = now_kept(step)
    values = () if kept is None else kept.values
    return {value.name: _as_cell(value) for value in values if value.group is not None}


def _as_cell(value: KeptValue) -> Any:
    if value.type in _NUMBERS or value.type.startswith(("numpy.float", "numpy.int")):
        with suppress(ValueError):
            # A kept number may be told with commas for thousands; the value itself is not loaded
            # for a table.
            digits = value.says.replace(",", "")
            return int(digits) if "int" in value.type else float(digits)
    return " · ".join(part for part in (value.type, value.says) if part)


_NUMBERS = ("int", "float")
_LOW = {"rmse", "mse", "mae", "mape", "error", "errors", "loss", "aic", "bic", "deviance"}
_HIGH = {"r2", "accuracy", "auc", "f1", "precision", "recall", "score", "likelihood"}
_OF_ANY = {
    *("train", "training", "test", "val", "valid", "validation", "dev", "holdout", "cv", "fold"),
    *("mean", "median", "avg", "average", "min", "max", "total", "final", "best", "last"),
    *("root", "squared", "absolute", "percentage", "rate", "count", "log", "cross", "entropy"),
    *("weighted", "macro", "micro", "balanced", "roc", "pr", "top"),
}
"""What a measure is of, or how it is made: none of these turns its best end round."""


def _usual_best(name: str) -> Any:
    """The end that is best of a value by its name, where custom knows it; else None.

    >>> [_usual_best(name) for name in ("test_rmse", "f1_macro", "rmse_2019")] == [min, max, min]
    True
    >>> [_usual_best(name) for name in ("neg_log_loss", "brier_score", "error_reduction")]
    [None, None, None]
    """
    words = {word for word in name.lower().split("_") if not word.isdigit()} - _OF_ANY
    # A word that is not known may turn it round: `neg_rmse` is best where it is highest.
    return min if words and words <= _LOW else max if words and words <= _HIGH else None


def _best(cells: Sequence[Any], end: Any) -> tuple[int, ...]:
    as_numbers = [_number(value) for value in cells]
    # Of what cannot be compared with the rest nobody knows whether it is better.
    if any(
        isinstance(value, str) and number is None
        for value, number in zip(cells, as_numbers, strict=True)
    ):
        return ()
    # NaN is not itself, and neither more nor less than any other.
    numbers = [number for number in as_numbers if number is not None and number == number]
    # The best of one is no comparison.
    if end is None or len(numbers) < 2:
        return ()
    first = end(numbers)
    return tuple(i for i, number in enumerate(as_numbers) if number == first)


def _number(value: Any) -> int | float | Fraction | None:
    """A number as it was given, or that a text says: an infinite one, a Decimal, a Fraction.

    >>> [_number(each) for each in (2, True, "inf", " 0.50 ", "1/4", "fast", None)]
    [2, None, inf, 0.5, Fraction(1, 4), None, None]
    """
    if isinstance(value, str):
        if parts := _RATIO.fullmatch(value.strip()):
            return Fraction(*map(int, parts.groups()))
        with suppress(ValueError):
            return float(value)
    return value if _is_number(value) else None


_RATIO = re.compile(r"([+-]?[0-9]{1,30})/([1-9][0-9]{0,29})")


def _is_number(value: Any) -> bool:
    """As JSON: true is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _last_result(steps: Sequence[Step]) -> str | None:
    """What the last of them gave that gave something, if no value of it says the same."""
    for step in reversed(steps):
        if step.ended and step.ended.result is not None:
            texts = (short(value, 200) for value in step.ended.values.values())
            return None if step.ended.result in texts else step.ended.result
    return None


def _last_title(steps: Sequence[Step]) -> str | None:
    return title_of(steps[-1].current.description, 60) if steps else None
