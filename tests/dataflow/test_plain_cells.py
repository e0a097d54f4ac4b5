"""What cells that are no steps give, run from the top: against running them."""

from hypothesis import given
from hypothesis import strategies as st

from wfnb.core.data_flow import ABSENT, LOST
from wfnb.dataflow.plain_cells import PlainCells, PlainRun

NAMES = "xy"


def made(code: str, held: dict[str, str]) -> PlainRun:
    """A cell of this code runs: `xy` writes y out of x, ` y` writes it out of nothing."""
    source, target = code
    reads = {source: held.get(source, ABSENT)} if source.strip() else {}
    held[target] = f"{code}({reads.get(source, '')})"
    return PlainRun(code, reads, {target: held[target]})


cells = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from([" x", " y", "xx", "xy", "yx", "yy"])),
    max_size=20,
)


@given(cells)
def test_what_they_give_is_what_running_them_in_order_would_make_or_is_not_known(runs):
    plain, held = PlainCells(), {}
    notebook: dict[str, str] = {}
    for cell, code in runs:
        notebook[cell] = code
        changed = plain.record_run(cell, made(code, held))
        fresh: dict[str, str] = {}
        for each in notebook.values():
            made(each, fresh)
        for name, version in plain.gives.items():
            assert version in (LOST, fresh.get(name)), (name, version, fresh)
        assert changed.keys() <= {*plain.gives, *plain.names}


@given(cells)
def test_after_all_have_run_in_order_they_give_what_is_there(runs):
    plain, held = PlainCells(), {}
    notebook: dict[str, str] = {}
    for cell, code in runs:
        notebook[cell] = code
        plain.record_run(cell, made(code, held))

    for _ in range(2):
        held.clear()
        for cell, code in notebook.items():
            plain.record_run(cell, made(code, held))

    assert {name: plain.gives[name] for name in held} == held


def test_a_deleted_cell_counts_until_another_one_writes_its_names():
    plain, held = PlainCells(), {}
    for cell, code in (("a", " x"), ("b", "xx"), ("c", " y")):
        plain.record_run(cell, made(code, held))
    both = held["x"]

    plain.record_run("c", made(" y", held), existing={"a", "c"})
    assert plain.gives["x"] == both

    changed = plain.record_run("a", made(" x", held), existing={"a", "c"})
    assert plain.gives["x"] == held["x"]
    assert changed == {"x": held["x"]}
