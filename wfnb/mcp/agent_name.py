"""how a client calls itself -> the name that it has in a folder, which no other has there now.

Two windows of one program call themselves the same. What each did is told apart, and taken back, by
its name alone: so the second one is `bot-2` for as long as the first one is there. A lock on a file
shows that it is, which the system releases when its process ends.
"""

from __future__ import annotations

from contextlib import ExitStack
from hashlib import sha256
from itertools import count
from pathlib import Path
from threading import Lock

from wfnb.file_lock import LockTimeout, lock_file
from wfnb.home_path import refuse_link

_NOBODY = "agent"


class AgentName:
    """The names in one home of those who call themselves by a name; None: by none."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._held = ExitStack()
        self._names: dict[str | None, str | None] = {}
        self._lock = Lock()
        self._news: list[str] = []

    def of(self, name: str | None) -> str | None:
        """The same, where no other agent has it. Nothing is written before the home is there."""
        with self._lock:
            if name not in self._names and self._home.is_dir():
                self._names[name] = self._claim(name)
            return self._names.get(name, name)

    def _claim(self, name: str | None) -> str | None:
        folder = self._home / "agents"
        try:
            refuse_link(folder).mkdir(exist_ok=True)
            for number in count(1):
                own = name if number == 1 else f"{name or _NOBODY}-{number}"
                key = sha256((own or "").casefold().encode("utf-8", "replace")).hexdigest()[:16]
                try:
                    self._held.enter_context(lock_file(folder / f"{key}.lock", 0))
                except LockTimeout:
                    continue
                if own != name:
                    said = f"you are called {own} here, as another {name or _NOBODY} is at work"
                    self._news.append(said)
                return own
        except OSError:  # nothing can be written here, so that it records nothing either
            pass
        return name

    def news(self) -> list[str]:
        """What is to be said of it, once."""
        said, self._news = self._news, []
        return said

    def release(self) -> None:
        """Others may have them."""
        with self._lock:
            self._names.clear()
            self._held.close()
