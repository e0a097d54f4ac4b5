"""a random number generator -> cells around a class that is defined again."""

from random import Random

DEFINES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("class K:\n    def __init__(self, v):\n        self.v = v", ("K(3)", "[K(2), K(4)][1]")),
    ("class Base:\n    pass\nclass K(Base):\n    v = 4", ("K()", "(lambda: K())()")),
    ("import dataclasses\n@dataclasses.dataclass\nclass K:\n    v: int", ("K(3)", "K(v=4)")),
    ("from collections import namedtuple\nK = namedtuple('K', 'v')", ("K(3)", "K._make([4])")),
    ("import enum\nclass K(enum.Enum):\n    A = 3\n    B = 4", ("K.A", "K(4)")),
    ("class K(Exception):\n    v = 2", ("K(3)", "K('four')")),
    ("def make(v):\n    class K:\n        k = v\n    return K\nK = make(5)", ("K()", "[K()][0]")),
)
"""What defines a class, and what makes an object of it."""
COMPARES: tuple[str, ...] = (
    "int(isinstance(m, K))",
    "int(type(m) is type(o))",
    "{type(m): 1}.get(K, 0)",
    "sum(isinstance(each, K) for each in (m, o))",
    "int(o in [K])",
    "int(type(m) in {type(o): 1})",
    "len({type(each) for each in (m, o)})",
)
"""What such objects are in one another's class."""


def redefinition(random: Random) -> tuple[str, ...]:
    """A class `K`, two cells that make objects of it, and one that compares these with it."""
    define, makes = random.choice(DEFINES)
    holders = ("{name} = {one}", "held = [{one}]\n{name} = held[0]", "{name} = {{'k': {one}}}['k']")
    made = [
        random.choice(holders).format(name=name, one=random.choice(makes)) for name in ("m", "o")
    ]
    return define, *made, f"same = {random.choice(COMPARES)}"
