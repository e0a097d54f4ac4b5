"""a text -> whether it can be a name of a workflow, or of something in one; else what it lacks.

A name begins with a letter of any script, and goes on with letters, their marks, digits and the few
signs that its rule has. Two names that look the same are the same: so a name has the normal form
NFKC of Unicode, in which `ﬁ` is `fi` and an accent is a part of its letter, and has nothing that
cannot be seen. What has another form is refused with its normal form, and never changed: it is
found as it was written. Python, which reads the names of expressions, takes the same form.

A regular expression of JSON Schema cannot say this: ECMAScript and Python have no notation for
letters of any script that the other one reads. The patterns of the published schema are exact in
ASCII and let pass what is not; the reader refuses what is none of it a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeGuard
from unicodedata import category, name, normalize

from wfnb.frozen_record import record

MAX_FILE_NAME_BYTES = 200
"""Bytes of a name that becomes a file's: most disks take 255, with what is put after the name."""
FIRST, LATER = r"[^\x00-@\[-^`{-\x7f]", r"[^\x00-,./:-@\[-^`{-\x7f]"
"""For `re`: signs that may begin a name (ASCII letters, `_` and what is not ASCII), and those in it
(digits and `-`, too), by what they are not: a class that names what is not ASCII takes 3 ms to
compile. Of those that are not ASCII `is_path` has the last word."""
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Letters and marks that show nothing (Unicode: Default_Ignorable_Code_Point)."""


@record
class NameRule:
    """A kind of name: the `signs` it may have beside letters and digits, those of them that it may
    `begin` with, the characters, and bytes in UTF-8, that it has at most."""

    signs: str
    begin: str = "_"
    longest: int | None = None
    largest: int | None = None

    @property
    def pattern(self) -> str:
        """For JSON Schema: what is refused in ASCII, and nothing that is not."""
        other = r"[^\x00-\x7F]"
        return f"^(?:[a-zA-Z{self.begin}]|{other})(?:[a-zA-Z0-9{self.signs}]|{other})*$"

    @property
    def words(self) -> str:
        """What such a name has.

        >>> NameRule(signs="_.-", longest=64).words
        'up to 64 letters, digits, _ . and -, beginning with a letter or _'
        """
        most = f"up to {self.longest} " if self.longest else ""
        *some, last = list(self.signs)
        signs = f", {' '.join(some)} and {last}" if some else f" and {last}"
        begin = f" or {self.begin}" if self.begin else ""
        return f"{most}letters, digits{signs}, beginning with a letter{begin}"

    def lacks(self, text: object) -> str | None:
        """What something needs to be such a name, as an object of a sentence; None: it is one.

        >>> print(STEP.lacks("größe-1"), STEP.lacks("1"))
        None letters, digits, _ and -, beginning with a letter or _ ('1' cannot begin it)
        >>> print(STEP.lacks("ｓtep"))
        its normal form (NFKC), which may look the same: 'step'
        """
        if not isinstance(text, str) or not text:
            return self.words
        normal = normal_form(text)
        # Of the normal form, too: a sign may become several there, one of which is not allowed.
        if wrong := next(self._wrong(text), None) or next(self._wrong(normal), None):
            return f"{self.words} ({wrong} it)"
        if self.longest is not None and len(normal) > self.longest:
            return self.words
        if self.largest is not None and (size := len(normal.encode())) > self.largest:
            return f"at most {self.largest} bytes in UTF-8, and not {size}"
        return None if normal == text else other_form(normal)

    def _wrong(self, text: str) -> Iterator[str]:
        """The signs that may not be where they are."""
        if not _is_letter(text[0]) and text[0] not in self.begin:
            yield f"{_sign_text(text[0])} cannot begin"
        yield from (
            f"{_sign_text(sign)} cannot be in"
            for sign in text
            if not _is_part(sign) and sign not in self.signs
        )


STATE = NameRule(signs="_")
STEP = NameRule(signs="_-")
WORKFLOW = NameRule(signs="_-", begin="", longest=64, largest=MAX_FILE_NAME_BYTES)
TOOL = NameRule(signs="_.-", longest=64)
RULES = {rule.pattern: rule for rule in (STATE, STEP, WORKFLOW, TOOL)}
"""The kinds of names. A variable, and a group of a pattern, is called as a step can be."""


def is_name(text: object) -> TypeGuard[str]:
    """Whether a step or a variable can be called that; a state too, where it has no `-`.

    >>> [is_name(text) for text in ("größe", "检查", "नाम", "_a-1", "a b", "٣", "a\u200b")]
    [True, True, True, True, False, False, False]
    """
    return STEP.lacks(text) is None


def is_workflow_name(text: object) -> TypeGuard[str]:
    """Whether a workflow, and so a file, can be called that."""
    return WORKFLOW.lacks(text) is None


def is_run_name(text: str) -> bool:
    """Whether a run can be called that: by its workflow's name and a number.

    >>> is_run_name("库存盘点-1"), is_run_name("alt:3"), is_run_name("deploy-١")
    (True, False, False)
    """
    workflow, _, number = text.rpartition("-")
    # `isdecimal` alone lets digits of other scripts pass, which no run is counted with.
    return number.isascii() and number.isdecimal() and is_workflow_name(workflow)


def is_path(found: str) -> bool:
    """Whether a name, perhaps with dots, that FIRST and LATER let pass is one: its signs that are
    not ASCII are letters, marks and digits."""
    return found.isascii() or (
        (found[0] <= "\x7f" or _is_letter(found[0]))
        and all(sign <= "\x7f" or _is_part(sign) for sign in found)
    )


def normal_form(text: str) -> str:
    """The one form of all texts that read the same."""
    return normalize("NFKC", text)


def other_form(normal: str) -> str:
    """What a name needs that is not written in its `normal` form."""
    return f"its normal form (NFKC), which may look the same: {normal!r}"


def fold(text: str) -> str:
    """What two names have in common that a disk may take for one: it may not tell capitals apart.

    >>> fold("Größe") == fold("GRÖSSE"), fold("检查") == fold("檢查")
    (True, False)
    """
    # Folding letters may undo the normal form: so it is made before (taken apart) and after.
    return normalize("NFKC", normalize("NFD", text).casefold())


@lru_cache(maxsize=4096)
def _is_letter(sign: str) -> bool:
    return (category(sign)[0] == "L" or category(sign) == "Nl") and not _INVISIBLE.match(sign)


@lru_cache(maxsize=4096)
def _is_part(sign: str) -> bool:
    more = category(sign) in ("Mn", "Mc", "Nd") and not _INVISIBLE.match(sign)
    return more or _is_letter(sign)


def _sign_text(sign: str) -> str:
    """A sign in quotes; its number and name where it cannot be seen alone."""
    # A mark alone in quotes would sit upon the quote.
    if sign.isprintable() and category(sign)[0] != "M":
        return repr(sign)
    return f"U+{ord(sign):04X} {name(sign, '')}".rstrip()
