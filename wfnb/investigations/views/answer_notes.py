"""the fields of an answer -> what an investigation has to say under its step, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wfnb.views.step_words import cut

from .checklist import Item

_MAX_REPLY_LENGTH = 300  # characters of a reply in a note; the JSON has all


def notes(fields: Mapping[str, Any]) -> Iterator[str]:
    """What is to be told under a step at once, from the fields of its answer."""
    if fields.get("withdrawn"):
        yield "withdrawn: it no longer counts"
    progress = fields.get("progress", {})
    for said in (fields.get("planner"), fields.get("end"), fields.get("stagnation")):
        if said:
            yield said
    if "staged" in fields:
        yield f"{fields['staged']}: `git add` what belongs to the commit"
    if progress and fields["next_step_required"] and progress["advice"] != "go on":
        yield f"{progress['advice']}: {progress['why']}"
    if "model_consulted" in fields:
        yield cut(f"{fields['model_consulted']}{_reply_text(fields)}", _MAX_REPLY_LENGTH)
    review = fields.get("review", {})
    if "adviser" in review:
        verdict = f", {review['verdict']}" if review.get("verdict") else ""
        said = review.get("error") or review.get("text") or ""
        yield cut(f"review by {review['adviser']}{verdict}: {said}", _MAX_REPLY_LENGTH)
    elif "skipped" in review and not review["skipped"].endswith("asks for no review"):
        yield f"no review: {review['skipped']}"
    ticked, thoughts = fields.get("ticked", {}), fields.get("thoughts", ())
    for do in fields.get("required_actions", ()):
        yield Item(do=do, by=ticked.get(do), box=do not in thoughts).says


def _reply_text(fields: Mapping[str, Any]) -> str:
    error = fields.get("model_error")
    return f" ✕ {error}" if error else f": {fields.get('model_response')}"
