"""Investigations: their kinds, what a step has to bring, advisers and looks."""

from __future__ import annotations

from wfnb.hints import Command, Option

from .base import Refused
from .phrases import listing, nearest


class KindUnknown(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"There is no kind of investigation {self.name!r}. {nearest(self.name, self.names)}"
            f"Kinds: {listing(self.names, 'none')}."
        )


class KindBroken(Refused):
    where: str
    what: str

    def __str__(self) -> str:
        return f"The kind in {self.where} cannot be followed: {self.what}. Mend it, then try again."


class NothingCarried(Refused):
    name: str

    def __str__(self) -> str:
        return (
            f"Session {self.name!r} is no investigation: it has nothing to go on with. "
            "Name one that is, or start without it."
        )


class NoInvestigation(Refused):
    option: str

    def __str__(self) -> str:
        return (
            f"{self.option} belongs to an investigation, and this session is none. "
            f"`{Command('kind', 'debug')}` makes it one."
        )


class HypothesisUnknown(Refused):
    hypothesis: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        each = [f"{at} {text[:40]!r}" for at, text in enumerate(self.known, 1)]
        none = f"none yet: {Option('hypothesis', 'TEXT')} says one"
        return f"No hypothesis is {self.hypothesis[:60]!r}. Hypotheses: {listing(each, none)}."


class PauseHolds(Refused):
    number: int
    kind: str
    actions: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"Nothing new was looked at since step {self.number}. Run a cell that reads, runs or "
            f"shows something, `{Command('look')}` at what nobody looked at since it changed, or "
            f"bring a new {Option('finding')} or {Option('issue')}; "
            f"`{Command('status')}` has the list."
        )


class FirstStepNeeds(Refused):
    kind: str
    missing: tuple[str, ...]
    ways: tuple[str, ...]

    def __str__(self) -> str:
        missing = " and ".join(self.missing)
        return f"The first step of {self.kind} needs {missing}. Say {' '.join(self.ways)}."


class FileMissing(Refused):
    path: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"There is no file {self.path!r} here. {nearest(self.path, self.names)}"
            "Paths start beside the notebook."
        )


class FolderMissing(Refused):
    path: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"There is no folder {self.path!r} here. {nearest(self.path, self.names)}"
            "Paths start beside the notebook."
        )


class RepositoryNone(Refused):
    path: str
    why: str

    def __str__(self) -> str:
        way = Option("set", "path=FOLDER")
        return f"{self.path!r} is in no git repository ({self.why}). Name one: {way}"


class FilesLeft(Refused):
    done: int
    total: int
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        left = self.total - self.done
        names = f" ({listing(self.names, '')})" if self.names else ""
        return (
            f"{self.done} of {self.total} files are documented: {left} "
            f"{'is' if left == 1 else 'are'} left{names}. "
            f"Document {'it' if left == 1 else 'them'}, or go on with {Option('next', True)}."
        )


class LineEnded(Refused):
    number: int

    def __str__(self) -> str:
        return (
            f"The investigation has ended with step {self.number}, so that no more are planned. "
            f"Run step {self.number} again with {Option('next', True)}, which takes the end back."
        )


class ModelTwice(Refused):
    name: str
    stance: str

    def __str__(self) -> str:
        return (
            f"{self.name} is asked for twice with the stance {self.stance!r}. "
            "Give each a stance of its own."
        )


class AdviserUnknown(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        none = "none yet; `@wfnb.adviser` makes a function one"
        return (
            f"No adviser is called {self.name!r}. {nearest(self.name, self.names)}"
            f"Advisers: {listing(self.names, none)}."
        )


class AdviserBroken(Refused):
    where: str
    what: str

    def __str__(self) -> str:
        return f"The advisers in {self.where} cannot be used: {self.what}. Mend it, then try again."


class AdviserKey(Refused):
    name: str
    variable: str

    def __str__(self) -> str:
        return (
            f"The environment has no {self.variable}, the key of adviser {self.name!r}. "
            "Set it before Python starts."
        )


class LookUnknown(Refused):
    what: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"There is nothing to look at called {self.what!r}. {nearest(self.what, self.names)}"
            f"Looks: {listing(self.names, 'none')}, or a file."
        )


class NameNowhere(Refused):
    name: str
    names: tuple[str, ...]
    folder: str

    def __str__(self) -> str:
        outline = Command("look", "outline", "FILE")
        near = nearest(self.name, self.names) or f"`{outline}` lists those of a file."
        where = "this folder" if self.folder == "." else repr(self.folder)
        return (
            f"No function or class is called {self.name!r} in the Python files of {where}. "
            f"{near.strip()}"
        )
