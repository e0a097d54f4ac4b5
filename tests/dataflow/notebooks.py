"""a seed -> a random notebook: its cells, and what a person does with them.

The same seed gives the same notebook in every process. Cells are steps, branches, revisions, texts
and cells that are no steps; events run them in any order, edit them, run all of them, insert one,
and restart the kernel.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from typing import Literal

from tests.dataflow.bodies import Scope, Words, body, setup, words
from tests.dataflow.redefinition import redefinition

Mode = Literal[
    "plain",
    "aliases",
    "confirm",
    "hidden",
    "conditional",
    "lazy",
    "behind",
    "reach",
    "loads",
    "keeps",
    "redefines",
]
IMPORTS = "import numpy as np\nimport pandas as pd"
SEEDED = (
    "import os, random\nimport numpy as np\nimport tests.dataflow.outside as cfg\n"
    "random.seed(3)\nnp.random.seed(4)"
)
NUMBER = re.compile(r"(?<![\w.'\"])\d+(?![\w.])")


@dataclass(frozen=True)
class Cell:
    """A cell: its id, what stands over its body (empty: it is no step), and the body. `number`,
    `branch`, `leaves` and `revises` are what the header says."""

    id: str
    body: str
    header: str = ""
    branch: str = "main"
    leaves: str | None = None
    revises: int | None = None
    text: bool = False

    @property
    def source(self) -> str:
        return f"{self.header}\n{self.body}" if self.header else self.body


@dataclass(frozen=True)
class Run:
    """Run one cell."""

    cell: str


@dataclass(frozen=True)
class Edit:
    """Write another body into a cell, and run it."""

    cell: str
    body: str


@dataclass(frozen=True)
class Insert:
    """Write a new cell under another one (None: at the top), and run it."""

    cell: Cell
    under: str | None


@dataclass(frozen=True)
class RunAll:
    """Run all cells from the top, up to the first that fails."""


@dataclass(frozen=True)
class Restart:
    """A new kernel, which goes on with the session."""


@dataclass(frozen=True)
class Rewrite:
    """Write another number into a file, and run the cells that load it."""

    file: int
    number: int


@dataclass(frozen=True)
class Confirm:
    """A person confirms what is stale: the step, as `%wfnb confirm` names it; None: all."""

    step: str | None = None


@dataclass(frozen=True)
class Keep:
    """From here on steps keep these names: `all`, `none`, or a pattern."""

    names: str


@dataclass(frozen=True)
class Restore:
    """Bring back what a line kept: `step` as `%wfnb restore` names it, with its options."""

    step: str


Event = Run | Edit | Insert | RunAll | Restart | Rewrite | Confirm | Keep | Restore


@dataclass(frozen=True)
class Notebook:
    """The cells that there are at first, from the top, and what happens."""

    cells: tuple[Cell, ...]
    events: tuple[Event, ...]


@cache
def _words(mode: str, without: frozenset[str]) -> Words:
    return words(mode, without)


def notebook(
    seed: int, mode: Mode = "plain", events: int = 12, without: Collection[str] = ()
) -> Notebook:
    """The notebook of a seed, with about so many events."""
    random = Random(f"{mode} {seed}")
    return _Writer(random, _words(mode, frozenset(without)), mode).notebook(events)


@dataclass
class _Writer:
    """`numbers` has for each line the numbers that its steps get if all cells run in order, and
    `scopes` the names that there are then; `after` the names after each step, and `bodies` its
    body."""

    random: Random
    words: Words
    mode: Mode
    cells: list[Cell] = field(default_factory=list)
    ground: Scope = field(default_factory=Scope)
    anywhere: Scope = field(default_factory=Scope)
    scopes: dict[str, Scope] = field(default_factory=lambda: {"main": Scope()})
    numbers: dict[str, list[int]] = field(default_factory=lambda: {"main": []})
    after: dict[tuple[str, int], Scope] = field(default_factory=dict)
    bodies: dict[tuple[str, int], str] = field(default_factory=dict)
    count: int = 0

    def notebook(self, count: int) -> Notebook:
        random = self.random
        numbered = random.random() < 0.25
        in_setup = random.random() < 0.4
        if not in_setup:
            self.cells.append(Cell(self._id(), IMPORTS))
        if random.random() < 0.4:
            self.cells.append(self._plain())
        self.cells.append(self._setup(numbered, in_setup))
        for _ in range(random.randint(3, 8)):
            self.cells.append(self._cell(numbered))
        if self.mode == "redefines":
            for text in redefinition(random):
                id, number = self._id(), self._number("main")
                self._record("main", number, text)
                said = f"{number} " if numbered else ""
                self.cells.append(Cell(id, text, f"%%step {said}Step {id[5:]}"))
        cells = tuple(self.cells)
        events: list[Event] = [RunAll()] if random.random() < 0.7 else []
        if self.mode == "reach":
            events = [RunAll()] * 2
        if self.mode == "keeps":
            events.insert(0, Keep("all"))
        if self.mode == "aliases" and random.random() < 0.4:
            events = self._back_and_forth()
        while len(events) < count:
            if self.mode == "keeps" and random.random() < 0.35:
                events += self._away_and_back()
                continue
            if self.mode == "redefines" and random.random() < 0.4:
                events += self._defined_between()
            events.append(self._event(numbered))
            if isinstance(events[-1], Restart) and random.random() < 0.6:
                events.append(RunAll())
        return Notebook(cells, tuple(events))

    def _back_and_forth(self) -> list[Event]:
        """The cells in order, some of those above run again before the next one first runs."""
        events: list[Event] = []
        for at, cell in enumerate(self.cells):
            events.append(Run(cell.id))
            if self.random.random() < 0.5:
                events.append(Run(self.random.choice(self.cells[: at + 1]).id))
        return events

    def _defined_between(self) -> list[Event]:
        """A cell that defines a class runs again, between two of those that use it."""
        makers = [cell for cell in self.cells if re.search(r"\bclass \w|namedtuple", cell.body)]
        users = [cell for cell in self.cells if re.search(r"\bK\b", cell.body)]
        if not makers or not users:
            return []
        first, second = (self.random.choice(users) for _ in range(2))
        return [Run(first.id), Run(self.random.choice(makers).id), Run(second.id)]

    def _id(self) -> str:
        self.count += 1
        return f"cell-{self.count}"

    def _cell(self, numbered: bool = False) -> Cell:
        at = self.random.random()
        main = self.numbers["main"]
        if at < 0.15:
            return self._plain()
        if at < 0.18:
            return self._text()
        if at < 0.33 and main:
            return self._branch()
        if at < 0.47 and main:
            return self._revision()
        return self._step(numbered)

    def _plain(self) -> Cell:
        scope = self.anywhere.copy()
        text = body(self.random, self.words, scope, plain=True)
        for kind in ("ground", "tool"):
            for name in scope.names.get(kind, ()):
                for each in (self.ground, self.anywhere, *self.scopes.values()):
                    each.add(kind, name)
        return Cell(self._id(), text)

    def _text(self) -> Cell:
        id = self._id()
        number = self._number("main")
        self.after["main", number] = self.scopes["main"].copy()
        self.bodies["main", number] = ""
        words = "--text" if self.random.random() < 0.5 else ""
        under = "In words: *it is so*." if words else "# It is so."
        return Cell(id, under, f"%%step Text {id[5:]} {words}".rstrip(), text=True)

    def _setup(self, numbered: bool, imports: bool) -> Cell:
        """A step that makes what most notebooks begin with."""
        id = self._id()
        number = self._number("main")
        text = setup(self.random, self.words, self.scopes["main"])
        text = f"{IMPORTS}\n{text}" if imports else text
        text = f"{SEEDED}\n{text}" if self.mode == "hidden" else text
        self._record("main", number, text)
        return Cell(id, text, f"%%step {f'{number} ' if numbered else ''}Setup")

    def _step(self, numbered: bool) -> Cell:
        id = self._id()
        number = self._number("main")
        said = f"{number} " if numbered else ""
        return Cell(id, self._body("main", number), f"%%step {said}Step {id[5:]}")

    def _branch(self) -> Cell:
        """The first step of a branch, or another of one that there is."""
        id = self._id()
        known = [name for name in self.numbers if name != "main"]
        if known and self.random.random() < 0.5:
            name = self.random.choice(known)
            number = self._number(name)
            header = f"%%step --branch {name} Step {id[5:]}"
            return Cell(id, self._body(name, number), header, name)
        name = ("alt", "mid", "low")[len(known) % 3] + str(len(known) // 3 or "")
        parent = "main"
        if known and self.random.random() < 0.3:
            parent = self.random.choice(known)
        number = self.random.choice(self.numbers[parent])
        leaves = str(number) if parent == "main" else f"{parent}:{number}"
        self.numbers[name] = [number + 1]
        self.scopes[name] = self.after[parent, number].copy()
        header = f"%%branch {name} --from {leaves} Step {id[5:]}"
        return Cell(id, self._body(name, number + 1), header, name, leaves)

    def _revision(self) -> Cell:
        """Mostly the body of the step that it revises, with a change."""
        id = self._id()
        line = self.random.choice(("main", "main", *self.numbers))
        inherited = [] if line == "main" else [n for n in self.numbers["main"] if n <= 2]
        revises = self.random.choice([*self.numbers[line], *inherited])
        number = self._number(line)
        place = (line, revises) if (line, revises) in self.after else ("main", revises)
        scope = self.after[place].copy()
        old = self.bodies[place]
        if old and self.random.random() < 0.6:
            text = self._changed(old, scope)
        else:
            text = body(self.random, self.words, scope)
        for kind, names in scope.names.items():
            for name in names:
                self.scopes[line].add(kind, name)
        self._record(line, number, text)
        branch = "" if line == "main" else f"--branch {line} "
        header = f"%%step {branch}--revises {revises} Step {id[5:]}"
        return Cell(id, text, header, line, revises=revises)

    def _number(self, line: str) -> int:
        numbers = self.numbers[line]
        numbers.append(max(numbers, default=0) + 1)
        return numbers[-1]

    def _body(self, line: str, number: int) -> str:
        """A body for a step; one in seven reads whatever there is on any line."""
        scope = self.scopes[line]
        if self.random.random() < 0.15:
            scope = self.anywhere.copy()
        text = body(self.random, self.words, scope)
        self._record(line, number, text)
        return text

    def _record(self, line: str, number: int, text: str) -> None:
        self.bodies[line, number] = text
        self.after[line, number] = self.scopes[line].copy()
        for kind, names in self.scopes[line].names.items():
            for name in names:
                self.anywhere.add(kind, name)

    def _event(self, numbered: bool) -> Event:
        at = self.random.random()
        cell = self.random.choice(self.cells)
        if self.mode == "confirm" and at < 0.15:
            step = self.random.choice((None, *map(str, self.numbers["main"])))
            return Confirm(step)
        if self.mode == "loads" and at < 0.25 and (rewrite := self._rewrite()):
            return rewrite
        if at < 0.45:
            return Run(cell.id)
        if at < 0.75:
            return self._edit(cell)
        if at < 0.88:
            return RunAll()
        if at < 0.94:
            return Restart()
        fresh = self._cell(numbered)
        place = self.random.choice([None, *(each.id for each in self.cells)])
        index = next((i + 1 for i, each in enumerate(self.cells) if each.id == place), 0)
        self.cells.insert(index, fresh)
        return Insert(fresh, place)

    def _rewrite(self, among: str = "") -> Rewrite | None:
        """Another number for a file that some cell loads."""
        files = re.findall(r"load\((\d)\)", among or "\n".join(cell.body for cell in self.cells))
        if not files:
            return None
        return Rewrite(int(self.random.choice(files)), self.random.randrange(1, 9))

    def _away_and_back(self) -> list[Event]:
        """Other values come into being, kept or not, and what was kept before is brought back."""
        random = self.random
        loads = [place for place, text in self.bodies.items() if "load(" in text]
        some = loads if loads and random.random() < 0.7 else [*self.bodies]
        line, number = random.choice(some)
        change = self._rewrite(self.bodies[line, number]) or self._edit(random.choice(self.cells))
        step = random.choice(["last", *[str(number) if line == "main" else f"{line}:{number}"] * 3])
        how = random.choice(("", "", " --alone", " --exact"))
        return [
            Keep(random.choice(("all", "all", "none", "none", "'[a-k]*'"))),
            change,
            Restore(f"{step}{how}"),
            Run(random.choice(self.cells).id),
            Run(random.choice(self.cells).id),
        ]

    def _edit(self, cell: Cell) -> Edit:
        """Write another body into a cell."""
        random = self.random
        if cell.text:
            changed = cell.body + " And so on." if random.random() < 0.5 else cell.body
        elif not cell.header:
            scope = self.anywhere.copy()
            changed = self._changed(cell.body, scope, plain=True)
        else:
            scope = self.scopes[cell.branch]
            if random.random() < 0.1:
                changed = body(random, self.words, scope)
            else:
                changed = self._changed(cell.body, scope)
        self.cells[self.cells.index(cell)] = replace(cell, body=changed)
        return Edit(cell.id, changed)

    def _changed(self, text: str, scope: Scope, *, plain: bool = False) -> str:
        """The body with another number in it, a statement more or less, or a comment."""
        random = self.random
        lines = text.split("\n")
        at = random.random()
        found = list(NUMBER.finditer(text))
        if at < 0.6 and found:
            one = random.choice(found)
            other = (int(one[0]) + random.randrange(1, 8)) % 10 or 3
            return text[: one.start()] + str(other) + text[one.end() :]
        if at < 0.7 and "#" not in text:
            return f"{text}  # the same"
        if at < 0.8 and len(lines) > 1 and not any(line[:1] in (" ", "@") for line in lines):
            lines.pop(random.randrange(len(lines)))
            return "\n".join(lines)
        return f"{text}\n{body(random, self.words, scope, plain=plain)}"
