"""values that were read -> in the notebook's namespace, as if they had been made there."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from wfnb.deferral import Deferral

if TYPE_CHECKING:
    from wfnb.views.restore_result import Restoration
    from wfnb.workspace import PreparedValues

_INLINE = "matplotlib_inline.backend_inline"


def put(prepared: PreparedValues) -> Restoration:
    """Put them there. Figures are shown as pictures once their backend is loaded, which the first
    that is made in a kernel does, and one that comes back does not."""
    told = prepared.put()
    # Only where the kernel shows figures inline: elsewhere another backend was chosen.
    is_inline = os.environ.get("MPLBACKEND", "").removeprefix("module://") == _INLINE
    if is_inline and "matplotlib.figure" in sys.modules:
        with Deferral():
            import matplotlib_inline.backend_inline  # noqa: F401, PLC0415  only with matplotlib
    return told
