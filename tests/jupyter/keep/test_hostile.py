"""Values whose own code fails, in a real kernel: the step ends, and says what it did not keep."""

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel

HOSTILE = (
    "import weakref\nclass T: pass\no = T(); dead = weakref.proxy(o); del o\n"
    "Symbol = type('Symbol', (), {'__module__': None})\n"
    "def applied(n): return type('f', (Symbol,), {'__module__': None})\n"
    "f = applied(1); ex = f()\n"
    "class Fails:\n    @property\n    def __class__(self): raise SystemExit\n"
    "fails = Fails()\ndata = [1, 2, 3]"
)


def test_a_step_ends_whatever_its_values_raise(kernel: Kernel):
    ran = kernel.ok(f"%%step One --keep all\n{HOSTILE}")

    assert ran.answer["outcome"] == "ok"
    assert "data" in ran.answer["kept"]["names"]
    assert "dead" in ran.answer["kept"]["not_kept"]
    assert "Error in callback" not in ran.stderr + ran.stdout


def test_what_was_kept_comes_back_beside_values_that_raise(kernel: Kernel):
    kernel.ok("%%step One --keep data\ndata = [1, 2, 3]")
    kernel.ok(f"{HOSTILE}\ndata.append(4)")

    for line in ("%wfnb restore 1 --dry-run", "%wfnb restore 1 --exact --dry-run"):
        kernel.ok(line)
    kernel.ok("%wfnb restore 1")

    assert kernel.run("data").value == "[1, 2, 3]"
    kernel.ok("%%branch alt --from 1 --restore Other\nassert data == [1, 2, 3]")
