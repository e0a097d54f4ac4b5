"""What a cell's text shows: a clock or a die is new each time, and nothing was looked at."""

import pytest

from wfnb.inspection.look_recognition import sight

NOTHING_SEEN = [
    "_ih[1]",
    "_i3",
    "_12",
    "_oh",
    "import time\ntime.time()",
    "import datetime\ndatetime.datetime.now()",
    "import pandas as pd\npd.Timestamp.now()",
    "import os\nos.urandom(3)",
    "from os import urandom\nurandom(3)",
    "import os\nos.getpid()",
    "import numpy as np\nnp.random.rand(3)",
    "import numpy as np\nnp.random.normal(0, 1)",
    "from numpy.random import rand\nrand()",
    "import numpy as np\nrng = np.random.default_rng()\nrng.random()",
    "import numpy as np\nx = np.random.rand()\nx + 1",
]
SEEN = [
    "import numpy as np\nnp.random.choice(data)",
    "import pandas as pd\npd.read_csv('a.csv')",
    "import numpy as np\nnp.load('a.npy')",
    "import os\nos.listdir('.')",
    "import model\nmodel.fit()",
]


@pytest.mark.parametrize("code", NOTHING_SEEN)
def test_a_clock_and_a_die_are_no_look(code: str):
    assert not sight(code).looks


@pytest.mark.parametrize("code", SEEN)
def test_what_is_drawn_from_data_or_read_is_one(code: str):
    assert sight(code).looks
