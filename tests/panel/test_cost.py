"""What a step more costs does not depend on how many there are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.core.story import Story, begun, done, following
from tests.investigations.views.inquiries import found, investigating, looking
from wfnb.core.commands import Command, ConfirmSteps, FinishStep
from wfnb.core.events import Cell, Outcome
from wfnb.core.queries import stage_choices
from wfnb.core.strategy import builtin_strategies
from wfnb.core.validation import StepPlace
from wfnb.panel import Live
from wfnb.panel.timeline import size

WIRE = 1_000
"""Bytes of a step recorded."""
TITLES = {
    "short": "Compare the residuals",
    "marked": "Compare *the* `residuals` of [all](https://example.org) days",
    "long": ("Compare the residuals of all days " * 10)[:160],
    "longer": "Compare the residuals of all days " * 100,
    "wide": "残差是否随时间漂移" * 40,
    "quoted": '"\\' * 100,
    "signs": "👩\u200d🔬" * 100,
}


class Watched(dict[int, Any]):
    """Steps by key that count how often one is looked at."""

    looks = 0

    def __getitem__(self, key: int) -> Any:
        self.looks += 1
        return super().__getitem__(key)

    def get(self, key: int, default: Any = None) -> Any:
        self.looks += 1
        return super().get(key, default)

    def values(self) -> Any:
        return Seen(self, super().values())

    def items(self) -> Any:
        return Seen(self, super().items())

    def __iter__(self) -> Iterator[int]:
        return iter(Seen(self, super().keys()))


class Seen:
    def __init__(self, watched: Watched, view: Any) -> None:
        self.watched, self.view = watched, view

    def __iter__(self) -> Iterator[Any]:
        return self._each(iter(self.view))

    def __reversed__(self) -> Iterator[Any]:
        return self._each(reversed(self.view))

    def _each(self, found: Iterator[Any]) -> Iterator[Any]:
        for each in found:
            self.watched.looks += 1
            yield each


def long(steps: int, *first: Command) -> Story:
    """A story of so many steps; every tenth leaves main for a branch of its own."""
    story = Story(*first)
    for number in range(1, steps + 1):
        if number % 10 or story.session.strategy is not None:
            story.do(staged(story, f"Step {number}"))
        else:
            main = story.session.lines["main"].numbers[-1]
            story.do(done(f"Step {number}", branch=f"idea-{number}", leaves=main))
    return story


def staged(story: Story, words: str, way: int = 0) -> Any:
    """A step on main, of the first stage that may follow, or of the last (`way` -1)."""
    strategy = story.session.strategy
    if strategy is None:
        return done(words)
    choices = stage_choices(story.session, story.session.lines["main"])
    stage = choices[way]
    asked = dict.fromkeys(strategy.stages[stage].fields, 1)
    kept = {"tool_calls": [{"tool": "shell"}], "state_variables": "n", "path_answers": ["42", "41"]}
    return done(words, stage=stage, fields={**asked, **kept})


def told(live: Live, story: Story, *commands: Command) -> dict[str, Any]:
    before = len(story.log)
    for command in commands:
        story.do(command)
    message = live.next_update(story.session, story.log[before:])
    assert message is not None
    assert message["kind"] == "delta"
    return message


def a_step_more(story: Story) -> tuple[Command, ...]:
    return (staged(story, "One more"),)


def a_step_in_a_cell(story: Story) -> tuple[Command, ...]:
    cell = Cell(id="one", source="%%step One\nload()")
    ends = FinishStep(attempt=story.session.position + 1, outcome=Outcome(duration=1.0))
    return begun("One", cell=cell), ends


def a_revision_of_the_last(story: Story) -> tuple[Command, ...]:
    last = story.session.lines["main"].numbers[-1]
    return (done("Better", revises=last),)


def a_confirmation(story: Story) -> tuple[Command, ...]:
    last = story.session.lines["main"].numbers[-1]
    return done("Better", revises=last - 1), ConfirmSteps(places=(StepPlace(number=last),))


@pytest.mark.parametrize(
    "commands", [a_step_more, a_step_in_a_cell, a_revision_of_the_last, a_confirmation]
)
def test_as_many_steps_are_looked_at_in_a_long_history_as_in_a_short_one(commands):
    looks = {}
    for steps in (100, 5_000):
        story = long(steps)
        live = Live(story.session)
        before, asked = len(story.log), commands(story)
        for command in asked:
            story.do(command)
        story.session.steps = Watched(story.session.steps)
        assert live.next_update(story.session, story.log[before:])["kind"] == "delta"
        looks[steps] = story.session.steps.looks

    assert looks[5_000] <= looks[100] < 60


def test_nor_does_a_stage_ask_for_more():
    looks = {}
    for steps in (100, 2_000):
        story = long(steps, following("react"))
        live = Live(story.session)
        before = len(story.log)
        story.do(staged(story, "One more"))
        story.session.steps = Watched(story.session.steps)
        live.next_update(story.session, story.log[before:])
        looks[steps] = story.session.steps.looks

    assert looks[2_000] <= looks[100] + 5 < 60


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_a_step_takes_a_thousand_bytes_at_most(title):
    story = long(200)
    live = Live(story.session)
    cell = Cell(id="3fa85f64-5717-4562-b3fc-2c963f66afa6", source="%%step\nload()")
    name = "a-branch-of-forty-letters-and-not-a-few"

    messages = [
        told(live, story, done(title, cell=cell)),
        told(live, story, begun(title, cell=Cell(id="another", source="%%step\nfit()"))),
        told(
            live, story, FinishStep(attempt=story.session.position, outcome=Outcome(duration=0.1))
        ),
        told(live, story, done(title, branch=name)),
        told(live, story, done(title, branch=name, total=9_999)),
        told(live, story, done(title, next_step_needed=False)),
    ]

    for message in messages:
        assert size(message) <= WIRE, json.dumps(message, ensure_ascii=False)


@pytest.mark.parametrize("name", sorted(builtin_strategies()))
def test_a_step_of_any_strategy_takes_a_thousand_bytes_at_most(name):
    story = Story(following(name))
    live = Live(story.session)

    while stage_choices(story.session, story.session.lines["main"]) and len(story.log) < 40:
        message = told(live, story, staged(story, TITLES["long"], way=-1))
        kept = message.pop("ledger", None)  # what the strategy keeps of it comes besides
        assert size({"ledger": kept}) <= WIRE // 4
        assert size(message) <= WIRE, json.dumps(message, ensure_ascii=False)


def test_a_title_is_cut_where_it_takes_too_much_and_nowhere_else():
    rows = [Live(Story(done(title)).session).snapshot()["rows"][0] for title in TITLES.values()]
    titles = dict(zip(TITLES, (row["title"] for row in rows), strict=True))

    assert titles["short"] == TITLES["short"]
    assert titles["marked"] == "Compare the residuals of all days"
    assert titles["long"] == TITLES["long"].rstrip()
    assert len(titles["longer"]) == 160
    assert titles["wide"].endswith("…")
    assert len(titles["wide"]) > 50
    assert all(size(row) <= 560 for row in rows)


def test_a_revision_that_makes_hundreds_stale_is_told_as_a_snapshot():
    story = long(1_000)
    live = Live(story.session)
    before = len(story.log)
    story.do(done("Better", revises=2))

    message = live.next_update(story.session, story.log[before:])

    assert (message["kind"], message["seq"]) == ("snapshot", 1)
    assert message["head"]["stale"] > 900
    assert len(message["rows"]) == 60


def test_a_step_of_an_investigation_takes_a_thousand_bytes_at_most_however_long_the_lists_are():
    story = Story(investigating())
    live = Live(story.session)
    sizes = {}

    for number in range(1, 131):
        says = found(
            f"Sensor {number}: 3 warnings of {number * 40} readings, the log book says 4",
            confidence="medium" if number % 2 else "low",
            hypothesis=f"sensor {number} was moved before the storm",
            files=f"data/day-{number}.csv",
        )
        message = told(live, story, done(f"Is sensor {number} drifting?", findings=says))
        sizes[number] = size(message)
        before = len(story.log)
        story.do(looking())
        live.next_update(story.session, story.log[before:])

    assert max(sizes[number] for number in range(20, 131)) <= WIRE, sizes
    assert sizes[130] <= sizes[20] + 60
