"""People's own strategies: a file is read, or said in one line what is wrong with it."""

import json

import pytest

from tests.trusted import trusted
from wfnb.core.strategy import Stage, Strategy, builtin_strategies, strategy_from, to_data
from wfnb.data_files.strategies import shelf
from wfnb.errors import StrategyBroken, StrategyUnknown

SMALL = """
name: small
title: Ask, then act
start: ask
stages:
  ask:
    description: What is wanted
    prompt: Ask.
    next: [act, ask again]
    fields: {question: what is asked}
  ask again: {next: [act]}
  act: {effect: score-branch}
"""
READ = Strategy(
    name="small",
    title="Ask, then act",
    start="ask",
    stages={
        "ask": Stage(
            description="What is wanted",
            prompt="Ask.",
            next=("act", "ask again"),
            fields={"question": "what is asked"},
        ),
        "ask again": Stage(next=("act",)),
        "act": Stage(effect="score-branch"),
    },
)


@pytest.fixture
def folder(tmp_path):
    return tmp_path


@pytest.mark.parametrize("name", ["small.yaml", "small.yml"])
def test_a_strategy_is_read_from_yaml(folder, name):
    (folder / name).write_text(SMALL, "utf-8")

    assert shelf(trusted(folder)).get("small") == READ


def test_a_strategy_is_read_from_json(folder):
    (folder / "small.json").write_text(json.dumps(to_data(READ)), "utf-8")

    assert shelf(trusted(folder)).get("small") == READ


def test_a_strategy_is_known_by_the_name_in_its_file(folder):
    (folder / "mine.yaml").write_text(SMALL, "utf-8")

    assert "small" in shelf(trusted(folder)).strategies
    with pytest.raises(StrategyUnknown):
        shelf(trusted(folder)).get("mine")


def test_without_files_or_folder_there_are_the_nine(folder):
    (folder / "notes.txt").write_text("no strategy")

    assert (
        shelf(trusted(folder)).strategies
        == shelf(folder / "none").strategies
        == shelf(None).strategies
        == builtin_strategies()
    )
    assert not shelf(trusted(folder)).broken


def test_a_file_takes_the_place_of_the_built_in_one_of_its_name(folder):
    (folder / "mine.yaml").write_text(SMALL.replace("small", "react"), "utf-8")

    assert shelf(trusted(folder)).get("react").title == "Ask, then act"


def test_a_strategy_that_is_not_there_is_refused_with_those_there_are():
    with pytest.raises(StrategyUnknown) as refused:
        shelf(None).get("raect")

    assert str(refused.value) == (
        "No strategy is called 'raect'. Did you mean 'react'? Strategies: base_sequential, "
        "chain_of_thought, react, rewoo, scratchpad, self_ask, self_consistency, step_back, "
        "tree_of_thoughts."
    )


def test_a_start_that_is_not_named_is_the_stage_that_nothing_leads_to():
    assert strategy_from({"name": "s", "stages": {"b": {}, "a": {"next": ["b"]}}}, "f").start == "a"


def stages(**after):
    return {name: {"next": list(names)} for name, names in after.items()}


BROKEN = [
    ({"stages": stages(a="")}, "name: field required"),
    ({"name": "a b", "stages": stages(a="")}, "the name 'a b' is not up to 80 letters, digits or"),
    ({"name": "a\n", "stages": stages(a="")}, "the name 'a\\n' is not up to 80 letters, digits"),
    ({"name": "", "stages": stages(a="")}, "the name '' is not up to 80 letters, digits or"),
    ({"name": "x" * 81, "stages": stages(a="")}, "the name 'xxx"),
    ({"name": 3, "stages": stages(a="")}, "name: input should be a valid string"),
    ({"name": "s"}, "stages: field required"),
    ({"name": "s", "stages": {}}, "it has no stages."),
    ({"name": "s", "stages": []}, "stages: input should be a valid"),
    ({"name": "s", "stages": {"a": None}}, "stages.a: "),
    ({"name": "s", "stages": {"a": {"next": 5}}}, "stages.a.next: input should be a valid"),
    ({"name": "s", "stages": {"a": {"next": 5}, "b": {}}}, "stages.a.next: input should be a"),
    ({"name": "s", "stages": {"a": {"next": "b"}, "b": {}}}, "stages.a.next: input should be a"),
    ({"name": "s", "stages": {"a": {"next": [["b"]]}, "b": {}}}, "stages.a.next.0: input should"),
    ({"name": "s", "stages": {"a": {"next": [{}]}}}, "stages.a.next.0: input should"),
    ({"name": "s", "stages": {"a": {"nxt": []}}}, "stages.a.nxt: unexpected keyword"),
    ({"name": "s", "stages": {"a": {"effect": "boom"}}}, "stages.a.effect: input should be"),
    ({"name": "s", "stages": {"a": {"fields": ["x"]}}}, "stages.a.fields: input should be a"),
    ({"name": "s", "stages": {"a": {"fields": {"x": 1}}}}, "stages.a.fields.x: input should"),
    ({"name": "s", "stages": stages(a=""), "colour": 1}, "colour: unexpected keyword"),
    ({"name": "s", "stages": {1: {}}}, "stages.1.[key]: input should be a valid string"),
    ({"name": "s", "stages": {"a\nb": {}}}, "the name 'a\\nb' is not up to 80 characters on one"),
    ({"name": "s", "stages": {"a\nb": 3}}, "'stages.a\\nb': input should be"),
    ({"name": "s", "stages": {"": {}}}, "the name '' is not up to 80 characters on one line."),
    ({"name": "s", "stages": {" a": {}}}, "the name ' a' is not up to 80 characters on one line."),
    ({"name": "s", "stages": {"x" * 81: {}}}, "the name 'xxx"),
    ({"name": "s", "stages": {"a": {"fields": {"b\tc": ""}}}}, "the name 'b\\tc' is not up to 80"),
    ({"name": "s", "title": "a\x00", "stages": stages(a="")}, "the file holds the control char"),
    (
        {"name": "s", "stages": stages(a="b", b="a")},
        "one stage has to be the start (found none: every stage follows another); "
        "name it as `start`.",
    ),
    (
        {"name": "s", "stages": stages(a="c", b="c", c="")},
        "one stage has to be the start (found 'a', 'b'); name it as `start`.",
    ),
    ({"name": "s", "start": "z", "stages": stages(a="")}, "the start 'z' is no stage."),
    ({"name": "s", "start": 3, "stages": stages(a="")}, "start: input should be a valid string"),
    ({"name": "s", "stages": stages(a="z")}, "stage 'a' leads to 'z', which is no stage."),
    (
        {"name": "s", "start": "a", "stages": stages(a="b", b="a")},
        "no stage is an end (one whose `next` is empty).",
    ),
    (
        {"name": "s", "start": "a", "stages": stages(a="bc", b="b", c="")},
        "stage 'b' is a dead end: no end can be reached from it.",
    ),
    (
        {"name": "s", "start": "a", "stages": stages(a="c", b="c", c="")},
        "stage 'b' is never reached from 'a'.",
    ),
    ([], "the file: input should be a"),
    (None, "the file: input should be a"),
    ("small", "the file: input should be a"),
]


@pytest.mark.parametrize(("data", "what"), BROKEN)
def test_a_strategy_that_cannot_be_followed_is_refused_with_what_is_wrong(data, what):
    with pytest.raises(StrategyBroken) as refused:
        strategy_from(data, "mine.yaml")

    said = str(refused.value)
    assert said.startswith(f"Strategy mine.yaml: {what}")
    assert said.endswith(".")
    assert said.isprintable()


BOMB = "a0: &a0 [x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30)
)
MERGED = "m0: &m0 {x: 1}\n" + "".join(
    f"m{n}: &m{n}\n  <<: [{', '.join([f'*m{n - 1}'] * 9)}]\n" for n in range(1, 30)
)
FILES = [
    ("empty.json", b"", "the file is no JSON"),
    ("half.json", b'{"name": "s",', "the file is no JSON"),
    ("latin.json", '{"name": "é"}'.encode("latin-1"), "the file cannot be read"),
    ("latin.yaml", "name: é".encode("latin-1"), "the file cannot be read"),
    ("deep.json", b"[" * 90_000, "the file is no JSON"),
    ("digits.json", b"9" * 5_000, "the file is no JSON"),
    (
        "lone.json",
        b'{"name": "s", "title": "\\ud800", "stages": {"a": {}}}',
        "the file is no Unicode text at",
    ),
    ("empty.yaml", b"", "the file: input should be a"),
    ("list.yaml", b"- a\n- b\n", "the file: input should be a"),
    ("tabs.yaml", b"a:\n\tb: 1\n", "the file is no YAML"),
    ("nul.yaml", b"a: \x00", "the file is no YAML"),
    ("two.yaml", b"a: 1\n---\nb: 2\n", "the file is no YAML"),
    ("python.yaml", b"!!python/object/apply:os.system ['true']", "the file is no YAML"),
    ("number.yaml", b"title: !!int x\n", "the file is no YAML"),
    ("whole.yaml", b"title: !!int x\n", "the file is no YAML"),
    ("truth.yaml", b"title: !!bool x\n", "the file is no YAML"),
    ("time.yaml", b"title: !!timestamp x\n", "the file is no YAML"),
    ("key.yaml", b"? [a]\n: 1\n", "the file is no YAML"),
    ("deep.yaml", b"[" * 90_000, "the file is no YAML (it is nested too deep)."),
    ("deeper.yaml", b"- " * 45_000, "the file is no YAML (it is nested too deep)."),
    ("bomb.yaml", BOMB.encode(), "the file is no YAML (it uses an alias (*name); write"),
    ("merged.yaml", MERGED.encode(), "the file is no YAML (it uses an alias (*name); write"),
    ("self.yaml", b"&a [*a]", "the file is no YAML (it uses an alias (*name); write"),
    ("large.yaml", b"# " + b"x" * 100_000, "the file is too large (100,002 bytes; 100,000 are"),
    ("large.json", b" " * 100_001, "the file is too large (100,001 bytes; 100,000 are"),
]


@pytest.mark.parametrize(("name", "content", "what"), FILES)
def test_a_file_that_cannot_be_read_is_named_in_one_line_and_blocks_no_other(
    folder, name, content, what
):
    (folder / name).write_bytes(content)
    (folder / "small.yaml").write_text(SMALL, "utf-8")

    found = shelf(trusted(folder))

    assert found.get("small") == READ
    said = str(found.broken[name.partition(".")[0]])
    assert said.startswith(f"Strategy {name}: {what}")
    assert said.isprintable()
    assert len(said) < 400


def test_a_broken_file_says_why_where_its_strategy_is_asked_for(folder):
    (folder / "mine.yaml").write_text(SMALL.replace("next: [act]", "next: [akt]"), "utf-8")

    with pytest.raises(StrategyBroken, match="'ask again' leads to 'akt', which is no stage"):
        shelf(trusted(folder)).get("mine")


def test_a_folder_named_like_a_strategy_blocks_no_other(folder):
    (folder / "small.json").mkdir()
    (folder / "small.yaml").write_text(SMALL, "utf-8")

    assert shelf(trusted(folder)).strategies["small"] == READ
    assert "cannot be read" in str(shelf(trusted(folder)).broken["small"])
