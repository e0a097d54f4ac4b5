"""a folder `.wfnb`, this process, installed packages -> the advisers that can be asked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wfnb.core.record import record
from wfnb.errors import AdviserBroken, AdviserUnknown, Refused
from wfnb.library import data_files

from .advisers import ADVISERS, Adviser, Registry, secret
from .endpoint import checked

FILE = "advisers.yaml"


@record
class AdviserShelf:
    """Advisers by name, and what is wrong with the others; `file` is what is wrong with all of a
    file."""

    found: Mapping[str, Adviser]
    broken: Mapping[str, AdviserBroken]
    file: AdviserBroken | None = None

    def get(self, name: str) -> Adviser:
        """The adviser of that name. AdviserUnknown lists the names; AdviserBroken says why one
        that is there cannot be used."""
        if name in self.found:
            return self.found[name]
        raise self.broken.get(name) or self.file or AdviserUnknown(name, tuple(self.found))

    def ready(self, name: str) -> Adviser:
        """The same, with its key in the environment: else AdviserKey."""
        adviser = self.get(name)
        secret(adviser)
        return adviser


def shelf(folder: Path | None, registry: Registry = ADVISERS) -> AdviserShelf:
    """Those registered here come before those of the folder's `advisers.yaml`, which come before
    those of packages."""
    packages = {
        name: AdviserBroken(where, why.rstrip("."))
        for name, (where, why) in registry.broken().items()
    }
    read: dict[str, Adviser] = {}
    broken: dict[str, AdviserBroken] = {}
    whole = None
    try:
        _read(folder, read, broken)
    except AdviserBroken as error:
        whole = error
    found = {**registry.installed(), **read, **registry.registered}
    return AdviserShelf(
        found=dict(sorted(found.items())), broken={**packages, **broken}, file=whole
    )


def _read(folder: Path | None, found: dict[str, Adviser], broken: dict[str, AdviserBroken]) -> None:
    """`{name: {url, model, key, timeout, retries, temperature}}`."""
    file = None if folder is None else folder / FILE
    if file is None or not file.exists():
        return
    data: Any = data_files.data(file, AdviserBroken)
    if data is None:
        return
    if not isinstance(data, Mapping):
        raise AdviserBroken(FILE, "it is no mapping of names to endpoints")
    for name, says in data.items():
        try:
            if not isinstance(says, Mapping) or "name" in says:
                raise AdviserBroken(FILE, f"{str(name)[:60]!r} has no url and model")
            found[str(name)] = checked({**says, "name": name}).adviser
        except AdviserBroken as error:
            broken[str(name)] = error
        except Refused as error:
            broken[str(name)] = AdviserBroken(FILE, f"{str(name)[:60]}: {str(error).rstrip('.')}")
