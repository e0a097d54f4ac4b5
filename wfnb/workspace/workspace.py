"""what is done in a session, in a user's words -> commands, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from wfnb.core import validation
from wfnb.core.commands import (
    AbandonBranch,
    AddStep,
    ChangePlainNames,
    ChooseStrategy,
    ClearSession,
    ConfirmSteps,
    DescribeStep,
    FinishStep,
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
from wfnb.core.events import (
    Outcome,
    Recorded,
    StepAdded,
    StepChanged,
    StepRepeated,
    StepsConfirmed,
    StepsHidden,
    StepsShown,
    Undone,
)
from wfnb.core.findings import Findings, Issue, Look
from wfnb.core.session import Step
from wfnb.core.step_lookup import line_of
from wfnb.core.steps import recognise
from wfnb.core.validation import MAIN, Place
from wfnb.data_files.strategies import Shelf, shelf
from wfnb.deferral import Deferral
from wfnb.errors import BadValue, JournalError, NoInvestigation, NoRuns, StepNotRunning
from wfnb.files import portable_path
from wfnb.investigations.core.commands import LookAt
from wfnb.journal import Journal
from wfnb.process import has_ended, process
from wfnb.views.answer import Answer

from .arguments import fields, named_values, rename_refusals, resolve_aliases, status
from .session_values import SessionValues
from .session_views import Inquiries, Runs

if TYPE_CHECKING:
    from wfnb.values import Keeper
    from wfnb.workflows.views.result import RunResult


steps_asked: list[Callable[[Workspace, AddStep | None], None]] = []
"""Who is told, in this process, that a step is to be recorded in whatever session: first without
the command, as it may be refused when it is read, then with it."""

looks_told: list[Callable[[Workspace, Sequence[Look], int], bool]] = []
"""Who is told, in this process, of what was looked at (since a position), and says whether it is to
wait for the next step: it may belong to a run of all cells, and is recorded by who says so."""


class Workspace(SessionValues):
    """A session that is open in this process.

    Every method that changes something raises `Refused` for a mistake (nothing is recorded then)
    and `JournalError` where the disk says no (what was recorded stays). `folder` is where the
    paths of files that a step names begin, `notebook` the file that it is used from, if known.
    """

    def __init__(
        self,
        journal: Journal,
        session: int,
        strategies: Callable[[], Shelf] = lambda: shelf(None),
        runner: Callable[[Workspace], Runs] | None = None,
        inquiry: Callable[[Workspace], Inquiries] | None = None,
        keeper: Callable[[], Keeper] | None = None,
    ) -> None:
        super().__init__(journal, session, strategies, runner, keeper)
        self._inquiry = inquiry
        self.folder = Path.cwd()
        self.notebook: Path | None = None
        self.ran: set[int] = set()
        self.opened = self.session.position
        self._close_lost()

    def __repr__(self) -> str:
        return f"<wfnb session {self.session.name!r}: {len(self.session.steps)} steps>"

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
        branch_from: int | str | Place | None = None,
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
        branch_from_step: int | str | Place | None = None,
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
        if keep is not None and not (
            isinstance(keep, Mapping) and all(isinstance(name, str) for name in keep)
        ):
            raise BadValue("keep", f"{keep!r:.80}", 'values by name, as in {"df": df}')
        pairs = {
            "step_description": (step_description, description),
            "step_number": (step_number, number),
            "total_steps": (total_steps, total),
            "revises_step": (revises_step, revises),
            "branch_id": (branch_id, branch),
            "branch_from_step": (branch_from_step, branch_from),
        }
        with rename_refusals(pairs):
            command = self.add_step(
                **resolve_aliases(pairs),
                next_step_needed=next_step_needed,
                needs_more_steps=needs_more_steps,
                is_step_revision=is_step_revision,
                stage=stage,
                fields={} if fields is None else fields,
                outcome=Outcome(status=status(outcome), values=named_values(values or {})),
                finding=finding,
                hypothesis=hypothesis,
                confidence=confidence,
                files=files,
                relevant=relevant,
                context=context,
                issues=issues,
                confirms=confirms,
                refutes=refutes,
                backtrack=backtrack,
                pause=pause,
                keep=tuple(keep or ()),
                tags=tuple(tags),
            )
            step = self.begin(command)
        if keep and outcome == "ok":
            self.keep_with(step, keep, self.session.position)
        self.ask_after_step(step)
        return self.answer(step)

    def add_step(self, description: str, **loose: Any) -> AddStep:
        """The command for a step, from the loose values that `step` takes and from `cell` and
        `outcome`: `"3"` means 3. BadValue names the field that does not read."""
        for tell in steps_asked:
            tell(self, None)
        given = fields(loose)
        command = AddStep(
            description=description,
            **given,
            process=None if given.get("outcome") else process(),
            line=self.line,
            opened=self.opened,
            ran=self.ran,
        )
        if command.findings is None:
            return command
        return replace(command, findings=self._with_portable_paths(command.findings, command))

    def begin(self, command: AddStep, begun: Callable[[Step], None] | None = None) -> Step:
        """Record a step. Without an outcome it is running, and `finish` ends it: `begun` gets the
        step before an interrupt can come between, so that somebody does."""
        for tell in steps_asked:
            tell(self, command)
        if self.session.investigation is not None and self._inquiry is not None:
            command = self._inquiry(self).ready(command)  # without the lock: it may ask somebody
        with self._lock, Deferral():
            for entry in self.do(command):
                if isinstance(entry.event, StepAdded | StepChanged | StepRepeated):
                    line = self.session.lines[entry.event.branch]
                    step = self.session.steps[line.keys[entry.event.number]]
                    self.ran.add(step.key)
            if begun is not None:
                begun(step)
        return step

    def looked(self, *looks: Look, since: int | None = None) -> None:
        """Record what was looked at, where an investigation waits for that; `since` is what
        `looking` said as the look began (default: what it says now). Nothing otherwise."""
        if not looks or self.session.investigation is None:
            return
        since = self.looking() if since is None else since
        waits = any(tell(self, looks, since) for tell in looks_told)
        if self.session.investigation is not None and not waits:
            self.do(LookAt(looks=looks, since=since))

    def looking(self) -> int:
        """The session's position as a look begins; 0 while a step runs in this process: what it
        looks at in its body is part of it, and nothing new after it."""
        if self.session.investigation is not None:
            self.refresh()  # another Workspace of this session may have added the step
        running = self.session.running.values()
        here = any(name == process() for _, name in running)
        return 0 if here else self.session.position

    def ask_after_step(self, step: Step) -> None:
        """A step was recorded as done, or has ended: whoever an investigation asks is asked now."""
        if self.session.investigation is not None and self._inquiry is not None:
            self._inquiry(self).ask_after_step(step)

    def _counts(self, step: Step) -> Mapping[str, Any]:
        if self.session.investigation is None or self._inquiry is None:
            return {}
        return self._inquiry(self).counts(step)

    def confirm(self, *steps: int | str | Place) -> list[str]:
        """Stale steps hold as they are (all, where none is named). Returns which, as `3` or
        `"alt:3"`."""
        places = tuple(validation.place("step", step) for step in steps)
        return _named_steps(self.do(ConfirmSteps(places=places, line=self.line)))

    def hide(self, *steps: int | str | Place) -> list[str]:
        """Leave steps out of lists, pictures, counts and reports; they stay in the history, and no
        longer count on their line. Returns which were not hidden before, as `3` or `"alt:3"`."""
        places = tuple(validation.place("step", step) for step in steps)
        return _named_steps(self.do(HideSteps(places=places, line=self.line)) if places else [])

    def unhide(self, *steps: int | str | Place) -> list[str]:
        """Show hidden steps again (all, where none is named). Returns which, as `hide` does."""
        places = tuple(validation.place("step", step) for step in steps)
        return _named_steps(self.do(ShowSteps(places=places, line=self.line)))

    def describe(
        self, step: int | str | Place, title: str | None = None, reason: str | None = None
    ) -> None:
        """Give a step another title, or another reason under it (`""`: none). It stays the same
        version, and nothing gets stale; its cell, run again as it is, does not change it back."""
        place = validation.place("step", step)
        self.do(DescribeStep(place=place, title=title, reason=reason, line=self.line))

    def tag(
        self, step: int | str | Place, *tags: str, remove: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """Add tags to a step, and `remove` others. Returns those that it has then."""
        place = validation.place("step", step)
        self.do(TagStep(place=place, add=tags, remove=tuple(remove), line=self.line))
        return self.find(place).tags

    def plain_names_of(self, cell: str | None) -> set[str]:
        """The names that steps read, as far as the cell of that id made them last, which is no
        step; in this kernel or in an earlier one."""
        made_in = self.session.freshness.made_in
        return {name for name, by in made_in.items() if by == cell}

    def plain_names_changed(self, versions: Mapping[str, str]) -> None:
        """Cells that are no steps gave names these versions: recorded where steps read others."""
        if not self.session.freshness.plain.keys().isdisjoint(versions):
            self.do(ChangePlainNames(versions=versions))

    def switch(self, branch: str = MAIN) -> None:
        """Choose the line of steps that name no branch. It is this process's choice and is not
        recorded, so that a notebook means the same in a new kernel."""
        self.line = line_of(self.refresh(), branch).id

    def score(self, branch: str, score: float | str, reason: str | None = None) -> None:
        """Say how good a branch is; higher is better."""
        self.do(ScoreBranch(branch=branch, score=validation.number("score", score), reason=reason))

    def select(self, branch: str, reason: str | None = None) -> None:
        """Choose a branch over those that left the same step."""
        self.do(SelectBranch(branch=branch, reason=reason))

    def merge(self, branch: str, into: str | None = None, reason: str | None = None) -> None:
        """Take a branch's work into a line: by default the one it left."""
        self.do(MergeBranch(branch=branch, into=into, reason=reason))

    def abandon(self, branch: str, reason: str | None = None) -> None:
        """Give a branch up; it stays in the history."""
        self.do(AbandonBranch(branch=branch, reason=reason))

    def strategy(self, name: str | None) -> None:
        """Follow a strategy from here on, built in or from `.wfnb/strategies/`; None: none."""
        chosen = None if name is None else self.strategies().get(name)
        self.do(ChooseStrategy(strategy=chosen))

    def rename(self, name: str) -> None:
        """Give the session another name, in all lists. One that was archived is archived no more.
        SessionExists where the name is taken."""
        info = self.journal.info(self.id)
        if info.name != name or info.archived:
            self.do(RenameSession(name=name))

    def clear(self) -> None:
        """Put all steps and branches away. `undo` brings them back."""
        self.do(ClearSession())

    def undo(self) -> str:
        """Take the last change back, and say what it was. `redo` brings it back."""
        entry = self.do(Undo())[-1].event
        assert isinstance(entry, Undone)
        return self._what_changed(entry.to)

    def redo(self) -> str:
        """Bring back what the last `undo` took away, and say what it was."""
        self.do(Redo())
        return self._what_changed(self.session.undo_points[-1])

    @property
    def inquiry(self) -> Inquiries:
        """The session's investigation: kinds, backtracking, more steps."""
        if self._inquiry is None:
            raise NoInvestigation("inquiry")
        return self._inquiry(self)

    # runs

    @property
    def runs(self) -> Runs:
        """The session's runs: started, attended, stopped, resumed, looked at."""
        if self._runner is None:
            raise NoRuns
        return self._runner(self)

    def run(self, workflow: Any, /, **options: Any) -> RunResult:
        """Run a workflow (a definition as data, or a saved one's name), wait for its end, and say
        what it came to. `variables`, `secrets`, `max_states`, `timeout` (seconds), `save` and the
        other options are those of `runs.start`, which does not wait. An interrupt stops the run;
        a run that fails is a result and no exception. Refused before anything is called."""
        return self.runs.run(workflow, **options)

    def _with_portable_paths(self, says: Findings, command: AddStep) -> Findings:
        """With the files that it names as they are kept: relative to the folder, and there. One
        that the step named before, and that is gone since, is no reason not to run it again."""
        known = recognise(self.session, command)
        before = None if known is None else known.current.findings
        named = frozenset() if before is None else frozenset((*before.files, *before.relevant))
        files = tuple(portable_path(file, self.folder, named) for file in says.files)
        relevant = tuple(portable_path(file, self.folder, named) for file in says.relevant)
        return replace(says, files=files, relevant=relevant)

    def _close_lost(self) -> None:
        """Attempts whose process is gone were interrupted: nobody else will say so."""
        for attempt, (_, name) in list(self.session.running.items()):
            if has_ended(name):
                lost = Outcome(status="interrupted", error="the kernel ended while it ran")
                with suppress(StepNotRunning, JournalError):  # one that can only be read is shown
                    self.do(FinishStep(attempt=attempt, outcome=lost))


def _named_steps(entries: Sequence[Recorded]) -> list[str]:
    """The steps that these events name, as `3` or `"alt:3"`."""
    return [
        str(Place(number=number, branch=None if event.branch == MAIN else event.branch))
        for event in (entry.event for entry in entries)
        if isinstance(event, StepsConfirmed | StepsHidden | StepsShown)
        for number in event.numbers
    ]
