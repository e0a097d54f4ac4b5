"""fields of a result -> the same with secrets taken out, as everybody else sees them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from wfnb.redaction import HIDDEN, Redaction, redaction
from wfnb.workflows.definition.truncation import Cut, PrintedValue, TextKeyDict, source_of
from wfnb.workflows.definition.value_forms import Form, Live, Lost, Source, with_source

FLAGS = frozenset(("success", "timeout_occurred", "still_running"))
"""Fields that say how a call went: true or false, which tells no secret."""
_WHY = "a secret is in it, which is written nowhere"
READ = FLAGS | {"error", "error_type", "captures"}
"""Names of the fields that are read by others than workflows."""


def redact_result(
    fields: Mapping[str, Any], secrets: Iterable[str], names: Collection[str] = ()
) -> dict[str, Any]:
    """What the rest of the run sees of a result. `names` are those of fields that are known before
    the call, so that they hold no secret.

    >>> redact_result({"stdout": "token is s3cret\\n"}, ["s3cret"])
    {'stdout': 'token is •••\\n'}
    """
    hidden = redaction(secrets)
    if not hidden.spellings:
        return dict(fields)
    known = {*READ, *names}
    return {
        name if name in known else str(_redact_value(name, hidden)): _field(name, value, hidden)
        for name, value in fields.items()
    }


def _field(name: str, value: Any, hidden: Redaction) -> Any:
    if name in FLAGS and isinstance(value, str | int | float):
        return bool(value)
    return _redact_value(value, hidden)


def _redact_value(value: Any, hidden: Redaction) -> Any:
    if isinstance(value, str):
        told = hidden(value)
        # A new object of the same kind: the marks would be lost with a plain text, and a later
        # call would get the short text for the whole.
        if isinstance(value, Cut):
            source = _whole_text(value.source, hidden)
            return Cut(told, value.size, value.kept, source=source, why=value.why)
        source = _source(value, told)
        if isinstance(value, PrintedValue):
            return PrintedValue(told, value.kind, source, value.why if told == value else _WHY)
        return with_source(told, source)
    if isinstance(value, dict):
        found = {
            _redact_value(key, hidden): _redact_value(item, hidden) for key, item in value.items()
        }
        source = _source(value, found)
        if isinstance(value, TextKeyDict):
            return TextKeyDict(found, value.kind, source)
        return with_source(found, source)
    if isinstance(value, list):
        items = [_redact_value(item, hidden) for item in value]
        return with_source(items, _source(value, items))
    # Before numbers, as bool is an int: a flag tells no secret.
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and str(value) in hidden.spellings:
        return HIDDEN
    return value


def _source(value: Any, redacted: Any) -> Source | None:
    """Where the value itself is: nowhere, if a secret was in it."""
    source = source_of(value)
    if source is None or redacted == value:
        return source
    if not isinstance(value, Form):
        return None
    return source.lost(_WHY) if isinstance(source, Live) else Lost(kind="value", why=_WHY)


def _whole_text(source: Source | None, hidden: Redaction) -> Source | None:
    return Live(hidden(source.value)) if isinstance(source, Live) else source
