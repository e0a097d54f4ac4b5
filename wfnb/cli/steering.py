"""what is asked of a run -> recorded, for the process that performs it to find."""

from __future__ import annotations

from wfnb.process import ended
from wfnb.views.text import escape

from .codes import DONE
from .paper import PAPER
from .place import Place


def cancel(place: Place, name: str | None, rollback: bool, reason: str | None, json: bool) -> int:
    """Stop a run; one whose process is gone is ended here."""
    info = place.going(name)
    log = place.runner(info).cancel(info.name, True if rollback else None, reason)
    stopping = log.run.status == "running"
    if json:
        PAPER.data({"run": log.name, "status": log.run.status, "stopping": stopping})
    else:
        said = "is being stopped" if stopping else log.run.status.replace("_", " ")
        PAPER.say(f"{log.name} {said}")
    return DONE


def answer(place: Place, text: str, to: str | None, name: str | None, json: bool) -> int:
    """Answer the question of a run, or of one that it called."""
    info = place.asking(name)
    counts = place.runner(info).answer(text, to, info.name)
    if json:
        PAPER.data({"run": info.name, "answered": counts})
        return DONE
    PAPER.say(f"{info.name}: answered {escape.line(counts)}")
    if ended(info.process):
        PAPER.say(f"its process is gone · `wfnb resume {info.name}` goes on with the answer")
    return DONE
