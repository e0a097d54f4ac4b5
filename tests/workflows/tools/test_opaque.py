"""A tool's annotation says which of its results JSON cannot hold."""

from typing import Annotated, TypedDict

import pandas as pd
import pytest

from wfnb.workflows.tools.tool import tool_of


class Loaded(TypedDict):
    frame: pd.DataFrame
    rows: int


def frame() -> pd.DataFrame:
    return pd.DataFrame({"a": [1, 2]})


def loaded() -> Loaded:
    return {"frame": frame(), "rows": 2}


def named() -> Annotated[bytes, "its bytes"]:
    return b"x"


def text() -> str:
    return "x"


def unsaid():
    return frame()


@pytest.mark.parametrize(
    ("function", "opaque"),
    [
        (frame, {"result": "DataFrame"}),
        (loaded, {"frame": "DataFrame"}),
        (named, {"result": "bytes"}),
        (text, {}),
        (unsaid, {}),
    ],
)
def test_a_tool_says_which_of_its_results_json_cannot_hold(function, opaque):
    assert tool_of(function).opaque == opaque
