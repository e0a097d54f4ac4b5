"""The names of the code are held against the list of banned words in GLOSSARY.md."""

import ast
import re
from pathlib import Path

import pytest

import wfnb

PACKAGE = Path(wfnb.__file__).parent
ROOT = Path(__file__).parents[1]
FIELDS = {
    # On disk: an event's, a kept value's, a kind's.
    *("AdviceTaken.asked", "CarriedFindings.found", "Flow.apart", "KeptValues.asked"),
    *("KeptValues.there", "RuleCondition.found", "RunResumed.kept", "ValuesKept.kept"),
    "Version.asked",
    # As those: what becomes of them.
    *("Step.kept", "Run.kept", "Investigation.found"),
    # In what a program is given.
    *("Answer.kept", "Cut.kept"),
}
"""Fields whose name is a banned word all the same: to become fewer."""


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


def banned_fields(file: Path) -> set[str]:
    """`Class.field` each, where the field's name is a banned word."""
    return {
        f"{kind.name}.{node.target.id}"
        for kind in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(kind, ast.ClassDef)
        for node in kind.body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and node.target.id in banned()
    }


def test_no_other_field_is_a_banned_word():
    found = set().union(*map(banned_fields, PACKAGE.rglob("*.py")))

    assert found == FIELDS


def test_what_the_glossary_names_in_the_code_is_there():
    rows = re.findall(r"^\|.*\|$", (ROOT / "GLOSSARY.md").read_text("utf-8"), re.M)
    places = {place for row in rows for place in re.findall(r"`(\w+/[\w/.]*)`", row)}

    assert places
    assert [place for place in sorted(places) if not (PACKAGE / place).exists()] == []
