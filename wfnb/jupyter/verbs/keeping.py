"""Kept values: chosen, brought back, compared, and the store that they are in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from wfnb.core.events import KeepingChosen
from wfnb.core.kept_values import size_said
from wfnb.core.validation import MAIN
from wfnb.errors import BadValue, BranchUnknown
from wfnb.jupyter.cell_output import show
from wfnb.jupyter.magic_grammar import Options, Words, many_values, one_of, one_value, switch
from wfnb.jupyter.magic_options import JSON
from wfnb.jupyter.notebook import Notebook
from wfnb.render.message import Json, Message
from wfnb.views.kept_value_words import CERTAIN
from wfnb.views.step_words import trusted_text
from wfnb.workspace import LAST

from .runs import run_verbs
from .verb_declaration import verb

if TYPE_CHECKING:
    from wfnb.views.restore_result import Restoration

_STEP = re.compile(r"(\S+:)?[0-9]+|last")
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([kKMGT])i?[bB]?")
_UNITS = {"k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


class KeepOptions(Options):
    secrets: tuple[str, ...] = many_values(
        "--secrets", "PATTERNS", "names that are never kept ('*pin*', salary), or none, or default"
    )
    budget: str | None = one_value(
        "--budget", "SIZE", "what all values of the session may take up (1GB, if not said)"
    )
    figures: bool | None = one_of(
        ("--no-figures", False, "steps do not keep the pictures and tables that they show"),
        ("--figures", True, "they keep them again"),
    )


@verb(
    "keep",
    KeepOptions,
    "[NAMES | all | none] [--secrets PATTERNS] [--budget SIZE] [--no-figures]",
    "Choose what steps keep that do not say it; without NAMES, say what is chosen.",
    examples=("%wfnb keep df 'model*'", "%wfnb keep all --budget 5GB", "%wfnb keep none"),
    choices="names",
)
def keep(notebook: Notebook, words: Words[KeepOptions]) -> Message:
    """Choose what steps keep, or say what is chosen."""
    workspace = notebook.open()
    chosen = workspace.log.refresh().keeping or KeepingChosen()
    secrets, size, figures = words.options.secrets, words.options.budget, words.options.figures
    changes = bool(words.words or secrets or size is not None or figures is not None)
    if changes:
        chosen = workspace.values.choose_keeping(
            *words.words,
            secrets=[one for s in secrets for one in s.split(",")] if secrets else None,
            budget=None if size is None else _size(size),
            figures=figures,
        )
    said = [f"steps keep {', '.join(chosen.keep)}" if chosen.keep else "steps keep what they say"]
    said += _secret_names_note(chosen, told=not changes)
    if chosen.budget is not None:
        said.append(f"at most {size_said(chosen.budget)}")
    if not chosen.figures:
        said.append("no figures")
    data = {"keep": list(chosen.keep), "budget": chosen.budget, "figures": chosen.figures}
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


class RestoreOptions(Options):
    dry_run: bool = switch("--dry-run", "say what would happen; change nothing")
    alone: bool = switch("--alone", "only what that step itself kept")
    exact: bool = switch("--exact", "remove names that were not there at that step")
    rerun: tuple[str, ...] = many_values(
        "--rerun",
        "N",
        "run the code of these steps again (2,3), for what cannot be kept",
        choices="steps",
    )
    json: bool = JSON


@verb(
    "restore",
    RestoreOptions,
    "[N | ID | last] [NAME …] [--dry-run] [--alone] [--exact] [--rerun N,N]",
    "Bring back what a line had kept when a step ended (of a branch, or without N: the last).",
    examples=(
        "%wfnb restore 3",
        "%wfnb restore alt:3 df 'model*' --dry-run",
        "%wfnb restore last --rerun 2",
    ),
    choices="kept",
)
def restore(notebook: Notebook, words: Words[RestoreOptions]) -> Any:
    from wfnb.jupyter.recreate_values import rerun_steps, steps_named  # noqa: PLC0415  only for this

    place, *said = words.words or (LAST,)
    names = _names(said)
    again = steps_named(notebook, words.options.rerun)
    workspace, namespace = notebook.open(), notebook.shell.user_ns
    exact, alone = words.options.exact, words.options.alone
    if words.options.dry_run:
        found = workspace.values.plan(place, names, namespace, exact=exact, alone=alone)
        found.notes += [f"runs the code of step {step} again" for step in again]
    else:
        prepared = workspace.values.prepare(place, names, namespace, exact=exact, alone=alone)
        # Put first: what runs again below needs these values.
        found = notebook.put(prepared)
        if again:
            try:
                rerun_steps(notebook, again, found)
            finally:
                notebook.put(
                    workspace.values.prepare(place, names, namespace, alone=alone)
                )  # what ran may have changed them
    return Json(found.to_dict()) if words.options.json else found


def _names(words: list[str]) -> list[str]:
    """
    >>> _names(["a,", "b", "c,d"])
    ['a', 'b', 'c', 'd']
    """
    return [name for word in words for name in word.split(",") if name]


def switch_and_restore(notebook: Notebook, branch: str) -> Restoration:
    """Choose a line, and bring back what it kept last."""
    workspace = notebook.open()
    before = workspace.log.line
    workspace.switch(branch or MAIN)
    try:
        prepared = workspace.values.prepare(LAST, (), notebook.shell.user_ns)
    except BaseException:
        workspace.switch(before)
        raise
    said = f"on {workspace.log.line!r}: steps that name no branch go there"
    show(notebook.shell, Message(said, {"line": workspace.log.line}))
    return notebook.put(prepared)


class DiffOptions(Options):
    json: bool = JSON


@verb(
    "diff",
    DiffOptions,
    "N N [NAME …] | ID ID [NAME …] | RUN RUN",
    "How the kept values of two steps or branches differ, or two runs of a workflow.",
    examples=("%wfnb diff 3 alt:3", "%wfnb diff main robust rmse", "%wfnb diff deploy-1 deploy-2"),
    choices="compared",
    least=("a step or a run", "another one"),
)
def difference(notebook: Notebook, words: Words[DiffOptions]) -> Any:
    """Of the values of two steps or branches, or of two runs."""
    one, other, *names = words.words
    workspace = notebook.open()
    lines = workspace.log.refresh().lines
    strange = [word for word in (one, other) if not (_STEP.fullmatch(word) or word in lines)]
    if strange:
        # One word is a step or branch, so that two of these were meant: the refusal names branches.
        if len(strange) == 1 and not workspace.log.journal.find_run(strange[0], workspace.log.id):
            raise BranchUnknown(strange[0], tuple(lines))
        found: Any = run_verbs(notebook).difference(words.words)
    else:
        found = workspace.values.differences(one, other, *_names(names))
    return Json(found.to_dict()) if words.options.json else found


class GcOptions(Options):
    undone: bool = switch("--undone", "also those that redo could bring back")
    archived: bool = switch("--archived", "also those of archived sessions")


@verb("gc", GcOptions, "", "Remove kept values that no step refers to any more.", most=0)
def gc(notebook: Notebook, words: Words[GcOptions]) -> Message:
    workspace = notebook.open()
    undone, archived = words.options.undone, words.options.archived
    gone = workspace.values.gc(undone=undone, archived=archived)
    left = workspace.values.usage()
    said = [f"{gone.blobs} file{'s' * (gone.blobs != 1)} removed{_large(gone.size)}"]
    if not gone.blobs:
        too = [] if undone else ["undone ones (`--undone`)"]
        if not archived and any(info.archived for info in workspace.log.journal.sessions()):
            too.append("those of archived sessions (`--archived`)")
        whose = f"steps, {' and '.join(too)} included," if too else "steps"
        said = [f"nothing to remove: {whose} refer to all that is kept"]
    if left.blobs:
        said.append(f"{left.blobs} file{'s' * (left.blobs != 1)} kept{_large(left.size)}")
    return Message(" · ".join(said), {"removed": gone.blobs, "kept": left.blobs})


def _large(size: int) -> str:
    return f", {size_said(size)}" if size >= CERTAIN else ""


class TrustOptions(Options):
    dry_run: bool = switch("--dry-run", "say what it is; trust nothing")


@verb(
    "trust",
    TrustOptions,
    "[--dry-run]",
    "Use what came with this folder from elsewhere: values, advisers, strategies, kinds, runs.",
    examples=("%wfnb trust --dry-run", "%wfnb trust"),
    most=0,
)
def trust(notebook: Notebook, words: Words[TrustOptions]) -> Message:
    from wfnb import folder_trust  # noqa: PLC0415  heavy: advisers, runs

    dry = words.options.dry_run
    found = folder_trust.trust(notebook.home(), dry=dry)
    return Message(trusted_text(found, dry), {"trusted": [] if dry else found, "foreign": found})
