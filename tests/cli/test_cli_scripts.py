"""Names of any script on a command line: files, variables, runs, tables, pictures."""

from unicodedata import normalize

import pytest

from wfnb.render.text.text_width import columns

from .command import Desk

STOCK = {
    "initial_state": "检查",
    "variables": {"größe": 2},
    "states": {
        "检查": {
            "action": {"tool": "shell", "params": {"command": "echo 数量 {größe!q}"}},
            "transitions": [
                {
                    "condition": {
                        "pattern_match": "数量 (?P<数量>[0-9]+)",
                        "expression": "检查.exit_code == 0 and größe > 2",
                    },
                    "next_state": "計算_1",
                },
                {"condition": {"success": True}, "next_state": "пусто"},
            ],
        },
        "計算_1": {
            "action": {"tool": "shell", "params": {"command": "echo {数量!q}{检查.stdout!q}"}}
        },
        "пусто": {"action": {"tool": "shell", "params": {"command": "false"}}},
    },
}


@pytest.fixture
def stock(desk: Desk) -> Desk:
    desk.write(STOCK, "库存盘点.workflow.yaml")
    return desk


def test_a_file_is_run_and_then_its_name(stock: Desk):
    first = stock.wfnb("run", "库存盘点.workflow.yaml", "--var", "größe=3")
    again = stock.wfnb("run", "库存盘点")

    assert (first.code, again.code) == (0, 1)
    assert first.lines[:5] == [
        "库存盘点-1 started: 3 states",
        "▶ 检查 (shell)",
        "检查: ✓ ok → 計算_1",
        "  │ 数量 3",
        "▶ 計算_1 (shell)",
    ]
    assert "库存盘点-1 ✓ success · saved as 库存盘点" in first.lines
    assert "库存盘点-2 ✕ failed" in again.out
    assert (stock.folder / ".wfnb" / "workflows" / "库存盘点.json").exists()


def test_a_run_is_found_by_its_name_and_resumed_with_another_value(stock: Desk):
    stock.wfnb("run", "库存盘点.workflow.yaml")

    assert stock.wfnb("show", "库存盘点-1").lines[0].startswith("库存盘点-1 · ✕ failed")
    assert "\n    n0 ==>" in stock.wfnb("graph", "库存盘点-1", "--mermaid").out
    assert "digraph" in stock.wfnb("graph", "库存盘点-1", "--dot").out
    assert ">检查<" in stock.wfnb("show", "库存盘点-1", "--html").out
    resumed = stock.wfnb("resume", "库存盘点-1", "--from", "检查", "--var", "größe=3")
    assert resumed.code == 0
    assert stock.wfnb("show", "库存盘点-1", "--json").data["variables"]["数量"] == "3"


def test_the_columns_of_a_table_stand_below_each_other(stock: Desk):
    stock.wfnb("run", "库存盘点.workflow.yaml", "--var", "größe=3")

    for words, head in ((["runs"], "session"), (["show", "库存盘点-1"], "status")):
        table = stock.wfnb(*words).lines
        top = next(line for line in table if f" {head} " in line)
        place = columns(top[: top.index(head)])
        rows = table[table.index(top) + 1 :][:2]
        starts = [
            columns(row[: row.index(word)]) for row in rows for word in ("cli", "✓") if word in row
        ]
        assert starts[0] == place


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ["run", "gro\u0308ße"],
            "workflow_name is 'gro\u0308ße'. It needs its normal form (NFKC), ",
        ),
        (["graph", "ﬁn"], "workflow_name is 'ﬁn'. It needs its normal form (NFKC), which may look"),
        (
            ["run", "库存盘点.workflow.yaml", "--var", "ﬁn=1"],
            "a variable's name is 'ﬁn'. It needs its",
        ),
        (
            ["run", normalize("NFD", "검" * 60)],
            "It needs its normal form (NFKC), which may look the",
        ),
        (["run", "库存 盘点"], "库存 盘点 cannot be read as a workflow: No such file"),
        (["show", "库存盘点-9"], "No run is called '库存盘点-9'."),
    ],
)
def test_what_is_no_name_is_refused_in_a_line(stock: Desk, words, line):
    said = stock.wfnb(*words)

    assert said.code == 2
    assert line in said.err
    assert said.err.count("\n") == 1


def test_a_file_whose_accents_stand_apart_gives_the_name_that_reads_the_same(desk: Desk):
    desk.write({key: STOCK[key] for key in STOCK}, "gro\u0308ße.yaml")

    said = desk.wfnb("run", "gro\u0308ße.yaml", "--var", "größe=3")

    assert said.lines[0] == "größe-1 started: 3 states"
    assert desk.wfnb("run", "größe", "--var", "größe=3").code == 0
