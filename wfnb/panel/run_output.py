"""what the calls of a run wrote -> its last lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from wfnb.frozen_record import record
from wfnb.render.text import escape
from wfnb.views.step_words import cut
from wfnb.workflows.views.terminal_tail import Piece, tail

if TYPE_CHECKING:
    from wfnb.workflows.core.run import Run

_WRITTEN = ("stdout", "stderr")
TAIL = 60
"""Lines of output of an opened run: the last ones."""
_NAME = 80


@record
class PrintedOutput:
    """What a run printed since it was told last; `upto` is how many lines it has printed with
    them."""

    pieces: tuple[Piece, ...]
    upto: int


def kept_output(run: Run) -> tuple[Piece, ...]:
    """What the calls of a run wrote, in their order, as far as the run keeps it."""
    texts = (
        (call.action, str(call.result.get(name) or "").rstrip("\n"))
        for call in run.calls.values()
        for name in _WRITTEN
    )
    return tuple((action, text) for action, text in texts if text)


def tail_lines(pieces: Iterable[Piece], last: int = TAIL) -> list[dict[str, str]]:
    r"""What calls wrote, as the last lines of it with who wrote them, plain.

    >>> tail_lines([("build", "\x1b[32mok\x1b[0m\n"), "done\n"])
    [{'who': 'build', 'text': 'ok'}, {'who': '', 'text': 'done'}]
    """
    last_lines: list[dict[str, str]] = []
    # From the end: a run may have written megabytes, and only the last lines are told.
    for piece in reversed(list(pieces)):
        who, text = piece if isinstance(piece, tuple) else ("", piece)
        name = cut(escape.line(who), _NAME)
        last_lines += reversed([{"who": name, "text": line} for line in tail([text], last)])
        if len(last_lines) >= last:
            break
    return last_lines[:last][::-1]
