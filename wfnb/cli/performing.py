"""the words of `run`, `resume` and `check` -> a run that is attended to its end; an exit code."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Thread
from types import FrameType
from typing import Any

from wfnb.errors import JournalError, WorkflowInvalid
from wfnb.library.settings import secrets, settings
from wfnb.runner.runner import Runner
from wfnb.runner.running import Running
from wfnb.views.runs.result import RunResult, next_move
from wfnb.views.text import escape

from .codes import DONE, REFUSED, code_of
from .live import Live, Piped
from .paper import PAPER, terminal
from .place import Place
from .source import source
from .words import spoken

TICK = 0.25
"""Seconds between two looks at what nobody tells: questions of runs within the run."""
_SET = "Set it for this command: {}=… wfnb run …"


def run(
    place: Place,
    workflow: str,
    words: Mapping[str, Sequence[str]],
    limits: Mapping[str, Any],
    kept: Mapping[str, Any],
    dry_run: bool,
    json: bool,
) -> int:
    """Start a workflow and wait for its end. `words` are the `var` and `secret` options, `limits`
    and `kept` are options of Runner.start."""
    what, given = source(workflow), _given(words, "wfnb run")
    if dry_run:
        plan = place.scratch().plan(what, **given, **limits)
        _print(plan, json)
        return DONE
    if place.empty:
        place.scratch().check(what, **given, **limits)  # a refusal leaves no journal
    runner = place.runner()
    return _attend(runner, runner.start(what, **given, **limits, **kept), 0, json)


def resume(
    place: Place,
    name: str,
    words: Mapping[str, Sequence[str]],
    kept: Mapping[str, Any],
    start: str | None,
    lost: str,
    json: bool,
) -> int:
    """Go on with a run where it stopped, or from `start`, and wait for its end."""
    given = _given(words, "wfnb resume")
    info = place.find(name)
    runner = place.runner(info)
    running = runner.resume(info.name, **given, **kept, start=start, lost=lost)  # type: ignore[arg-type]
    return _attend(runner, running, info.events, json)


def check(place: Place, workflow: str, words: Mapping[str, Sequence[str]], json: bool) -> int:
    """Everything that is wrong with a workflow, and what is odd about it."""
    problems: list[Any] = []
    warnings: list[Any] = []
    try:
        what = place.scratch().check(source(workflow), **_given(words, "wfnb check"))
    except WorkflowInvalid as refusal:
        problems += refusal.problems
    else:
        warnings += what.warnings
    if json:
        found = {"problems": [*map(_fact, problems)], "warnings": [*map(_fact, warnings)]}
        PAPER.data({"valid": not problems, **found})
    else:
        counted = f"{len(problems):,} problem{'s' * (len(problems) != 1)}"
        PAPER.say(f"{escape.line(workflow)}: {f'✕ {counted}' if problems else '✓ can run'}")
        for said in [f"✕ {each}" for each in problems] + [f"! {each}" for each in warnings]:
            PAPER.say(escape.line(said))
    return REFUSED if problems else DONE


def _given(words: Mapping[str, Sequence[str]], line: str) -> dict[str, Any]:
    return {
        "variables": settings(words["var"], "--var", line, "env=prod"),
        "secrets": secrets(words["secret"], line, _SET),
    }


def _fact(problem: Any) -> dict[str, str]:
    return {"path": problem.path, "rule": problem.rule, "message": problem.message}


def _attend(runner: Runner, running: Running, after: int, json: bool) -> int:
    """Show what happens after that position of the run's events, and what it came to."""
    screen = sys.stderr if json else sys.stdout
    live = terminal(screen)
    shown = Live(running, after, screen) if live else Piped(running, after, silent=json)
    Thread(target=_tick, args=(running,), name="wfnb-tick", daemon=True).start()

    def show(running: Running) -> None:
        with suppress(JournalError):  # what cannot be shown now does not end the run
            shown.show(running)

    try:
        with _stopped_by(signal.SIGTERM):
            running.attend(show)
    finally:
        with suppress(JournalError):
            shown.end()
    result = runner.result(running)
    if json:
        PAPER.data(result.to_dict())
    elif live:
        PAPER.say(_told(result))
    else:
        for said in (*result.warnings, *_ways(result)):
            PAPER.say(escape.line(f"! {said}"))
    return code_of(result.status)


@contextmanager
def _stopped_by(number: signal.Signals) -> Iterator[None]:
    """The signal does what an interrupt from the keyboard does."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(number, interrupt)
    try:
        yield
    finally:
        signal.signal(number, before)


def _tick(running: Running) -> None:
    with suppress(JournalError):  # told to who attends the run
        while not running.wait(TICK):
            running.changed.set()


def _ways(result: RunResult) -> list[str]:
    move = next_move(result.run, result.status)
    return [spoken(move)] if move else []


def _told(result: RunResult) -> str:
    """The result as text, with what to type here."""
    said, move = repr(result), next_move(result.run, result.status)
    return said.replace(escape.line(move), spoken(move)) if move else said


def _print(shown: Any, json: bool) -> None:
    if json:
        PAPER.data(shown.to_dict())
    else:
        PAPER.say(repr(shown))
