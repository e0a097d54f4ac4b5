"""Runs to be killed: their names, and their definitions."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any

from .place import state, states, step, steps

OK = {"success": True}
NO = {"success": False}


def _note(what: object, **more: Any) -> dict[str, Any]:
    return {"what": what, **more}


def _forward() -> dict[str, Any]:
    """Twenty states: some are tried again, two pay, one fails and is handled."""
    written: dict[str, Any] = {}
    for n in range(1, 21):
        then = [(OK, f"s{n + 1}")] if n < 20 else []
        more: dict[str, Any] = {}
        if n % 5 == 0:
            more = {"params": _note("{s1.noted}", fails=2), "retry": 2}
        elif n in (4, 13):
            written[f"s{n}"] = state("pay", *then, params={"what": f"bill {n}"})
            continue
        elif n == 8:
            written[f"s{n}"] = state("fail", (NO, "s9"), retry=1)
            continue
        else:
            more = {"params": _note(f"work {n}")}
        more["compensation"] = {"tool": "note", "params": _note(f"undo {n}")}
        written[f"s{n}"] = state("note", *then, **more)
    return states("s1", **written)


def _rollback() -> dict[str, Any]:
    """Undone, last first: one compensation is tried again, one pays, one fails."""
    undo = {
        "a": {"tool": "note", "args": _note("{result.noted}")},
        "b": {"tool": "note", "args": _note("b back", fails=1), "retry": 1},
        "c": {"tool": "pay", "args": {"what": "back for c"}},
        "d": {"tool": "fail"},
        "e": {"tool": "note", "args": _note("e back")},
    }
    made = [
        step(id, "note", args=_note(f"make {id}"), compensation=back) for id, back in undo.items()
    ]
    return steps(*made, step("bad", "fail", retry=1))


def _parallel() -> dict[str, Any]:
    """A net of eight, three at a time."""
    needs = {"a": "", "b": "", "c": "", "d": "ab", "e": "bc", "f": "de", "g": "c", "h": "fg"}
    return steps(
        *(
            step(id, "note", *before, args=_note(id, fails=int(id == "e")), retry=1)
            for id, before in needs.items()
        ),
        max_parallel=3,
    )


def _despite() -> dict[str, Any]:
    """What is done because of a failure, or although, is done before the rollback."""

    def after(id: str, *needs: Any, **more: Any) -> dict[str, Any]:
        undo = {"tool": "note", "args": _note(f"undo {id}")}
        args = _note(f"make {id}", **more)
        return {**step(id, "note", args=args, retry=1, compensation=undo), "needs": list(needs)}

    return steps(
        after("a"),
        step("bad", "fail", "a", retry=1),
        after("tell", {"id": "bad", "only_if": "failed"}, fails=1),
        after("tidy", {"id": "bad", "even_if": "failed"}),
        after("praise", "bad"),
        max_parallel=1,
    )


def _last() -> dict[str, Any]:
    """What is always done last comes after the rollback, one after the other."""
    undo = {"tool": "note", "args": _note("undo a")}
    inner = steps(
        {**step("z", "note", args=_note("z")), "always": True},
        step("x", "note", args=_note("x"), compensation={"tool": "fail"}),
        step("y", "fail"),
    )
    return steps(
        {**step("close", "note", args=_note("close {a.noted}", fails=1), retry=1), "always": True},
        step("a", "note", args=_note("make a"), compensation=undo),
        {**step("breaks", "fail"), "always": True},
        step("bad", "fail"),
        {**step("bill", "pay", args={"what": "bill"}, when="a.success"), "always": True},
        step("never", "note", args=_note("never")),
        {**_within("down", inner), "always": True},
    )


def _nested() -> dict[str, Any]:
    """Two workflows within, one of which pays, and is within another one."""
    inmost = steps(
        step("x", "note", args=_note("x")),
        step("pays", "pay", args={"what": "inside"}),
        step("y", "note", args=_note("{x.noted} again", fails=1), retry=1),
    )
    inner = steps(
        step("p", "note", args=_note("{given}")),
        _within("deep", inmost),
        step("q", "note", args=_note("{deep.final_variables.y_noted}")),
        variables={"given": "nothing"},
    )
    return steps(
        step("first", "note", args=_note("first")),
        _within("down", inner, initial_variables={"given": "{first.noted}"}),
        step("last", "note", args=_note("{down.final_variables.q_noted}")),
    )


def _within(id: str, definition: dict[str, Any], **more: Any) -> dict[str, Any]:
    args = {"workflow_definition": definition, "save_on_success": False, **more}
    return step(id, "run_workflow", args=args)


def _loop() -> dict[str, Any]:
    """Three states, six times round."""
    return states(
        "begin",
        begin=state("note", (OK, "count"), params=_note(0)),
        count=state("note", (OK, "twice"), params=_note("{next}")),
        twice=state("note", (OK, "check"), params=_note("{count_next}", fails=1), retry=1),
        check=state(
            "note",
            ({"field_equals": {"noted": 6}}, "end"),
            (OK, "count"),
            params=_note("{count_noted}"),
        ),
        end=state("note", params=_note("end")),
    )


def _again() -> dict[str, Any]:
    """A list and a nested run, twice round."""
    inner = steps(
        step("x", "note", args=_note("x of {given}")),
        step("pays", "pay", args={"what": "inside {given}"}),
        variables={"given": "nothing"},
    )
    within = _within("down", inner, initial_variables={"given": "{count.noted}"})["args"]
    listed = state("note", (OK, "down"), params=_note("{item} of {count.noted}"))
    return states(
        "begin",
        begin=state("note", (OK, "count"), params=_note(0)),
        count=state("note", (OK, "list"), params=_note("{next}")),
        list={**listed, "for_each": [1, 2]},
        down=state("run_workflow", ("count.noted < 2", "count"), params=within),
    )


def _groups() -> dict[str, Any]:
    """A group of steps, twice round, two at a time; then all of it is undone."""

    def made(id: str, *needs: str, **more: Any) -> dict[str, Any]:
        undo = {"tool": "note", "args": _note(f"undo {id}")}
        args = _note(f"make {id} of {{count.noted}}", fails=more.pop("fails", 0))
        return step(id, "note", *needs, args=args, compensation=undo, **more)

    work = {
        "steps": [
            made("a", fails=1, retry=1),
            made("b"),
            made("c", "a", for_each=[1, 2]),
            step("bill", "pay", "b", "c", args={"what": "bill {count.noted}"}),
        ],
        "max_parallel": 2,
        "transitions": [
            {"condition": "steps.count.noted < 2 and c.count == 2", "next_state": "count"},
            {"condition": "bill.success", "next_state": "bad"},
        ],
    }
    return states(
        "begin",
        begin=state("note", (OK, "count"), params=_note(0)),
        count=state("note", (OK, "work"), params=_note("{next}")),
        work=work,
        bad=state("fail"),
    )


def _each(bad: str = "fail") -> dict[str, Any]:
    """Thirty items, each of which is undone: some are tried again, some pay, some fail and are
    borne, some are skipped."""
    undo = {"tool": "note", "args": _note("undo {item}")}
    args = _note("make {item.name}", fails="{item.fails}")
    items = [{"name": f"i{n}", "fails": (n % 7 == 3) + 2 * (n % 11 == 5)} for n in range(30)]
    many = step("many", "note", args=args, retry=1, compensation=undo, when="index % 10 != 4")
    bills = step("bills", "pay", args={"what": "bill {item}"}, compensation=undo)
    return steps(
        {**many, "for_each": {"items": "rows", "tolerate": "10%"}},
        {**bills, "for_each": [1, 2, 3]},
        step("sum", "note", args=_note("{many.failed} of {many.count}: {many.results.2.noted}")),
        step("bad", bad, **({} if bad == "fail" else {"args": _note("end")})),
        variables={"rows": {"default": items}},
    )


def _long() -> dict[str, Any]:
    """Two hundred steps."""
    return steps(*(step(f"s{n}", "note", args=_note(n)) for n in range(200)))


def _saga() -> dict[str, Any]:
    """Five that are undone, in the order of their names, in runs within runs."""

    def made(id: str) -> dict[str, Any]:
        undo = {"tool": "note", "args": _note(f"undo {id}")}
        args = _note(f"make {id}")
        return step(id, "note", args=args, compensation=undo, compensate_on_failure=True)

    inmost = steps(made("c"), made("d"))
    inner = steps(made("b"), _within("deep", inmost), made("e"))
    return steps(made("a"), _within("down", inner), made("f"), step("bad", "fail"))


_UNDO = {
    "undone": {"tool": "note"},
    "undone later": {"tool": "note", "retry": 1},
    "paid back": {"tool": "pay"},
    "not undone": {"tool": "fail"},
}


def tree(seed: int) -> dict[str, Any]:
    """A run that fails, of runs within runs: of any shape, and undone in any way."""
    chance = Random(seed)
    numbers = count(1)

    def action(depth: int) -> dict[str, Any]:
        id = f"a{next(numbers)}"
        if depth < 3 and chance.random() < 0.45:
            made = _within(id, run(depth + 1, fails=chance.random() < 0.3))
            made["on_failure"] = "continue"
        else:
            made = step(id, "note", args=_note(f"make {id}"))
        undo = dict(_UNDO.get(chance.choice((*_UNDO, "undone", "undone", "no way")), {}))
        if undo and (made["tool"] == "note" or chance.random() < 0.2):
            what = f"back for {id}" if undo["tool"] == "pay" else f"undo {id}"
            more = {"fails": 1} if "retry" in undo else {}
            undo["args"] = {} if undo["tool"] == "fail" else {"what": what, **more}
            made["compensation"] = undo
        return made

    def run(depth: int, fails: bool) -> dict[str, Any]:
        actions = [action(depth) for _ in range(chance.randint(1, 4 - depth))]
        bad = [step(f"a{next(numbers)}", "fail")] if fails else []
        return steps(*actions, *bad, rollback=not depth or chance.random() < 0.8)

    return run(0, fails=True)


def undo_of(chance: Random, id: str) -> dict[str, Any]:
    """A compensation of what was done instead, or none."""
    undo = {"tool": "note", "args": _note(f"undo instead of {id}")}
    return {"compensation": undo} if chance.random() < 0.5 else {}


def mixed(seed: int) -> dict[str, Any]:
    """A small run of either form, with runs of either form in it: of calls that are tried again,
    pay, ask, compute, fail, read secrets and one another, are captured, kept and undone."""
    chance, each = Random(seed), Random(seed + 10_000)
    several = Random(seed + 20_000)
    numbers = count(1)
    variables = {"x": 7, "token": {"secret": True}}

    def undo(id: str) -> dict[str, Any]:
        kind = chance.choice((*_UNDO, "no way", "no way"))
        back = dict(_UNDO.get(kind, {}))
        if back and back["tool"] != "fail":
            fails = {"fails": 1} if "retry" in back else {}
            what = f"back for {id}" if back["tool"] == "pay" else f"undo {id}"
            back["args"] = {"what": what, **fails}
        return {"compensation": back} if back else {}

    def call(id: str, before: str | None, depth: int) -> tuple[str, dict[str, Any], dict[str, Any]]:
        """Its tool, what it is passed, and more about it."""
        kind = chance.random()
        if kind < 0.15 and depth < 2:
            given = {name: f"{{{name}}}" for name in variables}
            inner = within(depth + 1)
            args = {"workflow_definition": inner, "save_on_success": False}
            return "run_workflow", {**args, "initial_variables": given}, {}
        if kind < 0.25:
            return "pay", {"what": f"bill {id}"}, {}
        if kind < 0.33:
            return "ask", {"question": f"{id}?"}, {}
        if kind < 0.40:
            return "python", {"code": "n * 2", "arguments": {"n": "{x}"}}, {}
        if kind < 0.46:
            return "fail", {}, {"retry": chance.choice((0, 1))}
        fails = chance.choice((0, 0, 0, 1, 2))
        more: dict[str, Any] = {"retry": fails if chance.random() < 0.85 else 0, **undo(id)}
        if chance.random() < 0.3:
            more["cache"] = True
        if chance.random() < 0.3:
            more["capture"] = rf"of (?P<{id}_got>\w+)"
        if "compensation" in more and chance.random() < 0.4:
            more["compensate_on_failure"] = True
        read = chance.choice(("", "{x}", "{token!q}", f"{{{before}.noted}}" if before else ""))
        return "note", {"what": f"make {id} of {read}", "fails": fails}, more

    def within(depth: int) -> dict[str, Any]:
        form = chance.choice(("sequence", "sequence", "parallel", "states"))
        ids = [f"a{next(numbers)}" for _ in range(chance.randint(2, 6 - 2 * depth))]
        written: dict[str, Any] = {}
        noted: list[str] = []
        for number, id in enumerate(ids):
            before = noted[-1] if noted and chance.random() < 0.5 else None
            tool, args, more = call(id, before, depth)
            if each.random() < 0.2:
                items = [f"i{n}" for n in range(each.randint(0, 3))]
                more["for_each"] = {"items": items, "tolerate": each.choice((0, 1, "50%"))}
            elif tool == "note":
                noted.append(id)
            if tool in ("fail", "note") and "compensation" not in more and each.random() < 0.4:
                args_then = _note(f"instead of {id}", fails=each.choice((0, 0, 9)))
                then = {"tool": "note", "args": args_then} | undo_of(each, id)
                more["on_error"] = [each.choice((then, {"result": {"noted": "given"}}))]
            if tool in ("note", "python") and each.random() < 0.2:
                more["repeat"] = {"until": f"attempt >= {each.randint(1, 4)}", "at_most": 3}
            if form == "states":
                then = [(OK, each) for each in ids[number + 1 : number + 2]]
                if not then and chance.random() < 0.3:
                    then = [(OK, chance.choice(ids))]
                if chance.random() < 0.5:
                    then.append((NO, chance.choice(ids[number:])))
                written[id] = state(tool, *then, params=args, **more)
                if several.random() < 0.3:  # one at a time, so that their order can be compared
                    found = [call(f"{id}_{n}", None, depth) for n in range(several.randint(1, 3))]
                    group = [step(f"{id}_{n}", t, args=a, **m) for n, (t, a, m) in enumerate(found)]
                    transitions = written[id]["transitions"]
                    written[id] = {"steps": group, "mode": "parallel", "max_parallel": 1}
                    written[id] |= {"transitions": transitions}
                    noted = [each for each in noted if each != id]
                continue
            if form == "parallel":  # a rollback of what runs side by side has no order to compare
                more = {key: it for key, it in more.items() if not key.startswith("compensat")}
            needs = {before or id, *chance.sample(ids[:number], min(number, 1))} - {id}
            if form == "parallel" or chance.random() < 0.3:
                more["on_failure"] = "continue"
            needs = needs if form == "parallel" else set()
            how = [chance.choice((None, None, "even_if", "only_if")) for _ in needs]
            named = [
                {"id": need, word: "failed"} if word else need
                for need, word in zip(sorted(needs), how, strict=True)
            ]
            written[id] = {**step(id, tool, args=args, **more), "needs": named}
        if chance.random() < 0.4:  # always done last
            id, what = f"a{next(numbers)}", chance.choice(("make", "bill"))
            tool, args = {"make": "note", "bill": "pay"}[what], {"what": f"{what} {id}"}
            more = {"always": True}
            written[id] = (
                state(tool, params=args, **more)
                if form == "states"
                else step(id, tool, args=args, **more)
            )
        if form == "states":
            made = {**states(ids[0], **written), "max_states": chance.randint(3, 9)}
        else:
            made = {**steps(*written.values()), "mode": form}
        return {**made, "variables": variables, "rollback": chance.random() < 0.8}

    return within(0)


def _waits() -> dict[str, Any]:
    """It waits in every way: for the clock and for answers, in runs within runs, in compensations,
    item by item, for another attempt and another round."""

    def sleeps(id: str, seconds: float = 0.02, **more: Any) -> dict[str, Any]:
        return step(id, "sleep", args={"seconds": seconds}, **more)

    def asks(id: str) -> dict[str, Any]:
        return step(id, "ask", args={"question": f"{id}?", "timeout": 600})

    wait = {"attempts": 3, "wait": 0.02, "jitter": 0}
    undo = {"tool": "note", "args": _note("undo a")}
    back = {"tool": "sleep", "args": {"seconds": 0.02}}
    inner = steps(step("x", "pay", args={"what": "inside"}), sleeps("y"), asks("z"))
    return steps(
        step("a", "pay", args={"what": "bill a"}, compensation=undo),
        sleeps("b", compensation=back),
        asks("c"),
        step("d", "note", args=_note("make {c.answer}", fails=2), retry=wait),
        _within("e", inner),
        sleeps("f", for_each=[1, 2, 3]),
        step("g", "note", args=_note("g"), repeat={"until": "attempt >= 3", "wait": 0.02}),
        step("bad", "fail"),
    )


def is_side_by_side(definition: Any) -> bool:
    """Whether actions of it, or of a run within it, run side by side: in an order that is
    nobody's."""
    match definition:
        case dict():
            within = any(map(is_side_by_side, definition.values()))
            return definition.get("mode") == "parallel" or "max_parallel" in definition or within
        case list():
            return any(map(is_side_by_side, definition))
    return False


SCENARIOS = {
    "forward": _forward(),
    "rollback": _rollback(),
    "parallel": _parallel(),
    "despite": _despite(),
    "last": _last(),
    "nested": _nested(),
    "loop": _loop(),
    "again": _again(),
    "groups": _groups(),
    "each": _each("note"),
    "each undone": _each(),
    "waits": _waits(),
    "long": _long(),
    "saga": _saga(),
    **{f"tree {seed}": tree(seed) for seed in range(200)},
    **{f"mixed {seed}": mixed(seed) for seed in range(200)},
}
