"""Every way wfnb says no, and the tree they hang on.

    WfnbError
    ├── Refused                      the user's mistake: nothing was recorded
    │   ├── BadValue                 a value that does not mean what its field needs
    │   ├── BadText                  text that cannot be kept: NUL, control characters, too long
    │   ├── BadOption                a command line that does not read
    │   ├── SessionExists            the name is taken
    │   ├── SessionUnknown           no session has this name
    │   ├── StepUnknown              no such step on this line
    │   ├── StepAmbiguous            several lines have a step of this number
    │   ├── StepNotRunning           an outcome for an attempt that is not open
    │   ├── RevisionWithoutTarget    a revision has to say of what
    │   ├── RevisionNotEarlier       a step cannot revise itself or what comes after it
    │   ├── NumberBelowBranch        a branch starts after the step it left
    │   ├── BranchUnknown            no branch has this name
    │   ├── BranchLeavesElsewhere    the branch exists and left another step
    │   ├── MainIsFirst              `main` cannot be made, merged or abandoned
    │   ├── MergeIntoItself          a branch joins another line, not its own
    │   ├── StageUnknown             the strategy has no such stage
    │   ├── StageNotReachable        a stage that cannot follow
    │   ├── StageNeeded              several stages may follow: name one
    │   ├── FieldMissing             the stage asks for a field
    │   ├── NoStrategy               a stage without a strategy
    │   ├── StrategyUnknown          no strategy has this name
    │   ├── StrategyNone             a view of stages without a strategy
    │   ├── StrategyBroken           a strategy file that cannot be followed
    │   ├── NothingToUndo            no change was made yet
    │   ├── NothingToRedo            nothing was undone since the last change
    │   └── NothingRecorded          a view of a session without steps
    └── JournalError                 the disk's no: what was recorded stays
        ├── JournalConflict          another process wrote first (handled inside)
        ├── JournalLocked            another process holds the file
        ├── JournalReadOnly          the file or its folder cannot be written
        ├── JournalFull              no room on the disk
        ├── JournalCorrupt           the file is not a readable journal
        └── JournalNewer             written by a newer wfnb

An error carries its facts as fields; `str()` gives one line: the fact, then the next move.
"""

from __future__ import annotations

from inspect import get_annotations
from typing import dataclass_transform


def listing(names: object, none: str) -> str:
    """Names as a readable list, cut after twelve; `none` where there are none."""
    words = [str(name) for name in names]  # type: ignore[attr-defined]
    shown = ", ".join(words[:12])
    return f"{shown}, … ({len(words)} in all)" if len(words) > 12 else shown or none


def nearest(name: str, names: tuple[str, ...]) -> str:
    """`Did you mean 'x'? ` where something close exists, else nothing."""
    from difflib import get_close_matches  # noqa: PLC0415  (wanted only for a mistake)

    close = get_close_matches(name, names, n=1)
    return f"Did you mean {close[0]!r}? " if close else ""


@dataclass_transform(eq_default=False)
class WfnbError(Exception):
    """Root of everything wfnb raises on purpose. What a subclass annotates are its facts: given by
    position, in that order, and kept as fields."""

    def __init__(self, *facts: object) -> None:
        super().__init__(*facts)
        for name, fact in zip(self.facts(), facts, strict=True):
            setattr(self, name, fact)

    @classmethod
    def facts(cls) -> tuple[str, ...]:
        return tuple(get_annotations(cls))


class Refused(WfnbError):
    """A command that cannot be done as asked. Nothing was recorded."""


class JournalError(WfnbError):
    """The journal could not be read or written. What was recorded stays."""


class BadValue(Refused):
    field: str
    value: str
    needs: str

    def __str__(self) -> str:
        return f"{self.field} is {self.value!r}. It needs {self.needs}."


class BadText(Refused):
    field: str
    what: str
    way: str

    def __str__(self) -> str:
        return f"{self.field} {self.what}. {self.way}"


class BadOption(Refused):
    line: str
    what: str
    way: str

    def __str__(self) -> str:
        return f"{self.line}: {self.what}. {self.way}"


class SessionExists(Refused):
    name: str
    steps: int

    def __str__(self) -> str:
        return (
            f"Session {self.name!r} exists, with {self.steps} step{'s' * (self.steps != 1)}. "
            f"`%wfnb resume {self.name}` goes on with it; "
            f"`%wfnb start {self.name} --fresh` archives it and starts anew."
        )


class SessionUnknown(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"No session is called {self.name!r}. {nearest(self.name, self.names)}"
            f"Sessions: {listing(self.names, 'none yet')}."
        )


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
        return "The step that just ran is no longer open: it was undone or cleared meanwhile."


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
    asked: str

    def __str__(self) -> str:
        return (
            f"Branch {self.branch!r} left step {self.right}, not {self.asked}. "
            f"Continue it by its name alone, or choose another name."
        )


class MainIsFirst(Refused):
    asked: str

    def __str__(self) -> str:
        return f"`main` is the first line and cannot be {self.asked}. Name a branch."


class MergeIntoItself(Refused):
    branch: str
    branches: tuple[str, ...]

    def __str__(self) -> str:
        others = listing(self.branches, "none yet")
        return f"Branch {self.branch!r} cannot be merged into itself. Other lines: {others}."


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
                "(`--revises N`), branch from one, or switch the strategy."
            )
        return (
            f"Several stages may follow {self.after!r}. "
            f"Name one with --stage: {', '.join(self.choices)}."
        )


class FieldMissing(Refused):
    stage: str
    missing: tuple[str, ...]
    means: tuple[str, ...]

    def __str__(self) -> str:
        means = [" ".join(words.split()) for words in self.means]
        asked = "; ".join(f"{n} ({m})" for n, m in zip(self.missing, means, strict=True))
        add = " ".join(f"--set {name}=…" for name in self.missing)
        return f"Stage {self.stage!r} asks for {asked}. Add {add}."


class NoStrategy(Refused):
    stage: str

    def __str__(self) -> str:
        return (
            f"Stage {self.stage!r} needs a strategy, and this session follows none. "
            "`%wfnb strategy NAME` chooses one; `%wfnb strategy` lists them."
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
            "This session follows no strategy, so it has no stages. `%wfnb strategy NAME` chooses "
            f"one, `%wfnb stages NAME` shows one: {listing(self.names, 'none')}."
        )


class StrategyBroken(Refused):
    where: str
    what: str

    def __str__(self) -> str:
        return f"Strategy {self.where}: {self.what}."


class NothingToUndo(Refused):
    def __str__(self) -> str:
        return "There is nothing to undo: the session is as it was when it started."


class NothingToRedo(Refused):
    def __str__(self) -> str:
        return "There is nothing to redo: nothing was undone since the last change."


class NothingRecorded(Refused):
    what: str

    def __str__(self) -> str:
        return (
            f"There is nothing to {self.what}: no step is recorded yet. Write `%%step` over a cell."
        )


class JournalConflict(JournalError):
    session: str
    position: int

    def __str__(self) -> str:
        return (
            f"Session {self.session!r} went on after event {self.position}. Read on, decide again."
        )


class JournalLocked(JournalError):
    path: str

    def __str__(self) -> str:
        return (
            f"{self.path} is locked by another process. Nothing was lost: run the cell again, "
            "or go on in memory with `%wfnb start NAME --scratch`."
        )


class JournalReadOnly(JournalError):
    path: str

    def __str__(self) -> str:
        return (
            f"{self.path} cannot be written. Set WFNB_HOME to a folder that can be, "
            "or go on in memory with `%wfnb start NAME --scratch`."
        )


class JournalFull(JournalError):
    path: str

    def __str__(self) -> str:
        return (
            f"There is no room left for {self.path}. What was recorded stays: free some space and "
            "run the cell again, or go on in memory with `%wfnb start NAME --scratch`."
        )


class JournalCorrupt(JournalError):
    path: str
    what: str

    def __str__(self) -> str:
        return (
            f"{self.path} cannot be read as a journal ({self.what}). It is left as it is: move it "
            "away to start anew, or go on in memory with `%wfnb start NAME --scratch`."
        )


class JournalNewer(JournalError):
    path: str
    what: str

    def __str__(self) -> str:
        return f"{self.path} was written by a newer wfnb ({self.what}). Update wfnb to read it."
