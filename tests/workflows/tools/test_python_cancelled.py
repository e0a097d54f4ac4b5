"""Code that is cancelled stops, or is reported, or is killed with what it started."""

import asyncio

from wfnb.workflows.tools.process_cleanup import bearing
from wfnb.workflows.tools.python import PYTHON
from wfnb.workflows.tools.tool_execution import StillRunning

from .calls import cancelled, done


def test_code_that_is_cancelled_stops():
    names = {}
    code = "try:\n    print('here')\n    while True: pass\nfinally:\n    left = True"

    task, _ = done(cancelled(PYTHON, {"code": code}, "here", namespace=names))

    assert task.cancelled()
    assert names["left"] is True


def test_awaiting_code_that_is_cancelled_stops():
    code = "import asyncio\nprint('here')\nawait asyncio.Event().wait()"

    task, _ = done(cancelled(PYTHON, {"code": code}, "here"))

    assert task.cancelled()


def test_awaiting_code_that_does_not_stop_is_reported():
    code = (
        "import asyncio\nprint('here')\nwhile not go.is_set():\n"
        "    try:\n        await go.wait()\n    except asyncio.CancelledError:\n        pass"
    )

    async def called():
        go = asyncio.Event()
        task, _ = await cancelled(PYTHON, {"code": code}, "here", namespace={"go": go})
        go.set()
        return task.exception()

    assert isinstance(done(called()), StillRunning)


def test_code_in_a_process_that_is_cancelled_is_killed_with_what_it_started():
    starts = "import subprocess, time\nsubprocess.Popen(['sleep', '600'])"
    code = f"{starts}\nprint('here')\ntime.sleep(600)"

    task, context = done(cancelled(PYTHON, {"code": code, "process": True}, "here"))

    assert task.cancelled()
    assert bearing(context.mark) == frozenset()
