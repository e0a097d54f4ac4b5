"""a run that goes on -> its end, waited for by a cell that did not start it.

The cell owns nothing of the run: an interrupt ends the waiting, and is told with the way to stop
the run. It raises no KeyboardInterrupt, which may come in the middle of anything.
"""

from __future__ import annotations

from signal import SIGINT
from time import sleep

from wfnb.errors import RunGoesOn
from wfnb.process_identity import has_ended
from wfnb.workflows.run_log import RunLog
from wfnb.workflows.runner.active_run import ActiveRun
from wfnb.workflows.runner.interrupts import Interrupts

from .question_prompt import Prompt

LOOK = 0.2
"""Seconds between two looks at a run."""


def end_here(running: ActiveRun, takes_input: bool) -> None:
    """Wait for a run of this process, and ask what it asks. Raises RunGoesOn where an interrupt
    came first."""
    interrupts = running.interrupts = Interrupts(SIGINT)
    prompt = Prompt(running, takes_input, ends=False)
    with interrupts.telling(lambda count: None):
        while not running.wait(LOOK):
            try:
                prompt.ask()
            except KeyboardInterrupt:  # at the prompt
                interrupts.count_signal(SIGINT)
            if interrupts.count:
                raise RunGoesOn(running.name)


def end_elsewhere(log: RunLog) -> None:
    """Wait for a run of another process, or until that is gone. Raises RunGoesOn where an interrupt
    came first."""
    interrupts = Interrupts(SIGINT)
    with interrupts.telling(lambda count: None):
        while log.run.status == "running" and not has_ended(log.run.process):
            sleep(LOOK)
            log.refresh()
            if interrupts.count:
                raise RunGoesOn(log.name)
