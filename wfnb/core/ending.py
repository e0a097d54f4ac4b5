"""kind, where a step stands -> whether the line ends with it, and why: the table of the end."""

from __future__ import annotations

from .kind import Confidence
from .record import record

LETTERS, FILES = 100, 1


@record
class Ending:
    """`why` is empty where nobody asked for an end and none was earned."""

    ended: bool
    why: str = ""


def missing(letters: int, relevant: int, own: bool = True) -> tuple[str, ...]:
    """What the evidence lacks; none: there is enough. `own`: some of it is of this session."""
    lacks = []
    if letters <= LETTERS:
        lacks.append(f"findings of more than {LETTERS} characters (there are {letters})")
    if relevant < FILES:
        lacks.append("a relevant file")
    if not own:
        lacks.append("a finding or a look of this session")
    return tuple(lacks)


def ending(
    scale: Confidence,
    turn: int,
    planned: int,
    level: str,
    lacks: tuple[str, ...],
    asked: bool | None,
) -> Ending:
    """`turn` counts from 1 in the investigation; `planned` is its total before this step could
    lower it; `asked`: --done True, --next False, unsaid None."""
    if asked is False:
        return Ending(ended=False)
    if turn >= planned:
        thin = f"; without {' and '.join(lacks)}" if lacks else ""
        return Ending(ended=True, why=f"the last planned step{thin}")
    sure = level == scale.sure
    near = level in scale.nearly and turn >= planned - 1
    if turn >= 2 and (sure or near) and not lacks:
        return Ending(ended=True, why=f"{level} at step {turn} of {planned}, with enough evidence")
    if asked is None and not (sure or near):
        return Ending(ended=False)
    if turn < 2:
        why = "not before step 2"
    elif not (sure or near):
        why = f"{level} at step {turn} of {planned} is not enough to end early"
    else:
        why = f"what is missing: {' and '.join(lacks)}"
    return Ending(ended=False, why=why)
