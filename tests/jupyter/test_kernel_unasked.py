"""To look at a value is not to ask it: its class hears of wfnb no more than of IPython alone."""

from ast import literal_eval
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import Desk
from tests.cli.test_cli_execute import execute, printed, write
from tests.jupyter import watched_classes
from tests.jupyter.kernel import Kernel, running, started
from tests.jupyter.panel.front import page

pytestmark = pytest.mark.kernel

CLASSES = Path(watched_classes.__file__).read_text("utf-8")
MADE = (
    "own = Own(); properties = Properties(); settings = Settings(); settings.model = 3\n"
    "d = Dict(a=1); l = List([1, 2]); t = Tuple([1]); text = Text('abc'); number = Number(0.5)"
)
HOLDERS = """\
import collections, functools, types
import numpy as np, pandas as pd
holders = [own, {1: properties, 2: settings}, (d, l, t), text, number]
bag = types.SimpleNamespace(one=own, other=properties)
ordered = collections.OrderedDict(one=own, other=settings)
array = np.empty(2, object); array[:] = [properties, settings]
frame = pd.DataFrame({"x": array})
bound = functools.partial(print, properties)
def function(one=properties): return one, settings"""
NAMES = ("own", "properties", "settings", "d", "l", "t", "text", "number")
HELD = ("holders", "bag", "bound", "function")
SHOWN = ("again = own, holders[1], frame", "display(properties)")
CELLS = (CLASSES, MADE, HOLDERS, *NAMES, *HELD, *SHOWN)
TAKE = "print([tuple(map(str, one)) for one in sys.met]); sys.met.clear()"
PICKLE = {"__reduce_ex__", "__reduce__", "__getstate__", "__class__"}
"""What pickle asks the objects of a class for that answers for its attributes itself."""

Asked = Counter[tuple[str, ...]]


def taken(kernel: Kernel) -> Asked:
    """What was asked since the last time."""
    return Counter(literal_eval(kernel.run(TAKE, store_history=False).stdout))


def run(kernel: Kernel, head: str = "") -> list[Asked]:
    """What the values are asked in each cell."""
    found = []
    for at, cell in enumerate(CELLS, 1):
        kernel.ok(head.format(at=at) + cell, f"cell-{at}")
        found.append(taken(kernel))
    return found


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> list[Asked]:
    """In a kernel without wfnb."""
    with started(tmp_path_factory.mktemp("plain")) as kernel:
        return run(kernel)


@pytest.fixture
def kernel(tmp_path: Path) -> Iterator[Kernel]:
    with running(tmp_path) as made:
        yield made


@pytest.mark.parametrize("before", ["", "%wfnb start demo"], ids=["loaded", "session"])
def test_a_plain_cell_asks_no_more_than_without(kernel: Kernel, plain: list[Asked], before: str):
    kernel.ok(before)

    assert run(kernel) == plain


def test_a_step_asks_no_more_and_nor_does_the_panel(kernel: Kernel, plain: list[Asked]):
    kernel.ok("%wfnb start demo")

    with page(kernel) as front:
        assert run(kernel, "%%step {at} Step {at}\n") == plain
        front.until(lambda: len(front.state.titles) == len(CELLS))
    with page(kernel) as again:
        assert len(again.state.titles) == len(CELLS)
    kernel.ok("%wfnb status")
    kernel.ok("%wfnb compare")

    assert not taken(kernel)


def test_to_keep_asks_for_the_pickle_alone(kernel: Kernel, plain: list[Asked]):
    kernel.ok("%wfnb start demo")

    found = run(kernel, "%%step {at} Step {at} --keep all\n")

    for asked, before in zip(found, plain, strict=True):
        assert {one for one in asked - before if one[-1] not in PICKLE} == set()
    assert {"Own", "Properties", "Settings"}.isdisjoint(one[0] for one in found[1] - plain[1])


def test_to_show_what_is_kept_and_what_would_be_restored_asks_nothing(kernel: Kernel):
    kernel.ok("%wfnb start demo")
    for at, cell in enumerate((CLASSES, MADE), 1):
        kernel.ok(f"%%step {at} Step {at} --keep all\n{cell}")
    kernel.ok("settings.model = 4; properties.mark = 1; d['b'] = 2")
    taken(kernel)

    kernel.ok("%wfnb restore 2 --dry-run")

    assert {one for one in taken(kernel) if one[-1] not in PICKLE} == set()


def test_a_notebook_that_is_executed_sees_what_it_would_without(tmp_path: Path):
    desk = Desk(tmp_path)
    made = "settings = Settings(); settings.model.rate = 3; properties = Properties()"
    seen = "print(sorted(vars(settings)), [one for one in sys.met if one[0] != 'Settings'])"
    write(desk, {"a": CLASSES, "b": made, "c": seen})

    assert execute(desk) == "rrr"

    assert printed(desk)["c"] == "['model'] []\n"
