"""folder of JSON and YAML files -> what people wrote in them, and what is wrong with the others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from wfnb.errors import Refused

from . import plain_yaml

T = TypeVar("T")
B = TypeVar("B", bound=Refused)

LARGEST = 100_000
"""Bytes of a file. The longest built-in strategy has 4,000."""

_ENDINGS = (".json", ".yaml", ".yml")


def read(
    folder: Path | None, parse: Callable[[Any, str], T], broken: type[B]
) -> tuple[list[T], dict[str, B]]:
    """What the files hold, in order of their names; and by the name of the file without its ending
    why one holds nothing. `broken` is what `parse` raises, made from a file's name and a reason."""
    found: list[T] = []
    wrong: dict[str, B] = {}
    files = sorted(folder.iterdir()) if folder is not None and folder.is_dir() else []
    for file in files:
        if file.suffix in _ENDINGS:
            try:
                found.append(parse(data(file, broken), file.name))
            except broken as error:
                wrong[file.stem] = error
    return found, wrong


def data(file: Path, broken: type[Refused]) -> Any:
    """What a file says. Raises `broken`, made from its name and a reason."""
    try:
        size = file.stat().st_size
        if size > LARGEST:
            what = f"the file is too large ({size:,} bytes; {LARGEST:,} are read at most)"
            raise broken(file.name, what)
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise broken(file.name, f"the file cannot be read ({why})") from None
    try:
        if file.suffix == ".json":
            return json.loads(text)
        return plain_yaml.load(text)
    except (ValueError, RecursionError) as error:
        form = "JSON" if file.suffix == ".json" else "YAML"
        raise broken(file.name, f"the file is no {form} ({error})") from None
