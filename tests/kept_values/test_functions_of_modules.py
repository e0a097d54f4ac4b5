"""Functions of modules that are methods of a hidden object stay functions of those modules."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest

from wfnb.values import Keeper

from .notebook import keep, namespace, reasons


@pytest.fixture
def keeper(tmp_path: Path) -> Keeper:
    return Keeper(tmp_path, tmp_path / "own")


def test_a_function_of_a_generator_that_a_module_hides_is_that_of_the_module(keeper: Keeper):
    space = namespace(
        "from random import choice, random, Random",
        "from numpy.random import rand\nown = Random(1)\ncalls = [rand, choice, own.choice]",
    )
    kept = keeper.keep({name: space[name] for name in ("rand", "random", "calls", "own")})

    back = keeper.restore(kept).values

    assert (back["rand"], back["random"]) == (np.random.rand, random.random)
    assert back["calls"][:2] == [np.random.rand, random.choice]
    assert back["calls"][2].__self__ is back["own"]
    assert {"numpy", "python"} <= kept.environment.keys()


def test_a_function_is_kept_with_such_a_one(keeper: Keeper):
    space = namespace("from random import random\ndef draw(): return random()")
    kept = keeper.keep({"draw": space["draw"]}, namespace=space)
    fresh = namespace()

    back = keeper.restore(kept, namespace=fresh)

    assert kept.values[0].needs == ()
    assert back.also == {"random": random.random}


FINDER = """
import sys
from importlib.machinery import ModuleSpec

class Texts:
    texts = {"texts": "", "texts.inner": "N = 3\\nclass Of: pass\\ndef three(): return N"}

    def find_spec(self, name, path=None, target=None):
        if name in self.texts:
            return ModuleSpec(name, self, is_package=name == "texts")

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(self.texts[module.__name__], vars(module))

sys.meta_path.append(Texts())
"""


@pytest.mark.parametrize("how", ["found", "loaded"])
def test_a_module_that_the_notebook_imports_in_its_own_way_is_refused_at_once(
    keeper: Keeper, how: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    space = namespace(FINDER, "import texts.inner\nfrom texts.inner import Of, three\none = Of()")
    if how == "found":  # by an importer of the time before specs
        for name in ("texts", "texts.inner"):
            monkeypatch.setattr(sys.modules[name], "__spec__", None)
            monkeypatch.delattr(sys.modules[name], "__loader__")
    space["package"] = space.pop("texts")
    names = ("package", "three", "Of", "one")

    kept = keep(keeper, space | {"held": [space["one"]]}, *names, "held")

    why = dict.fromkeys(reasons(kept).values())
    for name in ("texts", "texts.inner"):
        monkeypatch.delitem(sys.modules, name)
    assert list(why) == ["it holds something of texts, which cannot be imported again"]
