"""Values of many elements, so large that they are written beside the pickle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

MANY = 40_000


def words(mark: str = "word") -> list[str]:
    return [f"{mark} {number}" for number in range(MANY)]


def strings() -> Any:
    return np.array(words(), dtype=object)


def frame() -> pd.DataFrame:
    when = pd.date_range("2024", periods=MANY, freq="s", tz="UTC")
    columns = {"word": pd.Series(words(), dtype=object), "x": np.arange(MANY * 1.0), "when": when}
    return pd.DataFrame(
        {**columns, "text": words("text"), "kind": pd.Categorical(["a", "b"] * 20_000)}
    )


def set_word(value: Any) -> None:
    value.loc[3, "word"] = "another"


def set_number(value: Any) -> None:
    value.loc[3, "x"] = -1.0
