"""What `make docs` writes is what is in docs/."""

import doctest
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import making
import pytest
from make import DOCS, MADE, main
from making.refusals import EXAMPLES, kinds

from wfnb.errors import JournalError, Refused
from wfnb.jupyter.options import BRANCH, STEP
from wfnb.jupyter.table import VERBS

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
    grammars = [STEP, BRANCH, *(verb.grammar for verb in VERBS.values())]
    flags = {option.flag for grammar in grammars for option in grammar.options}

    assert [g.usage for g in grammars if f"```\n{g.usage}\n```" not in page] == []
    assert [g.name for g in grammars if f"# `{g.name}`\n" not in page] == []
    assert [flag for flag in flags if f"| `{flag}" not in page] == []


def test_every_class_of_refusal_is_in_the_page_of_errors():
    page = (DOCS / "errors.md").read_text("utf-8")
    names = [kind.__name__ for kind in (*kinds(Refused), *kinds(JournalError))]

    assert [name for name in names if f"\n### `{name}`\n" not in page] == []
    assert set(EXAMPLES) <= set(names)


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
