"""Advisers in a notebook: asked from a cell, whose loop runs already; interrupted; with a key."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.investigations.server import KEY, Server
from tests.jupyter.kernel import Kernel, running

pytestmark = pytest.mark.kernel
ADVISERS = f"""
import asyncio, os, wfnb
os.environ["TEST_KEY"] = {KEY!r}

@wfnb.adviser
async def keeper(request):
    await asyncio.sleep(0)
    return "Four days were missed.\\nVerdict: for"

@wfnb.adviser
def harbour(request):
    raise ValueError("the log book is lost")

@wfnb.adviser
async def deaf(request):
    print("asked", flush=True)
    await asyncio.Event().wait()
"""


@pytest.fixture
def kernel(tmp_path: Path) -> Iterator[Kernel]:
    with running(tmp_path) as kernel:
        kernel.ok("%load_ext wfnb")
        kernel.ok(ADVISERS)
        kernel.ok("%wfnb start tides --kind consensus")
        yield kernel


def test_a_step_in_a_cell_asks_and_shows_the_first_reply(kernel: Kernel, server: Server):
    kernel.ok(f"wfnb.endpoint('gpt', {server.url!r}, 'echo', key='TEST_KEY')")

    first = kernel.ok("%%step Warn at 695 cm? --set models=[keeper:for,gpt,harbour]\npass")
    second = kernel.ok("%%step What it says\npass")
    third = kernel.ok("%%step Synthesis\npass")

    assert first.answer["model_response"] == "Four days were missed.\nVerdict: for"
    assert second.answer["model_response"].startswith("Your key is •••, and a bell")
    assert third.answer["complete_consensus"]["tally"]["votes"] == {"for": 2}
    told = f"{[ran.published for ran in (first, second, third)]}"
    assert KEY not in told
    assert KEY.encode() not in (kernel.home / "journal.db").read_bytes()


def test_an_interrupt_ends_the_waiting_and_keeps_the_step_and_what_came(kernel: Kernel):
    request = kernel.send("%%step Warn? --set models=[keeper,deaf]\npass")
    for message in kernel.published(request):
        if "asked" in str(message["content"]):
            break
    kernel.interrupt()
    reply = kernel.reply(request)
    taken = kernel.ok(
        "[a.error for _, a in wfnb.open('tides').session.states['investigation'].now.advice]"
    )

    assert reply["status"] == "ok"
    assert taken.value == "[None, 'it was interrupted before it replied']"


def test_who_cannot_be_asked_is_told_in_one_line(kernel: Kernel):
    ran = kernel.run("%%step Warn? --set models=[keper]\npass")

    assert ran.refusal.startswith("No adviser is called 'keper'. Did you mean 'keeper'?")


COUNTING = """
import wfnb
from pathlib import Path

@wfnb.adviser
def sceptic(request):
    with open("asked", "a") as file:
        file.write("x")
    raise ValueError("the log book is lost")
"""


def test_a_cell_that_asked_asks_nobody_when_all_cells_run_again(tmp_path: Path):
    cells = (
        ("c0", COUNTING),
        ("c1", "%wfnb start bug --kind debug"),
        ("c2", "%%step one --total 9\n1"),
        ("c3", "%wfnb advise sceptic"),
        ("c4", "%%step two --finding 'it is so'\n1"),
    )
    with running(tmp_path) as kernel:
        for _ in range(2):
            for id, code in cells:
                last = kernel.ok(code, id)
            told = kernel.ok("%wfnb advise sceptic", "c3").text
        assert last.answer["step_number"] == 2
        assert told == "this cell asked before, and asks nobody now: a new cell does"
        assert kernel.ok("Path('asked').read_text()").value == "'x'"
        kernel.ok("%wfnb advise sceptic", "c9")
        assert kernel.ok("Path('asked').read_text()").value == "'xx'"


def test_a_model_that_failed_is_asked_again_by_a_new_cell_only(tmp_path: Path):
    cells = (
        ("c0", COUNTING),
        ("c1", "%wfnb start vote --kind consensus"),
        ("c2", "%%step Warn at 695 cm? --model sceptic\n1"),
        ("c3", "%wfnb advise"),
    )
    with running(tmp_path) as kernel:
        for _ in range(3):
            for id, code in cells:
                kernel.ok(code, id)
        assert kernel.ok("Path('asked').read_text()").value == "'xx'"
        kernel.ok("%wfnb advise", "c4")
        assert kernel.ok("Path('asked').read_text()").value == "'xxx'"
