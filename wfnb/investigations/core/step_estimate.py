"""a problem in words, kind -> how many steps it may take. The same words give the same number."""

from __future__ import annotations

import re

from wfnb.frozen_record import record

from .kind import Kind

MIN_STEPS, MAX_STEPS = 2, 12
"""Steps of an estimate; a kind whose usual number is beyond these keeps that."""
LONG, VERY_LONG = 300, 1_200

_ITEM = re.compile(r"\s*(?:[-*•+]|[0-9]{1,3}[.)])\s+\S")
_FILE = re.compile(r"[\w./\\-]*\w\.[A-Za-z][A-Za-z0-9]{0,4}(?::[0-9]+)?")
_HARD = (
    "sometimes", "intermittent", "race", "concurren", "deadlock", "leak", "legacy", "migrat",
    "distributed",
)  # fmt: skip
_EASY = ("typo", "rename", "trivial", "one-line", "spelling")


@record
class Estimate:
    """`total` steps, and what made them more or fewer than is usual."""

    total: int
    why: tuple[str, ...] = ()


def estimate(problem: str, kind: Kind) -> Estimate:
    """As many steps as are usual for the kind, more for what is long, of many parts or hard, fewer
    for a trifle. A kind whose total follows another rule says that: its number is the usual one."""
    rule, usual = kind.total, kind.total.usual
    if rule.rule != "estimate":
        ways = {"models": "one for each model", "files": "one, and one for each file"}
        return Estimate(total=usual, why=(ways.get(rule.rule, f"always {usual}"),))
    reasons = _reasons(problem)
    most = max(MAX_STEPS, usual)
    total = min(max(usual + sum(more for more, _ in reasons), min(MIN_STEPS, usual)), most)
    return Estimate(total=total, why=tuple(f"{more:+d} {why}" for more, why in reasons))


def _reasons(problem: str) -> list[tuple[int, str]]:
    words = [word.strip("\"'`()[]{},;:!?.").casefold() for word in problem.split()]
    parts = sum(map(bool, map(_ITEM.match, problem.splitlines()))) + problem.count("?")
    named = {word for word in words if len(word) <= 200 and _FILE.fullmatch(word)}
    hard = _first(words, _HARD)
    # Who writes much, or names something hard, does not mean the trifle of which they speak.
    easy = None if hard or len(problem) > LONG else _first(words, _EASY)
    length = (len(problem) > LONG) + (len(problem) > VERY_LONG)
    found = [
        (length, f"{len(problem):,} characters long"),
        (min(parts // 2, 3), f"{parts} points or questions"),
        (int(len(named) >= 4), f"{len(named)} files are named"),
        (int(hard is not None), f"it says {hard!r}"),
        (-int(easy is not None), f"it says {easy!r}"),
    ]
    return [(more, why) for more, why in found if more]


def _first(words: list[str], signs: tuple[str, ...]) -> str | None:
    """The first word that begins with one of the signs, as it would be read aloud."""
    return next((word[:40] for word in words if word.startswith(signs)), None)
