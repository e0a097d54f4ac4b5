"""a session's runs: started, attended, stopped, answered, resumed, and looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, MutableMapping
from concurrent.futures import Executor
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from wfnb.core.questions import head
from wfnb.core.runs.commands import AnswerQuestion, EndRun, Lost, ResumeRun, StopRun
from wfnb.core.runs.events import QuestionAnswered
from wfnb.core.runs.next import End, next_action
from wfnb.errors import (
    BadValue,
    QuestionNone,
    Refused,
    RunAlive,
    RunEndedAlready,
    RunUnknown,
    SecretMissing,
    listing,
)
from wfnb.journal import RunInfo
from wfnb.library.cache import ResultCache
from wfnb.library.workflows import WorkflowLibrary
from wfnb.process import ended, process
from wfnb.runs import RunLog
from wfnb.tools.children import end_marked, mark
from wfnb.views.runs.plan import Plan, plan
from wfnb.views.runs.result import RunResult, run_result
from wfnb.workspace import Workspace

from .engine import Engine, engine
from .nested import nested
from .performance import Performance
from .running import Running
from .start import Checked, begun, checked, read
from .surroundings import Surroundings

_RUNNING: dict[tuple[str, int], Running] = {}
"""The runs of this process that have not ended, by their journal and id."""


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
        what = self.check(workflow, variables, secrets, max_states, timeout, around)
        around.secrets |= what.secrets
        given = isinstance(workflow, str)
        log = begun(around, what, step=self._step() if step is None else step)
        running = self._perform(log, around, save and not given, overwrite, given)
        running.warnings = tuple(map(str, what.warnings))
        return running

    def call(self, tool: str, /, **params: Any) -> dict[str, Any]:
        """Call one tool, as a run of one action named `call`, and give the fields of its result: a
        failure is one of them (`success`)."""
        step = {"id": "call", "tool": tool, "args": params}
        running = self.start({"name": "call", "steps": [step]}, save=False)
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
        return checked(around, definition, variables or {}, secrets or {}, max_states, timeout)

    def plan(self, workflow: Any, **given: Any) -> Plan:
        """What a run would do, as far as it can be known: nothing is called."""
        what = self.check(workflow, **given)
        shown = {**what.variables, **dict.fromkeys(what.secrets, "•••")}
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
        here = _RUNNING.get(self._key(log))
        if here is not None and not here.done:
            raise RunAlive("this one")
        missing = [known for known in log.run.secrets if known not in (secrets or {})]
        if missing:
            raise SecretMissing(log.name, tuple(missing))
        around = self._around(secrets or {}, reuse, on)
        around.secrets |= dict(secrets or {})
        log.do(
            ResumeRun(
                process=process(),
                alive=_alive(log),
                start=start,
                variables=variables or {},
                secrets=tuple(secrets or ()),
                lost=lost,
            )
        )
        return self._perform(log, around, save, overwrite, False)

    # from outside

    def runs(self) -> list[RunInfo]:
        """The session's runs, in order; nested ones are in those that called them."""
        return self.workspace.journal.runs(self.workspace.id, parent=None)

    def log(self, name: str) -> RunLog:
        """A run by its name. RunUnknown lists the names."""
        found = self.workspace.journal.find_run(name, self.workspace.id)
        if not found:
            raise RunUnknown(name, tuple(info.name for info in reversed(self.runs())))
        here = _RUNNING.get((self.workspace.journal.place, found[0].id))
        return here.log if here is not None else RunLog(self.workspace.journal, found[0])

    def running(self, name: str | None = None) -> Running | None:
        """A run that this process performs: of that name, or the last begun."""
        found = [
            running
            for (place, _), running in _RUNNING.items()
            if place == self.workspace.journal.place
            and running.log.info.session == self.workspace.id
            and name in (None, running.name)
            and not running.done
        ]
        return found[-1] if found else None

    def cancel(
        self, name: str | None = None, rollback: bool | None = None, reason: str | None = None
    ) -> RunLog:
        """Ask a run to stop: the one that is running, where none is named, in whatever process.
        One whose process is gone is ended here."""
        log = self.log(name or self._open_run())
        log.do(StopRun(why="cancelled", reason=reason, rollback=rollback))
        if not _alive(log) and self._key(log) not in _RUNNING:
            with suppress(Refused):
                log.do(ResumeRun(process=process(), lost="again"))
            for do in next_action(log.run):
                if isinstance(do, End):
                    log.do(EndRun(status=do.status, error=do.error))
        return log

    def answer(self, answer: Any, to: str | None = None, name: str | None = None) -> str:
        """Answer the open question: of the run `name`, of its action `to`. Returns the answer as
        it counts."""
        infos = self.workspace.journal.runs(self.workspace.id)
        names = [info.name for info in infos if info.status == "running"]
        logs = [self.log(known) for known in names if name in (None, known)]
        asking = [log for log in logs if log.run.questions]
        if not asking:
            raise QuestionNone
        here = _RUNNING.get(self._key(asking[-1]))
        return here.answer(answer, to) if here else _answered(asking[-1], answer, to)

    def result(self, run: Running | RunLog | str) -> RunResult:
        """What a run came to: the response fields, the report, the pictures."""
        log = (
            run.log if isinstance(run, Running) else self.log(run) if isinstance(run, str) else run
        )
        doubts = run.warnings if isinstance(run, Running) else ()
        with log.lock:
            return run_result(log.run, log.name, doubts, self.library.names())

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
        self, log: RunLog, around: Surroundings, save: bool, overwrite: bool, count: bool
    ) -> Running:
        running = Running(log)
        around.root = self._root(log)
        around.mark = mark(around.root)
        around.output = running.heard
        _RUNNING[self._key(log)] = running
        running.future = engine().submit(
            self._performed(engine(), running, around, save, overwrite, count)
        )
        return running

    async def _performed(
        self,
        engine: Engine,
        running: Running,
        around: Surroundings,
        save: bool,
        overwrite: bool,
        count: bool,
    ) -> None:
        log = running.log
        running.performance = Performance(log, around, save, overwrite)
        try:
            await running.performance.perform()
            running.warnings += tuple(running.performance.warnings)
            if count and log.run.status == "success":
                self.library.succeeded(log.info.workflow)
        finally:
            _RUNNING.pop(self._key(log), None)
            await around.terminals.close(around.root)
            await asyncio.get_running_loop().run_in_executor(None, end_marked, around.mark)
            running.changed.set()

    def _step(self) -> int | None:
        session = self.workspace.session
        last = head(session, session.lines[self.workspace.line])
        return None if last is None else last.key

    def _key(self, log: RunLog) -> tuple[str, int]:
        return self.workspace.journal.place, log.info.id

    def _root(self, log: RunLog) -> str:
        place = sha256(self.workspace.journal.place.encode()).hexdigest()[:8]
        return f"{place}-{log.info.id}"

    def _resumable(self) -> str:
        """The last run that did not succeed."""
        names = [info.name for info in self.runs() if info.status not in ("success",)]
        if not names:
            raise RunUnknown("(the last that did not succeed)", ())
        return names[-1]

    def _open_run(self) -> str:
        names = [info.name for info in self.runs() if info.status == "running"]
        if not names:
            raise RunEndedAlready("none is running")
        return names[-1]


def _alive(log: RunLog) -> bool:
    """Whether a process has the run, or may have it."""
    return log.run.status == "running" and not ended(log.run.process)


def _answered(log: RunLog, answer: Any, to: str | None) -> str:
    calls = [id for id in log.run.questions if to in (None, log.run.calls[id].action)]
    call = calls[0] if to is not None and calls else None
    event = log.do(AnswerQuestion(answer=answer, call=call))[0].event
    assert isinstance(event, QuestionAnswered)
    return str(event.answer)


def executor(on: Any) -> Callable[[str], Executor] | None:
    """What calls are made with: `dask://HOST:PORT`, a `dask.distributed.Client`, an Executor, or
    None for here."""
    if on is None:
        return None
    if isinstance(on, Executor):
        return lambda key: on
    from .dask import on_dask  # noqa: PLC0415  heavy: only for a cluster

    return on_dask(on)
