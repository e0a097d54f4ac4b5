"""a sentence that names magics -> the same for a command line."""

from __future__ import annotations

import re

TOOLS = "`--tools FILE` brings tools of your own."
"""The way on where a tool is not known."""
_WAYS = (
    (r", or go on in memory with `%wfnb start [^`]*`", ""),
    (r"without --resume it runs anew", "`wfnb run` runs it anew"),
    (r"run the cell again", "try again"),
    (r"%%?run_workflow --resume", "wfnb resume"),
    (r"%%?run_workflow", "wfnb run"),
    (r"%wfnb ", "wfnb "),
)


def shell_wording(sentence: str) -> str:
    """What to type, as it is typed in a shell.

    >>> shell_wording("`%run_workflow --resume deploy-1` goes on; `%wfnb runs` lists.")
    '`wfnb resume deploy-1` goes on; `wfnb runs` lists.'
    """
    for magic, command in _WAYS:
        sentence = re.sub(magic, command, sentence)
    return sentence


def of_tool(problem: object) -> bool:
    """Whether a problem is that a tool is not known."""
    return getattr(problem, "rule", None) == "tools"
