"""fields of a result -> the same with secrets taken out, as everybody else sees them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from wfnb.redaction import HIDDEN, Redaction, redaction
from wfnb.workflows.definition.truncation import Cut, PrintedValue, TextKeyDict

FLAGS = frozenset(("success", "timeout_occurred", "still_running"))
"""Fields that say how a call went: true or false, which tells no secret."""
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
        if isinstance(value, PrintedValue):
            return PrintedValue(told, value.kind)
        return Cut(told, value.size, value.kept) if isinstance(value, Cut) else told
    if isinstance(value, dict):
        found = {
            _redact_value(key, hidden): _redact_value(item, hidden) for key, item in value.items()
        }
        return TextKeyDict(found, value.kind) if isinstance(value, TextKeyDict) else found
    if isinstance(value, list):
        return [_redact_value(item, hidden) for item in value]
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and str(value) in hidden.spellings:
        return HIDDEN
    return value
