"""What JSON cannot hold is handed to a worker of a cluster, and comes back from it."""

from __future__ import annotations

from typing import Any

import pytest

from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .place import step, steps

pytest.importorskip("distributed")


@pytest.fixture(autouse=True)
def _tools() -> None:
    @tool(travels=True)
    def frame(rows: int) -> Any:
        import pandas as pd  # noqa: PLC0415

        return pd.DataFrame({"n": range(rows)})

    @tool(travels=True)
    def total(of: Any) -> Any:
        return int(of.n.sum()), type(of).__name__


def test_a_frame_goes_to_a_worker_and_comes_from_it(runner: Runner, address: str):
    done = runner.run(
        steps(
            step("made", "frame", args={"rows": 10}),
            step("summed", "total", args={"of": "{made.result}"}),
            step(
                "here",
                "python",
                args={
                    "code": "x, len(f)",
                    "arguments": {"x": "{summed.result}", "f": "{made.result}"},
                },
            ),
        ),
        on=address,
    )

    assert done.error is None
    assert done.final_variables["here_result"] == [[45, "DataFrame"], 10]
