"""A session keeps what its budget allows, and is told the sizes of what it does not."""

from __future__ import annotations

import numpy as np

from wfnb.values import Keeper

from .notebook import reasons


def test_past_its_budget_a_session_is_told_the_sizes_and_how_to_free_some(keeper: Keeper):
    keeper.keep({"old": np.arange(50_000)})

    kept = keeper.keep({"new": np.arange(60_000.0), "little": 3}, budget=500_000)

    assert reasons(kept) == {
        "new": "it takes 480 kB, and 400 kB of 500 kB are used: `%wfnb keep --budget` allows more",
        "little": None,
    }


def test_what_other_sessions_keep_does_not_count(keeper: Keeper):
    keeper.keep({"theirs": np.arange(50_000)})
    mine = keeper.keep({"mine": np.arange(10_000)})

    kept = keeper.keep({"new": np.arange(50_000.0)}, budget=500_000, counted=mine.pieces)
    more = keeper.keep({"new": np.arange(60_000.0)}, budget=500_000, counted=mine.pieces)

    assert (kept.names, more.names) == (("new",), ())


def test_what_is_in_the_store_counts_where_a_step_is_to_refer_to_it(keeper: Keeper):
    left = {"left": np.arange(60_000)}
    keeper.keep(left)

    kept = keeper.keep({**left, "more": np.arange(1.0)}, budget=400_000, counted=tuple)

    assert kept.names == ("more",)


def test_what_is_there_already_costs_no_budget(keeper: Keeper):
    first = keeper.keep({"a": np.arange(50_000)})

    assert keeper.keep({"a": np.arange(50_000)}, budget=0) == first
