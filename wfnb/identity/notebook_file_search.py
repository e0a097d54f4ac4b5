"""the cells that a program runs -> the file of their notebook, which it does not name.

nbclient, nbconvert, papermill and nbval send a kernel neither a path nor cell ids: only code, in
the order of the notebook. Their kernel runs beside it, so that a file there which has this
code in this order is that notebook. Where several files begin alike, the command line of the
program tells which it is. Two programs may run notebooks that begin alike: in doubt it is none.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from wfnb.files import real_path

from .notebook_document import notebooks_in, read_document

_PARAMETERS = "# Parameters\n"
"""How the cell begins that papermill adds."""


def find_notebook_files(sources: Sequence[str], folder: Path) -> list[Path]:
    """The notebooks of which a program may run one: `sources` are the cells that ran so far."""
    ran = [code for source in sources if (code := source.strip())]
    if not ran:
        return []
    base, words = _command()
    # A command line may name a notebook of another folder than the kernel's: that is a candidate,
    # too.
    named = {
        real_path(base / word) for word in words if word.endswith(".ipynb") and "\n" not in word
    }
    files = {*(real_path(file) for file in notebooks_in(folder)), *named}
    documents = {file: read_document(file) for file in sorted(files)}
    found = {file for file, document in documents.items() if _has(document.sources, ran)}
    # A program may run a notebook that its command line does not name (a script with nbclient): the
    # words only narrow down several.
    found = (found & named if len(found) > 1 else found) or found
    # papermill's output from an earlier run holds the same cells: what it was made from is meant.
    made = {file for file in found if _made_from(base, documents[file].made_from) in found - {file}}
    return sorted(found - made)


def _made_from(base: Path, input: str | None) -> Path | None:
    return None if input is None else real_path(base / input)


def _has(sources: Sequence[str], ran: Sequence[str]) -> bool:
    """Whether the cells have this code in this order; a program may leave out some of them."""
    # `in` takes from the iterator up to the hit, so the next code is looked for behind it: order
    # counts.
    left = iter(sources)
    known = set(sources)
    return all(
        # The cell that papermill adds is in no file before it wrote its output.
        code in left
        for code in ran
        if code in known or not f"{code}\n".startswith(_PARAMETERS)
    )


def _command() -> tuple[Path, list[str]]:
    """Where the program works that started this kernel, and the words of its command line; no words
    where the system does not say it (Windows, macOS)."""
    parent = Path("/proc") / str(os.getppid())
    with suppress(OSError):
        words = (parent / "cmdline").read_bytes().decode("utf-8", "surrogateescape").split("\0")
        return Path(os.readlink(parent / "cwd")), words
    return Path(), []
