"""A random generator -> a program of a cell: statements of all kinds over a few names.

All variables hold lists, so that most programs run to their end; `f` and `g` are functions, `K` is
a class. What a program does not define, it finds defined: see `BEFORE`. Functions return something
new: that a result is a part of an object is among what the analysis does not see.
"""

from __future__ import annotations

import re
from random import Random

VARIABLES = ("v", "w", "x", "y", "z")
FUNCTIONS = ("f", "g")
# What an earlier cell may have left: other values take other branches.
BEFORE = """
v, w, x, y, z = ([[number] for _ in range(size)] for number, size in enumerate(SIZES))
def f(p=(), q=()):
    return [len(p), len(v)]
def g(p=(), q=()):
    return f(p)
class K:
    kept = w
    def m(self, p=()):
        return [len(x)]
"""
SIZES = ((2, 2, 2, 2, 2), (0, 0, 0, 0, 0), (0, 2, 0, 2, 1), (2, 0, 1, 0, 2), (1, 1, 2, 1, 0))

# In a template $n is a variable, $1 one that stands in it several times, $f a function, $e an
# expression, $c a condition.
ATOMS = ("$n", "$n", "[1]", "[[1], [2]]")
EXPRESSIONS = (
    "$n",
    "$n",
    "$n",
    "[len($n)] * len($e)",
    "list($e)",
    "[$e, $n]",
    "[$n for $n in $e]",
    "[$n for p in $n if $c]",
    "[q for p in $n for q in [p, $n]]",
    "list($1 for $1 in $e)",
    "list({'a': p for p, q in enumerate($e)})",
    "($e if $c else $e)",
    "($n or $e)",
    "($n := $e)",
    "($n and ($n := $e))",
    "$f($e)",
    "$f($n, q=$n)",
    "(lambda p: [len($n), len(p)])($e)",
    "(lambda $1=($e): [len($1), len($n)])()",
    "list(map(lambda p: [len($n)], $e))",
    "sorted($e, key=lambda p: len($n))",
    "K().m($e)",
    "$n[:1]",
    "$n[0]",
    "[[r for r in $n] for p in $e]",
)
CONDITIONS = ("$n", "not $n", "len($n) > 1", "len($n) == 1")
CHANGES = (
    "$n.append($e)",
    "$n[0] = $e",
    "$n[0].append(1)",
    "$n[:] = $e",
    "del $n[0]",
    "$n += $e",
    "$n[0] += $e",
    "$n.extend($e)",
    "$n.sort(key=id)",
    "$n.pop()",
    "heappush($n, 1)",
    "setitem($n, 0, $e)",
    "for p in $n: p.append(1)",
    "for p, q in enumerate($n): q.clear()",
    "[p.append(2) for p in $n]",
    "$n.__iadd__($e)",
    "next(iter($n)).append(3)",
)
BINDINGS = (
    "$n = $e",
    "$n = $e",
    "$n = $n",
    "$n = $n = $e",
    "$n, $n = $n, $n",
    "$n, *$n = [*$e, 1]",
    "$n: list = $e",
    "$e",
    "assert $n is not None",
    "import heapq as $1; $1 = [$1]",
    "from heapq import heappush",
    "$f = lambda p=(), q=(): [len($e)]",
    "$f = $f",
    "$f($n)",
)
RARE = ("del $n", "$n = 1 / 0", "raise ValueError($n)")


class Writer:
    """Writes one program."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def fill(self, template: str, depth: int = 2) -> str:
        same = self.random.choice(VARIABLES)

        def part(found: re.Match[str]) -> str:
            match found[1]:
                case "n":
                    return self.random.choice(VARIABLES)
                case "1":
                    return same
                case "f":
                    return self.random.choice(FUNCTIONS)
                case "c":
                    return self.fill(self.random.choice(CONDITIONS))
                case _:
                    choices = EXPRESSIONS if depth > 0 else ATOMS
                    return self.fill(self.random.choice(choices), depth - 1)

        return re.sub(r"\$(.)", part, template)

    def one(self, *templates: str) -> str:
        return self.fill(self.random.choice(templates), 1)

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def inside(self, depth: int, loop: bool, function: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(depth - 1, loop, function)
        return ["    " + line for line in lines]

    def simple(self, loop: bool, function: bool) -> str:
        if loop and self.chance(0.1):
            return self.one("break", "continue")
        if function and self.chance(0.15):
            return self.one("return [len($e)]", "return [len($n)]")
        if self.chance(0.05):
            return self.one(*RARE)
        return self.one(*(CHANGES if self.chance(0.25) else BINDINGS))

    def statement(self, depth: int, loop: bool = False, function: bool = False) -> list[str]:
        if depth <= 0 or self.chance(0.5):
            return [self.simple(loop, function)]
        kinds = (self.if_, self.for_, self.while_, self.try_, self.match, self.with_)
        if self.chance(0.4):
            return self.random.choice((self.function, self.function, self.class_))(depth)
        return self.random.choice(kinds)(depth, loop, function)

    def if_(self, depth: int, loop: bool, function: bool) -> list[str]:
        lines = [self.fill("if $c:"), *self.inside(depth, loop, function)]
        if self.chance(0.5):
            lines += ["else:", *self.inside(depth, loop, function)]
        return lines

    def for_(self, depth: int, loop: bool, function: bool) -> list[str]:
        target = self.one("$n", "$n", "$n, *$n", "$n[0]")
        values = self.one("$e", "[[1], [2]]")
        lines = [f"for {target} in {values}:", *self.inside(depth, True, function)]
        if self.chance(0.3):
            lines += ["else:", *self.inside(depth, loop, function)]
        return lines

    def while_(self, depth: int, loop: bool, function: bool) -> list[str]:
        head = self.one("while True:", "while len($1) < 4:\n    $1 = [*$1, 1]")
        return [
            *head.split("\n"),
            *self.inside(depth, True, function),
            self.one("    break", "    pass"),
        ]

    def try_(self, depth: int, loop: bool, function: bool) -> list[str]:
        lines = ["try:", self.one("    $n[0]"), *self.inside(depth, loop, function)]
        handlers = self.chance(0.7)
        if handlers:
            lines.append(
                self.one("except Exception:", "except Exception as $n:", "except IndexError:")
            )
            lines += self.inside(depth, loop, function)
            if self.chance(0.3):
                lines += ["else:", *self.inside(depth, loop, function)]
        if not handlers or self.chance(0.4):
            lines += ["finally:", *self.inside(depth, False, False)]
        return lines

    def match(self, depth: int, loop: bool, function: bool) -> list[str]:
        lines = [self.one("match $e:"), self.one("    case [$n, *p]:", "    case [p, *$n] if $n:")]
        lines += ["    " + line for line in self.inside(depth, loop, function)]
        lines.append(self.one("    case _:", "    case $n:", "    case [[1], _]:"))
        return lines + ["    " + line for line in self.inside(depth, loop, function)]

    def with_(self, depth: int, loop: bool, function: bool) -> list[str]:
        head = self.one("with suppress(Exception):", "with nullcontext($e) as $n:")
        return [head, *self.inside(depth, loop, function)]

    def function(self, depth: int) -> list[str]:
        lines = [self.one("@called", "@returned")] if self.chance(0.15) else []
        lines.append(self.one("def $f(p=(), q=()):", "def $f(p=$n, q=()):", "def $f($n=[], q=()):"))
        name = self.random.choice(VARIABLES)
        if self.chance(0.4) and f"({name}=" not in lines[-1]:
            lines.append(f"    global {name}")
        if self.chance(0.3) and "p=()" not in lines[-1]:
            lines.append(
                "    len(q) or q.append(1)" if self.chance(0.2) else self.one("    $n.append(1)")
            )
        return lines + self.inside(depth, False, True)

    def class_(self, depth: int) -> list[str]:
        return [
            self.one("class K:", "class K(K):"),
            *self.inside(depth, False, False),
            self.one("    def m(self, p=()): return [len($e)]"),
        ]


def program(random: Random) -> str:
    """The source of a cell of one to six statements."""
    writer = Writer(random)
    lines: list[str] = []
    for _ in range(random.randint(1, 6)):
        lines += writer.statement(2)
    return "\n".join(lines) + "\n"
