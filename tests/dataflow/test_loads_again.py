"""A step that runs again and makes something else gives another version: its readers are stale
(rule 8). What it makes again as it was leaves them fresh."""

from __future__ import annotations

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
LARGE = {
    "a frame": Story("import pandas as pd\ndf = pd.read_csv('f.csv')", "", "df.v.sum()"),
    "a frame of texts": Story(
        "import pandas as pd\ndf = pd.read_csv('f.csv', dtype=str)", "", "set(df.v)"
    ),
    "a list": Story("from pathlib import Path\nv = Path('f.csv').read_text().split()", "", "v[7]"),
    "an array": Story(
        "import numpy as np\na = np.loadtxt('f.csv', skiprows=1)", "", "float(a.sum())"
    ),
    "through a function": Story(
        "import pandas as pd\ndef load(path):\n    return pd.read_csv(path)\ndf = load('f.csv')",
        "",
        "df.v.sum()",
    ),
    "a tree of C": Story(
        "import numpy as np\nfrom scipy.spatial import cKDTree\n"
        "t = cKDTree(np.loadtxt('f.csv', skiprows=1)[-9:, None])",
        "",
        "t.query([0.0])",
    ),
    "a model": Story(
        "import numpy as np\nfrom sklearn.tree import DecisionTreeRegressor\n"
        "y = np.loadtxt('f.csv', skiprows=1)[-9:]\n"
        "m = DecisionTreeRegressor(random_state=0).fit(np.arange(9)[:, None], y)\ndel y",
        "",
        "m.predict([[8]])",
    ),
}
"""What is loaded from a file of 200 000 rows, of which the last but one is then another."""
NOT_PICKLED = {
    "the level of a logger": "import logging\nx = logging.getLogger('wfnb_tried')\nx.setLevel({})",
    "the cause of an exception": "x = ValueError(1)\nx.__cause__ = KeyError({})",
    "a hard mask": "import numpy as np\nx = np.ma.array([1, 2], mask=[0, 1], hard_mask={} > 10)",
}


def stale(kernel: Kernel) -> list[int]:
    return [step["number"] for step in kernel.marks() if step["stale"]]


@pytest.mark.parametrize("name", CHANGED)
def test_who_reads_what_is_another_now_is_stale(kernel: Kernel, name: str):
    first, then, reads = CHANGED[name]
    for number, code in ((1, first), (2, f"r = {reads}"), (1, first)):
        assert kernel.say(f"%%step {number} Cell\n{code}", f"cell-{number}") is None
    assert stale(kernel) == []

    kernel.say(f"%%step 1 Cell\n{then}", "cell-1")

    assert stale(kernel) == [2]


@pytest.mark.parametrize("name", NOT_PICKLED)
def test_what_a_pickle_lacks_is_compared_of_a_kept_value_too(kernel: Kernel, name: str):
    make = f"%%step 1 Cell --keep x\n{NOT_PICKLED[name]}"
    for number, code in ((1, make.format(10)), (2, "%%step 2 Cell\nr = repr(x)")):
        assert kernel.say(code, f"cell-{number}") is None
    kernel.say(f"{make.format(10)}\n# as before", "cell-1")
    assert stale(kernel) == []

    kernel.say(make.format(20), "cell-1")

    assert stale(kernel) == [2]


def write_rows(last: float) -> None:
    rows = [*map(str, range(200_000)), str(last), "1"]
    Path("f.csv").write_text("v\n" + "\n".join(rows))


@pytest.mark.parametrize("name", LARGE)
def test_a_large_load_is_another_where_one_row_is_and_the_same_where_none_is(
    kernel: Kernel, name: str
):
    write_rows(0.5)
    load, _, reads = LARGE[name]
    for number, code in ((1, load), (2, f"r = {reads}"), (1, load), (1, load)):
        assert kernel.say(f"%%step {number} Cell\n{code}", f"cell-{number}") is None
    assert stale(kernel) == []

    write_rows(0.75)
    kernel.say(f"%%step 1 Cell\n{load}", "cell-1")

    assert stale(kernel) == [2]


def test_what_shows_nothing_of_its_content_is_new_each_time(kernel: Kernel):
    write_rows(0.5)
    load = (
        "import hashlib\nfrom pathlib import Path\nh = hashlib.sha256(Path('f.csv').read_bytes())"
    )
    for number, code in ((1, load), (2, "r = h.hexdigest()"), (1, load)):
        kernel.say(f"%%step {number} Cell\n{code}", f"cell-{number}")

    (mark,) = [step for step in kernel.marks() if step["stale"]]
    assert mark["stale_reason"] == "read h of step 1, which has run again since"


def test_what_is_seen_to_be_made_of_the_same_is_the_same(kernel: Kernel):
    make = "n = 120_000\ndef rows():\n    return [[k] for k in range(n)]\nxs = rows()"
    for number, code in ((1, make), (2, "r = len(xs)"), (1, make)):
        kernel.say(f"%%step {number} Cell\n{code}", f"cell-{number}")

    assert stale(kernel) == []
