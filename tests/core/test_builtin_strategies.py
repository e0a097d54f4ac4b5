"""Section 5: the nine strategies, their stages and fields; each can be walked to its end."""

import json
from pathlib import Path

import pytest

from tests.core.story import Story, choices, done, following, stages
from wfnb.core.strategy import builtin_strategies, strategy_from, to_data

TABLE = json.loads((Path(__file__).parent / "strategies.json").read_text("utf-8"))


def test_the_built_in_strategies_are_the_nine_of_the_recorded_table():
    assert list(builtin_strategies()) == sorted(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_a_built_in_strategy_has_the_transitions_and_fields_of_the_recorded_table(name):
    found = builtin_strategies()[name].stages

    assert {stage: list(found[stage].next) for stage in found} == TABLE[name]["transitions"]
    assert {stage: list(found[stage].fields) for stage in found if found[stage].fields} == (
        TABLE[name]["required_fields"]
    )


@pytest.mark.parametrize("name", TABLE)
def test_every_stage_of_every_strategy_says_what_it_is_and_what_to_do(name):
    chosen = builtin_strategies()[name]

    assert chosen.title
    assert chosen.description
    assert all(stage.description and stage.prompt for stage in chosen.stages.values())
    assert all(means for stage in chosen.stages.values() for means in stage.fields.values())


@pytest.mark.parametrize("name", TABLE)
def test_a_strategy_is_the_same_after_a_way_through_the_journal(name):
    data = json.loads(json.dumps(to_data(builtin_strategies()[name])))

    assert strategy_from(data, "test") == builtin_strategies()[name]


def test_texts_are_kept_for_each_strategy_and_stage_not_for_each_name_of_a_stage():
    shared = [chosen.stages["final_response"].prompt for chosen in builtin_strategies().values()]

    assert len(set(shared)) == len(shared)


def way(name):
    """A shortest way through every stage's first choice, ends preferred once seen twice."""
    transitions, seen, stage = TABLE[name]["transitions"], [], "problem_reception"
    while True:
        seen.append(stage)
        if not transitions[stage]:
            return seen
        fresh = [after for after in transitions[stage] if after not in seen]
        stage = (fresh or transitions[stage])[0]


SAMPLES = {
    "evaluation_score": 0.5,
    "path_answers": ["42", "42", "41"],
    "sub_question_number": 1,
    "tool_calls": [{"tool": "shell", "args": {"command": "ls"}}],
}


@pytest.mark.parametrize("name", TABLE)
def test_any_strategy_can_be_walked_to_its_final_response(name):
    required = TABLE[name]["required_fields"]
    story = Story(following(name))

    for stage in way(name):
        fields = {field: SAMPLES.get(field, "said") for field in required.get(stage, ())}
        only = len(choices(story.session)) == 1
        answer = story.answer(done(stage=None if only else stage, fields=fields))
        assert (answer.stage, answer.next_stages) == (stage, TABLE[name]["transitions"][stage])

    assert answer.stage == "final_response"


@pytest.mark.parametrize("name", TABLE)
def test_every_stage_of_every_strategy_can_be_reached_step_by_step(name):
    required = TABLE[name]["required_fields"]
    for goal in TABLE[name]["transitions"]:
        story = Story(following(name))
        for stage in path_to(name, goal):
            fields = {field: SAMPLES.get(field, "said") for field in required.get(stage, ())}
            story.do(done(stage=stage, fields=fields))
        assert stages(story.session)[-1] == goal


def path_to(name, goal):
    ways = [["problem_reception"]]
    for taken in ways:
        if taken[-1] == goal:
            return taken
        ways += [[*taken, after] for after in TABLE[name]["transitions"][taken[-1]]]
    raise AssertionError(goal)
