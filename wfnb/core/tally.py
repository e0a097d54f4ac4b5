"""the fields of a line's steps -> who won: answers counted, approaches with their scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from wfnb.errors import BadValue

from . import values
from .questions import seen
from .record import record
from .session import Line, Session


@record
class Tally:
    """Answers counted: `winner` is None while several share the first place (`ties`); `share` is
    the part of all answers, from 0 to 1, that the first has."""

    votes: Mapping[str, int]
    share: float
    winner: str | None
    ties: tuple[str, ...]


def tally(session: Session, line: Line) -> Tally | None:
    """The answers of the line's last `path_answers`, counted without regard to case and space."""
    given = next(
        (
            step.now.fields["path_answers"]
            for step in reversed(seen(session, line))
            if "path_answers" in step.now.fields and not step.withdrawn
        ),
        None,
    )
    return tally_of([str(answer).strip() for answer in answers_in(given)])


def tally_of(answers: Sequence[str]) -> Tally | None:
    """Answers counted without regard to case; None where there are none."""
    if not answers:
        return None
    spelled: dict[str, str] = {}
    for answer in answers:
        spelled.setdefault(answer.casefold(), answer)
    counted = Counter(answer.casefold() for answer in answers).most_common()
    best = counted[0][1]
    first = tuple(spelled[answer] for answer, count in counted if count == best)
    return Tally(
        votes={spelled[answer]: count for answer, count in counted},
        share=best / len(answers),
        winner=first[0] if len(first) == 1 else None,
        ties=first if len(first) > 1 else (),
    )


def answers_in(given: Any) -> list[Any]:
    """`{path: answer}` or `[answer, …]` -> the answers."""
    if isinstance(given, Mapping):
        return list(given.values())
    return list(given) if isinstance(given, list | tuple) else []


def scores(session: Session, line: Line) -> dict[str, float]:
    """Approach -> score: those of the branches, then what the line's evaluations said of
    approaches that are no branch, the latest of each."""
    lines = session.lines
    found = {name: each.score for name, each in lines.items() if each.score is not None}
    for step in seen(session, line):
        fields = step.now.fields
        if "approach_id" in fields and "evaluation_score" in fields and not step.withdrawn:
            with suppress(BadValue):  # a step of no such stage may hold anything
                score = values.number("evaluation_score", fields["evaluation_score"])
                if (approach := str(fields["approach_id"])) not in lines:
                    found[approach] = score
    return found
