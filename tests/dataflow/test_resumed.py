"""A notebook that goes on where it failed or was edited ends as if all its cells had run: random
notebooks, cell by cell against a full run, in a fresh kernel each time."""

from random import Random

import pytest

from tests.amount import times
from tests.dataflow.fresh_run import always_assigned, from_the_top
from tests.dataflow.kernel import Kernel
from tests.dataflow.marks import Attempt, difference
from tests.dataflow.notebook_limit import limited
from tests.dataflow.notebooks import NUMBER, Mode, notebook
from tests.dataflow.resumption import cells_to_run
from tests.dataflow.shared_home import HOME

PROGRAMS: dict[Mode, tuple[int, ...]] = {
    "plain": (*range(times(8, 60)),),
    "aliases": (*range(times(4, 25)),),
    "lazy": (*range(times(4, 25)), 11),
    "hidden": (*range(times(4, 25)),),
    "reach": (*range(times(4, 25)),),
}
TURNS = 4


class Book:
    """The cells of a notebook in use, `marked` as steps or plain; `attempts` has by id what each
    did when it ran last."""

    def __init__(self, cells: dict[str, str], kernel: Kernel, marked: bool) -> None:
        self.cells, self.kernel, self.marked = cells, kernel, marked
        self.attempts: dict[str, Attempt] = {}
        self.skipped = 0

    def source(self, id: str) -> str:
        return f"%%step {id}\n{self.cells[id]}" if self.marked else self.cells[id]

    def run(self, id: str) -> bool:
        self.kernel.names = self.kernel._namespace()  # what was put back is no change of the cell
        seen, _ = self.kernel.run(self.source(id), id)
        self.attempts[id] = Attempt(seen, always_assigned(self.cells[id]), 0)
        return seen.error is None

    def resume(self) -> list[str]:
        """As a front end does it. The cells that it came to, in order."""
        came, ran = [*self.cells], 0
        for id in cells_to_run({id: self.source(id) for id in self.cells}):
            ran += 1
            if not self.run(id):
                came = came[: came.index(id) + 1]
                break
        self.skipped += len(came) - ran
        return came

    def differences(self, ids: list[str]) -> list[str]:
        found = []
        for id, top in zip(ids, from_the_top((), tuple(self.cells.values())), strict=False):
            mine, whole = self.attempts[id].seen.error, top.observation.error
            if mine or whole:
                return [*found, *([f"{id}: {mine}, not {whole}"] if mine != whole else [])]
            found += [f"{id}: {why}" for why in [difference(self.attempts[id], top)] if why]
        return found

    def change(self, random: Random, failed: str | None) -> None:
        """A cell is deleted, moved or edited, as a person does it."""
        id = failed if failed and random.random() < 0.6 else random.choice([*self.cells])
        at = random.random()
        body = self.cells[id]
        if at < 0.25 and len(self.cells) > 2:
            del self.cells[id]
        elif at < 0.4:
            order = [each for each in self.cells if each != id]
            order.insert(random.randrange(len(order) + 1), id)
            self.cells = {each: self.cells[each] for each in order}
        elif found := list(NUMBER.finditer(body)):
            one = random.choice(found)
            digit = str(random.randrange(1, 9))
            self.cells[id] = body[: one.start()] + digit + body[one.end() :]
        else:
            self.cells[id] = f"{body}\nzz = 1"


def play(seed: int, mode: Mode) -> tuple[list[str], int]:
    """What differs at some turn, and how many cells were skipped."""
    random = Random(f"resumed {mode} {seed}")
    cells = {cell.id: cell.body for cell in notebook(seed, mode).cells if not cell.text}
    with HOME as session, limited():
        kernel = Kernel(session)
        book = Book(cells, kernel, random.random() < 0.5)
        try:
            for _ in range(TURNS):
                came = book.resume()
                if found := book.differences(came):
                    return found, book.skipped
                last = came[-1]
                failed = last if book.attempts[last].seen.error else None
                for _ in range(random.choice((1, 1, 2))):
                    book.change(random, failed if failed in book.cells else None)
                if book.marked and random.random() < 0.4:  # a cell is run by hand
                    book.run(random.choice([*book.cells]))
                kernel.restart()
        finally:
            kernel.stop()
    return [], book.skipped


@pytest.mark.parametrize("mode", PROGRAMS)
def test_a_resumed_notebook_ends_as_if_all_its_cells_had_run(mode: Mode):
    skipped = 0

    for seed in PROGRAMS[mode]:
        found, count = play(seed, mode)
        skipped += count
        assert found == [], seed

    assert skipped > 4 * len(PROGRAMS[mode])


def test_what_is_skipped_wrongly_is_seen(monkeypatch: pytest.MonkeyPatch):
    never = "wfnb.jupyter.resume.Resumption._other_input"
    monkeypatch.setattr(never, lambda *_: "")

    assert any(play(seed, "plain")[0] for seed in range(40))
