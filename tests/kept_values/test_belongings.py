"""What a library or the process has one of: it is the same one after it was restored, and holds
what it held."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from wfnb.values import Keeper

from .notebook import gone_back, keep, namespace, put_back, reasons


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module that has settings of several kinds, as libraries have them."""
    made = ModuleType("settings_of_a_library")
    source = """
        from collections import OrderedDict
        class Options(dict): pass
        class Object:
            def __init__(self): self.level, self.nested = 1, {"deep": {"n": 1}}
        class Slots:
            __slots__ = ("n",)
        class Own:
            def __getstate__(self): return self.n
            def __setstate__(self, n): self.n = n
        a_dict, a_list, a_set, options = {"n": 1}, [1], {1}, Options(n=1)
        an_object, slots, own = Object(), Slots(), Own()
        slots.n = own.n = 1
        deep = an_object.nested["deep"]
        itself = {}
        itself["itself"] = itself
        """
    monkeypatch.setitem(sys.modules, made.__name__, made)
    made.__dict__.update({k: v for k, v in namespace(source).items() if k[0] != "_"})
    for one in (made.Options, made.Object, made.Slots, made.Own):
        one.__module__ = made.__name__
    return made


CELL = """
    from settings_of_a_library import a_dict, a_list, a_set, an_object, itself, options, own, slots
    """
NAMES = ("a_dict", "a_list", "a_set", "an_object", "itself", "options", "own", "slots")


def _change(module: ModuleType) -> None:
    module.a_dict["n"] = module.options["n"] = module.slots.n = module.own.n = 2
    module.a_list.append(2)
    module.a_set.add(2)
    module.an_object.level = module.deep["n"] = 2
    module.itself["more"] = 2


def _state(module: ModuleType) -> list[object]:
    of = module
    plain = [of.a_dict, of.a_list, of.a_set, of.options]
    inside = [of.an_object.level, of.deep["n"], of.own.n, of.slots.n]
    return [repr(plain), inside, sorted(of.itself)]


def test_settings_are_given_back_to_the_object_that_the_library_looks_at(
    keeper: Keeper, library: ModuleType
):
    space = namespace(CELL)
    before, ids = _state(library), {name: id(getattr(library, name)) for name in NAMES}
    kept = keep(keeper, space, *NAMES)
    assert kept.names == NAMES

    _change(library)
    assert _state(library) != before
    back = gone_back(keeper, kept, space)

    assert back.missing == ()
    assert _state(library) == before
    assert {name: id(space[name]) for name in NAMES} == ids
    assert library.an_object.nested["deep"] is library.deep


def test_settings_come_back_in_a_fresh_namespace_as_the_object_that_is_there(
    keeper: Keeper, library: ModuleType
):
    kept = keep(keeper, namespace(CELL), *NAMES)
    before = _state(library)
    _change(library)
    fresh = namespace()

    put_back(keeper, kept, fresh)

    assert _state(library) == before
    assert all(fresh[name] is getattr(library, name) for name in NAMES)


def test_settings_that_hold_what_they_held_stay_and_are_not_told_as_replaced(
    keeper: Keeper, library: ModuleType
):
    space = namespace(CELL)
    kept = keep(keeper, space, *NAMES)

    assert {one.way for one in keeper.plan(kept, namespace=space).names} == {"same"}
    library.a_dict["n"] = 2
    ways = {one.name: one.way for one in keeper.plan(kept, namespace=space).names}
    assert ways == {**dict.fromkeys(NAMES, "same"), "a_dict": "replaces"}


def test_read_without_a_namespace_they_are_copies_and_the_library_is_left_alone(
    keeper: Keeper, library: ModuleType
):
    kept = keep(keeper, namespace(CELL), "a_dict", "a_list", "options", "own")
    _change(library)
    changed = _state(library)

    back = keeper.restore(kept, apart=True)

    assert back.values["a_dict"] == back.values["options"] == {"n": 1}
    assert (back.values["a_list"], back.values["own"].n) == ([1], 1)
    assert _state(library) == changed
    assert back.live == ()


def test_data_of_a_module_that_has_it_no_more_comes_back_all_the_same(
    keeper: Keeper, library: ModuleType
):
    library.cache = {"rows": [1]}
    kept = keep(keeper, namespace("from settings_of_a_library import cache"), "cache")
    del library.cache

    assert keeper.restore(kept, namespace=namespace()).values == {"cache": {"rows": [1]}}


def test_a_module_that_was_loaded_again_has_its_own_settings_too(
    keeper: Keeper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "loaded_twice.py").write_text("settings = {'n': 1}")
    monkeypatch.syspath_prepend(tmp_path)
    space = namespace("import loaded_twice\nfrom loaded_twice import settings")
    keep(keeper, space, "settings")
    module = importlib.reload(space["loaded_twice"])
    space["settings"] = module.settings
    kept = keep(keeper, space, "settings")
    module.settings["n"] = 2

    gone_back(keeper, kept, space)

    assert space["settings"] is module.settings
    assert module.settings == {"n": 1}
    del sys.modules["loaded_twice"]


def test_the_environment_lies_in_no_store_in_whatever_it_is(
    keeper: Keeper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OWN_SIGN", "words-of-the-environment")
    space = namespace("""
        import collections, os, sys
        from os import environ
        copy = os.environ.copy()
        made = dict(os.environ, MORE="1")
        within = {"run": [{"env": dict(os.environ)}]}
        class Own: pass
        own = Own()
        own.env = os.environ
        attribute = Own()
        attribute.env = os.environ.copy()
        class Slotted: __slots__ = ("env",)
        slot = Slotted()
        slot.env = os.environ.copy()
        ordered = collections.OrderedDict(os.environ)
        lines = [f"{name}={value}" for name, value in os.environ.items()]
        text = " ".join(lines)
        def closure(env=os.environ.copy()): return env
        late = [{"n": n} for n in range(1_000)] + [os.environ.copy()]
        some = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME")}
        path, argv, modules = sys.path, sys.argv, sys.modules
        """)
    copies = "copy", "made", "within", "attribute", "slot", "ordered", "lines", "text", "closure"

    kept = keep(
        keeper,
        space,
        *copies,
        *("late", "environ", "own", "some", "path", "argv", "modules"),
    )

    assert kept.names == ("environ", "own", "some", "path", "argv", "modules")
    why = {reasons(kept)[name] for name in (*copies, "late")}
    assert why == {"it holds a copy of the environment, where secrets may be"}
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert not any(b"words-of-the-environment" in file.read_bytes() for file in files)
    fresh = namespace()
    gone_back(keeper, kept, fresh)
    assert fresh["environ"] is fresh["own"].env is os.environ
    assert fresh["path"] is sys.path
    assert fresh["modules"] is sys.modules
    says = {value.says for value in kept.values if value.name in ("environ", "path", "modules")}
    assert says == {"as it is there: what it holds is not kept"}


def test_a_logger_is_said_to_come_back_as_it_is_there(keeper: Keeper):
    space = namespace("import logging\nlog = logging.getLogger('own.level')\nlog.setLevel(10)")
    kept = keep(keeper, space, "log")
    space["log"].setLevel(30)

    gone_back(keeper, kept, space)

    assert space["log"].level == 30
    assert kept.values[0].says == "as it is there: what it holds is not kept"
