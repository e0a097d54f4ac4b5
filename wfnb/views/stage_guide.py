"""a stage -> what to do in it and what it asks for, as every view says it."""

from __future__ import annotations

from collections.abc import Iterator

from wfnb.core.strategy import Stage, Strategy
from wfnb.errors import spoken


def guide(stage: Stage) -> str:
    """Its prompt, and its fields with what each holds; "" where it has neither.

    >>> guide(Stage(prompt="Do one thing.", fields={"action": "what is done"}))
    'Do one thing. Fields: action (what is done).'
    """
    field_texts = ", ".join(
        f"{name} ({means})" if means else name for name, means in stage.fields.items()
    )
    return " ".join(filter(None, (stage.prompt, f"Fields: {field_texts}." if field_texts else "")))


def guide_lines(strategy: Strategy, current: str | None, following: list[str]) -> Iterator[str]:
    """Where a line stands, and what may come next, each with what to do there."""
    if current is not None and current in strategy.stages:
        yield _guide_line("now", current, strategy.stages[current])
    for name in following:
        yield _guide_line("next", name, strategy.stages[name])


def _guide_line(when: str, name: str, stage: Stage) -> str:
    return ": ".join(filter(None, (f"{when} {spoken(name)}", guide(stage))))
