"""What `make docs` writes is what is in docs/."""

import doctest
from collections.abc import Callable
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import making
import pytest
from make import DOCS, MADE, main
from making.examples import EXAMPLES, FACTS
from making.fields import parts
from making.refusals import every

from wfnb.cli.program import program
from wfnb.jupyter.magic_options import BRANCH, RUN, STEP
from wfnb.jupyter.verbs import VERBS
from wfnb.workflows.definition.schema import workflow_schema
from wfnb.workflows.tools.registry import builtin_tools
from wfnb.workflows.views.run_result import RunResult

MODULES = sorted(module.name for module in iter_modules(making.__path__, "making."))


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("file", "made"), MADE.items(), ids=lambda value: getattr(value, "name", "")
)
def test_a_made_page_is_as_the_program_makes_it(file: Path, made: Callable[[], str]):
    assert file.read_text("utf-8") == made(), f"`make docs` writes {file.name} again"


@pytest.mark.parametrize("file", MADE, ids=lambda file: file.name)
def test_a_made_page_begins_by_saying_how_it_is_made(file: Path):
    first = file.read_text("utf-8").partition("\n")[0]

    assert first.startswith("<!-- Made by `make docs` from ")
    assert first.endswith(" -->")


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_in_the_program_hold(module: str):
    assert doctest.testmod(import_module(module)).failed == 0


def test_every_option_and_verb_is_in_the_page_of_magics():
    page = (DOCS / "magics.md").read_text("utf-8")
    grammars = [STEP, BRANCH, RUN, *(verb.grammar for verb in VERBS.values())]
    flags = {option.flag for grammar in grammars for option in grammar.options.table}

    assert [g.usage for g in grammars if f"```\n{g.usage}\n```" not in page] == []
    assert [g.name for g in grammars if f"# `{g.name}`\n" not in page] == []
    assert [flag for flag in flags if f"| `{flag}" not in page] == []


def test_every_class_of_refusal_is_in_the_page_of_errors():
    page = (DOCS / "errors.md").read_text("utf-8")
    names = [kind.__name__ for kind in every()]

    assert [name for name in names if f"\n### `{name}`\n" not in page] == []
    assert set(EXAMPLES) <= set(names)
    assert {fact.partition(".")[0] for fact in FACTS if "." in fact} <= {*names} - {*EXAMPLES}


def test_every_part_of_a_definition_is_in_the_page_of_workflows():
    page = (DOCS / "workflows.md").read_text("utf-8")

    assert parts(page) == {*workflow_schema()["$defs"], "Workflow", "Work"}


def test_every_field_of_a_result_is_in_the_page_of_workflows():
    page = (DOCS / "workflows.md").read_text("utf-8")
    names = [field.name for field in fields(RunResult)]

    assert [
        name for name in names if f"`{name}`" not in page and f"result.{name}" not in page
    ] == []


def test_every_tool_and_its_parameters_are_in_the_page_of_tools():
    page = (DOCS / "tools.md").read_text("utf-8")
    named = {
        tool.name: [name for name in tool.parameters["properties"] if f"| `{name}` |" not in page]
        for tool in builtin_tools().values()
        if f"\n## `{tool.name}`\n" in page
    }

    assert named == {name: [] for name in builtin_tools()}


def test_every_command_is_in_the_page_of_the_command_line():
    page = (DOCS / "cli.md").read_text("utf-8")
    names = [f"wfnb {name}" for name in program.commands]

    assert [name for name in names if f"\n## `{name}`\n" not in page] == []


@pytest.mark.kernel
def test_only_pages_that_differ_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    old, new, shown = (tmp_path / name for name in ("old.md", "new.md", "shown.md"))
    old.write_text("same\n", "utf-8")
    shown.write_text("```python\n6 * 7\n```\n\n```text\n```\n", "utf-8")
    monkeypatch.setattr("make.DOCS", tmp_path / "docs")
    monkeypatch.setattr("make.MADE", {old: lambda: "same\n", new: lambda: "made\n"})
    monkeypatch.setattr("make.SHOWN", (shown,))

    main()

    assert new.read_text("utf-8") == "made\n"
    assert shown.read_text("utf-8") == "```python\n6 * 7\n```\n\n```text\n42\n```\n"
    said = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert said == [["as", "it", "was", "old.md"], ["written", "new.md"], ["written", "shown.md"]]
