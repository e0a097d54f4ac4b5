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
        flag="--stage", field="stage", takes="S", choices="stages", says="its stage in the strategy"
    ),
    Option(
        flag="--set",
        field="set",
        takes="KEY=VALUE",
        many=True,
        choices="fields",
        says="a field that the stage asks for; the value is read as YAML",
    ),
    Option(
        flag="--value",
        field="value",
        takes="NAME",
        many=True,
        choices="names",
        says="keep this variable's value at the end of the step (NAME=EXPRESSION names one)",
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
    ),
)
BRANCH = Grammar(
    name="%%branch",
    usage="%%branch ID [--from N] [TITLE …] [options]",
    says="Record this cell as the first, or next, step of an alternative line.",
    options=tuple(option for option in _OPTIONS if option.flag != "--branch"),
    examples=(
        "%%branch robust --from 2 A robust loss instead",
        "%%branch robust Tune epsilon --value rmse --done",
    ),
    choices="branches",
    least=("a branch",),
)


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
