"""A program -> the names that it really read, bound, deleted and changed: it is run and watched.

Each instruction is seen before it runs. A name counts as read if its value from before the
program was looked up.
"""

from __future__ import annotations

import dis
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

from tests.dataflow.programs import BEFORE, VARIABLES

LOADS = ("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS")
STORES = ("STORE_NAME", "STORE_GLOBAL")
DELETES = ("DELETE_NAME", "DELETE_GLOBAL")
PRELUDE = """
from contextlib import nullcontext, suppress
from heapq import heappush
from operator import setitem
def called(function):
    function()
    return function
def returned(function):
    return function
"""
STEPS = 3_000
CELL = "<cell>"
LENGTH = 200  # of a list; programs double them in loops


class TooLong(BaseException):
    pass


def stop(_number: int, frame: FrameType | None) -> None:
    """Ends the program and nothing else that runs now: what a collector calls ignores it."""
    if frame is not None and frame.f_code.co_filename == CELL:
        raise TooLong


@dataclass
class Observed:
    reads: set[str] = field(default_factory=set)
    binds: set[str] = field(default_factory=set)  # and deletes
    bound: set[str] = field(default_factory=set)  # at the end
    changed: set[str] = field(default_factory=set)  # whose object from before is another one now
    before: dict[str, Any] = field(default_factory=dict)
    ended: bool = False


def too_long(value: object) -> bool:
    return type(value) is list and len(value) > LENGTH


def content(value: list[Any]) -> list[tuple[list[Any], list[int]]]:
    """The list and its parts, each with the identities of what is in it."""
    return [(part, list(map(id, part))) for part in (value, *value)]


def table(code: CodeType) -> dict[int, tuple[str, str]]:
    names: dict[int, tuple[str, str]] = {}
    for instruction in dis.get_instructions(code):
        if instruction.opname in LOADS + STORES + DELETES:
            names[instruction.offset] = (instruction.opname, instruction.argval)
    return names


def observe(source: str, sizes: Sequence[int]) -> Observed:
    namespace: dict[str, Any] = {"__name__": "__main__", "SIZES": sizes}
    exec(PRELUDE + BEFORE, namespace)
    seen = Observed(before=dict(namespace))
    contents = {name: content(namespace[name]) for name in VARIABLES}
    touched: set[str] = set()
    tables: dict[CodeType, dict[int, tuple[str, str]]] = {}
    steps = 0

    def watch(frame: FrameType, event: str, _arg: object) -> Any:
        nonlocal steps
        if frame.f_globals is not namespace:
            return None
        frame.f_trace_opcodes = True
        if event != "opcode":
            return watch
        steps += 1
        # Python 3.12 disturbs comprehensions of the top level when `f_locals` is looked at.
        at_top = frame.f_code.co_name == "<module>"
        held = namespace if at_top else frame.f_locals
        if steps > STEPS or any(map(too_long, tuple(held.values()))):
            # Python forgets a watcher that raises, and a `finally` may loop on: the timer ends it.
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.05, 0.05)
            raise TooLong
        names = tables.get(frame.f_code)
        if names is None:
            names = tables[frame.f_code] = table(frame.f_code)
        opname, name = names.get(frame.f_lasti, ("", ""))
        if not opname:
            return watch
        in_class = opname.endswith("NAME") and not at_top
        if opname in LOADS:
            if in_class and name in held:
                return watch
            if name not in touched:
                seen.reads.add(name)
        elif not in_class:
            if opname in DELETES:
                if name not in namespace:
                    return watch
                if name not in touched:
                    seen.reads.add(name)
            touched.add(name)
            seen.binds.add(name)
        return watch

    code = compile(source, CELL, "exec")
    before = signal.signal(signal.SIGVTALRM, stop)
    sys.settrace(watch)
    try:
        exec(code, namespace)
        seen.ended = True
    except (Exception, TooLong):
        pass
    finally:
        stopped = False
        while not stopped:
            with suppress(TooLong):  # the timer may ring here, too
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                sys.settrace(None)
                stopped = True
        signal.signal(signal.SIGVTALRM, before)
    seen.bound = set(namespace)
    seen.changed = {
        name for name, ids in contents.items() if any(list(map(id, a)) != b for a, b in ids)
    }
    return seen
