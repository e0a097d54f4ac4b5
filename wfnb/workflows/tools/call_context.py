"""the runner's knowledge of one call -> what the tool in it may know and use."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from time import time
from typing import Any

from wfnb.frozen_record import record

from .result_fields import ToolFailed
from .value_passing import Keep
from .wait import Wait


@record
class Question:
    """What a person is asked. `choices` are the possible answers, none: any text. `timeout` in
    seconds is for whoever shows the question: the `ask` tool keeps the time itself. The answer to
    a secret question is not shown and not recorded."""

    text: str
    choices: tuple[str, ...] = ()
    default: Any = None
    secret: bool = False
    timeout: float | None = None


@record
class StepCode:
    """The code of a step's cell, without the line that opens the step (its place is empty, so that
    lines have the numbers that they have in the cell); `version` is the one it is of, from 1,
    `hidden` whether the step is."""

    code: str
    step: int
    version: int
    hidden: bool = False


def _no_steps(step: int, branch: str | None) -> StepCode:
    raise ToolFailed("There are no steps here whose code could be run.")


@dataclass(kw_only=True, slots=True, eq=False)
class Context:
    """One call of a tool, as the tool sees it. A tool that declares a parameter annotated
    `Context` is given it; the runner makes it.

    `say` may be called from any thread; everything else belongs to the runner's loop.
    """

    run: str
    """The run's id."""
    action: str
    """The id of the state or step."""
    attempt: int
    """Which attempt of the action this is, from 1."""
    folder: Path
    """Where the notebook is. Relative paths start here."""
    say: Callable[[str], None]
    """Takes progress and output as it comes: shown at once, and a sign of life (`""` is just
    that)."""
    ask: Callable[[Question], Awaitable[Any]]
    """Waits until a person has answered. Cancelling it withdraws the question."""
    nested: Callable[..., Awaitable[Mapping[str, Any]]]
    """Runs another workflow; takes the parameters of `run_workflow`."""
    namespace: MutableMapping[str, Any] | None
    """The notebook's names; None where there is no notebook."""
    terminals: Any
    """The terminals of this process: a `Terminals` of `wfnb.workflows.tools.terminal`."""
    root: str
    """The id of the outermost run, unique in this process: it owns terminals and processes."""
    marking: Callable[[], str]
    """Gives the `mark`. The runner looks after processes once it was asked for."""
    since: float = field(default_factory=time)
    """When the call began, in seconds since 1970: of a tool that `waits`, also where a process that
    is gone had begun it."""
    waiting: Callable[[Wait], AbstractContextManager[None]] = lambda wait: nullcontext()
    """Around a wait: meanwhile the run may be left, and the call be made again by who goes on."""
    lasting: bool = False
    """Whether a terminal that is opened outlasts the run: it ends with the process."""
    undoing: bool = False
    """Whether it is called to undo what an action did."""
    code_of: Callable[[int, str | None], StepCode] = _no_steps
    """Takes the number of a step of the session, and a branch (None: the chosen line), gives the
    code of its newest version. Raises Refused, ToolFailed."""
    is_secret: Callable[[str], bool] = lambda text: False
    """Whether a text is a secret: then a process that is started does not inherit the variable that
    holds it, unless its `env` says so."""
    keep: Callable[[], Keep | None] = lambda: None
    """How another process keeps what JSON cannot hold of the call's result."""
    outputs: Collection[str] = ()
    """The files that other calls of the run gave as their `output`."""
    hide: Callable[[str], str] = str
    """Takes a text, gives the same without secrets: for what a tool writes to a file."""

    so_far: Callable[[], Mapping[str, Any]] = dict
    """Set by the tool: gives the fields that the call has so far, which its result has where its
    time runs out."""

    @property
    def mark(self) -> str:
        """Put into the environment of every process that is started (`WFNB_MARK`), so that all of
        them can be found and ended."""
        return self.marking()

    def path(self, written: str | None) -> Path:
        """A file or folder that a parameter names. The line break that a program prints behind a
        name is no part of it: `cwd: "{folder.stdout}"`."""
        return self.folder / (written or "").rstrip("\r\n")

    def withheld_variables(self) -> dict[str, None]:
        """The variables of this process that hold a secret of the run: what a tool starts does not
        inherit them. Whatever runs beside it could read them there."""
        held = (name for name, value in os.environ.items() if self.is_secret(value))
        return dict.fromkeys(held)
