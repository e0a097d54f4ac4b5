"""wfnb/errors, and cells that are refused -> docs/errors.md.

When a class is used is said by the tree at the top of wfnb/errors, what it says by the program:
each example is run in a kernel, and has to be refused by that class.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from textwrap import dedent

from wfnb import errors
from wfnb.errors import JournalError, Refused, WfnbError
from wfnb.hints import use_spelling
from wfnb.hints_as_magics import MagicSpelling

from .examples import EXAMPLES, FACTS
from .markdown import code, made_from, page
from .shown import kernel

_INTRO = """
Whatever wfnb does not do, it says in one line: the fact, then the next move. In a notebook the line
is the cell's error, without a traceback; in Python it is an exception, with its facts as fields.
The next move is written as it is typed there: here as in a notebook, else as a command or a call.

Every example begins in a session `demo` with two steps. `→` is what wfnb says to the last line.
"""

_BEFORE = """
os.chdir(tempfile.mkdtemp(dir=FOLDER))
os.environ["WFNB_HOME"] = os.path.abspath(".wfnb")
%wfnb start demo
import wfnb
ws = wfnb.open("demo")
%step --quiet Load the readings
%step --quiet Fit the baseline
"""
_WHICH = """
import json, sys
_said = getattr(sys, "last_value", None)
print(json.dumps([type(_said).__name__, str(_said)]))
"""


class NotRefused(Exception):
    """An example is not refused by the class that it is an example of."""


def refusals() -> str:
    use_spelling(MagicSpelling())
    when, said = _when(), _said()
    return page(
        made_from("wfnb/errors/"),
        "# What wfnb refuses",
        _INTRO,
        *_section("The user's mistake", Refused, kinds(Refused), when, said),
        *_section("The disk's no", JournalError, kinds(JournalError), when, said),
        *_section("Neither", None, others(), when, said),
    )


def kinds(root: type[WfnbError]) -> list[type[WfnbError]]:
    """The classes of one branch of the tree, in the order in which it is drawn."""
    found = [getattr(errors, name) for name in _when()]
    return [kind for kind in found if issubclass(kind, root) and kind is not root]


def others() -> list[type[WfnbError]]:
    """The classes on no branch."""
    roots = (Refused, JournalError)
    return [kind for kind in kinds(WfnbError) if not issubclass(kind, roots)]


def every() -> list[type[WfnbError]]:
    """All classes that can be raised."""
    return [*kinds(Refused), *kinds(JournalError), *others()]


def _section(
    title: str,
    root: type[WfnbError] | None,
    members: list[type[WfnbError]],
    when: Mapping[str, str],
    said: Mapping[str, str],
) -> Iterator[str]:
    yield f"## {title}: `{root.__name__}`" if root else f"## {title}"
    yield (root.__doc__ or "") if root else ""
    for kind in members:
        name = kind.__name__
        typed = dedent(EXAMPLES.get(name, "")).strip()
        yield f"### `{name}`"
        yield f"{when[name][:1].upper()}{when[name][1:]}." if when.get(name) else ""
        yield code(f"{typed}\n→ {said[name]}".strip())
        facts = ", ".join(f"`{name}`" for name in kind.facts())
        yield f"Facts: {facts}." if facts else ""


def _when() -> dict[str, str]:
    """Class -> what the tree at the top of wfnb/errors says of it."""
    return dict(re.findall(r"[├└]── (\w+) *(.*)", errors.__doc__ or ""))


def _facts(kind: type[WfnbError]) -> Iterator[object]:
    for name in kind.facts():
        own = f"{kind.__name__}.{name}"
        yield FACTS[own if own in FACTS else name]


def cells(typed: str) -> list[str]:
    r"""What is typed, as cells.

    >>> cells("%%run_workflow nap\n  steps: []\n%wfnb runs")
    ['%%run_workflow nap\n  steps: []', '%wfnb runs']
    """
    return re.split(r"\n(?! )", dedent(typed).strip("\n").rstrip())


def _said() -> dict[str, str]:
    """Class -> what it says. Raises NotRefused."""
    said = {}
    for kind in every():
        if kind.__name__ not in EXAMPLES:
            said[kind.__name__] = str(kind(*_facts(kind)))
    with kernel() as run:
        run("%load_ext wfnb\nimport os, tempfile\nFOLDER = os.getcwd()")
        for name, typed in EXAMPLES.items():
            run(_BEFORE.strip())
            for cell in cells(typed):
                run(cell)
            kind, sentence = json.loads(run(_WHICH).plain)
            if kind != name:
                raise NotRefused(f"{typed!r} is an example of {name}, and gave {kind}: {sentence}")
            said[name] = sentence
    return {name: "\n  ".join(sentence.splitlines()) for name, sentence in said.items()}
