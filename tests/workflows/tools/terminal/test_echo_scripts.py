"""What is typed at a shell's prompt is never seen, however long; what is printed always is."""

import random

import pytest

from tests.amount import times
from tests.workflows.tools.terminal.shell_scripts import SHELLS, random_script, seen


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("seed", range(times(4, all=100)))
async def test_a_script_is_not_seen_and_what_it_prints_is(typist, seed, shell):
    script = random_script(random.Random(seed), shell)

    assert await seen(typist, script) == script.text
