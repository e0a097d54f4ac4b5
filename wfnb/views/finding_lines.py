"""what a step found -> the lines that tell it, as plain text; the same as JSON data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from wfnb.core.findings import Findings
from wfnb.core.session import Step


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


def findings_data(says: Findings) -> dict[str, Any]:
    """What is said, as JSON data; what is not said is left out."""
    return {name: value for name, value in asdict(says).items() if value not in (None, ())}
