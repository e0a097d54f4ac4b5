"""session, a command of an investigation -> the events that follow from it, or a refusal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wfnb.core import validation
from wfnb.core.events import Event
from wfnb.core.findings import LONGEST_NAME, Look
from wfnb.core.investigation_reducer import fresh
from wfnb.core.kind import LOOKS
from wfnb.core.requirements import open_step
from wfnb.core.session import Session
from wfnb.errors import BadValue

from .commands import LookAt
from .events import LookedAt

MOST_LOOKS = 50
"""Looks that are kept while one step is awaited."""


def look_at(session: Session, command: LookAt) -> list[Event]:
    """Nothing, where no step is awaited, or what looked began before that step was recorded, or
    before the kind was chosen. The same is kept once, and what was looked at before and is as it
    was then is nothing new. Of several that one command gives, the first
    stands for it; the others tick only what asks for them by name."""
    now, step = session.investigation, open_step(session)
    if now is None or (step is None and now.awaiting is not None):
        return []
    if (now.chosen if step is None else step.key) > command.since:
        return []
    known = {(look.kind, look.what) for look in now.looks}
    new: list[Look] = []
    for look in combine_looks(fresh(session, command.looks)):
        if look.kind not in LOOKS:
            raise BadValue("look", look.kind, f"one of {', '.join(LOOKS)}")
        validation.line("look", look.what, LONGEST_NAME)
        if (look.kind, look.what) not in known and len(known) < MOST_LOOKS:
            known.add((look.kind, look.what))
            new.append(look)
    return [LookedAt(looks=tuple(new))] if new else []


def combine_looks(looks: Sequence[Look]) -> tuple[Look, ...]:
    """What one command looked at: the first stands for it, the others tick what names them."""
    rest = (replace(each, ticks="named") if each.ticks == "any" else each for each in looks[1:])
    return (*looks[:1], *rest)
