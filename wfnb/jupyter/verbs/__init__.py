"""the verbs of `%wfnb`, as one table: parsing, help, completion and the documentation are made
from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wfnb.errors import BadOption, nearest
from wfnb.jupyter.magic_grammar import NoOptions, Words
from wfnb.jupyter.magic_options import MAGICS
from wfnb.jupyter.notebook import Notebook
from wfnb.render.message import Message

from . import history, investigations, keeping, recording, runs, sessions
from .verb_declaration import Verb, verb

__all__ = ["VERBS", "Verb", "find_verb", "overview"]


def find_verb(name: str) -> Verb[Any]:
    """The verb of that name. BadOption names the one that was meant."""
    if name in VERBS:
        return VERBS[name]
    way = f"{nearest(name, tuple(VERBS))}`%wfnb` lists all verbs."
    raise BadOption("%wfnb", f"there is no verb {name!r}", way)


@verb("help", NoOptions, "[VERB]", "This list, or all about one verb.", most=1)
def show_help(notebook: Notebook, words: Words[NoOptions]) -> Message:
    name = words.words[0] if words.words else ""
    grammar = MAGICS.get(name) or (find_verb(name).grammar if name else None)
    return Message(grammar.help() if grammar else overview(), None, block=True)


def overview() -> str:
    """All verbs, a line each."""
    return "\n".join(_overview())


def _overview() -> Iterator[str]:
    yield "%%step [N[/TOTAL]] [TITLE …]    record this cell as a step         (%%step? says more)"
    yield "%%branch ID [--from N] [TITLE …]    record it on an alternative line"
    yield "%%run_workflow [NAME | FILE]    run a workflow (%%run_workflow? says more)"
    yield "%%workflow NAME    check and save one; call nothing"
    yield "%wfnb VERB …    (%wfnb help VERB says more)"
    width = max(map(len, VERBS))
    for name, each in VERBS.items():
        yield f"  {name:<{width}}  {each.grammar.says}"


def _verbs() -> Iterator[Verb[Any]]:
    """In the order in which the modules declare them."""
    for module in (sessions, recording, investigations, history, keeping, runs):
        yield from (each for each in vars(module).values() if isinstance(each, Verb))
    yield show_help


VERBS: Mapping[str, Verb[Any]] = {each.name: each for each in _verbs()}
