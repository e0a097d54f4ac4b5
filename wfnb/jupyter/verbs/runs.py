"""Runs, saved workflows and tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wfnb.interrupt_deferral import Deferral
from wfnb.jupyter.magic_grammar import (
    NoOptions,
    Options,
    Words,
    many_values,
    one_of,
    one_value,
    switch,
)
from wfnb.jupyter.magic_options import JSON, REASON
from wfnb.jupyter.notebook import Notebook
from wfnb.render.message import Message

from .verb_declaration import verb

if TYPE_CHECKING:
    from wfnb.jupyter.run_verbs import RunVerbs


def run_verbs(notebook: Notebook) -> RunVerbs:
    """What verbs ask of runs. The runner is heavy, and loaded whole when it is first asked."""
    with Deferral():
        from wfnb.jupyter.run_verbs import RunVerbs  # noqa: PLC0415  see above

    return RunVerbs(notebook)


@verb(
    "call",
    NoOptions,
    "TOOL [KEY=VALUE …]",
    "Call one tool now, and show what it gave; a step takes it as --set KEY=@last.",
    examples=('%wfnb call shell command="git status --short"',),
    choices="tools",
    least=("a tool",),
)
def call(notebook: Notebook, words: Words[NoOptions]) -> None:
    tool, *given = words.words
    run_verbs(notebook).call(tool, given)


class PlanOptions(Options):
    dry_run: bool = switch("--dry-run", "show what would be called, and call nothing")


@verb(
    "plan",
    PlanOptions,
    "[--dry-run]",
    "Run the calls that the strategy planned, side by side where none needs another; what each "
    "gave is a variable named by its label.",
    most=0,
)
def plan(notebook: Notebook, words: Words[PlanOptions]) -> None:
    with Deferral():
        from wfnb.jupyter.planned_calls_run import run_plan  # noqa: PLC0415  heavy: the runner

    run_plan(notebook, words.options.dry_run)


class RunsOptions(Options):
    json: bool = JSON


@verb("runs", RunsOptions, "[--json]", "The runs of this session.", most=0)
def runs(notebook: Notebook, words: Words[RunsOptions]) -> Any:
    return run_verbs(notebook).runs(words.options.json)


@verb(
    "wait",
    NoOptions,
    "[RUN]",
    "Wait for a run in the background, and show what it came to; an interrupt ends only the "
    "waiting.",
    choices="runs",
    most=1,
)
def wait(notebook: Notebook, words: Words[NoOptions]) -> Any:
    return run_verbs(notebook).wait(words.words[0] if words.words else None)


class WorkOptions(Options):
    secret: tuple[str, ...] = many_values(
        "--secret", "NAME", "a secret that a run was given (NAME=VARIABLE)"
    )


@verb(
    "work",
    WorkOptions,
    "",
    "Do what is due now of the runs that were parked while they wait.",
    most=0,
)
def work(notebook: Notebook, words: Words[WorkOptions]) -> None:
    with Deferral():
        from wfnb.jupyter.run_magics import go_on_with_parked  # noqa: PLC0415  heavy: the runner

    go_on_with_parked(notebook, words.options.secret)


class CancelOptions(Options):
    rollback: bool | None = one_of(
        ("--rollback", True, "undo what it did"), ("--no-rollback", False, "undo nothing")
    )
    secret: tuple[str, ...] = many_values(
        "--secret",
        "NAME",
        "a secret that undoing needs, where the run's process is gone (NAME=VARIABLE)",
    )
    reason: str | None = REASON


@verb(
    "cancel",
    CancelOptions,
    "[RUN] [--rollback | --no-rollback]",
    "Stop a run (the one that is going on), in whatever process it is.",
    choices="runs",
    most=1,
)
def cancel(notebook: Notebook, words: Words[CancelOptions]) -> Message:
    name, options = words.words[0] if words.words else None, words.options
    return run_verbs(notebook).cancel(name, options.rollback, options.reason, options.secret)


class AnswerOptions(Options):
    to: str | None = one_value("--to", "STATE", "the one that asks", choices="actions")
    run: str | None = one_value("--run", "RUN", "the run that asks", choices="runs")


@verb(
    "answer",
    AnswerOptions,
    "TEXT [--to STATE] [--run RUN]",
    "Answer the question that a run asks.",
    examples=("%wfnb answer yes", "%wfnb answer 2 --to confirm"),
    least=("an answer",),
)
def answer(notebook: Notebook, words: Words[AnswerOptions]) -> Message:
    options = words.options
    return run_verbs(notebook).answer(" ".join(words.words), options.to, options.run)


@verb(
    "timeline",
    NoOptions,
    "RUN",
    "When each call of a run began and ended.",
    choices="runs",
    least=("a run",),
    most=1,
)
def timeline(notebook: Notebook, words: Words[NoOptions]) -> Any:
    return run_verbs(notebook).timeline(words.words[0])


class WorkflowsOptions(Options):
    overwrite: bool = switch("--overwrite", "import over another of its name")
    json: bool = JSON


@verb(
    "workflows",
    WorkflowsOptions,
    "[list | show NAME | versions NAME | delete NAME | rename NAME NEW | import FILE "
    "| export NAME FILE]",
    "The saved workflows.",
    examples=("%wfnb workflows", "%wfnb workflows export deploy deploy.yaml"),
    choices="workflows",
    most=3,
)
def workflows(notebook: Notebook, words: Words[WorkflowsOptions]) -> Any:
    with Deferral():
        from wfnb.jupyter.workflow_library_verbs import workflows  # noqa: PLC0415  heavy: definitions

    return workflows(notebook, words.words, words.options.json, words.options.overwrite)


@verb(
    "tools",
    NoOptions,
    "[NAME]",
    "What a workflow may call; with NAME, its parameters.",
    choices="tools",
    most=1,
)
def tools(notebook: Notebook, words: Words[NoOptions]) -> Any:
    with Deferral():
        from wfnb.jupyter.workflow_library_verbs import tools  # noqa: PLC0415  heavy: all tools

    return tools(words.words[0] if words.words else None)
