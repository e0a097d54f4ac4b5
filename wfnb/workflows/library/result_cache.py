"""a key ⇄ the result that a call had: one file each, and nothing where there is none to be read.

A result is used as if a tool had just given it, in commands too. So each file is signed: what came
into the folder from elsewhere is not there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from wfnb.errors import BadValue
from wfnb.files import write
from wfnb.home_path import PRIVATE, make_private, refuse_link
from wfnb.trust import RESULT, Trust, own_trust
from wfnb.workflows.definition.truncation import LOOKED, marks_of, restore_field

KEY = re.compile(r"[0-9a-f]{64}")
MAX_BYTES = 10_000_000


class ResultCache:
    """Results in a folder, made when the first is kept. A cache only spares work: what cannot be
    kept is not, and what cannot be read is not there."""

    def __init__(self, folder: Path, trust: Trust | None = None) -> None:
        self.folder = folder
        self._trust = trust or own_trust()

    def get(self, key: str) -> dict[str, Any] | None:
        """The result kept under a key, the SHA-256 of a call in hexadecimal digits."""
        try:
            # A link may lead to files that somebody else writes.
            refuse_link(self.folder)
            signature, _, text = refuse_link(self._path(key)).read_text("utf-8").partition("\n")
            if not self._trust.holds(text.encode(), signature, RESULT):
                return None
            kept = json.loads(text)
        except (OSError, ValueError, RecursionError):
            return None
        # A signed file under another name is a result of another call. Where a text may be cut
        # otherwise, conditions would not see what they saw of the call itself.
        if kept["key"] != key or kept.get("looked") != LOOKED:
            return None
        return dict(restore_field(kept["result"], kept["marks"], "result"))

    def put(self, key: str, result: Mapping[str, Any]) -> None:
        """Keep a result, in place of the one that was kept before."""
        path = self._path(key)
        with suppress(OSError, ValueError, TypeError, RecursionError):
            fields = dict(result)
            kept = {
                "key": key,
                "result": fields,
                "marks": marks_of(result=fields),
                "looked": LOOKED,
            }
            # NaN is no JSON: another reader would refuse the file.
            text = json.dumps(kept, allow_nan=False)
            if len(text) <= MAX_BYTES:
                if make_private(self.folder):
                    write(self.folder / ".gitignore", "*\n")
                write(path, f"{self._trust.signature([text.encode()], RESULT)}\n{text}", PRIVATE)

    def clear(self) -> int:
        """Forget all results; how many they were. Raises OSError where the disk says no."""
        paths = [
            path for path in refuse_link(self.folder).glob("*.json") if KEY.fullmatch(path.stem)
        ]
        for path in paths:
            path.unlink(missing_ok=True)
        return len(paths)

    def _path(self, key: str) -> Path:
        if not KEY.fullmatch(key):
            raise BadValue("key", key[:200], "64 hexadecimal digits")
        return self.folder / f"{key}.json"
