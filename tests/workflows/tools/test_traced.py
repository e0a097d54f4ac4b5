"""Calls leave nothing behind by which a profiler or a debugger of the process would stand still."""

import subprocess
import sys
from textwrap import dedent

import pytest

LIMIT = 60
ONE = "done(perform(tool_of(quick), {}, context_of()))"
STOPPED = 'done(cancelled(tool_of(loops), {}, "here"))'
HANGS = 'while not lock.locked(): held = done(cancelled(tool_of(hangs), {}, "here"))'
"""Again where it was stopped on its way into C: then it does not hang."""
PROGRAM = """
    import sys, threading, time
    from tests.workflows.tools.calls import cancelled, context_of, done
    from wfnb.workflows.tools.call_context import Context
    from wfnb.workflows.tools.tool_execution import perform
    from wfnb.workflows.tools.tool import tool_of

    def quick():
        return 1

    def loops(c: Context):
        c.say("here")
        while True:
            pass

    def hangs(c: Context):
        with lock:
            c.say("here")
            let_go.acquire()  # in C: nothing arrives before it returns

    lock, let_go = threading.Lock(), threading.Lock()
    let_go.acquire()
    {call}
    assert lock.locked() is {held}
    seen = []
    sys.setprofile(lambda frame, event, value: seen.append(event))
    (lambda: None)()
    sys.setprofile(None)
    assert "call" in seen
    let_go.release()
    while lock.locked():
        time.sleep(0.01)
    print("traced")
"""


@pytest.mark.parametrize(
    ("call", "held"), [(ONE, False), (STOPPED, False), (HANGS, True)], ids=["one", "stop", "hang"]
)
def test_functions_are_traced_after_a_call(call: str, held: bool):
    program = dedent(PROGRAM).format(call=call, held=held)

    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=LIMIT, check=False
    )

    assert (ran.stdout, ran.stderr, ran.returncode) == ("traced\n", "", 0)
