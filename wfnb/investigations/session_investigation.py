"""a session that is open -> what can be asked of its investigation.

What a kind's fields name outside of the session is looked up here, so that the core stays pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal
from weakref import WeakKeyDictionary

from wfnb.core import validation
from wfnb.core.commands import AddStep
from wfnb.core.decide import decide
from wfnb.core.events import Cell, StepAdded
from wfnb.core.findings import Look
from wfnb.core.queries import counting_head
from wfnb.core.session import Step
from wfnb.core.step_lookup import line_of
from wfnb.core.step_recognition import recognise
from wfnb.core.validation import StepPlace
from wfnb.data_files.investigation_kinds import KindShelf
from wfnb.errors import BadValue, NothingRecorded
from wfnb.hints import Command
from wfnb.inspection.digest import digest
from wfnb.inspection.folder_files import source_state
from wfnb.investigations.advisers.adviser import Request
from wfnb.investigations.advisers.registry import FILE, shelf
from wfnb.investigations.core.assessment import ReviewRequest
from wfnb.investigations.core.assessment import review as wanted
from wfnb.investigations.core.commands import (
    Backtrack,
    ExtendTotal,
    JudgeHypothesis,
    LookAt,
    TakeAdvice,
)
from wfnb.investigations.core.events import Advice, Backtracked
from wfnb.investigations.core.finding_parser import STANCES, models
from wfnb.investigations.core.hypothesis_fates import hypothesis as named
from wfnb.investigations.core.investigation import Investigation, investigation_of
from wfnb.investigations.core.missing_evidence import asks_for_runs, recorded_runs
from wfnb.investigations.core.reducer import counts
from wfnb.investigations.core.repeated_requests import advice_request
from wfnb.investigations.core.repeated_requests import was_requested as was_asked
from wfnb.investigations.core.step_estimate import Estimate, estimate
from wfnb.investigations.core.unresolved_failures import is_outdated
from wfnb.investigations.views.code_evidence import EvidenceView
from wfnb.investigations.views.investigation_page import InvestigationPage
from wfnb.session_log import SessionLog

from .advisers import consensus, consultation, planner, review_request
from .core import decide as investigation_commands
from .kind_choice import choice
from .looks import file_counts, look_commands

_CHANGED = "source files changed since something ran"
_PLANNED: WeakKeyDictionary[SessionLog, Advice] = WeakKeyDictionary()
"""What the planner said of the step that is about to be recorded."""


class Inquiry:
    """The investigation of one session. All methods raise what `Workspace.step` does. `home` is the
    folder that may have an `advisers.yaml`."""

    def __init__(
        self, log: SessionLog, kinds: Callable[[], KindShelf], home: Path | None = None
    ) -> None:
        self.log = log
        self.kinds = kinds
        self.home = home

    def advisers(self) -> dict[str, str]:
        """Who can be asked, each with a line that says more: advisers of this process, of the
        folder, of installed packages; and why one that is there cannot be used."""
        there = shelf(self.home)
        broken = [*there.broken.items(), *([(FILE, there.file)] if there.file else [])]
        return {name: each.says for name, each in there.advisers.items()} | {
            name: str(error) for name, error in broken if name not in there.advisers
        }

    def findings(self) -> InvestigationPage:
        """What was found, to read."""
        return InvestigationPage(self.log.refresh(), self.log.pending_looks())

    def choose(
        self,
        kind: str | None,
        *,
        pause: bool = True,
        reviewer: str | None = None,
        planner: str | None = None,
    ) -> None:
        """Investigate from here on as the kind of that name says; None: no longer. `reviewer` is
        asked about the end, `planner` how many steps it takes; who is not named stays who it was,
        `"none"` is nobody. KindUnknown and AdviserUnknown list the names, AdviserKey names a key
        that is not in the environment."""
        self.log.do(choice(self.kinds(), shelf(self.home), kind, pause, reviewer, planner))

    def check_advisers(self, *names: str | None) -> None:
        """Raise AdviserUnknown, AdviserBroken or AdviserKey for one that could not be asked."""
        asked = [name for name in names if name is not None]
        there = shelf(self.home)
        for name in asked:
            there.ready(name)

    def backtrack(
        self, place: int | str | StepPlace, reason: str | None = None, cell: Cell | None = None
    ) -> list[int] | None:
        """Withdraw a step and all that came after it. Returns the numbers that no longer count;
        None for a `cell` that withdrew the same before: it changes nothing when it runs again."""
        log = self.log
        session = log.refresh()
        # Told are those that this withdrew: others may have been withdrawn before.
        before = {step.key for step in session.steps.values() if step.is_withdrawn}
        command = Backtrack(
            place=validation.place("backtrack", place),
            reason=reason,
            line=log.line,
            cell=cell,
            opened=log.opened,
        )
        if investigation_of(session) is not None and investigation_commands.is_repeat(
            session, command
        ):
            return None
        done = log.do(command)
        if not any(isinstance(entry.event, Backtracked) for entry in done):
            return []
        steps = log.session.steps.values()
        return [step.number for step in steps if step.is_withdrawn and step.key not in before]

    def extend(self, more: int | str, reason: str, cell: Cell | None = None) -> int | None:
        """Ask for more steps than were planned. Returns how many there are now; None for a `cell`
        that asked before. LineEnded where the investigation has ended."""
        log = self.log
        command = ExtendTotal(
            more=validation.whole("more", more),
            reason=reason,
            line=log.line,
            cell=cell,
            opened=log.opened,
        )
        if investigation_commands.is_repeat(log.refresh(), command):
            return None
        log.do(command)
        return log.session.total or 0

    def judge(self, hypothesis: int | str, verdict: str, reason: str | None = None) -> str:
        """Confirm or refute a hypothesis, by its number or its words, and return its words.
        `verdict` is "confirmed" or "refuted"."""
        if verdict not in ("confirmed", "refuted"):
            raise BadValue("verdict", verdict, "confirmed or refuted")
        session = self.log.refresh()
        investigation_commands.require_investigation(session, "hypothesis")
        claim = named(session, hypothesis)
        said: Literal["confirmed", "refuted"] = "refuted" if verdict == "refuted" else "confirmed"
        self.log.do(JudgeHypothesis(hypothesis=claim, verdict=said, reason=reason))
        return claim

    def look(self, what: str | None = None, *targets: str) -> EvidenceView:
        """Look at `changes`, the `last` commit, an `outline`, `calls`, what is `undocumented`, or
        a file; without a word at what the kind offers first. It counts as a look where one is
        awaited, and something is to be seen that was not before. LookUnknown lists the words."""
        cache = None if self.home is None else self.home / file_counts.CACHE
        seen, looked = look_commands.look(self.log, what, targets, cache)
        shown = seen.text
        # By what was shown: looking again where nothing changed is no new look.
        self.log.record_looks(*(replace(each, seen=digest(each.what, shown)) for each in looked))
        return seen

    def advise(self, *advisers: str, cell: Cell | None = None) -> list[Advice] | None:
        """Ask advisers (`"alice"`, `"alice:against"`) where the investigation stands, and record
        what they say; in a consensus they are asked for the proposal. Where none is named: the
        models that did not reply, else the reviewer. Why one did not reply is in its `error`. None
        for a `cell` that asked the same before: it asks nobody when it runs again."""
        session = self.log.refresh()
        now, line = (
            investigation_commands.require_investigation(session, "advise"),
            line_of(session, self.log.line),
        )
        if was_asked(session, cell, advice_request(advisers), self.log.opened):
            return None
        step = counting_head(session, line)
        asked = models(list(advisers)) if advisers else consensus.silent(session, again=True)
        put = consensus.first_counted_step(session) if consensus.models_in_order(session) else None
        if not asked and put is None:
            if now.reviewer is None:
                names = ", ".join(shelf(self.home).advisers) or "none yet"
                raise BadValue(
                    "adviser", "", f"a name, as `{Command('advise', 'NAME')}` says it: {names}"
                )
            asked = ((now.reviewer, STANCES[-1]),)
        # Before anybody is asked: one unknown name must not cost the replies of the others.
        self.check_advisers(*(name for name, _ in asked))
        if step is None or not counts(session, step):
            raise NothingRecorded("advise on")
        about = put or step
        request = review_request.request if put is None else consensus.request
        put_to = [(name, request(session, about, way)) for name, way in asked]
        return self._ask(about, put_to, advisers, cell)

    def suggest_total(self, problem: str, by: str | None = None) -> Estimate:
        """How many steps a problem may take, and why: the adviser's number, or that of the
        session's planner, or the built-in estimate, which is also there where they fail. Nothing
        is recorded."""
        now = investigation_commands.require_investigation(self.log.refresh(), "estimate")
        words = validation.sentence("problem", problem)
        name = by or now.planner
        if name is None:
            return estimate(words, now.kind)
        # The session's planner was checked when it was chosen; a name given now was not.
        if by is not None:
            self.check_advisers(by)
        return planner.suggest_estimate(words, now, self._plan(name, words, now))

    def ready(self, command: AddStep) -> AddStep:
        """The command, with what the kind's fields name outside of the session looked up before
        anything is recorded, and counted where it is to be counted there. RepositoryNone,
        FileMissing, AdviserUnknown, AdviserKey."""
        # Of a step that was refused after its planner was asked: it is not this step's.
        _PLANNED.pop(self.log, None)
        session = self.log.session
        now = investigation_of(session)
        if now is None:
            return command
        known = recognise(session, command)
        # A cell that runs again as it is changes nothing: neither keys nor files need to be there
        # for that.
        if known is not None and file_counts.is_rerun(known, command):
            return command
        if changed := self.source_changes():
            self.log.do(LookAt(looks=changed, since=session.position))
        # Those who replied need no key any more: the notebook may run again without it.
        heard = {*consensus.models_in_order(session)} - {*consensus.silent(session)}
        for name, asked in now.kind.fields.items():
            if asked.holds == "models" and name in command.fields:
                asked_now = models(command.fields[name])
                self.check_advisers(*(model[0] for model in asked_now if model not in heard))
        fields = file_counts.step_fields(self.log, known, command, self.home)
        if fields != command.fields:
            command = replace(command, fields=fields)
        if command.next_step_needed is False:
            command = replace(
                command, left=file_counts.undocumented_files(self.log, command, self.home)
            )
        return self._plan_total(command, now)

    def source_changes(self, looks: Sequence[Look] = ()) -> tuple[Look, ...]:
        """A look that says that what succeeded, these looks included, is older than the source
        files, where it is: nobody tells of a file that an editor writes."""
        now = investigation_of(self.log.session)
        if now is None or not asks_for_runs(now.kind):
            return ()
        runs = [*recorded_runs(now), *looks]
        if not any(look.sources for look in runs):
            return ()
        sources = source_state(self.log.folder)
        if not is_outdated(runs, sources):
            return ()
        return (Look(kind="file", what=_CHANGED, ticks="nothing", sources=sources),)

    def counts(self, step: Step) -> Mapping[str, Any]:
        """The fields of a step whose code has ended that are counted on disk then."""
        return file_counts.file_count_fields(self.log, step, self.home)

    def ask_after_step(self, step: Step) -> None:
        """A step was recorded as done, or has ended: those who are to be asked now are asked. A
        consensus asks all of its models that were not asked yet, side by side; the end of another
        investigation is put to its reviewer. Why one did not reply is recorded."""
        advice = _PLANNED.pop(self.log, None)
        if advice is not None:
            self.log.do(TakeAdvice(advice=(advice,), step=step.key))
        session = self.log.session
        now, outcome = investigation_of(session), step.outcome
        # An adviser may record steps itself: its own must not ask advisers again, without end.
        if consultation.ASKING.get() or now is None or not counts(session, step):
            return
        if outcome is not None and outcome.status in ("failed", "interrupted"):
            return  # it will be run again
        silent = consensus.silent(session)
        put = consensus.first_counted_step(session) if silent else None
        if put is not None:
            self._ask(put, [(n, consensus.request(session, put, stance)) for n, stance in silent])
        end = wanted(session, step)
        if isinstance(end, ReviewRequest) and not _is_reviewed(now, step):
            self._ask(step, [(end.reviewer, review_request.request(session, step))])

    def _ask(
        self,
        step: Step,
        asked: Sequence[tuple[str, Request]],
        words: tuple[str, ...] = (),
        cell: Cell | None = None,
    ) -> list[Advice]:
        advice = consultation.ask(asked, shelf(self.home).get)
        taken = TakeAdvice(advice=tuple(advice), step=step.key, words=words, cell=cell)
        self.log.do(taken)
        return advice

    def _plan(self, name: str, problem: str, now: Investigation) -> Advice:
        request = planner.request(problem, now.kind, self.log.session.name)
        return consultation.ask([(name, request)], shelf(self.home).get)[0]

    def _plan_total(self, command: AddStep, now: Investigation) -> AddStep:
        """The first step of an investigation with a planner has as many steps as that one says."""
        if now.planner is None or now.kind.total.rule != "estimate" or consultation.ASKING.get():
            return command
        session = self.log.refresh()
        if command.total is not None or session.total is not None:
            return command
        # Decided on trial: nobody is asked, and paid for, because of a step that will be refused.
        new = next((each for each in decide(session, command) if isinstance(each, StepAdded)), None)
        if new is None:
            return command
        advice = self._plan(now.planner, command.description, now)
        total = planner.advised_total(now, advice, command.fields)
        if total is None and advice.error is None:
            advice = replace(advice, error=planner.NO_NUMBER)
        _PLANNED[self.log] = advice
        return command if total is None else replace(command, total=new.number - 1 + total)


def _is_reviewed(now: Investigation, step: Step) -> bool:
    return any(key == step.key and each.role == "reviewer" for key, each in now.advice)
