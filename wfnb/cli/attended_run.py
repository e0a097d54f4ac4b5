"""the words of `run`, `resume` and `check` -> a run that is attended to its end; an exit code."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from threading import Thread
from typing import Any

from wfnb.errors import JournalError, WfnbError, WorkflowInvalid
from wfnb.render.text import escape
from wfnb.workflows.library.key_value_words import secrets, variables, verdicts
from wfnb.workflows.library.saved_workflow import is_library_name
from wfnb.workflows.runner.active_run import ActiveRun
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools import watchdog_process
from wfnb.workflows.views.run_result import RunResult, next_move, parked_questions
from wfnb.workflows.views.run_text import ending, summary

from .exit_codes import DONE, REFUSED
from .hints_as_commands import TOOLS, is_of_tool
from .output import PAPER, complain, terminal, width
from .progress_display import Live, Piped
from .run_lookup import CommandPlace
from .signals import Signals, keep_code
from .workflow_source import OF_FILE, origin, read_workflow, source

TICK = 0.25
"""Seconds between two looks at what nobody tells: questions of runs within the run."""
_SET = "Set it for this command: {}=… wfnb run …"


def run(
    place: CommandPlace,
    workflow: str,
    words: Mapping[str, Sequence[str]],
    limits: Mapping[str, Any],
    kept: Mapping[str, Any],
    dry_run: bool,
    json: bool,
) -> int:
    """Start a workflow and wait for its end. `words` are the `var` and `secret` options, `limits`
    and `kept` are options of Runner.start."""
    what, given = source(workflow), _given_values(words, "wfnb run")
    if dry_run:
        plan = place.scratch().plan(what, **given, **limits)
        _print(plan, json)
        return DONE
    checked = place.scratch().check(what, **given, **limits)  # a refusal leaves no journal
    told = _print_warnings(map(str, checked.warnings), json)
    runner = place.runner()
    watchdog_process.own()
    mended = None if is_library_name(workflow) or workflow == "-" else workflow
    with runner.attending():
        running = runner.start(checked, **kept, origin=origin(workflow))
        return _attend(runner, running, 0, json, mended, told)


def resume(
    place: CommandPlace,
    name: str,
    words: Mapping[str, Sequence[str]],
    kept: Mapping[str, Any],
    start: str | None,
    lost: tuple[str | None, str | None],
    file: str | None,
    json: bool,
) -> int:
    """Go on with a run where it stopped, or from `start`, as it was defined or as a `file` says
    now, and wait for its end."""
    given, said = _given_values(words, "wfnb resume"), verdicts(*lost, "wfnb resume")
    if file is not None:
        given["workflow"] = read_workflow(file)  # without a name it has that of the run
    info = place.find(name)
    runner = place.runner(info)
    watchdog_process.own()
    with runner.attending():
        running = runner.resume(info.name, **given, **kept, start=start, lost=said)
        of_file = any(word.startswith(OF_FILE) for word in running.run.origin)
        mended = file or ("FILE" if of_file else None)
        return _attend(
            runner, running, info.events, json, mended, _print_warnings(running.warnings, json)
        )


def check(
    place: CommandPlace, workflow: str, words: Mapping[str, Sequence[str]], json: bool
) -> int:
    """Everything that is wrong with a workflow, and what is odd about it."""
    problems: list[Any] = []
    warnings: list[Any] = []
    try:
        what = place.scratch().check(source(workflow), **_given_values(words, "wfnb check"))
    except WorkflowInvalid as refusal:
        problems += refusal.problems
    else:
        warnings += what.warnings
    if json:
        found = {"problems": [*map(_fact, problems)], "warnings": [*map(_fact, warnings)]}
        PAPER.data({"valid": not problems, **found})
    else:
        said = f"✕ {_count_text(problems, 'problem')}" if problems else "✓ can run"
        said += f" · {_count_text(warnings, 'warning')}" if warnings else ""
        PAPER.say(f"{escape.line(workflow)}: {said}")
        for said in [f"✕ {each}" for each in problems] + [f"! {each}" for each in warnings]:
            PAPER.say(escape.line(said))
        if any(is_of_tool(each) for each in problems):
            PAPER.say(f"! {TOOLS}")
    return REFUSED if problems else DONE


def _given_values(words: Mapping[str, Sequence[str]], line: str) -> dict[str, Any]:
    return {
        "variables": variables(words["var"], line),
        "secrets": secrets(words["secret"], line, _SET),
    }


def _fact(problem: Any) -> dict[str, str]:
    return {"path": problem.path, "rule": problem.rule, "message": problem.message}


def _count_text(found: Sequence[object], what: str) -> str:
    return f"{len(found):,} {what}{'s' * (len(found) != 1)}"


def _print_warnings(warnings: Iterable[str], json: bool) -> tuple[str, ...]:
    """What is odd about a run is said before it does anything."""
    said = tuple(warnings)
    for warning in said:
        (complain if json else PAPER.say)(escape.line(f"! {warning}"))
    return said


def _attend(
    runner: Runner,
    running: ActiveRun,
    after: int,
    json: bool,
    mended: str | None,
    told: Sequence[str],
) -> int:
    """Show what happens after that position of the run's events, and what it came to. `mended` is
    the file in which its definition can be mended, `told` are the warnings that were shown."""
    screen = sys.stderr if json else sys.stdout
    live = terminal(screen)
    shown = Live(running, after, screen) if live else Piped(running, after, silent=json)
    # Runs within the run may be in the journal only: nothing wakes who attends when they ask.
    Thread(target=_tick, args=(running,), name="wfnb-tick", daemon=True).start()

    def show(running: ActiveRun) -> None:
        with suppress(JournalError):  # what cannot be shown now does not end the run
            shown.show(running)

    heard = Signals()
    # Before it is attended, so that no signal finds neither.
    keep_code(lambda: heard.code(running.run.status) if _has_ended(running) else None)
    try:
        running.attend(show, interrupts=heard)
    finally:
        with suppress(JournalError):
            shown.end()
    result = runner.result(running)
    if json:
        PAPER.data(result.to_dict())
    else:
        ended = summary(running.run, running.name, width()) if live else ending(running.run)
        PAPER.say(ended if live else f"\n{ended}")
        # What was said before it began is not said again.
        doubts = [warning for warning in result.warnings if warning not in told]
        # elsewhere each was said as it came
        asked = parked_questions(result) if live and result.status == "parked" else ()
        for said in (*doubts, *asked, *_ways(result, mended)):
            PAPER.say(escape.line(f"! {said}"))
    PAPER.settle()
    return heard.code(result.status)


def _has_ended(running: ActiveRun) -> bool:
    return running.is_done and running.run.status != "running"


def _tick(running: ActiveRun) -> None:
    with suppress(WfnbError):  # told to who attends the run
        while not running.wait(TICK):
            running.changed.set()


def _ways(result: RunResult, mended: str | None) -> Iterator[str]:
    move = next_move(result)
    if not move:
        return
    mended = None if result.status in ("cancelled", "parked") else mended
    way = f"; add `--file {shlex.quote(mended)}` once that is mended" if mended else ""
    yield move + way


def _print(shown: Any, json: bool) -> None:
    if json:
        PAPER.data(shown.to_dict())
    else:
        PAPER.say(repr(shown))
