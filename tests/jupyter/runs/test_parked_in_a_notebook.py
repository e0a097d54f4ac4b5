"""A run that a cell parked goes on in the notebook, with its names, after a restart too."""

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel

WAITS = """%%run_workflow later --park
steps:
- {id: wait, tool: sleep, args: {seconds: 0.3}}
- {id: use, tool: python, args: {code: 'n + 1'}}
"""


def test_a_parked_run_goes_on_with_the_names_of_the_notebook(kernel: Kernel):
    kernel.ok("n = 20")

    parked = kernel.ok(WAITS).text
    early = kernel.ok("%wfnb work").text
    listed = kernel.ok("%wfnb runs").text
    kernel.ok("import time; time.sleep(0.4)")
    done = kernel.ok("%wfnb work").text

    assert parked.splitlines()[0] == "later-1 · ◷ parked · 1 step"
    assert parked.splitlines()[-1] == (
        "`%wfnb work` goes on with it when what it waits for has come"
    )
    assert early == "no parked run is due"
    assert "◷ parked" in listed
    assert done.splitlines()[0].startswith("later-1 · ✓ success · 2 steps")
    assert "21" in done


def test_a_parked_run_that_fails_when_it_goes_on_fails_its_cell(kernel: Kernel):
    kernel.ok(WAITS)  # there is no n
    kernel.ok("import time; time.sleep(0.4)")

    failed = kernel.run("%wfnb work")

    assert failed.refusal.startswith("Run later-1 failed: use: NameError")
    assert "later-1" in failed.text
