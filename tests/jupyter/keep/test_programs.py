"""For any program of cells in a real kernel `%wfnb restore` gives what a step kept, as it was."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amount import times
from tests.jupyter.kernel import Kernel, running
from tests.kept_values.programs import MAKE, NAMES, name, number

pytestmark = pytest.mark.kernel

ROOT = Path(__file__).parents[3]
_SESSIONS = count(1)
SETUP = f"""
import sys
sys.path.append({str(ROOT)!r})
import pickle
from copy import deepcopy
from tests.kept_values.isomorphic import difference as _difference
from tests.kept_values.programs import MAKE, change, inside, put
"""
BEGIN = """
for _name in {names!r}:
    globals().pop(_name, None)
_then = []
%wfnb start {session}
"""
RECORD = (
    "_then.append(deepcopy({{name: globals()[name] for name in {names} if name in globals()}}))"
)
CHECK = """
_now = {{name: globals().get(name) for name in _then[{at}]}}
print(_difference(_then[{at}], _now))
"""


def having(*names: str) -> str:
    return " and ".join(f"{one!r} in globals()" for one in names)


line = st.one_of(
    st.builds("{0} = MAKE[{1!r}]({2})".format, name, st.sampled_from(sorted(MAKE)), number),
    st.builds(lambda a, b: f"if {having(b)}: {a} = {b}", name, name),
    st.builds(lambda a, b: f"if {having(b)} and inside({b}): {a} = inside({b})[-1]", name, name),
    st.builds(lambda a, b: f"if {having(a, b)}: put({a}, {b})", name, name),
    st.builds(lambda a, n: f"if {having(a)}: change({a}, {n})", name, number),
    st.builds(lambda a: f"if {having(a)}: del {a}", name),
)
cell = st.tuples(st.lists(line, min_size=1, max_size=6), st.sets(name, min_size=1).map(sorted))
program = st.lists(cell, min_size=1, max_size=4)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    folder = tmp_path_factory.mktemp("kernel")
    with running(folder, XDG_DATA_HOME=str(folder / "data")) as kernel:
        kernel.ok(SETUP)
        yield kernel


def kept(kernel: Kernel, cells: list[tuple[list[str], list[str]]]) -> str:
    """Run the cells as steps that keep names, each recorded by a deep copy; the session's name."""
    session = f"program-{next(_SESSIONS)}"
    kernel.ok(BEGIN.format(names=NAMES, session=session))
    for lines, names in cells:
        asked = ",".join(names)
        code = "\n".join(lines)
        answer = kernel.ok(f"%%step Go on --keep {asked}\n{code}").answer
        kernel.ok(RECORD.format(names=names))
        there = kernel.ok("list(_then[-1])").value
        assert sorted(answer["kept"]["names"]) == sorted(eval(there or "")), answer
    return session


@settings(max_examples=times(6, 12))
@given(program)
def test_a_step_gives_back_what_a_copy_of_its_names_had(
    kernel: Kernel, cells: list[tuple[list[str], list[str]]]
):
    kept(kernel, cells)

    for at in [*range(len(cells)), 0]:
        kernel.ok(f"%wfnb restore {at + 1}")
        assert kernel.ok(CHECK.format(at=at)).stdout == "None\n"


@settings(max_examples=times(2, 4))
@given(program)
def test_a_fresh_kernel_gets_back_what_a_copy_of_its_names_had(
    kernel: Kernel, cells: list[tuple[list[str], list[str]]]
):
    session = kept(kernel, cells)
    copied = kernel.folder / "copied"
    kernel.ok(f"with open({str(copied)!r}, 'wb') as file: pickle.dump(_then, file)")

    kernel.restart()
    kernel.ok(SETUP)
    kernel.ok(f"%wfnb resume {session}")
    kernel.ok(f"with open({str(copied)!r}, 'rb') as file: _then = pickle.load(file)")

    for at in range(len(cells)):
        kernel.ok(f"%wfnb restore {at + 1}")
        assert kernel.ok(CHECK.format(at=at)).stdout == "None\n"
