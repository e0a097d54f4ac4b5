"""the bytes of a pickle -> whether this user wrote them, or said that he believes them.

Reading a pickle runs code. A secret key in the user's own data folder signs each one, as Jupyter
signs notebooks. It is the bytes that are signed: a signature of the folder would still hold after
something was put into the folder, and could be copied along with it. The hash in a blob's name is
quick and says nothing here: anybody can make bytes that have it.
"""

from __future__ import annotations

import hmac
import os
import secrets
import sys
from collections.abc import Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

_LENGTH = 32


def data_folder() -> Path:
    """Where programs of this user keep what is his, on this system. For a user without a home it is
    a place that cannot be written."""
    try:
        return _data_folder()
    except RuntimeError:
        return Path(os.devnull) / "wfnb"


def _data_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "wfnb"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "wfnb"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "wfnb"


class Trust:
    """The key of a user and what he believes besides, in a folder of his own. Where that cannot be
    written, the key lives as long as this process, and what it signed can be read as long."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._key: bytes | None = None

    def signature(self, content: Iterable[bytes | bytearray | memoryview]) -> str:
        """40 hexadecimal digits for the bytes of a pickle, given in pieces."""
        signed = blake2b(key=self._own_key(), digest_size=20, person=b"wfnb-kept")
        for piece in content:
            signed.update(piece)
        return signed.hexdigest()

    def holds(self, content: bytearray | memoryview, signature: str) -> bool:
        """Whether `signature` is this user's for these bytes, or he believes them."""
        own = self.signature([content])
        return hmac.compare_digest(own.encode(), signature.encode()) or own in self._believed()

    def believe(self, contents: Iterable[bytearray | memoryview]) -> int:
        """Remember these bytes as believed; how many are new. OSError."""
        before = self._believed()
        new = {self.signature([content]) for content in contents} - before
        if new:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with open(self.folder / "believed", "a", encoding="ascii") as file:
                file.write("".join(f"{signature}\n" for signature in sorted(new)))
        return len(new)

    def _believed(self) -> set[str]:
        with suppress(OSError, ValueError):
            return set((self.folder / "believed").read_text("ascii").split())
        return set()

    def _own_key(self) -> bytes:
        if self._key is None:
            try:
                self._key = _read(self.folder / "key") or _made(self.folder)
            except OSError:
                self._key = secrets.token_bytes(_LENGTH)
        return self._key


def _read(path: Path) -> bytes | None:
    """The key, if there is a whole one."""
    try:
        found = path.read_bytes()
    except FileNotFoundError:
        return None
    return found if len(found) == _LENGTH else None


def _made(folder: Path) -> bytes:
    """A new key; that of another process, if it was quicker. OSError."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    key, path = secrets.token_bytes(_LENGTH), folder / "key"
    part = folder / f".key-{secrets.token_hex(8)}"
    file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(file, "wb") as stream:
            stream.write(key)
        try:
            os.link(part, path)
        except FileExistsError:
            other = _read(path)
            if other is not None:
                return other
            os.replace(part, path)  # it was cut short
        except OSError:  # a disk without links
            os.replace(part, path)
        return key
    finally:
        part.unlink(missing_ok=True)
