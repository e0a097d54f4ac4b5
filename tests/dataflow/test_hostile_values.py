"""Values whose own code raises whatever it likes are observed as any other."""

import pytest

from tests.jupyter.keep.test_hostile import HOSTILE
from wfnb.core.flow import PLAIN
from wfnb.dataflow.observer import Observer


@pytest.mark.parametrize("name", ["dead", "Symbol", "f", "ex", "Fails", "fails", "data"])
def test_a_value_is_observed_whatever_its_class_raises(name: str):
    names: dict[str, object] = {"__name__": "__main__"}
    observer = Observer(names)
    made = observer.begin(HOSTILE)
    exec(HOSTILE, names)
    observer.end(made, PLAIN, complete=True)
    for code in (f"again = {name}", f"{name}.part = 1", f"again = {name}\nagain[0]", HOSTILE):
        read = observer.begin(code)
        flow = observer.end(read, 1, complete=False)

        assert name in flow.names_needed() | flow.writes.keys() | {*flow.possible, *flow.unsure}
