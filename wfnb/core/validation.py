"""loose values (words of a command line, JSON of a caller) -> values the core can trust.

Every function names the field it reads, so that a refusal can say which one was wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from math import isfinite
from operator import index
from typing import TYPE_CHECKING, Any

from wfnb.errors import BadText, BadValue
from wfnb.frozen_record import record

if TYPE_CHECKING:
    from pydantic import ValidationError

MAIN = "main"
MAX_TEXT = 100_000
MAX_BRANCH = 80
MAX_SOURCE = 200_000
MAX_NAMES = 1_000
MAX_TAG, MAX_TAGS = 40, 20

MARK = re.compile(r"%{1,2}(step|branch)(?!\S)")
"""The beginning of a line that opens a step."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_NAME = re.compile(r"\w[\w.+/-]*")


@record
class StepPlace:
    """A step by its number, on a branch where one is named."""

    number: int
    branch: str | None = None

    def __str__(self) -> str:
        return f"{self.branch}:{self.number}" if self.branch else str(self.number)


def place_text(branch: str, number: int) -> str:
    """`3`, or `alt:3` on another line than main."""
    return str(StepPlace(number=number, branch=None if branch == MAIN else branch))


def first_line(description: str) -> str:
    """Of what a step says: its title."""
    return description.partition("\n")[0]


def whole(field: str, value: Any) -> int:
    """A whole number from 1. `"3"` means 3; `0`, `-1`, `2.5`, `"1e3"`, `""` and `True` are refused
    (rule 6).

    >>> whole("step_number", "3"), whole("step_number", 4.0)
    (3, 4)
    """
    read = value
    # By pattern, not by int(): that takes "1_000", " ３", and a million digits.
    digits = isinstance(value, str) and re.fullmatch(r"[0-9]{1,10}", value.strip())
    if digits or (isinstance(value, float) and value.is_integer()):  # JSON may write 4 as 4.0
        read = int(value)
    # By name: the bool of NumPy is none for isinstance, and NumPy is not imported for it.
    elif type(value).__name__ not in ("bool", "bool_") and hasattr(value, "__index__"):
        read = index(value)  # a number of NumPy
    if isinstance(read, int) and not isinstance(read, bool) and 1 <= read <= 10**9:
        return read
    raise BadValue(field, _short_value(value), "a whole number from 1")


def truth(field: str, value: Any) -> bool:
    """A bool; `"true"` and `"false"` mean what they say (rule 6)."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in ("true", "false"):
        return value.strip().lower() == "true"
    raise BadValue(field, _short_value(value), "true or false")


def number(field: str, value: Any) -> float:
    """A finite number, as a score is."""
    try:
        read = float(value) if not isinstance(value, bool) else None
    except (TypeError, ValueError, OverflowError):
        read = None
    if read is None or not isfinite(read):
        raise BadValue(field, _short_value(value), "a number such as 0.8")
    return read


def place(field: str, value: Any) -> StepPlace:
    """A step: `3`, or `alt:3` for the third step of branch alt."""
    if isinstance(value, StepPlace):
        return value
    if isinstance(value, str) and ":" in value:
        name, _, digits = value.rpartition(":")
        return StepPlace(number=whole(field, digits), branch=branch(name))
    return StepPlace(number=whole(field, value))


def text(field: str, value: object, limit: int = MAX_TEXT) -> str:
    """Words written by a person: any language, line breaks and tabs, no other control characters.

    Raises BadText for NUL and other control characters, for text that is no Unicode (a lone
    surrogate) and for more than `limit` characters; BadValue for what is no text.
    """
    if not isinstance(value, str):
        raise BadValue(field, _short_value(value), "text")
    # One text on each system: a cell that a Windows program wrote is no changed cell.
    value = value.replace("\r\n", "\n").replace("\r", "\n")
    if len(value) > limit:
        raise BadText(
            field,
            f"has {len(value):,} characters; {limit:,} are kept at most",
            "Keep the long part in a file and name it.",
        )
    sign = _CONTROL.search(value)
    if sign:
        raise BadText(
            field,
            f"holds the control character U+{ord(sign[0]):04X} at character {sign.start() + 1}",
            "Take it out: line breaks and tabs are the ones that may stay.",
        )
    # Half a pair of surrogates is no text in UTF-8, and the journal is that.
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BadText(
            field, f"is no Unicode text at character {error.start + 1}", "Take that character out."
        ) from None
    return value


def sentence(field: str, value: Any) -> str:
    """Text that says something: not empty, not only white space."""
    words = text(field, value).strip()
    if not words:
        raise BadValue(field, _short_value(value), "words that say what is meant")
    return words


description = partial(sentence, "step_description")
"""What a step says, of a new step and of one that is described anew: a title, and the reason under
it where there is one."""


def title(value: Any) -> str:
    """The first line of what a step says. What follows it is the reason, which is given apart."""
    words = sentence("title", value)
    if "\n" in words:
        raise BadValue("title", first_line(words)[:60] + "…", "one line")
    return words


def line(field: str, value: object, limit: int) -> str:
    """Words on one line, as a name is."""
    words = sentence(field, text(field, value, limit))
    if "\n" in words or "\t" in words:
        raise BadValue(field, _short_value(words), "words on one line")
    return words


def branch(value: Any) -> str:
    """The name of a branch: letters and digits of any language, then also `. + / -` and `_`."""
    if isinstance(value, str) and len(value) <= MAX_BRANCH and _NAME.fullmatch(value):
        return value
    needs = f"up to {MAX_BRANCH} letters, digits or . _ + / -, beginning with a letter or digit"
    raise BadValue("branch_id", _short_value(value), needs)


def fields(value: Mapping[str, Any], *, exact: bool = False) -> dict[str, Any]:
    """Fields of a step: text checked at any depth, everything else as JSON holds it. `exact`: keys
    that are no texts are refused, and not made texts."""
    if not isinstance(value, Mapping):
        raise BadValue("fields", _short_value(value), "names and values, as {name: value}")
    return {
        text("field name", key, 200): json(f"field {key!r}", item, exact=exact)
        for key, item in value.items()
    }


def json(field: str, value: Any, depth: int = 0, *, exact: bool = False) -> Any:
    """A value that JSON can hold, its text checked; anything else is refused by name."""
    if value is None or (isinstance(value, int) and value.bit_length() <= 1024):
        return value  # above, JavaScript would read infinity
    if isinstance(value, str):
        return text(field, value)
    if isinstance(value, float):
        return number(field, value)
    if depth < 20 and isinstance(value, Mapping):
        if exact and not all(isinstance(key, str) for key in value):
            raise BadValue(field, _short_value(value), "keys that are texts, as those of JSON are")
        read = {
            text(field, str(k)): json(field, v, depth + 1, exact=exact) for k, v in value.items()
        }
        # 1 and "1" would become one key, and one of the values would be lost.
        if len(read) < len(value):
            raise BadValue(field, _short_value(value), "keys that differ as text")
        return read
    if depth < 20 and isinstance(value, list | tuple):
        return [json(field, item, depth + 1, exact=exact) for item in value]
    if depth < 20 and hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        return json(field, value.item(), depth + 1)  # a number of NumPy
    raise BadValue(field, _short_value(value), "a value that JSON can hold, at most 20 levels deep")


def source(value: str) -> str:
    """A cell's source as it is kept: whole, or cut with its true size noted."""
    clean = value.encode(errors="backslashreplace").decode()
    if len(clean) <= MAX_SOURCE:
        return clean
    return f"{clean[:MAX_SOURCE]}\n# … cut: {len(clean):,} characters in all"


def shape_problem(error: ValidationError) -> str:
    """What is wrong with a file's data of another shape: where, and what is asked for there."""
    first = error.errors()[0]
    path = ".".join(map(str, first["loc"]))[:80] or "the file"
    return f"{path if path.isprintable() else repr(path)}: {first['msg'].lower()}"


def _short_value(value: object) -> str:
    try:
        shown = value if isinstance(value, str) else repr(value)
    except (ValueError, RecursionError):  # more than 4,300 digits; too deep
        shown = f"a {type(value).__name__}"
    return shown if len(shown) <= 60 else f"{shown[:60]}…"


def tags(names: Iterable[str]) -> tuple[str, ...]:
    """Each once, in order. BadValue for what is no tag."""
    unique = tuple(dict.fromkeys(names))
    for name in unique:
        if not isinstance(name, str) or len(name) > MAX_TAG or not _NAME.fullmatch(name):
            needs = f"letters, digits, _ . + / or - without spaces, {MAX_TAG} at most"
            raise BadValue("tag", str(name)[:60], needs)
    if len(unique) > MAX_TAGS:
        raise BadValue("tags", f"{len(unique)} of them", f"{MAX_TAGS} at most")
    return unique
