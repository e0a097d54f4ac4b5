"""Hints are spelled as calls of the tools while a test lasts."""

from collections.abc import Iterator

import pytest

from wfnb.hints import spelling, use_spelling
from wfnb.mcp.hints_as_tool_calls import ToolSpelling


@pytest.fixture(autouse=True)
def spelled() -> Iterator[None]:
    before = spelling()
    use_spelling(ToolSpelling())
    yield
    use_spelling(before)
