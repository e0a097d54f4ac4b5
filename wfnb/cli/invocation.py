"""what a command came to -> an exit code, and one line on stderr for what could not be done."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from wfnb.errors import JournalError, Refused, ToolUnknown, WfnbError, WorkflowInvalid, nearest
from wfnb.hints import use_spelling
from wfnb.render.text import escape

from .exit_codes import FAILED, INTERRUPTED, JOURNAL, REFUSED
from .hints_as_commands import TOOLS, ShellSpelling, is_of_tool
from .output import PAPER, complain, lenient
from .program import program

_COMPLETE = "_WFNB_COMPLETE"


def run_command(words: Sequence[str]) -> int:
    """Do what the words say. The exit code."""
    # First of all: even a refusal may have a letter that the terminal's encoding has not.
    lenient()
    use_spelling(ShellSpelling())
    if os.environ.get(_COMPLETE):
        from click.shell_completion import shell_complete  # noqa: PLC0415  only for a shell

        return shell_complete(program, {}, "wfnb", _COMPLETE, os.environ[_COMPLETE])
    code = _invoke_program(words)
    # A command that failed keeps its own code; one that did not must not say 0 if nothing was
    # printed.
    return code or REFUSED if PAPER.faulty() else code


def _invoke_program(words: Sequence[str]) -> int:
    try:
        # Not `program()`: click's standalone mode would print and exit by its own rules.
        with program.make_context("wfnb", list(words)) as context:
            return int(program.invoke(context) or 0)
    except click.exceptions.Exit as exit:
        return exit.exit_code
    except click.UsageError as error:
        complain(_usage(error))
    except WorkflowInvalid as error:
        said = f"wfnb: {escape.printable(str(error))}"
        apart = "\n" if "\n" in said else " "
        complain(said + f"{apart}{TOOLS}" * any(map(is_of_tool, error.problems)))
    except ToolUnknown as error:
        complain(f"{_line(error)} {TOOLS}")
    except Refused as error:
        complain(_line(error))
    except JournalError as error:
        complain(_line(error))
        return JOURNAL
    except WfnbError as error:  # the run is not over, and can be resumed
        complain(_line(error))
        return FAILED
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:  # help that nobody reads to its end
        PAPER.discard_rest()
        return 0
    except OSError as error:  # the folder it runs in was deleted, no more files may be open, …
        what = error.strerror or str(error)
        if isinstance(error, FileNotFoundError) and not error.filename:  # of `getcwd` alone
            what = "The folder it runs in is gone. Change to one that is there"
        where = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        complain(f"wfnb: {escape.line(where + what)}.")
    except (MemoryError, RuntimeError) as error:  # Python has no kind of its own for a thread
        # Any other RuntimeError is a fault of ours, and its traceback is wanted.
        if isinstance(error, RuntimeError) and "new thread" not in str(error):
            raise
        complain("wfnb: There is not enough memory for it. Allow more (`ulimit -v`).")
        return FAILED
    return REFUSED


def _line(error: WfnbError) -> str:
    said = escape.line(str(error))
    return said if said.startswith("wfnb ") else f"wfnb: {said}"


def _usage(error: click.UsageError) -> str:
    """What is wrong, and where it says what is possible."""
    path = error.ctx.command_path if error.ctx else "wfnb"
    said = _unknown(error) or error.format_message()
    return f"{path}: {escape.line(said)} `{path} --help` says what there is."


def _unknown(error: click.UsageError) -> str:
    """Of an option that is none, what may be meant: dashes make no two options alike."""
    if not isinstance(error, click.NoSuchOption):
        return ""
    words = tuple(each.lstrip("-") for each in error.possibilities or ())
    near = nearest(error.option_name.lstrip("-"), words).replace("'", "'--", 1).strip()
    return f"{error.message} {near}".strip()
