"""Kept values: the store they are in, and the files that hold them."""

from __future__ import annotations

from wfnb.hints import Command

from .base import Refused, WfnbError
from .phrases import listing, nearest, nearest_first


class ValueNotKept(Refused):
    name: str
    names: tuple[str, ...]
    step: str
    other: str

    def __str__(self) -> str:
        fact = f"{self.name!r} was not kept"
        if self.step:
            fact = f"Step {self.step} did not keep {self.name!r}"
        if self.other:
            way = Command("restore", self.other, self.name)
            return f"{fact}. Step {self.other} did: `{way}`."
        names = listing(nearest_first(self.name, self.names), "nothing")
        return f"{fact}. {nearest(self.name, self.names)}Kept: {names}"


class StoreForeign(Refused):
    path: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{listing(self.names, 'nothing')} in {self.path}: saved by another user or on "
            "another machine, and loading runs code from there. "
            f"`{Command('trust')}` if you know where it came from."
        )


class StoreBusy(Refused):
    path: str

    def __str__(self) -> str:
        return f"{self.path} is in use by a process that keeps values. Try again when it is done."


class StoreUnusable(Refused):
    path: str
    what: str
    setting: str

    def __str__(self) -> str:
        way = f"Set {self.setting} to a folder that can be."
        return f"{self.path} cannot be used ({self.what}). {way}"


class BlobMissing(WfnbError):
    path: str

    def __str__(self) -> str:
        return f"{self.path} is missing. Run the step again to have it back."


class BlobTruncated(WfnbError):
    path: str
    length: int
    size: int

    def __str__(self) -> str:
        return (
            f"{self.path} has {self.length:,} of its {self.size:,} bytes. "
            "Run the step again to have it back."
        )


class BlobCorrupt(WfnbError):
    path: str

    def __str__(self) -> str:
        return (
            f"{self.path} does not hold what was written: its hash differs. "
            "Run the step again to have it back."
        )


class BlobUnreadable(WfnbError):
    path: str
    what: str

    def __str__(self) -> str:
        return f"{self.path} cannot be read ({self.what}). Run the step again to have it back."


BLOB_ERRORS = (BlobMissing, BlobTruncated, BlobCorrupt, BlobUnreadable)
"""A file of the store that does not hold what was written. Other values come back."""
