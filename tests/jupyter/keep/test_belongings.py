"""What a library has one of, kept and restored in a real kernel."""

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel


def test_what_matplotlib_draws_by_is_what_it_looks_at_after_a_restore(kernel: Kernel):
    kernel.ok("%wfnb start size")
    kernel.ok(
        "%%step Size --keep all\nfrom pylab import rcParams\nrcParams['figure.figsize'] = 10, 6"
    )
    kernel.ok("rcParams['figure.figsize'] = 2, 2")

    kernel.ok("%wfnb restore 1")

    kernel.ok(
        "import matplotlib.pyplot as plt\nassert rcParams is plt.rcParams\n"
        "assert [*plt.figure().get_size_inches()] == [10, 6]\nplt.close('all')"
    )
    kernel.ok(
        "rcParams['figure.figsize'] = 3, 3\n"
        "assert [*plt.figure().get_size_inches()] == [3, 3]\nplt.close('all')"
    )


def test_the_context_of_decimal_numbers_counts_after_a_restore(kernel: Kernel):
    kernel.ok("%wfnb start exact")
    kernel.ok("%%step Exact --keep all\nimport decimal\nctx = decimal.getcontext()\nctx.prec = 20")
    name = kernel.status()["session"]
    kernel.restart()
    kernel.ok(f"%wfnb resume {name}")

    kernel.ok("%wfnb restore 1")

    kernel.ok("assert len(str(decimal.Decimal(1) / 7)) == 22")
    kernel.ok("ctx.prec = 5\nassert str(decimal.Decimal(1) / 7) == '0.14286'")
