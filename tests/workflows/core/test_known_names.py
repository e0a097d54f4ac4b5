"""What a check lets pass a run finds: where all goes well, no name is missing."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.amount import times
from wfnb.errors import WorkflowInvalid
from wfnb.workflows.definition.check import ToolFacts, check
from wfnb.workflows.definition.for_each import base_action
from wfnb.workflows.definition.reader import Definition, parse

from .story import Told, turns

GIVES: dict[str, dict[str, Any]] = {
    "look": {"x": 1, "stdout": "k 7\n"},
    "code": {"result": "3"},
    "noop": {},
    "await": {"captures": {"cap": "v"}, "match_text": "m", "final_state": "f"},
}
"""What tools give where they succeed."""
TOOLS = {
    name: ToolFacts(parameters={}, results=("success", *gives, "error", "error_type"))
    for name, gives in GIVES.items()
}
ACTIONS = ("a", "b", "c", "d", "g1", "g2")
FIELDS = ("x", "stdout", "result", "success", "count", "failed", "results", "results.0.x")
FIELDS += ("results[0].x", "skipped", "match_text", "captures.cap", "final_state")
OTHERS = ("num", "cap", "item", "index", "v", "workflow_final_state", "attempt")


def named(random: Random, braces: bool) -> str:
    action, field = random.choice(ACTIONS), random.choice(FIELDS)
    if braces:
        field = field.replace("[0]", ".0")
    ways = [f"{action}.{field}", f"steps.{action}.{field}", f"{action}_{field}", field, action]
    return random.choice([*ways, random.choice(OTHERS)])


def action(random: Random) -> dict[str, Any]:
    """A step; only few of its places name something, else hardly one would be right."""

    def says(text: str, otherwise: Any) -> Any:
        name = named(random, "{" in text)
        return text.format(name) if random.random() < 0.06 else otherwise

    tool = random.choice([*GIVES])
    args = {"p": says("{{{0}}}", 1), "q": says("to {{{0}!q}}", "it")}
    step: dict[str, Any] = {"tool": tool, "args": args}
    if tool == "await":
        args["pattern"] = "(?P<cap>v)"
    if tool == "look" and random.random() < 0.3:
        step["capture"] = "k (?P<num>[0-9])"
    if random.random() < 0.25:
        step["for_each"] = random.choice([says("[{0}]", [1, 2]), [says("{{{0}}}", 1)]])
    if random.random() < 0.25:
        step["when"] = says("{0} == 1 or true", "v == 1")
    if random.random() < 0.3:
        step["compensation"] = {"tool": "noop", "params": {"p": says("{{{0}}}", 1)}}
    return step


def state(step: dict[str, Any], after: str | None, random: Random) -> dict[str, Any]:
    call = {"tool": step.pop("tool"), "params": step.pop("args")}
    asked = f"{named(random, False)} == 1 or true" if random.random() < 0.06 else {"success": True}
    then = [{"condition": asked, "next_state": after}] if after else []
    return {"action": call, "transitions": then, **step}


def workflow(random: Random) -> dict[str, Any]:
    made = {name: action(random) for name in ACTIONS}
    data: dict[str, Any] = {"name": "w", "variables": {"v": 1}}
    if random.random() < 0.1:
        data["outputs"] = {"o": named(random, False)}
    form = random.choice(["sequence", "parallel", "states"])
    if form != "states":
        needs = {"b": ["a"], "d": ["a", "c"], "g2": ["d"]} if form == "parallel" else {}
        steps = [{"id": id, **step, "needs": needs.get(id, [])} for id, step in made.items()]
        return data | {"mode": form, "steps": steps}
    group = [{"id": id, **made[id]} for id in ("g1", "g2")]
    mode = random.choice(["sequence", "parallel"])
    then = [{"condition": {"success": True}, "next_state": "c"}]
    return data | {
        "initial_state": "a",
        "states": {
            "a": state(made["a"], "b", random),
            "b": {"steps": group, "mode": mode, "transitions": then},
            "c": state(made["c"], "d", random),
            "d": state(made["d"], None, random),
        },
    }


class Well(dict[str, Any]):
    """Each call gives what its tool gives."""

    def __init__(self, definition: Definition) -> None:
        super().__init__()
        self.actions = definition.actions

    def get(self, name: str, default: Any = None) -> Any:
        gives = {} if name.startswith("undo_") else GIVES[self.actions[base_action(name)].tool]
        return {"success": True, **gives}


MISSING = ("names nothing there is", "nothing is called", " has no ", "asks for something in it")


@settings(
    max_examples=times(300, 20_000), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(st.integers(0, 10**9))
def test_a_name_that_a_check_lets_pass_is_there_where_all_goes_well(seed: int):
    data = workflow(Random(seed))
    try:
        definition = parse(data)
    except WorkflowInvalid:
        return
    if any(check(definition, TOOLS)):
        return

    told = Told(data, variables={"v": 1})
    for _ in turns(told, Well(definition)):
        pass

    error = told.run.error or ""
    assert not any(words in error for words in MISSING), error
