"""The options of `%%step` and `%%branch`, as one table: parsing, help, completion and the
documentation are made from it."""

from __future__ import annotations

from wfnb.errors import BadOption

from .grammar import Grammar, Option

_OPTIONS = (
    Option(flag="--total", field="total", takes="T", says="how many steps the whole may take"),
    Option(flag="--done", field="next_step_needed", value=False, says="this line ends here"),
    Option(flag="--next", field="next_step_needed", value=True, says="another step follows"),
    Option(flag="--more", field="needs_more_steps", value=True, says="the problem needs more"),
    Option(flag="--no-more", field="needs_more_steps", value=False, says="the problem is solved"),
    Option(
        flag="--number",
        field="number",
        takes="N",
        choices="steps",
        says="which step this is, where its title begins with another number",
    ),
    Option(
        flag="--revises",
        field="revises",
        takes="N",
        choices="steps",
        says="this step corrects step N, which stays and is marked revised",
    ),
    Option(
        flag="--branch",
        field="branch",
        takes="ID",
        choices="branches",
        says="the branch to open or go on with",
    ),
    Option(
        flag="--from",
        field="branch_from",
        takes="N",
        choices="steps",
        says="the step that a new branch leaves (alt:3 for step 3 of branch alt)",
    ),
    Option(
        flag="--restore",
        field="restore",
        says="first bring back the values that the step before it kept (of a new branch: the one "
        "it leaves)",
    ),
    Option(
        flag="--stage", field="stage", takes="S", choices="stages", says="its stage in the strategy"
    ),
    Option(
        flag="--set",
        field="set",
        takes="KEY=VALUE",
        many=True,
        choices="fields",
        says="a field that the stage asks for: words where it is text, else YAML (@name: a "
        "variable, @RUN.FIELD: what a run gave)",
    ),
    Option(
        flag="--value",
        field="value",
        takes="NAME",
        many=True,
        choices="names",
        says="keep this variable's value at the end of the step (NAME=EXPRESSION names one)",
    ),
    Option(
        flag="--keep",
        field="keep",
        takes="NAMES",
        many=True,
        choices="names",
        says="keep these values at the end: df,model, or 'model*', or all that the step assigns",
    ),
    Option(
        flag="--reads",
        field="reads",
        takes="NAME",
        many=True,
        choices="names",
        says="it uses this variable, which its code does not show",
    ),
    Option(
        flag="--writes",
        field="writes",
        takes="NAME",
        many=True,
        choices="names",
        says="it changes this variable, which its code does not show",
    ),
    Option(
        flag="--tag",
        field="tags",
        takes="TAG",
        many=True,
        says="a tag to find the step by (data,slow for two)",
    ),
    Option(
        flag="--finding", field="finding", takes="TEXT", many=True, says="what this step found out"
    ),
    Option(
        flag="--hypothesis", field="hypothesis", takes="TEXT", says="what is held to be the cause"
    ),
    Option(
        flag="--confirms",
        field="confirms",
        takes="HYPOTHESIS",
        many=True,
        says="a hypothesis, by its number or words, that this step is evidence for",
    ),
    Option(
        flag="--refutes",
        field="refutes",
        takes="HYPOTHESIS",
        many=True,
        says="a hypothesis, by its number or words, that this step is evidence against",
    ),
    Option(
        flag="--confidence",
        field="confidence",
        takes="LEVEL",
        choices="levels",
        says="how sure of it: exploring, low, … certain",
    ),
    Option(
        flag="--file",
        field="files",
        takes="F",
        many=True,
        choices="files",
        says="a file that was looked at",
    ),
    Option(
        flag="--relevant",
        field="relevant",
        takes="F",
        many=True,
        choices="files",
        says="a file that it is about",
    ),
    Option(
        flag="--context",
        field="context",
        takes="NAME",
        many=True,
        says="a function, class or term that it is about",
    ),
    Option(
        flag="--issue",
        field="issues",
        takes="SEVERITY:TEXT",
        many=True,
        choices="severities",
        says="a fault that was found (critical, high, medium or low)",
    ),
    Option(
        flag="--model",
        field="model",
        takes="NAME[:STANCE]",
        many=True,
        choices="advisers",
        says="an adviser that is asked (for, against or neutral), as --set models=… says them",
    ),
    Option(
        flag="--backtrack",
        field="backtrack",
        takes="N",
        choices="steps",
        says="step N and what came after it no longer count",
    ),
    Option(
        flag="--no-pause",
        field="pause",
        value=False,
        says="go on though nothing was looked at since the last step",
    ),
    Option(flag="--text", field="text", says="the body is Markdown and is not run"),
    Option(flag="--quiet", field="quiet", says="show nothing"),
    Option(flag="--json", field="json", says="show the answer as JSON only"),
)

STEP = Grammar(
    name="%%step",
    usage="%%step [N[/TOTAL]] [TITLE …] [options]",
    says="Record this cell as a step; its body runs as this notebook's own code.",
    options=_OPTIONS,
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
    options=tuple(option for option in _OPTIONS if option.flag != "--branch"),
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
    options=(
        Option(
            flag="--var",
            field="var",
            takes="KEY=VALUE",
            many=True,
            choices="variables",
            says="a variable it begins with; the value is read as YAML (JSON is YAML), and taken "
            "as it is written where the variable is text",
        ),
        Option(
            flag="--secret",
            field="secret",
            takes="NAME",
            many=True,
            says="a variable taken from the environment and never written down (NAME=VARIABLE)",
        ),
        Option(flag="--dry-run", field="dry_run", says="show what would be called; call nothing"),
        Option(flag="--background", field="background", says="give the kernel back at once"),
        Option(
            flag="--resume",
            field="resume",
            takes="RUN",
            choices="runs",
            says="go on with a run where it failed, keeping what succeeded (last: the last that "
            "did not succeed); a body or a NAME is its definition from there on",
        ),
        Option(
            flag="--from",
            field="from",
            takes="STATE",
            choices="actions",
            says="with --resume: go on from this state or step instead",
        ),
        Option(
            flag="--again",
            field="again",
            takes="[CALLS]",
            value="",
            says="with --resume: calls that were cut off, their outcome unknown, are made again, "
            "and those that succeeded and come after what was undone: these (a,RUN/b), or "
            "all others",
        ),
        Option(
            flag="--done",
            field="done",
            takes="[CALLS]",
            value="",
            says="with --resume: the same calls count as done, and are not made",
        ),
        Option(flag="--timeout", field="timeout", takes="S", says="seconds the whole run may take"),
        Option(flag="--max-states", field="max_states", takes="N", says="states it may go through"),
        Option(flag="--no-save", field="no_save", says="do not save the workflow when it succeeds"),
        Option(
            flag="--overwrite", field="overwrite", says="save it in place of another of its name"
        ),
        Option(
            flag="--no-cache", field="no_cache", says="call again what a kept result stands for"
        ),
        Option(
            flag="--on",
            field="on",
            takes="ADDRESS",
            says="a cluster for tools that may travel: dask://HOST:PORT, or a variable's name",
        ),
        Option(flag="--quiet", field="quiet", says="show nothing"),
        Option(flag="--json", field="json", says="show the response as JSON only"),
    ),
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


def is_text(magic: str, line: str) -> bool:
    """Whether the body under this line is Markdown that is not run.

    >>> is_text("step", "Plan --text"), is_text("step", "-- How --text is used")
    (True, False)
    """
    if "--text" not in line.split():
        return False
    try:
        return "text" in {"step": STEP, "branch": BRANCH}[magic].read(line).options
    except BadOption:
        return True
