"""The seven fields' own names are parameters of the API; messages name the one that was used."""

import re
from inspect import signature
from pathlib import Path

import pytest

import wfnb
from wfnb.core.events import REMARKS, Version
from wfnb.errors import BadOption, BadText, BadValue
from wfnb.workspace.step_arguments import ALIASES

RULES = Path(__file__).parents[1] / "docs" / "rules.md"


@pytest.fixture
def ws(tmp_path, monkeypatch):
    monkeypatch.setenv("WFNB_HOME", str(tmp_path))
    made = wfnb.open("names")
    made.step("one", total=5)
    made.step("two")
    return made


def test_a_workspace_has_few_names_and_the_rest_is_in_its_parts(ws):
    names = [name for name in dir(ws) if not name.startswith("_")]

    assert len(names) <= 30, names


def test_what_a_step_says_of_itself_is_recorded_and_can_be_said_in_python(ws):
    parameters = signature(ws.step).parameters

    assert REMARKS
    assert [name for name in REMARKS if name not in parameters] == []
    assert [name for name in REMARKS if name not in Version.__dataclass_fields__] == []


SAID = {
    "description": "three",
    "number": 3,
    "total": 4,
    "revises": 2,
    "branch": "alt",
    "branch_from": 2,
}


def test_each_field_may_be_said_by_its_own_name_or_the_short_one(ws, tmp_path):
    one = ws.step(**SAID).to_dict()
    ws.undo()

    other = ws.step(**{long: SAID[short] for long, short in ALIASES.items()}).to_dict()

    assert one == other
    assert (one["step_number"], one["current_branch"], one["revises_step"]) == (3, "alt", 2)


@pytest.mark.parametrize("long", ALIASES)
def test_both_names_are_taken_where_they_agree_and_refused_where_they_differ(ws, long):
    short = ALIASES[long]
    other = {"description": "other", "branch": "beta"}.get(short, 1)

    ws.step(**SAID, **{long: SAID[short]})
    ws.undo()
    with pytest.raises(BadOption, match=f"{short}=.* and {long}=.* contradict each other"):
        ws.step(**SAID, **{long: other})


BAD = {
    "description": "",
    "number": 2.5,
    "total": "many",
    "revises": 0,
    "branch": "<b>",
    "branch_from": "x",
}


@pytest.mark.parametrize("long", ALIASES)
def test_a_refusal_names_the_parameter_that_was_used(ws, long):
    short = ALIASES[long]
    others = {"description": "three"} if short != "description" else {}

    for name in (short, long):
        with pytest.raises(BadValue) as refused:
            ws.step(**others, **{name: BAD[short]})
        assert str(refused.value).startswith(f"{name} is ")
    assert len(ws.status()["steps"]) == 2


def test_a_text_that_cannot_be_kept_and_one_that_is_missing_name_the_parameter(ws):
    with pytest.raises(BadText, match=r"^description holds"):
        ws.step("a\x00")
    with pytest.raises(BadText, match=r"^step_description holds"):
        ws.step(step_description="a\x00")
    with pytest.raises(BadValue, match=r"^description is"):
        ws.step()
    with pytest.raises(BadValue, match=r"^branch is ''"):
        ws.step("three", branch_from=2)


@pytest.mark.parametrize("number", [3, 3.0, "3"])
def test_a_whole_number_is_one_however_json_writes_it(ws, number):
    assert ws.step("three", number=number).step_number == 3


def test_a_revision_that_is_said_to_be_none_is_refused(ws):
    with pytest.raises(BadValue, match="is_step_revision is 'False'"):
        ws.step("three", revises=1, is_step_revision=False)

    assert ws.step("three", is_step_revision=False).revises_step is None


def test_the_page_of_rules_has_the_table_of_names():
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \|$", RULES.read_text("utf-8"), re.MULTILINE)

    assert dict(rows) == dict(ALIASES)
