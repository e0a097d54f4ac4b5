"""Two workspaces on one journal: each decides on what the other recorded, and neither loses any."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.core.drawn import careless_steps, changes, kept, plausible_steps, strategies
from tests.core.story import following
from wfnb.core.commands import Command, FinishStep, KeepValues, Redo, Undo
from wfnb.core.events import Outcome, SessionStarted
from wfnb.core.replay import replay
from wfnb.errors import Refused
from wfnb.journal import SqliteJournal
from wfnb.session_log import SessionLog
from wfnb.workspace import Workspace


class Hurried(SqliteJournal):
    """A journal that lets somebody else write first, once."""

    first: Callable[[], object] | None = None

    def append(self, session, events, after):
        first, self.first = self.first, None
        if first is not None:
            first()
        return super().append(session, events, after)


class TwoWorkspaces(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        path = Path(self.folder.name) / "journal.db"
        self.journals = [Hurried(path), Hurried(path)]
        id, _ = self.journals[0].create("shared", [SessionStarted(name="shared")])
        self.workspaces = [Workspace(SessionLog(journal, id)) for journal in self.journals]

    def teardown(self) -> None:
        for journal in self.journals:
            journal.close()
        self.folder.cleanup()

    @initialize(data=st.data(), count=st.integers(1, 4), strategy=strategies)
    def begin(self, data, count, strategy):
        for turn in range(count):
            self.act(turn % 2, data.draw(plausible_steps(self.session())))
        self.act(0, following(strategy))

    @rule(data=st.data(), who=st.integers(0, 1))
    def one_acts(self, data, who):
        self.act(who, self.drawn(data))

    @rule(data=st.data(), who=st.integers(0, 1))
    def the_other_is_quicker(self, data, who):
        journal, quicker = self.journals[who], self.drawn(data)
        journal.first = lambda: self.act(1 - who, quicker)
        self.act(who, self.drawn(data))
        journal.first = None

    def act(self, who: int, command: Command) -> None:
        workspace = self.workspaces[who]
        before = self.session()
        try:
            told = workspace.log.do(command)
        except Refused as refusal:
            said = str(refusal)
            assert said.isprintable()
            told = []
        now = self.session()
        assert workspace.session == now
        assert told or now == before or now.position > before.position

    def drawn(self, data: st.DataObject) -> Command:
        session = self.session()
        running = sorted(session.running)
        ends = [FinishStep(attempt=attempt, outcome=Outcome()) for attempt in running]
        kinds = [plausible_steps(session), careless_steps, changes(session)]
        steps = st.sampled_from((*session.steps, 10_000))
        kinds.append(st.builds(KeepValues, step=steps, values=kept))
        return data.draw(st.one_of(*kinds, st.sampled_from([Undo(), Redo(), *ends])))

    def session(self):
        return replay(self.journals[0].read(self.workspaces[0].log.id))

    @invariant()
    def both_have_the_same_session(self):
        assert [workspace.log.refresh() for workspace in self.workspaces] == [self.session()] * 2


class TwoThatDoNotLook(TwoWorkspaces):
    """The same, where a workspace hears of the other only when it acts itself."""

    @invariant()
    def both_have_the_same_session(self):
        """Not before they look."""


TestTwoWorkspaces = TwoWorkspaces.TestCase
TestTwoWorkspaces.settings = settings(max_examples=15, stateful_step_count=15)
TestTwoThatDoNotLook = TwoThatDoNotLook.TestCase
TestTwoThatDoNotLook.settings = settings(max_examples=15, stateful_step_count=15)
