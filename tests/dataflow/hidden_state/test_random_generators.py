"""The state of random generators makes steps stale as names do (rule 8)."""

from pathlib import Path

import pytest

from tests.dataflow.hidden_state.story import Story, stale_steps
from tests.dataflow.kernel import Kernel

SEEDED = "import random\nrandom.seed(1)"
STORIES = {
    "drawn a second time": Story({"a": SEEDED, "b": "r = random.random()"}, ["a", "b", "b"], {2}),
    "drawn from the seed again": Story(
        {"a": SEEDED, "b": "r = random.random()"}, ["a", "b"] * 2, set()
    ),
    "seeded otherwise": Story(
        {"a": SEEDED, "b": "r = random.random()"},
        ["a", "b", ("a", SEEDED.replace("1", "2"))],
        {2},
    ),
    "drawn before the seed": Story(
        {"a": SEEDED, "b": "s = 1"},
        ["a", "b", ("a", "import random\nr = random.random()\nrandom.seed(1)")],
        {1},
    ),
    "seeded for nobody": Story(
        {"a": "import random", "b": "r = random.random()", "c": "s = r"},
        ["a", "b", "c", "b", "c"],
        set(),
    ),
    "drawn by a library": Story(
        {
            "a": "import numpy as np, pandas as pd\nnp.random.seed(1)\n"
            "df = pd.DataFrame({'a': [1, 2]})",
            "b": "r = df.sample(1)",
        },
        ["a", "b", "b"],
        {2},
    ),
    "seeded by a function of the notebook": Story(
        {
            "a": "import numpy as np\ndef begin():\n    np.random.seed(1)",
            "d": "begin()",
            "b": "r = np.random.rand(3)",
        },
        ["a", "d", "b", "a", "d", "b", "b"],
        {3},
    ),
    "drawn by a cell that is no step": Story(
        {"a": SEEDED, "p": "# plain\nrandom.random()", "b": "r = random.random()"},
        ["a", "p", "b"],
        {2},
    ),
    "a generator that has spawned": Story(
        {
            "a": "import numpy as np\nr = np.random.default_rng(1)",
            "b": "v = float(r.spawn(1)[0].random())",
            "c": "w = float(r.spawn(1)[0].random())",
        },
        ["a", "b", "c", "b"],
        {2},
    ),
    "seeds that have spawned": Story(
        {
            "a": "import numpy as np\ns = np.random.SeedSequence(1)",
            "b": "v = s.spawn(1)[0].generate_state(1)",
            "c": "w = s.spawn(1)[0].generate_state(1)",
        },
        ["a", "b", "c", "b"],
        {2, 3},
    ),
    "a generator, beside one that is seeded": Story(
        {
            "a": "import random\nimport numpy as np\nnp.random.seed(4)",
            "b": "random.seed(5)",
            "c": "v = np.random.rand()",
            "d": "np.random.seed(8)",
        },
        ["a", "b", "c", "d", "b", "c"],
        {3},
    ),
    "generators that are seeded anew": Story(
        {
            "a": "import random\nimport numpy as np\nnp.random.seed(4)",
            "b": "random.seed(5)",
            "c": "v = np.random.rand() + random.random()",
        },
        ["a", "b", "c", "a", "a", "b", "b", "c"],
        set(),
    ),
    **{
        f"the state of a generator, by {call}": Story(
            {"a": seeded, "b": f"r = {draw}", "c": f"s = {call}", "d": f"q = {draw}"},
            ["a", "b", "c", "d", "c"],
            {3},
        )
        for seeded, draw, call in (
            (SEEDED, "random.random()", "random.getstate()[1][-1]"),
            (
                "import numpy as np\nnp.random.seed(1)",
                "np.random.rand(300).sum()",
                "np.random.get_state()[2]",
            ),
        )
    },
    **{
        f"a generator that has this seed already, of {module}": Story(
            {
                "a": f"{imports}\n{module}.seed(2)",
                "b": f"{module}.seed(2)",
                "c": f"r = {module}.{draw}",
            },
            ["a", "b", "c", ("a", f"{imports}\n{module}.seed(1)"), "c"],
            {3},
        )
        for module, imports, draw in (
            ("random", "import random", "random()"),
            ("np.random", "import numpy as np", "rand()"),
        )
    },
}


@pytest.mark.parametrize("name", STORIES)
def test_the_state_of_a_generator_makes_a_step_stale(kernel: Kernel, tmp_path: Path, name: str):
    story = STORIES[name]

    found = stale_steps(kernel, tmp_path, story)

    assert found.keys() == story.stale, found
