"""a namespace, code that runs in it -> its turn, where other code that sets the same names runs.

Calls of code may run at once, and the names of a notebook are there once. Four items that each set
`i` and read it a moment later would all read the last one. So code that sets a name waits until no
other call runs that sets it, too. What is only read, imported or defined is not waited for.

Code may itself call a run, whose code sets the same names: it is not waited for by what it called,
which the context variables say.
"""

from __future__ import annotations

import ast
import asyncio
import threading
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from contextvars import ContextVar

from wfnb.frozen_record import record

PAUSE = 0.005
"""Seconds between looks at whether it is one's turn."""


@record
class Turn:
    """A call that runs: whose names it sets, and which."""

    namespace: int
    names: frozenset[str]


_running: dict[int, Turn] = {}
_lock = threading.Lock()
_callers: ContextVar[frozenset[int]] = ContextVar("callers", default=frozenset())


def names_set(code: str) -> frozenset[str]:
    """The names that code sets, but for what it imports and defines.

    >>> sorted(names_set("import os\\nx = y + 1\\nfor n in z: pass"))
    ['n', 'x']
    """
    nodes = ast.walk(ast.parse(code))
    return frozenset(
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    )


@asynccontextmanager
async def turn(namespace: object, names: Collection[str]) -> AsyncIterator[None]:
    """Wait for the turn of a call that sets these names, and have it."""
    own = Turn(namespace=id(namespace), names=frozenset(names))
    # Looked at, not awaited: turns end in threads and on loops, and no primitive spans both.
    while not _take(own):
        await asyncio.sleep(PAUSE)
    token = _callers.set(_callers.get() | {id(own)})
    try:
        yield
    finally:
        _callers.reset(token)
        with _lock:
            del _running[id(own)]


def _take(own: Turn) -> bool:
    callers = _callers.get()
    with _lock:
        # Its own callers wait for its end: to wait for them would never end.
        if any(_meet(own, other) for number, other in _running.items() if number not in callers):
            return False
        _running[id(own)] = own
        return True


def _meet(own: Turn, other: Turn) -> bool:
    return own.namespace == other.namespace and bool(own.names & other.names)
