"""The history: its lines compared and judged, its changes, the file it is written to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wfnb.core.validation import whole
from wfnb.errors import BadOption
from wfnb.jupyter.magic_grammar import NoOptions, Options, Words, many_values, one_value, switch
from wfnb.jupyter.magic_options import JSON, REASON, StepOptions
from wfnb.jupyter.notebook import Notebook
from wfnb.jupyter.run_stale import obstacle, rerun_stale
from wfnb.jupyter.step_command import open_step
from wfnb.render.message import Json, Message
from wfnb.views.code_comparison import CodeComparison
from wfnb.views.event_sentences import Log
from wfnb.views.step_dependencies import StepExplanation
from wfnb.views.step_words import body_of, fate, title_of

from .runs import run_verbs
from .sessions import PictureOptions, picture
from .verb_declaration import verb


@verb(
    "graph",
    PictureOptions,
    "[RUN | WORKFLOW | FILE]",
    "The history as a diagram; or a run with the path it took; or a workflow, saved or in a file.",
    choices="runs",
    most=1,
)
def graph(notebook: Notebook, words: Words[PictureOptions]) -> Any:
    if words.words:
        return picture(run_verbs(notebook).graph(words.words[0]), words.options)
    return picture(notebook.open().graph(), words.options)


class CompareOptions(Options):
    lowest: tuple[str, ...] = many_values(
        "--lowest", "NAME", "of this value the lowest is the best"
    )
    highest: tuple[str, ...] = many_values(
        "--highest", "NAME", "of this value the highest is the best"
    )
    code: bool = switch("--code", "how the code of two lines differs, step by step")
    json: bool = JSON


@verb(
    "compare",
    CompareOptions,
    "[ID …]",
    "Lines side by side (all, without ID).",
    examples=("%wfnb compare main robust --lowest rmse", "%wfnb compare main robust --code"),
    choices="branches",
)
def compare(notebook: Notebook, words: Words[CompareOptions]) -> Any:
    options = words.options
    if options.code:
        code = _code_comparison(notebook, words.words)
        return Json(code.to_dict()) if options.json else code
    found = notebook.open().compare(*words.words, lowest=options.lowest, highest=options.highest)
    return Json(found.to_dict()) if options.json else found


def _code_comparison(notebook: Notebook, named: Sequence[str]) -> CodeComparison:
    """Of the two lines that are named, or that there are."""
    workspace = notebook.open()
    lines = tuple(named) or tuple(workspace.log.refresh().lines)
    if len(lines) != 2:
        way = "Written: %wfnb compare main robust --code"
        raise BadOption("%wfnb compare", f"--code needs two lines, not {len(lines)}", way)
    return workspace.views.compare_code(*lines)


class ReasonOptions(Options):
    reason: str | None = REASON


@verb(
    "score",
    ReasonOptions,
    "ID SCORE [--reason TEXT]",
    "Say how good a branch is; higher is better.",
    examples=('%wfnb score robust 0.8 --reason "half the error"',),
    choices="branches",
    least=("a branch", "a score"),
    most=2,
)
def score(notebook: Notebook, words: Words[ReasonOptions]) -> Message:
    branch, value = words.words
    notebook.open().score(branch, value, words.options.reason)
    return _line_message(notebook, branch)


@verb(
    "select",
    ReasonOptions,
    "ID [--reason TEXT]",
    "Choose a branch over those that left the same step.",
    choices="branches",
    least=("a branch",),
    most=1,
)
def select(notebook: Notebook, words: Words[ReasonOptions]) -> Message:
    notebook.open().select(words.words[0], words.options.reason)
    return _line_message(notebook, words.words[0])


class MergeOptions(Options):
    into: str | None = one_value("--into", "ID", "the line it joins", choices="branches")
    reason: str | None = REASON


@verb(
    "merge",
    MergeOptions,
    "ID [--into ID] [--reason TEXT]",
    "Take a branch's work into a line (by default the one it left).",
    choices="branches",
    least=("a branch",),
    most=1,
)
def merge(notebook: Notebook, words: Words[MergeOptions]) -> Message:
    notebook.open().merge(words.words[0], words.options.into, words.options.reason)
    return _line_message(notebook, words.words[0])


@verb(
    "abandon",
    ReasonOptions,
    "ID [--reason TEXT]",
    "Give a branch up; it stays in the history.",
    choices="branches",
    least=("a branch",),
    most=1,
)
def abandon(notebook: Notebook, words: Words[ReasonOptions]) -> Message:
    notebook.open().abandon(words.words[0], words.options.reason)
    return _line_message(notebook, words.words[0])


def _line_message(notebook: Notebook, branch: str) -> Message:
    workspace = notebook.open()
    line = next(line for line in workspace.status()["lines"] if line["id"] == branch)
    became = fate(workspace.session, workspace.session.lines[branch])
    said = [f"branch {branch!r}" if branch != "main" else "main", became]
    said.append(f"score {line['score']:.4g}" if line["score"] is not None else "")
    said.append(line["reason"] or "")
    return Message(" · ".join(part for part in said if part), line)


class ReviseOptions(StepOptions, without="--revises"):
    """Its first word is the step that it revises."""


@verb(
    "revise",
    ReviseOptions,
    "N TITLE … [options of %%step]",
    "Record a correction of step N, as `%step --revises N` does.",
    examples=("%wfnb revise 2 Both broken days have to go",),
    least=("the number of a step", "a title"),
    choices="steps",
)
def revise(notebook: Notebook, words: Words[ReviseOptions]) -> None:
    revised, *title = words.words
    options = StepOptions(**vars(words.options), revises=revised)
    open_step(notebook, Words(words=tuple(title), options=options))


@verb(
    "confirm",
    NoOptions,
    "[N …]",
    "Stale steps hold as they are (all of them, without N).",
    examples=("%wfnb confirm 3 alt:3",),
    choices="steps",
)
def confirm(notebook: Notebook, words: Words[NoOptions]) -> Message:
    steps = notebook.open().confirm(*words.words)
    said = f"{_steps(steps)} confirmed" if steps else "no such step is stale"
    return Message(said, {"confirmed": steps})


class WhyOptions(Options):
    json: bool = JSON


@verb(
    "why",
    WhyOptions,
    "N",
    "What step N rests on, and why it is stale: as a picture and a table.",
    examples=("%wfnb why 4",),
    least=("a step",),
    most=1,
    choices="steps",
)
def why(notebook: Notebook, words: Words[WhyOptions]) -> Any:
    workspace, cells = notebook.open(), notebook.cells
    lacks = (lambda step: "") if cells is None else cells.lacks
    session, step = workspace.log.refresh(), workspace.log.find(words.words[0])
    shown = StepExplanation(session, step, lacks, obstacle(notebook, step) if step.stale else "")
    return Json(shown.data) if words.options.json else shown


class RunStaleOptions(Options):
    dry_run: bool = switch("--dry-run", "only say what would be run")


@verb(
    "run-stale",
    RunStaleOptions,
    "[N …] [--dry-run]",
    "Run stale steps again in order (all, without N), each after what it rests on.",
    examples=("%wfnb run-stale 4",),
    choices="steps",
)
def run_stale(notebook: Notebook, words: Words[RunStaleOptions]) -> Message:
    return rerun_stale(notebook, words.words, words.options.dry_run)


@verb(
    "hide",
    NoOptions,
    "N …",
    "Leave steps out of lists, pictures and counts; they stay in the history.",
    examples=("%wfnb hide 5", "%wfnb hide 5 alt:3"),
    choices="steps",
    least=("the number of a step",),
)
def hide(notebook: Notebook, words: Words[NoOptions]) -> Message:
    steps = notebook.open().hide(*words.words)
    if not steps:
        return Message("hidden already", {"hidden": []})
    back = f"`%wfnb unhide {' '.join(steps)}` shows {'it' if len(steps) == 1 else 'them'} again"
    return Message(f"{_steps(steps)} hidden · {back}", {"hidden": steps})


@verb(
    "unhide",
    NoOptions,
    "[N …]",
    "Show hidden steps again (all of them, without N).",
    examples=("%wfnb unhide 5", "%wfnb unhide"),
    choices="steps",
)
def unhide(notebook: Notebook, words: Words[NoOptions]) -> Message:
    steps = notebook.open().unhide(*words.words)
    said = f"{_steps(steps)} shown again" if steps else "no such step is hidden"
    return Message(said, {"shown": steps})


def _steps(places: list[str]) -> str:
    return f"step{'s' * (len(places) != 1)} {', '.join(places)}"


@verb(
    "retitle",
    NoOptions,
    "N TITLE …",
    "Give a step another title; it stays the same version.",
    examples=('%wfnb retitle 3 "Load both years"',),
    choices="steps",
    least=("the number of a step", "a title"),
)
def retitle(notebook: Notebook, words: Words[NoOptions]) -> Message:
    place, *title = words.words
    notebook.open().describe(place, title=" ".join(title))
    return _description_message(notebook, place)


@verb(
    "note",
    NoOptions,
    "N TEXT …",
    'Give a step another reason under its title; "" takes it away.',
    examples=("%wfnb note 3 The logger was moved in May",),
    choices="steps",
    least=("the number of a step", "the reason"),
)
def note(notebook: Notebook, words: Words[NoOptions]) -> Message:
    place, *reason = words.words
    notebook.open().describe(place, reason=" ".join(reason))
    return _description_message(notebook, place)


def _description_message(notebook: Notebook, place: str) -> Message:
    description = notebook.open().log.find(place).current.description
    title, reason = title_of(description), body_of(description)
    said = f"{title} · {title_of(reason)}" if reason else title
    return Message(f"step {place}: {said}", {"step": place, "description": description})


@verb(
    "tag",
    NoOptions,
    "N TAGS",
    "Tag a step, to find it by that.",
    examples=("%wfnb tag 3 data,slow",),
    choices="steps",
    least=("the number of a step", "tags"),
)
def tag(notebook: Notebook, words: Words[NoOptions]) -> Message:
    place, *names = words.words
    return _tags_message(place, notebook.open().tag(place, *_split_names(names)))


@verb(
    "untag",
    NoOptions,
    "N [TAGS]",
    "Take tags from a step (all of them, without TAGS).",
    examples=("%wfnb untag 3 slow",),
    choices="steps",
    least=("the number of a step",),
)
def untag(notebook: Notebook, words: Words[NoOptions]) -> Message:
    place, *names = words.words
    workspace = notebook.open()
    gone = _split_names(names) or workspace.log.find(place).tags
    return _tags_message(place, workspace.tag(place, remove=gone))


def _split_names(words: list[str]) -> tuple[str, ...]:
    return tuple(filter(None, (name.strip() for word in words for name in word.split(","))))


def _tags_message(place: str, tags: tuple[str, ...]) -> Message:
    said = f"tagged {', '.join(tags)}" if tags else "has no tags"
    return Message(f"step {place} {said}", {"step": place, "tags": list(tags)})


class UndoOptions(Options):
    by: str | None = one_value("--by", "NAME", "all that this author did, and nothing else")
    since: str | None = one_value(
        "--since", "N", "of that, only what came after entry N of the log"
    )


@verb(
    "undo",
    UndoOptions,
    "[--by NAME [--since N]]",
    "Take the last change back, or what an agent did.",
    examples=("%wfnb undo --by claude --since 12",),
    most=0,
)
def undo(notebook: Notebook, words: Words[UndoOptions]) -> Message:
    options = words.options
    if options.by is None and options.since is not None:
        way = "Written: %wfnb undo --by claude --since 12"
        raise BadOption("%wfnb undo", "--since needs --by", way)
    done = notebook.open().undo(options.by, options.since or 0)
    return Message(f"undone: {done} · `%wfnb redo` brings it back", {"undone": True})


@verb("redo", NoOptions, "", "Bring back what was undone last.", most=0)
def redo(notebook: Notebook, words: Words[NoOptions]) -> Message:
    return Message(f"redone: {notebook.open().redo()}", {"redone": True})


class LogOptions(Options):
    last: str | None = one_value("--last", "N", "the last N entries (30)")
    by: str | None = one_value("--by", "NAME", "what that program did, `panel` or `notebook`")
    times: bool = switch("--times", "with the time of each")
    json: bool = JSON


@verb("log", LogOptions, "[--last N] [--by NAME] [--times]", "What was recorded, in order.", most=0)
def log(notebook: Notebook, words: Words[LogOptions]) -> Any:
    workspace, options = notebook.open(), words.options
    last = 30 if options.last is None else whole("--last", options.last)
    shown = Log(
        workspace.log.entries(), last, options.times, workspace.views.run_entries(), options.by
    )
    return Json(shown.to_dict()) if options.json else shown


class ExportOptions(Options):
    force: bool = switch("--force", "also over a file that is not of wfnb")
    figures: bool = switch("--no-figures", "without the pictures and tables of steps", value=False)


@verb(
    "export",
    ExportOptions,
    "FILE [--force] [--no-figures]",
    "Write the session to a file: .md .html .json .svg .dot .mmd .txt",
    examples=("%wfnb export report.html",),
    least=("a file",),
    most=1,
)
def export(notebook: Notebook, words: Words[ExportOptions]) -> Message:
    file = words.words[0]
    options = words.options
    notebook.open().export(file, force=options.force, figures=options.figures)
    return Message(f"exported to {file}", {"file": file})


@verb("clear", NoOptions, "", "Put all steps and branches away.", most=0)
def clear(notebook: Notebook, words: Words[NoOptions]) -> Message:
    workspace = notebook.open()
    count = len(workspace.log.refresh().steps)
    workspace.clear()
    back = f"`%wfnb undo` brings {'it' if count == 1 else 'them'} back"
    said = f"{count} step{'s' * (count != 1)} put away · {back}" if count else "there are no steps"
    return Message(said, {"cleared": count})
