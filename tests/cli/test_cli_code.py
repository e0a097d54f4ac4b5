"""The user's own Python: modules beside the workflow's file, and tools from a file or a module."""

import pytest

from wfnb.errors import ToolsUnloadable

from .command import Desk, events, steps

CALLS = {
    "name": "work",
    "steps": [{"id": "a", "tool": "python", "args": {"function": "mine.double", "args": [3]}}],
}
PRICED = {
    "name": "priced",
    "steps": [
        {"id": "a", "tool": "price", "args": {"count": 4}},
        {"id": "b", "tool": "apart", "args": {"cost": "{cost}"}},
    ],
}
TOOLS = """
import wfnb
from rates import RATE

print("loaded")

@wfnb.tool(results=["cost"])
def price(count: int) -> dict:
    "What so many cost."
    return {"cost": RATE * count}

@wfnb.tool(process=True)
def apart(cost: int) -> str:
    "In a process of its own."
    return f"it costs {cost}"
"""


def test_a_function_is_found_beside_the_file_of_the_workflow(desk: Desk):
    inside = desk.folder / "inside"
    inside.mkdir()
    (inside / "mine.py").write_text("def double(x): return 2 * x")
    file = desk.write(CALLS, "inside/work.yaml")

    said = desk.wfnb("run", file, "--json")

    assert said.data["execution_log"][0]["result"]["result"] == 6


def test_for_a_saved_workflow_and_one_that_is_resumed_it_is_found_in_the_current_folder(desk: Desk):
    desk.wfnb("workflows", "import", desk.write(CALLS))
    unplaced = Desk(desk.folder, {"PYTHONSAFEPATH": "1"})

    without = unplaced.wfnb("run", "work", "--json")
    (desk.folder / "mine.py").write_text("def double(x): return 2 * x")
    with_it = unplaced.wfnb("run", "work", "--json")
    resumed = unplaced.wfnb("resume", "work-1", "--json")

    assert (without.code, with_it.code, resumed.code) == (1, 0, 0)


@pytest.mark.parametrize("source", ["own/prices.py", "prices"])
def test_tools_come_from_a_file_or_a_module(desk: Desk, source):
    folder = desk.folder / ("own" if "/" in source else ".")
    folder.mkdir(exist_ok=True)
    (folder / "prices.py").write_text(TOOLS)
    (folder / "rates.py").write_text("RATE = 3")
    file = desk.write(PRICED)

    said = desk.wfnb("run", file, "--tools", source, "--json")

    results = [entry["result"] for entry in said.data["execution_log"]]
    assert [results[0]["cost"], results[1]["result"]] == [12, "it costs 12"]
    assert said.err == "loaded\n"
    assert desk.wfnb("check", file, "--tools", source).lines[0].endswith("✓ can run")
    assert desk.wfnb("check", file).code == 2
    (told,) = [row for row in desk.wfnb("tools", "--tools", source).lines if row[:5] == "price"]
    assert told.endswith("What so many cost.")


def test_a_run_is_resumed_with_its_tools(desk: Desk):
    (desk.folder / "own.py").write_text("import wfnb\n@wfnb.tool\ndef fails(): 1 / 0\n")
    file = desk.write({"name": "work", "steps": [{"id": "a", "tool": "fails", "args": {}}]})
    desk.wfnb("run", file, "--tools", "own.py")
    (desk.folder / "own.py").write_text("import wfnb\n@wfnb.tool\ndef fails(): return 7\n")

    refused, said = desk.wfnb("resume", "last"), desk.wfnb("resume", "last", "--tools", "own.py")

    assert refused.code == 2
    assert refused.err.startswith("wfnb: No tool is called 'fails'.")
    assert events(said.lines)[-3:] == ["a: ✓ ok", "  │ = 7", "work-1 ✓ success · saved as work"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def f():\n    return 1 / 0\nf()\n", "line 2 in f: ZeroDivisionError: division by zero"),
        ("x = prise\n", "line 1: NameError: name 'prise' is not defined"),
        ("\ndef f(:\n", "line 2: SyntaxError: invalid syntax"),
        ("raise SystemExit(3)\n", "line 1: SystemExit: 3"),
        (
            "import wfnb\n@wfnb.tool\ndef shell(): ...\n",
            "line 2: 'shell' is a built-in tool. Name yours otherwise: `@wfnb.tool(name=…)`",
        ),
        ("raise ValueError('No.')\n", "line 1: ValueError: No"),
        ("import nosuch\n", "line 1: ModuleNotFoundError: No module named 'nosuch'"),
    ],
)
def test_a_mistake_in_a_file_of_tools_is_one_line_with_its_place(desk: Desk, text, why):
    (desk.folder / "own.py").write_text(text)

    said = desk.wfnb("check", desk.write(steps("true")), "--tools", "own.py")

    assert (said.code, said.out) == (2, "")
    assert said.err == f"wfnb: {ToolsUnloadable('own.py', f'own.py, {why}')}\n"


def test_what_is_no_file_of_tools_is_refused(desk: Desk):
    (desk.folder / "own.py").write_text("x = 1")
    file = desk.write(steps("true"))

    said = [desk.wfnb("run", file, "--tools", each) for each in ("own.py", "no.py", "nosuch")]

    assert [each.code for each in said] == [2, 2, 2]
    assert [each.err for each in said] == [
        f"wfnb: {ToolsUnloadable(source, why)}\n"
        for source, why in (
            ("own.py", "no function in it is marked by @wfnb.tool"),
            ("no.py", f"No such file or directory: {desk.folder / 'no.py'}"),
            ("nosuch", "ModuleNotFoundError: No module named 'nosuch'"),
        )
    ]


def test_a_run_goes_on_as_a_mended_file_says(desk: Desk):
    desk.wfnb("run", desk.write(steps("echo a", "false")))
    mended = desk.write(steps("echo a", "echo mended"), "mended.yaml")

    said = desk.wfnb("resume", "last", "--file", mended)

    assert (said.code, "  │ mended" in said.lines, "▶ a (shell)" in said.lines) == (0, True, False)
