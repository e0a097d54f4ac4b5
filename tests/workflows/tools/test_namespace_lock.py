"""Code that sets the same names takes turns; other code runs at once."""

import asyncio
import threading

import pytest

from wfnb.workflows.tools.python import PYTHON
from wfnb.workflows.tools.tool_execution import perform

from .calls import context_of, done


def at_once(*calls, **names):
    """What calls give that begin at the same time, and see the same names."""

    async def all_of_them():
        context = context_of(namespace=names)
        return await asyncio.gather(*(perform(PYTHON, call, context) for call in calls))

    return done(all_of_them())


CODES = [
    "import time\ntime.sleep(0.02)\ni",
    "import time\ndef later():\n    time.sleep(0.02)\n    return i\nlater()",
    "import time\nx = i\ntime.sleep(0.02)\nx",
    "import asyncio\nx = i\nawait asyncio.sleep(0.02)\nx",
    "import time\nfor x in range(i + 1):\n    time.sleep(0.01)\nx",
]


@pytest.mark.parametrize("code", CODES)
def test_each_of_several_calls_reads_what_it_set(code):
    given = at_once(*({"code": code, "arguments": {"i": i}} for i in range(4)))

    assert [each["result"] for each in given] == [0, 1, 2, 3]


def test_code_that_sets_other_names_or_none_runs_at_once():
    meeting = threading.Barrier(3, timeout=20)
    codes = ["meeting.wait() >= 0", "import os\na = meeting.wait()", "b = meeting.wait()"]

    given = at_once(*({"code": code} for code in codes), meeting=meeting)

    assert [each["success"] for each in given] == [True] * 3


def test_a_call_that_failed_has_had_its_turn():
    given = at_once({"code": "x = 1 / 0"}, {"code": "x = 2\nx"}, {"code": "x = 3\nx"})

    assert [each.get("result") for each in given] == [None, 2, 3]
