"""the commands about saved workflows and tools -> what is called with their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from . import shared_options as has

if TYPE_CHECKING:
    from .run_lookup import CommandPlace


@click.group(invoke_without_command=True)
@has.IN_HOME
@has.JSON
@click.pass_context
def workflows(context: click.Context, place: CommandPlace, json: bool) -> int:
    """List and change saved workflows."""
    from .workflow_library_output import list_workflows  # noqa: PLC0415  heavy, as in all that follows

    return list_workflows(place, json) if context.invoked_subcommand is None else 0


@workflows.command("list")
@has.IN_HOME
@has.JSON
def list_(place: CommandPlace, json: bool) -> int:
    """List them, the examples after your own."""
    from .workflow_library_output import list_workflows  # noqa: PLC0415

    return list_workflows(place, json)


@workflows.command()
@has.name_argument
@has.IN_HOME
@has.JSON
def show(place: CommandPlace, name: str, json: bool) -> int:
    """Show a definition, as YAML or JSON."""
    from .workflow_library_output import show  # noqa: PLC0415

    return show(place, name, json)


@workflows.command()
@has.name_argument
@has.IN_HOME
def delete(place: CommandPlace, name: str) -> int:
    """Delete one; the runs of it stay."""
    from .workflow_library_output import delete  # noqa: PLC0415

    return delete(place, name)


@workflows.command()
@has.name_argument
@click.argument("new", metavar="NEW")
@has.IN_HOME
def rename(place: CommandPlace, name: str, new: str) -> int:
    """Give one another name."""
    from .workflow_library_output import rename  # noqa: PLC0415

    return rename(place, name, new)


@workflows.command("import")
@click.argument("file", metavar="FILE", type=click.Path())
@click.option("--name", metavar="NAME", help="Its name (default: its own, else the file's).")
@click.option("--overwrite", is_flag=True, help="Save it in place of another of its name.")
@has.IN_HOME
def import_(place: CommandPlace, file: str, name: str | None, overwrite: bool) -> int:
    """Save the workflow of a YAML or JSON file."""
    from .workflow_library_output import take_in  # noqa: PLC0415

    return take_in(place, file, name, overwrite)


@workflows.command()
@has.name_argument
@click.argument("file", metavar="FILE", type=click.Path())
@has.IN_HOME
def export(place: CommandPlace, name: str, file: str) -> int:
    """Write a definition to a file: .yaml, .yml or .json."""
    from .workflow_library_output import give_out  # noqa: PLC0415

    return give_out(place, name, file)


@click.command()
@click.argument("name", metavar="[NAME]", required=False)
@has.CODE
@has.JSON
def tools(name: str | None, json: bool) -> int:
    """List what a workflow may call, or show all about one."""
    from .workflow_library_output import tools  # noqa: PLC0415

    return tools(name, json)
