"""ReAct: a table of the last turns, of what was planned, done and seen."""

from tests.core.story import Story, done, following
from wfnb.core.events import Outcome
from wfnb.core.strategy_ledgers import ledger

BEGUN = (following("react"), done("what"), done("belief"))


def turn(number, seen=None, **says):
    """The steps of one turn, to its decision where something was `seen`."""
    stage = None if number == 1 else "action_planning"
    steps = [done(f"plan {number}", stage=stage), done("act", fields={"action": f"act {number}"})]
    if seen is None:
        return steps
    return [*steps, done("look", fields={"observation": seen}, **says), done("so"), done("more")]


def rows(*commands):
    session = Story(*commands).session
    found = ledger(session, session.lines["main"])
    return None if found is None else list(found.rows)


def test_a_turn_is_a_row_with_what_was_planned_done_and_seen():
    assert rows(*BEGUN) is None
    assert rows(*BEGUN, *turn(1, "3"), *turn(2)) == [
        ([4, 5], "plan 1", "act 1", "3"),
        ([9], "plan 2", "act 2", "awaited"),
    ]


def test_an_observation_may_be_what_its_step_computes():
    assert rows(*BEGUN, *turn(1, "@n", outcome=Outcome(values={"n": 3})))[0][3] == 3


def test_what_a_cell_was_to_see_that_failed_is_awaited():
    failed = Outcome(status="failed", values={"n": 3})

    assert rows(*BEGUN, *turn(1, "@n", outcome=failed))[0][3] == "awaited"


def test_the_last_turns_are_in_view():
    turns = [step for number in range(1, 12) for step in turn(number, "seen")]

    assert [row[1] for row in rows(*BEGUN, *turns)] == [f"plan {n}" for n in range(6, 12)]
