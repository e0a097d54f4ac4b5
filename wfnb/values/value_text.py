"""a value -> its type, and its content, in a few words that are safe to show and to record."""

from __future__ import annotations

import re
import sys
from typing import Any

from wfnb.safe_attributes import offer
from wfnb.type_names import full_name, is_a, module_of

from .short_repr import brief

MAX_LENGTH = 80
_NOISE = re.compile(r" at 0x[0-9a-fA-F]+|\b__main__\.")


def kind_of(value: object) -> str:
    """The name of its type, where it is found first.

    >>> kind_of(3), kind_of(re.compile("x")), kind_of(sys)
    ('int', 're.Pattern', 'module')
    """
    kind = type(value)
    module = module_of(kind)
    name = full_name(kind)[len(module) + 1 :]
    if module in ("", "builtins", "__main__", "types"):
        return plain(name)
    # The shortest path is the one that people write: `pandas.DataFrame`.
    parts = module.split(".")
    for count in range(1, len(parts)):
        outer = ".".join(parts[:count])
        if getattr(sys.modules.get(outer), name, None) is kind:
            return plain(f"{outer}.{name}")
    return plain(f"{module}.{name}")


def show_value(value: object, longest: int = MAX_LENGTH) -> str:
    """Its repr in one short line, without addresses; nothing where it says only its type.

    >>> show_value("a\\nb"), show_value(object()), show_value("x" * 100, 12)
    ("'a\\\\nb'", '', "'xxxxxxxxxx…")
    """
    if type(value).__repr__ is object.__repr__:
        return ""
    try:
        said = brief(value, longest)
    except Exception:  # of a class of the user's; a number of too many digits
        return ""
    return shorten(said, longest)


def shorten(said: str, longest: int) -> str:
    """Its first line, without addresses, with a sign where there is more."""
    lines = said.splitlines() or [""]
    line = _NOISE.sub("", plain(lines[0]))
    if len(line) > longest:
        return f"{line[: longest - 1]}…"
    return f"{line} …" if len(lines) > 1 else line


def plain(text: str) -> str:
    """What can be printed and written as UTF-8.

    >>> plain("a\\x1b[0m\\ud800")
    'a�[0m�'
    """
    return "".join(sign if sign.isprintable() else "�" for sign in text)


def number(value: Any) -> str:
    """
    >>> number(3), number(0.123456789), number(1234567), number(float("nan"))
    ('3', '0.1235', '1,234,567', 'nan')
    """
    try:
        if is_a(value, bool) or not is_a(value, int, float):
            item = offer(value, "item")
            value = value if item is None else item()
        if is_a(value, bool):
            return str(value)
        # A class of the user's may write its numbers itself, and do more than that.
        if is_a(value, int):
            # Python refuses to write a number of some thousand digits.
            is_large = int.bit_length(value) >= 200
            return "a very large number" if is_large else int.__format__(value, ",")
        if is_a(value, float):
            return float.__format__(value, ".4g")
    except Exception:
        return ""
    return show_value(value, 40)


def count(size: int, one: str, many: str = "") -> str:
    """
    >>> count(1, "row"), count(2_000, "row")
    ('1 row', '2,000 rows')
    """
    return f"{size:,} {one if size == 1 else many or one + 's'}"
