"""What a function of one's own module may change counts, though it does not this time (rule 8)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import invalidate_caches
from pathlib import Path

import pytest

from tests.dataflow.kernel import Kernel

MODULE = """
from held_ import PARAMS, cfg
def rate(): return PARAMS['lr']
def cfg_rate(): return cfg.lr
_m = {}
def get(x, k):
    if x not in _m:
        _m[x] = x * k
    return _m[x]
class Store:
    def __init__(self): self.scale, self.held = 1, {}
    def load(self, k):
        if k not in self.held:
            self.held[k] = self.scale * 2
        return self.held[k]
class Trainer:
    def __init__(self, model): self.model = model
    def go(self, y): self.model.fit([[0], [1]], y)
def go(model, y): model.fit([[0], [1]], y)
ITEMS = []
def add(v): ITEMS.append(v)
def plug(f):
    ITEMS.append(f.__name__)
    return f
"""
ITEMS = {
    "a function": ("from trains_ import add, ITEMS", "add(3)", "add(3), add(4)", "len(ITEMS)"),
    "a decorator": (
        "from trains_ import plug, ITEMS",
        "@plug\ndef f(): ...",
        "@plug\n@plug\ndef f(): ...",
        "len(ITEMS)",
    ),
    "held": (
        "import trains_\nrows = [trains_.ITEMS]",
        "trains_.add(3)",
        "trains_.add(3), trains_.add(4)",
        "len(rows[0])",
    ),
}
CACHES = {
    "a dict of a module": ("import trains_\nk = 1", "trains_.get(3, k)"),
    "an object": ("import trains_\nk = 1\nst = trains_.Store()", "st.load(k and 'a')"),
    "a cached property": (
        "from functools import cached_property\nk = 1\nclass C:\n    @cached_property\n"
        "    def v(self): return k\no = C()",
        "o.v",
    ),
}
FITS = {
    "a class": ("t = trains_.Trainer(m)", "t.go([0, {}])", "t.model.predict([[1]])"),
    "a function": ("t = 1", "trains_.go(m, [0, {}])", "m.predict([[1]])"),
}
MODEL = "import trains_\nfrom sklearn.tree import DecisionTreeRegressor\n"
MODEL += "m = DecisionTreeRegressor(random_state=0)\n"


HELD = "class C: lr = 1\nPARAMS = {'lr': 1}\ncfg = C()\n"
SHARED = {
    "by its name": ("from held_ import PARAMS\nimport trains_", "PARAMS['lr'] = 5", "rate()"),
    "in its module": ("import held_, trains_", "held_.PARAMS['lr'] = 5", "rate()"),
    "an attribute": ("from held_ import cfg\nimport trains_", "cfg.lr = 5", "cfg_rate()"),
}


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    monkeypatch.setenv("WFNB_HOME", str(tmp_path / "home"))
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "trains_.py").write_text(MODULE)
    (tmp_path / "held_.py").write_text(HELD)
    invalidate_caches()
    made = Kernel("own")
    yield made
    made.stop()
    for name in ("trains_", "held_"):
        sys.modules.pop(name, None)


def run(kernel: Kernel, number: int, code: str) -> None:
    assert kernel.say(f"%%step {number} Cell\n{code}", f"cell-{number}") is None


def stale(kernel: Kernel) -> list[int]:
    return [step["number"] for step in kernel.marks() if step["stale"]]


@pytest.mark.parametrize("name", CACHES)
def test_a_cache_is_what_the_first_step_of_the_line_fills(kernel: Kernel, name: str):
    first, get = CACHES[name]
    run(kernel, 1, first)
    run(kernel, 3, "k = 5")
    run(kernel, 4, f"b = {get}")

    run(kernel, 2, f"a = {get}")

    assert 4 in stale(kernel)


@pytest.mark.parametrize("name", FITS)
def test_a_model_that_own_code_fits_is_another(kernel: Kernel, name: str):
    made, go, reads = FITS[name]
    for number, code in enumerate((MODEL + made, go.format(3), f"p = {reads}", go.format(8)), 1):
        run(kernel, number, code)
    assert 3 not in stale(kernel)

    run(kernel, 3, f"p = {reads}")

    assert 3 in stale(kernel)


@pytest.mark.parametrize("way", SHARED)
def test_data_that_two_own_modules_have_is_one(kernel: Kernel, way: str):
    imports, change, reads = SHARED[way]
    run(kernel, 1, imports)
    run(kernel, 2, f"a = trains_.{reads}")
    run(kernel, 4, f"b = trains_.{reads}")

    run(kernel, 3, change)

    assert stale(kernel) == [4]
    run(kernel, 4, f"b = trains_.{reads}")
    assert stale(kernel) == []
    run(kernel, 2, f"a = trains_.{reads}")
    assert stale(kernel) == [2]


@pytest.mark.parametrize("way", ITEMS)
def test_data_of_an_own_module_changes_under_the_name_that_the_notebook_has_for_it(
    kernel: Kernel, way: str
):
    first, change, other, read = ITEMS[way]
    for number, code in enumerate((first, change, read), 1):
        run(kernel, number, code)
    assert stale(kernel) == []

    run(kernel, 2, other)

    assert stale(kernel) == [2, 3]
