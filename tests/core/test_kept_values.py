"""What is kept, in which files, and by which step of a line: tables written by hand."""

from __future__ import annotations

import pytest

from tests.core.kernel_names import Names
from tests.core.story import Story, at, done
from wfnb.core.commands import HideSteps
from wfnb.core.data_flow import ABSENT, LIBRARY, Flow
from wfnb.core.kept_values import KeptGroup, KeptValue, KeptValues, pieces_of, size_of, size_said
from wfnb.core.newest_kept_values import (
    changed_since,
    deleted_elsewhere,
    merged_values,
    sources,
    steps_until,
)
from wfnb.core.session import Session, Step
from wfnb.core.shown_figures import MAX_FIGURE_BYTES, Figure, is_known
from wfnb.core.validation import StepPlace

SIZES = {
    0: "0 bytes",
    999: "999 bytes",
    1_000: "1 kB",
    1_450: "1.4 kB",
    9_940: "9.9 kB",
    12_600: "13 kB",
    999_499: "999 kB",
    999_500: "1 MB",
    999_499_000: "999 MB",
    999_500_000: "1 GB",
    999_600_000_000: "1000 GB",
    2_500_000_000_000: "2500 GB",
}


@pytest.mark.parametrize("size", SIZES)
def test_a_size_is_said_with_two_digits_or_all_before_the_point(size):
    assert size_said(size) == SIZES[size]


BLOBS = {
    "99aa-17": 17,
    "99aa-17+6d30-3": 20,
    "9-9-4": 4,
    "17": 17,
    "99aa": 0,
    "99aa-": 0,
    "99aa-1x": 0,
    "99aa-٣": 0,  # a digit, and none of a name
    "99aa--1": 1,
    f"99aa-{'1' * 18}": int("1" * 18),
    f"99aa-{'1' * 19}": 0,
    "": 0,
}


@pytest.mark.parametrize("blob", BLOBS)
def test_the_size_of_a_blob_is_that_of_the_pieces_that_its_name_tells(blob):
    assert size_of(blob) == BLOBS[blob]


def value(name: str, group: int | None = 0, **says: object) -> KeptValue:
    return KeptValue(**{"name": name, "type": "list", "group": group, **says})


def test_values_are_found_by_name_and_by_their_pickle_and_files_that_share_count_once():
    values = KeptValues(
        values=(value("a"), value("gone", None), value("b", 1, along=True), value("c")),
        groups=(
            KeptGroup(blobs=("p-5", "q-7+r-2"), signature=""),
            KeptGroup(blobs=("p-5",), signature=""),
        ),
    )

    assert values.names == ("a", "b", "c")
    assert values.asked_names == ("a", "c")
    assert values.not_kept == (value("gone", None),)
    assert [values.get(name) for name in ("b", "none")] == [value("b", 1, along=True), None]
    assert [values.members(group) for group in range(3)] == [("a", "c"), ("b",), ()]
    assert list(values.pieces()) == ["p-5", "q-7", "r-2", "p-5"]
    assert list(pieces_of(["a+b", "c"])) == ["a", "b", "c"]
    assert values.size == 14


FIGURES = {
    "a picture": (Figure(form="image/png", blob="aa-10"), True),
    "a table": (Figure(form="table", blob="aa-10"), True),
    "the largest": (Figure(form="table", blob=f"aa-{MAX_FIGURE_BYTES}"), True),
    "too large": (Figure(form="table", blob=f"aa-{MAX_FIGURE_BYTES + 1}"), False),
    "of one byte": (Figure(form="image/svg+xml", blob="aa-1"), True),
    "empty": (Figure(form="image/png", blob="aa-0"), False),
    "no name of bytes": (Figure(form="image/png", blob="../other"), False),
    "another form": (Figure(form="text/html", blob="aa-10"), False),
}


@pytest.mark.parametrize("what", FIGURES)
def test_a_figure_of_a_journal_is_of_a_known_form_and_of_some_bytes_but_not_of_many(what):
    figure, known = FIGURES[what]

    assert is_known(figure) is known


def keep(step: Step, *names: str, group: int | None = 0, there: str = "", **says: object) -> None:
    """The step keeps these names at its end, of the versions that it had written."""
    step.kept = KeptValues(values=tuple(value(n, group, **says) for n in names), there=tuple(there))
    step.kept_flow = step.flow


def kept_by(session: Session, step: Step) -> list[tuple[int, tuple[str, ...]]]:
    return [(source.step.number, source.names) for source in sources(session, step)]


def test_the_steps_until_one_are_those_of_its_line_that_count_and_itself():
    story = Story(*(done(word) for word in "abcd"), done("b", branch="b", leaves=2))
    story.do(HideSteps(places=tuple(StepPlace(number=number) for number in (1, 3))))
    session = story.session

    def until(number: int, branch: str = "main") -> list[int]:
        return [step.number for step in steps_until(session, at(session, number, branch))]

    assert [until(number) for number in (1, 2, 3, 4)] == [[1], [2], [2, 3], [2, 4]]
    assert until(3, "b") == [2, 3]


def test_a_name_that_a_step_deleted_or_that_was_not_there_at_the_end_is_of_no_source():
    names = Names(Story())
    one, two, three = (names.run(word, writes="abc") for word in ("one", "two", "three"))
    session = names.story.session
    keep(one, "a", "b", "_c")
    assert kept_by(session, three) == [(1, ("a", "b", "_c"))]

    three.flow = Flow(writes={"a": ABSENT})
    assert kept_by(session, two) == [(1, ("a", "b", "_c"))]
    assert kept_by(session, three) == [(1, ("b", "_c"))]

    keep(two, "z", there="xa")  # and of names with `_` that says nothing
    assert kept_by(session, two) == [(1, ("a", "_c")), (2, ("z",))]
    two.kept = KeptValues(there=("x", "b"))
    assert kept_by(session, two) == [(1, ("b", "_c"))]


def test_a_value_that_could_not_be_kept_hides_the_older_and_a_name_that_was_not_there_does_not():
    names = Names(Story())
    one, two, three = (names.run(word, writes="a") for word in ("one", "two", "three"))
    session = names.story.session
    keep(one, "a", says="old")
    keep(two, "a", group=None, why_not="it holds a file")
    assert kept_by(session, three) == [(2, ("a",))]

    keep(two, "a", group=None, type="")

    assert kept_by(session, three) == [(1, ("a",))]
    assert kept_by(session, two) == [(2, ("a",))]  # asked for at this step itself


def test_kept_values_of_several_steps_are_told_the_last_first_each_of_its_source():
    names = Names(Story())
    one, two = (names.run(word, writes="ab") for word in ("one", "two"))
    keep(one, "a", "b", says="one")
    keep(two, "b", "c", says="two")

    found = merged_values(sources(names.story.session, two))

    assert [(each.name, each.says) for each in found] == [("b", "two"), ("c", "two"), ("a", "one")]


def test_a_name_was_deleted_elsewhere_where_a_step_of_another_line_did_it():
    names = Names(Story())
    names.run("load", writes="ab")
    names.run("drop", branch="b", leaves=StepPlace(number=1))
    session = names.story.session
    first, other = session.steps.values()
    names.story.do(done("words"))
    other.flow, first.flow = Flow(writes={"a": ABSENT, "c": "1"}), Flow(writes={"b": ABSENT})

    assert deleted_elsewhere(session, [first], {"a", "b", "c"}) == {"a"}
    assert deleted_elsewhere(session, [first], {"b"}) == set()
    assert deleted_elsewhere(session, [other], {"a", "b"}) == {"b"}
    assert deleted_elsewhere(session, [first, other], {"a", "b"}) == set()


def test_a_name_that_a_later_step_wrote_and_did_not_keep_has_changed_since():
    names = Names(Story())
    words = ("one", "two", "three", "four", "five")
    steps = [names.run(word) for word in words]
    one, two, three, four, five = steps
    session = names.story.session
    one.flow = Flow(writes={"a": "1", "b": "1", "c": "1", "d": "1"})
    keep(one, "a", "b", "c", "d")
    two.flow = Flow(writes={"a": "2", "b": "1", "other": "2"})
    three.flow = Flow(writes={"a": "3", "c": f"{LIBRARY}lib"})
    four.flow = None
    five.flow = Flow(writes={"d": "5"})

    def changed(step: Step) -> dict[str, int]:
        found = changed_since(session, step, sources(session, step))
        return {name: each.number for name, each in found.items()}

    assert [changed(step) for step in steps] == [{}, {"a": 2}, {"a": 2}, {"a": 2}, {"a": 2, "d": 5}]
    one.kept_flow = None  # which version was kept is not known
    assert changed(two) == {"a": 2, "b": 2}
