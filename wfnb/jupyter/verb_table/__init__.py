"""the verbs of `%wfnb`, as one table: parsing, help, completion and the documentation are made
from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wfnb.errors import BadOption, nearest
from wfnb.jupyter.grammar import Words
from wfnb.jupyter.notebook import Notebook
from wfnb.jupyter.options import BRANCH, RUN, STEP
from wfnb.render.message import Message

from .history import HISTORY
from .investigations import INVESTIGATIONS
from .keeping import KEEPING
from .row import Verb, row
from .runs import RUNS
from .sessions import SESSIONS

__all__ = ["VERBS", "Verb", "overview", "verb"]


def verb(name: str) -> Verb:
    """The verb of that name. BadOption names the one that was meant."""
    if name in VERBS:
        return VERBS[name]
    way = f"{nearest(name, tuple(VERBS))}`%wfnb` lists all verbs."
    raise BadOption("%wfnb", f"there is no verb {name!r}", way)


def show_help(notebook: Notebook, words: Words) -> Message:
    name = words.words[0] if words.words else ""
    magics = {"step": STEP, "branch": BRANCH, "run_workflow": RUN}
    grammar = magics.get(name) or (verb(name).grammar if name else None)
    return Message(grammar.help() if grammar else overview(), None, block=True)


def overview() -> str:
    """All verbs, a line each."""
    return "\n".join(_overview())


def _overview() -> Iterator[str]:
    yield "%%step [N[/TOTAL]] [TITLE …]    record this cell as a step         (%%step? says more)"
    yield "%%branch ID [--from N] [TITLE …]    record it on an alternative line"
    yield "%%run_workflow [NAME | FILE]    run a workflow (%%run_workflow? says more)"
    yield "%wfnb VERB …    (%wfnb help VERB says more)"
    width = max(len(verb) for verb in VERBS)
    for name, verb in VERBS.items():
        yield f"  {name:<{width}}  {verb.grammar.says}"


VERBS: Mapping[str, Verb] = dict(
    (
        *SESSIONS,
        *INVESTIGATIONS,
        *HISTORY,
        *KEEPING,
        *RUNS,
        row("help", show_help, "[VERB]", "This list, or all about one verb.", most=1),
    )
)
