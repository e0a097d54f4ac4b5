"""a question -> a person's answer."""

from __future__ import annotations

import asyncio
from math import inf
from time import time
from typing import Annotated, Any

from pydantic import Field

from .call_context import Context, Question
from .result_fields import ToolFailed
from .sleep import MAX_SECONDS
from .tool import tool_of
from .wait import Wait, seconds_left


async def ask(
    context: Context,
    question: Annotated[str, Field(min_length=1), "What to ask"],
    choices: Annotated[list[str], "The possible answers; none: any text"] = [],  # noqa: B006
    default: Annotated[
        Any, "The answer if nobody answers in time; one of the choices, if there are any"
    ] = None,
    timeout: Annotated[
        float | None,
        Field(gt=0, le=MAX_SECONDS),
        "Seconds to wait; none: as long as the workflow has",
    ] = None,
    secret: Annotated[bool, "Whether the answer is not to be shown nor recorded"] = False,
) -> dict[str, Any]:
    """Ask a person, and wait for the answer.

    `answer` is the answer, `choice` its place among the choices from 0, `answered_by` "person" or
    "default". If nobody answers in time and there is no default, it failed, with
    `timeout_occurred`.
    """
    if choices and default is not None and default not in choices:
        raise ToolFailed(f"The default is none of the choices: {', '.join(choices)}.")
    asked = Question(
        text=question, choices=tuple(choices), default=default, secret=secret, timeout=timeout
    )
    # From when the question was first asked: it may have been in a process that is gone.
    left = None if timeout is None else seconds_left(context.since, timeout)
    ends = None if left is None else time() + left
    wait = Wait(until=inf if ends is None else ends, ends=ends, answerable=True)
    try:
        async with asyncio.timeout(None if left is None else max(left, 0)) as limit:
            with context.waiting(wait):
                answer, by = await context.ask(asked), "person"
    except TimeoutError:
        if not limit.expired():
            raise
        if default is None:
            error = f"Nobody answered in {timeout:g} s."
            raise ToolFailed(error, answer=None, timeout_occurred=True) from None
        answer, by = default, "default"
    choice = choices.index(answer) if answer in choices else None
    return {"answer": answer, "choice": choice, "answered_by": by}


ASK = tool_of(
    ask,
    idempotent=True,
    timeout=None,
    grace=None,
    waits=True,
    results={
        "answer": "",
        "choice": "integer",
        "answered_by": "string",
        "timeout_occurred": "boolean",
    },
)
