"""For any program, members of an enumeration come back with what they hold and share."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amount import times
from wfnb.values import Keeper

from .isomorphic import copied, difference
from .notebook import namespace
from .programs import number, put

NOTEBOOK = """
from enum import Enum
class Kind(Enum):
    ONE, TWO = [1], (2, [3])
    def __init__(self, *_): self.seen = []
one, two, a, b = Kind.ONE, Kind.TWO, Kind.ONE.value, {"box": Kind.TWO.seen}
"""
PLACES = ("a", "b", "one", "two")
step = st.one_of(
    st.tuples(st.just("hold"), st.sampled_from(["one", "two"]), st.sampled_from("ab")),
    st.tuples(st.just("take"), st.sampled_from("ab"), st.sampled_from(["one", "two"])),
    st.tuples(st.just("box"), st.sampled_from("ab"), st.sampled_from(PLACES)),
    st.tuples(st.just("add"), st.sampled_from(PLACES), number),
    st.tuples(st.just("set"), st.sampled_from(["one", "two"]), number),
    st.just(("keep",)),
)


def perform_with_members(space: dict[str, Any], what: str, to: str, of: Any) -> None:
    if what == "hold":
        space[to].seen = space[of]
    elif what == "take":
        space[to] = space[of].value
    elif what == "box":
        space[to] = [space[of]]
    elif what == "set":
        setattr(space[to], f"at{of % 3}", [of])
    elif what == "add":
        into = getattr(space[to], "seen", space[to])
        put(into[-1] if isinstance(into, tuple) else into, of)


def with_what_members_hold(space: dict[str, Any]) -> dict[str, Any]:
    held = {
        name: [
            (key, None if key == "__objclass__" else one) for key, one in vars(space[name]).items()
        ]
        for name in ("one", "two")
    }
    return {"held": held, **{name: space[name] for name in PLACES}}


@settings(max_examples=times(20, 150))
@given(st.lists(step, min_size=3, max_size=20), st.lists(step, max_size=6))
def test_members_of_an_enumeration_and_what_they_share_come_back_for_any_program(
    program: list[tuple[Any, ...]], between: list[tuple[Any, ...]]
):
    with TemporaryDirectory() as folder:
        keeper = Keeper(Path(folder), Path(folder) / "own")
        space = namespace(NOTEBOOK)
        steps = []
        for what, *arguments in [*program, ("keep",)]:
            if what == "keep":
                kept = keeper.keep({name: space[name] for name in PLACES}, namespace=space)
                steps.append((kept, copied(with_what_members_hold(space))))
                assert {*keeper.go_back(kept, namespace=space)[1].left} == {*PLACES}
            else:
                perform_with_members(space, what, *arguments)

        for kept, then in [*reversed(steps), *steps]:
            _, back = keeper.go_back(kept, namespace=space)
            space.update(back.also | back.values)
            back.give_back()

            assert back.missing == ()
            assert difference(then, with_what_members_hold(space)) is None
            for what, *arguments in between:
                if what != "keep":
                    perform_with_members(space, what, *arguments)
