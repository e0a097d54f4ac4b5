"""the path of a notebook's file -> what its file says of it. The file is only read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from wfnb.frozen_record import record

_UID = re.compile(r"[0-9a-f]{16}", re.ASCII)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKUP = re.compile(r"[*`]|<[^>]*>")
_MAX_FILE_BYTES = 200_000_000
"""Bytes of a file that is read: it is read once for each kernel, in the cell that records first."""


@record
class CodeCell:
    """A code cell of a file: its tags, and the heading of the Markdown cell right above it."""

    id: str | None
    source: str
    tags: tuple[str, ...] = ()
    heading: str = ""


@record
class Document:
    """`uid` is the session that its metadata name. `cells` are the ids of its cells; None where the
    file has cells without ids (nbformat before 4.5), or cannot be read. `sources` is the code of
    its cells, `by_id` the same with their ids, `code` all about them, `made_from` the notebook
    of which papermill says that this is the output."""

    uid: str | None = None
    cells: frozenset[str] | None = None
    sources: tuple[str, ...] = ()
    by_id: tuple[tuple[str, str], ...] = ()
    made_from: str | None = None
    code: tuple[CodeCell, ...] = ()

    def cell(self, id: str | None, source: str) -> CodeCell | None:
        """The cell of that id, else the first of that source."""
        alike = (each for each in self.code if each.source == source.strip())
        same = (each for each in self.code if id is not None and each.id == id)
        return next(same, None) or next(alike, None)


_BESIDE = 50
"""Notebooks of a folder that are looked into."""


def notebooks_in(folder: Path) -> list[Path]:
    """The notebooks of a folder, or the first of them."""
    # Sorted, so that the same folder gives the same decision each time.
    return sorted(folder.glob("*.ipynb"))[:_BESIDE]


def others_beside(path: Path, names: Iterable[str]) -> list[str]:
    """Those of the names that other notebooks in the folder of this one have."""
    return [name for name in names if name != path.name and (path.parent / name).is_file()]


class DocumentReader:
    """Reads the file of a notebook again where it has changed."""

    def __init__(self) -> None:
        self._last: tuple[object, Document] | None = None

    def read(self, path: Path) -> Document:
        state = (path, modified_time(path))
        if self._last is None or self._last[0] != state:
            self._last = (state, read_document(path))
        return self._last[1]


def modified_time(path: Path) -> int | None:
    """When a file was written last; None where there is none."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None


def read_document(path: Path) -> Document:
    """What a notebook's file says. Whatever is wrong with the file, it says less."""
    try:
        if path.stat().st_size > _MAX_FILE_BYTES:
            return Document()
        data = json.loads(path.read_bytes())
    # RecursionError: brackets nested deeply enough stop `json`, and the file is anybody's.
    except (OSError, ValueError, RecursionError):
        return Document()
    if not isinstance(data, dict):
        return Document()
    metadata, cells = _mapping(data.get("metadata")), data.get("cells")
    made_from = _mapping(metadata.get("papermill")).get("input_path")
    code = tuple(_code_cells(cells))
    return Document(
        uid=uid_of(metadata.get("wfnb")),
        cells=_cells(cells),
        sources=tuple(each.source for each in code),
        by_id=tuple((each.id, each.source) for each in code if each.id is not None),
        code=code,
        # A NUL in a path makes `resolve` raise ValueError.
        made_from=made_from if isinstance(made_from, str) and "\0" not in made_from else None,
    )


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _code_cells(cells: Any) -> Iterator[CodeCell]:
    heading = ""
    for cell in cells if isinstance(cells, list) else ():
        cell = _mapping(cell)
        source = cell.get("source")
        # nbformat allows both: one text, or a list of lines.
        lines: list[Any] = source if isinstance(source, list) else [source]
        text = "".join(lines) if all(isinstance(line, str) for line in lines) else None
        if cell.get("cell_type") == "code" and text is not None:
            id, tags = cell.get("id"), _mapping(cell.get("metadata")).get("tags")
            yield CodeCell(
                id=id if isinstance(id, str) else None,
                source=text.strip(),
                tags=tuple(map(str, tags)) if isinstance(tags, list) else (),
                heading=heading,
            )
        heading = last_heading(text or "") if cell.get("cell_type") == "markdown" else ""


def last_heading(markdown: str) -> str:
    r"""The last heading of a text, as it is read.

    >>> last_heading("# A\ntext\n## The `ids` of [it](#x) ##")
    'The ids of it'
    """
    found = _HEADING.findall(markdown)
    return _MARKUP.sub("", _LINK.sub(r"\1", found[-1])).strip() if found else ""


def uid_of(kept: Any) -> str | None:
    """The session's id in what is kept in the metadata as `wfnb`; None for anything else."""
    uid = kept.get("session") if isinstance(kept, dict) else None
    return uid if isinstance(uid, str) and _UID.fullmatch(uid) else None


def _cells(cells: Any) -> frozenset[str] | None:
    if not isinstance(cells, list):
        return None
    ids = [cell.get("id") if isinstance(cell, dict) else None for cell in cells]
    known = frozenset(id for id in ids if isinstance(id, str))
    # Cells, and none of them with an id: an older format, which tells nothing; an empty notebook
    # does.
    return known if known or not ids else None
