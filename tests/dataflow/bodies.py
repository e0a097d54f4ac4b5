"""a random number generator and the names of a notebook -> a few lines of Python, made of
`statements.py`."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from tests.dataflow.statements import (
    ALIASES,
    BEHIND,
    CONDITIONAL,
    GROUND,
    HIDDEN,
    KEEPS,
    LAST,
    LAZY,
    LOADS,
    PLAIN,
    REACH,
)

NAMES: Mapping[str, tuple[str, ...]] = {
    "num": ("a", "b", "c", "n", "total"),
    "list": ("xs", "ys", "zs"),
    "dict": ("d", "e"),
    "set": ("seen", "tags"),
    "text": ("t", "label"),
    "fun": ("f", "g", "h"),
    "proc": ("push", "bump"),
    "count": ("tick", "tock"),
    "iter": ("it",),
    "class": ("Acc", "Box"),
    "inst": ("acc", "box"),
    "frame": ("df", "dg"),
    "array": ("arr", "brr"),
    "ground": ("G", "rate", "unit"),
    "tool": ("norm", "scale"),
    "cache": ("load", "rows"),
    "part": ("half", "third"),
}
"""The names of each kind. A `ground` is a number and a `tool` a function of one, both from cells
that are no steps; they are read as numbers and functions are."""

READ_AS = {"num": ("num", "num", "num", "ground"), "fun": ("fun", "fun", "tool")}

_HOLE = re.compile(r"\{\{|\}\}|\{(\d)\}|\{([a-z]+)([=!]?)(\d?)\}")


@dataclass
class Scope:
    """The names that the notebook has by then, by kind, if its cells run in order."""

    names: dict[str, list[str]] = field(default_factory=dict)

    def copy(self) -> Scope:
        return Scope({kind: list(names) for kind, names in self.names.items()})

    def add(self, kind: str, name: str) -> None:
        names = self.names.setdefault(kind, [])
        if name in names:
            names.remove(name)
        names.append(name)


@dataclass(frozen=True)
class Words:
    """What bodies are made of: the statements of a mode without those of some features."""

    statements: tuple[tuple[str, int, str], ...]
    last: tuple[tuple[str, int, str], ...]
    ground: tuple[tuple[str, int, str], ...]


def words(mode: str, without: Collection[str] = ()) -> Words:
    """The statements of a mode: `plain`, `aliases` with one object under several names, `hidden`
    with what no name holds, and code that does not show what it reads, `conditional` with names
    that are bound on some path alone, `lazy` with what runs later than where it stands, `behind`
    with what is kept behind names, `reach` with modules that functions import, and others that
    code gets otherwise than by a name, `loads` with what comes from files, is large, or hangs on
    frames, `keeps` with one object under several names, and what comes from files, `redefines`
    with one object under several names, beside a class that is defined again."""
    more = {
        "aliases": ALIASES,
        "hidden": HIDDEN,
        "conditional": CONDITIONAL,
        "lazy": LAZY,
        "behind": BEHIND,
        "reach": REACH * 3,
        "loads": LOADS,
        "keeps": ALIASES + KEEPS,
        "redefines": ALIASES,
    }
    statements = PLAIN + more.get(mode, ())

    def left(rows: tuple[tuple[str, int, str], ...]) -> tuple[tuple[str, int, str], ...]:
        return tuple(row for row in rows if row[0] not in without)

    return Words(left(statements), left(LAST), left(GROUND))


def body(random: Random, words: Words, scope: Scope, *, plain: bool = False) -> str:
    """A body of one to four statements, the last perhaps a value or a print; `scope` gets the
    names that it assigns. `plain`: of a cell that is no step."""
    lines = []
    rows = words.ground if plain else words.statements
    for _ in range(random.choice((1, 1, 1, 2) if plain else (1, 1, 2, 2, 3, 4))):
        lines.append(_statement(random, rows, scope))
    if not plain and random.random() < 0.4:
        lines.append(_statement(random, words.last, scope))
    return "\n".join(lines)


_SIMPLE = (
    "assign",
    "list",
    "dict",
    "set",
    "text",
    "function",
    "procedure",
    "class",
    "frame",
    "array",
)


def setup(random: Random, words: Words, scope: Scope) -> str:
    """A body that assigns two numbers, a list, and three more things of other kinds."""
    kinds = ["num", "num", "list", *random.sample(("dict", "fun", "set", "text", "proc"), 2)]
    kinds += random.choices(("class", "frame", "array", "dict"), k=1)
    rows = [row for row in words.statements if row[0] in _SIMPLE]
    lines = []
    for kind in kinds:
        making = [row for row in rows if f"{{{kind}=}}" in row[2]]
        tries = (_filled(random, _row(random, making), scope, False) for _ in range(20))
        lines += filter(None, [next(filter(None, tries), None)])
    return "\n".join(lines)


def _row(random: Random, rows: Sequence[tuple[str, int, str]]) -> str:
    return random.choices(rows, [row[1] for row in rows])[0][2]


def _statement(random: Random, rows: tuple[tuple[str, int, str], ...], scope: Scope) -> str:
    """One statement. Now and then it reads a name that is not there yet."""
    for _ in range(12):
        filled = _filled(random, _row(random, rows), scope, careless=random.random() < 0.02)
        if filled is not None:
            return filled
    return f"a = {random.randrange(1, 9)}" if rows is PLAIN else "pass"


def _filled(random: Random, text: str, scope: Scope, careless: bool) -> str | None:
    chosen: dict[tuple[str, str, str], str] = {}
    assigned: list[tuple[str, str]] = []

    def fill(hole: re.Match[str]) -> str:
        number, kind, mark, which = hole.groups()
        if hole[0] in ("{{", "}}"):
            return hole[0][0]
        if number:
            return str(random.randrange(1, 9))
        key = (kind, mark, which)
        if key not in chosen:
            chosen[key] = _name(random, kind, mark, scope, careless)
            if mark == "=":
                assigned.append((kind, chosen[key]))
        return chosen[key]

    try:
        filled = _HOLE.sub(fill, text)
    except LookupError:
        return None
    for kind in ("fun", "class"):  # a function that calls itself, by its own name, never ends
        if chosen.get((kind, "=", ""), 0) == chosen.get((kind, "", ""), 1):
            return None
    for kind, name in assigned:
        scope.add(kind, name)
    return filled


def _name(random: Random, kind: str, mark: str, scope: Scope, careless: bool) -> str:
    if mark == "=":
        return random.choice(NAMES[kind])
    kinds = READ_AS.get(kind, (kind,)) if mark == "" else (kind,)
    known = scope.names.get(random.choice(kinds)) or scope.names.get(kind, ())
    if careless:
        return random.choice(NAMES[kind])
    if not known:
        raise LookupError(kind)
    return random.choice((*known, known[-1]))
