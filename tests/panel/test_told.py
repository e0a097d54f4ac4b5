"""Whatever happens in a session, in whatever portions it is told: a front end that got a snapshot
and every delta since knows exactly what a new snapshot says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.amount import times
from tests.core.drawn import (
    careless_steps,
    changes,
    hiding,
    outcomes,
    plausible_steps,
    strategies,
)
from tests.core.story import Story, following
from tests.core.test_state_ledger import ROUNDS
from tests.investigations.core.drawn import looks, others, said
from tests.panel.client import Client
from tests.panel.telling import whole
from wfnb.core.commands import Command, FinishStep
from wfnb.errors import Refused
from wfnb.investigations.core.finding_parser import findings
from wfnb.panel import Live, LiveRun, rows_page, snapshot
from wfnb.views.run_entries import RunEntry
from wfnb.views.step_words import RUN_SIGNS


class AnyPicture(RuleBasedStateMachine):
    """A session, what is told of it, and two front ends: one was there from the beginning, the
    other connects later."""

    def __init__(self) -> None:
        super().__init__()
        self.story = Story()
        self.line = "main"
        self.runs: list[LiveRun] = []
        self.known = len(self.story.log)
        self.live = Live(self.story.session)
        self.clients = [Client(self.live.snapshot())]

    @property
    def session(self) -> Any:
        return self.story.session

    @initialize(data=st.data(), count=st.integers(1, 5), strategy=strategies)
    def begin(self, data, count, strategy):
        self.do(following(strategy))
        for _ in range(count):
            self.do(data.draw(plausible_steps(self.session)))

    @rule(data=st.data(), careless=st.integers(0, 5), says=st.none() | said)
    def step(self, data, careless, says):
        step = data.draw(plausible_steps(self.session) if careless else careless_steps)
        if says is not None:
            step = replace(step, findings=findings(says), pause=False)
        self.do(step)

    @precondition(lambda self: self.session.steps)
    @rule(data=st.data(), changed=st.booleans(), outcome=st.none() | outcomes)
    def the_same_step_again(self, data, changed, outcome):
        step = data.draw(st.sampled_from(list(self.session.steps.values())))
        again = data.draw(plausible_steps(self.session))
        words = again.description if changed else step.current.description
        branch = step.branch
        again = replace(again, number=step.number, branch=branch, leaves=None, outcome=outcome)
        self.do(replace(again, description=words, stage=step.current.stage))

    @precondition(lambda self: self.session.steps)
    @rule(data=st.data())
    def a_gap_and_a_step_in_it(self, data):
        step = data.draw(st.sampled_from(list(self.session.steps.values())))
        line = self.session.lines[step.branch]
        again = data.draw(plausible_steps(self.session))
        number = step.number + data.draw(st.integers(1, 3))
        if number not in line.keys:
            self.do(replace(again, number=number, branch=step.branch, leaves=None, revises=None))

    @rule(data=st.data())
    def change(self, data):
        self.do(data.draw(changes(self.session)))

    @rule(command=others)
    def something_else(self, command):
        self.do(command)

    @rule(strategy=strategies)
    def another_strategy(self, strategy):
        self.do(following(strategy))

    @precondition(lambda self: self.session.running)
    @rule(data=st.data(), outcome=outcomes, seen=st.lists(looks, max_size=2))
    def finish(self, data, outcome, seen):
        attempt = data.draw(st.sampled_from(sorted(self.session.running)))
        self.do(FinishStep(attempt=attempt, outcome=outcome, looks=tuple(seen)))

    @precondition(lambda self: self.session.steps)
    @rule(data=st.data())
    def hide_or_show(self, data):
        self.do(data.draw(hiding(self.session)))

    @rule(data=st.data())
    def switch(self, data):
        self.line = data.draw(st.sampled_from(list(self.session.lines)))

    @rule(data=st.data(), status=st.sampled_from(sorted(RUN_SIGNS)))
    def a_run(self, data, status):
        place = data.draw(st.integers(0, len(self.runs)))
        step = data.draw(st.sampled_from((None, *self.session.steps)))
        entry = RunEntry(name=f"run-{place}", workflow="w", status=status, step=step)
        self.runs = [*self.runs[:place], LiveRun(entry=entry), *self.runs[place + 1 :]]

    @rule()
    def tell(self):
        entries, self.known = self.story.log[self.known :], len(self.story.log)
        message = self.live.next_update(self.session, entries, self.line, self.runs)
        for client in self.clients:
            client.told(message)
        now = whole(snapshot(self.session, self.line, self.runs, last=10**6))
        for client in self.clients:
            for row in rows_page(self.session, 0, 500, runs=self.started())["rows"]:
                client.rows.setdefault(row["index"], row)  # what it never asked for
            assert client.picture() == now

    @precondition(lambda self: len(self.clients) < 3)
    @rule(at_once=st.sampled_from((True, False, False, False)))
    def another_front_end_connects(self, at_once):
        if not at_once:
            self.tell()
        self.clients.append(Client(self.live.snapshot()))

    @rule()
    def nothing_happened(self):
        self.tell()
        assert self.live.next_update(self.session, [], self.line, self.runs) is None

    @invariant()
    def rows_are_in_the_order_of_creation(self):
        rows = rows_page(self.session, 0, 500)["rows"]
        assert [row["index"] for row in rows] == list(range(len(rows)))
        assert [row["key"] for row in rows] == sorted(
            self.session.steps.keys() - self.session.hidden
        )

    def started(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for run in self.runs:
            if run.entry.step is not None:
                found.setdefault(run.entry.step, []).append(run.entry.name)
        return found

    def do(self, command: Command) -> None:
        try:
            self.story.do(command)
        except Refused:
            return
        if self.line not in self.session.lines:
            self.line = "main"
        if len(self.story.log) % 3:  # else with the next: several events at once
            self.tell()

    def teardown(self) -> None:
        self.tell()


TestAnyPicture = AnyPicture.TestCase
TestAnyPicture.settings = settings(max_examples=times(12, 60), stateful_step_count=30)


def test_what_a_strategy_keeps_is_told_row_by_row():
    story = Story(*ROUNDS[:2])
    live = Live(story.session)
    client = Client(live.snapshot())
    sent = []

    for command in ROUNDS[2:]:
        before = len(story.log)
        story.do(command)
        message = live.next_update(story.session, story.log[before:]) or {}
        client.told(message)
        sent.append(message.get("ledger"))

    assert client.ledger == snapshot(story.session)["ledger"]
    assert [row[:3] for row in client.ledger["rows"]] == [
        ["start", "0", "1"],
        ["1", "1", "1"],
        ["2", "2", "2.5"],
    ]
    assert [set(each or ()) for each in sent[1:]] == [{"rows"}] * 2 + [set()] + [{"rows"}] * 2
