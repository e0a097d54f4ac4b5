"""What is built, tried and shown is the same in the scripts, the workflows and the pages."""

import ast
import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType

import yaml

ROOT = Path(__file__).parents[1]
GITHUB = ROOT / ".github"


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "release" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(path: Path) -> dict:
    return yaml.safe_load(path.read_text("utf-8"))


def test_the_workflow_tries_every_row_of_the_matrix():
    strategy = read(GITHUB / "workflows" / "test.yml")["jobs"]["versions"]["strategy"]

    assert strategy["matrix"]["row"] == [*script("matrix").ROWS]


def test_every_python_that_is_named_is_tried():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    prefix = "Programming Language :: Python :: 3."
    named = {each.removeprefix(prefix) for each in project["classifiers"] if prefix in each}

    assert {row.python.removeprefix("3.") for row in script("matrix").ROWS.values()} == named


def test_what_the_matrix_runs_is_there():
    matrix = script("matrix")

    paths = (*matrix.TESTS, *matrix.BROWSER.values(), *matrix.COPIED)
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_every_workflow_reads_only_what_it_needs():
    workflows = {path.name: read(path) for path in (GITHUB / "workflows").glob("*.yml")}

    assert {name: each["permissions"] for name, each in workflows.items()} == {
        "release.yml": {"contents": "read"},
        "test.yml": {"contents": "read"},
    }
    rights = [
        (name, job["permissions"])
        for each in workflows.values()
        for name, job in each["jobs"].items()
        if "permissions" in job
    ]
    assert rights == [("publish", {"id-token": "write"})]


def test_every_action_is_one_commit_that_nobody_can_move():
    workflows = [read(path) for path in (GITHUB / "workflows").glob("*.yml")]
    steps = [step for each in workflows for job in each["jobs"].values() for step in job["steps"]]
    used = [step["uses"] for step in steps if "uses" in step]

    assert used
    assert [each for each in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", each)] == []


def test_every_form_asks_for_something():
    for form in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml"):
        if form.name != "config.yml":
            asked = read(form)
            assert asked["name"]
            assert [each for each in asked["body"] if each.get("validations", {}).get("required")]


def test_the_citation_names_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    citation = read(ROOT / "CITATION.cff")

    assert citation["license"] == project["license"]
    assert citation["authors"] == project["authors"]


def test_every_page_is_in_the_contents_of_the_site():
    tree = ast.parse((ROOT / "docs" / "site" / "conf.py").read_text("utf-8"))
    (pages,) = (
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PAGES"
    )
    listed = {name for names in pages.values() for name in names.split()}
    there = {
        path.relative_to(ROOT).with_suffix("").as_posix()
        for path in (
            *ROOT.glob("*.md"),
            *ROOT.glob("docs/*.md"),
            *ROOT.glob("notebooks/data/**/*.md"),
        )
    }

    assert listed - {"notebooks/*"} == there - {"README"}
