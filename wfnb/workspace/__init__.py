"""one session that is open in this process: steps, views, values, runs, its investigation.

`Workspace` is composed of one `SessionLog` (`wfnb/session_log.py`), which is what changes, and of
the parts that ask it.
"""

from .session_views import SessionViews, run_entry
from .value_transfer import LAST, KeepRequest, PreparedValues, Values, all_kept
from .workspace import Workspace

__all__ = [
    "LAST",
    "KeepRequest",
    "PreparedValues",
    "SessionViews",
    "Values",
    "Workspace",
    "all_kept",
    "run_entry",
]
