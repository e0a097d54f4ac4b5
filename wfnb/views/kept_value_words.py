"""a step -> what it kept of its values, in a few words and as data. Nothing of times or hashes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wfnb.core.events import WENT_WELL
from wfnb.core.kept_values import KeptValue, KeptValues, size_said
from wfnb.core.session import Step
from wfnb.errors import listing

from .step_words import outcome_of

CERTAIN = 1_000_000
"""Bytes from which a size is said: below, it is mostly what a pickle adds, and that differs from
version to version."""


def now_kept(step: Step) -> KeptValues | None:
    """What the step's last attempt has kept, where it went well."""
    good = outcome_of(step) in WENT_WELL and step.kept_in == len(step.versions)
    return step.kept if good and step.keeps and not _failed_values(step) else None


def kept_data(step: Step) -> dict[str, Any] | None:
    """As JSON data: the names that are kept, what some come back without, of the others why not.
    None where nothing was to be kept, or the step runs still."""
    kept = now_kept(step)
    if kept is not None:
        lost = {value.name: value.why_not for value in kept.not_kept}
        size = size_of(kept)
        names = list(kept.asked_names)
        parts = {one.name: list(one.without) for one in kept.values if one.without}
        without = {name: parts[name] for name in names if name in parts}
        return {
            "names": names,
            **({"without": without} if without else {}),
            **({"size": size} if size else {}),
            **({"not_kept": lost} if lost else {}),
        }
    why = _failure_text(step)
    if why:
        return {"names": [], "not_kept": dict.fromkeys(step.keep, why)}
    lost = {value.name: value.why_not for value in _failed_values(step)}
    return {"names": [], "not_kept": lost} if lost else None


def kept_notes(step: Step) -> Iterator[str]:
    """`kept df, model · 80 MB`, and what was not."""
    data = kept_data(step)
    if data is None:
        return
    if data["names"]:
        size = f" · {data['size']}" if "size" in data else ""
        yield f"kept {listing(data['names'], '')}{size}"
    if "not_kept" in data:
        yield f"not kept: {listing(data['not_kept'], '')}"


def kept_warnings(step: Step) -> Iterator[str]:
    """What was to be kept and is not, with the reason."""
    data = kept_data(step) or {}
    reasons: dict[str, list[str]] = {}
    for name, why in data.get("not_kept", {}).items():
        reasons.setdefault(why, []).append(name)
    for why, names in reasons.items():
        yield f"not kept: {listing(names, '')}: {why}"
    before = step.kept.names if step.kept is not None and reasons and not data["names"] else ()
    if before:
        yield f"what was kept before it is still there: {listing(before, '')}"
    yield from (
        step.kept.notes
        if step.kept is not None and (_failed_values(step) or now_kept(step))
        else ()
    )


def kept_lines(step: Step) -> Iterator[str]:
    """A line for each name: what it is, or why it is not kept."""
    kept = step.kept
    if kept is None:
        return
    since = ""
    if now_kept(step) is None:
        older = step.kept_in < len(step.versions)
        since = f" by version {step.kept_in}" if older else " by an earlier attempt"
    for value in kept.failed:
        yield f"not kept: {value.name} · {value.why_not}"
    for value in kept.values:
        facts = held_text(value) if value.why_not is None else value.why_not
        word = "kept" if value.why_not is None else "not kept"
        word = "kept along" if value.along else word
        yield f"{word}{since}: {value.name} · {facts}"


def held_text(value: KeptValue) -> str:
    """What is kept of it: its type, in short what it is, and what it comes back without."""
    facts = value.type, value.says, *(f"without {part}" for part in value.without)
    return " · ".join(filter(None, facts))


def _failed_values(step: Step) -> tuple[KeptValue, ...]:
    """What the last attempt was to keep, where nothing of it could be."""
    return () if step.kept is None else step.kept.failed


def size_of(kept: KeptValues) -> str:
    """Its size where it is large enough to be told; else empty."""
    return size_said(kept.size) if kept.size >= CERTAIN else ""


def _failure_text(step: Step) -> str | None:
    """Why nothing was kept of what was to be. None where there is nothing to say: it runs still, or
    it ended well, and no name there was like what the session keeps."""
    if not step.keep:
        return None
    words = {
        "failed": "the step failed",
        "interrupted": "the step was interrupted",
        "unknown": "how the step ended is not known",
    }
    return words.get(outcome_of(step))
