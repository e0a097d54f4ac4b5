"""`wfnb work`: parked runs -> each goes on here when it is time; an exit code."""

from __future__ import annotations

import time
from collections.abc import Sequence

from wfnb.errors import JournalLocked, Refused, WfnbError
from wfnb.journal import RunInfo
from wfnb.render.text import escape
from wfnb.workflows.library.key_value_words import secrets
from wfnb.workflows.runner.active_run import ActiveRun
from wfnb.workflows.runner.parked_runs import TAKEN, due_runs, go_on
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools import watchdog_process
from wfnb.workflows.views.run_words import parked_text, run_sign

from .exit_codes import DONE, FAILED
from .output import PAPER, complain
from .run_control import SET
from .run_lookup import CommandPlace
from .signals import Signals

LOOK = 1.0
"""Seconds between two looks at what is due."""
HOLD = 60.0
"""Seconds that a run may wait here before it is parked again."""
MAX_RUNS = 20
_UNSUCCESSFUL = ("failed", "rolled_back", "partly_rolled_back", "cancelled")


class Worker:
    """The runs that go on in this process, by their ids. `refused` has how many events those had
    that could not go on: they are asked again when something has happened to them."""

    def __init__(self, place: CommandPlace, secret: Sequence[str], once: bool, json: bool) -> None:
        self.place, self.once, self.json = place, once, json
        self.secrets = secrets(secret, "wfnb work", SET.format("work"))
        self.going: dict[int, tuple[Runner, ActiveRun]] = {}
        self.refused: dict[int, int] = {}
        self.failed = False

    def begin(self) -> None:
        """Go on with what is due."""
        for info in due_runs(self.place.journal):
            if len(self.going) >= MAX_RUNS:
                return
            if info.id not in self.going and self.refused.get(info.id) != info.events:
                self._take(info)

    def _take(self, info: RunInfo) -> None:
        runner = self.place.runner(info)
        try:
            # A short wait is waited for here: parking and taking it again costs more than it holds.
            running = go_on(runner, info.name, self.secrets, 0.0 if self.once else HOLD)
        except TAKEN:  # or it was never parked: that is for who began it
            # Not asked again until something happens to it: each try reads its whole journal.
            self.refused[info.id] = info.events
            return
        except Refused as refusal:
            self.refused[info.id] = info.events
            self.failed = True
            complain(escape.line(f"wfnb: {info.name} does not go on: {refusal}"))
            return
        self.going[info.id] = runner, running
        self._tell(info.name, "running", f"{info.name} goes on")

    def settle(self) -> None:
        """Say what came of those that have ended, or are parked again."""
        # A copy: those that ended are taken out on the way.
        for id, (runner, running) in list(self.going.items()):
            if not running.is_done:
                continue
            del self.going[id]
            try:
                running.wait()
            except WfnbError as error:  # it can be resumed
                self.failed = True
                complain(escape.line(f"wfnb: {error}"))
                continue
            result = runner.result(running)
            self.failed |= result.status in _UNSUCCESSFUL
            parked = running.run.last_parked if running.run.parked else None
            said = f" {parked_text(parked.until)}" if parked else ""
            said = f": {result.error}" if result.error else said
            what = f"{running.name} {run_sign(result.status)}{said}"
            self._tell(running.name, result.status, what)

    def _tell(self, name: str, status: str, said: str) -> None:
        if self.json:
            PAPER.data({"run": name, "status": status})
        else:
            PAPER.say(escape.line(said))

    def leave(self) -> None:
        """Park what waits. Said at each look: a signal may come while a run is being taken."""
        for _, running in self.going.values():
            loop = running.run_loop
            # Its state belongs to the thread of its loop.
            loop.loop.call_soon_threadsafe(loop.park_now)

    def stop(self) -> None:
        """Cancel what goes on."""
        for _, running in self.going.values():
            running.interrupt()


def work(place: CommandPlace, secret: Sequence[str], once: bool, json: bool) -> int:
    """Go on with parked runs: with those that are due now (`once`), or until a signal comes."""
    worker = Worker(place, secret, once, json)
    watchdog_process.own()
    heard = Signals()
    with heard.telling(lambda count: worker.stop() if count > 1 else None):
        # After the first signal the runs here are parked or brought to their end before the process
        # goes.
        while not heard.count or worker.going:
            try:
                if heard.count:
                    worker.leave()
                else:
                    worker.begin()
                worker.settle()
            except JournalLocked:  # another process writes: at the next look
                pass
            if once and not worker.going:
                break
            # Runs in this process end at any time; what is due in the journal changes slowly.
            time.sleep(0.05 if worker.going else LOOK)
    PAPER.settle()
    if heard.first is not None:
        return 128 + heard.first
    return FAILED if worker.failed and once else DONE
