"""issues, a status -> the sentence that says how an investigation came out: what is open first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from wfnb.core.findings import SEVERITIES
from wfnb.frozen_record import record

_PLACE = re.compile(
    r"(?<![\w/.])((?:[\w.~-]+/)*[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,5}):(\d{1,7})(?:[-–](\d{1,7}))?(?!\w)"
)
GRAVE = SEVERITIES[:2]
"""As severe as this, an issue is told before the status."""


@record
class PlacedIssue:
    """Where an issue is, as it says itself (`x.py:12`), and what it says beside that."""

    where: str
    text: str


def by_severity(severities: Iterable[str]) -> dict[str, int]:
    """How many of each, the worst first; those that there are."""
    count = Counter(severities)
    return {severity: count[severity] for severity in SEVERITIES if count[severity]}


def issue_count_text(count: Mapping[str, int]) -> str:
    """
    >>> [issue_count_text(found) for found in ({"critical": 1}, {"high": 2, "low": 1}, {})]
    ['1 critical issue is open', '3 issues are open: 2 high, 1 low', 'no issue is open']
    """
    total = sum(count.values())
    if not total:
        return "no issue is open"
    if len(count) == 1:
        (severity,) = count
        return f"{total} {severity} issue{'s are' if total > 1 else ' is'} open"
    said = ", ".join(f"{number} {severity}" for severity, number in count.items())
    return f"{total} issues are open: {said}"


def grave(count: Mapping[str, int]) -> str:
    """The same of those that are severe; nothing where none is."""
    found = {severity: count[severity] for severity in GRAVE if count.get(severity)}
    return issue_count_text(found) if found else ""


def place_issue(text: str) -> PlacedIssue:
    """
    >>> place_issue("wfnb/x.py:12 no check")
    PlacedIssue(where='wfnb/x.py:12', text='no check')
    >>> place_issue("no check (x.py:3-9)")
    PlacedIssue(where='x.py:3-9', text='no check (x.py:3-9)')
    >>> place_issue("at 10:30")
    PlacedIssue(where='', text='at 10:30')
    """
    found = _PLACE.search(text)
    if found is None:
        return PlacedIssue(where="", text=text)
    rest = text[found.end() :].lstrip(" :,–-")
    return PlacedIssue(where=found[0], text=rest if found.start() == 0 and rest else text)
