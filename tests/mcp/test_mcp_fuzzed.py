"""Whatever a model gives as arguments: one sentence says what is wrong, and nothing is recorded."""

import random
import string
from pathlib import Path
from typing import Any

import pytest

import wfnb
from tests.amount import times
from tests.mcp.agent import at, talk, text
from wfnb.mcp.tools import offered_tools

SETS = ("sequential",)
SIZE = 100
"""Calls of one conversation."""
WORDS = ("main", "alt", "3", "tides", "../..", "\x1b[31m", "\ud800", "{x}", "a" * 5_000, "", "\n")
ODD = (None, True, -1, 0, 2**70, 1.5, float("inf"), [], [[]], {}, {"": None}, *WORDS)


def made_up(chance: random.Random, schema: dict[str, Any]) -> dict[str, Any]:
    """Arguments of which at least one cannot be right: a name that no tool has."""
    names = [name for name in schema["properties"] if chance.random() < 0.7]
    given = {name: chance.choice(ODD) for name in names}
    other = "".join(chance.choices(string.ascii_letters + " \n\x1b_{}", k=chance.randrange(1, 60)))
    return {**given, f"no {other}": chance.choice(ODD)}


def misfit(chance: random.Random, schema: dict[str, Any]) -> dict[str, Any]:
    """Arguments with the right names, and odd values for all: right at times."""
    return {name: chance.choice(ODD) for name in schema["properties"] if chance.random() < 0.8}


def history(folder: Path) -> list[Any]:
    return wfnb.open("tides", home_folder=folder).log.entries()


@pytest.mark.parametrize("seed", range(times(2, 20)))
def test_what_cannot_be_right_is_refused_in_a_sentence(tmp_path: Path, seed: int, capfd: Any):
    chance = random.Random(seed)
    ws = wfnb.open("tides", home_folder=tmp_path)
    ws.step("Load")
    ws.step("Other", branch="alt", branch_from=1)
    around = at(tmp_path, session="tides", runs=("*",), inline=True, sets=SETS)
    before = history(tmp_path)
    calls = [
        (each.name, chance.choice((made_up, misfit))(chance, each.takes))
        for each in chance.choices(offered_tools(SETS), k=SIZE)
    ]

    async def scenario(client: Any) -> list[str]:
        said = []
        for name, given in calls:
            count = len(history(tmp_path))
            result = await client.call_tool(name, given)
            if result.is_error:
                said.append(text(result))
                assert len(history(tmp_path)) == count, (name, given)
            else:
                assert not any(each.startswith("no ") for each in given)
        return said

    said = talk(around, scenario)

    assert len(said) > SIZE // 2
    assert "Traceback" not in capfd.readouterr().err
    for each in said:
        assert each.isprintable(), each
        assert len(each) < 1_000
        assert each[-1] in ".?`"
        assert "wfnb failed" not in each
    assert history(tmp_path)[: len(before)] == before
