"""A kind of investigation: a table that drives the pause, the end, the totals, the help, the pages.

`kind_reader` makes one of data, `kind_check` says what in it cannot be followed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Literal

from wfnb.frozen_record import record

if TYPE_CHECKING:
    pass

LOOKS = ("cell", "tool", "file", "git", "code", "adviser")
"""Kinds of evidence. In a rule, `git:staged` means looks of git whose name begins with `staged`."""
ACTS = ("run", "test", "check", "search", "versions")
"""What a cell or a tool can be seen to do: it ran code or a program, tests, a linter (a formatter,
a type checker), a search in files, or asked for versions. One that opened files is a `file` too."""
ENDS = frozenset({"run", "test", "check"})
"""Acts that succeed or fail."""
OFFERED = ("changes", "last", "outline", "calls", "undocumented")
"""What a kind may offer to look at, as the verb `look` names it."""


@record
class RuleCondition:
    """All that is said has to hold; nothing said: always."""

    steps: tuple[int, int | None] = (1, None)
    """The first and the last (None: open) of the investigation's own count."""
    end: bool | None = None
    """Whether it is the last planned step."""
    total: int = 1
    """At least so many are planned."""
    confidence: tuple[str, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    issues: tuple[str, ...] = ()
    """One so severe is open."""
    left: int | None = None
    """So many planned steps follow at most."""
    found: bool | None = None
    """Whether a finding, a relevant file or an issue is there."""
    unseen: bool | None = None
    """Whether a look that is asked for as `evidence` was not there."""
    proven: bool | None = None
    """Whether there is enough evidence."""


@record
class Action:
    """What is to be done, and which evidence ticks it; none: it is for thought, and nothing shows
    that it was done."""

    do: str
    by: tuple[str, ...] = ()


@record
class Rule:
    do: tuple[Action, ...]
    when: RuleCondition = RuleCondition()


@record
class Status:
    status: str
    when: RuleCondition = RuleCondition()


@record
class Confidence:
    """`levels` go up. `sure` ends early by itself, `nearly` at the last step but one. `patience`:
    how often in a row a level may be said before it is pointed out."""

    levels: tuple[str, ...] = (
        "exploring", "low", "medium", "high", "very_high", "almost_certain", "certain",
    )  # fmt: skip
    default: str = "low"
    sure: str = "certain"
    nearly: tuple[str, ...] = ("very_high", "almost_certain")
    patience: Mapping[str, int] = field(
        default_factory=lambda: {"exploring": 3, "low": 3, "medium": 5}
    )


@record
class Total:
    """How many steps: an estimate from the problem (about `usual`), a fixed number, one for each
    model, or one and one for each file; never below `least`, where `when` holds. `count` and
    `done` are the fields that hold the models, or the files there are and those that are done."""

    rule: Literal["estimate", "fixed", "models", "files"] = "estimate"
    usual: int = 3
    least: int = 1
    when: RuleCondition = RuleCondition()
    count: str | None = None
    done: str | None = None


@record
class Reviewer:
    """No reviewer is asked where one of `skip` holds."""

    skip: tuple[RuleCondition, ...] = ()


@record
class Field:
    """A field of the kind's steps (`--set NAME=VALUE`). `holds`: how it is read, and checked."""

    says: str
    choices: tuple[str, ...] = ()
    default: str | None = None
    holds: Literal["text", "count", "models", "repository", "folder"] = "text"


@record
class Kind:
    """`evidence` are kinds of looks, or acts, without which it does not end early: one of each
    row."""

    name: str
    pauses: tuple[Status, ...]
    complete: tuple[Status, ...]
    completion: str
    actions: tuple[Rule, ...]
    title: str = ""
    description: str = ""
    confidence: Confidence = Confidence()
    total: Total = Total()
    reviewer: Reviewer = Reviewer()
    needs: tuple[str, ...] = ()
    fields: Mapping[str, Field] = field(default_factory=dict)
    finding: bool = True
    paused: bool = True
    looks: tuple[str, ...] = ()
    evidence: tuple[tuple[str, ...], ...] = ()
