"""What programs change that no name of theirs holds: this module, the environment, the generators
of random numbers. A module of the user's own, as a notebook imports it."""

import decimal
import math
import os
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

VARIABLE = "WFNB_OUTSIDE"
ROWS = 140_000
"""Numbers in a file: more than is read of an array as a matter of course."""

rate = 1
items: list[int] = []


def rated(value: int) -> int:
    return value * rate


def through(value: int) -> int:
    return rated(value) + len(items)


def add(value: int) -> int:
    items.append(value)
    return len(items)


def load(file: int) -> Any:
    """A large array of the same numbers, but for one, which the file has."""
    found = np.ones(ROWS)
    found[ROWS // 3] = small_load(file)
    return found


def small_load(file: int) -> float:
    """That number alone."""
    path = _path(file)
    return float(path.read_text()) if path.exists() else 1


def write(file: int, number: float) -> float:
    """Returns what the file had."""
    before = float(load(file)[ROWS // 3])
    _path(file).parent.mkdir(exist_ok=True)
    _path(file).write_text(str(number))
    return before


def forget_files() -> bool:
    """Whether there were any."""
    there = [path for path in map(_path, range(10)) if path.exists()]
    for path in there:
        path.unlink()
    return bool(there)


def _path(file: int) -> Path:
    return Path(tempfile.gettempdir()) / f"wfnb-files-{os.getpid()}" / str(file)


_kept: dict[int, int] = {}
_rated = rated
_MATH = {name: vars(math)[name] for name in ("tau", "perm")}


def kept(value: int) -> int:
    """A cache that is filled by who asks first."""
    if value % 5 not in _kept:
        _kept[value % 5] = value
    return _kept[value % 5]


def third(value: int) -> int:
    return len(str(decimal.Decimal(value) / 3))


def set_rate(value: int) -> None:
    global rate
    rate = value


def bump() -> int:
    global rate
    rate += 1
    return rate


class Store:
    total = 0

    @classmethod
    def put(cls, value: int) -> int:
        cls.total += value
        return cls.total


def fresh(state: int = 0) -> None:
    """As a process begins. `state` seeds the generators, which each process begins otherwise."""
    global rate, rated
    rate, rated = 1, _rated
    vars(math).update(_MATH)
    items.clear()
    _kept.clear()
    Store.total = 0
    decimal.getcontext().prec = 28
    np.seterr(divide="warn")
    _patch(None)
    os.environ.pop(VARIABLE, None)
    random.seed(state)
    np.random.seed(state)


def _patch(method: Any) -> None:
    """A class of a library has this method, which it has not of itself."""
    if method is not None:
        Fraction.total = method  # type: ignore[attr-defined]
    elif "total" in vars(Fraction):
        del Fraction.total  # type: ignore[attr-defined]


@contextmanager
def apart(state: int = 0) -> Iterator[None]:
    """As in a process of its own, which leaves this one as it is."""
    global rate, rated
    held: tuple[Any, ...] = rate, [*items], os.environ.get(VARIABLE)
    patched = rated, {name: vars(math)[name] for name in _MATH}
    cache = {**_kept}
    total, digits = Store.total, decimal.getcontext().prec
    errors, patch = np.geterr(), vars(Fraction).get("total")
    states = random.getstate(), np.random.get_state()
    fresh(state)
    try:
        yield
    finally:
        rate, items[:] = held[0], held[1]
        rated = patched[0]
        vars(math).update(patched[1])
        _kept.clear()
        _kept.update(cache)
        Store.total, decimal.getcontext().prec = total, digits
        np.seterr(**errors)
        _patch(patch)
        os.environ.pop(VARIABLE, None)
        if held[2] is not None:
            os.environ[VARIABLE] = held[2]
        random.setstate(states[0])
        np.random.set_state(states[1])
