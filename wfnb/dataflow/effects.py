"""What code does to names, collected while it is visited: the sets, and their scopes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from wfnb.frozen_record import record

MODULE: Final = 0
CLASS: Final = 1
FUNCTION: Final = 2
COMPREHENSION: Final = 3

Key = int | str  # of an argument: its position, its name, "*" or "**" for those that are unpacked
Call = tuple[str, tuple[tuple[Key, str], ...]]  # the function's name; each argument, whose object


class Effects:
    """Names read, bound, deleted, changed in place and passed on; calls to be resolved."""

    __slots__ = ("calls", "deletes", "mutates", "opaque", "passes", "reads", "writes")

    def __init__(self, reads: Iterable[str] = ()) -> None:
        self.reads = set(reads)
        self.writes: set[str] = set()
        self.deletes: set[str] = set()
        self.mutates: set[str] = set()
        self.passes: set[str] = set()
        self.calls: list[Call] = []
        self.opaque: set[str] = set()

    def add(self, other: Effects) -> None:
        self.reads |= other.reads
        self.writes |= other.writes
        self.deletes |= other.deletes
        self.mutates |= other.mutates
        self.passes |= other.passes
        self.calls += other.calls
        self.opaque |= other.opaque

    def drop_names(self, names: set[str], kept: Iterable[str] = ()) -> None:
        """Drop names that belong to an inner scope; arguments of calls may keep some of them."""
        self.reads -= names
        self.writes -= names
        self.deletes -= names
        self.mutates -= names
        self.passes -= names
        dropped = names.difference(kept)
        self.calls = [
            (function, tuple(pair for pair in pairs if pair[1] not in dropped))
            for function, pairs in self.calls
            if function not in names
        ]


class Parameters:
    """The parameters of a function: which argument arrives under which name."""

    __slots__ = ("keywords", "named", "positional", "rest")

    def __init__(
        self,
        positional: tuple[str, ...] = (),
        named: frozenset[str] = frozenset(),
        rest: str = "",
        keywords: str = "",
    ) -> None:
        self.positional = positional
        self.named = named  # those that a keyword reaches
        self.rest = rest
        self.keywords = keywords

    def all(self) -> set[str]:
        return {*self.positional, *self.named, self.rest, self.keywords} - {""}

    def reached(self, key: Key, names: set[str]) -> bool:
        """Whether the argument `key` arrives under one of these names."""
        if isinstance(key, int):
            if key < len(self.positional):
                return self.positional[key] in names
            return self.rest in names
        # Which parameters the parts of an unpacked argument reach shows when it runs.
        if key in ("*", "**"):
            return bool(names)
        return (key if key in self.named else self.keywords) in names

    def keys(self, names: set[str]) -> tuple[Key, ...]:
        """The arguments that arrive under these names, as a caller can write them."""
        found: list[Key] = [i for i, name in enumerate(self.positional) if name in names]
        found += sorted(name for name in self.named if name in names)
        found += ["*"] * (self.rest in names)
        return tuple(found + ["**"] * (self.keywords in names))

    def method(self) -> Parameters:
        """Those of a bound method: the first is the object itself."""
        first, rest = self.positional[:1], self.positional[1:]
        return Parameters(rest, self.named.difference(first), self.rest, self.keywords)


@record
class Method:
    """`names` are the attributes that it uses; `hands_on`: the object goes to other code, or takes
    part in an operation, so that any of its methods may run."""

    effects: Effects
    names: frozenset[str]
    hands_on: bool


Methods = Mapping[str, list[Method]]


class Body:
    """The deferred code of one function, class or lambda, in names of the scope around it. Of a
    class `methods` are all that it has, and `construction` is what making an object of it runs;
    None where that is not certain."""

    __slots__ = ("construction", "effects", "methods", "mutated", "parameters", "passed")

    def __init__(self, effects: Effects, parameters: Parameters) -> None:
        self.construction: Body | None = None
        self.methods: Methods | None = None
        self.effects = effects
        self.parameters = parameters
        self.mutated: set[str] = set()  # parameters
        self.passed: set[str] = set()


def unknown_body(effects: Effects) -> Body:
    """That of an object that may run this code, and of which nobody knows how it is called."""
    body = Body(effects, Parameters(rest="*", keywords="**"))
    body.passed = {"*", "**"}
    return body


class Scope:
    """One scope while it is visited."""

    __slots__ = (
        "aliases",
        "effects",
        "functions",
        "global_effects",
        "globals",
        "kind",
        "locals",
        "nonlocals",
        "parameters",
        "parent",
        "renamed",
    )

    def __init__(self, kind: int, parent: Scope | None = None) -> None:
        self.kind = kind
        self.parent = parent
        self.locals: set[str] = set()
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.parameters: set[str] = set()
        self.renamed: dict[str, str] = {}  # a parameter that is bound anew is another name
        self.effects = Effects()  # of names that this or an outer scope resolves
        self.global_effects = Effects()  # of names declared `global`
        self.functions: dict[str, list[Body]] = {}
        self.aliases: dict[str, set[str]] = {}  # name -> names whose object, or a part, it may be

    def with_aliases(self, names: Iterable[str]) -> set[str]:
        """These names, and those whose objects they may share."""
        return closure(names, self.aliases)


def closure(names: Iterable[str], aliases: Mapping[str, set[str]]) -> set[str]:
    reached = set(names)
    todo = [name for name in reached if name in aliases]
    while todo:
        for name in aliases[todo.pop()]:
            if name not in reached:
                reached.add(name)
                if name in aliases:
                    todo.append(name)
    return reached
