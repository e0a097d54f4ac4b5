"""kind, where a step stands -> whether the line ends with it, and why: the table of the end."""

from __future__ import annotations

from wfnb.frozen_record import record

from .kind import Confidence

WORDS = 12
"""So many different words are the least that findings may have."""
NAMED = 3
"""So many files that nothing opened are named."""


@record
class Ending:
    """`why` is empty where nobody asked for an end and none was earned."""

    ended: bool
    why: str = ""


def evidence_gaps(
    words: int,
    shown: bool,
    claimed: tuple[str, ...] = (),
    own: bool = True,
    unseen: tuple[str, ...] = (),
) -> tuple[str, ...]:
    """What the evidence lacks; none: there is enough. `words`: how many different ones the findings
    have. `shown`: something that is said to be relevant was opened, or used by code; `claimed` are
    the files that are only said to be. `own`: some of it is of this session; `unseen` are looks
    that the kind asks for."""
    lacks = []
    if words < WORDS:
        lacks.append(f"findings of {WORDS} different words or more (there are {words})")
    if not shown and claimed:
        named = ", ".join((*claimed[:NAMED], *("…" for _ in claimed[NAMED:])))
        lacks.append(f"a look at what is relevant (nothing opened {named})")
    elif not shown:
        lacks.append("a relevant file, or a context, that was looked at")
    if not own:
        lacks.append("a finding of this session")
    return (*lacks, *unseen)


def ending(
    scale: Confidence,
    turn: int,
    planned: int,
    level: str | None,
    lacks: tuple[str, ...],
    asked: bool | None,
    least: int = 2,
) -> Ending:
    """`turn` counts from 1 in the investigation; `planned` is its total before this step could
    lower it; `level` is None where nothing is found that one could be sure of; `asked`: --done
    True, --next False, unsaid None; `least` is the first step that may end early."""
    if asked is False:
        return Ending(ended=False)
    # Before all about being sure: what was planned is over either way.
    if turn >= planned:
        thin = f"; without {' and '.join(lacks)}" if lacks else ""
        return Ending(ended=True, why=f"the last planned step{thin}")
    sure = level in (None, scale.sure)
    near = level in scale.nearly and turn >= planned - 1
    if asked is None and not (level and (sure or near)):
        return Ending(ended=False)
    if turn >= max(2, least) and (sure or near) and not lacks:
        here, enough = level or "asked for", ", with enough evidence" if level else ""
        return Ending(ended=True, why=f"{here} at step {turn} of {planned}{enough}")
    if turn < max(2, least):
        why = f"not before step {max(2, least)}"
    elif not (sure or near):
        why = f"{level} at step {turn} of {planned} is not enough to end early"
    else:
        why = f"what is missing: {' and '.join(lacks)}"
    return Ending(ended=False, why=why)
