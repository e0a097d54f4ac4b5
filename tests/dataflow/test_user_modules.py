"""However a function of a module of one's own comes to another module: it reads what that reads."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module, invalidate_caches
from pathlib import Path

import pytest

from wfnb.dataflow import user_modules

RATED = """
RATE = 1
def get(): return RATE
class K:
    def run(self): return RATE
    @staticmethod
    def still(): return RATE
    @property
    def rate(self): return RATE
    def __add__(self, other): return RATE
k = K()
"""
IMPORT = "import rated_\n"
WAYS = {
    "a call": IMPORT + "def f(): return rated_.get()",
    "another name": "import rated_ as r\ndef f(): return r.get()",
    "an imported function": "from rated_ import get\ndef f(): return get()",
    "all names": "from rated_ import *\ndef f(): return get()",
    "an import in it": "def f():\n    import rated_\n    return rated_.get()",
    "an import of data in it": "def f():\n    from rated_ import RATE\n    return RATE",
    "a default": IMPORT + "def f(g=rated_.get): return g()",
    "a mapping": IMPORT + "D = {'g': rated_.get}\ndef f(): return D['g']()",
    "a class in a tuple": IMPORT + "D = ([rated_.K],)\ndef f(): return D[0][0]().run()",
    "a partial": IMPORT
    + "import functools\np = functools.partial(rated_.get)\ndef f(): return p()",
    "a function around it": IMPORT
    + "def made(g):\n    def f(): return g()\n    return f\nf = made(rated_.get)",
    "a method": IMPORT + "def f(): return rated_.K().run()",
    "an object": IMPORT + "def f(): return rated_.k.run()",
    "a property": IMPORT + "def f(): return rated_.k.rate",
    "an operator": IMPORT + "def f(): return rated_.k + 1",
    "a class derived": IMPORT + "class S(rated_.K): pass\ndef f(): return S().run()",
    "an attribute": IMPORT
    + "class S:\n    def __init__(self): self.g = rated_.get\ns = S()\ndef f(): return s.g()",
    "a cached property": IMPORT
    + "import functools\nclass S:\n    @functools.cached_property\n    def p(self):"
    " return rated_.get()\ndef f(): return S().p",
    "a metaclass": IMPORT
    + "class M(type):\n    def __call__(cls): return rated_.get()\nclass S(metaclass=M): pass\n"
    "def f(): return S()",
    "a descriptor": IMPORT
    + "class D:\n    def __get__(self, *_): return rated_.get()\nclass S:\n    d = D()\n"
    "def f(): return S().d",
    "the module itself": IMPORT + "def g(m): return m.RATE\ndef f(): return g(rated_)",
    "getattr": IMPORT + "def f(): return getattr(rated_, 'RATE')",
}


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("modules")
    (place / "rated_.py").write_text(RATED)
    for number, code in enumerate(WAYS.values()):
        (place / f"way_{number}_.py").write_text(code)
    known = {*sys.modules}
    sys.path.insert(0, str(place))
    invalidate_caches()
    import_module("rated_")  # where it is imported in a function only, no test calls that
    yield place
    sys.path.remove(str(place))
    for name in {*sys.modules} - known:
        if name.endswith("_"):
            del sys.modules[name]


@pytest.mark.parametrize("way", WAYS)
def test_data_of_another_module_are_read_by(way: str):
    module = import_module(f"way_{[*WAYS].index(way)}_")

    assert ("rated_", "RATE") in user_modules.use_of([module.f]).reads


def test_the_code_of_the_hundredth_module_counts(folder: Path):
    for n in range(120):
        (folder / f"chain_{n}_.py").write_text(f"def f{n}(): return {n}")
    invalidate_caches()
    for n in range(119):
        sys.modules[f"chain_{n}_"] = module = import_module(f"chain_{n}_")
        module.next = import_module(f"chain_{n + 1}_")

    assert "chain_119_" in user_modules.sources([import_module("chain_0_")])


def test_the_code_of_a_module_counts_from_which_another_takes_a_number(folder: Path):
    (folder / "taken_").mkdir()
    (folder / "taken_" / "__init__.py").write_text("")
    (folder / "taken_" / "limit_.py").write_text("LIMIT = 1")
    (folder / "taken_" / "user_.py").write_text("from .limit_ import LIMIT\ndef f(): return LIMIT")
    invalidate_caches()

    found = user_modules.sources([import_module("taken_.user_").f])

    assert {*found} >= {"taken_.user_", "taken_.limit_"}


@pytest.mark.parametrize(
    "imports", ["import late_", "from late_ import K", "import late_ as other"]
)
def test_the_code_of_a_module_counts_that_a_function_imports(folder: Path, imports: str):
    (folder / "late_.py").write_text("K = 1")
    name = f"early_{abs(hash(imports))}_"
    (folder / f"{name}.py").write_text(f"def f():\n    {imports}")
    invalidate_caches()
    module = import_module(name)
    module.f()

    assert "late_" in user_modules.sources([module.f])
