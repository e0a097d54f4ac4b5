"""The names of the code are held against the list of banned words in GLOSSARY.md."""

import ast
import re
from pathlib import Path

import pytest

import wfnb

PACKAGE = Path(wfnb.__file__).parent
ROOT = Path(__file__).parents[1]


def banned() -> set[str]:
    _, words = (ROOT / "GLOSSARY.md").read_text("utf-8").split("## Banned as names")
    return set(re.findall(r"`(\w{2,})`", words))


def names(file: Path) -> set[str]:
    """Of the module, its classes, functions and methods, without the underscore before them."""
    nodes = ast.walk(ast.parse(file.read_text("utf-8")))
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return {file.stem, *(node.name.strip("_").lower() for node in nodes if isinstance(node, kinds))}


def test_there_are_banned_words():
    assert {"told", "kept"} <= banned()


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=str)
def test_no_name_is_a_banned_word(file: Path):
    assert not names(file) & banned()


def test_what_the_glossary_names_in_the_code_is_there():
    rows = re.findall(r"^\|.*\|$", (ROOT / "GLOSSARY.md").read_text("utf-8"), re.M)
    places = {place for row in rows for place in re.findall(r"`(\w+/[\w/.]*)`", row)}

    assert places
    assert [place for place in sorted(places) if not (PACKAGE / place).exists()] == []
