"""this process's name, and whether the process of a name is gone."""

from __future__ import annotations

import os
import re
import socket
from functools import cache
from pathlib import Path
from uuid import uuid4

from .parked_run_owner import parked_until

_NONCE = uuid4().hex[:8]


def process() -> str:
    """This process, in words that another one can check: host, number, a nonce of its own, and
    when it began, where the system says that: numbers are given out again."""
    return _process_name(os.getpid())


@cache
def _process_name(number: int) -> str:
    born = _start_ticks(number)
    return f"{_namespace()} {number} {_NONCE}" + (f" {born}" if born else "")


def _namespace() -> str:
    """Where numbers of processes hold: the host, and on it the space of a container."""
    try:
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        return socket.gethostname()
    return f"{socket.gethostname()}:{space.strip('pid:[]')}"


def _start_ticks(number: int) -> str | None:
    """When that process began, in ticks since the machine did. Linux only."""
    try:
        fields = (
            Path(f"/proc/{number}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        )
    except OSError:
        return None
    return "zombie" if fields[0] == "Z" else fields[19]


def has_ended(name: str | None) -> bool:
    """Whether the process of that name is known to be gone; False where it cannot be known."""
    host, _, rest = (name or "").partition(" ")
    number, _, rest = rest.partition(" ")
    nonce, _, born = rest.partition(" ")
    here = _namespace() if ":" in host else socket.gethostname()
    if host != here or not re.fullmatch("[0-9]{1,9}", number) or os.name == "nt":
        return False
    if int(number) == os.getpid():
        return nonce != _NONCE
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass
    now = _start_ticks(int(number))
    return now == "zombie" or bool(born and now and now != born)


def shown_status(status: str, name: str | None) -> str:
    """The status of a run that the process of that name has: `parked` where none has it while it
    waits, `interrupted` where that is gone."""
    if status != "running":
        return status
    if parked_until(name) is not None:
        return "parked"
    return "interrupted" if has_ended(name) else status
