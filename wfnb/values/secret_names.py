"""a name -> whether it looks like a secret; a repr -> what may be shown of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise

SECRETS = (
    *("*_key", "*_key_*", "apikey", "*api_keys", "token", "password", "passwords", "passwd"),
    *("passphrase", "secret", "secrets", "credential", "credentials"),
)
"""Names that are not kept: a word of it (`auth_token`, `dbPassword`), or with `*` all of it."""
_PLAIN_BEFORE = frozenset(
    (
        *("cache", "col", "column", "composite", "date", "dict", "first", "foreign", "group"),
        *("index", "join", "last", "lookup", "merge", "natural", "next", "partition", "primary"),
        *("public", "row", "sort", "time", "unique"),
        *("bos", "cls", "end", "eos", "mask", "pad", "sep", "special", "start", "unk"),
    )
)
"""Before `key` or `token` they say that it is one of data or of language: `sort_key`."""
_PLAIN_LAST = frozenset(("count", "counts", "index", "len", "length", "lengths", "santa", "size"))
"""At the end of a name they say that it is no secret, but something about one: `token_counts`."""
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_VALUE = r"""[bru]{0,2}(?:'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?)|[^\s,;()\]}]*\(.*|[^\s,;)\]}]+"""
_SETTING = re.compile(
    rf"""(?P<name>[^\W\d]\w*)(?P<is>\s*:[^=,()'"]+=\s*|['"]?\s*[=:]\s*)(?:{_VALUE})""",
    re.IGNORECASE,
)
"""`name=value`, `'name': value`, `name: str = value`: as in a repr, which may be cut short."""


def secret(name: str, patterns: Collection[str] = SECRETS) -> bool:
    """
    >>> [name for name in ("API_KEY", "dbPassword", "token1") if secret(name)]
    ['API_KEY', 'dbPassword', 'token1']
    >>> [name for name in ("key", "monkey", "keyboard", "n_tokens", "tokenizer") if secret(name)]
    []
    >>> [name for name in ("sort_key", "token_counts", "primary_api_key") if secret(name)]
    ['primary_api_key']
    """
    apart = _WORDS.sub("_", name).lower().strip("_")
    without = re.sub(r"\d+", "", apart).strip("_")  # api_key2
    words = {*apart.split("_"), *without.split("_")}
    if patterns is SECRETS and _is_plain(without.split("_")):
        return False
    return any(
        any(fnmatchcase(spelled, pattern) for spelled in (name.lower(), apart, without))
        or pattern in words
        for pattern in map(str.lower, patterns)
    )


def _is_plain(words: Sequence[str]) -> bool:
    kinds = ("key", "keys", "token", "tokens")
    pairs = pairwise(words)
    said = any(word in kinds and before in _PLAIN_BEFORE for before, word in pairs)
    return said or words[-1] in _PLAIN_LAST


def mask_secrets(text: str, patterns: Collection[str] = SECRETS) -> str:
    """A repr without what it says of secrets.

    >>> mask_secrets("Cred(user='me', api_key='abc')"), mask_secrets("[{'password': 'a, b'}, 1]")
    ("Cred(user='me', api_key=…)", "[{'password': …}, 1]")
    """

    def hide_secret(found: re.Match[str]) -> str:
        return f"{found['name']}{found['is']}…" if secret(found["name"], patterns) else found[0]

    return _SETTING.sub(hide_secret, text)
