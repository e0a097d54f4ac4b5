"""pydantic's complaint -> what is wrong with the parameters, in our words and without their values
(which may be secret)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from wfnb.errors import listing

if TYPE_CHECKING:
    from pydantic import ValidationError

_RULE = re.compile(r"[A-Z][a-z]+ (?=should )")
_NEEDS = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "dataclass_type": "a mapping",
}
"""What a value has to be, by the type of pydantic's complaint."""
_EXTRA = ("extra_forbidden", "unexpected_keyword_argument")


def parameter_problems(
    error: ValidationError, params: Mapping[str, Any], known: tuple[str, ...]
) -> tuple[str, ...]:
    """What is wrong, one line each, in the order of the parameters; alternatives of one place are
    joined by "or"."""
    said: dict[str, list[str]] = {}
    # Without inputs: a value may be a secret, and the message is recorded.
    for one in error.errors(include_url=False, include_input=False, include_context=False):
        place = _place(one["loc"], params, missing=one["type"] == "missing")
        if one["type"] == "missing":
            what = "is missing"
        elif one["type"] in _EXTRA and len(one["loc"]) == 1:
            what = unknown(place, known)
        elif one["type"] in _EXTRA:
            what = "is not known"
        elif one["type"] in _NEEDS:
            what = f"needs {_NEEDS[one['type']]}"
        else:
            message = one["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
            rule = _RULE.match(message)
            what = message[rule.end() :] if rule else f"is refused: {message}"
        alternatives = said.setdefault(place, [])
        if what not in alternatives:
            alternatives.append(what)
    return tuple(
        f"{place} {' or '.join(what)}".replace(" or needs ", " or ")
        for place, what in said.items()
        if not any(other.startswith(f"{place}.") for other in said)  # another alternative got on
    )


def _leads(value: Any, part: int | str) -> bool:
    if isinstance(value, list | tuple):
        return isinstance(part, int) and part < len(value)
    return isinstance(value, Mapping) and part in value


def unknown(name: str, known: tuple[str, ...]) -> str:
    """What is said of a parameter that there is not."""
    close = get_close_matches(name, known, n=1)
    there = f"nearest: {close[0]}" if close else f"there are: {listing(known, 'none')}"
    return f"is no parameter ({there})"


def _place(loc: tuple[int | str, ...], params: Any, *, missing: bool) -> str:
    """The path to a value. pydantic also names the alternatives of a union on the way: only what
    leads on in the value itself is kept."""
    names = []
    value = params
    for depth, part in enumerate(loc):
        last = depth == len(loc) - 1
        if _leads(value, part):
            value = value[part]
        elif depth and not (missing and last):
            continue
        names.append(str(part))
    return ".".join(names)[:200]
