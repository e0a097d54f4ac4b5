"""a problem, an adviser's reply -> how many steps it may take, and who says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfnb.investigations.core.events import Advice
from wfnb.investigations.core.investigation import Investigation
from wfnb.investigations.core.kind import Kind
from wfnb.investigations.core.requirements import Standing, fields, floor
from wfnb.investigations.core.step_estimate import Estimate, estimate

from . import prompts
from .adviser import Request

NO_NUMBER = f"its reply has no whole number from 1 to {prompts.MAX_STEPS}"


def request(problem: str, kind: Kind, session: str) -> Request:
    return Request(
        prompt=f"{kind.title or kind.name}\n\n{problem}",
        system=prompts.system("planner"),
        role="planner",
        kind=kind.name,
        session=session,
    )


def advised_total(now: Investigation, advice: Advice, said: Mapping[str, Any]) -> int | None:
    """The adviser's number, not below what the kind needs where its fields say this; None where
    the reply has none."""
    number = None if advice.text is None else prompts.number(advice.text)
    kind, rule = now.kind, now.kind.total
    level, told = kind.confidence.default, fields(now, said)
    at = Standing(kind=kind, turn=1, total=rule.usual, level=level, fields=told)
    return None if number is None else max(number, floor(at))


def suggest_estimate(problem: str, now: Investigation, advice: Advice) -> Estimate:
    """The adviser's number with what it says of it; the built-in estimate where it has none."""
    number = advised_total(now, advice, {})
    if number is not None:
        said = " ".join((advice.text or "").split())
        return Estimate(total=number, why=(f"{advice.adviser}: {said[:200]}",))
    why = advice.error or NO_NUMBER
    own = estimate(problem, now.kind)
    return Estimate(total=own.total, why=(f"{advice.adviser}: {why}", *own.why))
