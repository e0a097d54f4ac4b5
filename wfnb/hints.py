"""what to do next, as facts -> how the host writes it: a magic, a command of the shell, Python.

Errors, warnings and tables end with the next move, and none of them knows where it is read. They
name a command or an option, and the host of this process spells it:

    f"No question is open. `{Command('runs')}` shows what the runs are waiting for."

    in a notebook      `%wfnb runs`          wfnb/hints_as_magics.py
    on a command line  `wfnb runs`           wfnb/cli/hints_as_commands.py
    in a script        `ws.runs.runs()`      here, where no host says otherwise

A hint is spelled when its sentence is made, and the facts of an error are made into one when it is
shown. So an error that comes from another process reads as this one writes.

The spelling is one for the process, as the language of a program is; where two hosts share one,
that of the guest holds while it answers. To hand it to everything that
makes a sentence was tried: each view with a warning took one argument more, and a sentence within a
sentence was spelled before anybody knew for whom.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, Protocol

Verb = Literal[
    "advise",
    "answer",
    "backtrack",
    "branch",
    "cancel",
    "confirm",
    "extend",
    "hide",
    "keep",
    "kind",
    "look",
    "open",
    "restore",
    "resume",
    "resume-session",
    "run-stale",
    "runs",
    "select",
    "stages",
    "start",
    "status",
    "step",
    "strategy",
    "trust",
    "work",
]


class Option:
    """An option. `True` as its value is a flag that is set; without one, it is only named. A tuple
    are the calls of a run that it is about, `()` all of them."""

    def __init__(self, name: str, value: object = None) -> None:
        self.name, self.value = name, value

    def __str__(self) -> str:
        return spelling().options((self,))


class Quoted(str):
    """Words of a command that are one, and no option or number whatever they begin with."""


class Command:
    """A command with its words and options. The text is empty where the host has none like it."""

    def __init__(self, verb: Verb, *parts: object) -> None:
        self.verb, self.parts = verb, parts

    def __str__(self) -> str:
        return spelling().command(self.verb, self.parts)


def options(*parts: Option) -> str:
    """Several options, as they are written one after another."""
    return spelling().options(parts)


def clause(before: str, command: Command) -> str:
    """A way on that is left out where the host has no such command."""
    text = str(command)
    return f"{before} `{text}`" if text else ""


class Spelling(Protocol):
    """How a host writes hints."""

    @property
    def again(self) -> str:
        """How one does again what has failed, as the start of a clause."""

    @property
    def new_run(self) -> str:
        """How a workflow is run anew, as the end of a sentence."""

    @property
    def first_step(self) -> str:
        """How a session gets its first step, as a sentence."""

    def command(self, verb: Verb, parts: Iterable[object]) -> str: ...

    def options(self, parts: Iterable[Option]) -> str: ...


def with_dashes(part: object) -> str:
    """A word or an option, as magics and the shell have them."""
    match part:
        case Option(value=None | True | ()):
            return f"--{part.name}"
        case Option(value=tuple(calls)):
            return f"--{part.name} {','.join(calls)}"
        case Option():
            return f"--{part.name} {part.value}"
        case Quoted():
            return f'"{part}"'
    return str(part)


CALLS: Mapping[Verb, str] = {
    "advise": "ws.investigation.advise",
    "answer": "ws.runs.answer",
    "backtrack": "ws.investigation.backtrack",
    "branch": "ws.step",
    "cancel": "ws.runs.cancel",
    "confirm": "ws.confirm",
    "extend": "ws.investigation.extend",
    "hide": "ws.hide",
    "keep": "ws.values.choose_keeping",
    "kind": "ws.investigation.choose",
    "look": "ws.investigation.look",
    "open": "wfnb.open",
    "restore": "ws.restore",
    "resume": "ws.runs.resume",
    "resume-session": "wfnb.open",
    "runs": "ws.runs.runs",
    "select": "ws.select",
    "stages": "ws.views.stages",
    "start": "wfnb.home().start",
    "status": "ws.status",
    "step": "ws.step",
    "strategy": "ws.strategy",
    "trust": "ws.values.trust",
}


class PythonSpelling:
    """Calls of what `wfnb.open` returns (`ws`), and their keywords."""

    again = "try again"
    new_run = "`ws.run(WORKFLOW)` runs it anew"
    first_step = "`ws.step(TITLE)` records one."
    calls = CALLS

    def command(self, verb: Verb, parts: Iterable[object]) -> str:
        words = [part for part in parts if not isinstance(part, Option)]
        given = [part for part in parts if isinstance(part, Option)]
        if verb not in self.calls:  # a notebook alone can do it
            return " ".join((verb, *map(str, words)))
        # The magic takes the branch as its first word; `ws.step` takes it by a keyword.
        if verb == "branch":
            leaves = [Option("branch_from", e.value) if e.name == "from" else e for e in given]
            given = [Option("branch", words.pop(0)), *leaves]
        named = (Option(each.name, "…" if each.value is None else each.value) for each in given)
        shown = ", ".join(filter(None, (*map(_literal, words), self.options(named))))
        return f"{self.calls[verb]}({shown})"

    def options(self, parts: Iterable[Option]) -> str:
        keywords: dict[str, list[str]] = {}
        for part in parts:
            name, value = _keyword(part)
            keywords.setdefault(name, []).append(value)
        return ", ".join(_assigned(name, values) for name, values in keywords.items())


_KEYWORDS = {
    "done": "next_step_needed=False",
    "next": "next_step_needed=True",
    "no-more": "needs_more_steps=False",
    "from": "start",
}
"""Options whose keyword has another name, or a value of its own."""
_BLANKS = {*["NAME", "NAMES", "TEXT", "STATE", "RUN", "N", "FILE", "FOLDER", "VALUE", "ID", "…"]}
"""Words that stand for what the reader has to think of."""


def _keyword(option: Option) -> tuple[str, str]:
    """The keyword, and its value or an item of it; no value where the option is only named."""
    name, value = option.name, option.value
    key, _, text = str(value).partition("=")
    match name:
        case "again" | "done" if isinstance(value, tuple):
            calls = ", ".join(f"{_literal(call)}: {_literal(name)}" for call in value)
            return "lost", f"{{{calls}}}" if calls else _literal(name)
        case "set":
            return "fields", f"{{{_literal(key)}: {_literal(text)}}}"
        case "var":
            return "variables", f"{{{_literal(key)}: {_literal(text)}}}"
        case "secret":
            return "secrets", f"{{{_literal(key)}: os.environ[{_literal(key.upper())}]}}"
        case "model":
            return "fields", f'{{"models": [{_literal(value)}]}}'
    return _KEYWORDS.get(name, name.replace("-", "_")), "" if value is None else _literal(value)


def _assigned(name: str, values: list[str]) -> str:
    if len(values) > 1:
        # Several options of one keyword (`--set a=1 --set b=2`) are one mapping: their braces go.
        return f"{name}={{{', '.join(value[1:-1] for value in values)}}}"
    return f"{name}={values[0]}" if values[0] and "=" not in name else name


def _literal(value: object) -> str:
    """A value as Python writes it; a word that is to be replaced stays bare."""
    text = str(value)
    bare = not isinstance(value, Quoted) and (text.isdecimal() or text in {"True", *_BLANKS})
    return text if bare else json.dumps(text, ensure_ascii=False)


_PYTHON = PythonSpelling()
_in_use: Spelling = _PYTHON
_in_context: ContextVar[Spelling | None] = ContextVar("spelling", default=None)


def spelling() -> Spelling:
    return _in_context.get() or _in_use


@contextmanager
def spelling_context(of_host: Spelling) -> Iterator[None]:
    """Spell hints so meanwhile, in this thread alone: another host may be in the process."""
    before = _in_context.set(of_host)
    try:
        yield
    finally:
        _in_context.reset(before)


def use_spelling(of_host: Spelling | None = None) -> None:
    """Spell hints as a host does from now on; without one, as Python."""
    global _in_use
    _in_use = of_host or _PYTHON
