"""Real programs in real terminals; a test may be a coroutine function."""

import asyncio
import inspect

import pytest

from tests.workflows.tools.terminal.typist import Typist, context_of
from wfnb.workflows.tools.terminal.terminals import Terminals

SLOW = 280
"""Seconds in which a test ends on the slowest machine: fewer than pytest gives it, so that what it
waited for is told."""


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    given = {name: pyfuncitem.funcargs[name] for name in names}

    async def test():
        try:
            async with asyncio.timeout(SLOW):
                await pyfuncitem.obj(**given)
        finally:
            if "context" in pyfuncitem.funcargs:
                await pyfuncitem.funcargs["context"].terminals.close("run")

    asyncio.run(test())
    return True


@pytest.fixture
def context(tmp_path):
    return context_of(Terminals(), tmp_path)


@pytest.fixture
def typist(context):
    return Typist(context)
