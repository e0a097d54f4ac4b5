"""a session's runs: started, attended, stopped, answered, resumed, and looked at."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, MutableMapping
from concurrent.futures import Executor
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from wfnb.core import values
from wfnb.core.questions import head
from wfnb.core.runs.commands import EndRun, Lost, ResumeRun, StopRun
from wfnb.core.runs.next import End, Undo, next_action
from wfnb.errors import (
    BadValue,
    CallUncertain,
    JournalConflict,
    QuestionNone,
    Refused,
    RunAlive,
    RunElsewhere,
    RunEndedAlready,
    RunUnknown,
    SecretMissing,
    WorkflowInvalid,
    listing,
)
from wfnb.journal import RunInfo
from wfnb.library.cache import ResultCache
from wfnb.library.workflows import WorkflowLibrary
from wfnb.process import ended, process
from wfnb.runs import RunLog
from wfnb.tools.children import end_marked, mark, sweep
from wfnb.tools.registry import REGISTRY
from wfnb.views.runs.plan import Plan, plan
from wfnb.views.runs.result import RunResult, run_result
from wfnb.workflow.fit import misfits
from wfnb.workflow.template import HIDDEN
from wfnb.workspace import Workspace

from .engine import engine
from .here import alive, begun_here, elsewhere, enter, leave, performance_of, place, running_here
from .nested import nested, uncertain
from .performance import Performance
from .running import Running, answered
from .start import Checked, begun, checked, checked_again, read, texts, tools_of
from .surroundings import Surroundings


class Runner:
    """The runs of one session. `home` is the `.wfnb` folder (saved workflows and results),
    `folder` where relative paths start, `namespace` the notebook's names."""

    def __init__(
        self,
        workspace: Workspace,
        home: Path,
        folder: Path | None = None,
        namespace: MutableMapping[str, Any] | None = None,
    ) -> None:
        self.workspace = workspace
        self.home = home
        self.folder = folder or Path.cwd()
        self.namespace = namespace
        self.library = WorkflowLibrary(home / "workflows")

    def run(self, workflow: Any, /, **options: Any) -> RunResult:
        """Start it and wait for its end: `start` says what may be given. An interrupt stops it."""
        running = self.start(workflow, **options)
        running.attend()
        return self.result(running)

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
    ) -> Running:
        """Begin a run of a definition (JSON data or a Workflow) or of a saved workflow (its name).

        `variables` are what it begins with, `secrets` those that are never written down; `timeout`
        is in seconds. `save`: keep the definition in the library when it succeeds, `overwrite`: in
        place of another of its name. `reuse`: results that were kept may stand for calls that say
        `cache`. `on` is where tools that may travel are called: an Executor, or what `executor`
        reads. `step` is the key of the session's step that the run belongs to (default: the last
        of the line).

        Raises Refused before anything is called, JournalError where the disk says no.
        """
        around = self._around(secrets or {}, reuse, on)
        try:
            what = self.check(workflow, variables, secrets, max_states, timeout, around)
            around.know(what.secrets)
            log = begun(around, what, step=self._step() if step is None else step)
        except BaseException:
            around.close()
            raise
        given = isinstance(workflow, str)
        doubts = tuple(map(str, what.warnings))
        return self._perform(log, around, save and not given, overwrite, given, doubts=doubts)

    def call(self, tool: str, /, **params: Any) -> dict[str, Any]:
        """Call one tool, as a run of one action named `call`, and give the fields of its result: a
        failure is one of them (`success`)."""
        if tool in REGISTRY.names():
            wrong = misfits(params, REGISTRY.get(tool).parameters, ("steps", 0, "args"))
            if problems := tuple(wrong):
                raise WorkflowInvalid(problems)
        given, args = {}, {}
        for n, (name, value) in enumerate(params.items()):  # a value in a variable is no template
            args[name], given[f"given_{n}"] = f"{{given_{n}}}", value
        step = {"id": "call", "tool": tool, "args": args}
        running = self.start({"name": "call", "steps": [step]}, variables=given, save=False)
        running.attend()
        return dict(running.run.results.get("call", {"success": False, "error": running.run.error}))

    def fields(self, place: str) -> Any:
        """What the last action of a run gave: all fields (`last`, `deploy-1`), or one of them
        (`deploy-1.stdout`). Raises RunUnknown, BadValue for a field that is not there."""
        name, _, field = place.partition(".")
        infos = [info.name for info in self.runs()]
        if name == "last" and not infos:
            raise RunUnknown(name, ())
        run = self.log(infos[-1] if name == "last" else name).run
        found = run.calls[run.last].result if run.last is not None else {}
        if field and field not in found:
            raise BadValue("field", place, f"one of {listing(found, 'none: it gave nothing')}")
        return found[field] if field else dict(found)

    def check(
        self,
        workflow: Any,
        variables: Mapping[str, Any] | None = None,
        secrets: Mapping[str, str] | None = None,
        max_states: int | None = None,
        timeout: float | None = None,
        around: Surroundings | None = None,
    ) -> Checked:
        """The workflow with all that can be known before a run. Raises Refused for what is wrong,
        all at once."""
        name = workflow if isinstance(workflow, str) else None
        definition = read(self.library, None if name is not None else workflow, name)
        around = around or self._around({}, True, None)
        given, hidden = values.fields(variables or {}), texts(secrets or {})
        return checked(around, definition, given, hidden, max_states, timeout)

    def plan(self, workflow: Any, **given: Any) -> Plan:
        """What a run would do, as far as it can be known: nothing is called."""
        what = self.check(workflow, **given)
        shown = {**what.variables, **dict.fromkeys(what.secrets, HIDDEN)}
        return plan(what.workflow, shown, [str(warning) for warning in what.warnings])

    def resume(
        self,
        name: str | None = None,
        *,
        start: str | None = None,
        variables: Mapping[str, Any] | None = None,
        secrets: Mapping[str, str] | None = None,
        lost: Lost = "ask",
        save: bool = True,
        overwrite: bool = False,
        reuse: bool = True,
        on: Any = None,
    ) -> Running:
        """Go on with a run (the last that did not succeed, where none is named) from the action
        that failed, keeping what succeeded; or from the action `start`. `variables` replace those
        it had. `lost`: what to do about calls whose end nobody saw (see ResumeRun).

        Raises Refused, SecretMissing where a secret it uses is not given again, among them.
        """
        log = self.log(name or self._resumable())
        if running_here(log) is not None:
            raise RunAlive(process())
        for tool in dict.fromkeys(tools_of(log.run.workflow)):
            REGISTRY.get(tool)
        new = values.fields(variables or {})
        given, hidden = checked_again(log.run, new, texts(secrets or {}))
        missing = [known for known in log.run.secrets if known not in hidden]
        if missing:
            raise SecretMissing(log.name, tuple(missing))
        around = self._around(secrets or {}, reuse, on)
        around.know(hidden)
        try:
            self._take(log, start=start, variables=given, secrets=tuple(hidden), lost=lost)
        except BaseException:
            around.close()
            raise
        return self._perform(log, around, save, overwrite, False, lost)

    # from outside

    def runs(self) -> list[RunInfo]:
        """The session's runs, in order; nested ones are in those that called them."""
        return self.workspace.journal.runs(self.workspace.id, parent=None)

    def log(self, name: str) -> RunLog:
        """A run by its name. RunUnknown lists the names."""
        found = self.workspace.journal.find_run(name, self.workspace.id)
        if not found:
            raise RunUnknown(name, tuple(info.name for info in reversed(self.runs())))
        log = RunLog(self.workspace.journal, found[0])
        here = performance_of(log)
        return log if here is None else here.log

    def running(self, name: str | None = None) -> Running | None:
        """A run that this process performs: of that name, or the last begun."""
        here = begun_here(self.workspace.journal, self.workspace.id)
        found = [one for one in here if name in (None, one.name) and not one.done]
        return found[-1] if found else None

    def cancel(
        self, name: str | None = None, rollback: bool | None = None, reason: str | None = None
    ) -> RunLog:
        """Ask a run to stop: the one that is running, where none is named, in whatever process.
        One whose process is gone is ended, and rolled back, here. Raises CallUncertain where a
        compensation was being called, of which nobody knows whether it was done."""
        log = self.log(name or self._open_run())
        log.do(StopRun(why="cancelled", reason=reason, rollback=rollback))
        if log.run.status == "running" and not alive(log):
            self._end(log)
        return log

    def answer(self, answer: Any, to: str | None = None, name: str | None = None) -> str:
        """Answer the open question: of the run `name`, of its action `to`. Returns the answer as
        it counts."""
        infos = self.workspace.journal.runs(self.workspace.id)
        names = [info.name for info in infos if info.status == "running"]
        logs = [self.log(known) for known in names if name in (None, known)]
        asking = [log for log in logs if log.asks]
        if not asking:
            raise QuestionNone
        return answered(asking[-1], answer, to, performance_of(asking[-1]))

    def result(self, run: Running | RunLog | str) -> RunResult:
        """What a run came to: the response fields, the report, the pictures."""
        log = (
            run.log if isinstance(run, Running) else self.log(run) if isinstance(run, str) else run
        )
        doubts = run.warnings if isinstance(run, Running) else ()
        saved: tuple[str, ...] = ()
        with suppress(Refused):  # a library that cannot be read now
            saved = self.library.names()
        with log.lock:
            return run_result(log.run, log.name, doubts, saved)

    # inside

    def _around(self, secrets: Mapping[str, str], reuse: bool, on: Any) -> Surroundings:
        return Surroundings(
            journal=self.workspace.journal,
            session=self.workspace.id,
            library=self.library,
            cache=ResultCache(self.home / "cache"),
            folder=self.folder,
            terminals=engine().terminals,
            namespace=self.namespace,
            nested=nested,
            executor=executor(on),
            reuse=reuse,
        )

    def _perform(
        self,
        log: RunLog,
        around: Surroundings,
        save: bool,
        overwrite: bool,
        count: bool,
        lost: Lost = "again",
        doubts: tuple[str, ...] = (),
    ) -> Running:
        here = engine()
        around.root = self._root(log)
        around.mark = mark(around.root)
        performance = Performance(log, around, here.loop, save=save, overwrite=overwrite, lost=lost)
        running = Running(log, around, performance)
        running.warnings = doubts
        around.output = running.heard
        enter(running)
        running.future = here.submit(self._performed(running, count))
        return running

    async def _performed(self, running: Running, count: bool) -> None:
        log, around, performance = running.log, running.around, running.performance
        try:
            await performance.perform()
            running.warnings += tuple(performance.warnings)
            if count and log.run.status == "success":
                with suppress(Refused, OSError):  # it has succeeded all the same
                    self.library.succeeded(log.info.workflow)
        finally:
            try:
                await around.terminals.close(around.root)
                loop = asyncio.get_running_loop()
                await loop.run_in_executor(None, end_marked, around.mark)
                await loop.run_in_executor(None, around.close)
            finally:
                leave(running)
                running.changed.set()

    def _step(self) -> int | None:
        session = self.workspace.session
        last = head(session, session.lines[self.workspace.line])
        return None if last is None else last.key

    def _take(self, log: RunLog, *, lost: Lost, **given: Any) -> None:
        """The run is this process's from here on, unless another one has it or was quicker. What a
        process that is gone had started is ended first: it may be started again."""
        if log.run.process != process() and ended(log.run.process):
            sweep()
        while True:
            with suppress(JournalConflict), log.together() as batch:
                if elsewhere(log) and lost == "ask":
                    raise RunElsewhere(log.run.process or "unknown")
                lives = alive(log) and not elsewhere(log)
                open_ones = tuple(uncertain(log.journal, log.info, log.run))
                if open_ones and lost == "ask" and not lives:
                    raise CallUncertain(tuple(f"{c.action} ({c.tool})" for c in open_ones))
                batch.do(ResumeRun(process=process(), alive=lives, lost=lost, **given))
                break

    def _end(self, log: RunLog) -> None:
        """A run that was stopped, and whose process is gone, comes to its end."""
        stop = log.run.stop
        for info in reversed(log.journal.runs(log.info.session, log.info.id)):
            child = RunLog(log.journal, info)
            if info.status == "running":
                child.do(StopRun(rollback=None if stop is None else stop.rollback))
                self._end(child)
        undoing = any(call.undoes is not None for call in log.run.open.values())
        self._take(log, lost="ask" if undoing else "again")
        if any(isinstance(do, Undo) for do in next_action(log.run)):
            self._perform(log, self._around({}, True, None), False, False, False).wait()
        for do in next_action(log.run):
            if isinstance(do, End):
                log.do(EndRun(status=do.status, error=do.error))

    def _root(self, log: RunLog) -> str:
        where = sha256(os.fsencode(place(log.journal))).hexdigest()[:8]
        return f"{where}-{log.info.id}"

    def _resumable(self) -> str:
        """The last run that did not succeed."""
        over = ("success", "partial_success")
        names = [info.name for info in self.runs() if info.status not in over]
        if not names:
            raise RunUnknown("(the last that did not succeed)", ())
        return names[-1]

    def _open_run(self) -> str:
        names = [info.name for info in self.runs() if info.status == "running"]
        if not names:
            raise RunEndedAlready("none is running")
        return names[-1]


def executor(on: Any) -> Callable[[str], Executor] | None:
    """What calls are made with: `dask://HOST:PORT`, a `dask.distributed.Client`, an Executor, or
    None for here."""
    if on is None:
        return None
    if isinstance(on, Executor):
        return lambda key: on
    from .dask import on_dask  # noqa: PLC0415  heavy: only for a cluster

    return on_dask(on)
