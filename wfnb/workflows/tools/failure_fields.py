"""an exception of somebody's code -> the fields of its failure: the line, and the way to it.

Only the lines of that somebody are told: no frames of ours, of Python's own library or of installed
packages, and no temporary files, which have another name each time.
"""

from __future__ import annotations

import re
import sysconfig
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from traceback import FrameSummary, StackSummary, TracebackException
from typing import Any

from wfnb.errors import SystemUnsupported
from wfnb.workflows.definition.python_syntax import line

from .result_fields import ToolFailed, outcome_of, plain
from .truncated_output import truncate

CODE = "<python "
"""How the names of files begin that are code given to the tool."""
MAX_TRACEBACK = 20_000
_INSTALLED = ("stdlib", "platstdlib", "purelib", "platlib")
_OTHERS = (
    str(Path(__file__).parents[2]),
    *(sysconfig.get_paths()[name] for name in _INSTALLED),
    "<frozen ",
)
_CELL = re.compile(r".*[/\\]ipykernel_\d+[/\\]\d+\.py|<ipython-input-.*>")


def failure_of(error: BaseException) -> dict[str, Any]:
    """The fields of a failure: type, message and traceback, whole; and `where` it came about, to be
    `format_failure`."""
    fields = outcome_of(error)
    if isinstance(error, ToolFailed | SystemUnsupported):  # of the call, not of the code
        return fields
    trace = TracebackException(type(error), error, error.__traceback__)
    said = "".join(trace.format_exception_only()).strip() if _is_syntax(trace) else ""
    where = _last_line(trace)
    for part in _all(trace):
        part.stack = StackSummary.from_list([frame for frame in part.stack if _is_theirs(frame)])
    text = _normalize_names("".join(trace.format()).rstrip(), trace)
    if said:
        fields["error"] = f"{type(error).__name__}: {trace.msg}"
    return fields | {"traceback": plain(text), "where": where}


def format_failure(failure: Mapping[str, Any], hide: Callable[[str], str]) -> dict[str, Any]:
    """The fields as they are told: the line stands in the message; it and the traceback are cut,
    but not through a secret: those are hidden before anything is put together. What did not fail
    in a line stays as it is."""
    fields = dict(failure)
    # Hidden first: what is put together and cut afterwards may hold half a secret.
    if isinstance(error := fields.get("error"), str):
        fields["error"] = hide(error)
    if where := fields.pop("where", None):
        name, number, source = where
        first, newline, rest = str(fields["error"]).partition("\n")
        fields["error"] = plain(f"{first} ({name}{line(number, hide(source))}){newline}{rest}")
    if "traceback" in fields:
        fields["traceback"] = truncate(fields["traceback"], hide, MAX_TRACEBACK)
    return fields


def _is_syntax(trace: TracebackException) -> bool:
    """Whether it says of a code given to the tool that it does not read."""
    return str(getattr(trace, "filename", "")).startswith(CODE)


def _last_line(trace: TracebackException) -> tuple[str, object, str] | None:
    """The last line of the code given to the tool that was come to; else, of a function, its last:
    its number and text, and before them a name where it is not clear what it is a line of."""
    if _is_syntax(trace):
        return "", trace.lineno, trace.text or ""
    theirs = [frame for frame in trace.stack if _is_theirs(frame)]
    given = [frame for frame in theirs if frame.filename.startswith(CODE)]
    for last in (given or theirs)[-1:]:
        return "" if given else _frame_name(last), last.lineno, last.line or ""
    return None


def _frame_name(frame: FrameSummary) -> str:
    """The function, and the file where that is one of somebody's own."""
    own = not (_CELL.fullmatch(frame.filename) or frame.filename.startswith("<"))
    return f"{Path(frame.filename).name}, {frame.name}, " if own else f"{frame.name}, "


def _is_theirs(frame: FrameSummary) -> bool:
    return not frame.filename.startswith(_OTHERS)


def _all(trace: TracebackException | None) -> Iterator[TracebackException]:
    """An exception, those that led to it, and those in it."""
    if trace is not None:
        yield trace
        yield from _all(trace.__cause__)
        yield from _all(trace.__context__)
        for part in getattr(trace, "exceptions", None) or ():
            yield from _all(part)


def _normalize_names(text: str, trace: TracebackException) -> str:
    """The text with names of files that are the same each time."""
    for name in {frame.filename for part in _all(trace) for frame in part.stack}:
        if name.startswith(CODE):
            text = text.replace(f'"{name}"', '"<code>"')
        elif _CELL.fullmatch(name):
            text = text.replace(f'"{name}"', '"<cell>"')
    return re.sub(rf'"{CODE}[0-9a-f]+>"', '"<code>"', text)
