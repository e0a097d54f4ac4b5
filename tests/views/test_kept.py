"""What is told of kept values: in few words, the same in every run, and escaped."""

import pytest

from tests.core.story import Story, at, begun, done
from tests.views.keeping import fitted, kept, lost, planned, value
from wfnb.core.commands import FinishStep, KeepValues
from wfnb.core.events import Outcome, Status
from wfnb.core.kept_values import KeptValues, PlanEntry
from wfnb.core.queries import own
from wfnb.views.event_sentences import describe
from wfnb.views.kept_value_words import kept_data, kept_lines, kept_notes, kept_warnings
from wfnb.views.line_comparison import compare
from wfnb.views.restore_result import Restoration, notes
from wfnb.views.snapshot import snapshot
from wfnb.views.step_answer import answer
from wfnb.views.step_card import Card
from wfnb.views.value_differences import Differences, ValueDifference


def test_what_is_kept_and_what_is_not_is_told_with_the_reason():
    _, step = fitted(kept(value("df"), value("model"), lost("f"), lost("g"), lost("h", "why")))

    assert list(kept_notes(step)) == ["kept df, model", "not kept: f, g, h"]
    assert list(kept_warnings(step)) == ["not kept: f, g: it is an open file", "not kept: h: why"]
    assert kept_data(step) == {
        "names": ["df", "model"],
        "not_kept": {"f": "it is an open file", "g": "it is an open file", "h": "why"},
    }


def test_what_a_value_comes_back_without_is_told():
    _, step = fitted(kept(value("df", without=("a", "b")), value("n"), value("m", along=True)))

    assert kept_data(step) == {"names": ["df", "n"], "without": {"df": ["a", "b"]}}
    assert next(kept_lines(step)) == "kept: df · int · 1 · without a · without b"


def test_an_attempt_that_could_keep_nothing_says_what_is_still_there():
    story, step = fitted(kept(value("df")))
    story.do(begun("fit", keep=("df",), number=1))
    (attempt,) = story.session.running
    nothing = KeptValues(values=(lost("df", "keeping it was interrupted"),))
    story.do(FinishStep(attempt=attempt, outcome=Outcome(), values=nothing))

    assert kept_data(step) == {"names": [], "not_kept": {"df": "keeping it was interrupted"}}
    assert list(kept_warnings(step)) == [
        "not kept: df: keeping it was interrupted",
        "what was kept before it is still there: df",
    ]
    assert notes(story.session, step) == [
        "kept by an earlier attempt of step 1: the last one could keep nothing"
    ]
    assert describe(story.log[-1].event) == "kept nothing; not kept: df"


@pytest.mark.parametrize(
    ("size", "said"),
    [(999_999, None), (1_000_000, "1 MB"), (80_000_812, "80 MB"), (1_040_000_000, "1 GB")],
)
def test_only_a_size_that_is_certain_is_told(size: int, said: str | None):
    _, step = fitted(kept(value("df"), size=size))

    told = kept_data(step)

    assert told is not None
    assert told.get("size") == said


@pytest.mark.parametrize(
    ("status", "why"),
    [
        ("failed", "the step failed"),
        ("interrupted", "the step was interrupted"),
        ("unknown", "how the step ended is not known"),
    ],
)
def test_a_step_that_did_not_end_well_says_that_it_kept_nothing(status: Status, why: str):
    story, step = fitted(None, status)

    assert kept_data(step) == {"names": [], "not_kept": {"df": why}}
    assert answer(story.session, step).warnings == [f"not kept: df: {why}"]


def test_a_step_that_keeps_nothing_has_no_word_for_it():
    story = Story(done("load"))
    step = at(story.session, 1)

    assert kept_data(step) is None
    assert "kept" not in answer(story.session, step).to_dict()
    assert "kept" not in snapshot(story.session)["steps"][0]
    assert "kept" not in Card(story.session, step).to_dict()


def test_a_step_that_runs_has_kept_nothing_yet():
    story = Story(begun("fit", keep=("df",)))

    assert kept_data(at(story.session, 1)) is None


def test_names_are_cut_where_they_are_many():
    _, step = fitted(kept(*(value(f"x{number}") for number in range(40))))

    (said,) = kept_notes(step)

    assert said == f"kept {', '.join(f'x{number}' for number in range(12))}, … (40 in all)"


def test_an_older_version_and_an_earlier_attempt_are_told_as_such():
    story, step = fitted(kept(value("df")))
    story.do(begun("fit", number=1, keep=("df",)))
    attempt = max(story.session.running)
    story.do(FinishStep(attempt=attempt, outcome=Outcome(status="failed")))
    earlier = notes(story.session, step), Card(story.session, step).kept

    story.do(done("fit better", number=1))
    older = notes(story.session, step), Card(story.session, step).kept

    assert earlier == (
        ["kept by an earlier attempt of step 1: the last one failed"],
        ["kept by an earlier attempt: df · int · 1"],
    )
    assert older == (
        ["kept by version 1 of step 1, which is now at 2"],
        ["kept by version 1: df · int · 1"],
    )


def test_lines_are_compared_by_numbers_and_by_what_the_rest_is():
    story = Story(done("load"), done("a", branch="a", leaves=1), done("b", branch="b", leaves=1))
    frame = value("df", "pandas.DataFrame", "1,000 rows × 3 columns")
    story.do(KeepValues(step=4, values=kept(value("rmse", "float", "0.5"), frame, lost("f"))))
    story.do(
        KeepValues(
            step=6, values=kept(value("rmse", "numpy.float64", "0.25"), value("n", "int", "7"))
        )
    )
    lines = [story.session.lines[name] for name in "ab"]
    assert [len(own(story.session, line)) for line in lines] == [1, 1]

    rows = {row.name: row for row in compare(story.session, lines, frozenset(), frozenset()).rows}

    assert (rows["rmse"].cells, rows["rmse"].best) == ((0.5, 0.25), (1,))
    assert rows["df"].cells == ("pandas.DataFrame · 1,000 rows × 3 columns", None)
    assert rows["n"].cells == (None, 7)
    assert "f" not in rows


def test_the_events_are_told_in_words():
    story, _ = fitted(kept(value("df"), lost("f")))

    assert describe(story.log[-1].event) == "kept df; not kept: f"


def test_hostile_text_is_escaped_in_every_form():
    bad = "<img src=x onerror=alert(1)>\x1b[31m\u202e"
    title = bad.replace("\x1b", "")
    story = Story(done(title), begun(title, keep=("df",)))
    (attempt,) = story.session.running
    values = kept(value("df", bad, bad), lost("f", bad))
    story.do(FinishStep(attempt=attempt, outcome=Outcome(), values=values))
    step = at(story.session, 2)
    plan = planned(PlanEntry(name="df", way="replaces", type=bad, says=bad, now=bad))
    found = ValueDifference(name="df", lines=(bad,), pictures=(b"x", b"y"))

    shown = [
        answer(story.session, step),
        Card(story.session, step),
        Restoration(step, values, plan, [bad], {}),
        Differences(step, step, (found,)),
        compare(story.session, list(story.session.lines.values()), frozenset(), frozenset()),
    ]

    for view in shown:
        bundle = view._repr_mimebundle_()
        assert "<img src=x" not in bundle["text/html"]
        assert not {"\x1b", "\u202e"} & set(bundle["text/html"] + bundle["text/plain"])
