"""A program that plays many: each asks, reads a line in its own way, and prints it back changed.

    python player.py ORDERS REPORTS

An order is a line of JSON, and so is a report: `ready` once the program reads, `printed` with all
that it wrote after it had read.
"""

import json
import os
import re
import readline
import sys
import termios
import tty

PLAIN = []  # how the terminal was set at first


def main(orders, reports):
    PLAIN[:] = termios.tcgetattr(0)
    with open(orders) as orders, open(reports, "w", buffering=1) as reports:
        for order in map(json.loads, orders):
            play(order, reports)


def play(order, reports):
    echo = [*PLAIN]
    if not order["echo"]:
        echo[3] &= ~termios.ECHO
    termios.tcsetattr(0, termios.TCSANOW, echo)
    line = READ[order["reads"]](order["prompt"], lambda: print('"ready"', file=reports))
    for piece in order["pieces"]:
        write(piece.replace("{}", CHANGE[order["change"]](line)))
    termios.tcsetattr(0, termios.TCSADRAIN, PLAIN)
    print(json.dumps(line), file=reports)


def write(text):
    data = text.encode()
    while data:
        data = data[os.write(1, data) :]


def by_line(prompt, ready):
    write(prompt)
    ready()
    return sys.stdin.readline().removesuffix("\n")


def by_bytes(prompt, ready):
    write(prompt)
    ready()
    data = b""
    while not data.endswith((b"\n", b"\r")):
        data += os.read(0, 1)
    return data[:-1].decode()


def by_keys(prompt, ready):
    """Keys as they come; the terminal may show them."""
    shows = termios.tcgetattr(0)
    shows[3] &= ~termios.ICANON
    termios.tcsetattr(0, termios.TCSANOW, shows)
    return by_bytes(prompt, ready)


def raw(prompt, ready):
    """Nothing is shown before the line is read."""
    tty.setraw(0, termios.TCSANOW)
    line = by_bytes(prompt.replace("\n", "\r\n"), ready)
    termios.tcsetattr(0, termios.TCSANOW, PLAIN)
    return line


def by_readline(prompt, ready):
    readline.parse_and_bind("set enable-bracketed-paste off")
    return edited(prompt, ready)


def by_readline_that_tells(prompt, ready):
    readline.parse_and_bind("set enable-bracketed-paste on")
    return edited(prompt, ready)


def edited(prompt, ready):
    readline.set_pre_input_hook(ready)
    return input(re.sub("\x1b\\[[0-9;]*m", "\x01\\g<0>\x02", prompt))


READ = {each.__name__: each for each in (by_line, by_bytes, by_keys, raw, by_readline)}
READ["by_readline_that_tells"] = by_readline_that_tells
CHANGE = {None: str, "upper": str.upper, "reversed": lambda line: line[::-1]}

if __name__ == "__main__":
    readline.set_auto_history(False)
    main(*sys.argv[1:])
