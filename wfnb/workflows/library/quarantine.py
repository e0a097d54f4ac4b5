"""a file that does not read -> a name for it that is out of the way; what is wrong with those."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from wfnb.errors import WorkflowBroken

from .saved import SUFFIX, read

ASIDE = f"{SUFFIX}.broken"


def move(path: Path) -> str:
    """Rename NAME.json to the first free of NAME.json.broken, NAME.json.broken-2, …: to which."""
    number, target = 1, path.with_name(f"{path.stem}{ASIDE}")
    while target.exists():
        number += 1
        target = path.with_name(f"{path.stem}{ASIDE}-{number}")
    path.rename(target)
    return target.name


def reasons(folder: Path, name: str = "*") -> Iterator[str]:
    """What is wrong with each file that was set aside, in a line."""
    for path in sorted(folder.glob(f"{name}{ASIDE}*")):
        original = path.name[: path.name.index(ASIDE)] + SUFFIX
        try:
            read(path)
            what = "it reads now"
        except WorkflowBroken as broken:
            what = broken.what
        except OSError as error:
            what = error.strerror or str(error)
        yield f"{path.name} was set aside: {what}. Mended, it is to be called {original} again."
