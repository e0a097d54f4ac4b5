"""session, a command -> the events that keep values, and that choose what is kept."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from wfnb.errors import BadValue, NothingKept, StepKeptGone, StepNotRunning

from . import validation
from .commands import AddStep, ChooseKeeping, FinishStep, KeepValues
from .events import Event, KeepingChosen, StepFinished, ValuesKept
from .extension import active
from .kept_values import KeptValues
from .queries import line_steps, next_number
from .session import Session, Step
from .stage_effects import effects_at_end
from .step_lookup import find, new_line
from .step_recognition import recognise
from .validation import MAX_NAMES, StepPlace

ALL = "all"
"""Instead of a name: what the code of the step assigns."""
NONE = "none"
"""Instead of a name: nothing."""

DEFAULT = "default"
"""Instead of patterns of secrets: the usual ones."""

_PATTERN = re.compile(r"(?!\d)[\w*?]+(\[!?[\w-]+\][\w*?]*)*")
_SECRET = re.compile(r"[\w*?-]+")


def patterns(words: Iterable[str], field: str = "keep") -> tuple[str, ...]:
    """Names and patterns (`df`, `model*`, `all`), each once; in a word they may stand with commas.
    BadValue for what can be no name. `none` is nothing, and goes with no other.

    >>> patterns(["df,model*", "x", "df"]), patterns(["none"])
    (('df', 'model*', 'x'), ())
    """
    names = [part.strip() for word in words for part in str(word).split(",")]
    names = list(dict.fromkeys(filter(None, names)))
    if len(names) > MAX_NAMES:
        raise BadValue(field, f"{len(names):,} names", f"at most {MAX_NAMES:,}; or `all`")
    for name in names:
        if len(name) > 200 or not _PATTERN.fullmatch(name):
            raise BadValue(field, name[:60], "names of variables: df, or 'model*', or all")
    if NONE in names and len(names) > 1:
        raise BadValue(field, ",".join(names)[:60], "none alone, or names")
    return () if names == [NONE] else tuple(names)


def finish(session: Session, command: FinishStep) -> list[Event]:
    """The end of an attempt, what its stage does then, and what was kept at it."""
    # Undone, or run again elsewhere, while its code was still running.
    if command.attempt not in session.running:
        raise StepNotRunning(command.attempt)
    key, _ = session.running[command.attempt]
    step = session.steps[key]
    judged = (extension.judge_again(session, step, command) for extension in active(session))
    follow_ups, warnings = (
        ([], []) if step.current.stage is None else effects_at_end(session, step, command.outcome)
    )
    ended = StepFinished(
        attempt=command.attempt,
        outcome=command.outcome,
        flow=command.flow,
        looks=command.looks,
        judged=next(filter(None, judged), None),
        warnings=tuple(warnings),
    )
    return [ended, *follow_ups, *_values_kept(step, command.values, command.attempt)]


def keep(session: Session, command: KeepValues) -> list[Event]:
    if command.step not in session.steps:
        raise StepKeptGone
    return _values_kept(session.steps[command.step], command.values, command.attempt)


def follows(session: Session, command: AddStep) -> Step:
    """The step that the command's own comes after: the one a new branch leaves. NothingKept where
    there is none."""
    existing = recognise(session, command)
    branch = command.line if command.branch is None else validation.branch(command.branch)
    if existing is not None:
        line, number = session.lines[existing.branch], existing.number
    elif branch in session.lines:
        line = session.lines[branch]
        number = command.number or next_number(line)
    else:
        line = new_line(session, branch, command.leaves, command.line)
        # A branch that is yet to be opened begins after the step that it leaves.
        return find(session, StepPlace(number=line.leaves, branch=line.parent), command.line)
    before = [step for step in line_steps(session, line) if step.number < number]
    if not before:
        raise NothingKept("", ())
    return before[-1]


def choose(session: Session, command: ChooseKeeping) -> list[Event]:
    now = session.keeping or KeepingChosen()
    secrets, budget = command.secrets, command.budget
    for pattern in secrets or ():
        if len(pattern) > 200 or not _SECRET.fullmatch(pattern):
            raise BadValue("secrets", pattern[:60], "patterns of names, as '*_pin'")
        if pattern in (NONE, DEFAULT) and len(set(secrets or ())) > 1:
            raise BadValue("secrets", ",".join(secrets or ())[:60], f"{pattern} alone, or patterns")
    if budget is not None and not 0 < budget < 10**15:
        raise BadValue("budget", str(budget), "a size from 1 byte, as 500MB")
    chosen = replace(
        now,
        keep=now.keep if command.keep is None else patterns(command.keep or [NONE]),
        secrets=_secrets(now.secrets, secrets),
        budget=now.budget if budget is None else budget,
        figures=now.figures if command.figures is None else command.figures,
    )
    # A cell that runs again says the same again, and records nothing.
    return [] if chosen == now else [chosen]


def _secrets(now: tuple[str, ...] | None, chosen: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """None: the usual patterns; empty: no name is a secret."""
    if chosen is None:
        return now
    if chosen == (DEFAULT,):
        return None
    return () if chosen == (NONE,) else tuple(dict.fromkeys(chosen))


def _values_kept(step: Step, kept: KeptValues | None, attempt: int | None) -> list[Event]:
    """Nothing where the step has that already: it ran again, and nothing changed but names of
    others. Where nothing could be kept, what an attempt before it kept is not lost."""
    if kept is None:
        return []
    kept = replace(kept, there=tuple(name for name in kept.there if _is_name(name)))
    before = step.kept
    # A disk that is full must not make the older values unreachable.
    if before is not None and before.names and not kept.names:
        kept = replace(before, failed=kept.values, notes=kept.notes)
        if kept == before:
            return []
    elif before is not None and step.kept_in == len(step.versions):
        same = replace(kept, there=before.there, notes=before.notes) == before
        if same:
            return []
    return [ValuesKept(step=step.key, kept=kept, attempt=attempt)]


def _is_name(name: Any) -> bool:
    """What is no name of Python's may be no Unicode, and cannot be written."""
    return isinstance(name, str) and name.isidentifier()
