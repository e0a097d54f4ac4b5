"""A status that programs compare is told in words."""

from __future__ import annotations

import pytest

from wfnb.errors import RunEndedAlready, RunFailed, RunNotResumable


@pytest.mark.parametrize(
    "said",
    [
        str(RunEndedAlready("partial_success")),
        str(RunNotResumable("partial_success")),
        str(RunFailed("deploy-1", "partial_success", "")),
    ],
)
def test_how_a_run_ended_is_said_without_underscores(said: str):
    assert "partial success" in said
