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


KEEPS = """
import importlib, sys
from functools import wraps
def default(x, seen=[]):
    seen.append(x)
    return len(seen)
def keyword(x, *, seen={}):
    seen[len(seen)] = x
    return len(seen)
class Tagged:
    def __init__(self, tags=[]): self.tags = tags
    @staticmethod
    def count(x, seen=[]):
        seen.append(x)
        return len(seen)
def counted(function):
    calls = []
    @wraps(function)
    def wrapper(x):
        calls.append(x)
        return function(x) + len(calls)
    return wrapper
@counted
def wrapped(x): return x
def outer(function):
    @wraps(function)
    def wrapper(x): return function(x)
    return wrapper
@outer
@counted
def wrapped_twice(x): return x
def numbered(x):
    numbered.calls = getattr(numbered, 'calls', 0) + 1
    return x + numbered.calls
def add(x):
    global total
    total += x
    return total
total = 0
BY_NAME, LISTED = {'add': add}, [[add]]
class Timer:
    total = 0
    def stop(self): Timer.total += 1
def fee(x): return x
def cost(x): return fee(x) * 2
class Net:
    def get(self): return 3
def fetch(): return Net().get()
def configure(**values): globals().update(values)
def set_each(**values):
    for name, value in values.items(): setattr(sys.modules[__name__], name, value)
def put_each(**values):
    for name, value in values.items(): vars(sys.modules[__name__])[name] = value
def set_found(**values):
    for name, value in values.items(): setattr(importlib.import_module(__name__), name, value)
def get_new():
    try: return new
    except NameError: return 0
def call(name, x): return globals()[name](x)
def look(): return sys.modules['keeps_'].total
class Options: rate = 1
OPTIONS = Options()
def rated(x, options=OPTIONS): return x * options.rate
"""
STATES = {
    "a default": "default(1)",
    "a default of a method": "Tagged.count(1)",
    "a default that an object has": "Tagged().tags.append(1) or len(Tagged().tags)",
    "a default by keyword": "keyword(1)",
    "a closure": "wrapped(1)",
    "a closure within another": "wrapped_twice(1)",
    "an attribute of a function": "numbered(1)",
    "a function in a dict": "BY_NAME['add'](1)",
    "a function in a list of lists": "LISTED[0][0](1)",
}


@pytest.fixture
def keeper(kernel: Kernel, tmp_path: Path) -> Iterator[Kernel]:
    (tmp_path / "keeps_.py").write_text(KEEPS)
    invalidate_caches()
    yield kernel
    sys.modules.pop("keeps_", None)


@pytest.mark.parametrize("imports", ["from keeps_ import *", "import keeps_"])
@pytest.mark.parametrize("name", STATES)
def test_what_a_function_of_an_own_module_keeps_counts(keeper: Kernel, name: str, imports: str):
    prefix = "" if "*" in imports else "keeps_."
    call = STATES[name].replace("Tagged", f"{prefix}Tagged")
    call = call if call.startswith(prefix) else prefix + call
    for number, code in enumerate((imports, f"print({call})", f"print({call})"), 1):
        run(keeper, number, code)
    assert stale(keeper) == []

    run(keeper, 2, f"print({call})")

    assert 2 in stale(keeper)


def test_a_default_that_another_step_has_as_a_list_counts(keeper: Kernel):
    cells = (
        "from keeps_ import Tagged",
        "t = Tagged().tags",
        "n = len(Tagged().tags)",
        "t.append(1)",
    )
    for number, code in enumerate(cells, 1):
        run(keeper, number, code)
    assert stale(keeper) == []

    run(keeper, 3, cells[2])

    assert 3 in stale(keeper)


LOADS = {
    "all names": ("from keeps_ import *", "x = default(1)"),
    "all names, and the module": ("import keeps_\nfrom keeps_ import *", "x = 1"),
    "a reload": ("import importlib, keeps_\nfrom keeps_ import add", "importlib.reload(keeps_)"),
    "a reload in the cell of imports": (
        "import importlib, keeps_\nimportlib.reload(keeps_)\nfrom keeps_ import add, Timer",
        "x = 1",
    ),
}


@pytest.mark.parametrize("name", LOADS)
def test_a_module_that_is_loaded_again_as_it_is_makes_nothing_stale(keeper: Kernel, name: str):
    cells = (*LOADS[name], "y = 2")
    if name == "a reload":
        cells = (*LOADS[name], "y = add(0)")
    for number, code in enumerate(cells * 2):
        run(keeper, number % len(cells) + 1, code)

    assert 1 not in stale(keeper)
    assert name != "a reload" or stale(keeper) == []


def test_the_cell_that_reloads_an_edited_module_is_fresh_however_often_it_runs(
    keeper: Kernel, tmp_path: Path
):
    load = LOADS["a reload in the cell of imports"][0]
    for text in (KEEPS, KEEPS + "\ndef more(): return 1\n", KEEPS + "\ndef more(): return 1\n"):
        (tmp_path / "keeps_.py").write_text(text)
        run(keeper, 1, load)
        run(keeper, 2, "x = add(0)")

    assert stale(keeper) == []


def test_a_variable_that_a_library_sets_as_it_is_loaded_is_set_by_the_import_again(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SET_BY_LOAD_", "before")
    (tmp_path / "sets_.py").write_text("import os\nos.environ['SET_BY_LOAD_'] = 'x'")
    run(kernel, 1, "import os, sets_")
    run(kernel, 2, "print(os.environ.get('SET_BY_LOAD_'))")
    assert stale(kernel) == []

    run(kernel, 1, "import os, sets_")

    sys.modules.pop("sets_")
    assert stale(kernel) == []


REPLACED = {
    "a function": ("keeps_.fee = lambda x: {}", "keeps_.cost(2)"),
    "a class": ("class Fake:\n    def get(self): return {}\nkeeps_.Net = Fake", "keeps_.fetch()"),
    "a function, by a library": (
        "from unittest import mock\nmock.patch.object(keeps_, 'fee', lambda x: {}).start()",
        "keeps_.cost(2)",
    ),
    "a function, by its text": (
        "exec('def fee(x): return {}', vars(keeps_))",
        "keeps_.cost(2)",
    ),
    "data, by a function": ("keeps_.configure(total={})", "keeps_.add(0)"),
    "data, by setattr": ("keeps_.set_each(total={})", "keeps_.add(0)"),
    "data, by vars": ("keeps_.put_each(total={})", "keeps_.add(0)"),
    "data of a module that is imported": ("keeps_.set_found(total={})", "keeps_.add(0)"),
    "data, read in a module that a text names": ("keeps_.total = {}", "keeps_.look()"),
    "data that was not there": ("keeps_.set_each(new={})", "keeps_.get_new()"),
    "a function, by a function": ("keeps_.set_each(fee=lambda x: {})", "keeps_.cost(2)"),
    "a function that a text names": ("keeps_.fee = lambda x: {}", "keeps_.call('fee', 2)"),
    "what a default holds": ("keeps_.OPTIONS.rate = {}", "keeps_.rated(2)"),
}


@pytest.mark.parametrize("name", REPLACED)
def test_what_a_cell_puts_into_an_own_module_counts_for_who_calls_it(keeper: Kernel, name: str):
    change, call = REPLACED[name]
    cells = ("import keeps_", call, change.format(7), call)
    for number, code in enumerate(cells, 1):
        run(keeper, number, code)
    assert stale(keeper) == []

    run(keeper, 2, call)
    assert 2 in stale(keeper)

    run(keeper, 3, change.format(8))
    assert 4 in stale(keeper)


@pytest.mark.parametrize("name", ["configure", "set_each", "put_each", "set_found"])
def test_a_function_that_sets_names_of_its_module_sets_the_same_again(keeper: Kernel, name: str):
    cells = "import keeps_", f"keeps_.{name}(total=7)", "keeps_.fee(2)"
    for number, code in enumerate(cells * 2):
        run(keeper, number % len(cells) + 1, code)

    assert stale(keeper) == []


HIDES = (
    "def outer(g):\n    def inner(x): return g(x) + {1}\n    return inner\n"
    "@outer\ndef f(x): return x * {0}\n@outer\ndef other(x): return x\n"
)
EDITED = {
    "code": ("def f(x): return x\n", "def f(x): return x * 2\n"),
    "a default": ("def f(x, k=1): return x * k\n", "def f(x, k=2): return x * k\n"),
    "a default by name": ("def f(x, *, k=1): return x\n", "def f(x, *, k=2): return x\n"),
    "what is wrapped": tuple(
        "from functools import wraps\ndef outer(g):\n    @wraps(g)\n    def inner(x): return g(x)\n"
        f"    return inner\n@outer\ndef f(x): return x * {factor}\n"
        for factor in (1, 2)
    ),
    "what is hidden by a decorator": tuple(HIDES.format(factor, 1) for factor in (1, 2)),
    "a decorator that hides": tuple(HIDES.format(1, added) for added in (1, 2)),
}


@pytest.mark.parametrize("name", EDITED)
def test_a_function_from_before_a_reload_is_old_where_it_is_another(
    kernel: Kernel, tmp_path: Path, name: str
):
    before, after = EDITED[name]
    module = tmp_path / "edited_.py"
    module.write_text(before)
    invalidate_caches()
    assert kernel.say("import importlib, edited_\nfrom edited_ import f", "plain") is None
    module.write_text(after + "# another size\n")

    run(kernel, 1, "importlib.reload(edited_)")
    run(kernel, 2, "y = f(3)")
    sys.modules.pop("edited_", None)

    assert 2 in stale(kernel)


@pytest.mark.parametrize("made", ["f", "outer(other)", "outer(lambda x: x)", "outer(outer(f))"])
def test_what_a_decorator_made_is_current_where_the_module_is_loaded_as_it_was(
    kernel: Kernel, tmp_path: Path, made: str
):
    (tmp_path / "edited_.py").write_text(HIDES.format(1, 1))
    invalidate_caches()
    assert kernel.say(f"import importlib, edited_\nfrom edited_ import *\nk = {made}") is None

    run(kernel, 1, "importlib.reload(edited_)")
    run(kernel, 2, "y = k(3)")
    sys.modules.pop("edited_", None)

    assert stale(kernel) == []
