"""what a step found, an answer's fields -> the lines that tell it, as plain text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wfnb.core.findings import Findings
from wfnb.core.session import Step
from wfnb.views.words import cut

from .checklist import Item

_MOST = 300  # characters of a reply in a note; the JSON has all


def finding_lines(says: Findings | None) -> Iterator[str]:
    """What is said, a line each; its confidence stands beside the step's state."""
    if says is None:
        return
    if says.hypothesis is not None:
        yield f"hypothesis: {says.hypothesis}"
    yield from (f"confirms: {text}" for text in says.confirms)
    yield from (f"refutes: {text}" for text in says.refutes)
    yield from (f"finding: {text}" for text in says.findings)
    yield from (f"{issue.severity} issue: {issue.text}" for issue in says.issues)
    for name in ("files", "relevant", "context"):
        entries = getattr(says, name)
        if entries:
            yield f"{name}: {', '.join(entries)}"


def step_lines(step: Step) -> Iterator[str]:
    """What the step found, and why its line ends or does not."""
    yield from finding_lines(step.current.findings)
    if step.current.end is not None:
        yield step.current.end


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
        yield cut(f"{fields['model_consulted']}{_reply_text(fields)}", _MOST)
    review = fields.get("review", {})
    if "adviser" in review:
        verdict = f", {review['verdict']}" if review.get("verdict") else ""
        said = review.get("error") or review.get("text") or ""
        yield cut(f"review by {review['adviser']}{verdict}: {said}", _MOST)
    elif "skipped" in review and not review["skipped"].endswith("asks for no review"):
        yield f"no review: {review['skipped']}"
    ticked, thoughts = fields.get("ticked", {}), fields.get("thoughts", ())
    for do in fields.get("required_actions", ()):
        yield Item(do=do, by=ticked.get(do), box=do not in thoughts).says


def _reply_text(fields: Mapping[str, Any]) -> str:
    error = fields.get("model_error")
    return f" ✕ {error}" if error else f": {fields.get('model_response')}"
