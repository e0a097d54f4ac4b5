"""The options of the cell magics, and those that several verbs have. Parsing, help, completion and
the pages are made from these classes, and the magics get their values as objects of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .magic_grammar import Grammar, Options, many_values, one_of, one_value, switch

# of several verbs: each is a field of their classes
JSON = switch("--json", "show it as JSON, with times")
REASON = one_value("--reason", "TEXT", "why, kept in the history")
FORM = one_of(
    *(
        (f"--{form}", form, f"show its {name} only")
        for form, name in (("dot", "DOT"), ("mermaid", "Mermaid"), ("svg", "SVG"), ("text", "text"))
    )
)
PAUSE = switch("--no-pause", "nothing has to be looked at between two steps of it", value=False)
REVIEWER = one_value("--reviewer", "A", "an adviser that is asked at its end", choices="advisers")
PLANNER = one_value(
    "--planner", "A", "an adviser that is asked how many steps it takes", choices="advisers"
)


class StepOptions(Options):
    """Of `%%step`; `%%branch` and `%wfnb revise` have all but one of them."""

    total: int | str | None = one_value("--total", "T", "how many steps the whole may take")
    next_step_needed: bool | None = one_of(
        ("--done", False, "this line ends here"), ("--next", True, "another step follows")
    )
    needs_more_steps: bool | None = one_of(
        ("--more", True, "the problem needs more"), ("--no-more", False, "the problem is solved")
    )
    number: int | str | None = one_value(
        "--number",
        "N",
        "which step this is, where its title begins with another number",
        choices="steps",
    )
    revises: str | None = one_value(
        "--revises",
        "N",
        "this step corrects step N, which stays and is marked revised",
        choices="steps",
    )
    branch: str | None = one_value(
        "--branch", "ID", "the branch to open or go on with", choices="branches"
    )
    branch_from: str | None = one_value(
        "--from",
        "N",
        "the step that a new branch leaves (alt:3 for step 3 of branch alt)",
        choices="steps",
    )
    restore: bool = switch(
        "--restore",
        "first bring back the values that the step before it kept (of a new branch: the one it "
        "leaves)",
    )
    stage: str | None = one_value("--stage", "S", "its stage in the strategy", choices="stages")
    set: tuple[str, ...] = many_values(
        "--set",
        "KEY=VALUE",
        "a field that the stage asks for: words where it is text, else YAML (@name: a variable, "
        "@RUN.FIELD: what a run gave)",
        choices="fields",
    )
    value: tuple[str, ...] = many_values(
        "--value",
        "NAME",
        "keep this variable's value at the end of the step (a,b of two; NAME=EXPRESSION names one)",
        choices="names",
    )
    keep: tuple[str, ...] = many_values(
        "--keep",
        "NAMES",
        "keep these values at the end: df,model, or 'model*', or all that the step assigns",
        choices="names",
    )
    reads: tuple[str, ...] = many_values(
        "--reads", "NAME", "it uses this variable, which its code does not show", choices="names"
    )
    writes: tuple[str, ...] = many_values(
        "--writes",
        "NAME",
        "it changes this variable, which its code does not show",
        choices="names",
    )
    tags: tuple[str, ...] = many_values(
        "--tag", "TAG", "a tag to find the step by (data,slow for two)"
    )
    finding: tuple[str, ...] = many_values("--finding", "TEXT", "what this step found out")
    hypothesis: str | None = one_value("--hypothesis", "TEXT", "what is held to be the cause")
    confirms: tuple[str, ...] = many_values(
        "--confirms",
        "HYPOTHESIS",
        "a hypothesis, by its number or words, that this step is evidence for",
    )
    refutes: tuple[str, ...] = many_values(
        "--refutes",
        "HYPOTHESIS",
        "a hypothesis, by its number or words, that this step is evidence against",
    )
    confidence: str | None = one_value(
        "--confidence", "LEVEL", "how sure of it: exploring, low, … certain", choices="levels"
    )
    files: tuple[str, ...] = many_values(
        "--file", "F", "a file that was looked at", choices="files"
    )
    relevant: tuple[str, ...] = many_values(
        "--relevant", "F", "a file that it is about", choices="files"
    )
    context: tuple[str, ...] = many_values(
        "--context", "NAME", "a function, class or term that it is about"
    )
    issues: tuple[str, ...] = many_values(
        "--issue",
        "SEVERITY:TEXT",
        "a fault that was found (critical, high, medium or low)",
        choices="severities",
    )
    model: tuple[str, ...] = many_values(
        "--model",
        "NAME[:STANCE]",
        "an adviser that is asked (for, against or neutral), as --set models=… says them",
        choices="advisers",
    )
    backtrack: str | None = one_value(
        "--backtrack", "N", "step N and what came after it no longer count", choices="steps"
    )
    pause: bool = switch(
        "--no-pause", "go on though nothing was looked at since the last step", value=False
    )
    text: bool = switch("--text", "the body is Markdown and is not run")
    quiet: bool = switch("--quiet", "show nothing")
    json: bool = switch("--json", "show the answer as JSON only")


class BranchOptions(StepOptions, without="--branch"):
    """Of `%%branch`, whose first word is the branch."""


class RunOptions(Options):
    """Of `%%run_workflow`."""

    var: tuple[str, ...] = many_values(
        "--var",
        "KEY=VALUE",
        "a variable it begins with; the value is read as YAML (JSON is YAML), and taken as it "
        "is written where the variable is text",
        choices="variables",
    )
    secret: tuple[str, ...] = many_values(
        "--secret",
        "NAME",
        "a variable taken from the environment and never written down (NAME=VARIABLE)",
    )
    dry_run: bool = switch("--dry-run", "show what would be called; call nothing")
    background: bool = switch("--background", "give the kernel back at once")
    resume: str | None = one_value(
        "--resume",
        "RUN",
        "go on with a run where it failed, keeping what succeeded (last: the last that did not "
        "succeed); a body or a NAME is its definition from there on",
        choices="runs",
    )
    start: str | None = one_value(
        "--from", "STATE", "with --resume: go on from this state or step instead", choices="actions"
    )
    again: str | None = one_value(
        "--again",
        "[CALLS]",
        "with --resume: calls that were cut off, their outcome unknown, are made again, and "
        "those that succeeded and come after what was undone: these (a,RUN/b), or all others",
    )
    done: str | None = one_value(
        "--done", "[CALLS]", "with --resume: the same calls count as done, and are not made"
    )
    timeout: str | None = one_value("--timeout", "S", "seconds the whole run may take")
    max_states: str | None = one_value("--max-states", "N", "states it may go through")
    park: bool = switch(
        "--park", "leave it as soon as all it does is wait, for `%wfnb work` to go on with"
    )
    save_only: bool = switch("--save-only", "check it, show its picture and save it: no run")
    no_save: bool = switch("--no-save", "do not save the workflow when it succeeds")
    overwrite: bool = switch("--overwrite", "save it in place of another of its name")
    no_cache: bool = switch("--no-cache", "call again what a kept result stands for")
    on: str | None = one_value(
        "--on",
        "ADDRESS",
        "a cluster for tools that may travel: dask://HOST:PORT, or a variable's name",
    )
    quiet: bool = switch("--quiet", "show nothing")
    json: bool = switch("--json", "show the response as JSON only")


class DefineOptions(Options):
    """Of `%%workflow`."""

    overwrite: bool = switch("--overwrite", "save it in place of another of its name")
    quiet: bool = switch("--quiet", "show nothing")
    json: bool = switch("--json", "show the response as JSON only")


STEP = Grammar(
    name="%%step",
    usage="%%step [N[/TOTAL]] [TITLE …] [options]",
    says="Record this cell as a step; its body runs as this notebook's own code.",
    options=StepOptions,
    examples=(
        "%%step 1/4 Load the March readings",
        "%%step Are the residuals drifting? --value rmse",
        '%%step --revises 2 "Drop the two broken days first"',
        "%step Fit the baseline            (a cell's first line; the cell stays plain Python)",
        "%%step Prepare the data --keep df,limits         (%wfnb restore brings them back)",
        "%%step 3 It is the loop --confidence high     (or YAML between two lines of --- under it)",
    ),
)
BRANCH = Grammar(
    name="%%branch",
    usage="%%branch ID [--from N] [TITLE …] [options]",
    says="Record this cell as the first, or next, step of an alternative line.",
    options=BranchOptions,
    examples=(
        "%%branch robust --from 2 A robust loss instead",
        "%%branch robust --from 2 --restore Begin with what step 2 kept",
        "%%branch robust Tune epsilon --value rmse --done",
    ),
    choices="branches",
    least=("a branch",),
)

SET = 'Set it: import os; os.environ["{}"] = …'
"""What to do about a secret that is not in the environment."""

RUN = Grammar(
    name="%%run_workflow",
    usage="%%run_workflow [NAME | FILE] [options]",
    says="Run a workflow: the one in the body (YAML or JSON), a saved one, or one in a file.",
    options=RunOptions,
    examples=(
        "%%run_workflow                             (the body is YAML or JSON)",
        "%run_workflow deploy --var env=prod --dry-run",
        "%run_workflow deploy.workflow.yaml --secret token",
        "%run_workflow --resume deploy-1 --from upload --var retries=5",
        "%%run_workflow --resume deploy-1           (the body is the mended workflow)",
    ),
    choices="workflows",
    most=1,
)
"""Written on a line, or over a body."""

DEFINE = Grammar(
    name="%%workflow",
    usage="%%workflow [NAME | FILE] [options]",
    says="Check a workflow (the body, or a file), show its picture and save it; nothing is called.",
    options=DefineOptions,
    examples=(
        "%%workflow deploy                          (the body is YAML or JSON)",
        "%workflow deploy.workflow.yaml --overwrite",
    ),
    choices="workflows",
    most=1,
)

MAGICS: Mapping[str, Grammar[Any]] = {
    "step": STEP,
    "branch": BRANCH,
    "run_workflow": RUN,
    "workflow": DEFINE,
}
