"""Functions of the notebook come back, in the user's namespace, with what they need and share."""

from __future__ import annotations

from pathlib import Path

from wfnb.values import Keeper

from .notebook import keep, namespace, put_back


def test_a_function_sees_what_is_defined_after_it_came_back(keeper: Keeper):
    space = namespace("rate = 2\ndef price(x):\n    return x * rate")
    kept = keep(keeper, space, "price")
    put_back(keeper, kept, space)

    space["rate"] = 10

    assert space["price"](3) == 30
    assert space["price"].__globals__ is space


def test_what_a_function_needs_comes_along_where_the_kernel_is_fresh(keeper: Keeper):
    cells = "import math\nRATE = 2\ndef whole(x):\n    return math.floor(x)\ndef price(x):\n"
    kept = keep(keeper, namespace(f"{cells}    return whole(x * RATE)"), "price")
    fresh = namespace("RATE = 100")

    restored = keeper.restore(kept, namespace=fresh)

    assert sorted(restored.also) == ["math", "whole"]
    assert sorted(fresh) == ["RATE", "__builtins__", "__name__"]
    fresh.update(restored.also | restored.values)
    assert fresh["price"](1.5) == 150


def test_the_namespace_keeps_its_builtins(keeper: Keeper):
    space = namespace("def f():\n    return len('abc')")
    kept = keep(keeper, space, "f")
    builtins = space["__builtins__"] = object()

    keeper.restore(kept, namespace=space)

    assert space["__builtins__"] is builtins


def test_data_that_a_function_uses_is_not_kept_with_it_and_is_named(keeper: Keeper):
    space = namespace("table = list(range(100_000))\ndef f():\n    return len(table)")

    alone = keep(keeper, space, "f")
    both = keep(keeper, space, "f", "table")

    assert alone.size < 2_000
    assert [value.needs for value in alone.values] == [("table",)]
    assert [value.needs for value in both.values] == [(), ()]
    assert len(both.groups) == 2


def test_functions_that_share_a_variable_share_it_again(keeper: Keeper):
    space = namespace(
        """
        def counter():
            n = 0
            def up():
                nonlocal n
                n += 1
            def get():
                return n
            return up, get
        up, get = counter()
        up()
        """
    )
    kept = keep(keeper, space, "up", "get")
    space["up"]()

    put_back(keeper, kept, space)
    space["up"]()

    assert space["get"]() == 2


def test_functions_and_what_classes_hold_are_shared_again(keeper: Keeper):
    space = namespace(
        """
        def f(): return g()
        def g(): return 1
        handlers, weights = {"f": f}, {f: 1}
        class Reg:
            items = []
            def add(self, one): self.items.append(one)
        reg, items, add = Reg(), Reg.items, Reg.add
        """
    )
    kept = keep(keeper, space, "reg", "handlers", "items", "f", "g", "weights", "Reg", "add")
    assert {kept.members(place) for place in range(len(kept.groups))} == {
        ("items", "Reg", "add"),
        ("reg",),
        ("handlers", "f", "weights"),
        ("g",),
    }
    space["items"].append(1)
    fresh = namespace()
    for there in (space, fresh):
        put_back(keeper, kept, there)

        assert there["handlers"]["f"] is there["f"]
        assert there["f"] in there["weights"]
        assert there["Reg"].items is there["items"]
        assert there["reg"].items is there["items"]
        assert there["Reg"].add is there["add"]
        assert (there["items"], there["f"]()) == ([], 1)


def test_a_builtin_method_is_kept_with_the_object_it_is_of(keeper: Keeper):
    space = namespace(
        """
        from random import Random
        rows, rng, table, alone = [], Random(1), {"a": 1}, [len, dict.fromkeys]
        push, rnd, ask, same = rows.append, rng.random, [table.get], [len, dict.fromkeys]
        """
    )
    names = "rows", "rng", "table", "alone", "push", "rnd", "ask", "same"
    kept = keep(keeper, space, *names)
    pairs = [("rows", "push"), ("rng", "rnd"), ("table", "ask"), ("alone",), ("same",)]
    assert sorted(map(kept.members, range(len(kept.groups)))) == sorted(pairs)
    space["push"](1)

    put_back(keeper, kept, space)

    assert space["push"].__self__ is space["rows"]
    assert space["rows"] == []
    assert space["rnd"].__self__ is space["rng"]
    assert space["ask"][0].__self__ is space["table"]


def test_a_method_of_an_object_that_a_function_uses_is_not_copied_with_it(keeper: Keeper):
    space = namespace(
        """
        from math import floor
        class Own:
            made = []
            def note(self): return self
            @classmethod
            def make(cls): return cls.made
        rows, own = [1], Own()
        push, note, make = rows.append, own.note, Own.make
        def f(x):
            push(floor(x))
            return note(), make()
        """
    )
    alone, both = keep(keeper, space, "f"), keep(keeper, space, "f", "rows", "push")

    assert alone.values[0].needs == ("note", "push")
    assert both.values[0].needs == ("note",)
    fresh = namespace()
    assert set(keeper.restore(alone, namespace=fresh).also) == {"floor", "make", "Own"}
    put_back(keeper, both, fresh)
    fresh["note"] = dict
    assert (fresh["f"](2.5), fresh["rows"]) == (({}, []), [1, 2])


def test_a_list_that_a_method_adds_to_since_is_read_again(keeper: Keeper):
    space = namespace("rows, more = [], []\npush = more.append")
    kept = keep(keeper, space, "rows", "push")
    space["push"] = space["rows"].append

    plan, back = keeper.go_back(kept, namespace=space)

    assert [entry.way for entry in plan.names[:2]] == ["replaces", "replaces"]
    assert back.values["push"].__self__ is not back.values["rows"]


def test_what_is_a_secret_is_not_kept_with_a_function_that_uses_it(keeper: Keeper, tmp_path: Path):
    space = namespace(
        "API_KEY, RATE = 'hunter2', 3\ndef call():\n    return API_KEY, RATE",
        "class Own:\n    def call(self):\n        return API_KEY\nown = Own()",
    )

    kept = keep(keeper, space, "call", "own")

    assert [value.needs for value in kept.values] == [("API_KEY",), ("API_KEY",)]
    files = [path.read_bytes() for path in (tmp_path / "values").iterdir()]
    assert not any(b"hunter2" in content for content in files)
    assert {one.way for one in keeper.plan(kept, namespace=space).names} == {"same"}
    fresh = namespace("API_KEY = 'other'")
    put_back(keeper, kept, fresh)
    assert fresh["call"]() == ("other", 3)
