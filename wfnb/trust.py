"""bytes in a folder `.wfnb` -> whether this user wrote them, or said that he believes them.

A folder may have come with a repository, and its files may run code (pickles, results that a
command is made from), send a key to an address, or lead a session. Who owns a file says nothing: a
checkout is the user's own. So a secret key in the user's own data folder signs what wfnb writes, as
Jupyter signs notebooks, and the verb `trust` adds what it names to the file `believed` beside the
key. It is the bytes that are signed: a signature of the folder would still hold after something was
put into the folder, and could be copied along with it. A hash says nothing here: anybody can make
bytes that have it.
"""

from __future__ import annotations

import hmac
import os
import secrets
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

_LENGTH = 32

VALUE = b"wfnb-kept"
"""What bytes are signed as: a signature of one purpose is none of another. The head of a pickle."""
RULES = b"wfnb-rules"
"""A file with a strategy or a kind."""
ADDRESS = b"wfnb-address"
"""Where the words of a session are sent, and the variable whose value goes with them."""
RESULT = b"wfnb-result"
"""The result of a call, to stand for the call."""
WORKFLOW = b"wfnb-workflow"
"""A saved workflow that takes the place of an example."""
RUN = b"wfnb-run"
"""The history of a run up to an event, which somebody else has written."""
EVENT = b"wfnb-event"
"""An event of a run, as it is written."""


def data_folder() -> Path:
    """Where programs of this user keep what is his, on this system. For a user without a home it is
    a place that cannot be written."""
    try:
        return _data_folder()
    except RuntimeError:
        return Path(os.devnull) / "wfnb"


def setting() -> str:
    """The variable of the environment that says where that folder is."""
    return {"win32": "APPDATA", "darwin": "HOME"}.get(sys.platform, "XDG_DATA_HOME")


def _data_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "wfnb"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "wfnb"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "wfnb"


Content = bytes | bytearray | memoryview | Iterable[bytes | bytearray | memoryview]


def own_trust() -> Trust:
    """What this user signs and believes, whatever folder he works in."""
    return Trust(data_folder())


class Trust:
    """The key of a user and what he believes besides, in a folder of his own. Where that cannot be
    written, the key lives as long as this process, and what it signed can be read as long."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._key: bytes | None = None
        self._fault = ""
        self._is_noted = False

    def fault(self) -> str:
        """Why no other process can tell what is signed now for this user's; empty: it can."""
        self._own_key()
        return self._fault

    def signature(self, content: Content, purpose: bytes = VALUE) -> str:
        """40 hexadecimal digits for bytes, which may be given in pieces."""
        signed = blake2b(key=self._own_key(), digest_size=20, person=purpose)
        if isinstance(content, bytes | bytearray | memoryview):
            content = (content,)
        for piece in content:
            signed.update(piece)
        return signed.hexdigest()

    def holds(self, content: Content, signature: str = "", purpose: bytes = VALUE) -> bool:
        """Whether `signature` is this user's for these bytes, or he believes them."""
        own = self.signature(content, purpose)
        return (
            hmac.compare_digest(own.encode(), signature.encode())
            or own in self._believed_signatures()
        )

    def believe(self, contents: Iterable[Content], purpose: bytes = VALUE) -> int:
        """Remember these bytes as believed; how many are new. OSError."""
        before = self._believed_signatures()
        new = {self.signature(content, purpose) for content in contents} - before
        if new:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with open(self.folder / "believed", "a", encoding="ascii") as file:
                file.write("".join(f"{signature}\n" for signature in sorted(new)))
        return len(new)

    def _believed_signatures(self) -> set[str]:
        with suppress(OSError, ValueError):
            return set((self.folder / "believed").read_text("ascii").split())
        return set()

    def _own_key(self) -> bytes:
        if self._key is None:
            try:
                self._key = _read(self.folder / "key") or _make_key(self.folder)
            except OSError as error:
                self._key = secrets.token_bytes(_LENGTH)
                self._fault = (
                    f"{self.folder} cannot be written ({error.strerror or error}). "
                    f"Set {setting()} to a folder that can be"
                )
        return self._key

    def notices(self) -> Iterator[str]:
        """What the user has to know of his key, once."""
        if self._fault and not self._is_noted:
            self._is_noted = True
            yield f"what is kept now can be read by this process alone: {self._fault}"


def _read(path: Path) -> bytes | None:
    """The key, if there is a whole one."""
    try:
        found = path.read_bytes()
    except FileNotFoundError:
        return None
    return found if len(found) == _LENGTH else None


def _make_key(folder: Path) -> bytes:
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
