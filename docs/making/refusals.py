"""errors.py, and cells that are refused -> docs/errors.md.

When a class is used is said by the tree at the top of errors.py, what it says by the program: each
example is run in a kernel, and has to be refused by that class.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from textwrap import dedent

from wfnb import errors
from wfnb.errors import JournalError, Refused, WfnbError

from .markdown import code, made_from, page
from .shown import kernel

_INTRO = """
Whatever wfnb does not do, it says in one line: the fact, then the next move. In a notebook the line
is a `UsageError` without a traceback; in Python it is an exception, with its facts as fields.

Every example begins in a session `demo` with two steps. `→` is what wfnb says to the last line.
"""

EXAMPLES: Mapping[str, str] = {
    "BadValue": "%%step 2.5 Fit the baseline",
    "BadText": 'ws.step("Fit the baseline " * 10_000)',
    "BadOption": "%%step Fit the baseline --dnoe",
    "SessionExists": "%wfnb start demo",
    "SessionUnknown": "%wfnb resume dmeo",
    "StepUnknown": "%%branch robust --from 9 A robust loss",
    "StepAmbiguous": """
        %branch robust --from 2 A robust loss
        %branch filter --from 2 A median filter
        %wfnb confirm 3
    """,
    "RevisionWithoutTarget": 'ws.step("Fit again", is_step_revision=True)',
    "RevisionNotEarlier": "%%step 3 --revises 3 Fit again",
    "NumberBelowBranch": """
        %branch robust --from 2 A robust loss
        %%branch robust 2 Tune epsilon
    """,
    "BranchUnknown": """
        %branch robust --from 2 A robust loss
        %wfnb score robsut 0.8
    """,
    "BranchLeavesElsewhere": """
        %branch robust --from 2 A robust loss
        %%branch robust --from 1 Tune epsilon
    """,
    "MainIsFirst": "%wfnb abandon main",
    "MergeIntoItself": """
        %branch robust --from 2 A robust loss
        %wfnb merge robust --into robust
    """,
    "StageUnknown": """
        %wfnb strategy react
        %%step --stage problem_recption Blank pages
    """,
    "StageNotReachable": """
        %wfnb strategy react
        %%step --stage final_response Buy a new one
    """,
    "StageNeeded": """
        %wfnb strategy base_sequential
        %step Is the sensor drifting?
        %step Look at the residuals
        %step They grow by 0.3 K
        %step The growth is not noise
        %%step What next?
    """,
    "FieldMissing": """
        %wfnb strategy react
        %step Blank pages
        %step The cartridge may be empty
        %step Weigh it
        %%step On the scales
    """,
    "NoStrategy": "%%step --stage action_planning Weigh it",
    "StrategyUnknown": "%wfnb strategy raect",
    "StrategyNone": "%wfnb stages",
    "StrategyBroken": """
        %mkdir -p .wfnb/strategies
        !echo "{name: mine, stages: {plan: {next: [do]}}}" > .wfnb/strategies/mine.yaml
        %wfnb strategy mine
    """,
    "NothingToUndo": """
        %wfnb start other --scratch
        %wfnb undo
    """,
    "NothingToRedo": "%wfnb redo",
    "NothingRecorded": """
        %wfnb start other --scratch
        %wfnb graph
    """,
}
"""What is typed; the last line is refused. Classes without an example need another process, or a
disk with a fault: they are shown with these facts."""
FACTS: Mapping[str, object] = {
    "path": ".wfnb/journal.db",
    "session": "demo",
    "position": 7,
    "attempt": 5,
    "JournalCorrupt.what": "file is not a database",
    "JournalNewer.what": "event 7 of session 'demo' is step-added version 2",
}

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
_said = _said.__context__ if type(_said).__name__ == "UsageError" else _said
print(json.dumps([type(_said).__name__, str(_said)]))
"""


class NotRefused(Exception):
    """An example is not refused by the class that it is an example of."""


def refusals() -> str:
    when, said = _when(), _said()
    return page(
        made_from("wfnb/errors.py"),
        "# What wfnb refuses",
        _INTRO,
        *_section(Refused, "The user's mistake", when, said),
        *_section(JournalError, "The disk's no", when, said),
    )


def kinds(root: type[WfnbError]) -> list[type[WfnbError]]:
    """The classes of one branch of the tree, in the order of the file."""
    found = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    return [kind for kind in found if issubclass(kind, root) and kind is not root]


def _section(
    root: type[WfnbError], title: str, when: Mapping[str, str], said: Mapping[str, str]
) -> Iterator[str]:
    yield f"## {title}: `{root.__name__}`"
    yield root.__doc__ or ""
    for kind in kinds(root):
        name = kind.__name__
        typed = dedent(EXAMPLES.get(name, "")).strip()
        yield f"### `{name}`"
        yield f"{when[name][:1].upper()}{when[name][1:]}." if when.get(name) else ""
        yield code(f"{typed}\n→ {said[name]}".strip())
        facts = ", ".join(f"`{name}`" for name in kind.facts())
        yield f"Facts: {facts}." if facts else ""


def _when() -> dict[str, str]:
    """Class -> what the tree at the top of errors.py says of it."""
    tree = re.findall(r"[├└]── (\w+(?:, \w+)*) *(.*)", errors.__doc__ or "")
    return {name: says for names, says in tree for name in names.split(", ")}


def _facts(kind: type[WfnbError]) -> Iterator[object]:
    for name in kind.facts():
        yield FACTS.get(f"{kind.__name__}.{name}") or FACTS[name]


def _said() -> dict[str, str]:
    """Class -> what it says. Raises NotRefused."""
    said = {}
    for kind in (*kinds(Refused), *kinds(JournalError)):
        if kind.__name__ not in EXAMPLES:
            said[kind.__name__] = str(kind(*_facts(kind)))
    with kernel() as run:
        run("%load_ext wfnb\nimport os, tempfile\nFOLDER = os.getcwd()")
        for name, typed in EXAMPLES.items():
            for line in _BEFORE.strip().splitlines():
                run(line)
            for line in dedent(typed).strip().splitlines():
                run(line)
            kind, sentence = json.loads(run(_WHICH).plain)
            if kind != name:
                raise NotRefused(f"{typed!r} is an example of {name}, and gave {kind}: {sentence}")
            said[name] = sentence
    return {name: " ".join(sentence.split()) for name, sentence in said.items()}
