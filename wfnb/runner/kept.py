"""fields of a result -> the same with secrets taken out, as everybody else sees them."""

from __future__ import annotations

import html
import json
import re
import shlex
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from wfnb.workflow.cut import Cut
from wfnb.workflow.template import HIDDEN as HIDDEN

FLAGS = frozenset(("success", "timeout_occurred", "still_running"))
"""Fields that say how a call went: true or false, which tells no secret."""
READ = FLAGS | {"error", "error_type", "captures"}
"""Names of the fields that are read by others than workflows."""
SHORTEST = 4
"""Characters of a secret at least: a shorter one is found everywhere, by chance."""
NARROWEST = 20
"""Columns of a terminal: a text that is longer may be broken there."""


def kept(
    fields: Mapping[str, Any], secrets: Iterable[str], names: Collection[str] = ()
) -> dict[str, Any]:
    """What the rest of the run sees of a result. `names` are those of fields that are known before
    the call, so that they hold no secret.

    >>> kept({"stdout": "token is s3cret\\n"}, ["s3cret"])
    {'stdout': 'token is •••\\n'}
    """
    hidden = spellings(secrets)
    if not hidden:
        return dict(fields)
    known = {*READ, *names}
    return {
        name if name in known else str(_kept(name, hidden)): _field(name, value, hidden)
        for name, value in fields.items()
    }


def _field(name: str, value: Any, hidden: list[str]) -> Any:
    if name in FLAGS and isinstance(value, str | int | float):
        return bool(value)
    return _kept(value, hidden)


def spellings(secrets: Iterable[str]) -> list[str]:
    """The secrets as they may be written: plainly, quoted for a shell or in HTML, each of these in
    JSON (and that in JSON) and in Python, with and without the space around it; those that hold
    others first."""
    found: set[str] = set()
    plainly = {text for secret in secrets for text in (secret, secret.strip())}
    for secret in filter(None, plainly):
        for written in (secret, shlex.quote(secret), html.escape(secret)):
            found |= {written, repr(written)[1:-1]}
            for plain in (False, True):
                text = json.dumps(written, ensure_ascii=plain)[1:-1]
                found |= {text, json.dumps(text, ensure_ascii=plain)[1:-1]}
    return sorted(found, key=len, reverse=True)


def _kept(value: Any, hidden: list[str]) -> Any:
    if isinstance(value, str):
        told = without(value, hidden)
        return Cut(told, value.size, value.kept) if isinstance(value, Cut) else told
    if isinstance(value, dict):
        return {_kept(key, hidden): _kept(item, hidden) for key, item in value.items()}
    if isinstance(value, list):
        return [_kept(item, hidden) for item in value]
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and str(value) in hidden:
        return HIDDEN
    return value


def without(text: str, hidden: Iterable[str]) -> str:
    """The text with `•••` for each of these, those that a terminal broke into lines too.

    >>> without("s3\\ncret s3cret", ["s3cret"])
    '••• •••'
    """
    for secret in hidden:
        text = text.replace(secret, HIDDEN)
        if "\n" in text and len(secret) >= SHORTEST:
            text = _unbroken(text, secret)
    return text


def _unbroken(text: str, secret: str) -> str:
    """Lines are broken where they are full: not more often than the narrowest terminal does it,
    and where a line is cut at its end, spaces are lost."""
    most = 1 + len(secret) // NARROWEST
    parts = (r"(?: |(?=\r?\n))" if letter == " " else re.escape(letter) for letter in secret)

    def said(found: re.Match[str]) -> str:
        return HIDDEN if found[0].count("\n") - secret.count("\n") <= most else found[0]

    return re.sub(r"(?:\r?\n)?".join(parts), said, text)


class Spoken:
    """A text that comes in pieces -> the same without secrets, those that come in two pieces too.

    >>> said = Spoken(["s3cret"])
    >>> said("the s3c"), said("ret is s3"), said.end()
    ('the ', '••• is ', 's3')
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        self._hidden = spellings(secrets)
        self._rest = ""

    def __call__(self, text: str) -> str:
        """What can be said now. An end that may begin a secret waits for what follows."""
        if not self._hidden:
            return text
        text = without(self._rest + text, self._hidden)
        waits = max(map(text.rfind, {secret[0] for secret in self._hidden}))
        longest = len(self._hidden[0]) - 1
        for n in range(max(len(text) - longest, 0), len(text)) if waits >= 0 else ():
            if any(secret.startswith(text[n:]) for secret in self._hidden):
                text, self._rest = text[:n], text[n:]
                return text
        self._rest = ""
        return text

    def end(self) -> str:
        """What still waited."""
        rest, self._rest = self._rest, ""
        return rest
