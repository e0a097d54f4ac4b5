"""What a run and all that it calls have in common: where it runs, with what, and who is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import uniform
from typing import Any

from wfnb.journal import Journal
from wfnb.workflows.library.result_cache import ResultCache
from wfnb.workflows.library.workflow_library import WorkflowLibrary
from wfnb.workflows.tools.call_context import StepCode
from wfnb.workflows.tools.registry import REGISTRY, Registry
from wfnb.workflows.tools.terminal.terminals import Terminals

OutputListener = Callable[[str, str, str], None]
"""Takes the run's name, the action and a text as it comes, from any thread."""


@dataclass
class RunContext:
    """Shared by a run and its nested runs."""

    journal: Journal
    session: int
    library: WorkflowLibrary
    cache: ResultCache
    home: Path
    """The folder `.wfnb`."""
    folder: Path
    """Where relative paths start."""
    terminals: Terminals
    code_of: Callable[[int, str | None], StepCode]
    """Gives the code of a step of the session."""
    tools: Registry = REGISTRY
    executor: Callable[[str], Executor] | None = None
    """Gives what a call is made with, by a key that no other call has; None: threads here."""
    root: str = ""
    mark: str = ""
    marked: bool = False
    """Whether a tool asked for the `mark`, so that there may be processes that bear it."""
    lasting: bool = False
    """Whether terminals stay open after the run."""
    namespace: MutableMapping[str, Any] | None = None
    secrets: dict[str, Any] = field(default_factory=dict)
    """Those of the outermost run by name; they are known here and nowhere on disk."""
    hidden: set[str] = field(default_factory=set)
    """All texts that are not to be kept."""
    output: OutputListener = lambda run, action, text: None
    draw: Callable[[float, float], float] = uniform
    make_store: Callable[[], Any] = lambda: None
    """Makes what keeps the values that JSON cannot hold (`Handover` of wfnb.values)."""
    reuse: bool = True
    """Whether kept results may stand for a call."""

    @contextmanager
    def closed_on_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.close()
            raise

    @cached_property
    def store(self) -> Any:
        return self.make_store()

    def close(self) -> None:
        """No more calls are made: what the executor has opened for them is closed."""
        close = getattr(self.executor, "close", None)
        if close is not None:
            close()

    def know(self, secrets: Mapping[str, Any]) -> None:
        """Secrets of the outermost run."""
        self.secrets |= secrets
        self.hidden |= {str(secret) for secret in secrets.values()}

    def hides(self) -> set[str]:
        """Texts that are written down nowhere."""
        # An empty text is in every text.
        return self.hidden - {""}
