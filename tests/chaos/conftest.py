"""Where chance comes from: the same each time, unless SEED says another."""

import os
import random

import pytest

SEED = int(os.environ.get("SEED", "1"))


@pytest.fixture
def chances(request: pytest.FixtureRequest) -> random.Random:
    """Of a test, whatever ran before it."""
    return random.Random(f"{SEED} {request.node.name}")
