"""-> the Chromium that the tests drive: one that is there, one that can be got, or a sentence."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_LONGEST = 600
MISSING = (
    "The browser tests need Chromium. Install it (Debian: apt-get install chromium "
    "fonts-dejavu-core; anywhere: python -m playwright install --with-deps chromium)."
)


def chromium(playwright: Playwright) -> str:
    """The path of its program. LookupError says how to get one."""
    found = installed(playwright)
    if found is None:
        got(sys.executable, "-m", "playwright", "install", "chromium")
        found = installed(playwright)
    if found is None and shutil.which("apt-get") and os.geteuid() == 0:
        got("apt-get", "update", "-qq")
        got("apt-get", "install", "-y", "-qq", "chromium", "fonts-dejavu-core")
        found = installed(playwright)
    if found is None:
        raise LookupError(MISSING)
    return found


def installed(playwright: Playwright) -> str | None:
    known = (shutil.which(name) for name in _NAMES)
    own = playwright.chromium.executable_path
    return next(filter(None, known), own if Path(own).is_file() else None)


def got(*command: str) -> None:
    """Try: whether it helped is seen by what is there afterwards."""
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_LONGEST)
