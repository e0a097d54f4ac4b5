"""a scenario and a moment -> a process that performs it and kills itself then; many a second.

A fork server, a process that has imported everything and has no thread, is forked for each life.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.journal.processes import other_process
from wfnb.errors import CallUncertain, Refused, RunAlive, RunEndedAlready, RunNotResumable
from wfnb.journal import Codec, SqliteJournal
from wfnb.workflows.core.commands import Lost
from wfnb.workflows.core.events import RUN_KINDS
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.call_context import Context
from wfnb.workflows.tools.registry import tool

from .place import runner_on
from .scenarios import SCENARIOS

CODEC = Codec()
Moment = tuple[str, int]
"""`before` or `after`, and the number of a write to the journal, from 1."""


class Mortal(SqliteJournal):
    """A journal whose process is killed right before, or after, it writes for the nth time."""

    writes = 0
    end: Moment | None = None

    def _mortally(self, write: Callable[[], Any]) -> Any:
        self.writes += 1
        if self.end == ("before", self.writes):
            os.kill(os.getpid(), signal.SIGKILL)
        written = write()
        if self.end == ("after", self.writes):
            os.kill(os.getpid(), signal.SIGKILL)
        return written

    def begin_run(self, *args: Any, **names: Any) -> Any:
        return self._mortally(lambda: SqliteJournal.begin_run(self, *args, **names))

    def append_run(self, *args: Any, **names: Any) -> Any:
        return self._mortally(lambda: SqliteJournal.append_run(self, *args, **names))


def done(folder: Path, what: object) -> None:
    """A side effect: a line that the system has before this returns, and so outlives a kill."""
    file = os.open(folder / "effects", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    os.write(file, f"{json.dumps(what)}\n".encode())
    os.close(file)


def effects(folder: Path) -> list[Any]:
    """What was done, in order."""
    with suppress(FileNotFoundError):
        return [json.loads(line) for line in (folder / "effects").read_text().splitlines()]
    return []


def register() -> None:
    """The tools of the scenarios."""

    @tool(idempotent=True)
    def note(context: Context, what: Any, fails: int = 0) -> dict[str, Any]:
        """Does it, and fails in its first attempts."""
        done(context.folder, [context.action, what, context.attempt])
        if context.attempt <= fails:
            raise ValueError(f"attempt {context.attempt}")
        return {"noted": what, "next": what + 1 if isinstance(what, int) else what}

    @tool
    async def pay(context: Context, what: str) -> None:
        """Must not be done twice."""
        done(context.folder, [context.action, what, context.attempt])

    @tool(idempotent=True)
    def fail(context: Context) -> None:
        done(context.folder, [context.action, "fail", context.attempt])
        raise ValueError("no")


def life(
    folder: Path,
    scenario: str,
    end: Moment | None,
    lost: Lost,
    cancels: bool = False,
    parks: bool = False,
) -> dict[str, Any]:
    """Start the run or, where there is one, go on with it, or cancel it, to its end; or, where it
    `parks`, until all it does is wait."""
    folder.mkdir(parents=True, exist_ok=True)
    journal = Mortal(folder / "home" / "journal.db", codec=CODEC)
    runner = runner_on(journal, folder / "home")
    journal.end = end
    secrets = {"token": "a-long-word"} if "variables" in SCENARIOS[scenario] else {}
    begun = runner.runs()
    if begun and begun[-1].status != "running" and not cancels:
        return {"status": begun[-1].status, "writes": journal.writes}
    try:
        if begun and cancels:
            log = runner.cancel(begun[-1].name, rollback=True)
            return {"status": log.run.status, "writes": journal.writes}
        more: dict[str, Any] = {"save": False, "secrets": secrets, "park": 0.0 if parks else None}
        if begun:
            if parks:
                answer(runner)
            outermost = [info for info in begun if info.parent is None]
            running = runner.resume(outermost[-1].name, lost=lost, **more)
        else:
            running = runner.start(SCENARIOS[scenario], **more)
    except CallUncertain as uncertain:
        return {"uncertain": list(uncertain.calls), "writes": journal.writes}
    except (RunAlive, RunEndedAlready, RunNotResumable) as taken:
        return {"taken": str(taken)}
    while not running.wait(0.01):
        if not parks:
            answer(runner)
    return {"status": running.run.status, "writes": journal.writes}


def answer(runner: Runner) -> None:
    for asking in runner.open_questions():
        with suppress(Refused):  # it was just answered, and has not gone on
            runner.answer("yes", asking.questions[0].action, asking.log.name)


def lives(line: Connection) -> None:
    """Fork a life for each job that comes."""
    register()
    for kind in RUN_KINDS:
        CODEC._learn(RUN_KINDS)
        CODEC._reader(kind, 1)
    assert Runner
    gc.freeze()  # no life looks through all this for garbage, which would copy it
    while (job := line.recv()) is not None:
        line.send(_forked(*job))


def _forked(
    folder: Path,
    scenario: str,
    end: Moment | None,
    lost: Lost,
    cancels: bool,
    parks: bool,
    reached: int | None,
    late: float,
) -> dict[str, Any] | None:
    """What a life says at its end; None: it was killed. `reached` side effects and `late` seconds
    after that it is killed from here."""
    out, into = os.pipe()
    child = os.fork()
    if not child:
        try:
            said = life(folder, scenario, end, lost, cancels, parks)
        except BaseException as error:
            said = {"error": f"{type(error).__name__}: {error}"}
        os.write(into, json.dumps(said).encode())
        os._exit(0)
    os.close(into)
    if reached is not None:
        while len(effects(folder)) < reached and not select.select([out], [], [], 0.001)[0]:
            pass
        time.sleep(late)
        os.kill(child, signal.SIGKILL)
    with open(out, "rb") as answer:
        text = answer.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return None
    return json.loads(text)  # type: ignore[no-any-return]


class ForkServer:
    """The line to a process that forks a life for each job."""

    def __init__(self, line: Connection) -> None:
        self._line = line

    def live(
        self,
        folder: Path,
        scenario: str,
        end: Moment | None = None,
        lost: Lost = "ask",
        cancels: bool = False,
        parks: bool = False,
        reached: int | None = None,
        late: float = 0.0,
    ) -> dict[str, Any] | None:
        self._line.send((folder, scenario, end, lost, cancels, parks, reached, late))
        said = self._line.recv()
        assert said is None or "error" not in said, said
        return said  # type: ignore[no-any-return]


@contextmanager
def fork_server() -> Iterator[ForkServer]:
    with other_process(lives) as line:
        yield ForkServer(line)
        line.send(None)
