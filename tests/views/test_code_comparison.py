"""The code of two lines: which steps belong together, and what differs in them, line by line."""

from pathlib import Path

import pytest

from wfnb.core.events import Cell, Outcome
from wfnb.core.validation import MAX_SOURCE, StepPlace
from wfnb.home_folder import Home
from wfnb.panel import code_comparison
from wfnb.workspace import Workspace


@pytest.fixture
def cars(tmp_path: Path) -> Workspace:
    """Two steps that both lines have."""
    workspace = Home(tmp_path / ".wfnb").start("cars")
    add(workspace, "Load", "cars = load()\ncars.dropna()")
    add(workspace, "Split", "train, test = split(cars)")
    return workspace


def add(workspace: Workspace, title: str, code: str, **given: object) -> None:
    cell = Cell(id=f"c{workspace.session.position}", source=f"%%step {title}\n{code}")
    command = workspace.steps.command_for(title, cell=cell, **given)  # type: ignore[arg-type]
    step = workspace.steps.begin(command)
    assert step.running is not None
    workspace.steps.finish(step.running, Outcome())


def told(workspace: Workspace, one: str = "main", other: str = "ridge") -> list[tuple[str, str]]:
    found = workspace.views.compare_code(one, other)
    return [(pair.places, pair.diff or pair.says) for pair in found.pairs]


def test_steps_of_the_same_title_belong_together_and_then_those_at_the_same_place(cars: Workspace):
    add(cars, "Fit", "model = ols(train)\nmodel.fit()")
    add(cars, "Score", "rmse(model)")
    add(cars, "Score", "rmse(model)", branch="ridge", leaves=StepPlace(number=2))
    add(cars, "Shrink", "model = ridge(train)\nmodel.fit()", branch="ridge")
    add(cars, "Plot", "plot(model)", branch="ridge")

    assert told(cars) == [
        ("3 → ridge:4", "-model = ols(train)\n+model = ridge(train)\n model.fit()"),
        ("4 → ridge:3", "the same code"),
        ("– → ridge:5", "only on ridge"),
    ]


def test_a_revision_on_a_branch_belongs_to_the_step_that_both_lines_have(cars: Workspace):
    add(cars, "Load all", "cars = load()", branch="ridge", leaves=StepPlace(number=2), revises=1)

    assert told(cars) == [("1 → ridge:3", " cars = load()\n-cars.dropna()")]


def test_a_revision_of_an_inherited_step_is_of_both_lines(cars: Workspace):
    add(cars, "Shrink", "model = ridge(train)", branch="ridge", leaves=StepPlace(number=2))
    add(cars, "Fit", "model = ols(train)")
    add(cars, "Load all", "cars = load()", revises=1)

    assert told(cars) == [("3 → ridge:3", "-model = ols(train)\n+model = ridge(train)")]


def test_what_both_lines_have_is_left_out(cars: Workspace):
    found = cars.views.compare_code("main", "main")

    assert (found.pairs, found.sentence) == ((), "main and main have the same steps")


def test_a_step_that_was_hidden_has_no_place(cars: Workspace):
    add(cars, "Fit", "fit()")
    add(cars, "Fit", "fit(1)", branch="ridge", leaves=StepPlace(number=2))
    cars.hide("ridge:3")

    assert told(cars) == [("3 → –", "only on main")]


def test_a_step_without_code_says_so(cars: Workspace):
    cars.step("Fit")
    add(cars, "Fit", "fit(1)", branch="ridge", leaves=StepPlace(number=2))

    assert told(cars) == [("3 → ridge:3", "no code is known")]
    sentence = cars.views.compare_code("main", "ridge").sentence
    assert sentence == "main and ridge: no step that both have is known to differ in its code"


def test_every_form_has_the_difference_and_hostile_code_is_text(cars: Workspace):
    add(cars, "Fit <b>", "x = '</pre><script>'\n```")
    add(cars, "Fit <b>", "x = '\u202e'", branch="ridge", leaves=StepPlace(number=2))

    found = cars.views.compare_code("main", "ridge")

    assert "the code of 1 step differs" in found.text
    assert "    -x = '</pre><script>'" in found.text
    assert "<script" not in found.html.replace("&lt;script", "")
    assert "<b>" not in found.html + found.markdown
    assert "\n````diff\n" in found.markdown
    panel = code_comparison(cars.session, ["main", "ridge"])
    assert "\u202e" not in found.text + found.html + found.markdown + str(panel)
    assert panel["steps"][0]["title"] == "Fit <b>"


def test_the_panel_has_nothing_to_say_of_a_line_that_is_gone(cars: Workspace):
    assert code_comparison(cars.session, ["main", "gone"]) == {"says": "", "steps": []}


def test_code_of_which_only_the_beginning_was_recorded_is_not_said_to_be_the_same(cars: Workspace):
    for end, more in (("1", {}), ("2", {"branch": "ridge", "leaves": StepPlace(number=2)})):
        add(cars, "Fit", f"x = '{'-' * MAX_SOURCE}'\nfit({end})", **more)

    assert told(cars) == [("3 → ridge:3", "no code is known")]
