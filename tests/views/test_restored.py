"""What a restoration would do, or did, is told of every name; what differs, of every value."""

from tests.views.keeping import fitted, kept, lost, planned, two_that_kept, value
from wfnb.core.kept_values import Differs, PlanEntry
from wfnb.views.restore_result import MAX_ROWS, Restoration
from wfnb.views.value_differences import Differences, ValueDifference


def test_before_and_after_a_restoration_every_name_is_told():
    _, step = fitted(kept(value("df"), value("m"), lost("f")))
    plan = planned(
        PlanEntry(name="df", way="comes back", type="int", says="1"),
        PlanEntry(name="m", way="replaces", type="int", says="1", now="2"),
        PlanEntry(name="f", way="cannot", why="it is an open file"),
        PlanEntry(name="x", way="left", now="3"),
        differs=(
            Differs(name="pandas", then="3.1", now=None),
            Differs(name="python", then="3.11", now="3.12"),
        ),
    )

    before = Restoration(step, kept(), plan, [])
    after = Restoration(step, kept(), plan, [], {"f": "it is an open file", "m": "gone"})

    assert before.text == (
        "step 1 · fit · 1 would come back · 1 would be replaced · 1 cannot come back\n"
        "name                     as it was kept      is now\n"
        "df    would come back    int · 1\n"
        "m     would be replaced  int · 1             2\n"
        "f     cannot come back   it is an open file\n"
        "! kept with pandas 3.1; it is not installed here\n"
        "! kept with python 3.11; 3.12 is here"
    )
    assert after.text.startswith("step 1 · fit · 1 back · 2 not back\n")
    assert [entry["way"] for entry in after.to_dict()["names"]] == [
        "comes back",
        "cannot",
        "cannot",
    ]


def test_a_long_restoration_is_cut():
    _, step = fitted(kept())
    plan = planned(*(PlanEntry(name=f"x{n}", way="comes back") for n in range(MAX_ROWS + 5)))

    assert Restoration(step, kept(), plan, []).text.splitlines()[-1].startswith("… 5 more")


def test_what_a_value_uses_and_what_came_with_it_is_told():
    _, step = fitted(kept(value("g", needs=("scale", "np"))))
    plan = planned(PlanEntry(name="g", way="comes back"))

    told = Restoration(step, kept(value("g", needs=("scale", "np"))), plan, [], {}, ("np",), {"np"})

    assert told.notes == ["g uses scale, which is not there", "with them came what they need: np"]


def test_two_figures_are_two_pictures_and_the_rest_is_lines():
    before, after = two_that_kept()
    figure = ValueDifference(name="fig", lines=("1 → 2 plots",), pictures=(b"\x89PNG", b"\x89PNG"))
    told = Differences(before, after, (figure, ValueDifference(name="a", lines=())))

    bundle = told._repr_mimebundle_()

    assert bundle["text/html"].count("data:image/png;base64,iVBORw==") == 2
    assert bundle["text/plain"] == (
        "step 1, one → step 2, two · 1 value differs\n"
        "name  what differs\n"
        "fig   1 → 2 plots\n"
        "the same: a"
    )


def test_what_is_not_known_to_differ_is_not_called_the_same():
    before, after = two_that_kept()
    values = (
        ValueDifference(name="x", lines=(), unclear=True),
        ValueDifference(name="y", lines=()),
    )

    found = Differences(before, after, values)

    assert found.text == (
        "step 1, one → step 2, two · no difference was found\n"
        "the same: y\n"
        "no difference found, though they may differ: x"
    )
    assert (found.to_dict()["same"], found.to_dict()["unclear"]) == (["y"], ["x"])


def test_names_of_one_picture_are_told_of_together():
    before, after = two_that_kept()
    same = {"lines": ("another picture",), "pictures": (b"old", b"new")}
    values = (ValueDifference(name="fig", **same), ValueDifference(name="ax", **same))

    found = Differences(before, after, values)

    assert found.text.splitlines()[2:] == ["fig, ax  another picture"]
    assert found._repr_mimebundle_()["text/html"].count("<img") == 2
    assert list(found.to_dict()["values"]) == ["fig", "ax"]
