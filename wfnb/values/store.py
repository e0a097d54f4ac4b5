"""bytes ⇄ files that are named by their hash, written whole and never again.

A file's name is the xxh3-128 of its bytes and their number. It is written under another name first,
so that whatever stops the process leaves none that is half. The disk is not waited for: after a
power cut a file may be short, which its name tells, and it is written again when it is kept again.
The hash finds what a disk did to a file, not what a person did: for that there is trust.py.

A blob of more than 4 MiB is in several files, one for every 4 MiB of it, and its name is their
names: of a large array in which a few numbers have changed, only the pieces with those are written
again. Pieces are cut by their place. To cut by content would find what has moved, too, but arrays
do not move, and it takes ten times as long. Until wfnb did so, a blob was always one file; such
files are still read.
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

from wfnb.core.kept_values import JOIN, pieces_of, size_of
from wfnb.errors import (
    BLOB_ERRORS,
    BlobCorrupt,
    BlobMissing,
    BlobTruncated,
    BlobUnreadable,
    StoreBusy,
)
from wfnb.file_lock import LockTimeout, lock_file
from wfnb.files import write
from wfnb.home_path import PRIVATE, make_private

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_FILE = re.compile(r"[0-9a-f]{32}-(0|[1-9][0-9]{0,17})", re.ASCII)
_LEFT = re.compile(r"\.part-|[0-9a-f]{32}-[0-9]+\.corrupt$", re.ASCII)
"""What a process that was killed left behind, and what was found to be corrupt."""
_PIECE = 1 << 22
"""Bytes of a blob in one file; between two of them the user may interrupt."""
_NEAR = 1 << 20
"""Bytes that are read at once, and hashed or written just after that."""
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
    return JOIN.join(map(_piece_name, _pieces(chunks)))


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
        BlobCorrupt for one that was put aside. `whole`: it is read where that may tell more, and
        raises what `peek` does."""
        for piece in pieces_of([blob]):
            path = self._path(piece)
            try:
                found = os.lstat(path)
            except FileNotFoundError:
                raise _missing_blob(path) from None
            except OSError as error:
                raise BlobUnreadable(str(path), error.strerror or str(error)) from None
            _check(path, found, size_of(piece))
            if whole and _identity(path) != self._sure.get(piece):
                self.peek(piece)

    def put(self, blob: str, chunks: Sequence[ReadableBuffer]) -> None:
        """Write the bytes of which it is the name, if it is not there. One that this process knows
        nothing of is read first: a disk may have changed it. OSError, ContentChanged."""
        for piece, content in zip(pieces_of([blob]), _pieces(chunks), strict=True):
            # What is there is never written again: that makes keeping an unchanged frame cheap.
            if self.holds(piece):
                continue
            # Process and chance: threads and forks of one process may write the same at once.
            part = self.folder / f".part-{os.getpid()}-{secrets.token_hex(8)}"
            file = os.open(part, _WRITE, PRIVATE)
            try:
                try:
                    written = _piece_name(_copies(file, content))
                finally:
                    os.close(file)
                # Checked before it gets its name: a wrong one would be believed for ever.
                if written != piece:
                    raise ContentChanged
                path = self._path(piece)
                if path.is_dir():  # nobody's file can take its place
                    os.replace(path, f"{path}.corrupt")
                os.replace(part, path)
            except BaseException:
                part.unlink(missing_ok=True)
                raise
            self._sure[piece] = _identity(path)

    def holds(self, blob: str) -> bool:
        """Whether it is there, with the bytes that its name tells: it is read where this process
        knows nothing of it."""
        return self.has(blob) and all(
            _identity(self._path(piece)) == self._sure.get(piece) or self._holds(piece)
            for piece in pieces_of([blob])
        )

    def _holds(self, piece: str) -> bool:
        with suppress(OSError), open(self._path(piece), "rb", buffering=0) as file:
            told = _identity(file.fileno())
            if _piece_name(iter(lambda: file.read(_NEAR), b"")) == piece:
                self._sure[piece] = told
                return True
        return False

    def read(self, blob: str) -> bytearray:
        """As `peek`, but what is corrupt is put aside, so that it is written again when it is kept
        again."""
        try:
            return self.peek(blob)
        except BlobCorrupt as corrupt:
            with suppress(OSError):
                os.replace(corrupt.path, f"{corrupt.path}.corrupt")
            raise

    def peek(self, blob: str) -> bytearray:
        """Its bytes, that can be changed; its files stay as they are. Raises BlobMissing,
        BlobTruncated, BlobCorrupt, BlobUnreadable, MemoryError."""
        self.check(blob)  # before there is room made for it: a journal may name any size
        found = bytearray(size_of(blob))
        room = memoryview(found)
        for piece in pieces_of([blob]):
            path, size, at = self._path(piece), size_of(piece), 0
            try:
                # Not waited for, should it have become a pipe.
                with open(os.open(path, _READ), "rb", buffering=0) as file:
                    told = _identity(file.fileno())
                    # a part at a time: between two of them the user may interrupt
                    while count := file.readinto(room[at : min(at + _NEAR, size)]):
                        at += count
            except FileNotFoundError:
                raise _missing_blob(path) from None
            except OSError as error:
                raise BlobUnreadable(str(path), error.strerror or str(error)) from None
            if at < size:
                raise BlobTruncated(str(path), at, size)
            if _piece_name([room[:size]]) != piece:
                raise BlobCorrupt(str(path))
            self._sure[piece] = told
            room = room[size:]
        return found

    def pieces(self) -> Iterator[str]:
        """The names of all files of blobs. OSError."""
        return filter(_FILE.fullmatch, self._files())

    def remove(self, piece: str) -> None:
        """OSError."""
        self._path(piece).unlink(missing_ok=True)

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

    def _path(self, piece: str) -> Path:
        """A journal from elsewhere may name a file anywhere: such a blob is none."""
        path = self.folder / piece.replace("/", "_").replace("\0", "_")
        if not _FILE.fullmatch(piece):
            raise BlobMissing(str(path))
        return path


def _missing_blob(path: Path) -> BlobMissing | BlobCorrupt:
    """Why there is no such file."""
    aside = os.path.lexists(f"{path}.corrupt")
    return BlobCorrupt(str(path)) if aside else BlobMissing(str(path))


def _check(path: Path, found: os.stat_result, size: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise BlobUnreadable(str(path), "not a file")
    if found.st_size != size:
        raise BlobTruncated(str(path), found.st_size, size)


def _pieces(chunks: Iterable[ReadableBuffer]) -> Iterator[list[memoryview]]:
    """What is in each file of a blob: at least one, which may be empty."""
    piece: list[memoryview] = []
    room = _PIECE
    for chunk in chunks:
        view = memoryview(chunk)
        while view.nbytes > room:
            yield [*piece, view[:room]]
            piece, view, room = [], view[room:], _PIECE
        piece.append(view)
        room -= view.nbytes
    yield piece


def _piece_name(parts: Iterable[ReadableBuffer]) -> str:
    hashed, size = xxh3_128(), 0
    for part in parts:
        hashed.update(part)
        size += memoryview(part).nbytes
    return f"{hashed.hexdigest()}-{size}"


def _copies(file: int, chunks: Iterable[memoryview]) -> Iterator[bytes]:
    """Each part of what is written: hash and file must be of the same bytes, though another thread
    may write into the array."""
    for chunk in chunks:
        for at in range(0, len(chunk), _NEAR):
            copy = bytes(chunk[at : at + _NEAR])
            left = memoryview(copy)
            while left:
                left = left[os.write(file, left) :]
            yield copy


def _identity(file: int | Path) -> tuple[int, ...]:
    """What tells a file from others, and from itself once it is changed; nothing where it is not
    there."""
    try:
        found = os.fstat(file) if isinstance(file, int) else os.lstat(file)
    except OSError:
        return ()
    # Whoever replaces or changes a file changes one of these, as far as the disk tells.
    return found.st_ino, found.st_size, found.st_mtime_ns
