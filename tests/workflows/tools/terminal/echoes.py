"""Random programs that print back what is typed: what is awaited is compared with what they print.

Each program is played by one process (`player.py`), which says what it read. It has a prompt (none,
several lines, colours, written over after `\\r`), reads with or without the terminal's echo, whole
lines, keys, or with readline, and prints the line changed, in pieces, coloured, behind text that
looks like a prompt. The line is typed at the prompt or before it.
"""

import asyncio
import json
import os
import random
import re
import shlex
from pathlib import Path

from tests.workflows.tools.terminal.player import CHANGE
from tests.workflows.tools.terminal.typist import PYTHON, Typist

PLAYER = Path(__file__).with_name("player.py")
PROMPTS = [
    "",
    "> ",
    "Name: ",
    "$ ",
    ">>> ",
    "(Pdb) ",
    "In [1]: ",
    "first\nsecond? ",
    "\n",
    "名前: ",
]
COLOURED = ["\x1b[1;32muser\x1b[0m$ ", "\x1b[31m> \x1b[m", "a\n\x1b[1mb\x1b[0m: "]
REDRAWN = ["wait...\rready> ", "50%\r100% ", "\r\x1b[K> ", "ab\b\bAB: "]
BEFORE = ["", "$ ", "> ", "me> ", "... ", "# ", "% ", "<p>", "=> ", "(echo) ", "In [2]: ", "Issue#"]
LINES = [
    "5",
    "y",
    "hello",
    "it was",
    "a b  c",
    "$ ls",
    "> x",
    "x=1",
    "{}[]()",
    "naïve",
    "日本",
    "#",
]
READS = ["by_line"] * 5 + ["by_bytes"] * 3 + ["by_keys"] * 2 + ["by_readline"] * 4
READS += ["by_readline_that_tells"] * 4


def program(chances: random.Random) -> dict:
    reads = "raw" if chances.random() < 0.005 else chances.choice(READS)
    edits = reads.startswith("by_readline")
    line = chances.choice(
        [*LINES, *[""] * (reads != "raw"), "x" * chances.randint(1, 120), str(chances.random())]
    )
    prompts = PROMPTS + COLOURED + ([] if edits else REDRAWN)
    if reads == "by_readline" and line[:50] == "x" * 50:
        line = line[:100]  # readline draws the end of a full row once more when it is entered
    before, after = chances.choice(BEFORE), chances.choice(["", "", "!", " ", "> ", "\n{}"])
    said = f"{before}{{}}{after}\n" if chances.random() < 0.9 else "{}\n"
    if chances.random() < 0.3:
        said += chances.choice(["{}\n", "{}{}\n", "ok\n", "\n"])
    if chances.random() < 0.3:
        said = said.replace("{}", f"\x1b[1;3{chances.randint(1, 7)}m{{}}\x1b[0m")
    pieces = re.findall(r"(?s)\{\}|\x1b\[[0-9;]*m|.", said) if chances.random() < 0.3 else [said]
    return {
        "prompt": chances.choice(prompts),
        "echo": edits or reads == "raw" or chances.random() < 0.8,
        "reads": reads,
        "line": line,
        "change": chances.choice([None, None, "upper", "reversed"]),
        "pieces": pieces,
        "ahead": reads in ("by_line", "by_bytes") and chances.random() < 0.3,
    }


def expected(order: dict) -> list[str]:
    """What a person sees of what the program wrote after the input, colours left out. The system
    may show what was typed ahead after the prompt that comes next; readline that does not tell when
    it edits may end an empty line, or not."""
    line = order["line"]
    said = "".join(order["pieces"]).replace("{}", CHANGE[order["change"]](line))
    prompt, ways = order["prompt"], [said]
    if order["ahead"]:
        ways = [prompt + said, f"{prompt}\n{said}", f"{prompt}\0\n{said}"]  # blanks may stay
    ways += [f"\n{said}"] if order["reads"] == "by_readline" and not line else []
    return [_seen(way).replace("\0", "") for way in ways]


def _seen(text: str) -> str:
    rows = re.sub(r"\x1b\[[0-9;]*[mK]", "", text).split("\n")
    return "\n".join(map(_written_over, rows))


def _written_over(row: str) -> str:
    cells, place = [], 0
    for character in row:
        if character in "\r\b":
            place = 0 if character == "\r" else place - 1
        else:
            cells[place : place + 1] = [character]
            place += 1
    return "".join(cells).rstrip()


async def play(typist: Typist, count: int, chances: random.Random) -> list[dict]:
    """The programs of which something else was seen than they printed, and what that was."""
    folder = typist.context.folder
    for name in ("orders", "reports"):
        os.mkfifo(folder / name)
    readings = asyncio.StreamReader(limit=2**20)
    descriptor = os.open(folder / "reports", os.O_RDONLY | os.O_NONBLOCK)
    pipe = os.fdopen(descriptor)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(readings), pipe
    )
    await typist.open(f"{PYTHON} {shlex.quote(str(PLAYER))} orders reports")
    orders = await asyncio.to_thread(open, folder / "orders", "w", buffering=1)
    wrong = []
    for number in range(count):
        order = program(chances)
        if order["ahead"]:
            await typist.types(order["line"] + "\n")
        print(json.dumps(order), file=orders)
        assert await readings.readline() == b'"ready"\n'
        if not order["ahead"]:
            await typist.types(order["line"] + "\n")
        read = json.loads(await readings.readline())
        assert read == order["line"], order
        said = expected(order)
        pattern = rf"\A(?:{'|'.join(map(re.escape, said))})\Z"
        if (await typist.awaits(pattern, timeout=5.0))["match_text"] not in said:
            found = (await typist.awaits(r"(?s)\A.*\Z", timeout=0))["match_text"]
            wrong.append({"number": number, "said": said, "found": found, **order})
    orders.close()
    transport.close()
    return wrong
