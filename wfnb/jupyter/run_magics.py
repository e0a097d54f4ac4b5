"""the words of `%%run_workflow` and its body -> a run, attended, and what it came to; those of
`%%workflow` -> a saved workflow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from wfnb.core.validation import whole
from wfnb.errors import BadOption, Refused, RunFailed, ToolUnknown, WorkflowInvalid, listing
from wfnb.render.message import Json, Message
from wfnb.workflows.library.definition_file import read_definition, read_file
from wfnb.workflows.library.key_value_words import secrets, settings, variables, verdicts
from wfnb.workflows.runner.active_run import ActiveRun
from wfnb.workflows.runner.parked_runs import TAKEN, due_runs, go_on
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.runner.save_workflow import DefinedWorkflow
from wfnb.workflows.runner.session_runs import WELL
from wfnb.workflows.views.graph import definition_picture

from .cell_output import show
from .magic_grammar import Words
from .magic_options import DEFINE, RUN, SET, DefineOptions, RunOptions
from .notebook import Notebook
from .run_display import Live

_OWN = "A tool of your own is there once its cell (`@wfnb.tool`) has run in this kernel."
_FILES = (".json", ".yaml", ".yml")
_NONE = "Write one under {}, or name a saved one (`%wfnb workflows`) or a file."


def run_workflow(notebook: Notebook, words: Words[RunOptions], body: str | None) -> None:
    """Run the workflow of the body, or a saved one, or go on with a run; show what it came to.

    Raises RunFailed (after it was shown) where it did not succeed, so that a notebook stops there.
    """
    if words.options.save_only:
        _check_starts_no_run(words.options)
        define_workflow(notebook, words, body)
        return
    notebook.open(for_recording=True)
    runner = notebook.runner()
    with _tells_of_own_tools(), runner.attending():
        _begin(notebook, runner, words, body)


def go_on_with_parked(notebook: Notebook, given: Sequence[str]) -> None:
    """Do what is due now of the parked runs of this session, with the notebook's names. Raises,
    after all were tried, what kept the first of those from going on that did not."""
    runner = notebook.runner()
    log = runner.session_log
    due = [info.name for info in due_runs(log.journal) if info.session == log.id]
    hidden, failures = secrets(given, "%wfnb work", SET), list[Refused]()
    taken = 0
    for name in due:
        with _tells_of_own_tools(), runner.attending():
            try:
                running = go_on(runner, name, hidden, park=0.0)
                taken += 1
                _attend(notebook, runner, running, RunOptions())
            except TAKEN:
                continue
            except Refused as error:
                # The others are due as well: one that cannot go on must not keep them waiting.
                failures.append(error)
    if failures:
        raise failures[0]
    if not taken:
        show(notebook.shell, Message("no parked run is due", {"runs": []}))


def define_workflow(
    notebook: Notebook, words: Words[DefineOptions] | Words[RunOptions], body: str | None
) -> None:
    """Check the workflow of the body, or of a file, show its picture and save it."""
    notebook.open(for_recording=True)
    options = words.options
    with _tells_of_own_tools():
        source = _source(notebook, words, body, DEFINE.name)
        defined = notebook.runner().define(
            source, overwrite=options.overwrite, origin=notebook.origin()
        )
    warnings = [str(warning) for warning in defined.warnings]
    data = {"workflow": defined.name, "saved": defined.saved, "warnings": warnings}
    if options.json:
        show(notebook.shell, Json(data))
    elif not options.quiet:
        show(notebook.shell, definition_picture(defined.workflow))
        said = "saved" if defined.saved else "is saved already, with this content"
        lines = (
            f"workflow {defined.name!r} {said} · `{_run_line(defined)}` runs it",
            *(f"! {warning}" for warning in warnings),
        )
        show(notebook.shell, Message("\n".join(lines), data, block=bool(warnings)))


def _check_starts_no_run(options: RunOptions) -> None:
    """Raises BadOption for what only a run could heed."""
    heeded = {option.field for option in DEFINE.options.table} | {"save_only"}
    said = vars(options).keys() - heeded
    for option in RUN.options.table:
        if option.field in said:
            what = f"--save-only starts no run, for which {option.flag} is"
            raise BadOption(RUN.name, what, "Leave out one of the two")


def _run_line(defined: DefinedWorkflow) -> str:
    """How it is run, with what has to be given."""
    needed = (
        f"--secret {name}" if spec.secret else f"--var {name}=…"
        for name, spec in defined.workflow.variables.items()
        if spec.is_required
    )
    return " ".join(("%run_workflow", defined.name, *needed))


@contextmanager
def _tells_of_own_tools() -> Iterator[None]:
    try:
        yield
    except (ToolUnknown, WorkflowInvalid) as refusal:
        if _lacks_own(refusal):
            refusal.add_note(_OWN)
        raise


def _lacks_own(refusal: ToolUnknown | WorkflowInvalid) -> bool:
    """Whether a tool is not known, and is none that is only misspelt."""
    told = getattr(refusal, "problems", (refusal,))
    unknown = (each for each in told if getattr(each, "rule", "tools") == "tools")
    # A name that is only misspelt is no tool of one's own that was forgotten.
    return any("Did you mean" not in str(each) for each in unknown)


def _begin(notebook: Notebook, runner: Runner, words: Words[RunOptions], body: str | None) -> None:
    options = words.options
    given: dict[str, Any] = {
        "variables": variables(options.var, RUN.name),
        "secrets": secrets(options.secret, RUN.name, SET),
    }
    if options.resume:
        mended = words.words or (body and body.strip())
        running = runner.resume(
            _last_stopped_run(runner) if options.resume == "last" else options.resume,
            workflow=_source(notebook, words, body) if mended else None,
            **given,
            start=options.start,
            lost=verdicts(options.again, options.done, RUN.name),
            **_save_options(notebook, options),
        )
    else:
        source = _source(notebook, words, body)
        states = options.max_states
        limits: dict[str, Any] = {
            "max_states": None if states is None else whole("--max-states", states),
            "timeout": _seconds("--timeout", options.timeout),
        }
        if options.dry_run:
            show(notebook.shell, runner.plan(source, **given, **limits), _form(options))
            return
        step = notebook.step_key()
        at: dict[str, Any] = {"step": step, "origin": notebook.origin()}
        running = runner.start(source, **given, **limits, **_save_options(notebook, options), **at)
    _attend(notebook, runner, running, options)


def _save_options(notebook: Notebook, options: RunOptions) -> dict[str, Any]:
    return {
        "save": not options.no_save,
        "overwrite": options.overwrite,
        "reuse": not options.no_cache,
        "on": _place(notebook, options.on),
        "park": 0.0 if options.park else None,
    }


def _place(notebook: Notebook, on: str | None) -> Any:
    """An address, or what a variable of the notebook holds."""
    # No name of a variable has a colon, and each address has one.
    if on is None or ":" in on:
        return on
    if on not in notebook.shell.user_ns:
        what = f"the notebook has no variable {on!r}"
        raise BadOption(RUN.name, what, "Name a Client, or an address: --on dask://HOST:PORT")
    return notebook.shell.user_ns[on]


def _source(notebook: Notebook, words: Words[Any], body: str | None, magic: str = RUN.name) -> Any:
    """A definition from the body or a file, or a saved workflow's name."""
    name = words.words[0] if words.words else None
    if body is not None and body.strip():
        data = read_definition(body)
        if name is not None and isinstance(data, dict):
            data = {"name": name, **data}
        return data
    if name is None:
        raise BadOption(magic, "it needs a workflow", _NONE.format(magic))
    return named_source(notebook, name)


def named_source(notebook: Notebook, name: str) -> Any:
    """What a file says that is named so, or the name of a saved workflow as it is. WorkflowBroken,
    WorkflowEmpty."""
    return read_file(notebook.location.folder() / name, name) if name.endswith(_FILES) else name


def _seconds(flag: str, written: str | None) -> Any:
    if written is None:
        return None
    return settings([f"timeout={written}"], flag, RUN.name, "60")["timeout"]


def _form(options: RunOptions) -> str:
    return "quiet" if options.quiet else "json" if options.json else "all"


def _last_stopped_run(runner: Runner) -> str:
    """The last run that did not succeed. BadOption where all have."""
    infos = runner.runs()
    left = [info.name for info in infos if info.status not in WELL]
    if left:
        return left[-1]
    way = "Write a workflow under %%run_workflow, or name a saved one."
    if infos:
        known = listing((info.name for info in reversed(infos)), "")
        way = f"`--resume {infos[-1].name} --from STATE` does a part again. Runs: {known}."
    raise BadOption(RUN.name, "no run of this session failed or was stopped", way)


def _attend(notebook: Notebook, runner: Runner, running: ActiveRun, options: RunOptions) -> None:
    live = Live(notebook, running, quiet=options.quiet or options.json)
    if options.background:
        live.background(lambda: runner.result(running))
        return
    running.attend(live.attend)
    result = runner.result(running)
    live.end(result, _form(options))
    # After it was shown: a notebook that runs from the top stops here, as at any failed cell.
    if not result.success and result.status not in ("partial_success", "parked"):
        raise RunFailed(running.name, result.status, result.error or "")
