"""-> a home for the sessions of many notebooks, one after the other."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from wfnb.home_folder import Home, home


class _SharedHome:
    """WFNB_HOME in a folder in memory, where there is one; a session in it for each notebook.

    A journal that is opened anew makes its codec again, which takes longer than a notebook.
    """

    MOST = 100
    """Sessions in one folder: with each more, a start takes a little longer."""

    def __init__(self) -> None:
        self.home: Home | None = None
        self.count = self.process = 0

    def __enter__(self) -> str:
        if self.home is None or self.count == self.MOST or self.process != os.getpid():
            self._close()
            shm = Path("/dev/shm")
            folder = tempfile.mkdtemp(dir=shm if shm.is_dir() else None, prefix="wfnb-oracle-")
            self.home, self.count, self.process = home(folder), 0, os.getpid()
        self.count += 1
        self.before = os.environ.get("WFNB_HOME")
        os.environ["WFNB_HOME"] = str(self.home.path)
        return f"notebook-{self.count}"

    def __exit__(self, *_: object) -> None:
        if self.before is None:
            del os.environ["WFNB_HOME"]
        else:
            os.environ["WFNB_HOME"] = self.before

    def _close(self) -> None:
        if self.home is not None and self.process == os.getpid():
            shutil.rmtree(self.home.path, ignore_errors=True)


HOME = _SharedHome()
atexit.register(HOME._close)
