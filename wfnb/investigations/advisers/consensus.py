"""session -> the models that a proposal is put to, what they see of it, and who has not replied."""

from __future__ import annotations

from wfnb.core.session import Session, Step
from wfnb.investigations.core.finding_parser import models
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.reducer import counts
from wfnb.investigations.core.requirements import fields

from . import prompts
from .adviser import Request

Model = tuple[str, str]


def models_in_order(session: Session) -> tuple[Model, ...]:
    """Each model with its stance, in the order in which they were named; none in other kinds."""
    now = investigation_of(session)
    if now is None or now.kind.total.rule != "models" or now.kind.total.count is None:
        return ()
    return models(fields(now).get(now.kind.total.count) or [])


def silent(session: Session, again: bool = False) -> tuple[Model, ...]:
    """The models that were not asked yet; `again`: also those that did not reply."""
    now = investigation_of(session)
    heard = {
        (each.adviser, each.stance)
        for key, each in (now.advice if now is not None else ())
        if each.role == "model" and _counts(session, key) and not (again and each.error)
    }
    return tuple(model for model in models_in_order(session) if model not in heard)


def first_counted_step(session: Session) -> Step | None:
    """The first step that counts: it is what is put to the models."""
    return next((step for step in session.steps.values() if counts(session, step)), None)


def request(session: Session, step: Step, stance: str) -> Request:
    """A model sees the proposal, and nothing of what others think of it."""
    now = investigation_of(session)
    return Request(
        prompt=step.current.description,
        system=prompts.system("model", stance),
        role="model",
        stance=stance,
        kind=now.kind.name if now is not None else "",
        session=session.name,
    )


def _counts(session: Session, key: int) -> bool:
    step = session.steps.get(key)
    return step is not None and counts(session, step)
