"""a file's path -> its text."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Mapping
from stat import S_ISREG
from typing import Annotated, Any

from pydantic import Field

from wfnb.workflows.definition.schema_fit import SystemText

from .call_context import Context
from .result_fields import ToolFailed
from .tool import tool_of
from .truncated_output import TruncatedOutput

_AT_ONCE = 1_000_000


def read(
    context: Context,
    path: Annotated[SystemText, "The file, from the notebook's folder on"],
    first: Annotated[int, Field(ge=1), "The first line that is wanted"] = 1,
    last: Annotated[
        Annotated[int, Field(ge=1)] | None, "The last line that is wanted; none: to the end"
    ] = None,
) -> dict[str, Any]:
    """Read a text file.

    `text` is read as UTF-8 and recorded up to 200,000 characters, the first and the last half
    (`text_size`: the true size of one that was cut). A byte order mark at its begin is left out.
    Bytes that are no UTF-8 become U+FFFD; `text_invalid` counts them, and the run warns. It is a
    failure if the file ends before line `first` (an empty file may be read from line 1); one that
    ends before `last` is read to its end. In an investigation the file counts as one that was
    looked at.
    """
    if wrong := _joint({"first": first, "last": last}):
        raise ToolFailed(wrong)
    kept, number = TruncatedOutput(), 0
    try:
        if not S_ISREG(context.path(path).stat().st_mode):
            raise ToolFailed(f"{path} cannot be read: it is no file.")  # a pipe would be waited for
        with context.path(path).open("rb") as file:
            if file.read(len(BOM_UTF8)) != BOM_UTF8:
                file.seek(0)
            if first == 1 and last is None:
                while data := file.read(_AT_ONCE):
                    kept.feed(data)
            else:
                for number, line in enumerate(file, 1):
                    if last is not None and number > last:
                        break
                    if number >= first:
                        kept.feed(line)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ToolFailed(f"{path} cannot be read: {why}.") from None
    if first > 1 and number < first:
        raise ToolFailed(f"{path} has no line {first}, only {number:,}.")
    kept.feed(b"", final=True)
    return kept.fields("text", context.hide)


def _joint(params: Mapping[str, Any]) -> str | None:
    first, last = params.get("first", 1), params.get("last")
    numbers = isinstance(first, int | float) and isinstance(last, int | float)
    if numbers and last < first:
        return f"Line {last} (`last`) comes before line {first} (`first`)."
    return None


READ = tool_of(
    read,
    idempotent=True,
    results={"text": "string", "text_size": "integer", "text_invalid": "integer"},
    sees="path",
    joint=_joint,
)
