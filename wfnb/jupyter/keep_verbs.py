"""the words of a verb about kept values -> what it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from wfnb import consent
from wfnb.core.events import KeepingChosen
from wfnb.core.kept_values import size_said
from wfnb.core.validation import MAIN
from wfnb.deferral import load
from wfnb.errors import BadValue, BranchUnknown
from wfnb.render.message import Json, Message
from wfnb.views.kept_values import CERTAIN
from wfnb.views.restore_result import Restoration
from wfnb.views.words import trusted_text
from wfnb.workspace import LAST

from .display import show
from .grammar import Words
from .notebook import Notebook
from .recreate_values import rerun, steps_named

_STEP = re.compile(r"(\S+:)?[0-9]+|last")
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([kKMGT])i?[bB]?")
_UNITS = {"k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def keep(notebook: Notebook, words: Words) -> Message:
    """Choose what steps keep, or say what is chosen."""
    workspace = notebook.open()
    chosen = workspace.refresh().keeping or KeepingChosen()
    if words.words or words.options:
        secrets, size = words.get("secrets"), words.get("budget")
        chosen = workspace.keeping(
            *words.words,
            secrets=None if secrets is None else [one for s in secrets for one in s.split(",")],
            budget=None if size is None else _size(size),
        )
    said = [f"steps keep {', '.join(chosen.keep)}" if chosen.keep else "steps keep what they say"]
    said += _secret_names_note(chosen, told=not (words.words or words.options))
    if chosen.budget is not None:
        said.append(f"at most {size_said(chosen.budget)}")
    data = {"keep": list(chosen.keep), "budget": chosen.budget}
    data["secrets"] = None if chosen.secrets is None else list(chosen.secrets)
    return Message(" · ".join(said), data)


def _secret_names_note(chosen: KeepingChosen, told: bool) -> Iterator[str]:
    """What is never kept, where it was chosen, or is asked for."""
    if chosen.secrets is not None:
        yield f"never {', '.join(chosen.secrets)}" if chosen.secrets else "no name is a secret"
    elif told:
        from wfnb.values import SECRETS  # noqa: PLC0415  heavy, and only to say it

        yield f"never {', '.join(SECRETS)}"


def _size(word: str) -> int:
    """
    >>> _size("500MB"), _size("1.5 GB")
    (500000000, 1500000000)
    """
    found = _SIZE.fullmatch(word.strip())
    if found is None:
        raise BadValue("budget", word[:60], "a size, as 500MB or 2GB")
    return int(float(found[1]) * _UNITS[found[2].lower()])


def restore(notebook: Notebook, words: Words) -> Any:
    place, *said = words.words or (LAST,)
    names = _names(said)
    again = steps_named(notebook, words.get("rerun", ()))
    workspace, namespace = notebook.open(), notebook.shell.user_ns
    exact, alone = words.get("exact", False), words.get("alone", False)
    if words.get("dry_run"):
        found = workspace.plan(place, names, namespace, exact=exact, alone=alone)
        found.notes += [f"runs the code of step {step} again" for step in again]
    else:
        prepared = workspace.prepare(place, names, namespace, exact=exact, alone=alone)
        found = notebook.put(prepared)
        if again:
            try:
                _rerun_steps(notebook, again, found)
            finally:
                notebook.put(
                    workspace.prepare(place, names, namespace, alone=alone)
                )  # what ran may have changed them
    return Json(found.to_dict()) if words.get("json") else found


def _names(words: list[str]) -> list[str]:
    """
    >>> _names(["a,", "b", "c,d"])
    ['a', 'b', 'c', 'd']
    """
    return [name for word in words for name in word.split(",") if name]


def _rerun_steps(notebook: Notebook, steps: dict[str, str], found: Restoration) -> None:
    """Run the steps again, and tell what they made of what did not come back."""
    namespace = notebook.shell.user_ns
    lost = [entry.name for entry in found.names if entry.way == "cannot"]
    for place, code in steps.items():
        before = {name: id(namespace[name]) for name in lost if name in namespace}
        rerun(notebook, place, code)
        made = [name for name in lost if name in namespace]
        found.again |= {name: place for name in made if before.get(name) != id(namespace[name])}
    found.notes.append(f"ran again: step{'s' * (len(steps) > 1)} {', '.join(steps)}")


def switch(notebook: Notebook, branch: str) -> Restoration:
    """Choose a line, and bring back what it kept last."""
    workspace = notebook.open()
    before = workspace.line
    workspace.switch(branch or MAIN)
    try:
        prepared = workspace.prepare(LAST, (), notebook.shell.user_ns)
    except BaseException:
        workspace.switch(before)
        raise
    said = f"on {workspace.line!r}: steps that name no branch go there"
    show(notebook.shell, Message(said, {"line": workspace.line}))
    return notebook.put(prepared)


def difference(notebook: Notebook, words: Words) -> Any:
    """Of the values of two steps or branches, or of two runs."""
    one, other, *names = words.words
    workspace = notebook.open()
    lines = workspace.refresh().lines
    strange = [word for word in (one, other) if not (_STEP.fullmatch(word) or word in lines)]
    if strange:
        if len(strange) == 1 and not workspace.journal.find_run(strange[0], workspace.id):
            raise BranchUnknown(strange[0], tuple(lines))
        return load("wfnb.jupyter.run_verbs").difference(notebook, words)
    found = workspace.differences(one, other, *_names(names))
    return Json(found.to_dict()) if words.get("json") else found


def gc(notebook: Notebook, words: Words) -> Message:
    workspace = notebook.open()
    undone, archived = words.get("undone", False), words.get("archived", False)
    gone = workspace.gc(undone=undone, archived=archived)
    left = workspace.usage()
    said = [f"{gone.blobs} file{'s' * (gone.blobs != 1)} removed{_large(gone.size)}"]
    if not gone.blobs:
        too = [] if undone else ["undone ones (`--undone`)"]
        if not archived and any(info.archived for info in workspace.journal.sessions()):
            too.append("those of archived sessions (`--archived`)")
        whose = f"steps, {' and '.join(too)} included," if too else "steps"
        said = [f"nothing to remove: {whose} refer to all that is kept"]
    if left.blobs:
        said.append(f"{left.blobs} file{'s' * (left.blobs != 1)} kept{_large(left.size)}")
    return Message(" · ".join(said), {"removed": gone.blobs, "kept": left.blobs})


def _large(size: int) -> str:
    return f", {size_said(size)}" if size >= CERTAIN else ""


def trust(notebook: Notebook, words: Words) -> Message:
    dry = words.get("dry_run", False)
    found = consent.trust(notebook.home(), dry=dry)
    return Message(trusted_text(found, dry), {"trusted": [] if dry else found, "foreign": found})
