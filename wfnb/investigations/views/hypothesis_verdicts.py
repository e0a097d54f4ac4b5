"""what became of a hypothesis -> who gave the verdict on it, and why, in words."""

from __future__ import annotations

from wfnb.core.validation import MAIN
from wfnb.investigations.core.hypothesis_fates import Fate
from wfnb.views.step_words import author_text, refer


def verdict_reason(fate: Fate) -> str:
    """Who gave the verdict on a hypothesis, and why: `by step 4`; "" where there is none."""
    if fate.fate not in ("confirmed", "refuted"):
        return ""
    if fate.by is not None:
        by = f"step {refer(fate.by, MAIN)}"
    else:
        by = author_text(fate.judge) if fate.judge and fate.judge.host == "mcp" else "a person"
    return f"by {by}: {fate.reason}" if fate.reason else f"by {by}"
