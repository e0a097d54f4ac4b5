"""looks in the order in which they came -> what ran and was not seen to succeed since.

What ran last counts. Of tests and linters each run counts for itself, for one that succeeds says
nothing of another that failed: a failure stands until the same ran again, or more of the same
program did, and succeeded. `pytest` says all that `pytest -q test_a.py` could, `pytest test_b.py`
does not. What succeeded has to run again, too, once a source file is another than it was then. A
look says so that ran nothing and has `sources`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

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


def is_change(look: Look) -> bool:
    """Whether it says that source files changed, and nothing ran by it."""
    return bool(look.sources) and look.failed is None and not look.acts


def has_end(look: Look) -> bool:
    """Whether something ran by it that succeeds or fails, or is older than its files by it."""
    return look.failed is not None or not ENDS.isdisjoint(look.acts) or is_change(look)


def runs_of(look: Look) -> list[Run]:
    """What of it ended.

    >>> runs_of(Look(kind="cell", what="!pytest", acts=("run", "test"), failed=False))
    [('test', '!pytest')]
    """
    if is_change(look) or not has_end(look):
        return []
    return [(act, look.what) for act in _ALONE if act in look.acts] or [("run", look.what)]


def unresolved(looks: Iterable[Look]) -> dict[Run, Look]:
    """What was not seen to succeed, or succeeded before a source file changed; the last at the
    end."""
    return _replay(looks)[0]


def is_outdated(looks: Iterable[Look], sources: str) -> bool:
    """Whether something of this succeeded when the source files were others."""
    return bool(_outdated(*_replay(looks), sources))


def is_news(look: Look, looks: Sequence[Look]) -> bool:
    """Whether it ended in another way than what ran last of its act among these, or was another; or
    makes that older than its files."""
    if is_change(look):
        return is_outdated(looks, look.sources)
    last = {run[0]: (run[1], each.failed, each.sources) for each in looks for run in runs_of(each)}
    return any(last.get(act) != (what, look.failed, look.sources) for act, what in runs_of(look))


def _replay(looks: Iterable[Look]) -> tuple[dict[Run, Look], dict[Run, Look]]:
    """What is unresolved, and what succeeded and no file has changed since."""
    left, done = dict[Run, Look](), dict[Run, Look]()
    for look in looks:
        if is_change(look):
            for run in _outdated(left, done, look.sources):
                left[run] = done.pop(run)
        for act, what in runs_of(look):
            for table in (left, done):
                for run, before in [*table.items()]:
                    if run[0] == act and (run[1] == what or _answers(look, before, act)):
                        del table[run]
            (done if look.failed is False else left)[act, what] = look
    return left, done


def _outdated(left: Mapping[Run, Look], done: Mapping[Run, Look], sources: str) -> list[Run]:
    tested = any(act in _ALONE for act, _ in (*left, *done))
    return [
        (act, what)
        for (act, what), look in done.items()
        # Where there are tests or linters, nothing else has to run again.
        if look.sources not in ("", sources) and (act in _ALONE or not tested)
    ]


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
