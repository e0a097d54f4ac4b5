"""a role and a stance -> how to reply; a reply -> the verdict, or the number, that it ends with."""

from __future__ import annotations

import re

from wfnb.investigations.core.finding_parser import STANCES

MAX_STEPS = 50
"""The most steps that a planner's number may be."""

_END = (
    "Write for somebody who knows the subject, in at most 500 words: the verdict in one sentence, "
    "the reasons with the weightiest first, and what you are unsure of. What you were not told, "
    "say that you were not told. The last line of your reply is "
    "`Verdict: for`, `Verdict: against` or `Verdict: neutral`, and nothing else."
)
STANCE = {
    "for": (
        "A proposal is put to you. Look for what speaks for it: what it makes possible, why it can "
        "work, and how each weak point could be met. This is where you look, and not what you have "
        "to find: where the proposal would do harm or cannot work, say so plainly."
    ),
    "against": (
        "A proposal is put to you. Look for what speaks against it: hidden costs, what breaks "
        "first, what it takes for granted, and simpler ways to the same end. This is where you "
        "look, and not what you have to find: where an objection does not hold, drop it, and where "
        "the proposal is sound, say so plainly."
    ),
    "neutral": (
        "A proposal is put to you. Weigh what speaks for it against what speaks against it, each "
        "by its weight and not by its number, and say on which facts the balance turns."
    ),
}
REVIEWER = (
    "An investigation has come to its end, and you review it before anybody relies on it. Check "
    "whether the conclusion follows from what was found, what else would explain it, what was not "
    "looked at, and whether each issue is as severe as it says. Be concrete: name the step, the "
    "file, the claim. `for` means that it can be relied on as it is."
)
ADVISER = (
    "An investigation is under way, and you are asked where it stands. Say what has been shown and "
    "what is only claimed, which explanation nobody has tested yet, and the one thing to look at "
    "next. `for` means that it is on the right way."
)
PLANNER = (
    "A problem is put to you, which will be worked on in steps: each looks at something, and says "
    f"what was found. Say how many steps it takes, as a whole number from 1 to {MAX_STEPS}, first "
    "of all and in digits; then why, in one sentence."
)

_VERDICT = re.compile(
    rf"^\W*verdict\W*[:=]\W*({'|'.join(STANCES)})\b(?=[^\w\n]*$|[*_`]*[ \t]*[.,;:!(—–])",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBER = re.compile(r"(?<![\w.,])([0-9]{1,9})(?![\w]|[.,][0-9])")
_STEPS = re.compile(rf"{_NUMBER.pattern}[ \t]+steps?\b", re.IGNORECASE)
_FIRST = re.compile(rf"[^\w\n]*{_NUMBER.pattern}(?![.)][ \t])")
_MARKED = re.compile(r"(?<![\w.,])[0-9]{1,9}[.)][ \t]")  # of a list: 1. Look. 2. Fit.


def system(role: str, stance: str = "neutral") -> str:
    """How to reply: the text that goes before what is asked."""
    if role == "planner":
        return PLANNER
    opening = {"reviewer": REVIEWER, "adviser": ADVISER}.get(role) or STANCE[stance]
    return f"{opening}\n\n{_END}"


def verdict(text: str) -> str | None:
    """The verdict that a reply says last; None where it has none.

    >>> verdict("It holds.\\n\\n**Verdict:** For"), verdict("Verdict: for example, see below")
    ('for', None)
    """
    said = _VERDICT.findall(text)
    # The last: a reply may quote a verdict before it gives its own.
    return said[-1].lower() if said else None


def number(text: str) -> int | None:
    """A whole number from 1 to 50: that with which it begins, else that of steps, else the first
    that numbers no entry of a list; None where there is none.

    >>> number("Since 2019 this took 3.5 days: 7 steps, perhaps 9.")
    7
    >>> number("1. Look. 2. Fit. In all 6 steps."), number("4: two of them look")
    (6, 4)
    """
    begins = _FIRST.match(text)
    ways = (
        [begins[1]] if begins else [],
        _STEPS.findall(text),
        # Numbers of a list would be the first, and mean nothing.
        _NUMBER.findall(_MARKED.sub(" ", text)),
        _NUMBER.findall(text),
    )
    found = (int(digits) for way in ways for digits in way)
    return next((each for each in found if 1 <= each <= MAX_STEPS), None)
