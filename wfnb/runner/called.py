"""a run, a call of it -> what is called, whether that may be done twice, and what it is passed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfnb.core.runs.events import CallStarted
from wfnb.core.runs.run import Run
from wfnb.errors import ToolUnknown
from wfnb.tools.registry import Registry
from wfnb.workflow.known import NESTED
from wfnb.workflow.models import Compensation, Work
from wfnb.workflow.template import fill


def called_by(run: Run, event: CallStarted) -> Work | Compensation:
    """The action, or its compensation."""
    return _meant(run, event.action, event.undoes is not None)


def _meant(run: Run, action: str, undoes: bool) -> Work | Compensation:
    work = run.work(action)
    if not undoes:
        return work
    assert work.compensation is not None
    return work.compensation


def idempotent(run: Run, tools: Registry, action: str, undoes: bool) -> bool:
    """Whether it may be called again when nobody knows whether it was done."""
    meant = _meant(run, action, undoes)
    if meant.idempotent is not None:
        return meant.idempotent
    if meant.tool == NESTED:
        return True  # all it did is recorded: it is not begun again, it goes on
    try:
        return tools.get(meant.tool).idempotent
    except ToolUnknown:
        return True  # it will not be called


def passed(run: Run, event: CallStarted, secret: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parameters as the tool gets them: what was recorded, with what is recorded nowhere."""
    if not secret:
        return event.params
    known = run.scope if event.undoes is None else run.armed[event.undoes]
    return fill(dict(called_by(run, event).params), {**known, **secret})
