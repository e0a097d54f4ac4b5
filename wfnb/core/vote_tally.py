"""the fields of a line's steps -> who won: answers counted, approaches with their scores.

How answers vote: a number as a number (12 and 12.0 are one answer), a text as its words, without
regard to case and to how much space is around and between them. A text that reads as a number joins
that number where it is among the answers ("12" votes with 12), and is a text otherwise ("1.10" and
"1.1" are two versions). Nothing (null) does not vote.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from wfnb.errors import BadValue
from wfnb.frozen_record import record

from . import validation
from .ledger import Ledger
from .queries import line_steps
from .session import Line, Session, Step
from .validation import MAIN


@record
class Tally:
    """Answers counted: `winner` is None while several share the first place (`ties`), or the first
    has no more than half; `share` is the part of all answers, from 0 to 1, that the first has."""

    votes: Mapping[str, int]
    share: float
    winner: str | None
    ties: tuple[str, ...]


def tally(session: Session, line: Line) -> Tally | None:
    """The answers of the line's last `path_answers` that has any."""
    for step in reversed(line_steps(session, line)):
        if step.is_done and (cast := votes_in(step.current.fields.get("path_answers"))):
            return tally_of(cast)
    return None


def tally_of(answers: Sequence[Any]) -> Tally | None:
    """Answers counted; None where there are none."""
    if not answers:
        return None
    spelled: dict[tuple[bool, str], str] = {}
    cast = _ballot(answers)
    for key, answer in zip(cast, answers, strict=True):
        # Shown as the first voter wrote it.
        spelled.setdefault(key, answer_text(answer))
    counted = Counter(cast).most_common()
    best = counted[0][1]
    first = tuple(spelled[key] for key, count in counted if count == best)
    return Tally(
        votes={spelled[key]: count for key, count in counted},
        share=best / len(answers),
        winner=first[0] if best > len(answers) / 2 else None,
        ties=first if len(first) > 1 else (),
    )


def _ballot(answers: Sequence[Any]) -> list[tuple[bool, str]]:
    """What each answer votes for: whether it is a text, and the text by which it is compared."""
    texts = {answer_text(answer) for answer in answers if not isinstance(answer, str)}
    return [_vote(answer, texts) for answer in answers]


def _vote(answer: Any, texts: set[str]) -> tuple[bool, str]:
    if not isinstance(answer, str):
        return False, answer_text(answer)
    for read in (int, float):  # whole numbers as such: a float of 17 digits is another number
        with suppress(ValueError, OverflowError):
            # A text joins only a number that is there: else "1.10" and "1.1", two versions, would
            # be one.
            number = answer_text(read(answer))
            if number in texts:
                return False, number
            break
    text = " ".join(answer.split())
    return (False, text) if text in texts else (True, text.casefold())


def answer_text(answer: Any) -> str:
    """An answer as it is compared and shown: 12.0 is 12.

    >>> [answer_text(answer) for answer in (12.0, 0.5, True, " Blue ", [1, 2])]
    ['12', '0.5', 'true', 'Blue', '[1, 2]']
    """
    if isinstance(answer, str):
        return answer.strip()
    if isinstance(answer, float) and answer.is_integer():
        answer = int(answer)
    return json.dumps(answer, ensure_ascii=False, sort_keys=True)


def same_vote(one: Any, other: Any) -> bool:
    """Whether two answers vote for the same."""
    first, second = _ballot([one, other])
    return first == second


def votes_in(given: Any) -> list[Any]:
    """The answers that vote."""
    return [answer for answer in answers_in(given) if answer is not None]


def path_values(session: Session) -> dict[str, tuple[Any, Step]]:
    """Path -> the last value that its steps recorded, and which of them did: those that name it
    (`reasoning_path_id`), and on its branch those that follow."""
    on: dict[str, str] = {}
    values: dict[str, tuple[Any, Step]] = {}
    for step in session.steps.values():
        path = step.current.fields.get("reasoning_path_id")
        # On main, steps of several paths take turns: there each step names its own.
        if path is not None and step.branch != MAIN:
            on[step.branch] = str(path)
        name = on.get(step.branch) if path is None else str(path)
        if (
            name is None
            or not step.is_done
            or step.branch in session.passed_over
            or step.outcome is None
        ):
            continue
        given = [value for value in step.outcome.values.values() if value is not None]
        values |= {name: (given[-1], step)} if given else {}
    return values


def doubts(session: Session, given: Any) -> list[str]:
    """What to say of `path_answers`: paths without an answer, and those that recorded another."""
    answers, cast = answers_in(given), votes_in(given)
    if not cast:
        return ["path_answers has no answer: those that were given before still count"]
    notes = []
    if silent := len(answers) - len(cast):
        notes.append(f"{silent} of {len(answers)} paths gave no answer and have no vote")
    recorded = path_values(session) if isinstance(given, Mapping) else {}
    for path, answer in given.items() if recorded else ():
        value, step = recorded.get(path, (None, None))
        if answer is None or step is None:
            continue
        if not same_vote(answer, value):
            notes.append(
                f"path {path!r} recorded {answer_text(value)}, "
                f"path_answers has {answer_text(answer)}"
            )
        elif step.stale:
            notes.append(f"path {path!r} is stale: run it again before its answer is counted")
    return notes


def answers_in(given: Any) -> list[Any]:
    """`{path: answer}` or `[answer, …]` -> the answers."""
    if isinstance(given, Mapping):
        return list(given.values())
    return list(given) if isinstance(given, list | tuple) else []


def scores(session: Session, line: Line) -> dict[str, float]:
    """Approach -> score: those of the branches, then what the line's evaluations said of
    approaches that are no branch, the latest of each."""
    lines = session.lines
    branch_scores = {name: each.score for name, each in lines.items() if each.score is not None}
    for step in line_steps(session, line):
        fields = step.current.fields
        if "approach_id" in fields and "evaluation_score" in fields and step.is_done:
            with suppress(BadValue):  # a step of no such stage may hold anything
                score = validation.number("evaluation_score", fields["evaluation_score"])
                if (approach := str(fields["approach_id"])) not in lines:
                    branch_scores[approach] = score
    return branch_scores


def ledger(session: Session, line: Line) -> Ledger | None:
    """A row a path: the answer that counts, and the value that the path itself recorded."""
    steps = reversed(line_steps(session, line))
    given = (step.current.fields.get("path_answers") for step in steps if step.is_done)
    cast: Any = next((answers for answers in given if votes_in(answers)), {})
    named = cast if isinstance(cast, Mapping) else dict(enumerate(answers_in(cast), 1))
    recorded = path_values(session)
    paths = dict.fromkeys([*map(str, named), *recorded])
    if not paths:
        return None
    answers = {str(path): answer for path, answer in named.items()}
    return Ledger(
        title="votes",
        heads=("path", "answer", "recorded", ""),
        rows=tuple(_row(path, answers.get(path), recorded.get(path)) for path in paths),
    )


def _row(path: str, answer: Any, recorded: tuple[Any, Step] | None) -> tuple[Any, ...]:
    value, step = recorded or (None, None)
    if step is None:
        return path, answer, None, ""
    differs = answer is not None and not same_vote(answer, value)
    notes = ["differs"] * differs + ["stale"] * step.stale
    return path, answer, value, " · ".join(notes)
