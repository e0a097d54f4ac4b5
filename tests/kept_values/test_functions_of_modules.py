"""Functions of modules that are methods of a hidden object stay functions of those modules."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from wfnb.values import Keeper

from .notebook import namespace


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
