"""What investigations add to sessions: commands, events, and their words in the rules and views."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never, get_args

from wfnb.core.commands import AddStep, ExtensionCommand, FinishStep
from wfnb.core.events import Event, ExtensionEvent, Judged, StepFinished
from wfnb.core.extension import Amendment, Extension
from wfnb.core.queries import following_steps, step_at
from wfnb.core.session import Line, Session, Step
from wfnb.core.strategy import Holds
from wfnb.core.validation import place_text
from wfnb.views.step_words import title_of

from .core import assessment, commands, decide, events, reducer, step_rules
from .core.investigation import investigation_of


class InvestigationExtension(Extension):
    """Each method hands over to the module that has the rule."""

    name = events.NAME
    events = get_args(events.Event)

    def decide(self, session: Session, command: ExtensionCommand) -> list[Event]:
        assert isinstance(command, commands.Command)
        return decide.decide(session, command)

    def apply(self, session: Session, event: ExtensionEvent) -> None:
        assert isinstance(event, events.Event)
        reducer.apply(session, event)

    def describe(self, event: ExtensionEvent) -> str:
        assert isinstance(event, events.Event)
        return _describe(event)

    def changed_steps(self, session: Session, event: ExtensionEvent) -> Iterator[Step]:
        if isinstance(event, events.Backtracked):
            first = step_at(session, session.lines[event.branch], event.number)
            if first is not None:
                yield first
                yield from following_steps(session, first.branch, event.number)

    def remains(self, event: Event) -> ExtensionEvent | None:
        return reducer.remains(event)

    def clear(self, session: Session) -> None:
        reducer.clear(session)

    def amend_step(
        self, session: Session, line: Line, number: int, known: Step | None, command: AddStep
    ) -> Amendment | None:
        return step_rules.assess_step(session, line, number, known, command)

    def judge_again(self, session: Session, step: Step, command: FinishStep) -> Judged | None:
        return step_rules.judge_again(session, step, command)

    def add(self, session: Session, step: Step) -> None:
        reducer.on_step_added(session, step)

    def change(self, session: Session, step: Step) -> None:
        reducer.on_step_changed(session, step)

    def finish(self, session: Session, step: Step, event: StepFinished) -> None:
        reducer.on_step_ended(session, step, event)

    def exclude(self, session: Session, step: Step) -> None:
        reducer.exclude(session, step)

    def include(self, session: Session, step: Step) -> None:
        reducer.include(session, step)

    def recount(self, session: Session) -> None:
        reducer.recount(session)

    def missing_at_end(self, session: Session, step: Step) -> tuple[str, ...]:
        return assessment.missing_at_end(session, step)

    def fields(self, session: Session) -> Mapping[str, Holds]:
        now = investigation_of(session)
        asked = {} if now is None else now.kind.fields
        counted = ("count", "models")
        return {name: "value" if it.holds in counted else "text" for name, it in asked.items()}


def _describe(event: events.Event) -> str:
    match event:
        case events.KindChosen(kind=kind, pause=pause, carried=carried):
            if kind is None:
                return "investigation given up"
            more = ["" if pause else "without pauses", f"from {carried.session}" if carried else ""]
            return ", ".join([f"investigation {kind['name']} begun", *filter(None, more)])
        case events.LookedAt(looks=looks):
            said = [title_of(f"{look.kind}: {look.what}", 60) for look in looks]
            return f"looked at {', '.join(said)}"
        case events.Backtracked(branch=branch, number=number, reason=why):
            at = place_text(branch, number)
            return f"withdrawn from step {at} on" + (f": {title_of(why, 60)}" if why else "")
        case events.TotalExtended(old_total=old, new_total=new, reason=reason):
            return f"{new} steps planned instead of {old}: {title_of(reason, 60)}"
        case events.AdviceTaken(advice=advice):
            said = [f"{each.adviser} {'failed' if each.error else '✓'}" for each in advice]
            return f"advice taken: {', '.join(said)}"
        case events.HypothesisJudged(hypothesis=claim, verdict=verdict, reason=why):
            said_why = f": {title_of(why, 60)}" if why else ""
            return f"hypothesis {verdict}: {title_of(claim, 60)}{said_why}"
        case _:
            assert_never(event)
