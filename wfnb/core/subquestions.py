"""the sub-questions of a line -> a tree of those that are open and answered.

A question's number is 1, 2, … or, for a part of question 2, 2.1, 2.2, …
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from wfnb.errors import BadValue, listing
from wfnb.frozen_record import record

from .ledger import Ledger, counting_steps
from .session import Line, Session, Step
from .value_references import settled

ASKS, ANSWERS, NUMBER = "sub_question", "sub_question_answer", "sub_question_number"
_WRITTEN = re.compile(r"[1-9]\d{0,5}(\.[1-9]\d{0,5}){0,9}")
_NEEDS = "a number such as 2, or 2.1 for a part of question 2"


@record
class Question:
    """`asked_in` and `answered` are the numbers of steps; `answer` is None while it is open."""

    text: Any
    asked_in: int | None
    answer: Any = None
    answered: int | None = None


Number = tuple[int, ...]


def number(written: Any) -> Number:
    """BadValue for what is no number of a question.

    >>> number("2.1"), number(3)
    ((2, 1), (3,))
    """
    text = str(int(written) if isinstance(written, float) and written.is_integer() else written)
    if not _WRITTEN.fullmatch(text.strip()):
        raise BadValue(f"field {NUMBER!r}", text[:60], _NEEDS)
    return tuple(map(int, text.split(".")))


def written(number: Number) -> int | str:
    """As a field holds it."""
    return number[0] if len(number) == 1 else ".".join(map(str, number))


def questions(steps: Sequence[Step]) -> dict[Number, Question]:
    """Those that the steps asked, in order; with the last answer to each of a step that went well.
    One that was asked stays open, however the cell that asked it ended."""
    by_number: dict[Number, Question] = {}
    for step in steps:
        fields = step.current.fields
        try:
            which = number(fields.get(NUMBER))
        except BadValue:  # of a strategy that does not check it
            continue
        if ASKS in fields:
            # Asked again it is open again: the answer before was to other words.
            by_number[which] = Question(text=fields[ASKS], asked_in=step.number)
        elif step.is_done and (answer := settled(step, ANSWERS)) is not None:
            # Answered without having been asked: steps of another strategy may be on the line.
            question = by_number.get(which, Question(text=None, asked_in=None))
            by_number[which] = Question(
                text=question.text, asked_in=question.asked_in, answer=answer, answered=step.number
            )
    return by_number


def number_question(
    steps: Sequence[Step], fields: Mapping[str, Any], required: Mapping[str, str], words: str
) -> tuple[dict[str, Any], list[str]]:
    """The fields of a step that asks or answers, with the question's number where it has none, and
    what to say of it. BadValue for an answer to what nobody asked."""
    filled, earlier = dict(fields), questions(steps)
    given = filled.get(NUMBER)
    if NUMBER not in required:
        return filled, []
    if ASKS in required:
        # A part has to say of which question it is; what says nothing is a question of its own.
        which = (_last_root(earlier) + 1,) if given in (None, "") else number(given)
        if which[:-1] and which[:-1] not in earlier:
            needs = f"a part of a question that was asked: {_listed(earlier)}"
            raise BadValue(f"field {NUMBER!r}", str(given), needs)
        warning = f"question {written(which)} was asked before: this one takes its place"
        return filled | {NUMBER: written(which)}, [warning] if which in earlier else []
    # What was asked last is answered first: it was asked for the sake of one before it.
    open_ones = [which for which, each in earlier.items() if each.answered is None]
    if given in (None, ""):
        return filled | ({NUMBER: written(open_ones[-1])} if open_ones else {}), []
    which = number(given)
    if earlier and which not in earlier:
        needs = f"the number of a question that was asked: {_listed(earlier)}"
        raise BadValue(f"field {NUMBER!r}", str(given), needs)
    return filled | {NUMBER: written(which)}, []


def _last_root(earlier: Mapping[Number, Question]) -> int:
    return max((which[0] for which in earlier), default=0)


def _listed(earlier: Mapping[Number, Question]) -> str:
    return listing((written(which) for which in sorted(earlier)), "none was")


def ledger(session: Session, line: Line) -> Ledger | None:
    """A row a question, parts under the whole."""
    by_number = questions(counting_steps(session, line))
    if not by_number:
        return None
    order = sorted(by_number)
    return Ledger(
        title="questions",
        heads=("question", "asks", "answer", "steps"),
        rows=tuple(
            (
                "└ " * (len(which) > 1) + str(written(which)),
                by_number[which].text,
                "open" if by_number[which].answered is None else by_number[which].answer,
                [
                    at
                    for at in (by_number[which].asked_in, by_number[which].answered)
                    if at is not None
                ],
            )
            for which in order
        ),
        lacks=tuple(
            f"question {written(which)} is open"
            for which in order
            if by_number[which].answered is None
        ),
    )
