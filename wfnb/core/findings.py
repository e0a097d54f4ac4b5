"""What a step says that it found, and what was looked at: records that are on disk with a step.

What they mean is a matter of investigations.
"""

from __future__ import annotations

from typing import Literal

from wfnb.record import record

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
    """What one step found. Recorded with the level of confidence as it holds, after defaults.
    `confirms` and `refutes` are hypotheses by their words: the step is evidence for or against."""

    findings: tuple[str, ...] = ()
    hypothesis: str | None = None
    confidence: str | None = None
    files: tuple[str, ...] = ()
    relevant: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    issues: tuple[Issue, ...] = ()
    confirms: tuple[str, ...] = ()
    refutes: tuple[str, ...] = ()


@record
class Look:
    """One thing that was looked at. `kind` is one of `kind.LOOKS`, `what` a line that says it,
    `files` are those that were read by it. `acts` is what a cell or a tool did, of `kind.ACTS`;
    `names` are those that its code used. `seen` stands for what was there to be seen: a look that
    has the same brings nothing new (empty: that is not known). `ticks` says of what is asked for
    what it can tick: anything, only what asks for it by its name, or nothing. `drawn` are the calls
    that it drew. `conflict`: files of a repository are in conflict, or none is; None: that was not
    looked at."""

    kind: str
    what: str
    files: tuple[str, ...] = ()
    ticks: Literal["any", "named", "nothing"] = "any"
    drawn: tuple[CallPath, ...] = ()
    conflict: bool | None = None
    acts: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    seen: str = ""
