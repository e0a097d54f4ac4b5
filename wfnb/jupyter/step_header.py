"""the YAML over a step's code, and the options of its line -> both together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfnb.data_files import plain_yaml
from wfnb.errors import BadOption, nearest

from .magic_options import StepOptions

LISTS = ("finding", "files", "relevant", "context", "issues", "model", "confirms", "refutes")
"""What may be said several times: what the line and the header say counts both."""
_FIELDS = {
    **{name: name for name in (*LISTS, "hypothesis", "confidence", "set")},
    "findings": "finding",
    "file": "files",
    "issue": "issues",
    "models": "model",
}


def merge_header(header: str, options: StepOptions) -> tuple[StepOptions, Mapping[str, Any]]:
    """The options with what the header says, and the fields that its `set` sets. BadOption for YAML
    that does not read, for what a header cannot say, and for what is said in both and can only be
    one."""
    found, fields = dict(vars(options)), dict[str, Any]()
    for key, value in _load_header(header).items():
        field = _FIELDS.get(key)
        if field is None:
            way = f"{nearest(str(key), tuple(_FIELDS))}It may have {', '.join(_FIELDS)}."
            raise BadOption("%%step", f"the header says {str(key)[:60]!r}", way)
        if value is None:
            continue
        if field in LISTS:
            several = value if isinstance(value, list) else [value]
            found[field] = (*found.get(field, ()), *map(_text, several))
        elif field == "set":
            fields = dict(_mapping(value))
        elif field in found:
            what = f"{key} is said on the line and in the header"
            raise BadOption("%%step", what, "Say it in one of the two.")
        else:
            found[field] = _text(value)
    return StepOptions(**found), fields


def _load_header(header: str) -> Mapping[str, Any]:
    try:
        # With the words as written under `set`: what they mean depends on the field that they are
        # for.
        return _mapping(plain_yaml.load_with_plain(header, "set") or {})
    except ValueError as error:
        way = "Texts with a colon or a # go in quotes."
        raise BadOption("%%step", f"its header is no YAML: {error}", way) from None


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadOption(
            "%%step", "its header has no NAME: VALUE", "Written: finding: the loop is left"
        )
    return value


def _text(value: Any) -> Any:
    """What YAML took for a number is the word that was written, `high: no check` one text."""
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value)
        case dict() if len(value) == 1:
            ((name, text),) = value.items()
            return f"{name}: {_text(text)}"
    return value
