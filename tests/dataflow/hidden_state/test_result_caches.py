"""Results that functions keep make steps stale as names do (rule 8)."""

from pathlib import Path

import pytest

from tests.dataflow.hidden_state.story import Story, stale_steps
from tests.dataflow.kernel import Kernel

CACHE = "from functools import lru_cache\n@lru_cache\ndef f(x): return x + {}"
KEEPS = (
    "from functools import cache, lru_cache\n@{}\ndef load(n=1): return [n]\n"
    "class L:\n    @lru_cache\n    def held(self): return [1]\nl = L()"
)
TAKES = {
    "what it returned": ("load().append(2)", "r = [*load()]"),
    "a name": ("x = load()\nx.append(2)", "r = [*load()]"),
    "a name in it": ("for x in [load()]: x.append(2)", "r = [*load()]"),
    "a function": ("def f(): load().append(2)\nf()", "r = [*load()]"),
    "a function that changes it": ("def f(x): x.append(2)\nf(load())", "r = [*load()]"),
    "a method": ("x = l.held()\nx[0] = 2", "r = [*l.held()]"),
    "other arguments": ("load(3).append(2)", "r = [*load(3)]"),
}
STORIES = {
    "a cache of results that rest on a name": Story(
        {"a": "k = 1", "f": CACHE.format("k"), "b": "r = f(1)"},
        ["a", "f", "b", ("a", "k = 2"), "b"],
        {3},
    ),
    "a cache, run from the top": Story(
        {"a": "k = 1", "f": CACHE.format("k"), "b": "r = f(1)"}, ["a", "f", "b"] * 2, set()
    ),
    **{
        f"a result that {keeps} keeps, changed by {how}": Story(
            {"a": KEEPS.format(keeps), "b": read, "c": change}, ["a", "b", "c", "b"], {2}
        )
        for keeps in ("cache", "lru_cache", "lru_cache(maxsize=2)")
        for how, (change, read) in TAKES.items()
    },
    "a result that a function keeps, changed and made anew": Story(
        {"a": KEEPS.format("cache"), "b": "r = [*load()]", "c": "x = load()\nx.append(2)"},
        ["a", "b", "c", "a", "b"],
        set(),
    ),
    "a result that a function keeps, changed by a later cell through a name": Story(
        {"a": KEEPS.format("cache"), "x": "x = load()", "b": "r = [*load()]", "c": "x.append(2)"},
        ["a", "x", "b", "c", "b"],
        {3},
    ),
    "a result that a function keeps, taken again": Story(
        {"a": KEEPS.format("cache"), "b": "x = load()\nn = {}\nn['a'] = x", "c": "y = load(2)"},
        ["a", "b", "c", "b", "c"],
        set(),
    ),
    "a result that a function kept, changed after that was defined again": Story(
        {"a": KEEPS.format("cache"), "x": "x = load()", "c": "x.append(2)", "b": "r = [*load()]"},
        ["a", "x", "a", "c", "b"],
        {4},
    ),
    "a result that a function of a module keeps": Story(
        {"a": "from settings_ import kept", "b": "r = [*kept()]", "c": "x = kept()\nx.append(1)"},
        ["a", "b", "c", "b"],
        {2},
    ),
    "a cache that rests on nothing": Story(
        {"f": CACHE.format("1"), "b": "r = f(1)"}, ["f", "b", "b"], set()
    ),
}


@pytest.mark.parametrize("name", STORIES)
def test_a_cached_result_makes_a_step_stale(kernel: Kernel, tmp_path: Path, name: str):
    story = STORIES[name]

    found = stale_steps(kernel, tmp_path, story)

    assert found.keys() == story.stale, found
