"""faults -> what was recorded meanwhile, what was said, and what is there after it.

A process of its own, before whose libraries faulty.c is loaded.
"""

import ctypes
import json
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from wfnb.errors import JournalError
from wfnb.home_folder import Home
from wfnb.workflows.library.workflow_library import WorkflowLibrary

FLOW = {"steps": [{"id": "a", "tool": "sleep", "args": {"seconds": 0}}]}
Fault = tuple[int, int, int, int]
"""The kinds of calls, the number of the first that fails, its error, whether all after it do."""


def met(place: Path, fault: Fault) -> dict[str, Any]:
    """A session of two steps; then, while that fails, more steps, runs and another session; then
    one step more."""
    library = ctypes.CDLL(None)
    done, said = ["before"], []

    def tried(name: str, do: Callable[[], Any]) -> Any:
        try:
            found = do()
            done.append(name)
            return found
        except JournalError as error:
            said.append((type(error).__name__, str(error)))

    home = Home(place)
    home.start("demo").step("before")
    home.journal.close()
    library.fault(*fault)
    ws = tried("opened", lambda: Home(place).resume("demo"))
    home = home if ws is None else Home(place, ws.log.journal)
    for name in ("a", "b", "c") if ws is not None else ():
        tried(name, lambda name=name: ws.step(name))
    tried("run", lambda: (ws or home.resume("demo")).runs.run(FLOW))
    tried("other", lambda: home.start("other").step("other"))
    tried("status", lambda: home.resume("demo").status())
    calls = library.fault(0, 0, 0, 0)
    home.journal.close()
    there = Home(place)
    after = there.resume("demo")
    after.step("after")
    with closing(sqlite3.connect(place / "journal.db")) as db:
        (whole,) = db.execute("PRAGMA integrity_check").fetchone()
    library = WorkflowLibrary(place / "workflows")
    sessions = [there.look(each) for each in there.sessions()]
    return {
        "calls": calls,
        "done": done,
        "said": said,
        "whole": whole,
        "steps": [step.current.description for each in sessions for step in each.steps.values()],
        "runs": [run.status for run in there.journal.runs()],
        "saved": sum(each.success_count for each in library.list().workflows),
    }


if __name__ == "__main__":
    for number, fault in enumerate(json.loads(sys.argv[2])):
        found = met(Path(sys.argv[1]) / str(number) / ".wfnb", tuple(fault))
        print(json.dumps(found), flush=True)
