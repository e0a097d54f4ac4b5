"""what front ends, the kernel's start and its cells say -> which file its notebook is, and where.

A front end knows it best. Else the kernel was started for a file, which may have been moved since;
else a program runs cells, and the files around are searched for them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell

from wfnb.core.events import Cell
from wfnb.home_folder import Home
from wfnb.identity.notebook_document import CodeCell, Document, DocumentReader
from wfnb.identity.notebook_file_search import find_notebook_files
from wfnb.identity.session_resolver import NotebookFile, locate, notebook_file

from .ipython_compat import request_part
from .open_notebooks import OpenNotebooks
from .running_cell import Running


class FileSource(Enum):
    """What says which file the notebook is, the best first."""

    FRONT_END = "front end"
    """It said where its notebook is; what it said of the metadata holds, too."""
    START = "start"
    """The kernel's start names a file, or where that lies by now; or nothing is known."""
    CODE = "code"
    """A program ran cells of one file alone."""


class NotebookLocation:
    """Of one kernel's notebook. Where its file is not known (`file` is None), the session is one
    for cells like those that ran."""

    def __init__(
        self,
        shell: InteractiveShell,
        open_notebooks: OpenNotebooks,
        running: Callable[[], Running | None],
        cell: str | None,
    ) -> None:
        """`running` is asked for the cell that runs; `cell` is the id of that which loads wfnb."""
        self.file: Path | None = None
        self.cell_ids: set[str] = set(filter(None, [cell]))
        """Ids of the cells that ran while the session was not known."""
        self._shell = shell
        self._open_notebooks = open_notebooks
        self._running = running
        self._source = FileSource.START
        self._found_for: Path | None = None
        """The file that the start named when `file` was searched for."""
        self._metadata: str | None = None
        """The permanent id of the session that the notebook's metadata name."""
        self._sources_run: list[str] = [*filter(None, [request_part(shell, "content", "code")])]
        """The code of the cells of `cell_ids`."""
        self._documents = DocumentReader()
        self.kernel_folder = Path.cwd()

    def path(self) -> Path | None:
        """The notebook's file: as a front end says it, else where that lies by now which the kernel
        was started for."""
        if (place := self._open_notebooks.place_of_cell(self._running())) is not None:
            return place
        started = self.started_for()
        # What was found by searching counts for the start it was found for: a kernel that is
        # started anew may be another notebook's.
        by_front_end = self._source is FileSource.FRONT_END
        found = by_front_end or self._found_for == started
        return self.file if self.file is not None and found else started

    def started_for(self) -> Path | None:
        """The notebook's file, as the kernel was told when it started."""
        told = os.environ.get("JPY_SESSION_NAME") or self._shell.user_ns.get("__vsc_ipynb_file__")
        return Path(told) if isinstance(told, str) and told.endswith(".ipynb") else None

    def folder(self) -> Path:
        """Where relative paths start: beside the notebook, else where the kernel started."""
        path = self.path()
        known = path is not None and path.is_absolute() and path.parent.is_dir()
        by_code = self._source is FileSource.CODE
        return path.parent if path and known and not by_code else self.kernel_folder

    def name(self) -> str:
        """The session that is used where none is named."""
        path = self.path()
        return "notebook" if path is None else path.stem

    def identity(self, home: Home, is_decided: bool, for_recording: bool) -> NotebookFile:
        """What is known of the notebook: by its front end, else by its file, else by the cells that
        ran. `is_decided`: which session it has, `for_recording`: a cell is to be recorded now."""
        sources: Sequence[str] = self._sources_run
        by_front_end = self._source is FileSource.FRONT_END
        if not by_front_end and not self._is_unknown(is_decided):
            self.file = locate(self.path(), frozenset(self.cell_ids), home)
            self._found_for = self.started_for()
        elif not by_front_end:
            by_program = self._is_run_by_program()
            found = find_notebook_files(self._sources_run, self.kernel_folder) if by_program else []
            self.file = found[0] if len(found) == 1 else None
            self._found_for = None
            self._source = FileSource.START if self.file is None else FileSource.CODE
            sources = () if found else sources  # several begin so: the code tells none from another
        path, seen, uid = self.path(), self.cell_ids, self._metadata
        # Of that file alone the metadata were said.
        is_told = by_front_end and path == self.file
        return notebook_file(path, seen, uid, is_told, sources, for_recording)

    def _is_unknown(self, is_decided: bool) -> bool:
        """Whether neither a front end nor the kernel's start say which notebook it is."""
        return self.started_for() is None and not (self.file is not None and is_decided)

    def _is_run_by_program(self) -> bool:
        """Whether a program runs the cells, which lets nobody be asked and says no ids."""
        return not self.cell_ids and request_part(self._shell, "content", "allow_stdin") is False

    def file_at(self, path: str, root: str) -> Path | None:
        """The file that a front end means. Its server may see other folders than this kernel."""
        started = self.path()
        roots = [Path(os.path.expanduser(root))] if root else []
        roots += [] if started is None else started.parents
        with suppress(OSError, ValueError):
            return next(
                (file for each in roots if each.is_absolute() and (file := each / path).is_file()),
                None,
            )
        return None

    def place_of(self, name: str) -> Path | None:
        """The notebook of a front end."""
        return self._open_notebooks.place_of(name) or self.path()

    def cells_alike(self, cell: Cell) -> int | None:
        """How many cells of the notebook have this source; None where nobody knows it: a program
        sends cells that belong to no file."""
        if (document := self.document()) is not None:
            return document.sources.count(cell.source.strip())
        return 1 if request_part(self._shell, "content", "allow_stdin") else None

    def cell_in_file(self, running: Running) -> CodeCell | None:
        document = self.document()
        return None if document is None else document.cell(running.id, running.source)

    def add_cell(self, id: str | None, source: str) -> None:
        """A cell runs while the session is not known."""
        self.cell_ids |= {id} if id is not None else set()
        self._sources_run.append(source)

    def set_metadata(self, uid: str | None, is_place_known: bool) -> None:
        """A front end says which session the metadata name, and perhaps where the file is."""
        self._metadata = uid
        if is_place_known:
            self._source = FileSource.FRONT_END
        elif self._source is FileSource.FRONT_END:
            self._source = FileSource.START

    def state(self) -> tuple[object, ...]:
        """What is another once something was learnt of the notebook."""
        return self._source, self._metadata, len(self.cell_ids)

    def document(self) -> Document | None:
        """What the file says; None where none is known."""
        path = self.path()
        return None if path is None else self._documents.read(path)
