"""folder of JSON and YAML files -> the strategies that people wrote, beside the built-in ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wfnb.core.record import record
from wfnb.core.strategy import Strategy, builtin, strategy_from
from wfnb.errors import StrategyBroken, StrategyUnknown

from . import plain_yaml

LARGEST = 100_000
"""Bytes of a strategy file. The longest built-in one has 4,000."""

_KINDS = (".json", ".yaml", ".yml")


@record
class Shelf:
    """Strategies by name, and what is wrong with the files that could not be read."""

    found: Mapping[str, Strategy]
    broken: Mapping[str, StrategyBroken]

    def get(self, name: str) -> Strategy:
        """The strategy of that name. StrategyUnknown lists the names; a file of that name that is
        broken says why (StrategyBroken)."""
        if name in self.found and name not in self.broken:
            return self.found[name]
        raise self.broken.get(name) or StrategyUnknown(name, tuple(self.found))


def shelf(folder: Path | None) -> Shelf:
    """The built-in strategies and those of the folder; a file of a built-in's name replaces it."""
    found, broken = dict(builtin()), {}
    files = sorted(folder.iterdir()) if folder is not None and folder.is_dir() else []
    for file in files:
        if file.suffix in _KINDS:
            try:
                strategy = strategy_from(_read(file), file.name)
                found[strategy.name] = strategy
            except StrategyBroken as error:
                broken[file.stem] = error
    return Shelf(found=found, broken=broken)


def _read(file: Path) -> Any:
    try:
        size = file.stat().st_size
        if size > LARGEST:
            what = f"the file is too large ({size:,} bytes; {LARGEST:,} are read at most)"
            raise StrategyBroken(file.name, what)
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise StrategyBroken(file.name, f"the file cannot be read ({why})") from None
    try:
        if file.suffix == ".json":
            return json.loads(text)
        return plain_yaml.load(text)
    except (ValueError, RecursionError) as error:
        form = "JSON" if file.suffix == ".json" else "YAML"
        raise StrategyBroken(file.name, f"the file is no {form} ({error})") from None
