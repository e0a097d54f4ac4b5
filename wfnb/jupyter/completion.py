"""what is typed after `%%step`, `%%branch`, `%wfnb` -> what can stand there."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from IPython.core.completer import CompletionContext, SimpleCompletion, context_matcher

from wfnb.core.findings import SEVERITIES
from wfnb.core.queries import head, stage_choices, stage_named, stage_of
from wfnb.core.session import Session
from wfnb.core.validation import MAIN
from wfnb.errors import WfnbError
from wfnb.investigations.core.investigation import investigation_of

from .magic_grammar import Choices
from .magic_options import MAGICS
from .notebook import Notebook
from .verbs import VERBS

_DEEPEST, _MAX_FILES = 3, 2_000
_LINE = re.compile(r"^%{1,2}(step|branch|run_workflow|workflow|wfnb)[ \t]+(.*)$")


class Completion:
    """A matcher for IPython's completer: it speaks for lines of ours and is silent for others."""

    def __init__(self, notebook: Notebook) -> None:
        self.notebook = notebook
        self.match = context_matcher(identifier="wfnb")(lambda context: self.matches(context))

    def matches(self, context: CompletionContext) -> Any:
        typed = context.line_with_cursor[: context.cursor_position]
        found = _LINE.match(typed)
        if found is None:
            return {"completions": [], "suppress": False}
        before, _, token = f" {found[2]}".rpartition(" ")
        try:
            words = sorted(self._words(found[1], before.split(), token))
        except WfnbError:
            # While somebody types, an error of the journal is no help: it will be told when the
            # line runs.
            words = []
        # IPython replaces only what it takes for a token itself, which ends at a colon or a comma.
        prefix = token[: len(token) - len(context.token)] if token.endswith(context.token) else ""
        matches = [
            SimpleCompletion(text=word.removeprefix(prefix), type="wfnb")
            for word in words
            if word.startswith(token)
        ]
        return {"completions": matches, "suppress": bool(matches), "ordered": True}

    def _words(self, magic: str, before: list[str], token: str) -> Iterable[str]:
        grammar = MAGICS.get(magic)
        if magic == "wfnb":
            if not before:
                return list(VERBS)
            verb = VERBS.get(before[0])
            if verb is None:
                return []
            if before[0] == "help":
                return list(VERBS)
            grammar, before = verb.grammar, before[1:]
        assert grammar is not None
        flag, equals, _ = token.partition("=")
        option = grammar.option(before[-1]) if before else None
        if option is not None and option.takes:
            return _complete_list(token, self._choices(option.choices), option.flag == "--keep")
        if equals and (option := grammar.option(flag)) is not None:
            return [f"{flag}={choice}" for choice in self._choices(option.choices)]
        flags = [option.flag for option in grammar.options.table]
        if grammar.choices == "looks" and before:
            return _look_choices(self.notebook, before[0])
        return [*flags, *self._choices(grammar.choices)] if token != "-" else flags

    def _choices(self, choices: Choices) -> list[str]:
        ask = _CHOICES.get(choices)
        return [] if ask is None else ask(self.notebook)


def _complete_list(token: str, choices: list[str], several: bool) -> list[str]:
    """The choices, after the names that stand before the last comma where several may."""
    before, comma, _ = token.rpartition(",")
    if not several:
        return choices
    said = before.split(",")
    return [f"{before}{comma}{choice}" for choice in choices if choice not in said]


def _session(notebook: Notebook) -> Session | None:
    known = notebook.known_session()
    return known and known[0]


def _branches(notebook: Notebook) -> list[str]:
    session = _session(notebook)
    return list(session.lines) if session else []


def _steps(notebook: Notebook) -> list[str]:
    session = _session(notebook)
    numbers = (step.number for step in session.steps.values()) if session else ()
    return list(dict.fromkeys(map(str, numbers)))


def _kept_names(notebook: Notebook) -> list[str]:
    """The steps that kept values, and the names of these."""
    session = _session(notebook)
    steps = [step for step in session.steps.values() if step.kept] if session else []
    names = [name for step in steps if step.kept for name in step.kept.names]
    places = [str(step.number) for step in steps if step.branch == MAIN]
    places += [f"{step.branch}:{step.number}" for step in steps if step.branch != MAIN]
    lines = [line for line in session.lines if len(session.lines) > 1] if session else []
    return list(dict.fromkeys([*places, *["last", *lines] * bool(steps), *names]))


def _stages(notebook: Notebook) -> list[str]:
    known = notebook.known_session()
    if known is None:
        return []
    session, line = known
    return list(stage_choices(session, session.lines[line]))


def _fields(notebook: Notebook) -> list[str]:
    """The fields of the stages that may come, and of the stage that is."""
    known = notebook.known_session()
    if known is None or known[0].strategy is None:
        return []
    session, line = known
    at = head(session, session.lines[line])
    stages = [stage_named(session, name) for name in _stages(notebook)] + [stage_of(session, at)]
    return [
        f"{field}=" for field in dict.fromkeys(f for stage in stages if stage for f in stage.fields)
    ]


def _levels(notebook: Notebook) -> list[str]:
    """The levels of confidence of the investigation that is on."""
    session = _session(notebook)
    now = investigation_of(session) if session else None
    return list(now.kind.confidence.levels) if now else []


def _looks(notebook: Notebook) -> list[str]:
    from wfnb.investigations.looks.look_commands import LOOK_COMMANDS  # noqa: PLC0415  heavy

    return [*LOOK_COMMANDS, *_files(notebook)]


def _look_choices(notebook: Notebook, word: str) -> list[str]:
    """What may follow the first word of a look: a revision, a range, a file."""
    from wfnb.investigations.looks.named_paths import revision_names  # noqa: PLC0415

    names = revision_names(notebook.location.folder())
    ways = {"commit": list(names), "changes": [f"{name}.." for name in names]}
    return [*ways.get(word, ()), *_files(notebook)]


def _files(notebook: Notebook) -> list[str]:
    """The files beside the notebook and in the folders there, hidden ones left out."""
    found: list[str] = []
    for at, folders, files in os.walk(top := notebook.location.folder()):
        deep = len(Path(at).relative_to(top).parts)
        # Changed in place: that is how `os.walk` is told not to go on there. A folder of data may
        # be deep.
        folders[:] = [] if deep >= _DEEPEST else [name for name in folders if name[0] not in "._"]
        shown = (name for name in files if not name.startswith("."))
        found += [Path(at, name).relative_to(top).as_posix() for name in shown]
        if len(found) > _MAX_FILES:
            break
    return found


def _advisers(notebook: Notebook) -> list[str]:
    return list(notebook.home().advisers().advisers)


def _names(notebook: Notebook) -> list[str]:
    """The notebook's own variables."""
    hidden = {*notebook.shell.user_ns_hidden, "In", "Out", "exit", "quit", "open"}
    names = notebook.shell.user_ns
    return [name for name in names if not name.startswith("_") and name not in hidden]


def _runs(notebook: Notebook) -> list[str]:
    return [info.name for info in notebook.runner().runs()] if notebook.known_session() else []


def _actions(notebook: Notebook) -> list[str]:
    """The states and steps of the last run."""
    names = _runs(notebook)
    return list(notebook.runner().log(names[-1]).run.workflow.actions) if names else []


def _variables(notebook: Notebook) -> list[str]:
    names = _runs(notebook)
    known = notebook.runner().log(names[-1]).run.workflow.variables if names else ()
    return [f"{name}=" for name in known]


def _workflows(notebook: Notebook) -> list[str]:
    from wfnb.workflows.library.workflow_library import WorkflowLibrary  # noqa: PLC0415

    return list(WorkflowLibrary(notebook.home().path / "workflows").names(examples=True))


def _tools(notebook: Notebook) -> list[str]:
    from wfnb.workflows.tools.registry import REGISTRY  # noqa: PLC0415

    return list(REGISTRY.names())


_CHOICES: dict[Choices, Callable[[Notebook], list[str]]] = {
    "branches": _branches,
    "steps": _steps,
    "kept": _kept_names,
    "compared": lambda notebook: [*_kept_names(notebook), *_runs(notebook)],
    "stages": _stages,
    "strategies": lambda notebook: list(notebook.home().strategies().strategies),
    "sessions": lambda notebook: [info.name for info in notebook.home().sessions()],
    "fields": _fields,
    "kinds": lambda notebook: list(notebook.home().kinds().kinds),
    "levels": _levels,
    "severities": lambda _: [f"{severity}:" for severity in SEVERITIES],
    "files": _files,
    "looks": _looks,
    "advisers": _advisers,
    "names": _names,
    "runs": _runs,
    "actions": _actions,
    "variables": _variables,
    "workflows": _workflows,
    "tools": _tools,
}
