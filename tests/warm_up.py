"""-> what a process of wfnb makes once, of types, and takes longer for than for most of its work.

Loaded ahead (`ahead.py`), it is there in what is forked.
"""

import yaml  # noqa: F401

from wfnb.core.extension import event_kinds
from wfnb.journal.codec import event_shape
from wfnb.workflows.core.events import RUN_KINDS
from wfnb.workflows.tools.registry import builtin_tools

builtin_tools()
for kind in (*event_kinds().values(), *RUN_KINDS.values()):
    event_shape(kind)
