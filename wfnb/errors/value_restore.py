"""Values that a step kept: asked for where there are none, or gone when they are needed."""

from __future__ import annotations

from wfnb.hints import Command, Option

from .base import Refused
from .phrases import listing

_NAMED = 4
"""Values that are named beside the first."""


class StepKeptGone(Refused):
    def __str__(self) -> str:
        return "The step whose values were to be kept was undone or cleared meanwhile."


class NothingKept(Refused):
    step: str
    steps: tuple[str, ...]

    def __str__(self) -> str:
        steps = listing(self.steps, "none yet")
        keep = Option("keep", "NAMES")
        ways = f"Run it again with `{keep}`." if self.step else f"`{Command('step', keep)}` keeps."
        which = f"Step {self.step} kept nothing" if self.step else "No step kept anything"
        return f"{which}. {ways} Steps that kept values: {steps}."


class NamesUnknown(Refused):
    step: str

    def __str__(self) -> str:
        return (
            f"Which names were there at step {self.step} is not known, so none can be removed. "
            f"Leave out `{Option('exact', True)}`."
        )


class NotRestored(Refused):
    step: str
    name: str
    why: str
    others: tuple[str, ...]

    def __str__(self) -> str:
        more = "".join(f"; nor {other}" for other in self.others[:_NAMED])
        if len(self.others) > _NAMED:
            more += f"; nor {len(self.others) - _NAMED} more"
        return (
            f"{self.name} of step {self.step} cannot be restored: {self.why}{more}. "
            f"Nothing was changed. `{Command('restore', self.step)}` brings back the others; "
            f"then go on without {Option('restore', True)}."
        )


class KeptBefore(Refused):
    step: str
    how: str

    def __str__(self) -> str:
        return (
            f"The values to restore were {self.how}. Nothing was changed. Run step {self.step} "
            f"again with `{Option('keep')}`; or `{Command('restore', self.step)}`, and go on "
            f"without {Option('restore', True)}."
        )


class RerunFailed(Refused):
    step: str
    error: str

    def __str__(self) -> str:
        return (
            f"Step {self.step} failed when it was run again ({self.error}). "
            "The kept values are back."
        )


class RerunImpossible(Refused):
    step: str
    why: str

    def __str__(self) -> str:
        return (
            f"Step {self.step} cannot be run again: {self.why}. Leave it out of {Option('rerun')}."
        )


class StaleFailed(Refused):
    step: str
    error: str

    def __str__(self) -> str:
        return (
            f"Step {self.step} failed when it was run again ({self.error}). Stale steps after it "
            "were not run."
        )


class StaleNotRun(Refused):
    step: str
    why: str

    def __str__(self) -> str:
        return f"Step {self.step} cannot be run again here: {self.why}."
