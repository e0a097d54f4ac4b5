"""The screen, as a person would see it; tmux says what that is."""

import json
import random
import shutil
import subprocess
import sys

import pytest

from wfnb.workflows.tools.terminal.screen import Screen

SEEN = [
    ("a carriage return writes over", b"12345\rab", "ab345"),
    ("colours are not seen", b"\x1b[1;31mred\x1b[0m \x1b[38;5;12mblue\x1b[m", "red blue"),
    ("a tab goes to the next stop", b"a\tb\t\tc", "a       b               c"),
    ("a backspace goes back", b"abc\b\bX", "aXc"),
    ("the cursor goes where it is told", b"\x1b[2;3Hx\x1b[1;1Hy", "y\n  x"),
    ("the rest of a line is erased", b"abcdef\x1b[3D\x1b[K", "abc"),
    ("the beginning of a line is erased", b"abcdef\x1b[4D\x1b[1K", "   def"),
    ("the screen is erased", b"abc\r\ndef\x1b[2J\x1b[Hx", "x"),
    ("characters are inserted", b"abcd\x1b[3D\x1b[2@", "a  bcd"),
    ("characters are deleted", b"abcd\x1b[3D\x1b[2P", "ad"),
    ("characters are blanked", b"abcd\x1b[3D\x1b[2X", "a  d"),
    ("lines are inserted", b"1\r\n2\r\n3\x1b[2;1H\x1b[L", "1\n\n2\n3"),
    ("lines are deleted", b"1\r\n2\r\n3\x1b[2;1H\x1b[M", "1\n3"),
    ("only a region scrolls", b"1\r\n2\r\n3\r\n4\x1b[2;3r\x1b[3;1H\n", "1\n3\n\n4"),
    ("a region scrolls back", b"1\r\n2\r\n3\r\n4\x1b[2;3r\x1b[2;1H\x1bM", "1\n\n2\n4"),
    ("a wide character takes two columns", "日本\x1b[1;3Hx".encode(), "日x"),
    ("half a wide character is none", "日本\x1b[1;2Hx".encode(), " x本"),
    ("what stands on a character stays with it", "e\u0301a".encode(), "e\u0301a"),
    ("a wide character does not fit in one column", b"x" * 119 + "日".encode(), "x" * 119 + "\n日"),
    ("a long line goes on in the next", b"x" * 121, "x" * 120 + "\nx"),
    ("a full line waits before it breaks", b"x" * 120 + b"\r\ny", "x" * 120 + "\ny"),
    ("lines are drawn by letters", b"\x1b(0lqk\x1b(Blqk", "┌─┐lqk"),
    ("a title is not seen", b"\x1b]0;title\x07a\x1b]2;t\x1b\\b", "ab"),
    ("a character is repeated", b"ab\x1b[3bc", "abbbbc"),
    ("the cursor comes back where it was saved", b"ab\x1b7\x1b[5;5Hx\x1b8c", "abc\n\n\n\n    x"),
    ("bytes that are no text are marked", b"a\xff\xfeb", "a��b"),
    ("the blank before the cursor is seen", b"$ ", "$ "),
    ("a reset blanks the screen", b"abc\x1bcx", "x"),
]


@pytest.mark.parametrize(("what", "written", "seen"), SEEN, ids=[what for what, _, _ in SEEN])
def test_the_screen_shows_what_a_person_sees(what, written, seen):
    screen = Screen()

    screen.feed(written)

    assert screen.text() == seen


@pytest.mark.parametrize(("what", "written", "seen"), SEEN, ids=[what for what, _, _ in SEEN])
def test_it_shows_the_same_when_it_is_written_byte_by_byte(what, written, seen):
    screen = Screen()

    for place in range(len(written)):
        screen.feed(written[place : place + 1])

    assert screen.text() == seen


def test_the_alternate_screen_leaves_the_other_one_as_it_was():
    screen = Screen()
    screen.feed(b"before\r\n$ less\x1b[?1049h\x1b[Hpage of text\x1b[30;1H(END)")

    behind = screen.text()
    screen.feed(b"\x1b[?1049l\r\nafter")

    assert behind == "page of text" + "\n" * 29 + "(END)"
    assert screen.text() == "before\n$ less\nafter"
    assert not screen.alternate


def test_lines_that_leave_the_screen_are_in_the_history():
    screen = Screen()

    screen.feed(b"".join(b"line %d\r\n" % n for n in range(100)))

    assert screen.lines()[:100] == [f"line {n}" for n in range(100)]
    assert screen.text().split("\n")[0] == "line 71"


def test_the_history_keeps_the_latest_ten_thousand_lines():
    screen = Screen()

    screen.feed(b"".join(b"%d\r\n" % n for n in range(50_000)))

    assert screen.lines()[0] == str(50_000 - 10_000 - 29)
    assert screen.lines()[-1] == "49999"


def test_a_program_is_told_where_the_cursor_is():
    screen = Screen()

    screen.feed(b"\x1b[5;7H\x1b[6n\x1b[5n\x1b[c")

    assert screen.replies == [b"\x1b[5;7R", b"\x1b[0n", b"\x1b[?1;2c"]


def test_a_smaller_screen_keeps_the_cursors_line_and_a_larger_one_has_blank_ones():
    screen = Screen(rows=4, columns=10)
    screen.feed(b"1\r\n2\r\n3\r\n0123456789")

    screen.resize(2, 5)
    small = screen.text()
    screen.resize(3, 8)
    screen.feed(b"\r\nnew")

    assert small == "3\n01234"
    assert screen.text() == "3\n01234\nnew"
    assert list(screen.history) == ["1\n", "2\n"]


def test_a_sequence_that_never_ends_swallows_no_more_than_it_may():
    screen = Screen()

    screen.feed(b"\x1b]0;" + b"x" * 70_000 + b"\r\nafter")

    assert screen.text().endswith("after")


PIECES = [
    lambda r: "".join(r.choices("abcdefgh ", k=r.randint(1, 40))),
    lambda r: "x" * r.randint(60, 200),
    lambda r: r.choice(["é", "─┼", "α"]),
    lambda r: "\r\n" * r.randint(1, 5),
    lambda r: r.choice("\r\t"),
    lambda r: f"\x1b[{r.randint(1, 31)};{r.randint(1, 121)}H",
    lambda r: f"\x1b[{r.randint(1, 35)}{r.choice('ABCDEFGd')}",
    lambda r: f"\x1b[{r.choice('02')}{r.choice('JK')}",
    lambda r: f"\x1b[{r.randint(1, 5)}{r.choice('@PX')}",
    lambda r: f"\x1b[3;25r\x1b[{r.randint(3, 25)}H\x1b[{r.randint(1, 5)}{r.choice('LM')}\r",
    lambda r: f"\x1b[{r.randint(1, 12)};{r.randint(15, 30)}r",
    lambda r: r.choice(["\x1bM", "\x1bD", "\x1bE", "\x1b[r", "\x1b7here\x1b8"]),
    lambda r: f"\x1b[{r.randint(0, 107)}m",
    lambda r: "".join(f"line {n}\r\n" for n in range(r.randint(1, 80))),
    lambda r: f"\r\x1b[?7l{'no wrap ' * r.randint(1, 30)}\x1b[?7h\r",
]
MORE = [
    *PIECES,
    lambda r: f"\x1b[{r.randint(1, 3)}{r.choice('ST')}",
    lambda r: "\x1b[?1049h" + written(r.random(), PIECES) + r.choice(["", "\x1b[?1049l"]),
]
WIDE = [*PIECES[:5], lambda r: r.choice(["日本", "語x"]) * r.randint(1, 60)]


def written(seed, pieces):
    r = random.Random(seed)
    return "".join(r.choice(pieces)(r) for _ in range(r.randint(1, 40)))


def shown(data: str):
    screen = Screen()
    screen.feed(data.encode())
    return [line.rstrip() for line in screen.text().rstrip().split("\n")]


PANE = """
import json, subprocess, sys, tty
tty.setraw(0)
cases = json.load(open(sys.argv[1]))
anew = "\\x1bc\\x1b[?1049h\\x1b[?1049l\\x1b[r\\x1b[4l\\x1b[?7h\\x1b[2J\\x1b[H"
seen = []
for case in cases:
    sys.stdout.write(anew + case + "\\x1b[6n")
    sys.stdout.flush()
    while sys.stdin.read(1) != "R":
        pass
    shown = subprocess.run(["tmux", "-S", sys.argv[2], "capture-pane", "-p"], capture_output=True)
    seen.append(shown.stdout.decode())
json.dump(seen, open(sys.argv[1], "w"))
"""


@pytest.mark.skipif(not shutil.which("tmux"), reason="tmux is not installed")
def test_it_shows_what_tmux_shows(tmp_path):
    data = [written(seed, pieces) for seed in range(200) for pieces in (MORE, WIDE)]
    cases, socket = tmp_path / "cases", tmp_path / "s"
    cases.write_text(json.dumps(data))
    (tmp_path / "pane.py").write_text(PANE)
    tmux = ["tmux", "-u", "-S", str(socket), "-f", "/dev/null"]
    pane = (
        f"{sys.executable} {tmp_path}/pane.py {cases} {socket}; tmux -S {socket} wait-for -S done"
    )

    subprocess.run([*tmux, "new-session", "-d", "-x120", "-y30", pane], check=True)
    subprocess.run([*tmux, "wait-for", "done"], check=True, timeout=60)

    for case, seen in zip(data, json.loads(cases.read_text()), strict=True):
        assert shown(case) == [line.rstrip() for line in seen.rstrip().split("\n")], repr(case)
