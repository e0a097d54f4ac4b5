"""a notebook -> every mark that wfnb shows while it is used, compared with its lines from the top.

✓ promises: with the cells as they were last run, this step's line, run from the top, gives this
result. So the line is run from the top, in a fresh namespace, and compared with what the harness
saw at the step's last attempt: its last value, what it printed, and the names that it assigned or
changed. A ✓ whose values are others is wrong. A ◌ is needless if its values are those of the line,
and everything that it read was so, too.

Names that only cells which are no steps assign are the ground of a notebook: those cells run first
in the fresh namespace, as they were last run, in the order in which they first ran in this kernel.

    python -m tests.dataflow.oracle --programs 20000 --seed 0 --mode plain --jobs 2
"""

from __future__ import annotations

import argparse
import ast
import atexit
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import lru_cache
from io import StringIO
from itertools import takewhile
from multiprocessing import get_context
from pathlib import Path
from types import CodeType
from typing import Any, Protocol, get_args

from tests.dataflow import outside
from tests.dataflow.kernel import Kernel, Observation, Place, rebound
from tests.dataflow.lines import Lines, Recorded
from tests.dataflow.notebooks import (
    Cell,
    Confirm,
    Edit,
    Event,
    Insert,
    Keep,
    Mode,
    Notebook,
    Restart,
    Restore,
    Rewrite,
    Run,
    RunAll,
    notebook,
)
from tests.dataflow.outside import apart
from tests.dataflow.values import canonical, scrubbed
from wfnb.home_folder import Home, home

# the fresh run


class _Namespace(dict[str, Any]):
    """A namespace that notes which of its names are read, and which a body assigns before."""

    def __init__(self) -> None:
        super().__init__(__name__="__main__")
        self.reads: set[str] = set()
        self.assigned_first: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.reads.add(name)
        return super().__getitem__(name)

    def __setitem__(self, name: str, value: Any) -> None:
        if name not in self.reads:
            self.assigned_first.add(name)
        super().__setitem__(name, value)


@dataclass(frozen=True)
class FromTheTop:
    """What a step does when its line is run from the top, and the names that it reads then;
    `assigned_first` are those that it assigns before it reads them."""

    observation: Observation
    reads: frozenset[str]
    assigned_first: frozenset[str] = frozenset()


@lru_cache(maxsize=20_000)
def _compiled(body: str) -> tuple[list[CodeType] | None, CodeType | None, frozenset[str]]:
    """The statements and the last expression of a body (None: it is no Python), and the names that
    the bodies of its classes read, which no namespace can note. Each statement is compiled alone,
    as IPython does: beside an import of its module, CPython compiles a call to other code."""
    try:
        tree = ast.parse(body)
    except SyntaxError:
        return None, None, frozenset()
    in_classes = {
        node.id
        for each in ast.walk(tree)
        if isinstance(each, ast.ClassDef)
        for node in ast.walk(each)
        if isinstance(node, ast.Name)
    }
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = _code(ast.Expression(tree.body.pop().value), "eval")
    codes = [_code(ast.Module([statement], []), "exec") for statement in tree.body]
    return codes, last, frozenset(in_classes)


def _code(tree: Any, mode: str) -> CodeType:
    code: CodeType = compile(tree, "<cell>", mode, dont_inherit=True)
    return code


def _stored(tree: ast.AST) -> set[str]:
    """Names that the statements at the top assign, define, import or delete."""
    stored: set[str] = set()
    waiting = list(ast.iter_child_nodes(tree))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            stored.add(node.name)
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            stored.add(node.id)
        elif isinstance(node, ast.alias):
            stored.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.Lambda | ast.comprehension):
            continue
        waiting += ast.iter_child_nodes(node)
    return stored


@lru_cache(maxsize=20_000)
def _always(body: str) -> frozenset[str]:
    """The names that it assigns whatever way it takes, if it ends without an error."""
    try:
        tree = ast.parse(body)
    except SyntaxError:
        return frozenset()
    branching = (ast.If, ast.For, ast.While, ast.Try, ast.TryStar, ast.Match, ast.With)
    straight = [node for node in tree.body if not isinstance(node, branching)]
    return frozenset(_stored(ast.Module(straight, [])))


def _fresh_run(body: str, namespace: _Namespace, before: dict[str, str]) -> FromTheTop:
    codes, last, in_classes = _compiled(body)
    namespace.reads, namespace.assigned_first = set(), set()
    objects = dict(namespace)
    error, result, printed = None, "", StringIO()
    if codes is None:
        error = "SyntaxError"
    else:
        try:
            with redirect_stdout(printed):
                for code in codes:
                    exec(code, namespace)
                value = None if last is None else eval(last, namespace)
                if body.rstrip().endswith(";"):  # IPython shows nothing then
                    value = None
            result = "" if value is None else canonical(value)
        except (Exception, SystemExit) as problem:
            error = type(problem).__name__
    reads = frozenset(namespace.reads | (in_classes & before.keys()))
    after = {
        name: canonical(value) for name, value in namespace.items() if not name.startswith("_")
    }
    said = scrubbed(printed.getvalue())
    seen = Observation(error, result, said, before, after, rebound(objects, namespace))
    return FromTheTop(seen, reads, frozenset(namespace.assigned_first))


@lru_cache(maxsize=256)
def from_the_top(
    ground: tuple[str, ...], bodies: tuple[str, ...], state: int = 0
) -> tuple[FromTheTop, ...]:
    """What the ground and then each body does, in a fresh namespace; `state` is what the random
    generators have that no cell seeds."""
    namespace = _Namespace()
    before: dict[str, str] = {}
    runs = []
    with apart(state), redirect_stderr(StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        main, sys.modules["__main__"] = sys.modules["__main__"], _module(namespace)
        try:
            for body in (*ground, *bodies):
                runs.append(_fresh_run(body, namespace, before))
                before = runs[-1].observation.after
        finally:
            sys.modules["__main__"] = main
    return tuple(runs)


def _module(namespace: dict[str, Any]) -> Any:
    """A module with these names: a class of a dataclass looks for its own."""

    class _Main:
        __dict__ = namespace

    return _Main()


# the comparison


@dataclass(frozen=True)
class Wrong:
    """A step that is shown ✓ though its line gives another result, and how they differ."""

    event: int
    place: Place
    why: str


@dataclass
class Result:
    """What a notebook's marks came to, each counted at every look: `ok` are ✓, `stale` ◌, `lucky`
    those ◌ of which only what they read was another, `unclear` those where a cell that is no step
    fails from the top and did not here, or the other way. `untrue` are reasons of a ◌ that say what
    did not happen. `marks` has what was shown each time."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[Wrong] = field(default_factory=list)
    needless: list[Wrong] = field(default_factory=list)
    untrue: list[Wrong] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    marks: list[list[tuple[str, str | None, bool]]] = field(default_factory=list)


@dataclass
class Attempt:
    """The last attempt of a step, as the harness saw it."""

    seen: Observation
    always: frozenset[str]
    at: int
    runs: int = 1
    """How often it ran so far."""


class Runs(Protocol):
    """What a notebook is run in: a shell in this process, or a kernel of its own."""

    def run(self, source: str, cell: str) -> tuple[Observation, dict[str, Any] | None]: ...

    def say(self, source: str) -> str | None: ...

    def marks(self) -> list[dict[str, Any]]: ...

    def restart(self) -> None: ...

    def stop(self) -> None: ...


class Program:
    """One notebook in use."""

    def __init__(self, notebook: Notebook, kernel: Runs, tell: bool = False) -> None:
        self.cells = list(notebook.cells)
        self.events = notebook.events
        self.kernel = kernel
        self.lines = Lines()
        self.attempts: dict[Place, Attempt] = {}
        self.ground: dict[str, str] = {}  # by the cell, in the order in which they first ran
        self.ran: set[str] = set()  # in this kernel
        self.failed: dict[str, str | None] = {}
        self.replays = True
        self.confirmed: dict[Place, tuple[Attempt, FromTheTop]] = {}
        self.result = Result()
        self.clock = 0
        self.tell = tell
        if outside.forget_files():
            from_the_top.cache_clear()

    def play(self, first: bool = False) -> Result:
        """All events, with a look at the marks after each; `first`: no further than a wrong ✓."""
        before: Counter[str] = Counter()
        try:
            for at, event in enumerate(self.events):
                self._do(event)
                before = self.result.counts.copy()
                self._look(at)
                if first and self.result.wrong:
                    break
            for name, count in (self.result.counts - before).items():
                self.result.counts[f"{name}_at_the_end"] = count
        finally:
            self.kernel.stop()
        return self.result

    # events

    def _do(self, event: Event) -> None:
        match event:
            case Run(cell=id):
                self._tell(f"run {id[5:]}")
                for cell in self._cells(id):
                    self._run(cell)
            case Edit(cell=id, body=text):
                self._tell(f"edit {id[5:]} and run it:")
                for cell in self._cells(id):
                    fresh = Cell(**{**_fields(cell), "body": text})
                    self.cells[self.cells.index(cell)] = fresh
                    self._tell(_indented(fresh.source))
                    self._run(fresh)
            case Insert(cell=cell, under=under):
                above = [i + 1 for i, each in enumerate(self.cells) if each.id == under]
                self._tell(f"insert {cell.id[5:]} under {(under or 'cell-nothing')[5:]}, run it:")
                self._tell(_indented(cell.source))
                self.cells.insert(above[0] if above else 0, cell)
                self._run(cell)
            case RunAll():
                self._tell("run all")
                for cell in self.cells:
                    if not self._run(cell):
                        break
            case Restart():
                self._tell("restart")
                self.kernel.restart()
                self.ran.clear()
            case Rewrite(file=file, number=number):
                self._tell(f"write {number} into {file}, and run who loads it")
                before = outside.write(file, number)
                from_the_top.cache_clear()  # what it loaded is another now
                loads = [cell for cell in self.cells if f"load({file})" in cell.body]
                ran = [self._run(cell) for cell in loads]
                if not all(ran):  # who failed may not have read it
                    outside.write(file, before)
                    from_the_top.cache_clear()
                    for cell in loads:
                        self._run(cell)
            case Confirm(step=step):
                self._tell(f"confirm {step or 'all'}")
                self._confirm(step)
            case Keep(names=names):
                self._tell(f"keep {names}")
                self.kernel.say(f"%wfnb keep {names}")
            case Restore(step=step):
                refused = self.kernel.say(f"%wfnb restore {step}")
                self._tell(f"restore {step}{'  refused' * bool(refused)}")

    def _cells(self, id: str) -> list[Cell]:
        return [cell for cell in self.cells if cell.id == id]

    def _run(self, cell: Cell) -> bool:
        """Run a cell, and note what the rule of the oracle needs to know of it."""
        self.clock += 1
        seen, answer = self.kernel.run(cell.source, cell.id)
        said = "" if seen.error is None else f"  {seen.error}"
        if not cell.header:
            if cell.id not in self.ran:
                self.ground.pop(cell.id, None)
                self.ran.add(cell.id)
            self.ground[cell.id] = cell.body
            self.failed[cell.id] = seen.error
            self._tell(f"    {cell.id[5:]}: no step{said}")
            return seen.error is None
        if answer is None:  # refused: the body did not run
            self._tell(f"    {cell.id[5:]}: refused")
            return False
        place = Place(answer["current_branch"] or "main", answer["step_number"])
        if place.branch != "main" and place.branch not in self.lines.leaves:
            origin = self.lines.origin(cell.leaves)
            assert origin is not None, (cell, place)
            self.lines.leaves[place.branch] = origin
        revises = None
        if cell.revises is not None:
            revises = self.lines.find(place.branch, cell.revises)
        body = None if cell.text else cell.body
        self.lines.steps[place] = Recorded(place, body, revises)
        always = frozenset() if cell.text else _always(cell.body)
        before = self.attempts.get(place)
        runs = before.runs + 1 if before else 1
        self.attempts[place] = Attempt(seen, always, self.clock, runs)
        self._tell(f"    {cell.id[5:]}: step {place}{said}")
        return seen.error is None

    def _confirm(self, step: str | None) -> None:
        stale = {self._place(mark) for mark in self.kernel.marks() if mark["stale"]}
        self.kernel.say(f"%wfnb confirm {step or ''}".rstrip())
        for place in stale:
            line = self._line(place.branch)
            if step in (None, str(place)) and place in line:
                self.confirmed[place] = (self.attempts[place], line[place])

    # looks

    def _look(self, at: int) -> None:
        marks = self.kernel.marks()
        shown = [(str(self._place(mark)), mark["outcome"], mark["stale"]) for mark in marks]
        self.result.marks.append(shown)
        lines: dict[str, dict[Place, FromTheTop]] = {}
        told = []
        stale = {self._place(mark) for mark in marks if mark["stale"]}
        for mark in marks:
            place = self._place(mark)
            if mark["stale"] and not self._is_true(mark["stale_reason"], place, stale):
                self.result.untrue.append(Wrong(at, place, mark["stale_reason"]))
            step = self.lines.steps.get(place)
            assert step is not None, f"step {place} was recorded by no cell"
            if mark["outcome"] != "ok":
                told.append(f"{place} ✗")
                continue
            if step.body is None:
                told.append(f"{place} {'◌' if mark['stale'] else '✓'}")
                continue
            if place.branch not in lines:
                lines[place.branch] = self._line(place.branch)
            told.append(f"{place} {self._judge(at, place, mark, lines[place.branch])}")
        self._tell(f"    → {' · '.join(told)}")

    def _judge(
        self, at: int, place: Place, mark: dict[str, Any], line: dict[Place, FromTheTop]
    ) -> str:
        """Count one mark, and say what it is in the telling."""
        top, attempt = line[place], self.attempts[place]
        why = difference(attempt, top)
        if why is not None and place in self.confirmed:
            why = self._confirmed_why(place, line)
        elif self.confirmed and not mark["stale"]:
            return "✓"  # what a confirmed step gives, its line does not
        counts = self.result.counts
        if mark["stale"]:
            counts["stale"] += 1
            if why is not None or place in self.confirmed:
                return "◌"
            why = unequal_reads(attempt, top)
            if why is None and not self.replays:
                counts["unclear"] += 1
                return "◌ (unclear)"
            if why is None:
                counts["needless"] += 1
                self.result.needless.append(Wrong(at, place, "all that it read is the same"))
                return "◌ (needless)"
            counts["lucky"] += 1
            return f"◌ ({why})"
        if why is not None and not self.replays and self.ground.keys() - self.ran:
            counts["unclear"] += 1  # the cells of two kernels have no one order
            return "✓ (unclear)"
        counts["ok"] += 1
        if why is None or self._draws(place, top):
            return "✓"
        counts["wrong"] += 1
        self.result.wrong.append(Wrong(at, place, why))
        return f"✓ WRONG ({why})"

    def _is_true(self, reason: str, place: Place, stale: set[Place]) -> bool:
        """Whether the harness saw happen what a reason says of runs of steps."""
        own = self.attempts[place]

        def step(text: str) -> tuple[Place, Attempt]:
            branch, _, number = text.rpartition(":")
            named = Place(branch or place.branch, int(number))
            return named, self.attempts[named]

        for pattern, is_so in REASONS.items():
            if found := re.fullmatch(pattern, reason):
                named, other = step(found["step"]) if "step" in found.groupdict() else (place, own)
                return is_so(found.groupdict().get("name", ""), own, other, named in stale)
        return True

    def _draws(self, place: Place, top: FromTheTop) -> bool:
        """Whether what the line gives rests on a generator that none of its cells seeded: one draw
        is as good as another."""
        if top.observation.error is not None:
            return False
        same = Attempt(top.observation, _always(self.lines.steps[place].body or ""), 0)
        return difference(same, self._line(place.branch, state=1)[place]) is not None

    def _confirmed_why(self, place: Place, line: dict[Place, FromTheTop]) -> str | None:
        """A person confirmed this result for what its line gave it then, and for nothing else. One
        that ran again is true over what another confirmed step gives, too: that is on the line."""
        top, (confirmed, then) = line[place], self.confirmed[place]
        same = FromTheTop(confirmed.seen, then.reads)
        if (why := difference(self.attempts[place], same)) is not None:
            if self._follows_another_confirmed(place, line):
                return None  # it ran again over that
            return f"another result was confirmed: {why.replace('its line gives', 'then')}"
        names = (then.reads - then.assigned_first) | (top.reads - top.assigned_first)
        for name in sorted(names):
            was, now = (each.observation.before.get(name) for each in (then, top))
            if was != now:
                return f"it was confirmed for {name} = {_short(was)}, its line gives {_short(now)}"
        return None

    def _follows_another_confirmed(self, place: Place, line: dict[Place, FromTheTop]) -> bool:
        """Whether a step before it gives what a person confirmed, and its line does not."""
        before = takewhile(place.__ne__, line)
        given = (other for other in before if other in self.confirmed)
        return any(difference(self.attempts[other], line[other]) is not None for other in given)

    def _line(self, branch: str, state: int = 0) -> dict[Place, FromTheTop]:
        steps = self.lines.from_the_top(branch)
        code = [step for step in steps if step.body is not None]
        ground = tuple(self.ground.values())
        all_runs = from_the_top(ground, tuple(step.body or "" for step in code), state)
        runs = all_runs[len(ground) :]
        errors = [run.observation.error for run in all_runs[: len(ground)]]
        self.replays = errors == [self.failed[cell] for cell in self.ground]
        return {step.place: run for step, run in zip(code, runs, strict=True)}

    def _place(self, mark: dict[str, Any]) -> Place:
        return Place(mark["branch"], mark["number"])

    def _tell(self, line: str) -> None:
        if self.tell:
            self.result.told.append(line)


REASONS: dict[str, Callable[[str, Attempt, Attempt, bool], bool]] = {
    r"read .+ of step (?P<step>\S+), which has run again since": lambda _, own, other, __: (
        other.at > own.at
    ),
    r"read .+ of an earlier run of step (?P<step>\S+)": lambda _, __, other, ___: other.runs > 1,
    r"ran after step (?P<step>\S+), which changed .+": lambda _, own, other, __: (
        other.at < own.at or other.runs > 1
    ),
    r"step (?P<step>\S+), which .+, is stale": lambda _, __, ___, is_stale: is_stale,
    r"step (?P<step>\S+), which .+, failed": lambda _, __, other, ___: other.seen.error is not None,
    r"(?P<name>\w+) was not there when it ran; .+": lambda name, own, _, __: (
        name not in own.seen.before
    ),
    r"it ran again over .+, which it had changed itself": lambda _, own, __, ___: own.runs > 1,
    r"step (?P<step>\S+) has changed .+ since": lambda _, own, other, __: other.at > own.at,
    r"step (?P<step>\S+) changes .+, and that was not so when it ran": lambda _, own, other, __: (
        other.at < own.at
    ),
}
"""What a reason says -> whether that is so: of a name, of the attempt of its step and of that of
the step that it names, and whether this one is stale."""


def difference(attempt: Attempt, top: FromTheTop) -> str | None:
    """How the attempt and its line from the top differ, in a few words; None: they do not."""
    seen, fresh = attempt.seen, top.observation
    if fresh.error is not None:
        return f"its line gives {fresh.error}"
    if seen.result != fresh.result:
        return f"it returned {_short(seen.result)}, its line gives {_short(fresh.result)}"
    if seen.printed != fresh.printed:
        return f"it printed {_short(seen.printed)}, its line prints {_short(fresh.printed)}"
    # what it may have assigned, and did not, is no value of its own; nor is a name that the step
    # does not know, of an object that it changes by another
    assigned = attempt.always | seen.rebound | fresh.rebound
    in_place = (seen.changed() | fresh.changed()) & top.reads
    for name in sorted(name for name in assigned | in_place if not name.startswith("_")):
        was, now = seen.after.get(name), fresh.after.get(name)
        if was != now:
            return f"{name} was {_short(was)}, its line gives {_short(now)}"
    return None


def unequal_reads(attempt: Attempt, top: FromTheTop) -> str | None:
    """A name that it read with another value than its line gives, though nothing came of it."""
    for name in sorted(top.reads):
        was, now = attempt.seen.before.get(name), top.observation.before.get(name)
        if was != now and not name.startswith("_"):
            return f"it read {name}: {_short(was)}, its line gives {_short(now)}"
    return None


def _short(text: str | None) -> str:
    if text is None:
        return "nothing"
    return text if len(text) <= 90 else f"{text[:60]}…{text[-28:]}"


def _fields(cell: Cell) -> dict[str, Any]:
    return {name: getattr(cell, name) for name in cell.__dataclass_fields__}


def _indented(text: str) -> str:
    return "\n".join(f"      | {line}" for line in text.split("\n"))


# many notebooks


def check(book: Notebook, *, tell: bool = False, first: bool = False) -> Result:
    """What the marks of a notebook come to, in a session of its own."""
    with HOME as session, _limited():
        return Program(book, Kernel(session), tell).play(first)


LIMIT = 20
"""Seconds of computing that a notebook may take: one that never ends is named, not waited for."""


class TooLong(BaseException):
    """No cell may catch it as an error of its own."""


@contextmanager
def _limited() -> Iterator[None]:
    """An exception in whatever runs at the limit, and at the end, if IPython took it for the
    cell's own."""
    fired = []

    def late(*_: object) -> None:
        fired.append(True)
        raise TooLong(f"the notebook takes longer than {LIMIT} s")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, LIMIT, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    if fired:
        raise TooLong(f"a cell of the notebook takes longer than {LIMIT} s")


class _SharedHome:
    """WFNB_HOME in a folder in memory, where there is one; a session in it for each notebook.

    A journal that is opened anew makes its codec again, which takes longer than a notebook.
    """

    MOST = 100
    """Sessions in one folder: with each more, a start takes a little longer."""

    def __init__(self) -> None:
        self.home: Home | None = None
        self.count = self.process = 0

    def __enter__(self) -> str:
        if self.home is None or self.count == self.MOST or self.process != os.getpid():
            self._close()
            shm = Path("/dev/shm")
            folder = tempfile.mkdtemp(dir=shm if shm.is_dir() else None, prefix="wfnb-oracle-")
            self.home, self.count, self.process = home(folder), 0, os.getpid()
        self.count += 1
        self.before = os.environ.get("WFNB_HOME")
        os.environ["WFNB_HOME"] = str(self.home.path)
        return f"notebook-{self.count}"

    def __exit__(self, *_: object) -> None:
        if self.before is None:
            del os.environ["WFNB_HOME"]
        else:
            os.environ["WFNB_HOME"] = self.before

    def _close(self) -> None:
        if self.home is not None and self.process == os.getpid():
            shutil.rmtree(self.home.path, ignore_errors=True)


HOME = _SharedHome()
atexit.register(HOME._close)


def shrunk(book: Notebook) -> Notebook:
    """The smallest notebook that still has a wrong ✓: without the events, cells and lines that it
    does not need."""

    def fails(candidate: Notebook) -> bool:
        try:
            return bool(check(candidate, first=True).wrong)
        except (AssertionError, TooLong):
            return False

    if not fails(book):
        return book
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(book):
            if fails(candidate):
                book, smaller = candidate, True
                break
    return book


def _smaller(book: Notebook) -> Iterator[Notebook]:
    """Candidates, the largest cuts first."""
    for size in (4, 2, 1):
        for at in range(len(book.events) - size, -1, -1):
            yield Notebook(book.cells, book.events[:at] + book.events[at + size :])
    for at in range(len(book.cells)):
        gone = book.cells[at].id
        events = tuple(event for event in book.events if getattr(event, "cell", None) != gone)
        yield Notebook(book.cells[:at] + book.cells[at + 1 :], events)
    for at, cell in enumerate(book.cells):
        for body in _shorter(cell.body):
            fresh = Cell(**{**_fields(cell), "body": body})
            yield Notebook((*book.cells[:at], fresh, *book.cells[at + 1 :]), book.events)
    for at, event in enumerate(book.events):
        for fewer in _simpler(event):
            yield Notebook(book.cells, (*book.events[:at], fewer, *book.events[at + 1 :]))


def _simpler(event: Event) -> Iterator[Event]:
    if isinstance(event, Edit):
        yield Run(event.cell)
        for body in _shorter(event.body):
            yield Edit(event.cell, body)
    if isinstance(event, Insert):
        for body in _shorter(event.cell.body):
            yield Insert(Cell(**{**_fields(event.cell), "body": body}), event.under)


def _shorter(body: str) -> Iterator[str]:
    try:
        statements = [ast.unparse(node) for node in ast.parse(body).body]
    except SyntaxError:
        return
    for at in range(len(statements)):
        if len(statements) > 1:
            yield "\n".join(statements[:at] + statements[at + 1 :])


def readable(book: Notebook) -> str:
    """A notebook and what happens in it, with the marks after each event."""
    cells = [f"  [{cell.id[5:]}]\n{_indented(cell.source)}" for cell in book.cells]
    return "\n".join([*cells, *check(book, tell=True).told])


def _checked(seed: int, mode: Mode, without: Collection[str]) -> tuple[int, Result | str, float]:
    since = time.process_time()
    result: Result | str
    try:
        result = check(notebook(seed, mode, without=without))
    except (Exception, TooLong) as problem:
        result = f"{type(problem).__name__}: {problem}"
    return seed, result, time.process_time() - since


def run(
    seeds: Sequence[int],
    mode: Mode = "plain",
    jobs: int = 1,
    without: Collection[str] = (),
) -> dict[str, Any]:
    """The counts of many notebooks, with the seeds of those that have a wrong ✓, or broke off."""
    since = time.perf_counter()
    totals: Counter[str] = Counter()
    wrong: list[int] = []
    broken: dict[int, str] = {}
    untrue: dict[int, str] = {}
    computing = 0.0
    for seed, result, took in _results(seeds, mode, jobs, tuple(without)):
        computing += took
        if isinstance(result, str):
            broken[seed] = result
            continue
        totals += result.counts
        if result.wrong:
            wrong.append(seed)
        if result.untrue:
            untrue[seed] = result.untrue[0].why
    stale = totals["stale"]
    seconds = time.perf_counter() - since
    return {
        "mode": mode,
        "programs": len(seeds),
        "ok": totals["ok"],
        "wrong": totals["wrong"],
        "stale": stale,
        "needless": totals["needless"],
        "lucky": totals["lucky"],
        "unclear": totals["unclear"],
        "needless_percent": round(100 * totals["needless"] / stale, 1) if stale else 0.0,
        "ok_at_the_end": totals["ok_at_the_end"],
        "wrong_at_the_end": totals["wrong_at_the_end"],
        "wrong_programs": len(wrong),
        "wrong_seeds": wrong[:50],
        "broken": dict(list(broken.items())[:20]),
        "untrue_reasons": dict(list(untrue.items())[:20]),
        "seconds": round(seconds, 1),
        "cpu_seconds": round(computing, 1),
        "programs_a_cpu_second": round(len(seeds) / computing, 1),
    }


def _results(
    seeds: range, mode: Mode, jobs: int, without: tuple[str, ...]
) -> Iterator[tuple[int, Result | str, float]]:
    if jobs == 1:
        for seed in seeds:
            yield _checked(seed, mode, without)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
        args = ([each] * len(seeds) for each in (mode, without))
        yield from pool.map(_checked, seeds, *args, chunksize=20)


def main() -> int:
    """The command line; 1 where a ✓ was wrong or a notebook broke off."""
    parser = argparse.ArgumentParser(prog="python -m tests.dataflow.oracle")
    parser.add_argument("--programs", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0, help="the first of them")
    parser.add_argument("--mode", choices=get_args(Mode), default="plain")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--without", default="", help="features left out, with commas between")
    parser.add_argument("--show", type=int, default=3, help="wrong notebooks that are printed")
    parser.add_argument("--whole", action="store_true", help="print them as they are, not shrunk")
    said = parser.parse_args()
    without = tuple(filter(None, said.without.split(",")))
    summary = run(range(said.seed, said.seed + said.programs), said.mode, said.jobs, without)
    for seed in summary["wrong_seeds"][: said.show]:
        book = notebook(seed, said.mode, without=without)
        print(f"── seed {seed} {'─' * 60}")
        print(readable(book if said.whole else shrunk(book)))
    print(json.dumps(summary))
    return 1 if summary["wrong"] or summary["broken"] or summary["untrue_reasons"] else 0


if __name__ == "__main__":
    sys.exit(main())
