"""options and arguments that several commands have, and what Tab completes them to.

Completion asks the same folder as the command would, and says nothing where that fails.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from wfnb.errors import WfnbError

F = TypeVar("F", bound=Callable[..., Any])
Decorate = Callable[[F], F]
_FILES = [CompletionItem("", type="file")]


def combine_options(*decorators: Decorate[Any]) -> Decorate[Any]:
    """Several options as one decorator, shown in this order."""

    def decorate(command: Any) -> Any:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


def _complete_names(
    names: Callable[[Any], list[str]], files: bool = False
) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    def complete(
        context: click.Context, parameter: click.Parameter, begun: str
    ) -> list[CompletionItem]:
        from .run_lookup import CommandPlace  # noqa: PLC0415  heavy: the journal

        try:
            found = names(CommandPlace(context.params.get("home"), context.params.get("session")))
        except (WfnbError, OSError):
            found = []
        items = [CompletionItem(name) for name in found if name.startswith(begun)]
        return items or (_FILES if files else [])

    return complete


_RUNS = _complete_names(lambda place: [info.name for info in reversed(place.runs())])
_SESSIONS = _complete_names(lambda place: [info.name for info in place.home.sessions()])
_WORKFLOWS = _complete_names(lambda place: list(place.library().names(examples=True)), files=True)
_TARGETS = _complete_names(
    lambda place: [
        *(info.name for info in reversed(place.runs())),
        *place.library().names(examples=True),
    ],
    files=True,
)

HOME = click.option(
    "--home",
    metavar="DIR",
    help="The folder of the journal (default: WFNB_HOME, else .wfnb here, or above).",
)
SESSION = click.option(
    "--session",
    metavar="S",
    shell_complete=_SESSIONS,
    help="The session (default: cli; runs are looked for in all).",
)
MCP_SESSION = click.option(
    "--session",
    metavar="S",
    shell_complete=_SESSIONS,
    help="The session (default: the newest; it is made if it is new).",
)


def _keep_apart(context: click.Context, option: click.Parameter, json: bool) -> bool:
    if json:
        from .output import PAPER  # noqa: PLC0415  (as above)

        PAPER.keep_apart()
    return json


JSON = click.option(
    "--json",
    is_flag=True,
    callback=_keep_apart,
    help="Print JSON, and nothing else, on stdout.",
)


def _with_place(command: Callable[..., Any]) -> Callable[..., Any]:
    """The folder and the session that are meant: the command gets them as its `place`."""

    @wraps(command)
    def command_with_place(*, home: str | None, session: str | None = None, **words: Any) -> Any:
        from .run_lookup import CommandPlace  # noqa: PLC0415  (as above)

        return command(place=CommandPlace(home, session), **words)

    return command_with_place


PLACE = combine_options(SESSION, HOME, _with_place)
IN_HOME = combine_options(HOME, _with_place)


def _with_code(command: Callable[..., Any]) -> Callable[..., Any]:
    """The user's own modules and tools are there before the command does anything."""

    @wraps(command)
    def with_code(*, tools: tuple[str, ...], **words: Any) -> Any:
        from .user_code import load_user_code  # noqa: PLC0415  heavy: tools

        load_user_code(words.get("file") or words.get("workflow"), tools)
        return command(**words)

    return with_code


CODE = combine_options(
    click.option(
        "--tools",
        metavar="FILE|MODULE",
        multiple=True,
        help="Python with @wfnb.tool functions that the workflow may call (repeatable).",
    ),
    _with_code,
)
SECRET = click.option(
    "--secret",
    metavar="NAME",
    multiple=True,
    help="A variable taken from the environment and never written down (NAME=VARIABLE).",
)
VARIABLES = combine_options(
    click.option(
        "--var",
        metavar="K=V",
        multiple=True,
        help="A variable it begins with: as it is written where that is text, else read as YAML.",
    ),
    SECRET,
)
KEPT = combine_options(
    click.option("--no-save", is_flag=True, help="Do not save the workflow when it succeeds."),
    click.option("--overwrite", is_flag=True, help="Save it in place of another of its name."),
    click.option("--no-cache", is_flag=True, help="Call again what a kept result stands for."),
    click.option(
        "--on",
        metavar="ADDRESS",
        help="A cluster for tools that may travel: dask://HOST:PORT.",
    ),
)
OUTPUT = click.option(
    "-o", "--output", metavar="FILE", help="Write it to a file, in the form of its ending."
)

run_argument = click.argument("run", metavar="RUN", shell_complete=_RUNS)
maybe_run_argument = click.argument("run", metavar="[RUN]", required=False, shell_complete=_RUNS)
workflow_argument = click.argument("workflow", metavar="FILE|NAME", shell_complete=_WORKFLOWS)
target_argument = click.argument("target", metavar="RUN|FILE|NAME", shell_complete=_TARGETS)
name_argument = click.argument("name", metavar="NAME", shell_complete=_WORKFLOWS)
run_option = click.option("--run", metavar="RUN", shell_complete=_RUNS, help="The run that asks.")


def form_options(*forms: str) -> Decorate[Any]:
    """`--svg`, `--dot`, …: one of them is the value of `form`."""
    return combine_options(
        *(
            click.option(f"--{form}", "form", flag_value=form, help=f"As {_SPELLED[form]}.")
            for form in forms
        )
    )


_SPELLED = {
    "md": "Markdown",
    "html": "one HTML file",
    "json": "JSON",
    "svg": "SVG",
    "dot": "DOT",
    "mermaid": "Mermaid",
    "text": "text (the default)",
}
