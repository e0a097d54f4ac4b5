"""loose values of a step, as a caller or a command line has them -> the fields of its command.

`"3"` means 3. What cannot be meant is refused (BadValue) with the field's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from wfnb.core import validation
from wfnb.core.events import Status
from wfnb.errors import BadOption, BadText, BadValue
from wfnb.investigations.core import finding_parser as found

_READ: Mapping[str, tuple[str, str, Callable[[str, Any], Any]]] = {
    "number": ("number", "step_number", validation.whole),
    "total": ("total", "total_steps", validation.whole),
    "next_step_needed": ("next_step_needed", "next_step_needed", validation.truth),
    "needs_more_steps": ("needs_more_steps", "needs_more_steps", validation.truth),
    "is_step_revision": ("is_step_revision", "is_step_revision", validation.truth),
    "revises": ("revises", "revises_step", validation.whole),
    "branch_from": ("leaves", "branch_from_step", validation.place),
    "backtrack": ("backtrack", "backtrack", validation.whole),
    "pause": ("pause", "pause", validation.truth),
}
"""A loose value of a step -> the command's field, the name of it in answers, how it is read."""


ALIASES: Mapping[str, str] = {
    "step_description": "description",
    "step_number": "number",
    "total_steps": "total",
    "revises_step": "revises",
    "branch_id": "branch",
    "branch_from_step": "branch_from",
}
"""The fields' own names -> the short ones that `Workspace.step` has for them."""


def resolve_aliases(pairs: Mapping[str, tuple[Any, Any]]) -> dict[str, Any]:
    """By each field's own name what was given under it and under its short name -> by the short
    name the one value. BadOption where the two differ."""
    found = {}
    for name, (long, short) in pairs.items():
        # The same value twice is no contradiction: programs fill in both.
        if long is not None and short is not None and long != short:
            what = f"{ALIASES[name]}={short!r:.40} and {name}={long!r:.40} contradict each other"
            raise BadOption("step", what, "Give one of the two.")
        found[ALIASES[name]] = long if short is None else short
    return found


@contextmanager
def rename_refusals(pairs: Mapping[str, tuple[Any, Any]]) -> Iterator[None]:
    """What is refused inside names the parameter that was used, not the field."""
    try:
        yield
    except (BadValue, BadText) as refusal:
        long, short = pairs.get(refusal.field, (True, None))
        if short is not None or long is None:
            refusal.field = ALIASES[refusal.field]
        raise


def fields(loose: Mapping[str, Any]) -> dict[str, Any]:
    """The loose values that a step takes, read; all others as they are, and none that is None.
    Those of what it found are one value, `findings`."""
    read = {
        field: reader(said, loose[name])
        for name, (field, said, reader) in _READ.items()
        if loose.get(name) is not None
    }
    says = found.findings(loose) if any(loose.get(name) for name in found.NAMES) else None
    rest = {n: value for n, value in loose.items() if n not in _READ and n not in found.NAMES}
    return read | rest | ({} if says is None else {"findings": says})


def status(outcome: str) -> Status:
    """The outcome that a caller may give; BadValue for another."""
    for known in ("ok", "failed", "interrupted"):
        if outcome == known:
            return known
    raise BadValue("outcome", str(outcome), "ok, failed or interrupted")


def named_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """Values by name, as JSON holds them; a NumPy number counts as the number it is."""
    if not isinstance(given, Mapping):
        raise BadValue("values", repr(given)[:60], "names with their values, {'rmse': 0.31}")
    return validation.fields({name: _plain(value) for name, value in given.items()})


def _plain(value: Any) -> Any:
    try:
        # By its method and not by its class: NumPy is not imported for this.
        return value.item() if hasattr(value, "item") else value
    except ValueError:  # an array of several
        return value
