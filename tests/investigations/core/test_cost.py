"""A new step of an investigation costs as much after many steps as after few."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from tests.core.story import Story, done
from tests.investigations.core.investigating import found, investigating
from wfnb.core.decide import decide
from wfnb.core.session import Session
from wfnb.investigations.core.commands import ChooseKind
from wfnb.investigations.core.events import CarriedFindings
from wfnb.investigations.core.kind_reader import builtin_kinds


def calls(work: Callable[[], object]) -> int:
    """How many calls of Python it takes; what a generator gives is one each."""
    count = 0

    def tell(frame: object, event: str, value: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(tell)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


BROUGHT = CarriedFindings(session="old", kind="debug", found=found("brought", relevant="a.py"))
LONG_ONES: dict[str, ChooseKind] = {
    "debug": investigating("debug"),
    "precommit": investigating("precommit"),
    "continues": ChooseKind(kind=builtin_kinds()["debug"], carried=BROUGHT),
}


def cost(session: Session, number: int) -> int:
    says = found(f"finding {number:04}", confidence="low")
    return calls(lambda: decide(session, done(f"step {number:04}", findings=says)))


@pytest.mark.parametrize("name", LONG_ONES)
def test_a_new_step_costs_as_many_calls_after_many_as_after_few(name: str):
    story, costs = Story(LONG_ONES[name]), {}
    for number in range(1, 402):
        if number in (40, 400):
            costs[number] = cost(story.session, number)
        first = {"total": 1_000, "fields": {"path": "."}} if number == 1 else {}
        says = found(f"finding {number:04}", issues=f"low: gap {number}", context=f"day_{number}")
        story.do(done(f"step {number:04}", findings=says, **first))

    assert costs[400] <= costs[40] + 20
