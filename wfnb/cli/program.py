"""the commands, their options and help -> what is called with them.

Written with click rather than argparse: it completes names of runs and workflows in three shells,
nests commands, and takes an option before or after a word; for 15 ms at the start, of 150. Each
command imports what it does when it is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from . import shared_options as has
from .exit_codes import MEANINGS
from .workflow_library_commands import tools, workflows

if TYPE_CHECKING:
    from .run_lookup import CommandPlace

_CODES = "\n".join(f"  {code:>3}  {meaning}" for code, meaning in MEANINGS.items())
_EPILOG = f"""\b
Exit codes:
{_CODES}

\b
Completion: eval "$(_WFNB_COMPLETE=bash_source wfnb)"
(zsh_source, fish_source for other shells)
"""
_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class InOrder(click.Group):
    """Commands in the order in which they are wanted, not by their letters."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(self.commands)


@click.group(cls=InOrder, epilog=_EPILOG, context_settings=_SETTINGS, invoke_without_command=True)
@click.option("--version", is_flag=True, is_eager=True, help="Show the version and end.")
@click.pass_context
def program(context: click.Context, version: bool) -> None:
    """Run workflows: resumable, with retries, rollback and reports.

    What runs is recorded in a journal, which notebooks and other processes share.
    """
    if version:
        import wfnb  # noqa: PLC0415  only its number

        click.echo(f"wfnb {wfnb.__version__}")
        context.exit()
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@program.command()
@has.workflow_argument
@has.VARIABLES
@click.option("--dry-run", is_flag=True, help="Show what would be called; call nothing.")
@click.option("--timeout", type=float, metavar="S", help="Seconds the whole run may take.")
@click.option("--max-states", type=int, metavar="N", help="States it may go through.")
@click.option(
    "--park",
    is_flag=True,
    help="Leave it as soon as all it does is wait, for `wfnb work` to go on with.",
)
@has.KEPT
@has.CODE
@has.PLACE
@has.JSON
def run(
    place: CommandPlace,
    workflow: str,
    dry_run: bool,
    timeout: float | None,
    max_states: int | None,
    park: bool,
    json: bool,
    **words: Any,
) -> int:
    """Run a workflow.

    A file (YAML or JSON; - is stdin), or a saved one by its name.
    Ctrl-C, SIGTERM or closing the terminal stops it (and undoes, where it says so), a second
    signal at once. Modules are looked for beside FILE first, as with `python FILE`.
    """
    from .attended_run import run  # noqa: PLC0415  heavy: the runner, as in all that follows

    limits = {"timeout": timeout, "max_states": max_states}
    kept = _save_options(words) | {"park": 0.0 if park else None}
    return run(place, workflow, words, limits, kept, dry_run, json)


@program.command(name="exec")
@click.argument("notebook", metavar="NOTEBOOK", type=click.Path())
@click.option(
    "-o", "--output", metavar="OUT", help="The executed notebook (default: NAME.run.ipynb)."
)
@click.option(
    "-p",
    "--parameter",
    nargs=2,
    multiple=True,
    metavar="NAME VALUE",
    help="A parameter: set after the cell tagged `parameters`, read as YAML (repeatable).",
)
@click.option("--kernel", metavar="NAME", help="The kernel (default: as the notebook says).")
@click.option("--all", "whole", is_flag=True, help="Run all cells, whatever is kept of them.")
@click.option(
    "--no-record",
    is_flag=True,
    help="Record no plain cell as a step, and keep no values that no step asks for.",
)
@has.HOME
def execute(
    home: str | None,
    notebook: str,
    output: str | None,
    parameter: tuple[tuple[str, str], ...],
    kernel: str | None,
    whole: bool,
    no_record: bool,
) -> int:
    """Execute a notebook, from where it failed.

    Each cell is a step of the notebook's session and keeps its values, so that another run skips
    the cells that are ✓, restores what they left, and goes on at the first that failed or is stale.
    What is run and what is skipped, and why, is said on stderr, a line for each cell.
    """
    from .execute import execute  # noqa: PLC0415  heavy: nbclient

    return execute(home, notebook, output, parameter, kernel, whole, not no_record)


@program.command()
@click.option("--once", is_flag=True, help="Do what is due now, and end: for cron.")
@has.SECRET
@has.CODE
@has.PLACE
@has.JSON
def work(place: CommandPlace, once: bool, secret: tuple[str, ...], json: bool) -> int:
    """Go on with parked runs when it is time.

    A run that waits for long is parked: no process has it. This one goes on with each when its time
    has come or it was answered. Any number may run, on any of them one. Ctrl-C and SIGTERM end it
    when its runs wait or have ended, a second signal at once.
    """
    from .parked_run_worker import work  # noqa: PLC0415

    return work(place, secret, once, json)


@program.command()
@has.workflow_argument
@has.VARIABLES
@has.CODE
@has.PLACE
@has.JSON
def check(place: CommandPlace, workflow: str, json: bool, **words: Any) -> int:
    """Say all that is wrong with a workflow."""
    from .attended_run import check  # noqa: PLC0415

    return check(place, workflow, words, json)


@program.command()
@has.run_argument
@click.option(
    "--file",
    metavar="FILE|NAME",
    help="The workflow as it is mended: what is still to be done is done as it says.",
)
@click.option("--from", "start", metavar="STATE", help="Go on from this state or step instead.")
@click.option(
    "--again",
    is_flag=False,
    flag_value="",
    metavar="[CALLS]",
    help="Call again what was cut off, done or not, and what stands after what was undone: these "
    "calls (a,RUN/b), or all others.",
)
@click.option(
    "--done",
    is_flag=False,
    flag_value="",
    metavar="[CALLS]",
    help="Take the same as done.",
)
@has.VARIABLES
@has.KEPT
@has.CODE
@has.PLACE
@has.JSON
def resume(
    place: CommandPlace,
    run: str,
    start: str | None,
    again: str | None,
    done: str | None,
    file: str | None,
    json: bool,
    **words: Any,
) -> int:
    """Go on with a run where it stopped.

    What succeeded is kept. The RUN `last` is the last one of the session, here and elsewhere: where
    none is named, of `cli`, and of all where that has none.
    """
    from .attended_run import resume  # noqa: PLC0415

    return resume(place, run, words, _save_options(words), start, (again, done), file, json)


def _save_options(words: dict[str, Any]) -> dict[str, Any]:
    return {
        "save": not words["no_save"],
        "overwrite": words["overwrite"],
        "reuse": not words["no_cache"],
        "on": words["on"],
    }


@program.command()
@has.PLACE
@has.JSON
def runs(place: CommandPlace, json: bool) -> int:
    """List the runs, of all sessions or of one."""
    from .inspect_runs import runs  # noqa: PLC0415

    return runs(place, json)


@program.command()
@click.option("--all", "archived", is_flag=True, help="Those that were archived, too.")
@has.IN_HOME
@has.JSON
def sessions(place: CommandPlace, archived: bool, json: bool) -> int:
    """List the sessions with their notebooks."""
    from .inspect_runs import sessions  # noqa: PLC0415

    return sessions(place, archived, json)


@program.command()
@click.argument("words", metavar="WORDS…", nargs=-1, required=True)
@click.option("--all", "archived", is_flag=True, help="In those that were archived, too.")
@click.option("-n", "--most", type=click.IntRange(1), default=20, help="Of a session (20).")
@has.IN_HOME
@has.JSON
def search(
    place: CommandPlace, words: tuple[str, ...], archived: bool, most: int, json: bool
) -> int:
    """Find steps and runs in all sessions.

    A step has all WORDS, in any case, in its title, reason, findings or tags: tag:slow is the tag
    itself, by:helper who recorded it, code:merge what is in its code. The session that was changed
    last is first.
    """
    from .search import search  # noqa: PLC0415

    return search(place, " ".join(words), archived, most, json)


@program.command()
@has.maybe_run_argument
@click.option("--rollback", is_flag=True, help="Undo what succeeded.")
@click.option("--reason", metavar="TEXT", help="Why, kept in the journal.")
@has.SECRET
@has.PLACE
@has.JSON
def cancel(
    place: CommandPlace,
    run: str | None,
    rollback: bool,
    reason: str | None,
    secret: tuple[str, ...],
    json: bool,
) -> int:
    """Stop a run, in whatever process it is.

    Without RUN, the one that is running. One whose process is gone is named: it is ended, and
    where it says so undone, here, with the secrets that this needs.
    """
    from .run_control import cancel  # noqa: PLC0415

    return cancel(place, run, rollback, reason, secret, json)


@program.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--to", metavar="STATE", help="The state or step that asks.")
@has.run_option
@has.PLACE
@has.JSON
def answer(
    place: CommandPlace,
    text: tuple[str, ...],
    to: str | None,
    run: str | None,
    json: bool,
) -> int:
    """Answer the question of a run.

    A choice is answered by its words or its number.
    """
    from .run_control import answer  # noqa: PLC0415

    return answer(place, " ".join(text), to, run, json)


@program.command()
@has.maybe_run_argument
@click.option("-f", "--follow", is_flag=True, help="Go on until the run ends, and end as it did.")
@click.option("--by", metavar="NAME", help="Of a session: what that program did, or `notebook`.")
@click.option(
    "--verify",
    is_flag=False,
    flag_value="",
    metavar="[MARK]",
    help="Say whether each event is as it was written; MARK, which this said earlier, finds last "
    "ones that were taken away, too.",
)
@has.PLACE
@click.option("--json", is_flag=True, help="Print one JSON object a line.")
def log(
    place: CommandPlace,
    run: str | None,
    follow: bool,
    by: str | None,
    verify: str | None,
    json: bool,
) -> int:
    """Show what happened in a run, or in a session.

    Without RUN, in the session that --session names, else in the one that was changed last.
    """
    if verify is not None:
        from .session_events import verify as verify_sessions  # noqa: PLC0415

        return verify_sessions(place, verify, json)
    if run is None:
        from .session_events import log_session  # noqa: PLC0415

        return log_session(place, follow, json, by)
    from .inspect_runs import log  # noqa: PLC0415

    return log(place, run, follow, json)


@program.command()
@has.run_argument
@has.form_options("text", "md", "html", "json")
@has.OUTPUT
@has.PLACE
def show(place: CommandPlace, run: str, form: str | None, output: str | None) -> int:
    """Show the report of a run.

    As text to be read here, at a terminal as wide as that is; -o report.md writes Markdown.
    """
    from .inspect_runs import show  # noqa: PLC0415

    return show(place, run, form, output)


@program.command()
@has.target_argument
@has.form_options("text", "svg", "dot", "mermaid")
@has.OUTPUT
@has.PLACE
def graph(place: CommandPlace, target: str, form: str | None, output: str | None) -> int:
    """Draw a run, or a workflow."""
    from .inspect_runs import graph  # noqa: PLC0415

    return graph(place, target, form, output)


@program.command()
@has.run_argument
@has.form_options("text", "svg", "html")
@has.OUTPUT
@has.PLACE
def timeline(place: CommandPlace, run: str, form: str | None, output: str | None) -> int:
    """Show when each call of a run was made."""
    from .inspect_runs import timeline  # noqa: PLC0415

    return timeline(place, run, form, output)


@program.command()
@has.run_argument
@click.argument("other", metavar="RUN")
@has.PLACE
@has.JSON
def diff(place: CommandPlace, run: str, other: str, json: bool) -> int:
    """Show how two runs differ."""
    from .inspect_runs import diff  # noqa: PLC0415

    return diff(place, run, other, json)


@program.command()
@click.option(
    "--allow-run", metavar="NAME,…", help="Saved workflows that the client may run (*: all)."
)
@click.option("--allow-inline", is_flag=True, help="It may also run what it writes itself.")
@click.option(
    "--sequential",
    is_flag=True,
    help="Also the tools of servers that number thoughts or steps: their prompts work.",
)
@click.option(
    "--terminal",
    is_flag=True,
    help="Also terminals, with the tools of a server for them: it may then do what you may.",
)
@click.option(
    "--investigate",
    is_flag=True,
    help="Also a tool for each kind of investigation, as servers for them have.",
)
@has.MCP_SESSION
@has.HOME
def mcp(
    home: str | None, session: str | None, allow_run: str | None, allow_inline: bool, **sets: bool
) -> int:
    """Serve an agent on stdin and stdout.

    The client starts it, and records and reads steps in the session; what it may run says the
    person who sets it up. It ends with its client.
    """
    from .mcp_command import serve  # noqa: PLC0415  heavy: the SDK

    asked_for = [name for name, given in sets.items() if given]
    return serve(home, session, allow_run, allow_inline, asked_for)


@program.command()
@click.argument("folder", metavar="[FOLDER]", default=".claude/skills", type=click.Path())
@click.option("--overwrite", is_flag=True, help="Write it in place of another text.")
def skill(folder: str, overwrite: bool) -> int:
    """Write the skill of wfnb for an agent that reads skills.

    It says when to record, branch and revise, how to write the cell, and how to ask for evidence.
    It is written to wfnb/SKILL.md in FOLDER (default: .claude/skills).
    """
    from .agent_skill import give_out  # noqa: PLC0415

    return give_out(folder, overwrite)


@program.command()
@click.option("--dry-run", is_flag=True, help="Say what it is; trust nothing.")
@has.PLACE
@has.JSON
def trust(place: CommandPlace, dry_run: bool, json: bool) -> int:
    """Use what came with the folder from elsewhere.

    Its advisers, strategies, kinds, kept values, and runs that may go on: look at them first. It is
    said of what is there now; what is changed later has to be trusted again.
    """
    from .run_control import trust  # noqa: PLC0415

    return trust(place, dry_run, json)


program.add_command(workflows)
program.add_command(tools)
