"""a step's words, and how its code ended -> recorded, with all that is asked on the way.

command_for -> begin -> (the step's code runs) -> finish -> ask_after_step
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from wfnb.core import planned_calls, state_ledger
from wfnb.core.commands import AddStep, ChangePlainNames, ChooseRecording, FinishStep
from wfnb.core.data_flow import OF, Flow, Read, with_content_versions
from wfnb.core.decide import decide
from wfnb.core.events import BY_PLACE, Json, Outcome, StepAdded, StepChanged, StepRepeated, Version
from wfnb.core.findings import Findings, Look
from wfnb.core.session import Step
from wfnb.core.step_recognition import recognise
from wfnb.errors import JournalError, StepNotRunning
from wfnb.files import portable_path
from wfnb.interrupt_deferral import Deferral
from wfnb.process_identity import has_ended, process
from wfnb.session_log import LOST, SessionLog, hosts

from .session_values import SessionValues
from .step_arguments import fields
from .value_transfer import KeepRequest

if TYPE_CHECKING:
    from wfnb.investigations.session_investigation import Inquiry
    from wfnb.workflows.runner.runner import Runner


class StepRecorder:
    """The steps of a session, as they are recorded: what the magics and `Workspace.step` use."""

    def __init__(
        self,
        log: SessionLog,
        values: SessionValues,
        inquiry: Callable[[], Inquiry] | None,
        runner: Callable[[SessionLog], Runner] | None = None,
    ) -> None:
        self._log = log
        self._values = values
        self._inquiry = inquiry
        self._runner = runner

    def command_for(self, description: str, **given: object) -> AddStep:
        """The command for a step, from the values that `Workspace.step` takes, by name, and from
        those of the command that are no words: `"3"` means 3. BadValue names the field that does
        not read."""
        for host in hosts:
            host.on_step_tried()
        values = fields(given)
        command = AddStep(
            description=description,
            **values,
            # A step with an outcome is over: no process can be lost with it.
            process=None if values.get("outcome") else process(),
            line=self._log.line,
            opened=self._log.opened,
            ran=self._log.ran,
        )
        says = command.findings
        if says is None or not (says.files or says.relevant):
            return command
        return replace(command, findings=self._with_portable_paths(says, command))

    def begin(self, command: AddStep, begun: Callable[[Step], None] | None = None) -> Step:
        """Record a step. Without an outcome it is running, and `finish` ends it: `begun` gets the
        step before an interrupt can come between, so that somebody does."""
        log = self._log
        for host in hosts:
            host.on_step(log, command)
        if (inquiry := self._investigation()) is not None:
            command = inquiry.ready(command)  # without the lock: it may ask somebody
        if planned_calls.FIELD in command.fields:
            self._check_plan(command)
        # An interrupt between the recording and `begun` would leave a step running that nobody
        # ends.
        with log.lock, Deferral():
            for entry in log.do(command):
                if isinstance(entry.event, StepAdded | StepChanged | StepRepeated):
                    line = log.session.lines[entry.event.branch]
                    step = log.session.steps[line.keys[entry.event.number]]
                    log.ran.add(step.key)
            if begun is not None:
                begun(step)
        return step

    def record_cells(self, on: bool = True, quiet: bool = False) -> None:
        """Choose whether each plain cell of the notebook is a step from here on. `quiet`: those
        show no answer."""
        self._log.do(ChooseRecording(on=on, quiet=quiet and on))

    def state_names(self, command: AddStep) -> tuple[str, ...]:
        """The variables whose values are the state that the step keeps, by its strategy."""
        session = self._log.session
        if session.strategy is None or session.strategy.keeps != "rounds":
            return ()
        session = self._log.refresh()
        events = (event for event in decide(session, command) if isinstance(event, Version))
        return next(
            (state_ledger.names_in(event.fields.get(state_ledger.FIELD)) for event in events), ()
        )

    def _check_plan(self, command: AddStep) -> None:
        """Refused where a strategy's plan names tools or inputs that there are not."""
        strategy, planned = self._log.session.strategy, command.fields[planned_calls.FIELD]
        if strategy is None or strategy.keeps != "evidence" or not planned or not self._runner:
            return
        from wfnb.workflows.runner.planned_call_workflow import plan_workflow  # noqa: PLC0415  heavy

        self._runner(self._log).check(plan_workflow(planned_calls.calls(planned)))

    def finish(
        self,
        attempt: int,
        outcome: Outcome,
        wanted: KeepRequest | None = None,
        flow: Flow | None = None,
        looks: Sequence[Look] = (),
        held: Callable[[str], Read] | None = None,
    ) -> Step:
        """Record how the attempt that began at position `attempt` ended (`Step.running`), what is
        kept of it, and what it read and wrote (None: that is not known). In an investigation
        `looks` are what its code looked at. `held` says what a name holds now. StepNotRunning where
        it was undone or run again elsewhere meanwhile."""
        log = self._log
        # The store first, then the session: values are written without its lock, as that may take
        # long.
        with nullcontext() if wanted is None else self._values.hold_store():
            kept = None if wanted is None else self._values.keep_requested(wanted, attempt)
            if flow is not None and kept is not None:
                flow = with_content_versions(flow, kept)
                # What a pattern meant, or shares objects with what was asked for.
                beside = [n for n in kept.names if n not in flow.writes and n not in flow.reads]
                if held is not None and beside:
                    flow = replace(flow, held={name: held(name) for name in beside})
            with log.lock:
                # The journal is asked only where the attempt is not known: another process may have
                # recorded it.
                if attempt not in log.session.running and attempt not in log.refresh().running:
                    raise StepNotRunning(attempt)
                key, _ = log.session.running[attempt]
                inquiry = self._investigation()
                counted: Mapping[str, Json] = {}
                if inquiry is not None:
                    counted = inquiry.counts(log.session.steps[key])
                    looks = (*looks, *inquiry.source_changes(looks))
                ended = FinishStep(
                    attempt=attempt,
                    outcome=outcome,
                    values=kept,
                    flow=flow,
                    looks=tuple(looks),
                    fields=counted,
                )
                log.do(ended)
                return log.session.steps[key]

    def ask_after_step(self, step: Step) -> None:
        """A step was recorded as done, or has ended: whoever an investigation asks is asked now."""
        if (inquiry := self._investigation()) is not None:
            inquiry.ask_after_step(step)

    def close_lost(self) -> None:
        """Attempts whose process is gone were interrupted: nobody else will say so."""
        # A copy: ending an attempt takes it out of the mapping.
        for attempt, (_, name) in list(self._log.session.running.items()):
            if has_ended(name):
                with suppress(StepNotRunning, JournalError):  # one that can only be read is shown
                    self._log.do(FinishStep(attempt=attempt, outcome=LOST))

    def plain_names_of(self, cell: str | None) -> set[str]:
        """The names that steps read, as far as the cell of that id made them last, which is no
        step; in this kernel or in an earlier one, where its id says that it is the same."""
        if cell is None or cell.startswith(BY_PLACE):
            return set()
        made_in = self._log.session.staleness.made_in
        return {name for name, by in made_in.items() if by == cell}

    def change_plain_names(self, versions: Mapping[str, str]) -> None:
        """Cells that are no steps gave names these versions: recorded where steps read others."""
        wholes = (name.partition(OF)[0] for name in versions)
        if not self._log.session.staleness.plain.keys().isdisjoint((*versions, *wholes)):
            self._log.do(ChangePlainNames(versions=versions))

    def _investigation(self) -> Inquiry | None:
        if not self._log.session.is_extended or self._inquiry is None:
            return None
        return self._inquiry()

    def _with_portable_paths(self, says: Findings, command: AddStep) -> Findings:
        """With the files that it names as they are kept: relative to the folder, and there. One
        that the step named before, and that is gone since, is no reason not to run it again."""
        known = recognise(self._log.session, command)
        before = None if known is None else known.current.findings
        named = frozenset() if before is None else frozenset((*before.files, *before.relevant))
        folder = self._log.folder
        files = tuple(portable_path(file, folder, named) for file in says.files)
        relevant = tuple(portable_path(file, folder, named) for file in says.relevant)
        return replace(says, files=files, relevant=relevant)
