"""folder of JSON and YAML files -> the kinds that people wrote, beside the built-in ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from wfnb.errors import KindBroken, KindUnknown, NotTrusted
from wfnb.frozen_record import record
from wfnb.investigations.core.kind import Kind
from wfnb.investigations.core.kind_reader import builtin_kinds, kind_from
from wfnb.trust import Trust

from . import reader


@record
class KindShelf:
    """Kinds by name, and why those of other files are not followed."""

    kinds: Mapping[str, Kind]
    broken: Mapping[str, KindBroken | NotTrusted]

    def get(self, name: str) -> Kind:
        """The kind of that name. KindUnknown lists the names; a file of that name that is broken
        says why (KindBroken), one that is not trusted too (NotTrusted)."""
        if name in self.kinds and name not in self.broken:
            return self.kinds[name]
        raise self.broken.get(name) or KindUnknown(name, tuple(self.kinds))


def shelf(folder: Path | None, trust: Trust | None = None) -> KindShelf:
    """The built-in kinds and those of the folder; a file of a built-in's name replaces it, once
    this user has trusted it."""
    read, broken = reader.read(folder, kind_from, KindBroken, trust)
    return KindShelf(
        kinds={**builtin_kinds(), **{each.name: each for each in read.own}},
        broken={**broken, **reader.refusals(read.foreign, "Kind")},
    )
