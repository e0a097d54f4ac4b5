"""hints -> calls of the tools; what an agent cannot do is spelled for the person beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wfnb.hints import PythonSpelling, Verb
from wfnb.hints_as_magics import MagicSpelling

_CALLS: Mapping[Verb, str] = {
    "branch": "open_branch",
    "look": "look",
    "open": "start_session",
    "resume-session": "start_session",
    "runs": "run_status",
    "select": "settle_branch",
    "start": "start_session",
    "status": "session_status",
    "step": "record_step",
}
_MAGIC = MagicSpelling()


class ToolSpelling(PythonSpelling):
    """What an agent calls."""

    again = "call it again"
    new_run = "`run_workflow` runs it anew"
    first_step = "`record_step` records one."
    calls = _CALLS

    def command(self, verb: Verb, parts: Iterable[object]) -> str:
        if verb in self.calls:
            return super().command(verb, parts)
        return _MAGIC.command(verb, parts)
