"""folder of JSON and YAML files -> what people wrote in them, and what is wrong with the others."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from wfnb.errors import NotTrusted, Refused
from wfnb.home_path import refuse_link
from wfnb.trust import RULES, Trust, own_trust

from . import plain_yaml

T = TypeVar("T")
B = TypeVar("B", bound=Refused)

MAX_FILE_BYTES = 100_000
"""Bytes of a file. The longest built-in strategy has 4,000."""

_ENDINGS = (".json", ".yaml", ".yml")


class HasName(Protocol):
    @property
    def name(self) -> str: ...


@dataclass(frozen=True, slots=True)
class FolderContents(Generic[T]):
    """What the files of a folder hold, in order of their names. `foreign` is what this user has
    not trusted, with the file that it is in and what that holds."""

    own: list[T]
    foreign: list[tuple[T, Path, bytes]]


def read(
    folder: Path | None,
    parse: Callable[[Any, str], T],
    broken: type[B],
    trust: Trust | None = None,
) -> tuple[FolderContents[T], dict[str, B]]:
    """What the files hold; and by the name of the file without its ending why one holds nothing.
    `broken` is what `parse` raises, made from a file's name and a reason."""
    trust = trust or own_trust()
    found: FolderContents[T] = FolderContents([], [])
    wrong: dict[str, B] = {}
    try:
        files = _files(folder) if folder is not None else []
    except OSError as error:
        files, name = [], str(error.filename)
        wrong[Path(name).name] = broken(name, f"it cannot be read ({error.strerror})")
    for file in files:
        try:
            content = text(file, broken)
            made = parse(data(content, file, broken), file.name)
        except broken as error:
            wrong[file.stem] = error
        else:
            # Trust is of what was read: the file may hold something else by now.
            held = content.encode()
            if trust.holds(held, purpose=RULES):
                found.own.append(made)
            else:
                found.foreign.append((made, file, held))
    return found, wrong


def _files(folder: Path) -> list[Path]:
    """OSError."""
    if not refuse_link(folder).is_dir():
        return []
    # Sorted: of two files that say the same name, the same one wins each time.
    return sorted(file for file in folder.iterdir() if file.suffix in _ENDINGS)


def refusals(foreign: Iterable[tuple[HasName, Path, bytes]], word: str) -> dict[str, NotTrusted]:
    """By name, why what this user has not trusted yet is not followed."""
    return {
        each.name: NotTrusted(f"{word} {each.name!r}", f"{file.parent.name}/{file.name}", "", "")
        for each, file, _ in foreign
    }


def text(file: Path, broken: type[Refused]) -> str:
    """What is in a file. Raises `broken`, made from its name and a reason."""
    try:
        # Before it is read: the folder may have come with a repository, and the file be of any
        # size.
        size = refuse_link(file).stat().st_size
        if size > MAX_FILE_BYTES:
            what = f"the file is too large ({size:,} bytes; {MAX_FILE_BYTES:,} are read at most)"
            raise broken(file.name, what)
        return file.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise broken(file.name, f"the file cannot be read ({why})") from None


def data(content: str, file: Path, broken: type[Refused]) -> Any:
    """What the text of a file says. Raises `broken`, made from its name and a reason."""
    try:
        if file.suffix == ".json":
            return json.loads(content)
        return plain_yaml.load(content)
    # RecursionError: brackets nested thousands deep.
    except (ValueError, RecursionError) as error:
        form = "JSON" if file.suffix == ".json" else "YAML"
        raise broken(file.name, f"the file is no {form} ({error})") from None
