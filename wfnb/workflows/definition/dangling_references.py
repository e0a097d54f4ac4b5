"""the data of a definition -> names in it that lead nowhere, and circles.

It reads loosely, so that what is wrong with the names is said together with everything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from wfnb.errors import listing, nearest

from .models import place_id
from .problem import Problem, place_text

MAX_PROBLEMS = 100


def references(data: Mapping[str, Any]) -> list[Problem]:
    """Every state that is named and does not exist; every step's need that does not exist or
    cannot be met; ids that two steps have. The first MOST of them."""
    states, steps = data.get("states"), data.get("steps")
    found: list[Iterator[Problem]] = []
    if isinstance(states, Mapping) and states:
        found.append(_of_states(data, states))
        taken = {name: f"state '{name}'" for name in map(str, states)}
        for name, state in states.items():
            group = state.get("steps") if isinstance(state, Mapping) else None
            if isinstance(group, list | tuple):
                found.append(_of_steps(state.get("mode"), group, taken, str(name)))
    if isinstance(steps, list | tuple):
        found.append(_of_steps(data.get("mode"), steps, {}))
    return list(islice(chain(*found), MAX_PROBLEMS))


def _of_states(data: Mapping[str, Any], states: Mapping[str, Any]) -> Iterator[Problem]:
    names = tuple(map(str, states))
    initial = data.get("initial_state")
    # What is no text is told by the reader of types; here only names count.
    if isinstance(initial, str) and initial not in states:
        message = f"Initial state '{initial}' not found in states"
        yield Problem("initial_state", "states", _with_suggestion(message, initial, names))
    elif isinstance(initial, str) and is_last(states[initial]):
        message = f"Initial state '{initial}' is always done last, and cannot come first"
        yield Problem("initial_state", "states", message)
    for state, path, target in _targets(states):
        if target in states and is_last(states[target]):
            message = f"State '{state}' goes to '{target}', which is always done last by itself"
            yield Problem(place_text(path), "states", message)
        if target not in states:
            message = (
                f"State '{state}' timeout target '{target}' not found"
                if path[-1] == "on_timeout"
                else f"State '{state}' references non-existent state '{target}'"
            )
            yield Problem(place_text(path), "states", _with_suggestion(message, target, names))


def _targets(states: Mapping[str, Any]) -> Iterator[tuple[str, tuple[Any, ...], str]]:
    """State, place, and the state that is named there."""
    for name, state in states.items():
        if not isinstance(state, Mapping):
            continue
        transitions = state.get("transitions")
        for n, item in enumerate(transitions if isinstance(transitions, list | tuple) else ()):
            if isinstance(item, Mapping) and isinstance(item.get("next_state"), str):
                path = ("states", name, "transitions", n, "next_state")
                yield name, path, item["next_state"]
        if isinstance(state.get("on_timeout"), str):
            yield name, ("states", name, "on_timeout"), state["on_timeout"]


def _of_steps(
    mode: Any, steps: Sequence[Any], taken: dict[str, str], group: str = ""
) -> Iterator[Problem]:
    """`taken`: who has an id already, in words; `group`: the state that these are the steps of."""
    above = ("states", group, "steps") if group else ("steps",)
    places: dict[str, int] = {}
    for n, step in enumerate(steps):
        if step_id := _id(step, n, group):
            if step_id in places:
                message = (
                    f"Step id '{step_id}' is used twice: by steps {places[step_id] + 1} and "
                    f"{n + 1}. A step without an id has that of its place"
                )
                yield Problem(place_text((*above, n, "id")), "ids", message)
            elif step_id in taken:
                message = (
                    f"Step id '{step_id}' of state '{group}' is that of {taken[step_id]}, too: "
                    "what they give is named by it"
                )
                yield Problem(place_text((*above, n, "id")), "ids", message)
            else:
                places[step_id] = n
    taken |= {name: f"a step of state '{group}'" for name in places if group}
    needs = dict(_needs(steps))
    in_sequence = mode == "sequence" or (mode is None and not needs)
    for n, named in needs.items():
        own = _id(steps[n], n, group)
        for m, (need, may_fail) in enumerate(named):
            path = place_text((*above, n, "needs", m))
            if in_sequence and may_fail:
                message = (
                    f"Step '{own}' needs '{need}' even if that failed, or only then, which is for "
                    "steps side by side (mode: parallel). In a sequence, what comes after a step "
                    f"with on_failure: continue begins also where that failed; `when: not "
                    f"{need}.success` asks for it"
                )
                yield Problem(path, "needs", message)
            if (need, not may_fail) in named[:m]:
                message = f"Step '{own}' needs '{need}' twice, with other words"
                yield Problem(path, "needs", message)
            if need in places and is_last(steps[places[need]]):
                message = f"Step '{own}' needs '{need}', which is always done last"
                yield Problem(path, "needs", message)
            if need not in places:
                message = f"Step '{own}' needs '{need}', which is no step"
                known = f"Steps: {listing(places, 'none')}"
                yield Problem(path, "needs", _with_suggestion(message, need, tuple(places), known))
            elif in_sequence and places[need] >= n:
                message = f"Step '{own}' needs '{need}', which does not come before it in sequence"
                yield Problem(path, "cycle", message)
    if not in_sequence:
        # Only of steps side by side: in a sequence, a need that comes later has been told already.
        ids = {
            _id(steps[n], n, group): tuple(need for need, _ in named) for n, named in needs.items()
        }
        if circle := _circle(ids):
            message = f"Steps need each other in a circle: {' → '.join(_cut(circle))}"
            yield Problem(place_text(above), "cycle", message)


def is_last(work: Any) -> bool:
    """Whether an action, as data, is always done last."""
    return isinstance(work, Mapping) and work.get("always") is True


def _id(step: Any, n: int, group: str) -> str:
    """The step's id; empty where it has none that can be read."""
    found = step.get("id", "") if isinstance(step, Mapping) else None
    return (found or place_id(n + 1, group)) if isinstance(found, str) else ""


def _needs(steps: Sequence[Any]) -> Iterator[tuple[int, list[tuple[str, bool]]]]:
    """Place of a step, and the ids that it needs, each with whether that step may have failed."""
    for n, step in enumerate(steps):
        needs = step.get("needs") if isinstance(step, Mapping) else None
        if isinstance(needs, list | tuple) and needs:
            yield n, [found for need in needs if (found := _need(need))]


def _need(need: Any) -> tuple[str, bool] | None:
    if isinstance(need, Mapping) and isinstance(need.get("id"), str):
        return need["id"], "even_if" in need or "only_if" in need
    return (need, False) if isinstance(need, str) else None


def _circle(needs: Mapping[str, tuple[str, ...]]) -> list[str] | None:
    """A circle in the graph, from a step back to itself; None: there is none."""
    after: dict[str, list[str]] = {}
    left = dict.fromkeys(needs, 0)
    for step, named in needs.items():
        for need in named:
            if need in needs:
                left[step] += 1
                after.setdefault(need, []).append(step)
    # Steps without open needs are taken away until none is left (Kahn); a circle never gets there.
    free = [step for step, count in left.items() if not count]
    while free:
        step = free.pop()
        del left[step]
        for waiting in after.get(step, ()):
            left[waiting] -= 1
            if not left[waiting]:
                free.append(waiting)
    if not left:
        return None
    walk: dict[str, None] = {}
    # Each step that is left needs one that is left: so a walk from any of them comes to a circle.
    here = next(iter(left))
    while here not in walk:
        walk[here] = None
        here = next(need for need in needs[here] if need in left)
    names = list(walk)
    return [*names[names.index(here) :], here]


def _cut(circle: list[str]) -> list[str]:
    return circle if len(circle) <= 12 else [*circle[:6], "…", *circle[-5:]]


def _with_suggestion(message: str, name: str, names: tuple[str, ...], otherwise: str = "") -> str:
    near = nearest(name, names).strip() if len(name) <= 40 else ""
    return ". ".join(part for part in (message, near or otherwise) if part)
