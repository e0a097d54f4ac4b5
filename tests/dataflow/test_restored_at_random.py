"""Names that share an object and are restored one by one, in a kernel that has some of them: no
step is shown as true that changes, or reads, another object than its line gives it."""

from random import Random

from tests.amount import times
from tests.dataflow.marks import check
from tests.dataflow.notebooks import Cell, Edit, Event, Notebook, Restart, Restore, Run, RunAll
from tests.dataflow.shrinking import readable, shrunk

NAMES = "abc"
MAKE = ("{y} = [2, 1]", "{y} = [3, 1, 2]", "{y} = [[2, 1]]")
TAKE = ("{y} = {x}", "{y} = [{x}]", "{y} = {x}[:]", "{y} = {{'k': {x}}}", "{y} = [{x}, {z}]")
CHANGE = ("{x}.sort()", "{x}.append(7)", "{x} += [5]", "[*{x}][0].append(4)", "{x}['k'].append(6)")
READ = ("n = len({x})", "m = str({x})", "m = str([{x}, {z}])", "n = sum(map(len, [{x}, {y}]))")


def steps(random: Random) -> tuple[Cell, ...]:
    """Cells that make lists, give them further names, change and read them."""
    made = [random.choice(MAKE), random.choice(TAKE)]
    made += [random.choice(random.choice((MAKE, TAKE, CHANGE, READ))) for _ in range(2)]
    made += [random.choice(CHANGE), random.choice(READ)]
    cells = []
    known: list[str] = []  # the names that there are so far, the last one first
    for at, one in enumerate(made):
        y = random.choice(NAMES)
        x, z = (random.choice(known or NAMES) for _ in range(2))
        known = [y, *known] if "{y} =" in one else known
        kept = random.choice(("", f" --keep {y if '{y} =' in one else x}", " --keep all"))
        cells.append(Cell(f"cell-{at + 1}", one.format(x=x, y=y, z=z), f"%%step Part{kept}"))
    return tuple(cells)


def book(seed: int) -> Notebook:
    """Its cells run in order; then some of what they kept is restored, and some of them run."""
    random = Random(f"restored {seed}")
    cells = steps(random)
    events: list[Event] = [RunAll()]
    for _ in range(3):
        if random.random() < 0.7:
            events.append(Restart())
        for _ in range(random.choice((1, 1, 2, 3))):
            step, name = random.randrange(1, len(cells) + 1), random.choice(NAMES)
            events.append(Restore(f"{step} {random.choice((name, name, ''))}".strip()))
        ran = [cell for cell in cells if random.random() < 0.7]
        if random.random() < 0.2:
            random.shuffle(ran)
        for cell in ran:
            is_same = random.random() < 0.9
            events.append(Run(cell.id) if is_same else Edit(cell.id, f"{cell.body}\nq = 1"))
    return Notebook(cells, tuple(events))


def test_what_was_restored_beside_what_it_shared_an_object_with_is_no_older_than_it_is_said():
    ok = 0
    for seed in (*range(times(40, 400)), 1303, 1754, 2356):
        result = check(book(seed))
        assert result.wrong == [], f"seed {seed}\n{readable(shrunk(book(seed)))}"
        assert result.untrue == [], seed
        ok += result.counts["ok"]
    assert ok > times(200, 2000)
