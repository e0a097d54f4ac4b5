"""chance -> workflows, what their calls come to, and what is wrong with some of them."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

from .place import state, states, step, steps

NAMES = [f"s{n}" for n in range(6)]
GROUPED = [f"{name}{letter}" for name in NAMES[:3] for letter in "ab"]
"""Steps of states that are groups."""
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
        ids = [id for id in GROUPED if id[:-1] == name][: draw(st.integers(0, 2))]
        if ids:
            written[name] = _group(draw, ids, names)
            continue
        to = st.tuples(CONDITIONS, st.sampled_from(names))
        more = draw(works())
        if draw(st.booleans()):
            more["on_timeout"] = draw(st.sampled_from(names))
        written[name] = state("act", *draw(st.lists(to, max_size=3)), **more)
    made = states(names[0], **written)
    return {**made, "rollback": draw(st.booleans()), "max_states": draw(st.integers(1, 12))}


def _group(draw: st.DrawFn, ids: list[str], names: list[str]) -> dict[str, Any]:
    """Steps one after the other, and transitions that ask for those that failed, or do not."""
    may_fail = st.sampled_from(["stop", "continue", "continue"])
    written = [step(id, "act", **draw(works()), on_failure=draw(may_fail)) for id in ids]
    asked = st.sampled_from([*ASKED, *(f"not {id}.success" for id in ids)])
    to = st.tuples(CONDITIONS | asked, st.sampled_from(names))
    ways = state("act", *draw(st.lists(to, max_size=3)))["transitions"]
    return {"steps": written, "transitions": ways}


ASKED = ["failed > 0", "failed == 0", "count > 0"]
"""What a transition may ask of a group."""
outcomes_of = st.dictionaries(
    st.sampled_from(NAMES) | st.sampled_from(GROUPED), st.lists(OUTCOMES, max_size=8)
)


@st.composite
def failing_groups(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """States that begin with a group in which a step fails and the run goes on. Drawn freely, few
    have one that fails, and hardly one leads on because of it."""
    definition, outcomes = draw(state_workflows()), draw(outcomes_of)
    group = _group(draw, GROUPED[:2], list(definition["states"]))
    group["steps"][0] |= {"on_failure": "continue", "retry": 0}
    group["steps"][1]["on_failure"] = "continue"
    definition["states"]["s0"] = group
    return {**definition, "max_states": 12}, {**outcomes, GROUPED[0]: [FAILS]}


def foretold(definition: Mapping[str, Any], outcomes: Outcomes) -> tuple[list[str], str]:
    """What a run of states will call, and how it ends: the rules, written once more."""
    left = {name: list(said) for name, said in outcomes.items()}
    name, called = definition["initial_state"], list[str]()
    lost: dict[str, set[str]] = {}
    for _ in range(definition["max_states"]):
        written = definition["states"][name]
        came = {}
        for action, work in {s["id"]: s for s in written.get("steps", ())}.items() or [
            (name, written)
        ]:
            for _ in range(work.get("retry", 0) + 1):
                called.append(action)
                came[action] = left[action].pop(0) if left.get(action) else OK
                if came[action] == OK:
                    break
            if came[action] != OK and work.get("on_failure") != "continue":
                break
        failed = {action for action, outcome in came.items() if outcome != OK}
        stopped = action in failed and work.get("on_failure") != "continue"
        late = stopped and {came[each] for each in failed} == {LATE}
        result = {"success": not stopped, "timeout_occurred": late, "failed": len(failed)}
        lost[name] = set() if stopped else failed
        then = written.get("on_timeout") if late else None
        for way in written["transitions"]:
            if then is None and _holds(way["condition"], result, came):
                then = way["next_state"]
        for asked in (w["condition"] for w in written["transitions"] if w["next_state"] == then):
            if isinstance(asked, str):
                lost[name] -= failed if "failed" in asked else {asked.split()[-1].split(".")[0]}
        if then is None:
            well = "partial_success" if any(lost.values()) else "success"
            return called, "failed" if stopped else well
        name = then
    return called, "failed"


def _holds(asked: Any, result: Mapping[str, Any], came: Mapping[str, str]) -> bool:
    if isinstance(asked, str):
        return {
            "failed > 0": result["failed"] > 0,
            "failed == 0": result["failed"] == 0,
            "count > 0": True,
        }.get(asked, came.get(asked.split()[-1].split(".")[0]) != OK)
    ((key, value),) = asked.items()
    return result[key] is value


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
