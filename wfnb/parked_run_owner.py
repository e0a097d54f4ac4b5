"""what stands for a process's name where no process has a run, and until when that is so."""

from __future__ import annotations

from math import inf

_PARKED = "(parked)"


def parked_owner(until: float | None) -> str:
    """What stands for a process's name where none has a run until then (seconds since 1970); None:
    until somebody answers what it asks.

    >>> parked_owner(1764547200.5), parked_owner(None)
    ('(parked) 1764547200.5', '(parked)')
    """
    return _PARKED if until is None else f"{_PARKED} {until}"


def parked_until(name: str | None) -> float | None:
    """Until when no process has it; infinity: until somebody answers. None: a process has it.

    >>> parked_until("(parked) 1764547200.5"), parked_until("(parked)"), parked_until("host 12 ab")
    (1764547200.5, inf, None)
    """
    word, _, until = (name or "").partition(" ")
    return (float(until) if until else inf) if word == _PARKED else None
