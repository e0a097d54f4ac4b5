"""For any program of assignments, changes and aliases, a step's values come back as they were."""

from __future__ import annotations

import pickle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amount import times
from wfnb.core.kept_values import KeptValues
from wfnb.values import Keeper

from . import child
from .isomorphic import copied, difference
from .programs import MAKE, NAMES, lending, name, operation, perform, sharing_memory


def subset(space: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: space[name] for name in space if name in names}


@settings(max_examples=times(25, 150))
@given(st.lists(operation, min_size=3, max_size=25))
def test_a_step_gives_back_what_a_copy_of_the_whole_namespace_had(program: list[tuple[Any, ...]]):
    with TemporaryDirectory() as folder:
        keeper = Keeper(Path(folder), Path(folder) / "own")
        space: dict[str, Any] = {}
        steps: list[tuple[KeptValues, dict[str, Any]]] = []

        for what, *arguments in [*program, ("keep", set(NAMES))]:
            if what == "keep":
                wanted = subset(space, arguments[0])
                steps.append((keeper.keep(wanted), subset(copied(space), arguments[0])))
            else:
                perform(space, what, *arguments)

        for kept, then in steps:
            restored = keeper.restore(kept)
            assert restored.missing == ()
            assert difference(then, {name: restored.values[name] for name in then}) is None


@settings(max_examples=times(20, 100))
@given(
    st.permutations(["frame", "box", "same", "rows"]),
    st.lists(st.sampled_from(["box", "same", "rows"]), unique=True),
)
def test_values_come_back_under_their_own_names_in_whatever_order_they_are_named(
    order: list[str], sharing: list[str]
):
    frame = [1]
    values = {"frame": frame, "box": {"in": [1]}, "same": [2], "rows": [[3]]}
    values |= {
        name: {"box": {"in": frame}, "same": frame, "rows": [frame]}[name] for name in sharing
    }
    space = {name: values[name] for name in order}
    with TemporaryDirectory() as folder:
        keeper = Keeper(Path(folder), Path(folder) / "own")

        kept = keeper.keep(space, namespace=space)

        assert difference(space, keeper.restore(kept).values) is None
        assert {one.way for one in keeper.plan(kept, namespace=space).names} == {"same"}


@settings(max_examples=times(20, 100))
@given(st.lists(operation, min_size=3, max_size=15), st.sets(name, min_size=1))
def test_some_names_of_a_step_come_back_with_what_they_share(
    program: list[tuple[Any, ...]], names: set[str]
):
    with TemporaryDirectory() as folder:
        keeper = Keeper(Path(folder), Path(folder) / "own")
        space: dict[str, Any] = {}
        for what, *arguments in program:
            if what != "keep":
                perform(space, what, *arguments)
        kept, then = keeper.keep(space), subset(copied(space), names)

        restored = keeper.restore(kept, sorted(then))

        assert difference(then, {name: restored.values[name] for name in then}) is None


@settings(max_examples=times(25, 150))
@given(st.lists(operation, min_size=3, max_size=25), st.lists(operation, max_size=8))
def test_going_back_through_the_steps_gives_what_a_copy_had_of_each(
    program: list[tuple[Any, ...]], between: list[tuple[Any, ...]]
):
    with TemporaryDirectory() as folder:
        keeper = Keeper(Path(folder), Path(folder) / "own")
        space: dict[str, Any] = {}
        steps: list[
            tuple[KeptValues, dict[str, Any], set[frozenset[str]], set[frozenset[str]]]
        ] = []
        for what, *arguments in [*program, ("keep", set(NAMES))]:
            if what == "keep":
                wanted = subset(space, arguments[0])
                kept = keeper.keep(wanted, namespace=space)
                then = subset(copied(space), arguments[0])
                steps.append((kept, then, sharing_memory(wanted), lending(wanted)))
            else:
                perform(space, what, *arguments)

        for kept, then, one_memory, memory_lent in [*reversed(steps), *steps]:
            _, back = keeper.go_back(kept, namespace=space)
            space.update(back.also | back.values)
            back.give_back()

            now = {name: space[name] for name in then}
            assert {*back.values, *back.left} == {*then}
            assert difference(then, now) is None
            assert sharing_memory(now) == one_memory
            assert lending(now) == memory_lent
            for what, *arguments in between:
                perform(space, what, *arguments)


@settings(max_examples=times(20, 100))
@given(st.lists(operation, min_size=3, max_size=25))
def test_going_back_to_what_is_there_leaves_the_very_same_objects(program: list[tuple[Any, ...]]):
    with TemporaryDirectory() as folder:
        keeper = Keeper(Path(folder), Path(folder) / "own")
        space: dict[str, Any] = {}
        for what, *arguments in program:
            if what != "keep":
                perform(space, what, *arguments)
        kept = keeper.keep(space, namespace=space)

        _, back = keeper.go_back(kept, namespace=space)

        assert (back.values, back.missing, {*back.left}) == ({}, (), {*space})


@settings(max_examples=times(20, 100))
@given(st.lists(operation, min_size=3, max_size=25))
def test_what_has_not_changed_is_not_written_again(program: list[tuple[Any, ...]]):
    with TemporaryDirectory() as folder:
        keeper = Keeper(Path(folder), Path(folder) / "own")
        space: dict[str, Any] = {}
        for what, *arguments in program:
            if what != "keep":
                perform(space, what, *arguments)
        first = keeper.keep(space)
        usage = keeper.usage()

        again = keeper.keep(space)

        assert (again, keeper.usage()) == (first, usage)


def test_what_any_program_kept_comes_back_in_a_fresh_kernel(tmp_path: Path):
    chance, kept = Random(7), []
    keeper = Keeper(tmp_path, tmp_path / "own")
    for _ in range(60):
        space: dict[str, Any] = {}
        for _ in range(25):
            to, of, n = chance.choice(NAMES), chance.choice(NAMES), chance.randrange(10)
            kind = chance.choice(sorted(MAKE))
            perform(space, "assign", to, kind, n) if to not in space else None
            what = chance.choice(["alias", "part", "view", "put", "change"])
            perform(space, what, to, n if what == "change" else of)
        kept.append((keeper.keep(space, namespace=space), copied(space), lending(space)))
    (tmp_path / "kept").write_bytes(pickle.dumps(kept))

    said = child.asked(
        """
        import json, pickle, sys
        from pathlib import Path
        from tests.kept_values.isomorphic import difference
        from tests.kept_values.programs import lending
        from wfnb.values import Keeper

        folder, said = Path(sys.argv[1]), []
        keeper = Keeper(folder, folder / "own")
        for kept, then, lent in pickle.loads((folder / "kept").read_bytes()):
            back = keeper.restore(kept, namespace={}).values
            said += [difference(then, {name: back.get(name) for name in then})]
            said += [None if lending(back) == lent else "memory"]
        print(json.dumps(said))
        """,
        tmp_path,
    )

    assert said == [None] * 120
