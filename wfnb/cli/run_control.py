"""what is asked of a run -> recorded, for the process that performs it to find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from wfnb.errors import spoken
from wfnb.hints import Command
from wfnb.parked_run_owner import parked_until
from wfnb.process_identity import has_ended
from wfnb.render.text import escape
from wfnb.views.step_words import trusted_text
from wfnb.workflows.library.key_value_words import secrets

from .exit_codes import DONE, cancel_code
from .output import PAPER
from .run_lookup import CommandPlace

if TYPE_CHECKING:
    from wfnb.workflows.core.run import Run

SET = "Set it for this command: {{}}=… wfnb {}"


def cancel(
    place: CommandPlace,
    name: str | None,
    rollback: bool,
    reason: str | None,
    secret: Sequence[str],
    json: bool,
) -> int:
    """Stop a run; one whose process is gone is ended here."""
    hidden = secrets(secret, "wfnb cancel", SET.format("cancel"))
    info = place.going(name)
    undo = True if rollback else None
    log = place.runner(info).cancel(info.name, undo, reason, secrets=hidden)
    stopping = log.run.status == "running"
    # Another process stops it: what became of it is not known yet.
    became = [] if stopping else list(_undo_results(log.run))
    if json:
        undone = [{"action": action, "undo": how} for action, how in became]
        about = {"run": log.name, "status": log.run.status, "stopping": stopping}
        PAPER.data(about if stopping else {**about, "undone": undone})
    else:
        said = "is being stopped" if stopping else spoken(log.run.status)
        none = rollback and not stopping and not became
        PAPER.say(f"{log.name} {said}" + ": there was nothing to undo" * none)
        for action, how in became:
            PAPER.say("  " + escape.line(f"{action}: {how}"))
    PAPER.settle()
    return cancel_code(log.run.status)


def _undo_results(run: Run) -> Iterator[tuple[str, str]]:
    """What became of each action that had succeeded, where any of them can be undone."""
    from wfnb.workflows.views.action_rows import rows  # noqa: PLC0415  heavy: the models of workflows

    yield from ((row.action, row.undo) for row in rows(run) if row.undo)


def answer(place: CommandPlace, text: str, to: str | None, name: str | None, json: bool) -> int:
    """Answer the question of a run, or of one that it called."""
    info = place.asking(name)
    counts = place.runner(info).answer(text, to, info.name)
    if json:
        PAPER.data({"run": info.name, "answered": counts})
    else:
        PAPER.say(f"{info.name}: answered {escape.line(counts)}")
        if parked_until(info.process) is not None:
            PAPER.say(f"`{Command('work')}` goes on with it")
        elif has_ended(info.process):
            PAPER.say(f"its process is gone · `wfnb resume {info.name}` goes on with the answer")
    PAPER.settle()
    return DONE


def trust(place: CommandPlace, dry: bool, json: bool) -> int:
    """Use what came with the folder from elsewhere."""
    from wfnb.folder_trust import trust  # noqa: PLC0415  heavy: advisers, kept values

    found = trust(place.home, dry=dry)
    if json:
        PAPER.data({"trusted": [] if dry else found, "foreign": found})
    else:
        PAPER.say(escape.line(trusted_text(found, dry)))
    if not dry:
        PAPER.settle()
    return DONE
