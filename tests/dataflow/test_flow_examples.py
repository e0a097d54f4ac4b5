"""The examples with which `Flow` explains what an attempt cannot tell by the names alone."""

from wfnb.core.data_flow import Flow
from wfnb.dataflow.observer import Observer


def last_flow(*cells: str) -> Flow:
    """The flow of the last of these cells, which are steps 1, 2, …"""
    names: dict[str, object] = {"__name__": "__main__"}
    observer, flow = Observer(names), Flow()
    for number, code in enumerate(cells, 1):
        begun = observer.begin(code)
        exec(code, names)
        flow = observer.end(begun, number, complete=True)
    return flow


def test_what_was_handed_over_and_stayed_as_it_was_is_possible():
    flow = last_flow("def check(v): len(v)\na = [1]", "check(a)")

    assert (flow.possible, set(flow.writes)) == (("a",), set())


def test_what_a_branch_would_have_bound_is_unsure():
    flow = last_flow("a = 1\nc = 0", "if c: a = 2")

    assert (set(flow.unsure), set(flow.writes)) == ({"a"}, set())


def test_beside_what_is_unseen_all_names_are_read_perhaps():
    flow = last_flow("a = [1]", "text = str()", "exec(text)")

    assert (flow.unseen, set(flow.perhaps), set(flow.reads)) == (("exec",), {"a"}, {"text"})


def test_what_shared_the_object_before_is_apart():
    flow = last_flow("a = [1]\nb = a", "b = [2]", "a.append(1)")

    assert (set(flow.apart), set(flow.writes)) == ({"b"}, {"a"})
