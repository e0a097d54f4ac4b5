"""fields of a result -> the same as they are kept: secrets taken out, long texts cut."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from typing import Any

LONGEST = 201_000
"""Characters of a text that are kept: half of them from its beginning, half from its end. What a
tool has cut to 200,000, with a line that says so, is not cut again."""

HIDDEN = "•••"


def kept(fields: Mapping[str, Any], secrets: Iterable[str]) -> dict[str, Any]:
    """What is recorded of a result, and what the rest of the run sees of it.

    >>> kept({"stdout": "token is s3cret\\n"}, ["s3cret"])
    {'stdout': 'token is •••\\n'}
    """
    hidden = spellings(secrets)
    return {str(_kept(name, hidden)): _kept(value, hidden) for name, value in fields.items()}


def spellings(secrets: Iterable[str]) -> list[str]:
    """The secrets as they may be written: plainly, in JSON (and that in JSON), in Python, quoted
    for a shell; those that hold others first."""
    found: set[str] = set()
    for secret in filter(None, secrets):
        for plain in (False, True):
            text = json.dumps(secret, ensure_ascii=plain)[1:-1]
            found |= {secret, text, json.dumps(text, ensure_ascii=plain)[1:-1]}
        found |= {repr(secret)[1:-1], shlex.quote(secret)}
    return sorted(found, key=len, reverse=True)


def _kept(value: Any, hidden: list[str]) -> Any:
    if isinstance(value, str):
        value = without(value, hidden)
        if len(value) <= LONGEST:
            return value
        half = LONGEST // 2
        return f"{value[:half]}\n… cut: {len(value):,} characters in all …\n{value[-half:]}"
    if isinstance(value, dict):
        return {_kept(key, hidden): _kept(item, hidden) for key, item in value.items()}
    if isinstance(value, list):
        return [_kept(item, hidden) for item in value]
    if hidden and isinstance(value, int | float) and str(value) in hidden:
        return HIDDEN
    return value


def without(text: str, hidden: Iterable[str]) -> str:
    for secret in hidden:
        text = text.replace(secret, HIDDEN)
    return text


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
