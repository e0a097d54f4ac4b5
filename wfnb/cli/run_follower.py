"""a run in the journal, whoever performs it -> what is new in it, a line an event."""

from __future__ import annotations

from wfnb.journal import Journal, RunInfo
from wfnb.workflows.core.events import RunRecorded

from .run_events import EventLines


class Lines:
    """The events of a run after a position, each with its line. `times`: see `EventLines`."""

    def __init__(
        self, journal: Journal, info: RunInfo, after: int = 0, times: bool = False
    ) -> None:
        self.teller = EventLines(info.name, times)
        self._journal, self._id, self._after = journal, info.id, after
        # From the beginning, though only what comes after is told: the end of a call names its
        # action by the beginning.
        self._read = 0

    def new(self) -> list[tuple[RunRecorded, str]]:
        """What was recorded since the last time."""
        told = [
            (entry, self.teller.tell(entry))
            for entry in self._journal.read_run(self._id, self._read)
        ]
        if told:
            self._read = told[-1][0].position
        return [(entry, line) for entry, line in told if entry.position > self._after]
