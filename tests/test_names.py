"""The names of the code are held against the list of banned words in GLOSSARY.md."""

import ast
import re
from collections import Counter
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


MIRRORED = {
    # Of the core and of slices, by their convention.
    *("apply", "commands", "decide", "events", "extension"),
    # What is shown, as text and in the panel, of a session and of a run.
    *("graph", "kept_values", "report", "restore_result", "snapshot", "step_card", "timeline"),
    # A rule and its words; what a host asks and takes.
    *("question_prompt", "prompts", "staleness", "undo_by_author"),
    # An area, in errors, verbs, tools and where it is.
    *("investigations", "notebook", "questions", "runs", "sessions", "strategies"),
    *("reader", "registry", "schema", "tools", "trust", "workflows"),
}
"""Names of files that occur more than once: to become fewer."""


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


def test_another_file_has_another_name():
    files = Counter(file.stem for file in PACKAGE.rglob("*.py") if not file.stem.startswith("__"))

    assert {name for name, times in files.items() if times > 1} == MIRRORED


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


HEADS = [ROOT / "CONTRIBUTING.md", ROOT / "GLOSSARY.md", *sorted(PACKAGE.rglob("__init__.py"))]


@pytest.mark.parametrize("file", HEADS, ids=str)
def test_a_file_that_a_map_names_is_there(file: Path):
    """Where a folder or the whole says what is in it, by the name of the file alone."""
    text = file.read_text("utf-8")
    if file.suffix == ".py":
        text = ast.get_docstring(ast.parse(text)) or ""
    folders = (PACKAGE, ROOT / "tests", ROOT / "docs")
    known = {each.name for folder in folders for each in folder.rglob("*.py")}

    assert set(re.findall(r"(?<![\w*.])[a-z_]+\.py\b", text)) - known == set()


FRONT_END = ROOT / "labextension" / "src"
KINDS = r"\b(?:function|class|interface|type|enum)\s+(\w+)"
CONSTANTS = r"^export\s+(?:const|let)\s+(\w+)"
METHODS = (
    r"^\s+(?:(?:private|protected|static|async|readonly)\s+)*(\w+)\([^;\n]*(?:\{|\): [^;\n]*;)$"
)


def front_end_names(file: Path) -> set[str]:
    """Of the file, its functions, classes, types and methods, and the constants that it exports."""
    text = file.read_text("utf-8")
    found = re.findall(f"{KINDS}|{CONSTANTS}|{METHODS}", text, re.M)
    return {file.name.partition(".")[0], *(name.lower() for each in found for name in each if name)}


@pytest.mark.parametrize("file", sorted(FRONT_END.rglob("*.ts*")), ids=str)
def test_no_name_of_the_front_end_is_a_banned_word(file: Path):
    assert not front_end_names(file) & banned()


def test_names_of_the_front_end_are_read(tmp_path: Path):
    file = tmp_path / "kept.ts"
    file.write_text(
        "export interface Told {\n  heard(f: () => void): Dispose;\n}\n"
        "export const said = 1;\nfunction found(): void {\n  asked(1);\n}\n"
    )

    assert front_end_names(file) == {"kept", "told", "heard", "said", "found"}


_LIMIT = re.compile(r"_?(LONGEST|SHORTEST|LARGEST|FEWEST|MOST|ROOM|BUDGET|TIMEOUT|PATIENCE|PAGE)")
"""They do not say of what: MAX_ROWS does."""


def limits(file: Path) -> set[str]:
    return {
        name.id
        for each in ast.parse(file.read_text("utf-8")).body
        if isinstance(each, (ast.Assign, ast.AnnAssign))
        for name in ast.walk(each)
        if isinstance(name, ast.Name) and _LIMIT.fullmatch(name.id)
    }


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=str)
def test_a_limit_is_named_for_what_it_bounds(file: Path):
    assert limits(file) == set()


def front_end_limits(text: str) -> set[str]:
    return {
        name
        for name in re.findall(r"^(?:export )?const (\w+) =", text, re.M)
        if _LIMIT.fullmatch(name)
    }


@pytest.mark.parametrize("file", sorted(FRONT_END.rglob("*.ts*")), ids=str)
def test_a_limit_of_the_front_end_is_named_for_what_it_bounds(file: Path):
    assert front_end_limits(file.read_text("utf-8")) == set()


def test_limits_of_the_front_end_are_read():
    assert front_end_limits("const MOST = 4;\nexport const PAGE = 9;\n") == {"MOST", "PAGE"}


def test_a_class_of_the_glossary_is_one_class():
    rows = re.findall(r"^\|.*\|$", (ROOT / "GLOSSARY.md").read_text("utf-8"), re.M)
    ours = {name for row in rows for name in re.findall(r"`([A-Z]\w+)`", row)}
    every = Counter(
        node.name
        for file in PACKAGE.rglob("*.py")
        for node in ast.parse(file.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name in ours
    )

    assert len(every) > 20
    # A workflow has steps, too: a definition writes so.
    assert {name for name, times in every.items() if times > 1} == {"Step"}
