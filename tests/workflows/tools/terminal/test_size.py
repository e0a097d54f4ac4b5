"""A terminal has the size that it is given, and its program knows."""

import pytest

from tests.workflows.tools.terminal.typist import PYTHON, TOOLS
from wfnb.errors import BadParameters

WATCHES = (
    "import os, signal, sys\n"
    "def changed(*_): print('now', *os.get_terminal_size()[::-1], flush=True)\n"
    "signal.signal(signal.SIGWINCH, changed)\n"
    "print('ready', flush=True)\n"
    "while True: sys.stdin.readline()\n"
)


async def test_the_size_of_a_terminal_is_chosen_when_it_is_opened(typist):
    await typist.open(rows=10, columns=40)

    await typist.types("stty size; seq 1 20; printf 'x%.0s' {1..60}; echo\n")

    assert await typist.sees(r"\A\d+ \d+") == "10 40"
    assert await typist.sees("x{41,}\n\\$ $") == "x" * 60 + "\n$ "
    assert (await typist.looks()).split("\n")[-3:] == ["x" * 40, "x" * 20, "$ "]
    (listed,) = (await typist.call("list_terminal_sessions"))["sessions"]
    assert (listed["rows"], listed["columns"]) == (10, 40)


async def test_a_program_is_told_of_another_size(typist):
    (typist.context.folder / "watches.py").write_text(WATCHES)
    await typist.open(f"{PYTHON} watches.py")
    await typist.sees("ready")

    resized = await typist.call("resize_terminal", session_id=typist.session, rows=50, columns=200)

    assert resized["message"] == "50 rows, 200 columns"
    assert await typist.sees("now.*\n") == "now 50 200\n"  # it may come in pieces


async def test_what_is_written_after_a_change_has_the_new_size(typist):
    await typist.open()
    await typist.types("seq 1 3\n")
    await typist.sees("3\n\\$ $")

    await typist.call("resize_terminal", session_id=typist.session, rows=5, columns=20)
    await typist.types("printf 'y%.0s' {1..30}; echo; stty size\n")

    assert await typist.sees("(?s)y{20}.*\\$ $") == "y" * 30 + "\n5 20\n$ "
    assert (await typist.looks()).split("\n")[-4:] == ["y" * 20, "y" * 10, "5 20", "$ "]


@pytest.mark.parametrize("size", [{"rows": 1}, {"rows": 501}, {"columns": 1}, {"columns": "a"}])
def test_a_size_that_no_terminal_has_is_refused(size):
    for name, more in (("open_terminal", {}), ("resize_terminal", {"session_id": "s"})):
        with pytest.raises(BadParameters, match=next(iter(size))):
            TOOLS[name].read({**size, **more})
