"""However two lists differ, who follows the splices has the second; and they are as few as that."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.panel.client import spliced
from wfnb.panel.list_diff import fact_changes, splices
from wfnb.panel.timeline import size

entries = st.builds(
    lambda n, state: {"step": str(n), "text": f"finding {n}", "state": state},
    st.integers(0, 9),
    st.sampled_from(("", "withdrawn")),
)
lists = st.lists(entries, max_size=12) | st.lists(st.sampled_from("abc"), max_size=12)


@given(lists, lists)
def test_the_splices_make_the_one_list_the_other(before, now):
    told = json.loads(json.dumps(fact_changes({"them": before}, {"them": now})))

    assert spliced({"them": before}, told) == {"them": now}


def test_a_window_that_moves_on_by_one_tells_the_one_that_came():
    all = [{"n": n, "text": "x" * 50} for n in range(101)]

    assert splices(all[:100], all[1:]) == [[0, 1], [99, 0, all[100]]]


def test_of_an_entry_that_changed_only_that_is_told():
    before = [{"n": n, "text": "x" * 50, "state": ""} for n in range(50)]
    now = [{**each, "state": "withdrawn"} if each["n"] in (3, 4) else each for each in before]

    assert splices(before, now) == [[3, {"state": "withdrawn"}], [4, {"state": "withdrawn"}]]
    assert size(splices(before, now)) < 70
