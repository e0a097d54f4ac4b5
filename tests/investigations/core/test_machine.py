"""Any story of an investigation: what was found is what the steps that count found, and a replay of
the story gives the same session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.amount import times
from tests.core.drawn import changes, hiding, plausible_steps, seldom
from tests.core.story import Story, counting_and_stale
from tests.investigations.core.drawn import kinds, others, said
from wfnb.core.commands import Command
from wfnb.core.queries import last_step
from wfnb.core.replay import replay
from wfnb.core.session import Session
from wfnb.errors import Refused
from wfnb.investigations.core.assessment import assess, review, stagnation
from wfnb.investigations.core.carry_over import carry_findings
from wfnb.investigations.core.finding_parser import findings
from wfnb.investigations.core.hypothesis_fates import fates
from wfnb.investigations.core.investigation import evidence_of, investigation_of
from wfnb.investigations.core.reducer import NOTHING, counts
from wfnb.investigations.core.text_normalization import same_text
from wfnb.views.step_answer import answer


class Investigations(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.story = Story()

    @initialize(kind=kinds)
    def begin(self, kind):
        self.act(kind)

    @rule(data=st.data(), says=said)
    def a_step(self, data, says):
        step: Any = data.draw(plausible_steps(self.story.session))
        found = {
            "findings": findings(says),
            "backtrack": data.draw(seldom(st.integers(1, 5))),
            "pause": data.draw(st.sampled_from((None, False, False))),
            "cell": None,
            "fields": step.fields | data.draw(st.sampled_from(FIELDS)),
        }
        self.act(_with(step, found))

    @rule(data=st.data())
    def something_of_a_branch(self, data):
        self.act(data.draw(changes(self.story.session)))

    @rule(data=st.data())
    def hide_or_show(self, data):
        self.act(data.draw(hiding(self.story.session)))

    @rule(command=others)
    def something_else(self, command):
        self.act(command)

    def act(self, command: Command) -> None:
        before = len(self.story.log)
        try:
            self.story.do(command)
        except Refused as refusal:
            said, recorded = str(refusal), len(self.story.log)
            assert (said.isprintable(), recorded) == (True, before)

    @invariant()
    def what_was_found_is_what_the_steps_that_count_found(self):
        session = self.story.session
        now = investigation_of(session)
        if now is None:
            return
        assert _counted(now.found) == _recounted(session)

    @invariant()
    def the_stale_steps_are_those_that_count_and_have_a_reason(self):
        session = self.story.session
        assert session.stale == counting_and_stale(session)

    @invariant()
    def a_replay_gives_the_same(self):
        assert self.story.session == replay(self.story.log)

    @invariant()
    def every_question_has_an_answer(self):
        session = self.story.session
        step = last_step(session)
        for fate in fates(session):
            assert fate.step.current.findings is not None
        carry_findings(session)
        if step is not None:
            assert answer(session, step).to_dict()["step_number"] == step.number
            assess(session, step)
            stagnation(session, step)
            review(session, step)


FIELDS: tuple[dict[str, Any], ...] = (
    {},
    {},
    {"models": ["bob", "eve:for"]},
    {"total_files_to_document": 2, "num_files_documented": 1},
    {"num_files_documented": 2},
)


def _with(step: Any, more: dict[str, Any]) -> Any:
    values = {name: getattr(step, name) for name in step.__dataclass_fields__}
    return type(step)(**values | more)


def _says(session: Session) -> Iterator[tuple[Any, ...]]:
    """findings, files, relevant, context, issues and opened files of what counts."""
    now = investigation_of(session)
    parts = [] if now.carried is None else [(now.carried.found, now.carried.found.files)]
    parts += [
        (
            step.current.findings or NOTHING,
            [f for look in evidence_of(session, step).all_looks for f in look.files],
        )
        for step in session.steps.values()
        if counts(session, step)
    ]
    for says, opened in parts:
        yield says.findings, says.files, says.relevant, says.context, says.issues, opened


def _counted(found: Any) -> list[Counter[Any]]:
    names = ("findings", "files", "relevant", "context", "issues", "opened")
    return [Counter(getattr(found, name)) for name in names]


def _recounted(session: Session) -> list[Counter[Any]]:
    counters: list[Counter[Any]] = [Counter() for _ in range(6)]
    for findings_, *others_ in _says(session):
        words = [same_text(text) for text in findings_]
        for counter, entries in zip(counters, (words, *others_), strict=True):
            counter.update(entries)
    return counters


TestInvestigations = Investigations.TestCase
TestInvestigations.settings = settings(max_examples=times(12, 60), stateful_step_count=25)
