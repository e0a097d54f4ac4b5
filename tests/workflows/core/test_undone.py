"""A rollback undoes what an action did in rounds, attempts, fallbacks and items, each once."""

from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from wfnb.workflows.core.commands import ResumeRun, StopRun

from .story import Told, played, steps, turns, undo

outcomes = st.lists(st.sampled_from([0, 0, 1, None, None]), max_size=12)
"""What the calls of one item come to: a number, or a failure."""
actions = st.fixed_dictionaries(
    {},
    optional={
        "repeat": st.builds(lambda n: {"until": "n > 0", "at_most": n}, st.integers(1, 4)),
        "retry": st.integers(1, 2),
        "on_error": st.sampled_from(
            [[{"result": {"n": 9}}], [{"tool": "noop", **undo(n="instead {result.n}")}]]
        ),
    },
)


def did(entry: dict[str, Any], said: Iterator[int | None]) -> tuple[list[str], bool]:
    """What an item leaves to be undone, in order, and whether it succeeded."""
    repeat, left = entry.get("repeat"), []
    rounds = failed = 0
    while True:
        n = next(said)
        if n is not None:
            left, rounds, failed = [str(n)], rounds + 1, 0
            if repeat is None or n > 0:
                return left, True
            if rounds == repeat["at_most"]:
                break
        else:
            failed += 1
            if failed > entry.get("retry", 0):
                break
    for fallback in entry.get("on_error", ()):
        n = None if "result" in fallback else next(said)
        left += [] if n is None else [f"instead {n}"]
        return left, "result" in fallback or n is not None
    return left, False


def spoken(each: list[int | None]) -> list[dict[str, Any]]:
    """As a tool would say it; the last is said again for ever."""
    return [
        {"success": n is not None, "error": "no"} | ({} if n is None else {"n": n})
        for n in [*each, None]
    ]


def endless(each: list[int | None]) -> Iterator[int | None]:
    yield from each
    while True:
        yield None


@given(
    actions, st.lists(outcomes, min_size=1, max_size=3), st.booleans(), st.sets(st.integers(0, 60))
)
def test_what_was_done_is_undone_the_last_first_and_once(
    entry: dict[str, Any], said: list[list[int | None]], listed: bool, killed: set[int]
):
    each = {"for_each": list(range(len(said)))} if listed else {}
    names = [f"a[{n}]" for n in range(len(said))] if listed else ["a"]
    says = {name: spoken(one) for name, one in zip(names, said, strict=False)}
    wanted: list[str] = []
    for one in said[: len(names)]:
        left, succeeded = did(entry, endless(one))
        wanted += left
        if not succeeded:
            break

    told = Told(steps({"id": "a", **entry, **each, **undo(n="{result.n}")}, "b"))
    says["b"] = [{"success": False}]
    for event, _ in enumerate(turns(told, says)):  # a process dies, and what it called did nothing
        if event in killed and told.run.status == "running":
            told.do(ResumeRun(process="another", lost="again"))
    played(None, told, **says)

    ended = [call for call in told.run.calls.values() if call.status == "ok"]
    undone = [call.params["n"] for call in ended if call.undoes is not None]
    assert [str(n) for n in undone] == wanted[::-1]
    assert told.run.status == ("rolled_back" if wanted else "failed")


@given(
    st.lists(outcomes, min_size=1, max_size=3),
    st.integers(1, 4),
    st.integers(0, 2),
    st.booleans(),
    st.sets(st.integers(0, 40), max_size=4),
)
def test_of_the_rounds_before_and_after_a_stop_the_last_is_undone(
    said: list[list[int | None]], most: int, retry: int, listed: bool, stops: set[int]
):
    each = {"for_each": list(range(len(said)))} if listed else {}
    done: dict[str, int] = {}

    def saying(name: str, one: list[int | None]) -> Callable[[int], dict[str, Any]]:
        left = iter(spoken([None if n is None else 10 * at + n for at, n in enumerate(one)]))

        def say(time: int) -> dict[str, Any]:
            result = next(left, spoken([])[0])
            if "n" in result:
                done.pop(name, None)  # it is done later than what others did meanwhile
                done[name] = result["n"]
            return result

        return say

    names = [f"a[{n}]" for n in range(len(said))] if listed else ["a"]
    says: dict[str, Any] = {n: saying(n, one) for n, one in zip(names, said, strict=False)}
    says["b"] = {"success": False}
    rounds = {"repeat": {"until": "n % 10 > 0", "at_most": most}, "retry": retry}
    told, at = Told(steps({"id": "a", **rounds, **each, **undo(n="{result.n}")}, "b")), 0
    while told.run.status not in ("failed", "rolled_back"):
        if told.run.status == "cancelled":
            told.do(ResumeRun(process="another"))
        for _ in turns(told, says):
            at += 1
            if at in stops and told.run.status == "running" and told.run.problem is None:
                told.do(StopRun(rollback=False))

    ended = [call for call in told.run.calls.values() if call.status == "ok"]
    assert [call.params["n"] for call in ended if call.undoes is not None] == [*done.values()][::-1]
