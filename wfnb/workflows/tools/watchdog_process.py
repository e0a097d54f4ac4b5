"""this process -> one beside it, which ends what this one has started, should this one be killed.

What a process starts bears its mark (`process_cleanup.py`). One that ends in its own way ends that
itself, and its watchdog then; one that is killed has no time to. Its watchdog waits for its end, in
a session of its own, where no interrupt and no hangup of a terminal reaches it. It is started with
the first call that starts something, and reads nothing but its own few lines until it is needed.
Where it is killed too (a machine without memory), the next that resumes a run sweeps
(`process_cleanup.sweep`).

`PR_SET_PDEATHSIG` would reach only children, not what they have started, and comes when the thread
ends that started them.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from pathlib import Path

from .platform_support import LACKS
from .process_cleanup import VARIABLE, environment, mark, owner

_WAITS = """
import os, select, sys
number, owner, *places = sys.argv[1:]
if hasattr(os, "pidfd_open"):
    try:
        end = os.pidfd_open(int(number))
    except ProcessLookupError:
        pass
    else:
        ends = select.poll()
        ends.register(end, select.POLLIN)
        ends.poll()
else:
    sys.stdin.buffer.read()
sys.path[:] = places
from wfnb.workflows.tools.process_cleanup import end_owned
end_owned(owner, 0.2)
"""
_PACKAGE = str(Path(__file__).parents[3])
_WATCHDOGS: dict[int, subprocess.Popen[bytes]] = {}
"""By the number of the process that each watchdogs: a fork has none yet."""


def begin() -> None:
    """Have this process guarded; once is enough."""
    number = os.getpid()
    if LACKS is not None or number in _WATCHDOGS:
        return
    try:
        watchdog = subprocess.Popen(
            # No `site`, no variables of the user: nothing of theirs can break it, and it starts
            # faster.
            [sys.executable, "-I", "-S", "-c", _WAITS, str(number), owner(), _PACKAGE, *sys.path],
            # Without pidfds the end of a pipe that nobody writes to says that this process is gone.
            stdin=subprocess.DEVNULL if hasattr(os, "pidfd_open") else subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # Else it would keep the folder in use, which then cannot be unmounted.
            cwd="/",
            start_new_session=True,
        )
    except OSError:  # no more processes may be started: then hardly others are
        return
    watchdog.returncode = 0  # nobody waits for it
    _WATCHDOGS[number] = watchdog
    atexit.register(_end)


def own() -> None:
    """Have whatever this process starts from now on end with it, also what code starts that it runs
    itself. For a process that is there for runs alone: a kernel's cells start what they like."""
    os.environ[VARIABLE] = environment(mark("own"))[VARIABLE]
    begin()


def _end() -> None:
    """Nothing is left to do for the watchdog of a process that ends in its own way. What this has
    started is ended later (`process_cleanup.py`): first the engine stops, so that nobody takes the
    end of a program for a failure of its call."""
    watchdog = _WATCHDOGS.pop(os.getpid(), None)
    if watchdog is not None:
        # Set back from `begin`, or `kill` would take it for ended and do nothing.
        watchdog.returncode = None
        watchdog.kill()
        watchdog.wait()
