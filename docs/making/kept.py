"""tests/kept_values/kinds.py -> docs/kept.md: which kinds of values come back, and which do not.

Every kind is tried: kept in one process, restored in another. A page that would say something else
than what was found is not made.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .markdown import made_from, page, table

_ROOT = Path(__file__).parents[2]
_INTRO = """
`%%step --keep NAMES` keeps values, `%wfnb restore` brings them back. What comes back is said here
kind by kind: the value was kept in one kernel and restored in a fresh one, which had imported
nothing and defined nothing. The code that made each is in `tests/kept_values/kinds.py`.
"""
_BACK = """
`value` is what came back, and the expression is true of it there; where it is only `==`, the types
were compared as well. A class or a function of the notebook comes back with what it looks up there.
"""
_REFUSED = """
What is tied to this process or to this machine cannot be kept. It is said why, and the other names
of the step are kept. `%wfnb restore 3 --rerun 2` makes it again by running the code of step 2. (The
tensor was a stand-in: no GPU is needed to try this.)
"""


class NotAsTold(Exception):
    """A kind of value that does not come back as it is said to."""


def kept() -> str:
    kinds = _kinds()
    back = [kind for kind in kinds if not kind.why_not]
    refused = [kind for kind in kinds if kind.why_not]
    return page(
        made_from("tests/kept_values/kinds.py"),
        "# What can be kept",
        _INTRO,
        f"## {len(back)} kinds that come back",
        _BACK,
        table(("kind", "in a fresh kernel"), map(_back, back)),
        f"## {len(refused)} kinds that are refused",
        _REFUSED,
        table(("kind", "what is said"), ((kind.name, kind.why_not) for kind in refused)),
    )


def _kinds() -> list[Any]:
    """All kinds; what the tests say of them was found again just now, of those whose library is
    installed. Raises NotAsTold."""
    if str(_ROOT) not in sys.path:
        sys.path.append(str(_ROOT))  # the tests are no part of the package
    tests = import_module("tests.kept_values.tried")
    with TemporaryDirectory() as folder:
        found = tests.tried(Path(folder))
    wrong = [kind.name for kind in tests.HERE if found[kind.name] != (kind.why_not or True)]
    if wrong:
        raise NotAsTold(", ".join(wrong))
    return list(tests.KINDS)


def _back(kind: Any) -> tuple[str, str]:
    return kind.name, f"`{kind.told or kind.check}`"
