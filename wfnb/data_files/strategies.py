"""folder of JSON and YAML files -> the strategies that people wrote, beside the built-in ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from wfnb.core.strategy import Strategy, builtin_strategies, strategy_from
from wfnb.errors import NotTrusted, StrategyBroken, StrategyUnknown
from wfnb.frozen_record import record
from wfnb.trust import Trust

from . import reader


@record
class Shelf:
    """Strategies by name, and why those of other files are not followed."""

    strategies: Mapping[str, Strategy]
    broken: Mapping[str, StrategyBroken | NotTrusted]

    def get(self, name: str) -> Strategy:
        """The strategy of that name. StrategyUnknown lists the names; a file of that name that is
        broken says why (StrategyBroken), one that is not trusted too (NotTrusted)."""
        if name in self.strategies and name not in self.broken:
            return self.strategies[name]
        raise self.broken.get(name) or StrategyUnknown(name, tuple(self.strategies))


def shelf(folder: Path | None, trust: Trust | None = None) -> Shelf:
    """The built-in strategies and those of the folder; a file of a built-in's name replaces it,
    once this user has trusted it."""
    read, broken = reader.read(folder, strategy_from, StrategyBroken, trust)
    return Shelf(
        strategies={**builtin_strategies(), **{each.name: each for each in read.own}},
        broken={**broken, **reader.refusals(read.foreign, "Strategy")},
    )
