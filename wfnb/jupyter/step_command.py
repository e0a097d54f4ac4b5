"""the words over a cell, and the cell -> the command that records it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from wfnb.core.commands import AddStep
from wfnb.core.events import Outcome
from wfnb.core.findings import NAMES
from wfnb.core.header import split
from wfnb.core.keeping import ALL, follows, patterns
from wfnb.core.validation import Place, whole
from wfnb.dataflow.code import analyze
from wfnb.errors import BadOption, BadValue
from wfnb.workspace import KeepRequest

from . import cell as read
from .display import show
from .grammar import QuotedWord, Words
from .header import merge_header
from .notebook import Notebook
from .settings import set_fields

_TAKEN = (
    *("number", "total", "next_step_needed", "needs_more_steps", "revises", "branch"),
    *("branch_from", "stage", "backtrack", "pause", "numeral", *NAMES),
)
"""Options that the workspace takes as they are."""
_NUMBER = re.compile(r"[-+]?\d+(\.\d*)?([eE][-+]?\d+)?(/\S*)?")


def open_step(notebook: Notebook, said: Words) -> None:
    """Open the step that the words describe: it runs until its cell ends."""
    words = list(said.words)
    options: dict[str, Any] = dict(said.options)
    bare = words[:1] and "number" not in options and not isinstance(words[0], QuotedWord)
    if bare and _NUMBER.fullmatch(words[0]):
        numeral = words.pop(0)
        number, slash, total = numeral.partition("/")
        options["number"] = _positive_number("step_number", number)
        if slash:
            options["total"] = _positive_number("total_steps", total)
        if words:
            options["numeral"] = numeral
    notebook.open(records=True)
    again = notebook.matching_step()
    if again is not None:
        options |= {"number": again.number, "branch": again.branch, "numeral": None}
    command, wanted = _command(notebook, " ".join(words), options, said.line)
    forms = (form for form in ("quiet", "json", "text") if said.get(form))
    form = next(forms, "all")
    workspace = notebook.open()
    prepared = None
    if said.get("restore"):
        origin = follows(workspace.refresh(), command)
        before = Place(number=origin.number, branch=origin.branch)
        prepared = workspace.prepare(before, (), notebook.shell.user_ns, whole=True)
    notebook.begin(command, tuple(said.get("value", ())), form, said.line, wanted)
    if prepared is not None:
        show(notebook.shell, notebook.put(prepared), "quiet" if form == "quiet" else "all")
    names = [*said.get("reads", ()), *_expressions(said.get("value", ()))]
    names += wanted.names if wanted is not None else ()
    notebook.observe(
        notebook.code(said.line), names, said.get("writes", ()), bool(said.get("reads"))
    )


def _expressions(settings: Iterable[str]) -> list[str]:
    """The names that `--value` looks at."""
    found: list[str] = []
    for setting in settings:
        name, _, expression = setting.partition("=")
        found += analyze(expression or name).reads
    return found


def _positive_number(field: str, word: str) -> int:
    """A whole number from 1; the first word of a title may only look like one."""
    try:
        return whole(field, word)
    except BadValue as refusal:
        needs = f"{refusal.needs} (a title that begins with a number goes in quotes)"
        raise BadValue(field, word, needs) from None


def _check_values(settings: Iterable[str]) -> tuple[str, ...]:
    """`NAME` or `NAME=EXPRESSION`, each. BadOption where there is no name."""
    for setting in settings:
        if not setting.partition("=")[0].strip():
            what = f"--value {setting!r} has no name"
            raise BadOption("%%step", what, "Written: --value rmse, or --value rmse=model.rmse")
    return tuple(settings)


def open_branch(notebook: Notebook, said: Words) -> None:
    """The same, on the branch that the first word names."""
    branch, *title = said.words
    options = {**said.options, "branch": branch}
    open_step(notebook, Words(words=tuple(title), options=options, line=said.line))


def _fields(notebook: Notebook, options: dict[str, Any], code: str) -> dict[str, Any]:
    """What `--set`, `--model` and the header say, each field once."""
    header = options.get("fields", {})
    said = [*set_fields(notebook, options.get("set", []), header, options.get("stage"), code)]
    said += [{"models": options["model"]}] if "model" in options else []
    found: dict[str, Any] = {}
    for each in said:
        if twice := next((name for name in each if name in found), None):
            raise BadOption("%%step", f"field {twice!r} is said twice", "Say it in one place.")
        found |= each
    return found


def _command(
    notebook: Notebook, title: str, options: dict[str, Any], line: str | None
) -> tuple[AddStep, KeepRequest | None]:
    """The step as a command, and what its end keeps: reasoning is done at once; where there is code
    under it, or it is not known what is, or it keeps values, the step runs."""
    body = notebook.body(line)
    header, code = split(body or "")
    if header is not None:
        options = merge_header(header, options)
    text = "text" in options
    under = code.strip() if text else read.words(code)
    said = "\n\n".join(part for part in (title, under) if part)
    asked = _check_values(options.get("value", ()))
    done = text or (body is not None and not read.runs(code))
    given = {name: options[name] for name in _TAKEN if name in options}
    wanted = _values_to_keep(notebook, options, body, done)
    done = done and wanted is None
    cell = notebook.cell()
    command = notebook.open().add_step(
        said or read.first_line(code),
        **given,
        fields=_fields(notebook, options, "" if body is None else notebook.python(body)),
        cell=cell,
        outcome=Outcome(values=notebook.values(asked)) if done else None,
        keep=() if wanted is None else wanted.asked,
        flow=notebook.reading(options["reads"]) if done and "reads" in options else None,
        tags=tuple(filter(None, ",".join(options.get("tags", ())).split(","))),
        cells=notebook.cells_beside(cell),
    )
    return command, wanted


def _values_to_keep(
    notebook: Notebook, options: dict[str, Any], body: str | None, done: bool
) -> KeepRequest | None:
    """What `--keep` says, else what the session keeps of steps that run."""
    said = "keep" in options
    asked = patterns(options["keep"]) if said else notebook.keeps(done)
    if not asked:
        return None
    names = tuple(name for name in asked if name != ALL)
    if ALL in asked:
        from wfnb.core.assigned_names import find_assigned  # noqa: PLC0415  only where code is searched

        names += find_assigned(notebook.python(body))
    return KeepRequest(asked=asked, names=names, namespace=notebook.shell.user_ns, strict=said)
