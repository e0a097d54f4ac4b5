"""What the skill says to an agent is so: its cells run, and the tools it names are there."""

import re
from importlib.resources import files
from pathlib import Path

import yaml

import wfnb
import wfnb.mcp.tools
from tests.jupyter.kernel import running
from wfnb.mcp.tool_declaration import TOOLS

SKILL = files("wfnb.mcp").joinpath("SKILL.md").read_text("utf-8")
_, HEAD, BODY = SKILL.split("---\n", 2)


def test_its_head_is_what_clients_read():
    head = yaml.safe_load(HEAD)

    assert head["name"] == "wfnb"
    assert 100 < len(head["description"]) <= 1024
    assert len(SKILL) < 6_000


def test_the_tools_and_parameters_that_it_names_are_there():
    known = {each.name for each in TOOLS}
    known |= {name for each in TOOLS for name in each.takes["properties"]}

    named = set(re.findall(r"`([a-z]+(?:_[a-z]+)+|look|why)`", BODY))

    assert len(named) > 8
    assert named - known == set()


def test_its_cells_record_what_they_say(tmp_path: Path):
    cells = re.findall(r"```python\n(.*?)```", BODY, re.S)

    with running(tmp_path) as kernel:
        kernel.ok(f"import os; os.environ['WFNB_HOME'] = {str(tmp_path / '.wfnb')!r}")
        kernel.ok("%load_ext wfnb\n%wfnb start demo")
        for cell in cells:
            kernel.ok(cell)
        for line in ("compare", "select square", "undo", "start crash --kind debug"):
            kernel.ok(f"%wfnb {line}")

    steps = wfnb.open("demo", home_folder=tmp_path / ".wfnb").session.steps.values()
    assert [(each.branch, each.number, each.current.revises) for each in steps] == [
        ("main", 1, None),
        ("square", 2, None),
        ("main", 2, 1),
    ]
    assert {tuple(each.outcome.values) for each in steps} == {("rmse",)}
