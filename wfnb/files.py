"""a text and a path -> the file with all of the text, or the file as it was."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import NamedTemporaryFile


def write(path: Path, text: str) -> None:
    """UTF-8, line breaks as they are in the text. Folders on the way are made. OSError, ValueError
    for a path that cannot be written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as part:
        try:
            part.write(text.encode())
            part.close()
            os.chmod(part.name, 0o666 & ~_umask())
            os.replace(part.name, path)
        except BaseException:
            os.unlink(part.name)
            raise


def _umask() -> int:
    """What new files are not allowed here: a temporary file is allowed less."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
