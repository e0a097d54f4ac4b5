"""Programs as people use them in a terminal, each of them the real one."""

import asyncio
import os
import re
import resource
import shutil
import sys
from pathlib import Path

import pytest

from tests.workflows.tools.terminal.typist import PYTHON


def needs(program):
    return pytest.mark.skipif(not shutil.which(program), reason=f"{program} is not installed")


@needs("less")
async def test_a_pager_has_the_screen_for_itself_and_gives_it_back(typist):
    text = "\n".join(f"line {n}" for n in range(1, 101))
    (typist.context.folder / "text").write_text(text)
    await typist.open(environment={"LESS": ""})

    await typist.types("less text\n")
    await typist.sees("line 29")
    first = await typist.looks()
    await typist.types("G")
    await typist.sees("\\(END\\)")
    last = await typist.looks("since_input")
    await typist.types("q")
    await typist.sees("\\$ $")

    assert first.split("\n")[:2] == ["line 1", "line 2"]
    assert last.split("\n")[-2:] == ["line 100", "(END)"]
    assert await typist.looks() == "$ less text\n$ "


@needs("top")
async def test_a_program_that_paints_the_screen_again_and_again_is_seen_once(typist):
    await typist.open("top -d 0.2")

    await typist.sees("load average")
    first = await typist.sees("top - \\S+")
    await typist.sees(f"top - (?!{re.escape(first[6:])})")

    assert len(re.findall("load average", await typist.looks())) == 1
    assert await typist.misses("(?s)load average.*load average")
    await typist.types("q")
    ended = await typist.awaits("this never comes")
    assert (ended["process_running"], ended["timeout_occurred"]) == (False, False)


async def test_python_answers(typist):
    await typist.open(f"{PYTHON} -q")
    await typist.sees(">>> $")

    await typist.types("6 * 7\n")

    assert await typist.sees("(?m)^\\d+$") == "42"


async def test_a_program_is_interrupted_and_a_shell_left_by_control_keys(typist):
    await typist.open()
    await typist.types("cat\n")
    await typist.types("here\n")
    await typist.sees("here\n")
    await typist.types("\x03")
    await typist.sees("\\$ $")

    await typist.types("\x04")
    ended = await typist.awaits("this never comes")

    assert (ended["process_running"], ended["match_text"]) == (False, None)


async def test_text_that_is_pasted_is_not_run_before_it_is_entered(typist):
    await typist.open()

    await typist.types("\x1b[200~echo pasted\necho twice\x1b[201~")
    nothing = await typist.awaits("(?m)^(pasted|twice)$", timeout=0.1)
    await typist.types("\n")

    assert nothing["match_text"] is None
    assert await typist.sees("(?s)pasted.*twice") == "pasted\ntwice"


async def test_ten_thousand_characters_are_typed_to_a_shell(typist):
    await typist.open()
    text = f"echo {'x' * 9987} | wc -c\n"[:9999] + "\n"

    await typist.types(f"echo {'y' * 9983} | wc -c\n")

    assert len(text) <= 10_000
    assert await typist.sees("\\d{3,}") == "9984"


async def test_characters_come_whole_in_however_many_pieces_they_come(typist):
    program = (
        "import os,sys\n"
        "for byte in '日本é😀\\r\\n'.encode() + b'\\xff\\xc3(':\n"
        "    os.write(1, bytes([byte])); os.fsync if 0 else None\n"
    )
    (typist.context.folder / "bytes.py").write_text(program)
    await typist.open(f"{PYTHON} bytes.py")

    assert await typist.sees("日本é😀\n��\\(") == "日本é😀\n��("
    assert await typist.looks() == "日本é😀\n��("


async def test_patterns_do_not_see_colours(typist):
    await typist.open()

    await typist.types("printf '\\033[1;32m12\\033[0m pass\\033[4mi\\033[mng\\n'\n")

    assert await typist.sees("(?P<count>\\d+) passing") == "12 passing"


async def test_a_program_that_ends_ends_the_wait_with_what_it_said_last(typist):
    await typist.open("bash -c 'read x; echo last words; exit 3'")
    await typist.types("\n")

    found = await typist.awaits("last words")
    missed = await typist.awaits("never said")

    assert found["match_text"] == "last words"
    assert (missed["match_text"], missed["process_running"]) == (None, False)
    assert missed["timeout_occurred"] is False
    (listed,) = (await typist.call("list_terminal_sessions"))["sessions"]
    assert (listed["process_running"], listed["exit_code"]) == (False, 3)


async def test_a_program_whose_child_lives_on_has_ended(typist):
    await typist.open("bash -c 'sleep 1000 & disown; echo gone'")

    ended = await typist.awaits("this never comes")

    assert (ended["process_running"], ended["timeout_occurred"]) == (False, False)


async def test_a_program_that_asks_where_the_cursor_is_is_told(typist):
    ask = "import sys,tty; tty.setraw(0); print('ab\\x1b[6n', end='', flush=True)"
    read = "print(repr(''.join(iter(lambda: sys.stdin.read(1), 'R'))))"
    await typist.open(f'{PYTHON} -c "{ask}; {read}"')

    assert await typist.sees("'.*'") == "'\\x1b[1;3'"


async def test_fifty_megabytes_go_by_without_being_kept_or_holding_up_others(typist):
    await typist.open()
    before = memory()
    turns = []

    async def others():
        while True:
            turns.append(memory())
            await asyncio.sleep(0.01)

    other = asyncio.create_task(others())
    await typist.types("yes | head -c 50000000; echo the e''nd\n")
    found = await typist.awaits("the end", timeout=250)
    other.cancel()

    assert found["match_text"] == "the end"
    assert max(turns) - before < 50e6
    assert len(turns) > 100
    assert (await typist.looks("tail", line_count=3)).endswith("y\nthe end\n$ ")


def memory():
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if os.path.exists("/proc") else 0
    return pages * resource.getpagesize()


async def test_what_has_left_the_screen_is_in_the_history(typist):
    await typist.open()

    await typist.types("seq 1 200\n")
    await typist.sees("(?s)200\n\\$ $")

    numbers = [str(n) for n in range(1, 201)]
    assert (await typist.looks("history")).split("\n") == ["$ seq 1 200", *numbers, "$ "]
    assert (await typist.looks()).split("\n") == [*numbers[-29:], "$ "]
    assert (await typist.looks("tail", line_count=2)).split("\n") == ["200", "$ "]
    assert (await typist.looks("since_input")).split("\n") == [*numbers, "$ "]


async def test_all_that_was_said_since_the_input_is_looked_through(typist):
    await typist.open()

    await typist.types("echo nee''dle; seq 1 500000; echo the e''nd\n")
    late = await typist.awaits("the end", timeout=250)
    early = await typist.awaits("needle")
    long = await typist.awaits("(?s)needle.*the end")

    assert late["match_text"] == "the end"
    assert early["match_text"] == "needle"
    assert long["match_text"].count("\n") == 500_001


async def test_a_program_finds_no_size_but_the_terminals(typist):
    await typist.open(environment={"COLUMNS": "7"} if sys.platform == "none" else None)

    await typist.types("stty size; echo $TERM\n")

    assert await typist.sees("(?s)\\A.*?xterm\\S*") == "30 120\nxterm-256color"


async def test_what_is_typed_is_in_no_history_of_the_user(typist):
    home = typist.context.folder / "home"
    home.mkdir()
    (home / "text").write_text("a text\n" * 100)
    typed = {
        "bash": ("\\$ $", "true\n", "exit\n"),
        "bash --norc": ("[$#] $", "true\n", "exit\n"),
        "node": ("> $", "1 + 1\n", ".exit\n"),
        "sqlite3": ("sqlite> $", "select 1;\n", ".quit\n"),
        "less text": ("text$", "/tex\n", "q"),
    }
    for shell, (ready, line, end) in typed.items():
        if shutil.which(shell.split()[0]):
            await typist.open(shell, working_directory="home", environment={"HOME": str(home)})
            await typist.sees(ready)
            await typist.types(line)
            await typist.types(end)
            await typist.awaits("this never comes")

    assert [path.name for path in home.iterdir()] == ["text"]
