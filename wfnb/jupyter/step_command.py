"""the words over a cell, and the cell -> the command that records it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from typing import Any

from wfnb.core.commands import AddStep
from wfnb.core.events import Outcome
from wfnb.core.step_magic_lines import runs
from wfnb.core.validation import StepPlace, whole
from wfnb.core.value_keeping import ALL, follows, patterns
from wfnb.core.value_references import own_names
from wfnb.core.yaml_header import split_header
from wfnb.dataflow.source_effects import analyze
from wfnb.errors import BadOption, BadValue
from wfnb.workspace import KeepRequest, Workspace

from . import cell_text
from .cell_output import show
from .magic_grammar import QuotedWord, Words
from .magic_options import BranchOptions, StepOptions
from .notebook import Notebook
from .set_fields import set_fields
from .step_header import merge_header

_TAKEN = frozenset(signature(Workspace.step).parameters)
"""Options that the workspace takes as they are: a program says them of a step by the same names."""
_NUMBER = re.compile(r"[-+]?\d+(\.\d*)?([eE][-+]?\d+)?(/\S*)?")


def open_step(notebook: Notebook, magic_line: Words[StepOptions]) -> None:
    """Open the step that the words describe: it runs until its cell ends."""
    words, options = list(magic_line.words), magic_line.options
    numeral = None
    bare = words[:1] and options.number is None and not isinstance(words[0], QuotedWord)
    if bare and _NUMBER.fullmatch(words[0]):
        written = words.pop(0)
        # Before a title it may be a part of that ("121 Baker Street"), which the core decides.
        numeral = written if words else None
        options = _numbered(options, written)
    if options.value:
        options = StepOptions(**vars(options) | {"value": _check_values(options.value)})
    notebook.open(for_recording=True)
    # A cell that is run again by a verb is an attempt of the very step, whatever its line says by
    # now.
    again = notebook.matching_step()
    if again is not None:
        place: dict[str, Any] = {"number": again.number, "branch": again.branch}
        options, numeral = StepOptions(**vars(options) | place), None
    command, wanted = _command(notebook, " ".join(words), options, numeral, magic_line.line)
    workspace = notebook.open()
    names = workspace.steps.state_names(command) if workspace.session.strategy else ()
    if command.fields:
        names += tuple(name for name in own_names(command.fields) if name not in names)
    if names and command.outcome is not None:
        outcome = replace(
            command.outcome, values={**notebook.values(names), **command.outcome.values}
        )
        flow = notebook.reading((*options.reads, *names))
        command = replace(command, outcome=outcome, flow=flow)
    form = _form(options)
    prepared = None
    if options.restore:
        origin = follows(workspace.log.refresh(), command)
        before = StepPlace(number=origin.number, branch=origin.branch)
        prepared = workspace.values.prepare(before, (), notebook.shell.user_ns, whole=True)
    notebook.begin_step(command, (*options.value, *names), form, magic_line.line, wanted)
    if prepared is not None:
        show(notebook.shell, notebook.put(prepared), "quiet" if form == "quiet" else "all")
    looked = [*options.reads, *_expressions(options.value), *names]
    # What the session keeps of all steps, this one was not asked for.
    looked += wanted.names if wanted is not None and wanted.strict else ()
    notebook.observe(notebook.code(magic_line.line), looked, options.writes, bool(options.reads))


def _form(options: StepOptions) -> str:
    """How the answer is shown, as `display.show` takes it."""
    return next((form for form in ("quiet", "json", "text") if getattr(options, form)), "all")


def _numbered(options: StepOptions, written: str) -> StepOptions:
    """The options with the number that a line begins with: `3`, or `3/5`."""
    number, slash, total = written.partition("/")
    numbers = {"number": _positive_number("step_number", number)}
    if slash:
        numbers["total"] = _positive_number("total_steps", total)
    return StepOptions(**vars(options) | numbers)


def _expressions(settings: Iterable[str]) -> list[str]:
    """The names that `--value` looks at."""
    found: list[str] = []
    for setting in settings:
        name, _, expression = setting.partition("=")
        found += analyze(expression or name).reads
    return found


def _positive_number(field: str, word: str) -> int:
    """A whole number from 1; the first word of a title may only look like one."""
    try:
        return whole(field, word)
    except BadValue as refusal:
        needs = f"{refusal.needs} (a title that begins with a number goes in quotes)"
        raise BadValue(field, word, needs) from None


def _check_values(settings: Iterable[str]) -> tuple[str, ...]:
    """`NAME`, `NAME,NAME` or `NAME=EXPRESSION`, each: one setting a name. BadOption where there is
    no name.

    >>> _check_values(["low, high", "n", "mean=sum(x, 0) / n"])
    ('low', 'high', 'n', 'mean=sum(x, 0) / n')
    """
    found: list[str] = []
    for setting in settings:
        if not setting.partition("=")[0].strip():
            what = f"--value {setting!r} has no name"
            raise BadOption("%%step", what, "Written: --value rmse, or --value rmse=model.rmse")
        names = [name.strip() for name in setting.split(",")]
        found += names if all(name.isidentifier() for name in names) else [setting]
    return tuple(found)


def open_branch(notebook: Notebook, magic_line: Words[BranchOptions]) -> None:
    """The same, on the branch that the first word names."""
    branch, *title = magic_line.words
    options = StepOptions(**vars(magic_line.options), branch=branch)
    open_step(notebook, Words(words=tuple(title), options=options, line=magic_line.line))


def _fields(
    notebook: Notebook, options: StepOptions, header: Mapping[str, Any], body: str | None
) -> dict[str, Any]:
    """What `--set`, `--model` and the header say, each field once."""
    field_sets: list[dict[str, Any]] = [{"models": list(options.model)}] if options.model else []
    if options.set or header:
        code = "" if body is None else notebook.python(body)
        field_sets = [*set_fields(notebook, options.set, header, options.stage, code), *field_sets]
    found: dict[str, Any] = {}
    for each in field_sets:
        if twice := next((name for name in each if name in found), None):
            raise BadOption("%%step", f"field {twice!r} is said twice", "Say it in one place.")
        found |= each
    return found


def _command(
    notebook: Notebook, title: str, options: StepOptions, numeral: str | None, line: str | None
) -> tuple[AddStep, KeepRequest | None]:
    """The step as a command, and what its end keeps. A step without code that keeps nothing is done
    at once. One with code, or of which the body is not known, runs until its cell ends."""
    body = notebook.body(line)
    header, code = split_header(body or "")
    fields: Mapping[str, Any] = {}
    if header is not None:
        options, fields = merge_header(header, options)
    under = code.strip() if options.text else cell_text.words(code)
    description = "\n\n".join(part for part in (title, under) if part)
    expressions = _check_values(options.value)
    done = options.text or (body is not None and not runs(code))
    wanted = _values_to_keep(notebook, options.keep, body, done)
    done = done and wanted is None
    cell = notebook.cell()
    used = notebook.workspace
    again = cell.id is None and used and (cell.source, cell.part) in used.session.sources
    given = {name: value for name, value in vars(options).items() if name in _TAKEN}
    given |= {
        "numeral": numeral,
        "fields": _fields(notebook, options, fields, body),
        "cell": cell,
        "outcome": Outcome(values=notebook.values(expressions)) if done else None,
        "keep": () if wanted is None else wanted.patterns,
        "flow": notebook.reading(options.reads) if done and options.reads else None,
        "tags": tuple(filter(None, ",".join(options.tags).split(","))),
        "cells": notebook.cells_beside(cell),
        "alike": notebook.location.cells_alike(cell) if again else None,
    }
    words = (value for value in given["fields"].values() if isinstance(value, str))
    named = next((each for each in words if not own_names({"": each})), "")
    title = description or named.strip() or cell_text.title_line(code)
    command = notebook.open().steps.command_for(title, **given)
    return command, wanted


def _values_to_keep(
    notebook: Notebook, keep_words: Sequence[str], body: str | None, done: bool
) -> KeepRequest | None:
    """What `--keep` says, else what the session keeps of steps that run."""
    to_keep = patterns(keep_words) if keep_words else ()
    if not keep_words and not done:
        chosen = notebook.open().session.keeping
        to_keep = chosen.keep if chosen is not None else (ALL,) * notebook.keeps_going
    if not to_keep:
        return None
    names = tuple(name for name in to_keep if name != ALL)
    if ALL in to_keep:
        from wfnb.core.assigned_names import find_assigned  # noqa: PLC0415  only where code is searched

        names += find_assigned(notebook.python(body))
    namespace = notebook.shell.user_ns
    return KeepRequest(patterns=to_keep, names=names, namespace=namespace, strict=bool(keep_words))
