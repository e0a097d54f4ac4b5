"""Help, completion, and that the command and the magic say the same."""

import re

import click
import pytest

import wfnb
from wfnb.cli.exit_codes import MEANINGS
from wfnb.cli.program import program
from wfnb.jupyter.magic_options import RUN

from .command import Desk, steps

OF_NOTEBOOKS = {"--background", "--resume", "--quiet", "--save-only"}
"""The command line has commands of its own for some: `resume`, `workflows import`."""


def commands(group: click.Group, path: str = "") -> list[tuple[str, click.Command]]:
    found = []
    for name, command in group.commands.items():
        found.append((f"{path}{name}", command))
        if isinstance(command, click.Group):
            found += commands(command, f"{path}{name} ")
    return found


def test_the_help_of_the_command_lists_the_commands_and_the_exit_codes(desk: Desk):
    said = desk.wfnb("--help")

    for name in program.commands:
        assert re.search(rf"^  {name} +[A-Z].*\w\.$", said.out, re.MULTILINE)
    for code, meaning in MEANINGS.items():
        assert f"{code}  {meaning}" in said.out
    assert desk.wfnb().out == said.out


@pytest.mark.parametrize(("path", "command"), commands(program), ids=lambda value: str(value))
def test_every_command_and_every_option_is_explained(path, command):
    assert (command.help or "").partition("\n")[0].endswith(".")
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert (parameter.help or "").endswith((".", ")"))


def test_the_options_of_the_magic_are_those_of_the_commands():
    declared = {
        option
        for name in ("run", "resume")
        for parameter in program.commands[name].params
        for option in parameter.opts
    }

    assert {option.flag for option in RUN.options.table} - OF_NOTEBOOKS <= declared


def test_the_version_is_that_of_the_package(desk: Desk):
    assert desk.wfnb("--version").out == f"wfnb {wfnb.__version__}\n"


@pytest.mark.parametrize(
    ("typed", "begun", "found"),
    [
        ("wfnb re", "re", ["resume"]),
        ("wfnb log ", "", ["work-2", "work-1"]),
        ("wfnb graph work", "work", ["work-2", "work-1", "work"]),
        ("wfnb run simple", "simple", ["simple_test"]),
        ("wfnb runs --session ", "", ["cli"]),
        ("wfnb run --max", "--max", ["--max-states"]),
    ],
)
def test_tab_completes_commands_options_and_names(desk: Desk, typed, begun, found):
    desk.write(steps("true"))
    desk.wfnb("run", "work.yaml")
    desk.wfnb("run", "work.yaml")
    words = {"COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split(" ")) - 1)}

    said = Desk(desk.folder, {"_WFNB_COMPLETE": "bash_complete", **words}).wfnb()

    assert [line.partition(",")[2] for line in said.lines] == found


def test_a_shell_gets_its_completion_script(desk: Desk):
    said = Desk(desk.folder, {"_WFNB_COMPLETE": "zsh_source"}).wfnb()

    assert said.out.startswith("#compdef wfnb")
