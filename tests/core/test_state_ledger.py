"""Scratchpad: the state of a calculation, from the notebook's variables, as a table of rounds."""

from dataclasses import replace

import pytest

from tests.core.story import Story, answered, done, following
from wfnb.core.data_flow import Flow
from wfnb.core.events import Outcome
from wfnb.core.strategy_ledgers import ledger
from wfnb.errors import BadValue, FieldMissing

BEGUN = (following("scratchpad"), done("what"))


def kept(description, given=None, stage=None, **values):
    fields = {} if given is None else {"state_variables": given}
    return done(description, stage=stage, fields=fields, outcome=Outcome(values=values))


ROUNDS = (
    *BEGUN,
    kept("start", "n, total", n=0, total=1.0),
    kept("one", n=1, total=1.0),
    kept("check", n=1, total=1.0),
    done("again"),
    kept("two", stage="iterative_calculation", n=2, total=2.5),
    kept("check", n=2, total=2.5),
)


def table(*commands):
    session = Story(*commands).session
    found = ledger(session, session.lines["main"])
    return found.heads, list(found.rows)


def test_the_variables_that_the_first_state_names_are_those_of_all_rounds():
    answer = answered(*ROUNDS[:3], kept("one", n=1, total=1.0))

    assert answer.fields == {"state_variables": ["n", "total"]}
    assert answer.warnings == []


def test_a_step_that_failed_leaves_the_state_as_it_was():
    failed = replace(kept("two"), outcome=Outcome(status="failed", values={"n": 9, "total": 9.5}))

    assert table(*ROUNDS[:5], failed) == table(*ROUNDS[:5])


def test_a_table_has_a_row_for_each_round_with_what_changed():
    assert table(*ROUNDS) == (
        ("round", "n", "total", "changed", "steps"),
        [
            ("start", 0, 1.0, "", [2]),
            ("1", 1, 1.0, ["n"], [3, 4]),
            ("2", 2, 2.5, ["n", "total"], [6, 7]),
        ],
    )


def test_values_may_be_written_instead_and_12_is_12_0():
    _, rows = table(*BEGUN, kept("a", {"n": 12}), kept("b", {"n": 12.0}))

    assert [row[2] for row in rows] == ["", []]


def test_a_variable_that_is_left_out_is_named():
    answer = answered(*ROUNDS[:3], kept("one", {"n": 1}))

    assert answer.warnings == ["the state lacks total"]


@pytest.mark.parametrize("given", ["n + 1", 3, ["n", 2], "1"])
def test_what_is_no_state_is_refused(given):
    with pytest.raises(BadValue, match="names of variables, as in n,total"):
        answered(*BEGUN, kept("start", given))


def test_the_first_state_has_to_be_named():
    with pytest.raises(FieldMissing):
        answered(*BEGUN, kept("start"))


@pytest.mark.parametrize(("version", "changed"), [("1", []), ("2", ["x"])])
def test_of_what_is_recorded_only_by_its_kind_the_writer_tells_whether_it_changed(version, changed):
    def frame(version, **says):
        said = done("round", outcome=Outcome(values={"x": "DataFrame (9, 2)"}), **says)
        return replace(said, flow=Flow(writes={"x": version}))

    state = {"fields": {"state_variables": "x"}}
    _, rows = table(*BEGUN, frame("1", **state), frame(version, **state))

    assert rows[1][2] == changed
