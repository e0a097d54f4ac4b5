"""Calling a tool: fields, and nothing else, whatever it returns or raises."""

import asyncio
import threading
from contextvars import ContextVar

import pytest

from wfnb.workflows.tools.call_context import Context
from wfnb.workflows.tools.result_fields import ToolFailed
from wfnb.workflows.tools.tool import tool_of
from wfnb.workflows.tools.tool_execution import perform

from .calls import context_of, done, ends_well, fields

SPOKEN = ContextVar("SPOKEN", default="nothing")


async def ends_well_too(n: int = 1) -> int:
    await asyncio.sleep(0)
    return n


def raises(what: str):
    raise {"exit": SystemExit(2), "key": KeyError("k"), "stop": StopIteration(1)}[what]


async def raises_too(what: str):
    raises(what)


def interrupts():
    raise KeyboardInterrupt


def fails():
    raise ToolFailed("no such host", host="web1")


def test_a_function_runs_in_a_thread_of_its_own():
    result = fields(tool_of(ends_well), n="3")

    assert (result["success"], result["n"]) == (True, 3)
    assert result["thread"].startswith("wfnb-tool-")


def test_a_coroutine_function_runs_on_the_loop():
    async def where():
        return {"here": threading.get_ident()}

    async def called():
        return await perform(tool_of(where), {}, context_of()), threading.get_ident()

    result, here = done(called())

    assert result == {"success": True, "here": here}


def test_what_a_function_returns_is_awaited_where_it_can_be():
    def starts():
        return ends_well_too(4)

    assert fields(tool_of(starts)) == {"success": True, "result": 4}


@pytest.mark.parametrize("function", [raises, raises_too])
@pytest.mark.parametrize(
    ("what", "error", "kind"),
    [
        ("exit", "SystemExit: 2", "SystemExit"),
        ("key", "KeyError: 'k'", "KeyError"),
    ],
)
def test_an_exception_is_a_failure(function, what, error, kind):
    expected = {"success": False, "error": error, "error_type": kind}

    assert fields(tool_of(function), what=what) == expected


def test_no_exception_is_too_strange_to_be_a_failure():
    assert fields(tool_of(raises), what="stop")["error_type"] == "StopIteration"
    assert fields(tool_of(interrupts))["error"] == "KeyboardInterrupt"
    assert fields(tool_of(fails)) == {
        "success": False,
        "error": "no such host",
        "host": "web1",
    }


def test_parameters_that_are_wrong_are_a_failure_and_nothing_is_called():
    assert fields(tool_of(raises), wat="exit") == {
        "success": False,
        "error": "raises: what is missing; wat is no parameter (nearest: what).",
        "error_type": "BadParameters",
    }


def test_something_inside_that_was_cancelled_is_a_failure():
    async def waits():
        future = asyncio.get_running_loop().create_future()
        future.cancel()
        await future

    assert fields(tool_of(waits))["error_type"] == "CancelledError"


def test_the_context_is_given_to_who_declares_it():
    def asks(c: Context, n: int):
        return c.action, n

    assert fields(tool_of(asks), n=1)["result"] == ["act", 1]


def test_a_thread_has_the_context_variables_of_its_caller():
    def speaks():
        return SPOKEN.get()

    async def called():
        SPOKEN.set("hello")
        return await perform(tool_of(speaks), {}, context_of())

    assert done(called())["result"] == "hello"
