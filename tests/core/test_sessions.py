"""All sessions at once: whatever commands are given, in whatever order, these things hold."""

import json
from copy import deepcopy
from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.amount import times
from tests.core.drawn import (
    careless_steps,
    changes,
    choices_of_keeping,
    hiding,
    kept,
    outcomes,
    plausible_steps,
    strategies,
)
from tests.core.story import Story, counting_and_stale, following
from wfnb.core.apply import apply
from wfnb.core.commands import ClearSession, Command, FinishStep, KeepValues, Redo, Undo
from wfnb.core.decide import decide
from wfnb.core.events import (
    BranchScored,
    BranchSelected,
    StepAdded,
    StepChanged,
    StepFinished,
    StepRepeated,
    ValuesKept,
)
from wfnb.core.queries import line_steps, stage_choices, step_at
from wfnb.core.replay import replay, replay_words
from wfnb.core.session import Session
from wfnb.errors import Refused
from wfnb.views.snapshot import snapshot
from wfnb.views.step_answer import answer

OF_ENDS = (StepFinished, ValuesKept, BranchScored, BranchSelected)
SEVEN = {
    "step_number": int,
    "total_steps": int,
    "next_step_needed": bool,
    "last_step_description": str,
    "current_branch": str | None,
    "branches": list,
    "step_history_length": int,
}


def state(session: Session) -> Session:
    """The session without its place in the log."""
    plain = deepcopy(session)
    plain.position = plain.redoable = 0
    return plain


def said(session: Session) -> list[object]:
    """What a search reads."""
    return [
        (key, step.branch, step.number, step.current.description, step.tags, step.current.by,
         step.current.cell, step.current.findings, step.hidden, step.cell_id)
        for key, step in session.steps.items()
    ]  # fmt: skip


class AnySession(RuleBasedStateMachine):
    """A session, and beside it the states before each change, by which undo is checked."""

    def __init__(self) -> None:
        super().__init__()
        self.story = Story()
        self.before: list[Session] = []
        self.undone: list[Session] = []
        self.opened, self.ran = 0, frozenset[int]()

    @property
    def session(self) -> Session:
        return self.story.session

    @initialize(data=st.data(), count=st.integers(1, 5), strategy=strategies)
    def begin(self, data, count, strategy):
        self.do(following(strategy))
        for _ in range(count):
            self.add(data.draw(plausible_steps(self.session)))

    @rule(data=st.data(), careless=st.integers(0, 5))
    def step(self, data, careless):
        drawn = plausible_steps(self.session) if careless else careless_steps
        self.add(data.draw(drawn))

    def add(self, command):
        for event in self.do(replace(command, opened=self.opened, ran=self.ran)):
            if isinstance(event, StepAdded | StepChanged | StepRepeated):
                self.ran |= {self.session.lines[event.branch].keys[event.number]}

    @precondition(lambda self: len(self.session.lines) > 1 or self.session.stale)
    @rule(data=st.data())
    def change(self, data):
        self.do(data.draw(changes(self.session)))

    @precondition(lambda self: self.session.stale)
    @rule(data=st.data())
    def hide_or_show(self, data):
        self.do(data.draw(hiding(self.session)))

    @rule(what=st.sampled_from(("restart", "restart", "strategy", "clear")), strategy=strategies)
    def another_time(self, what, strategy):
        if what == "strategy":
            self.do(following(strategy))
        elif what == "clear" and len(self.session.steps) > 8:
            self.do(ClearSession())
        self.opened, self.ran = self.session.position, frozenset()

    @precondition(lambda self: self.session.running)
    @rule(data=st.data(), outcome=outcomes, values=st.none() | kept)
    def finish(self, data, outcome, values):
        running = sorted(self.session.running)
        attempt = data.draw(st.sampled_from((*running, *running, self.session.position + 1)))
        earlier = [was for was in self.before if attempt in was.running]
        events = self.do(FinishStep(attempt=attempt, outcome=outcome, values=values))
        for entry in self.story.log[len(self.story.log) - len(events) :]:
            assert isinstance(
                entry.event, StepFinished | ValuesKept | BranchScored | BranchSelected
            )
            for was in earlier:
                was.position = entry.position
                apply(was, entry.event)
                was.position = 0

    @precondition(lambda self: self.session.steps)
    @rule(data=st.data(), values=kept)
    def keep(self, data, values):
        key = data.draw(st.sampled_from((*self.session.steps, *self.session.steps, 10_000)))
        events = self.do(KeepValues(step=key, values=values))
        assert not self.do(KeepValues(step=key, values=values)), events

    @rule(command=choices_of_keeping)
    def choose_what_is_kept(self, command):
        self.do(command)

    @rule(data=st.data(), values=kept)
    def step_that_keeps(self, data, values):
        command = data.draw(plausible_steps(self.session))
        self.add(command)
        last = max(self.session.steps, default=None)
        if last is not None:
            self.do(KeepValues(step=last, values=values, attempt=self.session.position))

    @precondition(lambda self: len(self.before) not in (1, 2, 3))
    @rule(times=st.sampled_from((1, 1, 2)))
    def undo(self, times):
        for _ in range(times):
            now = state(self.session)
            assert bool(self.do(Undo())) == bool(self.before)
            if self.before:
                assert state(self.session) == self.before.pop()
                self.undone.append(now)

    @precondition(lambda self: self.undone)
    @rule(times=st.integers(1, 4))
    def redo(self, times):
        for _ in range(times):
            now = state(self.session)
            assert bool(self.do(Redo())) == bool(self.undone)
            if self.undone:
                assert state(self.session) == self.undone.pop()
                self.before.append(now)

    def do(self, command: Command):
        """Decide, which changes nothing, and record what was decided."""
        before, log = deepcopy(self.session), list(self.story.log)
        try:
            events = decide(self.session, command)
        except Refused as refusal:
            events, said = [], str(refusal)
            assert said.isprintable()
        assert (self.session, self.story.log) == (before, log)
        self.story.record(events)
        if events and not isinstance(command, Undo | Redo):
            self.undone.clear()
            ends = isinstance(command, KeepValues) and command.attempt is not None
            if not isinstance(command, FinishStep) and not ends:
                self.before.append(state(before))
        return events

    @invariant()
    def replaying_the_log_gives_the_session(self):
        assert replay(self.story.log) == self.session

    @invariant()
    def what_steps_say_does_not_depend_on_how_they_ended(self):
        assert said(replay_words(self.story.log)) == said(self.session)

    @invariant()
    def numbers_go_up_within_a_line_and_begin_after_the_step_it_left(self):
        for line in self.session.lines.values():
            assert line.numbers == sorted(line.keys)
            assert not line.numbers or line.numbers[0] > line.leaves
            told = [step.number for step in line_steps(self.session, line)]
            assert told == sorted(set(told))
            for number, key in line.keys.items():
                step = self.session.steps[key]
                assert (step.number, step.branch, step.key) == (number, line.id, key)
        assert sum(len(line.keys) for line in self.session.lines.values()) == len(
            self.session.steps
        )

    @invariant()
    def every_branch_left_a_step_that_is_there(self):
        left = [name for names in self.session.leaving.values() for name in names]
        assert sorted(left) == sorted(set(self.session.lines) - {"main"})
        for line in self.session.lines.values():
            if line.parent is not None:
                parent = self.session.lines[line.parent]
                origin = step_at(self.session, parent, line.leaves)
                assert origin is not None
                assert line.id in self.session.leaving[origin.key]
                assert line.merged_into is None or line.merged_into in self.session.lines

    @invariant()
    def every_index_names_what_is_there(self):
        session = self.session
        assert session.stale == counting_and_stale(session)
        assert session.stale == {step.key for step in session.steps.values() if step.stale}
        assert {step.running: step.key for step in session.steps.values() if step.running} == {
            attempt: key for attempt, (key, _) in session.running.items()
        }
        assert set(session.cells.values()) <= set(session.steps)
        for keys in session.sources.values():
            assert keys == sorted(set(keys))
            assert set(keys) <= set(session.steps)
        for step in session.steps.values():
            assert step.attempts >= len(step.versions) >= 1
            assert step.running is not None or step.outcome is not None
            if step.revised_by is not None:
                assert session.steps[step.revised_by].current.revises == step.number

    @invariant()
    def every_revision_names_an_earlier_step_that_is_marked(self):
        for step in self.session.steps.values():
            if step.current.revises is not None:
                line = self.session.lines[step.branch]
                revised = step_at(self.session, line, step.current.revises)
                assert revised.number < step.number
                # A revision that is hidden or withdrawn has no word any more.
                assert revised.revised_by is not None or not step.is_counting

    @invariant()
    def every_step_and_line_has_an_answer_and_a_picture(self):
        for step in self.session.steps.values():
            data = json.loads(json.dumps(answer(self.session, step).to_dict(), allow_nan=False))
            assert list(data)[:7] == list(SEVEN)
            assert all(isinstance(data[name], kind) for name, kind in SEVEN.items())
            assert 1 <= data["step_number"] <= data["total_steps"]
            earlier = [key for key in self.session.steps if key <= step.key]
            assert data["step_history_length"] == len(earlier)
        for name, line in self.session.lines.items():
            picture = json.loads(json.dumps(snapshot(self.session, chosen=name), allow_nan=False))
            assert list(picture)[:7] == list(SEVEN)
            assert picture["next_stages"] == list(stage_choices(self.session, line))


TestAnySession = AnySession.TestCase
TestAnySession.settings = settings(max_examples=times(20, 150), stateful_step_count=30)
