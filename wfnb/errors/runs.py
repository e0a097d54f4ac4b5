"""Runs: which one, whose it is, and whether and where it can go on."""

from __future__ import annotations

import re
import shlex

from wfnb.hints import Command, Option, options, spelling

from .base import Refused
from .phrases import listing, nearest, spoken


class RunUnknown(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"No run is called {self.name!r}. {nearest(self.name, self.names)}"
            f"Runs: {listing(self.names, 'none yet')}."
        )


class NothingCalled(Refused):
    name: str
    runs: tuple[str, ...]
    workflows: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"No run and no saved workflow is called {self.name!r}. "
            f"{nearest(self.name, (*self.runs, *self.workflows))}"
            f"Runs: {listing(self.runs, 'none yet')}. Workflows: {listing(self.workflows, 'none')}."
        )


class RunAmbiguous(Refused):
    runs: tuple[tuple[str, str], ...]
    option: str

    def __str__(self) -> str:
        name, session = self.runs[-1]
        way = f"{self.option} {name}" if self.option else name
        way += f" {Option('session', session)}" if session else ""
        named = (f"{run} (session {of})" if of else run for run, of in self.runs)
        found = listing(named, "none")
        return f"Several runs may be meant: {found}. Say which: {way}."


def _process(process: str) -> str:
    """What a person needs of the name of a process: its number, and where that holds.

    >>> _process("lab:4026531836 29173 b6d411ec 3170718"), _process("another process")
    ('process 29173 on lab', 'another process')
    """
    found = re.match(r"([^\s:]+)(?::\S+)? ([0-9]{1,9})(?: |$)", process)
    return f"process {found[2]} on {found[1]}" if found else "another process"


def _names(calls: tuple[str, ...]) -> tuple[str, ...]:
    """As `lost` names them.

    >>> _names(("pay (shell)", "deploy-2/send (shell)"))
    ('pay', 'deploy-2/send')
    """
    return tuple(dict.fromkeys(call.partition(" ")[0] for call in calls))


def _verdicts(again: str = "", done: str = "") -> str:
    """How one says of a call that nobody saw the end of whether it was done."""
    return f"`{Option('again', ())}`{again} or `{Option('done', ())}`{done}"


def _one_by_one(calls: tuple[str, ...]) -> str:
    """How several calls are answered one by one, as the host spells it."""
    *again, done = _names(calls)
    if not again:
        return ""
    way = options(Option("again", tuple(again)), Option("done", (done,)))
    return f", or call by call: `{way}`"


class RunAlive(Refused):
    process: str

    def __str__(self) -> str:
        return (
            f"The run is still running, in {_process(self.process)}. "
            f"`{Command('cancel', 'RUN')}` stops it; `{Command('runs')}` lists it."
        )


class RunElsewhere(Refused):
    process: str

    def __str__(self) -> str:
        return (
            f"The run is of {_process(self.process)}, another machine: wfnb cannot tell from here "
            f"whether that process still runs. If it has ended, resume with {_verdicts()}."
        )


class NotebookNeeded(Refused):
    run: str

    def __str__(self) -> str:
        return (
            f"Run {self.run!r} was parked by a notebook, whose names or own tools it may need. "
            f"`%wfnb work` in that notebook goes on with it; `wfnb resume {self.run}` does so "
            f"without them."
        )


class RunFolderGone(Refused):
    run: str
    folder: str

    def __str__(self) -> str:
        return (
            f"Run {self.run!r} began in {self.folder}, where its relative paths start, and that is "
            f"not there any more. Put it back, or a link to where it is now."
        )


class RunFolderElsewhere(Refused):
    run: str
    folder: str

    def __str__(self) -> str:
        return (
            f"Run {self.run!r} began in {self.folder} and may call Python, which has the folder of "
            f"its process. Go on with it there: `cd {shlex.quote(self.folder)}`."
        )


class RunEndedAlready(Refused):
    status: str

    def __str__(self) -> str:
        return (
            f"The run has ended ({spoken(self.status)}). "
            f"`{Command('runs')}` lists those that are running."
        )


class RunNone(Refused):
    lost: tuple[str, ...]

    def __str__(self) -> str:
        if not self.lost:
            return f"No run is going on. `{Command('runs')}` lists those there were."
        return (
            f"No run is going on. Interrupted: {listing(self.lost, '')}. "
            f"`{Command('cancel', self.lost[0])}` ends it for good."
        )


class RunGoesOn(Refused):
    name: str

    def __str__(self) -> str:
        return (
            f"Run {self.name} goes on: only the waiting was interrupted. "
            f"`{Command('cancel', self.name)}` stops it."
        )


class RunNotResumable(Refused):
    status: str

    def __str__(self) -> str:
        return (
            f"The run ended as {spoken(self.status)}: nothing is left to do. "
            f"`{Option('from', 'STATE')}` goes on from a state or step of it; {spelling().new_run}."
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
            f"`{Option('from', 'STATE')}` names another: {listing(self.names, 'none')}."
        )


class NestedLeft(Refused):
    run: str
    action: str
    why: str

    def __str__(self) -> str:
        return (
            f"Run {self.run!r}, which {self.action!r} had begun when the process ended, would not "
            f"go on: {self.why}. `{Command('resume', self.run)}` brings it to its end, "
            f"`{Command('cancel', self.run)}` stops it; then resume this one."
        )


class TerminalGone(Refused):
    """`openers` are the actions that opened what is needed; none opened `session`."""

    openers: tuple[str, ...]
    session: str

    def __str__(self) -> str:
        several = len(self.openers) > 1
        which = (
            f"The terminal{'s' * several} that {listing(map(repr, self.openers), '')} opened"
            if self.openers
            else f"Terminal {self.session}"
        )
        way = (
            f"`{Option('from', self.openers[0])}` opens {'them' if several else 'it'} again."
            if self.openers
            else f"Open another, and name that: `{Option('var', 'NAME=SESSION')}`."
        )
        return (
            f"{which} {'have' if several else 'has'} ended: terminals last no longer than the "
            f"process, or the attempt, that opened them. {way}"
        )


class CallNotAsked(Refused):
    call: str
    calls: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"Nothing is asked about {self.call!r}. {nearest(self.call, self.calls)}"
            f"Asked about: {listing(self.calls, 'no call')}."
        )


class CallUncertain(Refused):
    calls: tuple[str, ...]

    @property
    def call_names(self) -> tuple[str, ...]:
        """The names of the calls that are to be answered, as `lost` has them."""
        return _names(self.calls)

    def __str__(self) -> str:
        return (
            f"Whether {listing(self.calls, 'a call')} was done is unknown: nobody saw its end. "
            f"Look, then resume with {_verdicts(' (call it again)', ' (it was)')}"
            f"{_one_by_one(self.calls)}."
        )


class CallStands(Refused):
    calls: tuple[str, ...]
    after: str
    unknown: tuple[str, ...]

    @property
    def call_names(self) -> tuple[str, ...]:
        """The names of the calls that are to be answered, as `lost` has them."""
        return _names((*self.calls, *self.unknown))

    def __str__(self) -> str:
        also = f" Whether {listing(self.unknown, '')} was done is unknown." if self.unknown else ""
        calls = listing(self.calls, "A call")
        several = len(self.calls) > 1
        were, it, came = ("were", "they", "come") if several else ("was", "it", "comes")
        wholly = "wholly " if any("undone in part" in call for call in self.calls) else ""
        return (
            f"{calls} succeeded and {were} not {wholly}rolled back, but {it} {came} after "
            f"{self.after}."
            f"{also} Check what {it} did, then resume with "
            f"{_verdicts(' (call it again)', ' (keep it)')}"
            f"{_one_by_one((*self.calls, *self.unknown))}."
        )


class SecretMissing(Refused):
    run: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{listing(self.names, 'A secret')} is not known: secrets are never kept. "
            f"`{Option('secret', self.names[0])}` takes it from the environment."
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
        return f"Run {self.name} {spoken(self.status)}{why}."
