"""folder of JSON and YAML files -> the strategies that people wrote, beside the built-in ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wfnb.core.record import record
from wfnb.core.strategy import Strategy, builtin, strategy_from
from wfnb.errors import StrategyBroken, StrategyUnknown

_KINDS = (".json", ".yaml", ".yml")


@record
class Shelf:
    """Strategies by name, and what is wrong with the files that could not be read."""

    found: Mapping[str, Strategy]
    broken: Mapping[str, StrategyBroken]

    def get(self, name: str) -> Strategy:
        """The strategy of that name. StrategyUnknown lists the names; a file of that name that is
        broken says why (StrategyBroken)."""
        if name in self.found:
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
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StrategyBroken(file.name, f"the file cannot be read ({error})") from None
    if file.suffix == ".json":
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise StrategyBroken(file.name, f"the file is no JSON ({error})") from None
    import yaml  # noqa: PLC0415  (wanted only where somebody wrote YAML)

    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        what = " ".join(str(error).split())
        raise StrategyBroken(file.name, f"the file is no YAML ({what})") from None
