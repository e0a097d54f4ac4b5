"""the server's folder, a notebook's path in it -> the session that its kernel would go on with.

As the kernel finds it (`wfnb/identity/`), but nothing is written, and only folders of the server
are read: WFNB_HOME, which kernels inherit from it, else the nearest `.wfnb` in the notebook's
folder or above; for a notebook that was moved, the others that this user's notebooks have.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path, PurePosixPath

from wfnb.home_folder import Home, read_only_home
from wfnb.home_path import FOLDER, home_path, homes_above
from wfnb.identity.known_homes import known_homes
from wfnb.identity.notebook_document import modified_time
from wfnb.identity.session_resolver import Resolver, SessionMatch, notebook_file

LOCK_TIMEOUT = 1.0
"""Seconds that a locked file is waited for: a page waits meanwhile."""


class OutsideRoot(Exception):
    """A path that leads out of the folder that the server serves, or is no notebook's."""


class Location:
    """Where the history of a notebook is. What was found once holds until the file or the list of
    sessions is another: a page asks often, and a notebook may be large."""

    def __init__(self, root: Path, path: str, suffixes: Collection[str] = (".ipynb",)) -> None:
        """`path` is as the contents API has it: relative to `root`, with slashes, and ends so.
        OutsideRoot, also where a symbolic link leads out."""
        self._root = root.resolve()
        named = PurePosixPath(path.strip("/"))
        if "\0" in path or "\\" in path or ".." in named.parts or named.suffix not in suffixes:
            raise OutsideRoot(path)
        self.notebook = self._root / named
        self.home = self._home()
        if not self._serves(self.notebook) or not (
            self._chosen_home or self._serves(self.home.path)
        ):
            raise OutsideRoot(path)
        self._known: tuple[object, SessionMatch | None] | None = None

    def session(self, uid: str | None) -> SessionMatch | None:
        """The session, and where it is kept; `uid` is what the notebook's metadata name. None where
        there is none yet. JournalError."""
        found = None if self._known is None else self._known[1]
        far = () if found is None or found.home.path == self.home.path else (found.home,)
        about = [*map(_sessions, (self.home, *far))]
        state = (uid, modified_time(self.notebook), about, uid and [*self.homes()])
        if self._known is None or self._known[0] != state:
            notebook = notebook_file(self.notebook, uid=uid, uid_is_known=uid is not None)
            self._known = (state, ServedResolver(self).look(notebook, self.notebook.stem))
        return self._known[1]

    def served_paths(self, places: Iterable[str]) -> list[str]:
        """Of notebooks as the journal names them, those that the server has: as it names them."""
        found = (self.home.notebook_at(place).resolve() for place in places)
        here = (path for path in found if path.is_relative_to(self._root) and path.is_file())
        return [path.relative_to(self._root).as_posix() for path in here]

    def homes(self) -> Iterator[Path]:
        """The folders of the server in which the session may be, the nearest first."""
        yield self.home.path
        yield from filter(self._serves, (*homes_above(self.notebook.parent), *known_homes()))

    @property
    def _chosen_home(self) -> str | None:
        """The owner of the server may want it anywhere."""
        return os.environ.get("WFNB_HOME")

    def _home(self) -> Home:
        folder = self.notebook.parent
        if self._chosen_home:
            return read_only(home_path(folder / os.path.expanduser(self._chosen_home)))
        return read_only(next(filter(self._serves, homes_above(folder)), folder / FOLDER))

    def _serves(self, path: Path) -> bool:
        return path.resolve().is_relative_to(self._root)


def _sessions(of: Home) -> object:
    """What the answer depends on of the sessions there."""
    infos = of.sessions()
    about = [(each.id, each.name, each.notebooks, each.archived) for each in infos]
    return about, of.notebooks_there(infos)


class ServedResolver(Resolver):
    """Finds sessions in the folders of a server."""

    def __init__(self, location: Location) -> None:
        super().__init__(location.home, home_at=read_only)
        self._location = location

    def _homes(self, path: Path | None) -> Iterator[Home]:
        for folder in dict.fromkeys(self._location.homes()):
            yield self.main if folder == self.main.path else read_only(folder)


def read_only(folder: str | Path) -> Home:
    """The home of a `.wfnb` folder, in which nothing is written."""
    return read_only_home(folder, LOCK_TIMEOUT)
