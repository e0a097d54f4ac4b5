"""the help of the command line -> docs/cli.md."""

from __future__ import annotations

from collections.abc import Iterator

import click

from wfnb.cli.program import program

from .markdown import code, made_from, page, table

_INTRO = """
`wfnb` runs workflows without a notebook: in a terminal, from cron, in a build. What it does is
recorded in the same journal as in notebooks (`WFNB_HOME`, else `.wfnb/` where it is called or in
the nearest folder above that has one), so that a run that was begun here can be watched, answered,
cancelled or resumed in a notebook, and the other way round.

```sh
wfnb check deploy.workflow.yaml --var env=prod     # say all that is wrong; call nothing
wfnb run deploy.workflow.yaml --var env=prod       # run it; progress is shown as it comes
wfnb resume deploy-1 --var retries=5               # go on where it failed
```

What happens is printed as it happens, a line each; in a terminal it is a picture that changes.
`--json` prints the response instead, and nothing else: what programs print that `python` actions
start goes to stderr then. A mistake is one line on stderr. In a
terminal a run asks its questions itself; elsewhere it says how to answer them, with `wfnb answer`
from any other process. A signal in the first tenth of a second, while Python itself starts, ends in
Python's own words, a traceback: nothing was begun or recorded.
"""


def cli() -> str:
    return page(
        made_from("the help of `wfnb`", "docs/making/cli.py"),
        "# The command line",
        _INTRO,
        table(("command", "what it does"), _short(program)),
        code(_help("wfnb", program)),
        *(_command(f"wfnb {name}", command) for name, command in program.commands.items()),
    )


def _short(group: click.Group) -> Iterator[tuple[str, str]]:
    for name, command in group.commands.items():
        yield f"[`{name}`](#wfnb-{name})", command.get_short_help_str(120)


def _command(name: str, command: click.Command) -> str:
    """A command, and those below it."""
    below = command.commands if isinstance(command, click.Group) else {}
    return page(
        f"## `{name}`",
        code(_help(name, command)),
        *(
            page(f"### `{name} {word}`", code(_help(f"{name} {word}", under)))
            for word, under in below.items()
        ),
    )


def _help(name: str, command: click.Command) -> str:
    context = click.Context(command, info_name=name, terminal_width=92, max_content_width=92)
    context.help_option_names = ["-h", "--help"]
    return command.get_help(context)
