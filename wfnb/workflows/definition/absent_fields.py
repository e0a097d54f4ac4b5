"""a result -> what the fields mean that it leaves out: no failure, nothing cut, nothing replaced.

A result says what went otherwise than usual, and no more. Who asks whether it did is answered all
the same: `stdout_invalid == 0` and `timeout_occurred: false` hold of a command that went well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

NO_FAILURE = {"error": None, "error_type": None, "timeout_occurred": False}
"""Fields that any result may have, as an expression reads them where it lacks them."""
OUTCOME_UNKNOWN = "outcome_unknown"
"""A field of the result of a call that was ended from outside: nobody knows what it has done."""
STILL_RUNNING = "still_running"
"""A field of the result of a call that goes on, though nobody waits for it any more."""
ANY_RESULT: Mapping[str, str] = {
    **dict.fromkeys(("error", "error_type", "missed"), "string"),
    **dict.fromkeys(("success", "timeout_occurred"), "boolean"),
    **dict.fromkeys((STILL_RUNNING, OUTCOME_UNKNOWN, "taken_as_done"), "boolean"),
}
"""Fields that the engine may put to the result of any tool, with their JSON types."""
_AS_USUAL = NO_FAILURE | dict.fromkeys((OUTCOME_UNKNOWN, STILL_RUNNING, "taken_as_done"), False)
_PRINTED = ("stdout", "stderr", "text")
"""Texts of which a result says their size where they were cut, and how much of them was no text."""


def absent_field(result: Mapping[str, Any], name: str) -> Any:
    """What a field means that is not in the result: null, where it has no such meaning.

    >>> absent_field({"stdout": "one"}, "stdout_size"), absent_field({}, "timeout_occurred")
    (3, False)
    """
    return (_AS_USUAL | dict(_of_texts(result))).get(name)


def _of_texts(result: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    for name in _PRINTED:
        if isinstance(text := result.get(name), str):
            yield f"{name}_size", len(text)
            yield f"{name}_invalid", 0


class AbsentFields(Mapping[str, Any]):
    """What a result leaves out, to be asked for and not to be listed."""

    def __init__(self, result: Mapping[str, Any]) -> None:
        self._result = result

    def __getitem__(self, name: str) -> Any:
        return (_AS_USUAL | dict(_of_texts(self._result)))[name]

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class AskedResult(dict[str, Any]):
    """A result, in which what it leaves out can be asked for; as a whole it is as it was."""

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in AbsentFields(self)

    def __missing__(self, name: str) -> Any:
        return AbsentFields(self)[name]
