"""The programs by which pexpect tries itself, played by it and by the tools: both see the same.

pexpect reads the stream, the tools what stands on the screen: tabs and blanks at the end of a line
count as a person sees them. The terminal that pexpect gives a program does not echo here, as the
tools show no pattern what was typed.
"""

import sys
from dataclasses import dataclass

import pexpect
import pytest

ASKS = """
while True:
    try:
        print("<out>" + input("<in >"))
    except EOFError:
        print("<eof>")
        break
"""
KEYS = """
import os, sys, termios, tty
before = termios.tcgetattr(0)
tty.setraw(0)
print("READY", end="\\r\\n", flush=True)
key = None
while key:= os.read(0, 1):
    print(f"{key[0]}<STOP>", end="\\r\\n", flush=True)
    if key == b"\\0":
        break
termios.tcsetattr(0, termios.TCSADRAIN, before)
"""
SIZES = """
import os, signal
def say(*_):
    print("size", *os.get_terminal_size(0), flush=True)
signal.signal(signal.SIGWINCH, say)
say()
while True:
    signal.pause()
"""
SWAPS = """
import time
while True:
    line = input()
    time.sleep(0.1)
    print(line.swapcase(), flush=True)
"""
HIDES = """
import sys, termios
print("fake password:", end="", flush=True)
mode = termios.tcgetattr(0)
mode[3] &= ~termios.ECHO
termios.tcsetattr(0, termios.TCSADRAIN, mode)
print(" (hidden)", flush=True)
word = sys.stdin.readline().strip()
mode[3] |= termios.ECHO
termios.tcsetattr(0, termios.TCSADRAIN, mode)
print(f"\\n{len(word)} letters", flush=True)
sys.stdin.readline()
"""
STAYS = """
import signal, time
for each in (signal.SIGINT, signal.SIGHUP, signal.SIGCONT, signal.SIGTERM):
    signal.signal(each, signal.SIG_IGN)
print("READY", flush=True)
while True:
    time.sleep(10)
"""
LINES = ["Hello", "there", "Mr. þython", "3½", "▁▂▃▄▅▆▇█", "1234", "abcd", "1234", "ǝpoɔıun"]
LINES += [
    "x" * 300,
    "a\tb" * 9,
    "日本語" * 50,
    "(group)",
    "<eof>",
    "$ echo",
    ">>> 1",
    "a  b ",
    "-",
    "e\u0301a\u0308",
]
LINE = "[^\\r\\n]*\n"
CONTROLS = [chr(code) for code in (*range(1, 32), 127, 0)]


@dataclass(frozen=True)
class Play:
    """What is run, what is typed and awaited, and how the program ends then, where it does."""

    name: str
    program: str
    turns: list[tuple[str, str]]
    exit_code: int | None = None
    command: str = ""


PLAYS = [
    Play(
        "a prompt that is answered",
        ASKS,
        [
            ("", "<in >"),
            *((f"{line}\n", f"<out>{LINE}") for line in (*LINES, "", "<in >", "<out>")),
            ("\x04", "<eof>"),
        ],
        exit_code=0,
    ),
    Play(
        "keys one by one",
        KEYS,
        [
            ("", "READY"),
            ("ɑ", "201<STOP>\\s+145<STOP>"),
            *((key, "\\d+<STOP>") for key in CONTROLS),
        ],
        exit_code=0,
    ),
    Play("lines that come back", "", [(f"{line}\n", LINE) for line in LINES], command="cat"),
    Play("letters that come back", SWAPS, [(f"{line}\n", LINE) for line in LINES]),
    Play("a hundred lines", "for n in range(100): print(n)", [("", "(?s)0\n.*99")], exit_code=0),
    Play("a word and its end", 'print("Hello"); raise SystemExit(1)', [("", "Hello")], exit_code=1),
    Play(
        "lines that tick",
        "import time\nfor n in range(5): print('tick', n, flush=True); time.sleep(0.05)",
        [("", "tick 0"), ("", "tick 3"), ("", "tick 4")],
        exit_code=0,
    ),
    Play("an alarm", "import signal, time; signal.alarm(1); time.sleep(60)", [], exit_code=-14),
    Play("a word that is hidden", HIDES, [("", "\\(hidden\\)"), ("secret\n", "\\d+ letters")]),
    Play(
        "bash, line by line",
        "",
        [
            ("PS1='[PEX''PECT]> ' PS2='[MO''RE] '\n", "\\[PEXPECT\\]> $"),
            ("for n in 1 2 3\n", "\\[MORE\\] $"),
            ("do echo $((n * 7))\n", "\\[MORE\\] $"),
            ("done\n", "(?s)7\n.*21"),
            ("echo '1 2\n", "\\[MORE\\] $"),
            ("3 4'\n", "(?m)^1 2$\\s+^3 4$"),
            ("exit 3\n", "exit"),
        ],
        exit_code=3,
        command="bash --norc --noprofile --noediting",
    ),
]


class Stream:
    """A program as pexpect plays it."""

    def __init__(self, command, size=(30, 120)):
        self.child = pexpect.spawn(
            command, encoding="utf-8", echo=False, dimensions=size, timeout=20
        )
        self.child.delaybeforesend = None

    def said(self, typed, pattern):
        self.child.send(typed)
        self.child.expect(pattern.replace("\n", "\r?\n").replace("$", "(?=\r|$)"))
        return self.child.after.replace("\r", "").strip("\n").expandtabs().rstrip()

    def exit_code(self):
        self.child.expect(pexpect.EOF)
        self.child.close()
        code = self.child.exitstatus
        return code if code is not None else -self.child.signalstatus


async def exit_code(typist):
    await typist.awaits("this never comes")
    (session,) = (await typist.call("list_terminal_sessions"))["sessions"]
    assert not session["process_running"]
    return session["exit_code"]


def command_of(program, folder):
    (folder / "program.py").write_text(program)
    return f"{sys.executable} -u {folder / 'program.py'}"


@pytest.mark.parametrize("play", PLAYS, ids=[play.name for play in PLAYS])
async def test_what_is_awaited_and_how_it_ends_are_the_same(play, typist, tmp_path):
    command = play.command or command_of(play.program, tmp_path)
    stream = Stream(command)
    await typist.open(command)

    for typed, pattern in play.turns:
        if typed:
            await typist.types(typed)
        seen = await typist.sees(pattern)
        assert (typed, seen and seen.strip("\n").rstrip()) == (typed, stream.said(typed, pattern))
    if play.exit_code is not None:
        assert (await exit_code(typist), stream.exit_code()) == (play.exit_code, play.exit_code)
    stream.child.close(force=True)


async def test_a_program_sees_the_size_that_its_terminal_is_given(typist, tmp_path):
    command = command_of(SIZES, tmp_path)
    stream = Stream(command, size=(40, 100))
    await typist.open(command, rows=40, columns=100)

    first = "size 100 40"
    assert (await typist.sees(first), stream.said("", first)) == (first, first)
    stream.child.setwinsize(19, 84)
    await typist.call("resize_terminal", session_id=typist.session, rows=19, columns=84)
    then = "size 84 19"
    assert (await typist.sees(then), stream.said("", then)) == (then, then)
    stream.child.close(force=True)


async def test_a_program_that_minds_no_signal_is_ended(typist, tmp_path):
    command = command_of(STAYS, tmp_path)
    stream = Stream(command)
    await typist.open(command)
    assert (await typist.sees("READY"), stream.said("", "READY")) == ("READY", "READY")

    ended = await typist.call("exit_terminal", session_id=typist.session)

    assert (ended["process_running"], stream.child.terminate(force=True)) == (False, True)
