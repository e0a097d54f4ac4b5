"""a session's runs -> what there is to see of them, and of workflows; nothing is called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wfnb.core import validation
from wfnb.errors import (
    BadValue,
    QuestionNone,
    Refused,
    RunAmbiguous,
    RunNone,
    RunUnknown,
    listing,
)
from wfnb.frozen_record import record
from wfnb.journal import MemoryJournal, RunInfo
from wfnb.process_identity import has_ended
from wfnb.session_log import SessionLog
from wfnb.temporary_folder import temporary_folder
from wfnb.workflows.core.events import RunStarted
from wfnb.workflows.definition.reader import Definition
from wfnb.workflows.definition.template import HIDDEN
from wfnb.workflows.definition.truncation import marks_of
from wfnb.workflows.definition.variable_values import as_declared
from wfnb.workflows.library.result_cache import ResultCache
from wfnb.workflows.library.workflow_library import WorkflowLibrary
from wfnb.workflows.run_log import RunLog
from wfnb.workflows.tools.registry import REGISTRY
from wfnb.workflows.tools.value_passing import with_handles, with_values
from wfnb.workflows.views.dry_run import Plan, plan
from wfnb.workflows.views.progress import OpenQuestion, progress
from wfnb.workflows.views.run_result import RunResult, run_result

from .active_run import ActiveRun
from .event_loop import engine
from .local_runs import begun_here, local_loop
from .run_context import RunContext
from .run_start import (
    CheckedWorkflow,
    check_definition,
    check_workflow,
    checked_secrets,
    programs,
    read,
)
from .save_workflow import DefinedWorkflow, define
from .step_code import code_of

if TYPE_CHECKING:
    from wfnb.values.call_values import Handover

WELL = ("success", "partial_success")


@record
class Asking:
    """A run that asks, and the run of the session that it is, or was called by."""

    log: RunLog
    top: str

    @property
    def questions(self) -> tuple[OpenQuestion, ...]:
        with self.log.lock:
            return progress(self.log.run, self.log.name).questions


class SessionRuns:
    """The runs of a session, as they can be looked at; `Runner` performs them."""

    def __init__(
        self,
        session_log: SessionLog,
        home: Path,
        folder: Path | None = None,
        namespace: MutableMapping[str, Any] | None = None,
    ) -> None:
        self.session_log = session_log
        self.home = home
        self.folder = folder or Path.cwd()
        self.namespace = namespace
        self.library = WorkflowLibrary(home / "workflows")

    def check(
        self,
        workflow: Any,
        variables: Mapping[str, Any] | None = None,
        secrets: Mapping[str, str] | None = None,
        max_states: int | None = None,
        timeout: float | None = None,
        around: RunContext | None = None,
    ) -> CheckedWorkflow:
        """The workflow with all that can be known before a run. Raises Refused for what is wrong,
        all at once."""
        around = around or self._new_context(True, None)
        what, hidden = self.read(workflow), checked_secrets(secrets or {})
        given = validation.fields(as_declared(what.variables, variables or {}), exact=True)
        checked = check_workflow(around, what, given, hidden, max_states, timeout)
        return replace(checked, saved=workflow) if isinstance(workflow, str) else checked

    def plan(self, workflow: Any, **given: Any) -> Plan:
        """What a run would do, as far as it can be known: nothing is called."""
        what = self.check(workflow, **given)
        shown = {**what.variables, **dict.fromkeys(what.secrets, HIDDEN)}
        verbatim = programs(REGISTRY, what.workflow)
        return plan(what.workflow, shown, map(str, what.warnings), verbatim=verbatim)

    def define(
        self, workflow: Any, *, overwrite: bool = False, origin: tuple[str, ...] = ()
    ) -> DefinedWorkflow:
        """Check a definition (JSON data or a Workflow) and save it in the library; nothing is
        called. `overwrite` and `origin` are as in
        `Runner.start`. Raises Refused for what is wrong, all at once; WorkflowExists where other
        content, written elsewhere, has the name."""
        checked = check_definition(self._new_context(True, None), self.read(workflow))
        return define(self.library, checked, overwrite, origin)

    def runs(self) -> list[RunInfo]:
        """The session's runs, in order; nested ones are in those that called them."""
        return self.session_log.journal.runs(self.session_log.id, parent=None)

    def log(self, name: str) -> RunLog:
        """A run by its name. RunUnknown lists the names."""
        found = self.session_log.journal.find_run(name, self.session_log.id)
        if not found:
            raise RunUnknown(name, tuple(info.name for info in reversed(self.runs())))
        # what runs here is asked for first: a run that goes on is not replayed to be looked at
        loop = local_loop(self.session_log.journal, found[0])
        return RunLog(self.session_log.journal, found[0]) if loop is None else loop.log

    def by_key(self, key: str) -> RunInfo | None:
        """The run that was begun by that key, if one was."""
        journal = self.session_log.journal
        for info in reversed(self.runs()):
            begun = journal.read_run(info.id)[0].event
            if isinstance(begun, RunStarted) and begun.key == key:
                return info
        return None

    def running(self, name: str | None = None) -> ActiveRun | None:
        """A run that this process performs: of that name, or the last begun."""
        here = begun_here(self.session_log.journal, self.session_log.id)
        found = [one for one in here if name in (None, one.name) and not one.is_done]
        return found[-1] if found else None

    def going(self, name: str | None = None, written: str = "") -> str:
        """The run of that name; without a name the one that goes on, or, where no process performs
        any, the one that was left. RunNone; RunAmbiguous, with the way to name one as it is
        `written`."""
        if name is not None:
            return name
        found = _lively(info for info in self.runs() if info.status == "running")
        if not found:
            raise RunNone(())
        return _one([info.name for info in found], written)

    def asking(self, name: str | None = None, written: str = "") -> RunLog:
        """The run that has an open question: that of this name, or one that it called; without a
        name the only one. QuestionNone, RunAmbiguous."""
        among = self.open_questions()
        found = [each for each in among if name in (None, each.log.name)]
        found = found or [each for each in among if name == each.top]
        if not found:
            raise QuestionNone
        lively = {info.name for info in _lively(each.log.info for each in found)}
        meant = [each.log for each in found if each.log.name in lively]
        one = _one([log.name for log in meant], written)
        return next(log for log in meant if log.name == one)

    def open_questions(self) -> list[Asking]:
        """The runs of the session that ask something, those that were called by runs too."""
        infos = {info.id: info for info in self.session_log.journal.runs(self.session_log.id)}
        going = (info for info in infos.values() if info.status == "running")
        found = ((self.log(info.name), _top(info, infos)) for info in going)
        return [Asking(log=log, top=top) for log, top in found if log.asks]

    def result(self, run: ActiveRun | RunLog | str) -> RunResult:
        """What a run came to: the response fields, the report, the pictures."""
        log = (
            run.log
            if isinstance(run, ActiveRun)
            else self.log(run)
            if isinstance(run, str)
            else run
        )
        doubts = run.warnings if isinstance(run, ActiveRun) else ()
        saved: tuple[str, ...] = ()
        with suppress(Refused):  # a library that cannot be read now
            saved = self.library.names()
        # Another thread may be in the middle of a batch, in which the run says what is not
        # recorded.
        with log.lock:
            return run_result(log.run, log.name, doubts, saved, self._value_of)

    def _value_of(self, form: Any) -> Any:
        """The value of which something is the form. Raises ValueLost."""
        marked = {"form": form}
        if not marks_of(**marked):
            return form
        handled = with_handles(marked, self.store, self.namespace)
        return with_values(dict(handled))["form"]

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

    def read(self, workflow: Any) -> Definition:
        """The definition that is meant: data, a Workflow, or a saved one's name."""
        saved = isinstance(workflow, str)
        return read(self.library, None if saved else workflow, workflow if saved else None)

    def _new_context(self, reuse: bool, on: Any) -> RunContext:
        line = self.session_log.line
        return RunContext(
            journal=self.session_log.journal,
            session=self.session_log.id,
            library=self.library,
            cache=ResultCache(self.home / "cache"),
            home=self.home,
            folder=self.folder,
            terminals=engine().terminals,
            namespace=self.namespace,
            code_of=lambda step, branch: code_of(self.session_log.session, line, step, branch),
            executor=None if on is None else executor(on),
            reuse=reuse,
            make_store=lambda: self.store,
        )

    @cached_property
    def store(self) -> Handover:
        """What keeps the values of runs that JSON cannot hold; of a session that is in memory only,
        as long as this is there."""
        from wfnb.values.call_values import Handover  # noqa: PLC0415  heavy: only for such values

        chosen = self.session_log.session.keeping
        budget = {} if chosen is None or chosen.budget is None else {"budget": chosen.budget}
        scratch = isinstance(self.session_log.journal, MemoryJournal)
        return Handover(temporary_folder(self) if scratch else self.home, **budget)

    def _resumable(self) -> str:
        """The last run that did not succeed."""
        # From the journal's table: to replay all runs of a session for their status costs
        # seconds.
        names = [info.name for info in self.runs() if info.status not in WELL]
        if not names:
            raise RunUnknown("(the last that did not succeed)", ())
        return names[-1]


def _lively(infos: Iterable[RunInfo]) -> list[RunInfo]:
    """Those whose process is there; else all."""
    found = list(infos)
    return [info for info in found if not has_ended(info.process)] or found


def _top(info: RunInfo, infos: Mapping[int, RunInfo]) -> str:
    while info.parent is not None:
        info = infos[info.parent]
    return info.name


def _one(names: list[str], written: str) -> str:
    if len(names) > 1:
        raise RunAmbiguous(tuple((name, "") for name in names), written)
    return names[0]


def executor(on: Any) -> Callable[[str], Executor]:
    """What calls are made with: `dask://HOST:PORT`, a `dask.distributed.Client`, an Executor."""
    if isinstance(on, Executor):
        return lambda key: on
    from .dask_cluster import on_dask  # noqa: PLC0415  heavy: only for a cluster

    return on_dask(on)
