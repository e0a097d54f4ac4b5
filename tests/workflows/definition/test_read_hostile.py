"""What is too deep, too large, full of mistakes or no definition at all is refused in words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amount import times
from wfnb.errors import WorkflowInvalid
from wfnb.workflows.definition.json_limits import DEEPEST
from wfnb.workflows.definition.problem import Problem
from wfnb.workflows.definition.reader import parse

from .reading import needing, problems_of, refused, said, step


def nested(depth, kind):
    data = kind()
    for _ in range(depth):
        data = {"a": data} if kind is dict else [data]
    return data


@pytest.mark.parametrize("kind", [dict, list])
@pytest.mark.parametrize("depth", [DEEPEST, 5_000])
def test_what_is_nested_too_deep_is_refused(kind, depth):
    (problem,) = refused(step(args={"x": nested(depth, kind)})).problems

    assert problem == Problem(
        "steps.0.args", "depth", f"steps.0.args is nested more than {DEEPEST} levels deep"
    )


def test_what_holds_itself_is_refused():
    round_and_round = []
    round_and_round.append(round_and_round)

    assert said(step(args={"x": round_and_round})) == [
        f"steps.0.args is nested more than {DEEPEST} levels deep"
    ]


def doubled(times):
    data = []
    for _ in range(times):
        data = [data, data]
    return data


LARGE = [
    step(args={"x": "x" * 10_000_000}),
    {"steps": [{"tool": "x", "args": {"text": "x" * 1_900}}] * 5_000},
    {f"key{n}": n for n in range(500_000)},
    {"steps": [{"tool": "x"}] * 500_000},
    step(args={"x": doubled(50)}),
]


@pytest.mark.parametrize("data", LARGE, ids=["text", "steps", "keys", "items", "shared"])
def test_what_is_too_large_is_refused_by_its_size_alone(data):
    assert said(data) == ["The definition is too large: 4,000,000 characters are read at most"]


FULL_OF_MISTAKES = [
    {"steps": 1} | {f"key{n}": n for n in range(50_000)},
    {"steps": [{"a": 1, "b": 2}] * 5_000},
    {"steps": [{"tool": "x", "needs": [f"nothing{n}"]} for n in range(5_000)]},
    {"steps": [{"tool": "x", "id": "same"}] * 5_000},
]


@pytest.mark.parametrize("data", FULL_OF_MISTAKES, ids=["keys", "steps", "needs", "ids"])
def test_of_thousands_of_mistakes_a_hundred_are_put_into_words(data):
    assert len(refused(data).problems) >= 100


def test_a_circle_among_thousands_of_steps_is_found_and_cut():
    ids = [f"s{n}" for n in range(5_000)]
    after = dict(zip(ids, [*ids[1:], ids[0]], strict=True))

    (problem,) = refused(needing(**{step_id: [after[step_id]] for step_id in ids})).problems

    assert problem.message == (
        "Steps need each other in a circle: s0 → s1 → s2 → s3 → s4 → s5 → … → "
        "s4996 → s4997 → s4998 → s4999 → s0"
    )


@settings(max_examples=times(37, 300), deadline=None)
@given(st.binary(max_size=200))
def test_random_bytes_are_refused_in_words(noise):
    text = noise.decode("utf-8", "surrogateescape")

    for data in (text, {text: text}, {"steps": text}, {"steps": [{text: text}]}, step(tool=text)):
        assert all(str(problem).isprintable() for problem in problems_of(data))


@settings(max_examples=times(25, 200), deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
    )
)
def test_random_data_is_refused_in_words(data):
    for document in (data, {"steps": data}, {"states": data}, {"steps": [data]}):
        with pytest.raises(WorkflowInvalid) as caught:
            parse(document)

        assert all(str(problem).isprintable() for problem in caught.value.problems)
