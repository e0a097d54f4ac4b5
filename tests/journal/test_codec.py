"""Events as rows, and rows of all ages as events."""

import signal
from typing import Any

import pytest

from wfnb.core.events import (
    Cell,
    Outcome,
    Recorded,
    Redone,
    StepRepeated,
    StepsConfirmed,
)
from wfnb.core.extension import event_kinds
from wfnb.errors import JournalCorrupt, JournalNewer
from wfnb.journal import Codec, Row
from wfnb.workflows.core.events import RUN_KINDS, RunRecorded, StopAsked


def row(name: str, body: str, version: int = 1) -> Row:
    return (7, 6, name, version, body, 5.0)


def renamed_line(body: dict[str, Any]) -> dict[str, Any]:
    """Version 1 of a made-up past called the branch a line."""
    return {"branch": body["line"], "numbers": body["numbers"]}


def numbers_from_text(body: dict[str, Any]) -> dict[str, Any]:
    """Version 2 of it wrote the numbers as text."""
    return {**body, "numbers": [int(number) for number in body["numbers"].split()]}


PAST = {("steps-confirmed", 1): renamed_line, ("steps-confirmed", 2): numbers_from_text}


def test_a_row_holds_only_what_is_not_default():
    rows, _ = Codec().write(
        [Redone(), StepRepeated(branch="main", number=2, cell=Cell(), outcome=Outcome())], 3, 5.0
    )

    assert rows == [
        (4, 4, "redone", 1, "{}", 5.0),
        (5, 4, "step-repeated", 1, '{"branch":"main","number":2,"cell":{},"outcome":{}}', 5.0),
    ]


def test_new_rows_have_the_newest_version_of_their_type():
    rows, _ = Codec(PAST).write([StepsConfirmed(branch="main", numbers=(1, 2)), Redone()], 0, 5.0)

    assert rows == [
        (1, 1, "steps-confirmed", 3, '{"branch":"main","numbers":[1,2]}', 5.0),
        (2, 1, "redone", 1, "{}", 5.0),
    ]


@pytest.mark.parametrize(
    ("version", "body"),
    [
        (1, '{"line": "alt", "numbers": "1 2"}'),
        (2, '{"branch": "alt", "numbers": "1 2"}'),
        (3, '{"branch": "alt", "numbers": [1, 2]}'),
    ],
)
def test_rows_of_every_older_version_become_the_event_of_today(version: int, body: str):
    read = Codec(PAST).read([row("steps-confirmed", body, version)], "journal.db", "churn")

    event = StepsConfirmed(branch="alt", numbers=(1, 2))
    assert read == [Recorded(position=7, first=6, event=event, at=5.0)]


@pytest.mark.parametrize(
    ("newer", "what"),
    [
        (row("step-split", "{}"), "event 7 of session 'churn' is step-split version 1"),
        (row("redone", "{}", version=2), "event 7 of session 'churn' is redone version 2"),
    ],
)
def test_a_type_or_version_that_is_not_known_was_written_by_a_newer_wfnb(newer: Row, what: str):
    with pytest.raises(JournalNewer) as error:
        Codec().read([newer], "journal.db", "churn")

    assert (error.value.path, error.value.what) == ("journal.db", what)


@pytest.mark.parametrize(
    ("corrupt", "what"),
    [
        (row("undone", '{"to":'), "Invalid JSON: EOF while parsing a value at line 1 column 6"),
        (row("undone", "{}"), "to: Field required"),
        (
            row("step-finished", '{"attempt": 1, "outcome": {"duration": "x"}}'),
            "outcome.duration: Input should be a valid number, unable to parse string as a number",
        ),
        (row("steps-confirmed", '{"numbers": ""}', version=1), "KeyError: 'line'"),
        (row("undone", "{}", version=0), "KeyError: ('undone', 0)"),
    ],
)
def test_a_row_that_does_not_read_is_named_by_session_and_position(corrupt: Row, what: str):
    with pytest.raises(JournalCorrupt) as error:
        Codec(PAST).read([corrupt], "journal.db", "churn")

    assert error.value.path == "journal.db"
    assert error.value.what == f"event 7 of session 'churn': {what}"


def reason_from_words(body: dict[str, Any]) -> dict[str, Any]:
    """Version 1 of a made-up past kept words."""
    return {"reason": " ".join(body["words"])}


OF_A_RUN = {("stop-asked", 1): reason_from_words}


def test_events_of_runs_have_upcasters_too():
    codec = Codec(OF_A_RUN)

    rows, _ = codec.write_run([StopAsked(reason="enough")], 6, 5.0)
    read = codec.read_run([row("stop-asked", '{"words": ["too", "slow"]}')], "journal.db", "a-1")

    assert rows == [(7, 7, "stop-asked", 2, '{"reason":"enough"}', 5.0)]
    assert read == [RunRecorded(position=7, first=6, event=StopAsked(reason="too slow"), at=5.0)]


@pytest.mark.parametrize(
    ("bad", "error", "what"),
    [
        (row("run-split", "{}"), JournalNewer, "event 7 of run 'a-1' is run-split version 1"),
        (row("run-ended", "{}"), JournalCorrupt, "event 7 of run 'a-1': status: Field required"),
    ],
)
def test_a_row_of_a_run_that_does_not_read_is_named_by_run_and_position(
    bad: Row, error: type[JournalNewer | JournalCorrupt], what: str
):
    with pytest.raises(error) as refused:
        Codec().read_run([bad], "journal.db", "a-1")

    assert (refused.value.path, refused.value.what) == ("journal.db", what)


def test_no_name_is_both_of_a_session_and_of_a_run():
    assert not set(event_kinds()) & set(RUN_KINDS)


class Interrupting(str):
    """A text during whose writing an interrupt comes."""

    def __eq__(self, other: object) -> bool:
        signal.raise_signal(signal.SIGINT)
        return super().__eq__(other)

    __hash__ = str.__hash__


def test_an_interrupt_that_comes_while_an_event_is_written_is_one():
    with pytest.raises(KeyboardInterrupt):
        Codec().write_run([StopAsked(reason=Interrupting("it was late"))], 0, 5.0)
