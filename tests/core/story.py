"""A small language for tests: commands -> the session after them.

session = given(done("load"), done("plot"), done("try ridge", branch="ridge"))

assert descriptions(session, "ridge") == ["load", "plot", "try ridge"]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import wfnb.feature_slices  # noqa: F401  plugs in the slices
from wfnb.core import validation
from wfnb.core.commands import AbandonBranch, AddStep, ChooseStrategy, Command, SelectBranch
from wfnb.core.decide import decide
from wfnb.core.events import (
    Cell,
    Event,
    Outcome,
    Recorded,
    SessionStarted,
    StepAdded,
    StepChanged,
    StepRepeated,
)
from wfnb.core.queries import line_steps, stage_choices
from wfnb.core.replay import advance, replay
from wfnb.core.session import Session, Step
from wfnb.core.step_lookup import find
from wfnb.core.strategy import Stage, Strategy, builtin_strategies
from wfnb.views.step_answer import Answer, answer


class Story:
    """A session and its log: a workspace without a disk."""

    def __init__(self, *commands: Command) -> None:
        self.log: list[Recorded] = []
        self.session = Session()
        self.record([SessionStarted(name="test")])
        for command in commands:
            self.do(command)

    def do(self, command: Command) -> list[Event]:
        events = decide(self.session, command)
        self.record(events)
        return events

    def record(self, events: list[Event]) -> None:
        first = len(self.log) + 1
        for position, event in enumerate(events, first):
            entry = Recorded(position=position, first=first, event=event)
            self.log.append(entry)
            if not advance(self.session, entry):
                self.session = replay(self.log)

    def answer(self, command: AddStep) -> Answer:
        """The answer to a step."""
        events = self.do(command)
        added = next(e for e in events if isinstance(e, StepAdded | StepChanged | StepRepeated))
        return answer(self.session, at(self.session, added.number, added.branch))


class Kernel:
    """A kernel that opened the story: it knows what was there then, and what it ran since. Without
    cell ids it is one that no front end drives."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.opened = story.session.position
        self.ran: set[int] = set()

    def run(self, source: str, id: str | None = None, part: int = 0, **says: Any) -> Step:
        """Run a cell with a step; its last line is the description."""
        cell = Cell(id=id, source=source, part=part)
        words = says.pop("description", source.splitlines()[-1])
        added = done(words, cell=cell, opened=self.opened, ran=frozenset(self.ran), **says)
        answered = self.story.answer(added)
        branch = answered.current_branch or "main"
        step = at(self.story.session, answered.step_number, branch)
        self.ran.add(step.key)
        return step


def given(*commands: Command) -> Session:
    """The session after these commands."""
    return Story(*commands).session


def answered(*commands: Command) -> Answer:
    """The answer to the last of these commands."""
    *before, last = commands
    assert isinstance(last, AddStep)
    return Story(*before).answer(last)


def done(description: str = "a step", leaves: int | str | None = None, **says: Any) -> AddStep:
    """A step that ended well; `leaves` is `2` or `"alt:3"`."""
    place = None if leaves is None else validation.place("branch_from_step", leaves)
    return AddStep(**{"description": description, "leaves": place, "outcome": Outcome(), **says})


ABC = (done("a"), done("b"), done("c"))
DECIDED: tuple[Command, ...] = (
    done("a"),
    done("b"),
    done("c", branch="tree", leaves=1),
    done("d", branch="line", leaves=1),
    done("e", branch="net", leaves=1),
    AbandonBranch(branch="tree"),
    SelectBranch(branch="net"),
)
"""Three lines beside main, which went on: one was abandoned, one passed over, one selected."""


def begun(description: str = "a step", **says: Any) -> AddStep:
    """A step that runs still."""
    return done(description, **{"outcome": None, **says})


def following(strategy: str | Strategy | None) -> ChooseStrategy:
    """The session follows a built-in strategy, or the one given."""
    return ChooseStrategy(
        strategy=builtin_strategies()[strategy] if isinstance(strategy, str) else strategy
    )


def strategy(stages: Mapping[str, list[str]], **fields: Mapping[str, str]) -> Strategy:
    """A strategy of these stages, the first its start; `fields` are those of a stage."""
    return Strategy(
        name="small",
        start=next(iter(stages)),
        stages={
            name: Stage(next=tuple(after), fields=fields.get(name, {}))
            for name, after in stages.items()
        },
    )


def at(session: Session, number: int, branch: str = "main") -> Step:
    return find(session, validation.StepPlace(number=number, branch=branch), "main")


def descriptions(session: Session, line: str = "main") -> list[str]:
    """What the steps of a line say, inherited ones first."""
    return [step.current.description for step in line_steps(session, session.lines[line])]


def numbers(session: Session, line: str = "main") -> list[int]:
    """The numbers of a line's own steps."""
    return list(session.lines[line].numbers)


def stale(session: Session) -> list[str]:
    """The stale steps, as `branch:number`, in order of creation."""
    return [f"{s.branch}:{s.number}" for s in session.steps.values() if s.stale]


def counting_and_stale(session: Session) -> set[int]:
    """The keys that `session.stale` has to have: of the steps that count and have a reason to be
    stale, gone through one by one."""
    return {
        key
        for key, step in session.steps.items()
        if not (step.hidden or step.is_withdrawn)
        and (step.made_stale_by or step.doubts or step.unrecorded)
    }


def stages(session: Session, line: str = "main") -> list[str | None]:
    """The stages of a line's steps, inherited ones first."""
    return [step.current.stage for step in line_steps(session, session.lines[line])]


def choices(session: Session, line: str = "main") -> list[str]:
    """The stages that may follow on a line."""
    return list(stage_choices(session, session.lines[line]))
