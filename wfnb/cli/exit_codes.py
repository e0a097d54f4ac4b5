"""how a command ended -> its exit code."""

from __future__ import annotations

from collections.abc import Mapping

DONE, FAILED, REFUSED, PARTIAL, JOURNAL, LEFT, PARKED = 0, 1, 2, 3, 4, 5, 6
HUNG_UP, INTERRUPTED, TERMINATED = 129, 130, 143

MEANINGS: Mapping[int, str] = {
    DONE: "done; of a run: success",
    FAILED: "the run failed, or was rolled back",
    REFUSED: "wrong usage, or refused: one line on stderr says why",
    PARTIAL: "the run succeeded in part",
    JOURNAL: "the journal could not be read or written",
    LEFT: "the run was rolled back, and something could not be undone",
    PARKED: "the run waits, and no process has it: `wfnb work` goes on with it",
    HUNG_UP: "the run was stopped when its terminal was closed (SIGHUP)",
    INTERRUPTED: "the run was cancelled, or the command interrupted",
    TERMINATED: "the run was stopped by SIGTERM",
}

_OF_RUNS: Mapping[str, int] = {
    "success": DONE,
    "partial_success": PARTIAL,
    "cancelled": INTERRUPTED,
    "partly_rolled_back": LEFT,
    "parked": PARKED,
}


def code_of(status: str) -> int:
    """The exit code for how a run ended.

    >>> code_of("success"), code_of("rolled_back")
    (0, 1)
    """
    return _OF_RUNS.get(status, FAILED)


def cancel_code(status: str) -> int:
    """The exit code for a run that was to be stopped, or undone, and is so now: done, unless
    something is left.

    >>> cancel_code("cancelled"), cancel_code("partly_rolled_back")
    (0, 5)
    """
    code = code_of(status)
    return code if code == LEFT else DONE
