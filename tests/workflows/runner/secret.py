"""a secret, and a tool that does everything with it that is not to be kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wfnb.workflows.tools.call_context import Context
from wfnb.workflows.tools.registry import tool

from .place import disk

SECRET = "s3cret \"quoted\" 'and' \\ more"
TRACES = (b"s3cret", b"quoted")
DECLARED: dict[str, Any] = {"variables": {"token": {"secret": True}}, "name": "told"}


@pytest.fixture
def passed() -> list[object]:
    """What a tool was given; it also says it, returns it, and fails with it."""
    given: list[object] = []

    @tool(idempotent=True)
    def use(context: Context, secret: Any, fails: bool = False) -> dict[str, Any]:
        given.append(secret)
        text = secret if isinstance(secret, str) else json.dumps(secret)
        for half in (text[:4], text[4:], "\n"):
            context.say(half)
        if fails:
            raise ValueError(f"with {text!r}")
        return {"text": f"got {text}", text: 1, "deep": [{"in": text}], "json": json.dumps(text)}

    return given


def clean(home: Path, *shown: object) -> None:
    seen = disk(home) + json.dumps([str(one) for one in shown]).encode()
    assert not [trace for trace in TRACES if trace in seen]
