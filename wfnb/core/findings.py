"""What a step says that it found, and what was looked at: records that are on disk with a step.

What they mean is a matter of investigations.
"""

from __future__ import annotations

from typing import Literal

from wfnb.frozen_record import record

SEVERITIES = ("critical", "high", "medium", "low")


@record
class Call:
    """`caller` calls `callee` at `line` of `path`; `inside`: what is called is defined in the
    folder that was looked at; None: it is not known where."""

    caller: str
    callee: str
    path: str
    line: int
    inside: bool | None = True


@record
class CallPath:
    """What happens from `target` on, and who calls it (its callers are calls, too). `also` are
    other definitions of that name, as `path:line`: they are followed as well. `cut` says why there
    may be more."""

    target: str
    path: str
    line: int
    also: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    cut: str | None = None


@record
class Issue:
    """A fault that was found; `severity` is one of SEVERITIES."""

    severity: str
    text: str

    @property
    def rank(self) -> int:
        """0 for the worst: issues are told in this order."""
        return SEVERITIES.index(self.severity)


@record
class Findings:
    """What one step found."""

    findings: tuple[str, ...] = ()
    hypothesis: str | None = None
    confidence: str | None = None
    """The level as it holds, after defaults."""
    files: tuple[str, ...] = ()
    relevant: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    issues: tuple[Issue, ...] = ()
    confirms: tuple[str, ...] = ()
    """Hypotheses, by their words, that the step is evidence for."""
    refutes: tuple[str, ...] = ()
    """Hypotheses, by their words, that the step is evidence against."""


@record
class ProgramRun:
    """A test or a linter that ran, as far as another is the same or did more."""

    act: str
    """`test` or `check`."""
    program: str
    """The words that start it, behind the folder and the variables that its line sets. Empty for
    Python code."""
    given: tuple[str, ...] = ()
    """The words behind them; what stands for Python code."""


@record
class Look:
    """One thing that was looked at."""

    kind: str
    """One of `kind.LOOKS`."""
    what: str
    """A line that says it."""
    files: tuple[str, ...] = ()
    """Those that were read by it."""
    ticks: Literal["any", "named", "nothing"] = "any"
    """What it can tick of what is asked for: anything, only what asks for it by its name, or
    nothing."""
    drawn: tuple[CallPath, ...] = ()
    """The calls that it drew."""
    conflict: bool | None = None
    """Whether files of a repository are in conflict; None: that was not looked at."""
    failed: bool | None = None
    """Whether what it ran failed; None: it ran nothing, or it would not have been seen."""
    acts: tuple[str, ...] = ()
    """What a cell or a tool did, of `kind.ACTS`."""
    names: tuple[str, ...] = ()
    """Those that its code used."""
    seen: str = ""
    """Stands for what was there to be seen: a look that has the same brings nothing new. Empty:
    that is not known."""
    sources: str = ""
    """Stands for the source files as they were when what it ran had ended. Where it ran nothing:
    as they are now. Empty: that is not known."""
    runs: tuple[ProgramRun, ...] = ()
    """The tests and linters of what it ran. Empty: there was none, or `what` is all that is known
    of it."""
