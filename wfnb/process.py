"""this process's name, and whether the process of a name is gone."""

from __future__ import annotations

import os
import re
import socket
from uuid import uuid4

_NONCE = uuid4().hex[:8]


def process() -> str:
    """This process, in a word that another one can check: host, number, and a nonce of its own."""
    return f"{socket.gethostname()} {os.getpid()} {_NONCE}"


def ended(name: str | None) -> bool:
    """Whether the process of that name is known to be gone; False where it cannot be known."""
    host, _, rest = (name or "").partition(" ")
    number, _, nonce = rest.partition(" ")
    if host != socket.gethostname() or not re.fullmatch("[0-9]{1,9}", number) or os.name == "nt":
        return False
    if int(number) == os.getpid():
        return nonce != _NONCE
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass
    return False
