"""A function that cannot be a tool is refused, with what is in the way."""

import pytest

from wfnb.errors import BadValue, ToolBroken
from wfnb.workflows.tools.call_context import Context
from wfnb.workflows.tools.tool import tool_of

from .typed import known


def positional(a, /): ...
def generator():
    yield 1


async def stream():
    yield 1


def unresolved(a: "Nowhere"): ...  # noqa: F821
def with_context(c: Context): ...
async def coroutine(): ...


BROKEN = [
    (positional, {}, ToolBroken, "'positional' cannot be a tool: it takes 'a' by position only."),
    (generator, {}, ToolBroken, "it is a generator; a tool returns its result."),
    (stream, {}, ToolBroken, "it is a generator; a tool returns its result."),
    (unresolved, {}, ToolBroken, "the annotation 'Nowhere' of 'a' means nothing (name 'Nowhere'"),
    (with_context, {"travels": True}, ToolBroken, "cannot take the Context, which stays here."),
    (with_context, {"process": True}, ToolBroken, "cannot take the Context, which stays here."),
    (coroutine, {"process": True}, ToolBroken, "cannot run in a process of its own."),
    (known, {"name": "a b"}, BadValue, "the tool's name is 'a b'. It needs up to 64 letters"),
    (known, {"name": ""}, BadValue, "the tool's name is ''."),
    (known, {"name": "1a"}, BadValue, "the tool's name is '1a'."),
    (known, {"name": "a" * 65}, BadValue, "It needs up to 64 letters"),
    (lambda: 1, {}, BadValue, "the tool's name is '<lambda>'."),
    (type, {"name": "t"}, ToolBroken, "it is no function with a known signature."),
    (known, {"parameters": {"type": "array"}}, ToolBroken, "is not that of an object."),
    (known, {"parameters": {"properties": {"a": {"type": "q"}}}}, ToolBroken, "its schema is none"),
    (known, {"parameters": {"properties": {"b": {}}}}, ToolBroken, "its schema has 'b', which the"),
]


@pytest.mark.parametrize(("function", "says", "kind", "said"), BROKEN)
def test_a_function_that_cannot_be_a_tool_is_refused(function, says, kind, said):
    with pytest.raises(kind) as refused:
        tool_of(function, **says)

    assert said in str(refused.value)
