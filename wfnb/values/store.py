"""bytes ⇄ files that are named by their hash, written whole and never again.

A blob's name is the xxh3-128 of its bytes and their number. It is written under another name first,
so that whatever stops the process leaves none that is half. The disk is not waited for: after a
power cut a file may be short, which its name tells, and it is written again when it is kept again.
The hash finds what a disk did to a file, not what a person did: for that there is trust.py.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from xxhash import xxh3_128

from wfnb.core.kept_values import size_of
from wfnb.errors import (
    BLOB_ERRORS,
    BlobCorrupt,
    BlobMissing,
    BlobTruncated,
    BlobUnreadable,
    StoreBusy,
)
from wfnb.files import PRIVATE, make_private, write
from wfnb.lock import LockTimeout, lock_file

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_BLOB = re.compile(r"[0-9a-f]{32}-(0|[1-9][0-9]{0,17})", re.ASCII)
_LEFT = re.compile(r"\.part-|[0-9a-f]{32}-[0-9]+\.corrupt$", re.ASCII)
"""What a process that was killed left behind, and what was found to be corrupt."""
_NEAR = 1 << 20
"""Bytes that are read at once, and hashed or written just after that."""
_PIECE = 16_000_000
"""Bytes between two looks at whether the user has interrupted."""
_BINARY = getattr(os, "O_BINARY", 0)
_READ = os.O_RDONLY | _BINARY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY


class ContentChanged(Exception):
    """What was written is not what had the name: another thread changed it meanwhile."""


def name_of(chunks: Iterable[ReadableBuffer]) -> str:
    """The name of the blob that has these bytes.

    >>> name_of([b""])
    '99aa06d3014798d86001c324468d497f-0'
    """
    hashed, size = xxh3_128(), 0
    for piece in _pieces(chunks):
        hashed.update(piece)
        size += len(piece)
    return f"{hashed.hexdigest()}-{size}"


class Store:
    """A folder of blobs. It is made when the first is put there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._sure: dict[str, tuple[int, ...]] = {}
        """Blobs that this process wrote, or has read whole, each with what tells its file."""

    @contextmanager
    def lock(self, *, alone: bool, patience: float) -> Iterator[None]:
        """OSError where the folder cannot be made or written, StoreBusy. Made here, it keeps the
        blobs out of git."""
        if make_private(self.folder):
            write(self.folder / ".gitignore", "*\n")
        try:
            with lock_file(self.folder / ".lock", patience, shared=not alone):
                yield
        except LockTimeout:
            raise StoreBusy(str(self.folder)) from None

    def has(self, blob: str) -> bool:
        """Whether it is there, as long as it should be."""
        try:
            self.check(blob)
        except BLOB_ERRORS:
            return False
        return True

    def check(self, blob: str, *, whole: bool = False) -> None:
        """What can be told without reading it: BlobMissing, BlobTruncated, BlobUnreadable, and
        BlobCorrupt for one that was put aside. `whole`: it is read where that may tell more."""
        path = self._path(blob)
        try:
            found = os.lstat(path)
        except FileNotFoundError:
            raise _missing_blob(path) from None
        except OSError as error:
            raise BlobUnreadable(str(path), error.strerror or str(error)) from None
        _check(path, found, size_of(blob))
        if whole and not self.holds(blob):
            raise BlobCorrupt(str(path))

    def put(self, blob: str, chunks: Sequence[ReadableBuffer]) -> None:
        """Write the bytes of which it is the name, if it is not there. One that this process knows
        nothing of is read first: a disk may have changed it. OSError, ContentChanged."""
        # Content that is there is never written again: that is what makes keeping an unchanged
        # frame cheap.
        if self.holds(blob):
            return
        # Process and chance: threads and forks of one process may write the same blob at once.
        part = self.folder / f".part-{os.getpid()}-{secrets.token_hex(8)}"
        file = os.open(part, _WRITE, PRIVATE)
        try:
            try:
                written = _write_chunks(file, chunks)
            finally:
                os.close(file)
            # Checked before it gets its name: a wrong blob would be believed for ever.
            if written != blob:
                raise ContentChanged
            path = self._path(blob)
            if path.is_dir():  # nobody's file can take its place
                os.replace(path, f"{path}.corrupt")
            os.replace(part, path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        self._sure[blob] = self._blob_identity(blob)

    def holds(self, blob: str) -> bool:
        """Whether it is there, with the bytes that its name tells: it is read where this process
        knows nothing of it."""
        return self.has(blob) and (
            self._blob_identity(blob) == self._sure.get(blob) or self._holds(blob)
        )

    def _holds(self, blob: str) -> bool:
        with suppress(OSError), open(self._path(blob), "rb", buffering=0) as file:
            told = _file_identity(os.fstat(file.fileno()))
            pieces = iter(lambda: file.read(_NEAR), b"")
            if name_of(pieces) == blob:
                self._sure[blob] = told
                return True
        return False

    def _blob_identity(self, blob: str) -> tuple[int, ...]:
        try:
            return _file_identity(os.lstat(self._path(blob)))
        except OSError:
            return ()

    def read(self, blob: str) -> bytearray:
        """As `peek`, but a corrupt one is put aside, so that it is written again when it is kept
        again."""
        try:
            return self.peek(blob)
        except BlobCorrupt:
            path = self._path(blob)
            with suppress(OSError):
                os.replace(path, f"{path}.corrupt")
            raise

    def peek(self, blob: str) -> bytearray:
        """Its bytes, that can be changed; its file stays as it is. Raises BlobMissing,
        BlobTruncated, BlobCorrupt, BlobUnreadable, MemoryError."""
        path = self._path(blob)
        try:
            file = os.open(path, _READ)
        except FileNotFoundError:
            raise _missing_blob(path) from None
        except OSError as error:
            raise BlobUnreadable(str(path), error.strerror or str(error)) from None
        try:
            told = _file_identity(os.fstat(file))
            found, name = _read(file, path, size_of(blob))
        except OSError as error:
            raise BlobUnreadable(str(path), error.strerror or str(error)) from None
        finally:
            os.close(file)
        if name != blob:
            raise BlobCorrupt(str(path))
        self._sure[blob] = told
        return found

    def blobs(self) -> Iterator[str]:
        """The names of all that are there. OSError."""
        return filter(_BLOB.fullmatch, self._files())

    def remove(self, blob: str) -> None:
        """OSError."""
        self._path(blob).unlink(missing_ok=True)

    def tidy(self) -> None:
        """Remove what processes left behind that were killed: only for who is alone. OSError."""
        for name in filter(_LEFT.match, self._files()):
            (self.folder / name).unlink(missing_ok=True)

    def _files(self) -> list[str]:
        """Not folders: whoever put one there, it is none of ours."""
        try:
            with os.scandir(self.folder) as found:
                return sorted(one.name for one in found if not one.is_dir(follow_symlinks=False))
        except FileNotFoundError:
            return []

    def _path(self, blob: str) -> Path:
        """A journal from elsewhere may name a file anywhere: such a blob is none."""
        path = self.folder / blob.replace("/", "_").replace("\0", "_")
        if not _BLOB.fullmatch(blob):
            raise BlobMissing(str(path))
        return path


def _missing_blob(path: Path) -> BlobMissing | BlobCorrupt:
    """Why there is no such file."""
    aside = os.path.lexists(f"{path}.corrupt")
    return BlobCorrupt(str(path)) if aside else BlobMissing(str(path))


def _read(file: int, path: Path, size: int) -> tuple[bytearray, str]:
    """What is in a file of that size, and the name that it should have."""
    _check(path, os.fstat(file), size)
    found, at = bytearray(size), 0
    with open(file, "rb", buffering=0, closefd=False) as stream:
        # a piece at a time: between two of them the user may interrupt
        while count := stream.readinto(memoryview(found)[at : at + _NEAR]):
            at += count
    if at < size:
        raise BlobTruncated(str(path), at, size)
    return found, name_of([found])


def _check(path: Path, found: os.stat_result, size: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise BlobUnreadable(str(path), "not a file")
    if found.st_size != size:
        raise BlobTruncated(str(path), found.st_size, size)


def _pieces(chunks: Iterable[ReadableBuffer]) -> Iterator[memoryview]:
    for chunk in chunks:
        view = memoryview(chunk)
        for at in range(0, view.nbytes, _PIECE):
            yield view[at : at + _PIECE]


def _write_chunks(file: int, chunks: Iterable[ReadableBuffer]) -> str:
    """The name of what was written. It is that of a copy: the memory may change meanwhile."""
    hashed, size = xxh3_128(), 0
    for piece in _pieces(chunks):
        for at in range(0, len(piece), _NEAR):
            # Hash and file must be of the same bytes, though another thread may write into the
            # array.
            copy = bytes(piece[at : at + _NEAR])
            hashed.update(copy)
            size += len(copy)
            _write(file, memoryview(copy))
    return f"{hashed.hexdigest()}-{size}"


def _write(file: int, piece: memoryview) -> None:
    while piece:
        piece = piece[os.write(file, piece) :]


def _file_identity(found: os.stat_result) -> tuple[int, ...]:
    # Whoever replaces or changes a file changes one of these, as far as the disk tells.
    return found.st_ino, found.st_size, found.st_mtime_ns
