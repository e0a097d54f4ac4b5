"""this system -> what programs are run and ended with. Where it lacks some of that, all of it is
None: tools that need no programs work there, and those that do are refused when they are called."""

from __future__ import annotations

from typing import Any

from wfnb.errors import SystemUnsupported

pty: Any
termios: Any
poll: Any
SIGKILL: Any
LACKS: str | None = None
"""Why no programs are run here; None: they are."""

try:
    import pty
    import termios
    from select import poll
    from signal import SIGKILL
except ImportError as error:
    pty = termios = poll = SIGKILL = None
    LACKS = str(error)


def check_platform() -> None:
    """Raises SystemUnsupported where no programs are run."""
    if LACKS is not None:
        raise SystemUnsupported(LACKS)
