"""chance -> workflows, what their calls come to, and what is wrong with some of them."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

from .place import state, states, step, steps

NAMES = [f"s{n}" for n in range(6)]
OK, FAILS, LATE = "ok", "fails", "late"
OUTCOMES = st.sampled_from([OK, OK, FAILS, LATE])
Outcomes = Mapping[str, list[str]]


@st.composite
def works(draw: st.DrawFn) -> dict[str, Any]:
    """What states and steps have in common."""
    more: dict[str, Any] = {}
    if draw(st.booleans()):
        more["compensation"] = {"tool": "undo"}
        more["compensate_on_failure"] = draw(st.booleans())
    if draw(st.booleans()):
        more["retry"] = draw(st.integers(0, 2))
    return more


@st.composite
def step_workflows(draw: st.DrawFn) -> dict[str, Any]:
    written = []
    for n in range(draw(st.integers(1, len(NAMES)))):
        needs = draw(st.lists(st.sampled_from(NAMES[:n]), unique=True)) if n else []
        more = draw(works()) | {"on_failure": draw(st.sampled_from(["stop", "continue"]))}
        written.append(step(NAMES[n], "act", *needs, **more))
    written = draw(st.permutations(written))
    mode = "parallel" if any("needs" in one for one in written) else "sequence"
    return steps(
        *written,
        mode=draw(st.sampled_from(["parallel", mode])),
        max_parallel=draw(st.integers(1, 4)),
        rollback=draw(st.booleans()),
    )


@st.composite
def failing_steps(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Steps of which one fails, whatever is tried, and what had succeeded is to be undone. Drawn
    freely, few workflows have anything to undo, and hardly one has two such steps."""
    definition, outcomes = draw(step_workflows()), draw(outcomes_of)
    for one in definition["steps"]:
        if draw(st.integers(0, 3)):
            one["compensation"] = {"tool": "undo"}
            one["compensate_on_failure"] = draw(st.booleans())
    failing = draw(st.sampled_from(definition["steps"]))
    failing["on_failure"] = "stop"
    tries = failing.get("retry", 0) + 1
    return {**definition, "rollback": True}, {**outcomes, failing["id"]: [FAILS] * tries}


CONDITIONS = st.sampled_from(
    [{"success": True}, {"success": False}, {"timeout_occurred": True}, {"timeout_occurred": False}]
)


@st.composite
def state_workflows(draw: st.DrawFn) -> dict[str, Any]:
    names = NAMES[: draw(st.integers(1, len(NAMES)))]
    written = {}
    for name in names:
        to = st.tuples(CONDITIONS, st.sampled_from(names))
        more = draw(works())
        if draw(st.booleans()):
            more["on_timeout"] = draw(st.sampled_from(names))
        written[name] = state("act", *draw(st.lists(to, max_size=3)), **more)
    made = states(names[0], **written)
    return {**made, "rollback": draw(st.booleans()), "max_states": draw(st.integers(1, 12))}


outcomes_of = st.dictionaries(st.sampled_from(NAMES), st.lists(OUTCOMES, max_size=8))


def foretold(definition: Mapping[str, Any], outcomes: Outcomes) -> tuple[list[str], str]:
    """What a run of states will call, and whether it succeeds: the rules, written once more."""
    left = {name: list(said) for name, said in outcomes.items()}
    name, called = definition["initial_state"], []
    for _ in range(definition["max_states"]):
        written = definition["states"][name]
        for _ in range(written.get("retry", 0) + 1):
            called.append(name)
            outcome = left[name].pop(0) if left.get(name) else OK
            if outcome == OK:
                break
        result = {"success": outcome == OK, "timeout_occurred": outcome == LATE}
        then = written.get("on_timeout") if outcome == LATE else None
        for transition in written["transitions"]:
            ((key, value),) = transition["condition"].items()
            if then is None and result[key] is value:
                then = transition["next_state"]
        if then is None:
            return called, "success" if outcome == OK else "failed"
        name = then
    return called, "failed"


TEXT = st.text(st.sampled_from("ab{}{}$.!q_0 é\n") | st.characters(exclude_categories=["C"]))
VALUES = st.recursive(
    TEXT
    | st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(TEXT.filter(bool), part, max_size=3),
    max_leaves=6,
)


BROKEN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(),
    st.sampled_from(["", "act", "zz", "../x", "{zz}", "(", "\0", "a b", [], {}, [[]], {"a": {}}]),
    st.binary(max_size=3),
)


@st.composite
def broken(draw: st.DrawFn) -> Any:
    """A workflow with one thing about it changed: taken out, replaced, or added to."""
    definition: Any = deepcopy(draw(st.one_of(step_workflows(), state_workflows())))
    here: Any = definition
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys:
            break
        key = draw(st.sampled_from(keys))
        if isinstance(here[key], dict | list) and draw(st.integers(0, 3)):
            here = here[key]
            continue
        change = draw(st.sampled_from(["replace", "take out", "add"]))
        if change == "take out":
            del here[key]
        elif change == "replace" or isinstance(here, list):
            here[key] = draw(BROKEN)
        else:
            here[draw(st.sampled_from(["zz", "tool", "needs", "timeout", "retry"]))] = draw(BROKEN)
        break
    return definition
