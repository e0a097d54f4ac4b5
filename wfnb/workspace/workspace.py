"""what is done in a session, in a user's words -> commands, and what is told of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from wfnb.core import validation
from wfnb.core.commands import (
    AbandonBranch,
    ChooseStrategy,
    ClearSession,
    ConfirmSteps,
    DescribeStep,
    HideSteps,
    MergeBranch,
    Redo,
    RenameSession,
    ScoreBranch,
    SelectBranch,
    ShowSteps,
    TagStep,
    Undo,
)
from wfnb.core.events import Outcome, Recorded, StepsConfirmed, StepsHidden, StepsShown, Undone
from wfnb.core.findings import Issue
from wfnb.core.kept_values import KeptValues
from wfnb.core.replay import changes_of_redo
from wfnb.core.session import Session
from wfnb.core.step_lookup import line_of
from wfnb.core.validation import MAIN, StepPlace
from wfnb.data_files.strategies import Shelf, shelf
from wfnb.errors import BadValue, NoInvestigation, NoRuns
from wfnb.session_log import SessionLog
from wfnb.views.event_sentences import describe
from wfnb.views.graphs import Picture
from wfnb.views.line_comparison import Comparison
from wfnb.views.step_answer import Answer

from .session_values import SessionValues
from .session_views import SessionViews, run_entries
from .step_arguments import ALIASES, named_values, rename_refusals, resolve_aliases, status
from .step_recorder import StepRecorder
from .undo_by_author import take_back
from .value_transfer import LAST, Values

if TYPE_CHECKING:
    from wfnb.investigations.session_investigation import Inquiry
    from wfnb.values import Keeper
    from wfnb.workflows.runner.runner import Runner
    from wfnb.workflows.views.run_result import RunResult


class Workspace:
    """A session that is open in this process: what can be done in it. What there is to see is in
    `views`, what its steps keep in `values`, its workflows in `runs`, and what can be asked of an
    investigation in `investigation`.

    Every method that changes something raises `Refused` for a mistake (nothing is recorded then)
    and `JournalError` where the disk says no (what was recorded stays).
    """

    def __init__(
        self,
        log: SessionLog,
        strategies: Callable[[], Shelf] = lambda: shelf(None),
        runner: Callable[[SessionLog], Runner] | None = None,
        inquiry: Callable[[SessionLog], Inquiry] | None = None,
        keeper: Callable[[], Keeper] | None = None,
    ) -> None:
        self.log = log
        self.views = SessionViews(log, strategies, partial(run_entries, log, runner))
        self.values = SessionValues(log, keeper)
        # Once a session, and only where it is asked for: it brings the investigations along.
        self._inquiry = None if inquiry is None else cache(partial(inquiry, log))
        self.steps = StepRecorder(log, self.values, self._inquiry, runner)
        self._strategies = strategies
        self._runner = runner
        self.steps.close_lost()

    def __repr__(self) -> str:
        return f"<wfnb session {self.session.name!r}: {len(self.session.steps)} steps>"

    @property
    def session(self) -> Session:
        """The session as it is known now."""
        return self.log.session

    @property
    def investigation(self) -> Inquiry:
        """What can be asked of the session's investigation: kinds, looks, findings, advisers."""
        if self._inquiry is None:
            raise NoInvestigation("inquiry")
        return self._inquiry()

    @property
    def runs(self) -> Runner:
        """The session's runs: started, attended, stopped, resumed, looked at."""
        if self._runner is None:
            raise NoRuns
        return self._runner(self.log)

    # commands

    def step(
        self,
        description: str | None = None,
        *,
        number: int | str | None = None,
        total: int | str | None = None,
        next_step_needed: bool | str | None = None,
        needs_more_steps: bool | str | None = None,
        is_step_revision: bool | str | None = None,
        revises: int | str | None = None,
        branch: str | None = None,
        branch_from: int | str | StepPlace | None = None,
        stage: str | None = None,
        fields: Mapping[str, Any] | None = None,
        values: Mapping[str, Any] | None = None,
        keep: Mapping[str, Any] | None = None,
        tags: Sequence[str] = (),
        outcome: Literal["ok", "failed", "interrupted"] = "ok",
        finding: str | Sequence[str] | None = None,
        hypothesis: str | None = None,
        confidence: str | None = None,
        files: str | Sequence[str] = (),
        relevant: str | Sequence[str] = (),
        context: str | Sequence[str] = (),
        issues: str | Issue | Mapping[str, str] | Sequence[str | Issue | Mapping[str, str]] = (),
        confirms: int | str | Sequence[int | str] = (),
        refutes: int | str | Sequence[int | str] = (),
        backtrack: int | str | None = None,
        pause: bool | str | None = None,
        step_description: str | None = None,
        step_number: int | str | None = None,
        total_steps: int | str | None = None,
        revises_step: int | str | None = None,
        branch_id: str | None = None,
        branch_from_step: int | str | StepPlace | None = None,
    ) -> Answer:
        """Record a step that is done, and answer with where the session stands.

        The fields' own names (`step_description`, `step_number`, `total_steps`, `revises_step`,
        `branch_id`, `branch_from_step`) are the same as the short ones; both are refused where they
        differ.

        The rules are those of docs/rules.md (`branch_from=2` opens a branch at step 2, `"alt:3"`
        names step 3 of branch alt); `stage` and `fields` are asked for by the strategy; `values`
        are named results (`{"rmse": 0.31}`) by which branches can be compared. A number that
        exists is another attempt of that step or, with other words, a new version of it. `keep` are
        values of any kind (`{"df": df}`) that `restore` brings back; a step that failed keeps none.
        By its `tags` a step can be searched.

        In an investigation `finding`, `hypothesis`, `confidence`, the `files` that were looked at,
        those that are `relevant`, names of `context` and `issues` (`"high: no check"`) say what was
        found; `confirms` and `refutes` name hypotheses, by number or words, that the step is
        evidence for or against; `backtrack=2` withdraws step 2 and what came after it;
        `pause=False` goes on though nothing was looked at. FileMissing for a file that does not
        exist.
        """
        given = dict(locals())  # every argument by its name, and nothing else yet
        del given["self"], given["keep"], given["values"]
        if keep is not None and not (
            isinstance(keep, Mapping) and all(isinstance(name, str) for name in keep)
        ):
            raise BadValue("keep", f"{keep!r:.80}", 'values by name, as in {"df": df}')
        given["outcome"] = Outcome(status=status(outcome), values=named_values(values or {}))
        given["fields"] = {} if fields is None else fields
        pairs = {long: (given.pop(long), given.pop(short)) for long, short in ALIASES.items()}
        with rename_refusals(pairs):
            given |= resolve_aliases(pairs) | {"keep": tuple(keep or ()), "tags": tuple(tags)}
            command = self.steps.command_for(**given)
            step = self.steps.begin(command)
        if keep and outcome == "ok":
            self.values.keep_with(step, keep, self.session.position)
        self.steps.ask_after_step(step)
        return self.views.answer(step)

    def confirm(self, *steps: int | str | StepPlace) -> list[str]:
        """Stale steps hold as they are (all, where none is named). Returns which, as `3` or
        `"alt:3"`."""
        places = tuple(validation.place("step", step) for step in steps)
        return _named_steps(self.log.do(ConfirmSteps(places=places, line=self.log.line)))

    def hide(self, *steps: int | str | StepPlace) -> list[str]:
        """Leave steps out of lists, pictures, counts and reports; they stay in the history, and no
        longer count on their line. Returns which were not hidden before, as `3` or `"alt:3"`."""
        places = tuple(validation.place("step", step) for step in steps)
        return _named_steps(
            self.log.do(HideSteps(places=places, line=self.log.line)) if places else []
        )

    def unhide(self, *steps: int | str | StepPlace) -> list[str]:
        """Show hidden steps again (all, where none is named). Returns which, as `hide` does."""
        places = tuple(validation.place("step", step) for step in steps)
        return _named_steps(self.log.do(ShowSteps(places=places, line=self.log.line)))

    def describe(
        self, step: int | str | StepPlace, title: str | None = None, reason: str | None = None
    ) -> None:
        """Give a step another title, or another reason under it (`""`: none). It stays the same
        version, and nothing gets stale; its cell, run again as it is, does not change it back."""
        place = validation.place("step", step)
        self.log.do(DescribeStep(place=place, title=title, reason=reason, line=self.log.line))

    def tag(
        self, step: int | str | StepPlace, *tags: str, remove: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """Add tags to a step, and `remove` others. Returns those that it has then."""
        place = validation.place("step", step)
        self.log.do(TagStep(place=place, add=tags, remove=tuple(remove), line=self.log.line))
        return self.log.find(place).tags

    def switch(self, branch: str = MAIN) -> None:
        """Choose the line of steps that name no branch. It is this process's choice and is not
        recorded, so that a notebook means the same in a new kernel."""
        self.log.line = line_of(self.log.refresh(), branch).id

    def score(self, branch: str, score: float | str, reason: str | None = None) -> None:
        """Say how good a branch is; higher is better."""
        self.log.do(
            ScoreBranch(branch=branch, score=validation.number("score", score), reason=reason)
        )

    def select(self, branch: str, reason: str | None = None) -> None:
        """Choose a branch over those that left the same step."""
        self.log.do(SelectBranch(branch=branch, reason=reason))

    def merge(self, branch: str, into: str | None = None, reason: str | None = None) -> None:
        """Take a branch's work into a line: by default the one it left."""
        self.log.do(MergeBranch(branch=branch, into=into, reason=reason))

    def abandon(self, branch: str, reason: str | None = None) -> None:
        """Give a branch up; it stays in the history."""
        self.log.do(AbandonBranch(branch=branch, reason=reason))

    def strategy(self, name: str | None) -> None:
        """Follow a strategy from here on, built in or from `.wfnb/strategies/`; None: none."""
        chosen = None if name is None else self._strategies().get(name)
        self.log.do(ChooseStrategy(strategy=chosen))

    def rename(self, name: str) -> None:
        """Give the session another name, in all lists. One that was archived is archived no more.
        SessionExists where the name is taken."""
        info = self.log.journal.info(self.log.id)
        # Also under its own name: that is how an archived session is taken out again.
        if info.name != name or info.archived:
            self.log.do(RenameSession(name=name))

    def clear(self) -> None:
        """Put all steps and branches away. `undo` brings them back."""
        self.log.do(ClearSession())

    def undo(self, by: str | None = None, since: int | str = 0) -> str:
        """Take the last change back, and say what it was; with `by`, all that this author did after
        entry `since` of the log, and nothing of another's. `redo` brings it back.

        ChangeNeeded where something of another's rests on it, NothingByAuthor where it is nothing.
        """
        if by is not None:
            return ", ".join(take_back(self.log, by, since))
        entry = self.log.do(Undo())[-1].event
        assert isinstance(entry, Undone)
        after = self.log.journal.read(self.log.id, entry.to)
        # One command may record several events: all that begin at its first position are of it.
        return _describe(each for each in after if each.first == entry.to + 1)

    def redo(self) -> str:
        """Bring back what the last `undo` took away, and say what it was."""
        position = self.log.do(Redo())[-1].position
        upto = [entry for entry in self.log.entries() if entry.position <= position]
        return _describe(changes_of_redo(upto))

    def run(self, workflow: Any, /, **options: Any) -> RunResult:
        """Run a workflow (a definition as data, or a saved one's name), wait for its end, and say
        what it came to. `variables`, `secrets`, `max_states`, `timeout` (seconds), `save` and the
        other options are those of `runs.start`, which does not wait. An interrupt stops the run;
        a run that fails is a result and no exception. Refused before anything is called."""
        return self.runs.run(workflow, **options)

    # the parts' most used

    def keep(self, step: int | str | StepPlace, values: Mapping[str, Any]) -> KeptValues:
        """The same as `values.keep`."""
        return self.values.keep(step, values)

    def restore(
        self,
        step: int | str | StepPlace = LAST,
        *names: str,
        into: dict[str, Any] | None = None,
        alone: bool = False,
    ) -> Values:
        """The same as `values.restore`."""
        return self.values.restore(step, *names, into=into, alone=alone)

    def status(self, latest: int | None = None) -> dict[str, Any]:
        """The same as `views.status`."""
        return self.views.status(latest)

    def graph(self) -> Picture:
        """The same as `views.graph`."""
        return self.views.graph()

    def compare(
        self, *branches: str, lowest: Iterable[str] = (), highest: Iterable[str] = ()
    ) -> Comparison:
        """The same as `views.compare`."""
        return self.views.compare(*branches, lowest=lowest, highest=highest)

    def export(
        self, file: str | os.PathLike[str], force: bool = False, figures: bool = True
    ) -> Path:
        """The same as `views.export`."""
        return self.views.export(file, force, figures)


def _describe(entries: Iterable[Recorded]) -> str:
    return ", ".join(describe(entry.event) for entry in entries)


def _named_steps(entries: Sequence[Recorded]) -> list[str]:
    """The steps that these events name, as `3` or `"alt:3"`."""
    return [
        str(StepPlace(number=number, branch=None if event.branch == MAIN else event.branch))
        for event in (entry.event for entry in entries)
        if isinstance(event, StepsConfirmed | StepsHidden | StepsShown)
        for number in event.numbers
    ]
