"""How Hypothesis looks for counter-examples: the same ones every time, and never by the clock. And
where the key is that signs what tests write: in no folder of whoever runs them. And signals as a
terminal gives them to a program. Sentences are compared as a notebook shows them; `test_hints.py`
has what the other hosts write.

`pytest --hypothesis-profile=explore` looks for new ones.
"""

import gc
import os
import signal
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

from tests.amount import times
from tests.leftovers import each_leaves_no_state, module_leaves_no_state  # noqa: F401
from wfnb.hints import use_spelling
from wfnb.hints_as_magics import MagicSpelling

settings.register_profile(
    "same", deadline=None, derandomize=True, print_blob=True, max_examples=times(20, 100)
)
settings.register_profile("explore", deadline=None, max_examples=1_000, print_blob=True)
settings.load_profile("same")

OWN = TemporaryDirectory(prefix="wfnb-tests-")
os.environ["XDG_DATA_HOME"] = OWN.name

# nohup and background jobs of a shell ignore these two, and what tests start would inherit that
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

use_spelling(MagicSpelling())


def pytest_collection_finish() -> None:
    """No look for garbage goes through thousands of tests and all they import."""
    gc.freeze()


@pytest.fixture(autouse=True)
def in_a_notebook() -> None:
    """Whatever the test before it has said."""
    use_spelling(MagicSpelling())
