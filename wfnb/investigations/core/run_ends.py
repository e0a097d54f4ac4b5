"""looks in the order in which they came -> what ran and was not seen to succeed since.

What ran last counts. Of tests and linters each run counts for itself, for one that succeeds says
nothing of another that failed: a failure stands until the same ran again, or more of the same
program did, and succeeded. `pytest` says all that `pytest -q test_a.py` could, `pytest test_b.py`
does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from wfnb.core.findings import Look

from .kind import ENDS

Run = tuple[str, str]
"""An act of ENDS, and what a look is called that did it."""
_ALONE = ("test", "check")
"""Of these each run counts for itself."""
_COMMAND = re.compile(r"&&|\|\||[;|\n]")
_QUIET = re.compile(r"[!%]+|-[qvxsl]+|-r\w+|--(quiet|verbose|lf|ff|last-failed|exitfirst|tb=\w+)")
_PYTHON = re.compile(r"\bpython[\d.]*\s+-m\s+")
_WORD = re.compile(r"[^\s'\",()\[\]!%]+")


def has_end(look: Look) -> bool:
    """Whether something ran by it that succeeds or fails."""
    return look.failed is not None or not ENDS.isdisjoint(look.acts)


def runs_of(look: Look) -> list[Run]:
    """What of it ended.

    >>> runs_of(Look(kind="cell", what="!pytest", acts=("run", "test"), failed=False))
    [('test', '!pytest')]
    """
    if not has_end(look):
        return []
    return [(act, look.what) for act in _ALONE if act in look.acts] or [("run", look.what)]


def unresolved(looks: Iterable[Look]) -> dict[Run, Look]:
    """What was not seen to succeed, the last at the end."""
    left: dict[Run, Look] = {}
    for look in looks:
        for act, what in runs_of(look):
            for run, before in [*left.items()]:
                if run[0] == act and (run[1] == what or _answers(look, before, act)):
                    del left[run]
            if look.failed is not False:
                left[act, what] = look
    return left


def is_news(look: Look, looks: Sequence[Look]) -> bool:
    """Whether it ended in another way than what ran last of its act among these, or was another."""
    runs = runs_of(look)
    last = {act: (what, each.failed) for each in looks for act, what in runs_of(each)}
    return any(last.get(act) != (what, look.failed) for act, what in runs)


def _answers(look: Look, before: Look, act: str) -> bool:
    """Whether nothing has to be known any more of how the look `before` ended."""
    if act not in _ALONE:
        return True
    if look.failed is not False:
        return False
    # A call of a tool is told by the tool's name; and code that hides how it ended may never show.
    hides = before.failed is None and not before.what.startswith("!")
    return before.kind == "tool" or hides or covers(look.what, before.what)


def covers(what: str, other: str) -> bool:
    """Whether a run that is called so did all that the other one did.

    >>> covers("!pytest", "!pytest -x tests/test_a.py"), covers("!pytest test_b.py", "!pytest")
    (True, False)
    >>> covers("!ruff check . && pytest tests", "!python -m pytest -q tests/test_a.py")
    True
    """
    there = _words(other)
    return any(
        mine and all(any(_is_within(word, mine_word) for word in there) for mine_word in mine)
        for mine in map(_words, _COMMAND.split(what))
    )


def _words(line: str) -> list[str]:
    words = _WORD.findall(_PYTHON.sub("", line))
    return [word for word in words if _QUIET.fullmatch(word) is None]


def _is_within(word: str, place: str) -> bool:
    """Whether a file, a test or a module is the place, or within it."""
    return word == place or (word.startswith(place) and word[len(place) :][:1] in "/.:")
