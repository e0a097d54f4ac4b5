"""Random JSON values through real runs: passed on, captured and compared as they were made."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.amount import times
from wfnb.errors import BadValue
from wfnb.workflows.definition.condition import Condition, holds
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.views.report import Report

from .place import state, states, step, steps

texts = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    (
        "",
        "{x}",
        "{{x}}",
        "{make.result}",
        "yes\n",
        "a\r\n",
        "\x00",
        "'\"\\",
        "null",
        "1",
        "é😀",
        "\n\n",
    )
)
numbers = st.one_of(
    st.integers(-3, 3),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from((0.0, -0.0, 1e300, 5e-324, 2**53 + 1, 2**70, 1.0, 0.1)),
)
plain = st.none() | st.booleans() | numbers | texts
values = st.recursive(
    plain,
    lambda part: st.lists(part, max_size=3) | st.dictionaries(texts, part, max_size=3),
    max_leaves=8,
)


def exact(value: Any) -> str:
    """A text that differs where a value or its type does: -0.0 is not 0.0, and 1 is not 1.0."""
    return (
        repr(value)
        if not isinstance(value, dict)
        else repr({key: exact(part) for key, part in value.items()})
    )


@pytest.mark.parametrize("process", [False, True])
@given(made=st.lists(values, min_size=20, max_size=20))
@settings(
    max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
def test_a_value_that_is_passed_on_is_the_one_that_was_made(
    runner: Runner, process: bool, made: list[Any]
):
    pairs = [
        (
            step(f"m{n}", "python", args={"code": repr(value), "process": process and n == 0}),
            step(f"u{n}", "python", args={"code": "v", "arguments": {"v": f"{{m{n}.result}}"}}),
        )
        for n, value in enumerate(made)
    ]
    given_ = {f"v{n}": {"default": value} for n, value in enumerate(made)}
    reads = {name: f"{{{name}}}" for name in given_}
    listed = f"[{', '.join(given_)}]"
    all_of_them = step("all", "python", args={"code": listed, "arguments": reads})

    done = runner.run(
        steps(*(each for pair in pairs for each in pair), all_of_them, variables=given_),
        save=False,
    )

    assert (done.status, done.warnings) == ("success", [])
    kept = runner.log(done.run).run
    for n, value in enumerate(made):
        for results in (kept.results, done.report.run.results):
            assert exact(results[f"m{n}"]["result"]) == exact(value)
            assert exact(results[f"u{n}"]["result"]) == exact(value)
            assert exact(results["all"]["result"][n]) == exact(value)
    told = json.loads(Report(kept, done.run).to_json())
    assert exact([each["result"]["result"] for each in told["actions"][:-1:2]]) == exact(made)


def is_same(one: Any, other: Any) -> bool:
    """Equal in JSON: what `json` writes, but for 1 and 1.0, which are one number."""
    if type(one) is bool or type(other) is bool or one is None or other is None:
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return set(one) == set(other) and all(is_same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    return one == other


def text_of(value: Any) -> str:
    """A value as it stands in a text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def contains(value: Any, wanted: Any) -> bool:
    if isinstance(value, str):
        if type(wanted) in (int, float):
            return json.dumps(wanted) in value
        return isinstance(wanted, str) and wanted.rstrip("\n") in value
    if isinstance(value, dict):
        return isinstance(wanted, str) and wanted in value
    return isinstance(value, list) and any(is_same(part, wanted) for part in value)


def bare(value: Any) -> Any:
    return re.sub(r"(\r?\n)+\Z", "", value) if isinstance(value, str) else value


words = st.sampled_from(("a", "yes", "1", "null", "x"))
conditions: st.SearchStrategy[dict[str, Any]] = st.recursive(
    st.one_of(
        st.builds(lambda v: {"field_equals": {"result": v}}, values),
        st.builds(lambda v: {"field_contains": {"result": v}}, plain),
        st.builds(lambda v: {"success": v}, st.booleans()),
        st.builds(lambda v: {"timeout_occurred": v}, st.booleans()),
        st.builds(lambda w: {"pattern_match": w}, words),
        st.builds(lambda w: {"pattern_not_match": w}, words),
        st.builds(lambda v, w: {"field_equals": {"result": v}, "pattern_match": w}, values, words),
    ),
    lambda part: st.one_of(
        st.lists(part, min_size=1, max_size=3).map(lambda parts: {"any": parts}),
        st.lists(part, min_size=1, max_size=3).map(lambda parts: {"all": parts}),
        part.map(lambda inner: {"not": inner}),
    ),
    max_leaves=5,
)


def model(asked: dict[str, Any], value: Any) -> bool:
    """Whether a condition holds of what code gave that ended well and printed nothing."""
    told = True
    for key, wanted in asked.items():
        match key:
            case "field_equals":
                told &= is_same(bare(value), bare(wanted["result"]))
            case "field_contains":
                told &= contains(value, wanted["result"])
            case "success":
                told &= wanted
            case "timeout_occurred":
                told &= not wanted
            case "pattern_match":
                told &= value is not None and wanted in text_of(value)
            case "pattern_not_match":
                told &= not (value is not None and wanted in text_of(value))
            case "any":
                told &= any(model(part, value) for part in wanted)
            case "all":
                told &= all(model(part, value) for part in wanted)
            case "not":
                told &= not model(wanted, value)
    return told


@given(asked=conditions, value=values)
@settings(max_examples=times(50, 400))
def test_a_condition_holds_where_the_model_says_so(asked: dict[str, Any], value: Any):
    result = {"success": True, "result": value, "stdout": "", "stderr": ""}

    assert holds(Condition.model_validate(asked), result) == model(asked, value)


@given(value=values, other=values)
@settings(max_examples=times(30, 200))
def test_a_value_equals_itself_and_not_another(value: Any, other: Any):
    result = {"success": True, "result": value}

    assert holds(Condition(field_equals={"result": value}), result)
    assert holds(Condition(field_equals={"result": other}), result) == is_same(
        bare(value), bare(other)
    )


@given(cases=st.lists(st.tuples(conditions, values), min_size=10, max_size=10))
@settings(
    max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
def test_a_run_takes_the_way_that_the_model_takes(runner: Runner, cases: list[Any]):
    written = {}
    for n, (asked, value) in enumerate(cases):
        ways = [(asked, f"yes{n}"), ({"success": True}, f"no{n}")]
        on = [({"success": True}, f"s{n + 1}")] if n + 1 < len(cases) else []
        written[f"s{n}"] = state("python", *ways, params={"code": repr(value)})
        written[f"yes{n}"] = written[f"no{n}"] = state("sleep", *on, params={"seconds": 0})

    done = runner.run(states("s0", **written), save=False)

    assert done.status == "success"
    went = [each["state"] for each in done.execution_log if not each["state"].startswith("s")]
    assert went == [
        f"{'yes' if model(asked, value) else 'no'}{n}" for n, (asked, value) in enumerate(cases)
    ]


@given(value=values, word=st.sampled_from((r"\d+", "[a-z]+", r"\{.*\}", ".")))
@settings(
    max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
def test_what_is_captured_is_what_the_pattern_finds(runner: Runner, value: Any, word: str):
    make = step("make", "python", args={"code": repr(value)}, capture=f"(?P<found>{word})")
    found = None if value is None else re.search(f"(?P<found>{word})", text_of(value))

    done = runner.run(steps(make), save=False)

    assert done.final_variables.get("found") == (found and found["found"])


@pytest.mark.parametrize("value", [{1: "a"}, [{"rows": {None: 2}}], {True: 1}])
def test_a_variable_whose_keys_are_no_texts_is_refused_and_not_changed(runner, value):
    definition = steps(step("a", "sleep", args={"seconds": 0}), variables={"given": 1})

    with pytest.raises(BadValue, match="It needs keys that are texts"):
        runner.start(definition, save=False, variables={"given": value})
    name = runner.run(definition, variables={"given": {"1": "a"}}).run
    with pytest.raises(BadValue, match="It needs keys that are texts"):
        runner.resume(name, start="a", variables={"given": value})
