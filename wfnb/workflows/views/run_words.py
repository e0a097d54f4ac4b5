"""a status, a time, a condition, a result -> the few words that every view of a run says of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from math import inf
from typing import Any, cast

from wfnb.errors import spoken
from wfnb.render.drawing.graph import State
from wfnb.views.step_words import cut, run_sign, seconds, short
from wfnb.workflows.core.events import QuestionAsked
from wfnb.workflows.core.run import Call, Run
from wfnb.workflows.definition.models import Condition, Need

__all__ = [
    "condition",
    "displayed_state",
    "iso",
    "need_words",
    "no_answer_note",
    "parked_text",
    "result_line",
    "run_sign",
    "said_line",
    "seconds",
    "status_of",
    "tool_words",
]

_TELLING = (
    *("message", "match_text", "output", "stdout", "result", "value", "answer"),
    "screen_content",
)
_SAID_ELSEWHERE = frozenset(
    {"success", "skipped", "timeout_occurred", "error", "timestamp", "elapsed_time"}
)


def status_of(run: Run) -> str:
    """How it ended, `running`, `parked` where it waits in no process, or `interrupted` where it
    runs no longer and did not end."""
    parked = run.last_parked is not None and run.parked
    return "interrupted" if run.lost else "parked" if parked else run.status


def displayed_state(run: Run, call: Call) -> State:
    """What came of a call: one that a run had begun that lost its process goes on no more."""
    return "interrupted" if run.lost and call.status == "running" else call_state(call.status)


def call_state(status: str) -> State:
    """
    >>> call_state("timed_out")
    'timed out'
    """
    return cast("State", spoken(status))


def iso(at: float | None) -> str | None:
    """Seconds since 1970 as ISO 8601, UTC, to the millisecond.

    >>> iso(0.25)
    '1970-01-01T00:00:00.250+00:00'
    """
    return (
        None if at is None else datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
    )


def parked_text(until: float | None) -> str:
    """Until when a parked run waits, by this machine's clock.

    >>> parked_text(None)
    'until it is answered'
    """
    if until is None or until == inf:
        return "until it is answered"
    return f"until {datetime.fromtimestamp(until).astimezone():%Y-%m-%d %H:%M:%S %z}"


def condition(asked: Condition) -> str:
    """What has to hold, in a few words.

    >>> condition(Condition(success=False)), condition(Condition(field_equals={"exit_code": 0}))
    ('not success', 'exit_code = 0')
    >>> condition(Condition(field_equals={"exit_code": "0"}))
    'exit_code = "0"'
    >>> condition(Condition(any=(Condition(pattern_match="pass"), Condition(success=True))))
    '/pass/ or success'
    >>> condition(Condition(timeout_occurred=False, any=(
    ...     Condition(pattern_match="a"), Condition(success=True))))
    'no timeout and (/a/ or success)'
    """
    parts = list(_parts(asked))
    several = len(parts) > 1
    return " and ".join(f"({part})" if several and " or " in part else part for part in parts)


def need_words(need: Need) -> str:
    """How a step that is waited for may have ended.

    >>> need_words(Need(id="a", even_if="failed")), need_words(Need(id="a", only_if="failed"))
    ('even if it failed', 'only if it failed')
    """
    return "only if it failed" if need.only_if else "even if it failed" if need.even_if else ""


def _parts(asked: Condition) -> Iterator[str]:
    if asked.success is not None:
        yield "success" if asked.success else "not success"
    if asked.pattern_match is not None:
        yield f"/{asked.pattern_match}/"
    if asked.pattern_not_match is not None:
        yield f"no /{asked.pattern_not_match}/"
    for name, value in (asked.field_equals or {}).items():
        yield f"{name} = {_json(value)}"
    for name, value in (asked.field_contains or {}).items():
        yield f"{name} has {_json(value)}"
    if asked.timeout_occurred is not None:
        yield "timeout" if asked.timeout_occurred else "no timeout"
    if asked.any:
        yield _join_conditions(asked.any, " or ")
    if asked.all:
        yield _join_conditions(asked.all, " and ")
    if asked.not_ is not None:
        yield f"not ({condition(asked.not_)})"
    if asked.expression is not None:
        yield cut(asked.expression, 60)


def _join_conditions(asked: tuple[Condition, ...], word: str) -> str:
    several = len(asked) > 1
    said = (condition(each) for each in asked)
    return word.join(f"({each})" if several and " " in each else each for each in said)


def _json(value: Any) -> str:
    """As JSON, which `field_equals` compares: the text "0" is not the number 0."""
    return cut(json.dumps(value, ensure_ascii=False, default=str), 30)


def _value(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return short(value, 30)


def result_line(result: Mapping[str, Any], width: int = 80) -> str:
    """What came back, in a line: the field that tells most, else a few by name.

    >>> result_line({"success": True, "exit_code": 0, "stdout": "3 passed"})
    '3 passed'
    >>> result_line({"success": True, "count": 3, "rate": 0.5})
    'count 3 · rate 0.5'
    """
    for name in _TELLING:
        value = result.get(name)
        if value not in (None, "", [], {}):
            return cut(_first_line(value, 60), 60)
    fields = (
        f"{name} {short(_first_line(value, 30) if isinstance(value, str) else value, 30)}"
        for name, value in result.items()
        if name not in _SAID_ELSEWHERE and value not in (None, "", [], {})
    )
    # `range` first: zip would else take and format a fifth field.
    return cut(" · ".join(field for _, field in zip(range(4), fields, strict=False)), width)


def said_line(result: Mapping[str, Any]) -> str:
    """What a tool had to say, in a line: what it printed, gave or was answered. Nothing else of a
    result is shown where a notebook keeps it: ids and times differ when the same happens again.

    >>> said_line({"success": True, "stdout": "3 passed\\n", "session_id": "session_1f"})
    '3 passed'
    """
    for name in ("stdout", "result", "answer", "match_text"):
        value = result.get(name)
        if value not in (None, "", [], {}):
            return cut(_first_line(value, 60), 60)
    return ""


def no_answer_note(question: QuestionAsked) -> str:
    """What comes of a question that nobody answers; nothing, where it waits for ever.

    >>> no_answer_note(QuestionAsked(call=1, question="Go on?", default="yes", timeout=30))
    'default: yes, taken after 30 s'
    >>> no_answer_note(QuestionAsked(call=1, question="Go on?", timeout=0.3))
    'fails after 0.3 s'
    """
    after = "" if question.timeout is None else f"after {seconds(question.timeout)}"
    if question.default is None:
        return f"fails {after}" if after else ""
    default = "a secret" if question.secret else cut(str(question.default), 60)
    return f"default: {default}" + (f", taken {after}" if after else "")


def _first_line(value: Any, width: int) -> str:
    text = value if isinstance(value, str) else short(value, width)
    # A text may be megabytes, and one line of it is told.
    lines = (line.strip() for line in text[: 20 * width].splitlines())
    return next((line for line in lines if line), "")


def tool_words(tool: str, params: Mapping[str, Any]) -> str:
    """A call in a line: the tool and what it is called with."""
    said = (f"{name}={_value(value)}" for name, value in params.items())
    return cut(f"{tool}({', '.join(said)})", 300)
