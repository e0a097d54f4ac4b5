"""a cell's source -> eight letters for it, which the panel makes of a cell's text, too.

labextension/src/lab/cell_digest.ts makes the same. It tells whether a cell was edited since it ran:
a checksum is enough, and white space at the end of lines and of the cell does not count.
"""

from __future__ import annotations

import re
from zlib import crc32

from wfnb.core.validation import MAX_SOURCE

_ENDS = re.compile(r"[ \t]+(?=\n)")


def digest(source: str) -> str | None:
    r"""None where the source was too long to be kept whole.

    >>> digest("x = 1  \ny = 2\n\n"), digest("x = 1\ny = 2")
    ('ccace7b8', 'ccace7b8')
    """
    if len(source) > MAX_SOURCE:
        return None
    text = _ENDS.sub("", source.rstrip())
    return f"{crc32(text.encode(errors='replace')):08x}"
