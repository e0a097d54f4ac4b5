"""A strategy and its stages: what may follow, and what a stage asks for."""

from __future__ import annotations

from wfnb.hints import Command, Option, options

from .base import Refused
from .phrases import listing, nearest


class StageUnknown(Refused):
    stage: str
    strategy: str
    choices: tuple[str, ...]

    def __str__(self) -> str:
        choices = ", ".join(self.choices) or "nothing: the strategy ends here"
        return (
            f"{self.strategy} has no stage {self.stage!r}. {nearest(self.stage, self.choices)}"
            f"Next: {choices}."
        )


class StageNotReachable(Refused):
    stage: str
    after: str
    choices: tuple[str, ...]

    def __str__(self) -> str:
        choices = ", ".join(self.choices) or "nothing: the strategy ends here"
        return f"Stage {self.stage!r} cannot follow {self.after!r}. Next: {choices}."


class StageNeeded(Refused):
    after: str
    choices: tuple[str, ...]

    def __str__(self) -> str:
        if not self.choices:
            return (
                f"{self.after!r} is the last stage: this line is complete. Revise a step "
                f"(`{Option('revises', 'N')}`), branch from one, or switch the strategy."
            )
        return (
            f"Several stages may follow {self.after!r}. "
            f"Name one with {Option('stage')}: {', '.join(self.choices)}."
        )


class FieldMissing(Refused):
    stage: str
    missing: tuple[str, ...]
    means: tuple[str, ...]

    def __str__(self) -> str:
        means = [" ".join(words.split()) for words in self.means]
        asked = "; ".join(f"{n} ({m})" for n, m in zip(self.missing, means, strict=True))
        add = options(*(Option("set", f"{name}=…") for name in self.missing))
        return f"Stage {self.stage!r} asks for {asked}. Add {add}."


class NoStrategy(Refused):
    stage: str

    def __str__(self) -> str:
        return (
            f"Stage {self.stage!r} needs a strategy, and this session follows none. "
            f"`{Command('strategy', 'NAME')}` chooses one; `{Command('strategy')}` lists them."
        )


class StrategyUnknown(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"No strategy is called {self.name!r}. {nearest(self.name, self.names)}"
            f"Strategies: {listing(self.names, 'none')}."
        )


class StrategyNone(Refused):
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            "This session follows no strategy, so it has no stages. "
            f"`{Command('strategy', 'NAME')}` chooses one, "
            f"`{Command('stages', 'NAME')}` shows one: {listing(self.names, 'none')}."
        )


class PlanNone(Refused):
    def __str__(self) -> str:
        return (
            "No step of this line has a plan of calls. The stage 'tool_call_specification' of "
            "`rewoo` takes one, as tool_calls=[{tool: shell, args: {command: ls}}]."
        )


class StrategyBroken(Refused):
    where: str
    what: str

    def __str__(self) -> str:
        return f"Strategy {self.where}: {self.what}."
