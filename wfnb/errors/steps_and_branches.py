"""Steps, revisions and branches: a place that is not there, or where nothing can go."""

from __future__ import annotations

from wfnb.hints import Command, Option, Quoted

from .base import Refused
from .phrases import listing, nearest


class StepUnknown(Refused):
    number: int
    branch: str
    numbers: tuple[int, ...]

    def __str__(self) -> str:
        steps = listing(self.numbers, "none yet")
        return f"There is no step {self.number} on {self.branch!r}. Steps there: {steps}."


class StepAmbiguous(Refused):
    number: int
    branches: tuple[str, ...]

    def __str__(self) -> str:
        ways = " or ".join(f"{branch}:{self.number}" for branch in self.branches)
        return f"Step {self.number} is on several branches. Say which: {ways}."


class StepNotRunning(Refused):
    attempt: int

    def __str__(self) -> str:
        return "The step that just ran is no longer open: it was run again, undone or cleared."


class RevisionWithoutTarget(Refused):
    numbers: tuple[int, ...]

    def __str__(self) -> str:
        steps = listing(self.numbers, "none yet")
        return f"A revision has to name the step it revises (`revises`). Steps: {steps}."


class RevisionNotEarlier(Refused):
    number: int
    revises: int

    def __str__(self) -> str:
        return (
            f"Step {self.number} cannot revise step {self.revises}: a revision comes after "
            "what it revises. Leave the number out to get the next one."
        )


class NumberBelowBranch(Refused):
    number: int
    branch: str
    first: int

    def __str__(self) -> str:
        return (
            f"Step {self.number} cannot be on branch {self.branch!r}, which left step "
            f"{self.first - 1}. Its first possible number is {self.first}."
        )


class NumberOrTitle(Refused):
    """`numeral` is the number as it was written, `title` what follows it, `doubt` why it may be a
    part of it, in a sentence."""

    numeral: str
    title: str
    doubt: str
    branch: str = ""

    def __str__(self) -> str:
        number, _, total = self.numeral.partition("/")
        title = self.title if len(self.title) <= 60 else f"{self.title[:59]}…"
        given = [Option("number", number), *([Option("total", total)] if total else ())]
        return (
            f"Is {self.numeral} a number or part of the title? {self.doubt} "
            f"Write `{self._step(Quoted(f'{self.numeral} {title}'))}` "
            f"or `{self._step(*given, title)}`."
        )

    def _step(self, *parts: object) -> Command:
        return Command("branch", self.branch, *parts) if self.branch else Command("step", *parts)


class BranchNear(Refused):
    branch: str
    near: str

    def __str__(self) -> str:
        return (
            f"No branch is called {self.branch!r}. Did you mean {self.near!r}? To open a branch of "
            "this name, say which step it leaves: "
            f"`{Command('branch', self.branch, Option('from', 'N'))}`."
        )


class BranchUnknown(Refused):
    branch: str
    branches: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"No branch is called {self.branch!r}. {nearest(self.branch, self.branches)}"
            f"Branches: {listing(self.branches, 'none yet')}."
        )


class BranchLeavesElsewhere(Refused):
    branch: str
    right: str
    other: str

    def __str__(self) -> str:
        return (
            f"Branch {self.branch!r} left step {self.right}, not {self.other}. "
            f"Continue it by its name alone, or choose another name."
        )


class MainIsFirst(Refused):
    change: str

    def __str__(self) -> str:
        return f"`main` is the first line and cannot be {self.change}. Name a branch."


class MergeIntoItself(Refused):
    branch: str
    branches: tuple[str, ...]

    def __str__(self) -> str:
        others = listing(self.branches, "none yet")
        return f"Branch {self.branch!r} cannot be merged into itself. Other lines: {others}."
