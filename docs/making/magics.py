"""the tables of options and verbs -> docs/magics.md."""

from collections.abc import Iterator

from wfnb.jupyter.magic_grammar import Grammar, Option
from wfnb.jupyter.magic_options import BRANCH, DEFINE, RUN, STEP
from wfnb.jupyter.verbs import VERBS

from .markdown import code, made_from, page, table

_INTRO = """
`%load_ext wfnb` adds four cell magics and one line magic: `%%step` and `%%branch` record the cell
they stand over, `%%run_workflow` runs the workflow that is in it, `%%workflow` only saves it, and
`%wfnb VERB` does everything else. `%step` and `%branch` are the same on a line of their own; as a
cell's first line they record the cell, which stays plain Python. `%run_workflow` runs a saved
workflow, or one in a file.

A line is read as a shell reads it: quotes hold words together, `--name value` and `--name=value`
are the same, what comes after `--` is no option. Nothing is expanded, and an apostrophe inside a
word is an apostrophe. Options may stand before, in and after the title. Tab completes them. A
mistake is told in one line ([all of them](errors.md)), and nothing is recorded then.
"""

_STEP = """
* `N` is the step's number and `TOTAL` how many steps it may take. Without `N` it is the next number
  of its line. A number that exists means that step: the same code is another attempt of it, changed
  code a new version.
* The title is the rest of the line. The description is the title and, under it, the comment lines
  with which the body begins, or its docstring, as Markdown. A cell without code is a step of pure
  reasoning.
* The body runs as in any other cell: its last value is shown, `await` works, an error stops *Run
  All*, `%%time` may stand under the first line.
* A step that names no branch is on `main`, or on the line chosen with `%wfnb switch`.
"""

_BRANCH = """
The first step of a branch names the step that it leaves with `--from N`; without it, it leaves the
last step of `main`, or of the line chosen with `%wfnb switch`. Its numbers go on from there. Later
steps need only the branch's name. The options are those of `%%step`; what `%%branch ID` does,
`%%step --branch ID` does too.
"""

_RUN = """
The body is a [workflow](workflows.md) as YAML or JSON; a name on the line is its name. Without a
body the line names a saved workflow, or a file that ends in `.yaml`, `.yml` or `.json`, from the
notebook's folder on. `%run_workflow --resume RUN` goes on with a run
([more](workflows.md#going-on)).

While it runs, the cell shows where it is; at its end, what became of each action. A run that does
not succeed stops *Run All*. Interrupting the kernel cancels the run.
"""

_DEFINE = """
What a run would refuse is refused here, all at once; variables that a run has to be given need no
value yet. The same cell with other content takes the place of what it saved before. `%%run_workflow
--save-only` does the same.
"""


def magics() -> str:
    return page(
        made_from("wfnb/jupyter/magic_options.py", "wfnb/jupyter/verbs/"),
        "# Magics, options and verbs",
        _INTRO,
        _magic(STEP, _STEP),
        _magic(BRANCH, _BRANCH),
        _magic(RUN, _RUN),
        _magic(DEFINE, _DEFINE),
        "## `%wfnb`",
        "`%wfnb` alone lists the verbs, `%wfnb help VERB` explains one.",
        table(("verb", "what it does"), _verbs()),
        *(_magic(verb.grammar, "", "###") for verb in VERBS.values()),
    )


def _verbs() -> Iterator[tuple[str, str]]:
    for name, verb in VERBS.items():
        yield f"[`{name}`](#wfnb-{name})", verb.grammar.says


def _magic(grammar: Grammar, more: str, heading: str = "##") -> str:
    return page(
        f"{heading} `{grammar.name}`",
        code(grammar.usage),
        grammar.says,
        more,
        table(("option", "what it does"), map(_option, grammar.options.table)),
        "Examples:" if len(grammar.examples) > 1 else "Example:",
        code("\n".join(grammar.examples)),
    )


def _option(option: Option) -> tuple[str, str]:
    again = "; may be said again" if option.many else ""
    return f"`{f'{option.flag} {option.takes}'.strip()}`", f"{option.says}{again}"
