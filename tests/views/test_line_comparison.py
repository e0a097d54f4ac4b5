from pathlib import Path

import numpy as np
import pytest

from tests.core.story import done, given
from tests.investigations.core.investigating import investigating
from wfnb.core.commands import ScoreBranch
from wfnb.core.events import Outcome
from wfnb.core.validation import StepPlace
from wfnb.home_folder import Home
from wfnb.investigations.core.commands import Backtrack
from wfnb.views.line_comparison import Comparison, Row, compare

FOLDERS = Row(name="folder", cells=("src/ *", "src/"))
ERRORS = Row(name="rmse", cells=(4, 2), best=(1,))
SECONDS = Row(name="seconds", cells=(1.0, 2.0), timed=True)


def compared(*rows: Row) -> Comparison:
    return Comparison(lines=("main", "alt ⟵ 1"), rows=rows)


def test_the_best_value_has_a_star_that_the_last_line_explains():
    assert compared(SECONDS, FOLDERS, ERRORS).text == (
        "         main    alt ⟵ 1\n"
        "seconds  1       2\n"
        "folder   src/ *  src/\n"
        "rmse     4       2 *\n"
        "* best"
    )


def test_without_a_best_value_no_star_is_explained():
    assert "* best" not in compared(FOLDERS).text


def test_the_best_value_is_bold_and_a_star_of_ones_own_stays_a_star():
    both = compared(SECONDS, FOLDERS, ERRORS)

    assert both.markdown.splitlines()[2:] == [
        "| folder | src/ \\* | src/ |",
        "| rmse | 4 | **2** |",
    ]
    assert ">src/ *</td>" in both.html
    assert ">4</td>" in both.html
    assert "><b>2</b></td>" in both.html
    assert both.html.count("<b>") == 1


def test_without_a_value_the_last_result_of_each_line_is_told():
    session = given(
        done("Load", outcome=Outcome(result="DataFrame (5, 4)")),
        done("Look", outcome=Outcome()),
        done("Ridge", branch="ridge", outcome=Outcome(result="0.5", values={"r2": 0.5})),
        done("Lasso", branch="lasso", outcome=Outcome(result="0.7")),
    )

    found = compare(session, list(session.lines.values()), frozenset(), frozenset()).to_dict()

    assert found["result"] == {
        "main": "DataFrame (5, 4)",
        "ridge ⟵ 2": None,
        "lasso ⟵ 2": "0.7",
    }


def test_a_value_may_have_the_name_of_a_row_of_the_lines():
    values = Outcome(values={"score": 3, "state": "cold"})
    session = given(
        done("Load", outcome=values),
        done("Ridge", branch="ridge", outcome=values),
        ScoreBranch(branch="ridge", score=0.5),
    )

    found = compare(session, list(session.lines.values()), frozenset(), frozenset())

    names = [row.name for row in found.rows]
    assert {"score", "score of the line", "state", "state of the line", "steps"} <= {*names}
    assert len(names) == len(set(names))


def test_what_a_withdrawn_step_came_to_is_no_result_of_its_line():
    session = given(
        investigating("planner", pause=False),
        done("Load", outcome=Outcome(values={"rmse": 5})),
        done("Ridge", branch="ridge", leaves=1, outcome=Outcome(values={"rmse": 3})),
        done("Leak", outcome=Outcome(status="failed", values={"rmse": 1, "leak": 2})),
        Backtrack(place=StepPlace(number=2)),
    )

    found = compare(session, list(session.lines.values()), frozenset(), frozenset())

    rows = {row.name: row for row in found.rows}
    assert rows["rmse"] == Row(name="rmse", cells=(5, 3), best=(1,))
    assert rows["outcome"].cells == ("✓ ok", "✓ ok")
    assert rows["last step"].cells == ("Load", "Ridge")
    assert "leak" not in rows


def test_true_is_no_number_that_could_be_the_best():
    session = given(
        done("Load", outcome=Outcome(values={"rmse": 5, "ok": 1})),
        done("Ridge", branch="ridge", outcome=Outcome(values={"rmse": True, "ok": 1.0})),
        done("Lasso", branch="lasso", leaves=1, outcome=Outcome(values={"rmse": 1, "ok": True})),
    )

    found = compare(session, list(session.lines.values()), frozenset(), frozenset({"ok"}))

    rows = {row.name: row for row in found.rows}
    assert (rows["rmse"].best, rows["ok"].best) == ((2,), (0, 1))


@pytest.mark.parametrize(
    ("one", "other", "best"),
    [
        (np.float64(0.91230001), np.float64(0.91230002), (1,)),
        (np.float32(0.91230001), np.float32(0.9123001), (1,)),
        (1_234_567.25, np.float64(1_234_567.5), (1,)),
        (2**53 + 1, 2**53 + 2, (1,)),
        (np.int64(2**53 + 1), np.int64(2**53), (0,)),
        (float("nan"), 0.5, ()),
    ],
)
def test_a_number_that_was_kept_is_compared_as_it_is(
    one: object, other: object, best: tuple[int, ...], tmp_path: Path
):
    cars = Home(tmp_path / ".wfnb").start("cars")
    cars.step("Load", keep={"accuracy": one})
    cars.step("Ridge", branch="ridge", branch_from=1, keep={"accuracy": other})

    row = next(row for row in cars.compare().rows if row.name == "accuracy")

    assert row.best == best
    assert row.cells == pytest.approx((one, other), rel=1e-15, nan_ok=True)


def test_of_what_was_given_and_what_was_kept_the_last_is_compared(tmp_path: Path):
    cars = Home(tmp_path / ".wfnb").start("cars")
    cars.step("Load", values={"rmse": 0.5})
    cars.step("Ridge", branch="ridge", branch_from=1, keep={"rmse": 0.4})
    cars.step("Tune", keep={"rmse": 0.3})

    row = next(row for row in cars.compare().rows if row.name == "rmse")

    assert (row.cells, row.best) == ((0.3, 0.4), (0,))


@pytest.mark.parametrize(
    ("values", "best"),
    [
        ((float("-inf"), 0.5, 0.7), (0,)),
        ((float("inf"), 0.5, 0.7), (1,)),
        (("-inf", 0.5, 0.7), (0,)),
        (("inf", 0.5, 0.7), (1,)),
        (("0.25", 0.5, 0.7), (0,)),
        (("1/4", 0.5, 0.7), (0,)),
        ((0.2500001, 0.2500002, "1/3"), (0,)),
        (("Decimal", 0.5, 0.7), ()),
        (("fast", 0.5, 0.7), ()),
        (("nan", 0.5, 0.7), (1,)),
        ((None, 0.5, 0.7), (1,)),
    ],
)
def test_the_best_is_marked_only_where_all_that_is_there_was_compared(
    values: tuple[object, ...], best: tuple[int, ...]
):
    load, ridge, lasso = (Outcome(values={"rmse": value}) for value in values)
    session = given(
        done("Load", outcome=load),
        done("Ridge", branch="ridge", leaves=1, outcome=ridge),
        done("Lasso", branch="lasso", leaves=1, outcome=lasso),
    )

    found = compare(session, list(session.lines.values()), frozenset(), frozenset())

    assert next(row for row in found.rows if row.name == "rmse").best == best


def test_a_line_on_which_a_step_failed_has_not_the_best_value():
    session = given(
        done("Load", outcome=Outcome(values={"rmse": 0.5})),
        done("Ridge", branch="ridge", outcome=Outcome(values={"rmse": 0.1})),
        done("Tune", branch="ridge", outcome=Outcome(status="failed")),
        done("Lasso", branch="lasso", leaves=1, outcome=Outcome(values={"rmse": 0.4})),
    )

    found = compare(session, list(session.lines.values()), frozenset(), frozenset())

    row = next(row for row in found.rows if row.name == "rmse")
    assert (row.cells, row.best) == ((0.5, 0.1, 0.4), (2,))


def test_two_numbers_that_differ_never_look_alike():
    one, other = 0.123456789, 0.123456788

    shown = compared(Row(name="rmse", cells=(one, other), best=(1,))).text

    assert "0.123456789 " in shown
    assert "0.123456788 *" in shown


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_value_that_is_no_number_hides_no_best_one(place: int):
    values = [2.0, 3.0]
    values.insert(place, float("nan"))
    load, ridge, lasso = (Outcome(values={"rmse": value}) for value in values)
    session = given(
        done("Load", outcome=load),
        done("Ridge", branch="ridge", outcome=ridge),
        done("Lasso", branch="lasso", leaves=1, outcome=lasso),
    )

    found = compare(session, list(session.lines.values()), frozenset(), frozenset())

    (row,) = (row for row in found.rows if row.name == "rmse")
    assert row.best == (values.index(2.0),)


@pytest.mark.parametrize(
    ("name", "best"),
    [
        *((name, (0,)) for name in ("rmse", "test_rmse", "log_loss", "rmse_2019", "error_rate")),
        *((name, (1,)) for name in ("accuracy", "roc_auc", "f1_macro", "log_likelihood", "R2")),
        *((name, ()) for name in ("neg_log_loss", "neg_mean_squared_error", "brier_score")),
        *((name, ()) for name in ("negative_log_likelihood", "error_reduction", "z_score")),
        *((name, ()) for name in ("rmse_gain", "loss_weight", "score_error", "mean", "log_2")),
    ],
)
def test_a_best_value_is_marked_where_each_word_of_its_name_leaves_no_doubt(
    name: str, best: tuple[int, ...]
):
    session = given(
        done("Load", outcome=Outcome(values={name: -2.0})),
        done("Ridge", branch="ridge", outcome=Outcome(values={name: -1.0})),
    )

    found = compare(session, list(session.lines.values()), frozenset(), frozenset())

    assert [row.best for row in found.rows if row.name == name] == [best]
