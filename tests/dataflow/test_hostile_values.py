"""Values whose own code raises whatever it likes are observed as any other."""

import pytest

from tests.jupyter.keep.test_hostile import HOSTILE
from wfnb.core.data_flow import PLAIN
from wfnb.dataflow.observer import Observer

METACLASSES = (
    "class Raises(type):\n    def __eq__(self, other): raise ValueError\n"
    "class Equal(type):\n    def __eq__(self, other): return True\n"
    "    def __hash__(self): return 1\n"
    "class Odd(metaclass=Raises):\n    def go(self): return part\n"
    "class Same(metaclass=Equal):\n    def go(self): return part\n"
    "odd = Odd(); odds = [Odd(), 1]; same = Same(); sames = {1: Same()}; part = 1\n"
    "def call(it=odd): return it.go()"
)


@pytest.mark.parametrize("name", ["odd", "odds", "same", "sames", "Odd", "Same", "call"])
def test_a_value_is_observed_whatever_its_class_is_equal_to(name: str):
    names: dict[str, object] = {"__name__": "__main__"}
    observer = Observer(names)
    made = observer.begin(METACLASSES)
    exec(METACLASSES, names)
    assert name in observer.end(made, PLAIN, complete=True).writes
    for code in (f"again = {name}", f"hasattr({name}, 'go')", f"again = [{name}][0]", METACLASSES):
        read = observer.begin(code)
        exec(code, names)
        flow = observer.end(read, 1, complete=True)

        assert not flow.unseen
        assert name in flow.names_needed() | flow.writes.keys()


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
