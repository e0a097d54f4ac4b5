"""A step that runs again and makes something else gives another version: its readers are stale
(rule 8). What it makes again as it was leaves them fresh."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.dataflow.kernel import Kernel

PANDAS = "import pandas as pd\ndf = pd.DataFrame({'a': [1]})\n"


class Story(NamedTuple):
    """What the first step does, what it does then, and what the second reads."""

    first: str
    then: str
    reads: str


CHANGED = {
    "an attribute of a frame": Story(
        PANDAS + "df.unit = 'm'", PANDAS + "df.unit = 'ft'", "df.unit"
    ),
    "an attribute of a series": Story(
        "import pandas as pd\ns = pd.Series([1])\ns.unit = 'm'",
        "import pandas as pd\ns = pd.Series([1])\ns.unit = 'ft'",
        "s.unit",
    ),
}
NOT_PICKLED = {
    "the level of a logger": "import logging\nx = logging.getLogger('wfnb_tried')\nx.setLevel({})",
    "the cause of an exception": "x = ValueError(1)\nx.__cause__ = KeyError({})",
    "a hard mask": "import numpy as np\nx = np.ma.array([1, 2], mask=[0, 1], hard_mask={} > 10)",
}


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    monkeypatch.setenv("WFNB_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    made = Kernel("again")
    yield made
    made.stop()


def stale(kernel: Kernel) -> list[int]:
    return [step["number"] for step in kernel.marks() if step["stale"]]


@pytest.mark.parametrize("name", CHANGED)
def test_who_reads_what_is_another_now_is_stale(kernel: Kernel, name: str):
    first, then, reads = CHANGED[name]
    for number, code in ((1, first), (2, f"r = {reads}"), (1, first)):
        assert kernel.run(f"%%step {number} Cell\n{code}", f"cell-{number}")[0].error is None
    assert stale(kernel) == []

    kernel.run(f"%%step 1 Cell\n{then}", "cell-1")

    assert stale(kernel) == [2]


@pytest.mark.parametrize("name", NOT_PICKLED)
def test_what_a_pickle_lacks_is_compared_of_a_kept_value_too(kernel: Kernel, name: str):
    make = f"%%step 1 Cell --keep x\n{NOT_PICKLED[name]}"
    for number, code in ((1, make.format(10)), (2, "%%step 2 Cell\nr = repr(x)")):
        assert kernel.run(code, f"cell-{number}")[0].error is None
    kernel.run(f"{make.format(10)}\n# as before", "cell-1")
    assert stale(kernel) == []

    kernel.run(make.format(20), "cell-1")

    assert stale(kernel) == [2]
