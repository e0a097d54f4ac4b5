"""a step -> what it kept, and what it could not, as a card shows it."""

from __future__ import annotations

from typing import Any

from wfnb.core.kept_values import KeptValue
from wfnb.core.session import Step
from wfnb.render.text import escape
from wfnb.views.kept_value_words import held_text, kept_data, now_kept
from wfnb.views.step_words import cut

MAX_NAMES, MAX_TEXT_LENGTH = 60, 300
"""Names of a card; characters of what is said of each."""


def kept_count(step: Step) -> int:
    """How many names restoring brings back."""
    return 0 if step.kept is None else len(step.kept.names)


def kept_card(step: Step) -> dict[str, Any] | None:
    """`says` whose values they are; None where nothing was to be kept."""
    rows = [] if step.kept is None else [(one.name, _value(one)) for one in step.kept.values]
    says = "kept"
    if step.kept is None:
        lost = (kept_data(step) or {}).get("not_kept", {})
        rows = [(name, f"not kept: {why}") for name, why in lost.items()]
        says = "not kept"
    elif now_kept(step) is None:
        # What could not be kept now does not take away what was kept before.
        older = step.kept_in < len(step.versions)
        says = f"kept by {f'version {step.kept_in}' if older else 'an earlier attempt'}"
    if not rows:
        return None
    shown = [{"name": _line(name), "value": _line(value)} for name, value in rows[:MAX_NAMES]]
    return {"says": says, "values": shown, "more": max(0, len(rows) - MAX_NAMES)}


def _value(value: KeptValue) -> str:
    if value.group is None:
        return f"not kept: {value.why_not or 'it is not in the store'}"
    return held_text(value)


def _line(text: str) -> str:
    return cut(escape.line(text), MAX_TEXT_LENGTH)
