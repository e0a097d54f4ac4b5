"""the one object that changes: a command goes in, events are recorded, the session follows.

    command -> decide -> record (journal) -> apply -> session

Recorded before applied, so memory is never ahead of disk. Where another process was quicker, its
events are read and the command is decided again; refusals, too, are decided on all there is.
"""

from .session_log import replay_session
from .session_views import Inquiries, Runs, run_entry
from .value_requests import LAST, KeepRequest, PreparedValues, Values, all_kept
from .workspace import Workspace, looks_told, steps_asked

__all__ = [
    "LAST",
    "Inquiries",
    "KeepRequest",
    "PreparedValues",
    "Runs",
    "Values",
    "Workspace",
    "all_kept",
    "looks_told",
    "replay_session",
    "run_entry",
    "steps_asked",
]
