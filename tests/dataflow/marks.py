"""a notebook -> every mark that wfnb shows while it is used, compared with its lines from the top.

✓ promises: with the cells as they were last run, this step's line, run from the top, gives this
result. So the line is run from the top, in a fresh namespace, and compared with what the harness
saw at the step's last attempt: its last value, what it printed, and the names that it assigned or
changed. A ✓ whose values are others is wrong. A ◌ is needless if its values are those of the line,
and everything that it read was so, too.

Names that only cells which are no steps assign are the ground of a notebook: those cells run first
in the fresh namespace, as they were last run, in the order in which they first ran in this kernel.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, Protocol

from tests.dataflow import outside
from tests.dataflow.fresh_run import FromTheTop, always_assigned, from_the_top
from tests.dataflow.kernel import Kernel, Observation, Place
from tests.dataflow.lines import Lines, Recorded
from tests.dataflow.notebook_limit import limited
from tests.dataflow.notebooks import (
    Cell,
    Confirm,
    Edit,
    Event,
    Insert,
    Keep,
    Notebook,
    Restart,
    Restore,
    Rewrite,
    Run,
    RunAll,
)
from tests.dataflow.shared_home import HOME


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
                    fresh = replace(cell, body=text)
                    self.cells[self.cells.index(cell)] = fresh
                    self._tell(indented(fresh.source))
                    self._run(fresh)
            case Insert(cell=cell, under=under):
                above = [i + 1 for i, each in enumerate(self.cells) if each.id == under]
                self._tell(f"insert {cell.id[5:]} under {(under or 'cell-nothing')[5:]}, run it:")
                self._tell(indented(cell.source))
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
        always = frozenset() if cell.text else always_assigned(cell.body)
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
        same = Attempt(top.observation, always_assigned(self.lines.steps[place].body or ""), 0)
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


def indented(text: str) -> str:
    return "\n".join(f"      | {line}" for line in text.split("\n"))


def check(book: Notebook, *, tell: bool = False, first: bool = False) -> Result:
    """What the marks of a notebook come to, in a session of its own."""
    with HOME as session, limited():
        return Program(book, Kernel(session), tell).play(first)
