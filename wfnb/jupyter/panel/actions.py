"""a request -> what it asks for: looked at, or done as the magic of that name does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from wfnb.core.session import Session
from wfnb.core.values import MAIN, Place
from wfnb.errors import NothingRecorded, RunEndedAlready, StepUnknown
from wfnb.jupyter.notebook import Notebook
from wfnb.views import live
from wfnb.views.entries import run_sign
from wfnb.views.text.escape import printable

from . import requests as ask
from .followed import Followed
from .publisher import Publisher


@dataclass(frozen=True)
class Around:
    """What a request is answered with; `asker` names the front end that asks."""

    notebook: Notebook
    publisher: Publisher
    asker: str

    def followed(self, what: str) -> Followed:
        """The session that is looked at. NothingRecorded where there is none."""
        found = self.publisher.following.now()
        if found is None:
            raise NothingRecorded(what)
        return found


# looked at: nothing is opened by it


def snapshot(around: Around, asked: ask.Snapshot) -> Any:
    return around.publisher.snapshot()


def rows(around: Around, asked: ask.Rows) -> Any:
    chosen = {name: text for name, text in asked.filter if text}
    followed = around.followed("rows")
    with followed.still() as session:
        started = around.publisher.runs.started()
        return live.rows_page(session, asked.first, asked.count, chosen, started)


def card(around: Around, asked: ask.Card) -> Any:
    with around.followed("card").still() as session:
        _place(session, asked.key)
        return live.card(session, asked.key)


def compare(around: Around, asked: ask.Compare) -> Any:
    with around.followed("compare").still() as session:
        return live.comparison(session, asked.lines or list(session.lines))


def open_run(around: Around, asked: ask.OpenRun) -> Any:
    followed = around.followed("run")
    return around.publisher.runs.opened(followed, asked.run, around.asker)


def close_run(around: Around, asked: ask.CloseRun) -> None:
    around.publisher.runs.closed(asked.run, around.asker)


def workflows(around: Around, asked: ask.Workflows) -> Any:
    from .workflows import saved  # noqa: PLC0415  heavy: what performs workflows

    return saved(around.notebook)


# done: in the session in use, which is opened by the first


def start(around: Around, asked: ask.Start) -> Any:
    from .workflows import given  # noqa: PLC0415  as above

    runner = around.notebook.runner()
    variables, secrets = given(runner, asked.workflow, asked.variables)
    running = runner.start(asked.workflow, variables=variables, secrets=secrets)
    return around.publisher.runs.head(around.followed(asked.ask), running.name)


def cancel(around: Around, asked: ask.Cancel) -> str | None:
    """At once: as the second interrupt of its cell does, where this kernel performs it. One that
    ended before this was read is what was wanted, and no refusal: how it ended."""
    runner = around.notebook.runner()
    running = runner.running(asked.run) if asked.at_once else None
    if running is not None:
        running.interrupt(at_once=True)
        return None
    try:
        runner.cancel(asked.run)
    except RunEndedAlready as ended:
        return f"Run {printable(asked.run)} had ended: {run_sign(ended.status)}."
    return None


def resume(around: Around, asked: ask.Resume) -> Any:
    running = around.notebook.runner().resume(asked.run)
    return around.publisher.runs.head(around.followed(asked.ask), running.name)


def answer(around: Around, asked: ask.Answer) -> None:
    """To the call that was seen to ask: the same action may ask something else by now."""
    from wfnb.runner.here import performance_of  # noqa: PLC0415  as above
    from wfnb.runner.running import answered_call  # noqa: PLC0415  as above

    log = around.notebook.runner().log(asked.run)
    answered_call(log, asked.answer, asked.call, performance_of(log))


def report(around: Around, asked: ask.Report) -> Any:
    workspace = around.notebook.open()
    text = workspace.exported(f".{asked.form}")
    return {"name": f"{workspace.session.name}.{asked.form}", "text": text}


def switch(around: Around, asked: ask.Switch) -> None:
    around.notebook.open().switch(asked.branch)


def select(around: Around, asked: ask.Select) -> None:
    around.notebook.open().select(asked.branch, asked.reason)


def abandon(around: Around, asked: ask.Abandon) -> None:
    around.notebook.open().abandon(asked.branch, asked.reason)


def confirm(around: Around, asked: ask.Confirm) -> None:
    workspace = around.notebook.open()
    with workspace.still() as session:
        place = _place(session, asked.key)
    workspace.confirm(place)


def undo(around: Around, asked: ask.Undo) -> str:
    return f"undone: {around.notebook.open().undo()}"


def redo(around: Around, asked: ask.Redo) -> str:
    return f"redone: {around.notebook.open().redo()}"


def _place(session: Session, key: int) -> Place:
    """Where the step of that key is. StepUnknown lists the numbers of main."""
    if key not in session.steps:
        raise StepUnknown(key, MAIN, tuple(session.lines[MAIN].numbers))
    step = session.steps[key]
    return Place(number=step.number, branch=step.branch)


ACTIONS: Mapping[type[ask.Request], Callable[[Around, Any], Any]] = {
    ask.Snapshot: snapshot,
    ask.Rows: rows,
    ask.Card: card,
    ask.Compare: compare,
    ask.OpenRun: open_run,
    ask.CloseRun: close_run,
    ask.Workflows: workflows,
    ask.Report: report,
    ask.Start: start,
    ask.Cancel: cancel,
    ask.Resume: resume,
    ask.Answer: answer,
    ask.Switch: switch,
    ask.Select: select,
    ask.Abandon: abandon,
    ask.Confirm: confirm,
    ask.Undo: undo,
    ask.Redo: redo,
}
