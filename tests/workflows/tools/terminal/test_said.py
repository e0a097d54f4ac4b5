"""What is awaited is what a person sees of what was written since the input."""

import random

import pytest

from tests.workflows.tools.terminal.test_screen import MORE, WIDE, written
from wfnb.workflows.tools.terminal.output_since_input import OutputSinceInput, TerminalInput
from wfnb.workflows.tools.terminal.screen import Screen

SEEN = [
    (r"status: wait\rstatus: done\n", "status: done\n"),
    (r"Working /\b- \b\bdone\n", "Working done\n"),
    (r"N\bNA\bAM\bME\bE\n", "NAME\n"),
    (r" 10%%\r 50%%\r100%% of it\n", "100% of it\n"),
    (r"fetch 1\nunpack 0\033[1A\rfetch 9\n\runpack 8\n", "fetch 9\nunpack 8\n"),
    (r"a long line\r\033[Kshort\n", "short\n"),
    (r"bad thing\033[5D\033[Kgood\n", "bad good\n"),
    (r"old\033[2J\033[Hnew\n", "new\n"),
    (r"\033]0;title\007\033[1;31mred\033[m\n", "red\n"),
    ("x" * 300 + r"\n", "x" * 300 + "\n"),
    ("word " * 50 + r"\n", "word " * 49 + "word\n"),
    (r"one\n\ntwo\n", "one\n\ntwo\n"),
]


@pytest.mark.parametrize(("printed", "seen"), SEEN)
async def test_a_pattern_matches_what_the_screen_shows(typist, printed, seen):
    await typist.open(f"sh -c \"read x; printf '{printed}'; echo END; read x\"")
    await typist.types("\n")

    # Not an empty line: that may be one of what is printed, of which only a part is there yet.
    assert await typist.sees(r"(?s)\A.*\n(?=END)") == seen


async def test_what_was_written_over_is_matched_no_more_and_what_scrolled_off_is(typist):
    await typist.open()

    await typist.types(r"seq 1 100; printf 'wait\rdone\n'; echo 'the'' end'" + "\n")

    assert await typist.sees("(?s)\\A1\n2\n.*\ndone\nthe end") is not None
    assert await typist.misses("wait")
    assert await typist.sees("(?m)^7$") == "7"


async def test_a_program_that_redraws_a_part_of_its_screen_is_seen_whole(typist):
    draws = r"printf '\033[?1049h\033[Hline 1 of 9'; read x; printf '\033[1;6H2'; read x"
    await typist.open(f'bash -c "{draws}"')
    await typist.sees("line 1 of 9")

    await typist.types("\n")

    assert await typist.sees("line 2 of 9") == "line 2 of 9"


@pytest.mark.parametrize("seed", range(100))
def test_all_that_was_written_since_an_input_is_what_the_screen_shows_of_it(seed):
    chances = random.Random(seed)
    data = written(seed, chances.choice([MORE, WIDE])).encode()
    screen, said, place = Screen(), OutputSinceInput(TerminalInput()), 0
    screen.feed(data)

    lines = []
    while place < len(data):
        size = chances.randint(1, 3000)
        said.feed(data[place : place + size])
        lines.append(said.take())
        place += size

    whole = "".join("".join([*lines, said.tail]).split())
    seen = "".join("".join(screen.lines()).split())
    assert whole == seen or (screen.alternate and whole.endswith("".join(screen.text().split())))


LATE = b"cat\r\n\x1b[?2004h$ cat\r\n\x1b[?2004l\rhere\r\n"


@pytest.mark.parametrize("cut", range(len(LATE)))
def test_a_terminal_that_came_too_late_to_echo_has_not_echoed(cut):
    said = OutputSinceInput(TerminalInput(echo=(b"cat\r\n", b"here\r\n"), typed=("cat", "here")))

    said.feed(LATE[:cut])
    said.feed(LATE[cut:])

    assert said.tail == "$ \nhere\n"
