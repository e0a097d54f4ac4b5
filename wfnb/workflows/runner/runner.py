"""a session's runs: started, attended, stopped, answered, resumed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from wfnb.author_context import AUTHOR, author_context
from wfnb.core import validation
from wfnb.core.findings import Look
from wfnb.core.planned_calls import plan as planned_calls
from wfnb.core.queries import head
from wfnb.errors import (
    JournalError,
    NotTrusted,
    PlanNone,
    Refused,
    RunAlive,
    RunElsewhere,
    RunEndedAlready,
    RunFolderElsewhere,
    RunFolderGone,
    SecretMissing,
    WorkflowInvalid,
)
from wfnb.files import portable_path
from wfnb.inspection.folder_files import source_state
from wfnb.interrupt_deferral import Deferral
from wfnb.process_identity import has_ended, process
from wfnb.workflows.core.commands import EndRun, Lost, ResumeRun, StopRun
from wfnb.workflows.core.decide import ask
from wfnb.workflows.core.next_action import End, next_action
from wfnb.workflows.core.run import Call
from wfnb.workflows.definition.reader import Definition
from wfnb.workflows.definition.schema_fit import misfits
from wfnb.workflows.definition.scope import CAUGHT, NESTED
from wfnb.workflows.definition.variable_values import as_declared
from wfnb.workflows.run_log import RunLog
from wfnb.workflows.tools.process_cleanup import end_marked, mark, sweep
from wfnb.workflows.tools.registry import REGISTRY
from wfnb.workflows.views.run_result import RunResult

from . import nested_run
from .active_run import ActiveRun, answer_question
from .callable_tools import callable_tools, need_notebook
from .event_loop import engine
from .local_runs import alive, enter, is_remote, leave, local_loop, place, running_here
from .nested_run import left_open, lost_in, nothing_left, uncertain
from .planned_call_workflow import gathered, plan_workflow
from .resume_warnings import (
    OPEN,
    called_again,
    ended_with_attempt,
    kept_as_it_was,
    kept_with_other_values,
    need_given_terminals,
    need_terminals,
)
from .run_context import RunContext
from .run_loop import RunLoop
from .run_start import CheckedWorkflow, checked_again, checked_secrets, record_start
from .save_workflow import unsaved_notes
from .session_runs import WELL, SessionRuns
from .tool_call_looks import deed, has_failed, seen_in

_NOTHING_UNKNOWN = (
    "`--{}` changed nothing: no call was cut off whose outcome is unknown, and none that succeeded "
    "comes after what was undone"
)

_UNSIGNED = (
    "is not signed by you: it may have come with the folder, or an earlier version of wfnb "
    "recorded it"
)


_TIDYING = 3.0
"""Seconds that a run which has ended may take to leave."""


class Runner(SessionRuns):
    """The runs of one session. `home` is the `.wfnb` folder (saved workflows and results),
    `folder` where relative paths start, `namespace` the notebook's names."""

    _begun: ActiveRun | None = None

    def run(self, workflow: Any, /, **options: Any) -> RunResult:
        """Start it and wait for its end: `start` says what may be given. An interrupt stops it."""
        with self.attending():
            running = self.start(workflow, **options)
            running.attend()
        return self.result(running)

    @contextmanager
    def attending(self) -> Iterator[None]:
        """Around what begins a run and attends it: an interrupt that comes right before it is
        attended stops it, too."""
        before = self._begun
        try:
            yield
        except KeyboardInterrupt:
            # `start` may have begun the run before the interrupt came out of it: then there is
            # something to stop, and nobody else has a reference to it.
            begun = self._begun
            if begun is not None and begun is not before and not begun.is_done:
                begun.interrupt()
                begun.attend()
            raise

    def start(
        self,
        workflow: Any,
        /,
        *,
        variables: Mapping[str, Any] | None = None,
        secrets: Mapping[str, str] | None = None,
        max_states: int | None = None,
        timeout: float | None = None,
        save: bool = True,
        overwrite: bool = False,
        reuse: bool = True,
        on: Any = None,
        step: int | None = None,
        origin: tuple[str, ...] = (),
        lasting: bool = False,
        park: float | None = None,
        key: str | None = None,
    ) -> ActiveRun:
        """Begin a run of a definition (JSON data or a Workflow), of a saved workflow (its name), or
        of what `check` gave, which has its variables, secrets and limits.

        `variables` are what it begins with, `secrets` those that are never written down; `timeout`
        is in seconds. `save`: keep the definition in the library when it succeeds, `overwrite`: in
        place of another of its name. `reuse`: results that were kept may stand for calls that say
        `cache`. `on` is where tools that may travel are called: an Executor, or what `executor`
        reads. `step` is the key of the session's step that the run belongs to (default: the last
        of the line). `origin` is where the definition was written (a session, a cell): saved from
        there before, it is replaced by this one, and its earlier version kept. `lasting`: the
        terminals that it opens stay open after it. `park`: for how many seconds it may wait before
        it is left, for `wfnb work` or `resume` to go on with (None: for as long as it may take).
        `key` is recorded with it, for `by_key` to find it by.

        Raises Refused before anything is called, JournalError where the disk says no.
        """
        # It may have connected to a cluster: whatever is refused from here on has to close that.
        around = self._new_context(reuse, on)
        with around.closed_on_failure():
            # a command line checks before there is a journal, and starts what it checked
            what = (
                workflow
                if isinstance(workflow, CheckedWorkflow)
                else self.check(workflow, variables, secrets, max_states, timeout, around)
            )
            around.know(what.secrets)
            around.lasting = lasting
            step = self._step() if step is None else step
        doubts = tuple(map(str, what.warnings))
        with Deferral():
            with around.closed_on_failure():
                log = record_start(around, what, step=step, origin=origin, key=key)
            return self._perform(log, around, save, overwrite, what.saved, doubts=doubts, park=park)

    def call(self, tool: str, /, **params: Any) -> dict[str, Any]:
        """Call one tool, as a run of one action named `call`, and give the fields of its result: a
        failure is one of them (`success`). A terminal that is opened so stays open for the next."""
        # The values go in as variables, where the check of the workflow would not see what they
        # are.
        programs: Collection[str] = ()
        if tool in REGISTRY.names():
            programs = REGISTRY.get(tool).verbatim
            wrong = misfits(params, REGISTRY.get(tool).parameters, ("steps", 0, "args"))
            if problems := tuple(wrong):
                raise WorkflowInvalid(problems)
        given, args = {}, {}
        for n, (name, value) in enumerate(params.items()):  # a value in a variable is no template
            if name in programs or _is_keys(value):
                args[name] = value
            else:
                args[name], given[f"given_{n}"] = f"{{given_{n}}}", value
        step = {"id": "call", "tool": tool, "args": args}
        what = {"name": "call", "steps": [step]}
        with self.attending():
            running = self.start(what, variables=given, save=False, lasting=tool == OPEN)
            running.attend()
        return dict(running.run.results.get("call", {"success": False, "error": running.run.error}))

    def run_plan(self) -> dict[str, Any]:
        """Run the calls that the strategy planned, and give what each gave by its label: the
        `values` of the step that records it. None for a call that failed. PlanNone."""
        session = self.session_log.refresh()
        calls = planned_calls(session, session.lines[self.session_log.line])
        if not calls:
            raise PlanNone
        result = self.run(plan_workflow(calls), save=False)
        return gathered(calls, self.log(result.run).run.results)

    def resume(
        self,
        name: str | None = None,
        *,
        workflow: Any = None,
        start: str | None = None,
        variables: Mapping[str, Any] | None = None,
        secrets: Mapping[str, str] | None = None,
        lost: Lost = "ask",
        save: bool = True,
        overwrite: bool = False,
        reuse: bool = True,
        on: Any = None,
        park: float | None = None,
    ) -> ActiveRun:
        """Go on with a run (the last that did not succeed, where none is named) from the action
        that failed, keeping what succeeded; or from the action `start`. `variables` replace those
        it had. `workflow` is its definition from here on, as `start` takes it: what succeeded is
        kept by its state or step id, and not called again because it is defined otherwise; what is
        new, or failed, is called as it is defined now. `lost`: what to do about calls whose end
        nobody saw, or which succeeded and come after what was undone (see ResumeRun).

        Raises Refused, StateGone where a new definition has no longer the state that the run is at,
        NestedLeft where a nested run that was cut off would not go on, TerminalGone where what is
        left to do needs a terminal that has ended, and SecretMissing where a secret is not given
        again, among them.
        """
        log = self.log(name or self._resumable())
        # Also for a nested run whose parent goes on here: the journal alone would call it cut
        # off.
        active = running_here(log.journal, log.info)
        if active is not None and active.run.status != "running":
            with suppress(JournalError):  # it has ended, and what it started is being ended
                active.wait(_TIDYING)
            active = running_here(log.journal, log.info)
        if active is not None:
            raise RunAlive(process())
        self._check_own(log)
        folder = self._folder_of(log)
        known_as = log.run.workflow.name
        # Without it a mended definition would be saved under a hash, beside the one that it
        # mends.
        if isinstance(workflow, Mapping) and "name" not in workflow and known_as is not None:
            workflow = {"name": known_as, **workflow}
        mended = None if workflow is None else self.read(workflow)
        around = self._new_context(reuse, on)
        around.folder = folder
        with around.closed_on_failure():
            declared = (mended or log.run.workflow).variables
            new = validation.fields(as_declared(declared, variables or {}), exact=True)
            hidden = checked_secrets(secrets or {}, log.run.secrets)
            # Before anything is recorded: to fail later, at the first call that needs it, would
            # undo what is done already.
            missing = tuple(name for name in log.run.secrets if name not in {*new, *hidden})
            if missing:
                raise SecretMissing(log.name, missing)
            what = checked_again(around, log.run, mended, new, hidden)
            around.know(what.secrets)
            known: dict[str, Any] = {"variables": what.variables, "secrets": (*what.secrets,)}
            own = lost_in(lost, log.name)
            # These three are of the run as it was: `_take` changes it.
            repeats = tuple(called_again(log.run, start, mended, own))
            there = {each.session_id for each in around.terminals.list()}
            before = dict(log.run.initial)
        with Deferral():
            with around.closed_on_failure():
                unknown = self._take(
                    log, lost=lost, start=start, workflow=mended, terminals=there, **known
                )
            doubts = [str(warning) for warning in what.warnings]
            doubts += (
                []
                if unknown or not isinstance(lost, str) or lost == "ask"
                else [_NOTHING_UNKNOWN.format(lost)]
            )
            doubts += repeats
            doubts += kept_as_it_was(log.run) if mended else ()
            doubts += kept_with_other_values(log.run, before)
            doubts += ended_with_attempt(log.run, there)
            if folder != self.folder:
                doubts.append(f"it goes on in {folder}, where it began")
            saved = workflow if isinstance(workflow, str) else None
            return self._perform(log, around, save, overwrite, saved, lost, tuple(doubts), park)

    def cancel(
        self,
        name: str | None = None,
        rollback: bool | None = None,
        reason: str | None = None,
        *,
        secrets: Mapping[str, str] | None = None,
    ) -> RunLog:
        """Ask a run to stop: the one that is running, where none is named, in whatever process
        (RunAmbiguous: several are).
        One that has ended without success, and could not be undone or was not, is rolled back now;
        one whose process is gone is ended, and rolled back, here: with the `secrets` that its
        compensations need, which nobody else knows any more. Raises CallUncertain where a
        compensation, or what is always done last, was being called, of which nobody knows whether
        it was done."""
        log, hidden = self.log(name or self.going()), secrets or {}
        hidden = checked_secrets(hidden, log.run.secrets)
        if not alive(log):
            self._check_own(log)
            # Before the stop is recorded: a refusal must leave the run as it was.
            log.on_latest(lambda: _ask_of_cut_off(log))
            if log.run.has_effects or log.run.workflow.always:
                self._folder_of(log)
        if rollback and log.run.has_effects and log.run.status not in ("running", *WELL):
            with Deferral():
                log.on_latest(lambda: _begin_rollback(log, reason))
                undoing = self._perform_rest(log, hidden)
            undoing.wait()
            return log
        log.do(StopRun(why="cancelled", reason=reason, rollback=rollback))
        if log.run.status == "running" and not alive(log):
            with suppress(RunAlive, RunEndedAlready):  # another process was quicker
                self._end(log, hidden)
        return log

    def answer(self, answer: Any, to: str | None = None, name: str | None = None) -> str:
        """Answer the open question: of the run `name`, of its action `to`. Returns the answer as
        it counts. RunAmbiguous where no run is named and several ask."""
        log = self.asking(name)
        return answer_question(log, answer, to, local_loop(log.journal, log.info))

    # inside

    def _perform(
        self,
        log: RunLog,
        around: RunContext,
        save: bool,
        overwrite: bool,
        saved: str | None,
        lost: Lost = "again",
        doubts: tuple[str, ...] = (),
        park: float | None = None,
    ) -> ActiveRun:
        """`saved` is the name under which the workflow is in the library already."""
        began = self.session_log.look_position()
        here = engine()
        around.root = self._root(log)
        around.mark = mark(around.root)
        run_loop = RunLoop(
            log,
            around,
            here.loop,
            nesting=nested_run,
            save=save and saved is None,
            overwrite=overwrite,
            lost=lost,
            park=park,
        )
        # Entered before it is submitted: the loop's thread may end the run before this line's
        # next.
        running = ActiveRun(run_loop)
        running.warnings = doubts
        around.output = running.add_output
        enter(running)
        running.future = here.submit(self._perform_run(running, saved, began))
        self._begun = running
        return running

    async def _perform_run(self, running: ActiveRun, saved: str | None, began: int) -> None:
        log, run_loop, around = running.log, running.run_loop, running.run_loop.around
        began_by = AUTHOR.get()
        AUTHOR.set(None)  # what the run does itself, nobody does
        try:
            await run_loop.perform()
            left = unsaved_notes(self.library, log.run) if run_loop.save else ()
            said = [*running.warnings, *run_loop.warnings, *left]
            # A success is never resumed, so the missing key would be noise.
            if log.run.status not in WELL and (fault := log.journal.seal_fault()):
                said.append(f"this process alone can go on with it: {fault}")
            running.warnings = tuple(dict.fromkeys(said))
            if saved is not None and log.run.status == "success":
                with suppress(Refused, OSError):  # it has succeeded all the same
                    self.library.count_success(saved)  # a version has no count
        finally:
            # In `finally`: what a failed run looked at was looked at all the same.
            if self.session_log.session.is_extended:
                # the run is what it is all the same
                with suppress(JournalError), author_context(began_by):
                    looks = [*self._looks(log, around.folder), *self._nested_looks(run_loop)]
                    self.session_log.record_looks(*looks, since=began)
            try:
                # Terminals first: they end their programs gently. Then whatever bears the mark is
                # killed.
                await around.terminals.close(around.root)
                loop = asyncio.get_running_loop()
                if around.marked:
                    await loop.run_in_executor(None, end_marked, around.mark)
                # Off the loop: closing a client waits for its thread.
                if around.executor is not None:
                    await loop.run_in_executor(None, around.close)
            finally:
                # Last, also after a fault: until here a resume in this process has to be refused.
                leave(running)
                running.changed.set()

    def _nested_looks(self, run_loop: RunLoop) -> Iterator[Look]:
        """What the runs within it looked at."""
        journal, info = run_loop.log.journal, run_loop.log.info
        for nested in journal.runs(info.session) if run_loop.passed else ():
            if nested.id in run_loop.passed:
                yield from self._looks(RunLog(journal, nested), run_loop.around.folder)

    def _looks(self, log: RunLog, folder: Path) -> Iterator[Look]:
        """What the calls looked at that were made since the run was resumed: the files that were
        read, else the tools, with how they ended. Not those that show nothing but their own
        words."""
        sources = ""
        for call in log.run.calls.values():
            # Only a call that was made took any time: not one that was skipped, is taken as done,
            # or failed before its tool was called.
            made = call.id > log.run.resumed and call.duration is not None
            if not made or call.cached or call.gathers or call.tool == NESTED:
                continue
            done = deed(call.tool, call.params)
            if done is None:
                continue
            seen = seen_in(call.tool, call.params, call.result, call.status)
            sources = sources or (source_state(self.session_log.folder) if done.acts else "")
            read = []
            for word in done.words:
                with suppress(Refused):
                    read.append(portable_path(word, folder))
            look = Look(
                kind="tool",
                what=f"{call.tool} · {call.status}",
                files=tuple(file for file in read if (folder / file).is_file()),
                acts=done.acts,
                failed=_has_failed(call) if done.acts else None,
                seen=seen,
                sources=sources if done.acts else "",
                runs=done.runs,
            )
            with suppress(Refused):  # the tool or the file is gone, or its name is a secret
                sees = REGISTRY.get(call.tool).sees
                if sees is not None and call.status == "ok":
                    file = portable_path(str(call.params.get(sees)).rstrip("\r\n"), folder)
                    look = Look(kind="file", what=file, files=(file,), seen=seen)
            yield look

    def _step(self) -> int | None:
        session = self.session_log.session
        last = head(session, session.lines[self.session_log.line])
        return None if last is None else last.key

    def _check_own(self, log: RunLog) -> None:
        """NotTrusted for a run that would go on, or be rolled back, by calling what somebody else
        has written into the journal: or one that it called."""
        if not log.journal.is_own(log.info.id):
            where = os.path.basename(log.journal.place)
            raise NotTrusted(f"Run {log.name!r}", where, "would call its tools", _UNSIGNED)
        for info in log.journal.runs(log.info.session, log.info.id):
            self._check_own(RunLog(log.journal, info))

    def _take(
        self,
        log: RunLog,
        *,
        lost: Lost,
        start: str | None = None,
        workflow: Definition | None = None,
        terminals: Collection[str] | None = None,
        stopped: bool = False,
        **given: Any,
    ) -> bool:
        """The run is this process's from here on, unless another one has it or was quicker. What a
        process that is gone had started is ended first: it may be started again. Nothing is
        recorded where the run needs another terminal than these (None: it needs none), or, if it
        was `stopped`, where it has ended since. Whether there is any call that `lost` says
        something of."""
        if log.run.process != process() and has_ended(log.run.process):
            sweep()

        def taken() -> bool:
            with log.batch_commands() as batch:
                if stopped and log.run.status != "running":
                    raise RunEndedAlready(log.run.status)
                # A process on another machine cannot be seen: only a person knows whether it is
                # gone, and says so by any other `lost`.
                if is_remote(log) and lost == "ask":
                    raise RunElsewhere(log.run.process or "unknown")
                lives = alive(log) and not is_remote(log)
                found = tuple(uncertain(log.journal, log.info, log.run, start, workflow))
                if not lives:
                    ask(left_open(found, lost, log.name))
                    doing = start, workflow, lost, terminals
                    nothing_left(log.journal, log.info, log.run, *doing)
                own = lost_in(lost, log.name)
                given.update(start=start, workflow=workflow, alive=lives, lost=own)
                batch.do(ResumeRun(process=process(), **given))
                if terminals is not None:
                    # After the resume within the batch, as what is ready is known only then; a
                    # refusal here drops the whole batch.
                    need_terminals(log.run, terminals)
                    need_given_terminals(log.run, terminals)
            return any(unknown or standing for *_, unknown, standing in found)

        return log.on_latest(taken)

    def _end(self, log: RunLog, secrets: Mapping[str, str]) -> None:
        """A run that was stopped, and whose process is gone, comes to its end."""
        # Innermost first, and the newest before the older: a rollback undoes in reverse order.
        stop = log.run.stop
        for info in reversed(log.journal.runs(log.info.session, log.info.id)):
            child = RunLog(log.journal, info)
            if info.status == "running":
                with suppress(RunEndedAlready):  # as above
                    _stop_left(child, StopRun(rollback=None if stop is None else stop.rollback))
                    self._end(child, secrets)
        asks = bool(_after_stop(log.run.open.values()))
        with Deferral():
            # its process may only just be gone, or another one ends it
            self._take(log, lost="ask" if asks else "again", stopped=True)
            rest = None
            if not all(isinstance(do, End) for do in next_action(log.run)):
                rest = self._perform_rest(log, secrets)
            else:
                _record_end(log)
        if rest is not None:
            rest.wait()
            _record_end(log)

    def _perform_rest(self, log: RunLog, secrets: Mapping[str, str]) -> ActiveRun:
        """What is left of a run that was stopped: compensations, and what is always done last."""
        around = self._new_context(True, None)
        around.folder = self._folder_of(log)
        around.know(secrets)
        return self._perform(log, around, False, False, None)

    def _folder_of(self, log: RunLog) -> Path:
        """Where a run goes on: where it began. In another folder, what is called would find other
        files, or none, and `rm -f` would undo nothing as a success. Raises RunFolderGone,
        RunFolderElsewhere."""
        run = log.run
        there = self.folder if run.folder is None else self.home.parent / run.folder
        if not there.is_dir():
            raise RunFolderGone(log.name, os.path.abspath(there))
        if self.folder.is_dir() and there.samefile(self.folder):
            return self.folder
        # With the names of a notebook it runs in that one's process, wherever that is.
        tools = callable_tools(run.workflow, self.library, run.workflow.actions)
        if self.namespace is None and need_notebook({*tools}):
            raise RunFolderElsewhere(log.name, os.path.abspath(there))
        return there

    def _root(self, log: RunLog) -> str:
        # An id is one run's in its journal only; terminals and processes are found by this name
        # among those of all journals.
        where = sha256(os.fsencode(place(log.journal))).hexdigest()[:8]
        return f"{where}-{log.info.id}"


def _ask_of_cut_off(log: RunLog) -> None:
    if not alive(log):
        found = uncertain(log.journal, log.info, log.run)
        ask((name, run, _after_stop(unknown), ()) for name, run, unknown, _ in found)


def _after_stop(calls: Iterable[Call]) -> list[Call]:
    """Those among them that are made though the run was stopped: compensations, and what is always
    done last."""
    return [call for call in calls if call.undoes is not None or call.work.always]


def _stop_left(log: RunLog, stop: StopRun) -> None:
    """Raises RunAlive where a process has the run: it is on its way to an end already."""

    def stopped() -> None:
        with log.batch_commands() as batch:
            if alive(log):
                raise RunAlive(log.run.process or "unknown")
            batch.do(stop)

    log.on_latest(stopped)


def _record_end(log: RunLog) -> None:
    """Nothing is left to do of it."""
    for do in next_action(log.run):
        if isinstance(do, End):
            log.do(EndRun(status=do.status, error=do.error))


def _is_keys(value: Any) -> bool:
    """Whether it is a text with keys for a terminal in it (Ctrl-C, cursor keys), which no variable
    takes, and without a placeholder, so that it may stand in a definition."""
    if not isinstance(value, str) or not {"{", "}"}.isdisjoint(value):
        return False
    return not all(sign.isprintable() for sign in {*value} - {*"\t\n\r"})


def _begin_rollback(log: RunLog, reason: str | None) -> None:
    """Record that a run which ended without success is rolled back. RunEndedAlready where another
    process resumed it meanwhile, and it succeeded."""
    with log.batch_commands() as batch:
        if log.run.status in WELL:
            raise RunEndedAlready(log.run.status)
        # alive: if it runs by now, another process was quicker
        batch.do(ResumeRun(process=process(), alive=True, rollback=True, retry=True, reason=reason))


def _has_failed(call: Call) -> bool | None:
    """Whether what a call ran failed, whatever the definition makes of that; None where that would
    not have been seen."""
    if call.fallback is None and call.work.on_error and call.result.get(CAUGHT):
        return True  # its result is the one that the definition gives in place of a failure
    return has_failed(call.tool, call.params, call.result, call.status)
