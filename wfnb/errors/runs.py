"""Runs: which one, whose it is, and whether and where it can go on."""

from __future__ import annotations

from .names import listing, nearest
from .root import Refused


class RunUnknown(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"No run is called {self.name!r}. {nearest(self.name, self.names)}"
            f"Runs: {listing(self.names, 'none yet')}."
        )


class RunAmbiguous(Refused):
    runs: tuple[tuple[str, str], ...]
    option: str

    def __str__(self) -> str:
        name, session = self.runs[-1]
        way = f"{self.option} {name}" if self.option else name
        way += f" --session {session}" if session else ""
        named = (f"{run} (session {of})" if of else run for run, of in self.runs)
        found = listing(named, "none")
        return f"Several runs may be meant: {found}. Say which: {way}."


class RunAlive(Refused):
    process: str

    def __str__(self) -> str:
        return (
            f"The run is still running, in process {self.process}. "
            "`%wfnb cancel RUN` stops it; `%wfnb runs` lists it."
        )


class RunElsewhere(Refused):
    process: str

    def __str__(self) -> str:
        return (
            f"The run is of process {self.process} on another machine, and whether that is gone "
            "cannot be seen from here. If it is, resume with `--again` or `--done`."
        )


class RunEndedAlready(Refused):
    status: str

    def __str__(self) -> str:
        return f"The run has ended ({self.status}). `%wfnb runs` lists those that are running."


class RunNotResumable(Refused):
    status: str

    def __str__(self) -> str:
        return (
            f"The run ended as {self.status}: nothing is left to do. "
            "`--from STATE` goes on from a state or step of it; without --resume it runs anew."
        )


class RunTooDeep(Refused):
    workflow: str
    depth: int

    def __str__(self) -> str:
        return (
            f"Workflow {self.workflow!r} would run {self.depth} workflows deep; "
            f"{self.depth - 1} is the most. Does a workflow call itself without an end?"
        )


class StateUnknown(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"The workflow has no state or step {self.name!r}. {nearest(self.name, self.names)}"
            f"There are: {listing(self.names, 'none')}."
        )


class StateGone(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"The run would go on at state {self.name!r}, which the new definition does not have. "
            f"`--from STATE` names another: {listing(self.names, 'none')}."
        )


class NestedLeft(Refused):
    run: str
    action: str
    why: str

    def __str__(self) -> str:
        return (
            f"Run {self.run!r}, which {self.action!r} had begun when the process ended, would not "
            f"go on: {self.why}. `%run_workflow --resume {self.run}` brings it to its end, "
            f"`%wfnb cancel {self.run}` stops it; then resume this one."
        )


class CallUncertain(Refused):
    calls: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"Whether {listing(self.calls, 'a call')} was done is unknown: the process ended "
            "while it ran. Look, then resume with `--again` (call it again) or `--done` (it was)."
        )


class CallStands(Refused):
    calls: tuple[str, ...]
    after: str
    unknown: tuple[str, ...]

    def __str__(self) -> str:
        also = f" Whether {listing(self.unknown, '')} was done is unknown." if self.unknown else ""
        calls = listing(self.calls, "A call")
        were, come = ("were", "come") if len(self.calls) > 1 else ("was", "comes")
        return (
            f"{calls} had succeeded and {were} not undone, but {come} after "
            f"{self.after!r}, which was.{also} Look, then resume with `--again` (call it again) or "
            "`--done` (it stands)."
        )


class SecretMissing(Refused):
    run: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{listing(self.names, 'A secret')} is not known: secrets are never kept. "
            f"`--secret {self.names[0]}` takes it from the environment."
        )


class NoRuns(Refused):
    def __str__(self) -> str:
        return "This session performs no runs: open it with wfnb.open(NAME)."


class RunFailed(Refused):
    name: str
    status: str
    error: str

    def __str__(self) -> str:
        why = f": {self.error.rstrip('.')}" if self.error else ""
        return f"Run {self.name} {self.status.replace('_', ' ')}{why}."
