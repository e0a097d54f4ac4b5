"""What is refused of kept values says which step was meant, and what may be said instead."""

from __future__ import annotations

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel


def test_a_name_that_a_step_did_not_keep_is_told_with_a_step_that_did(kernel: Kernel):
    kernel.ok("%%step Load --keep df\ndf = [1]")
    kernel.ok("%%step Fit --keep model\nmodel = 2")

    for asked in ("last df", "2 df", "last df --dry-run"):
        assert kernel.run(f"%wfnb restore {asked} --alone").refusal == (
            "Step 2 did not keep 'df'. Step 1 did: `%wfnb restore 1 df`."
        )
    assert kernel.run("%wfnb restore last modle --alone").refusal == (
        "Step 2 did not keep 'modle'. Did you mean 'model'? Kept: model"
    )


def test_a_branch_that_is_mistyped_is_told_from_a_run(kernel: Kernel):
    kernel.ok("%%step Load --keep n\nn = 1")
    kernel.ok("%%branch alternative --from 1 Other --keep n\nn = 2")

    for asked in ("1 alternativ", "alternativ main", "main alternativ n"):
        assert kernel.run(f"%wfnb diff {asked}").refusal == (
            "No branch is called 'alternativ'. Did you mean 'alternative'? "
            "Branches: main, alternative."
        )
    assert kernel.run("%wfnb diff one two").refusal.startswith("No run is called 'one'.")
