"""A rollback undoes what an action did in rounds, attempts, fallbacks and items, each once."""

from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from wfnb.workflows.core.commands import ResumeRun

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
