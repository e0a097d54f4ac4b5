"""what is known of a run -> one record. Nothing of workflows is imported for it: that is heavy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wfnb.frozen_record import record
from wfnb.views.run_entries import RunEntry

if TYPE_CHECKING:
    from wfnb.workflows.core.run import Run


@record
class LiveRun:
    """A run as its session knows it; its state, where this process has that; whether this process
    performs it. `called` are the runs that it called and that go on, with their names."""

    entry: RunEntry
    run: Run | None = None
    is_performed_here: bool = False
    called: tuple[tuple[str, Run], ...] = ()

    @property
    def status(self) -> str:
        """The run's own word where it runs here: the session's comes later."""
        return (
            self.run.status
            if self.run is not None and self.is_performed_here
            else self.entry.status
        )
