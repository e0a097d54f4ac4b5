"""Steps that are hidden, retitled, noted and tagged by verbs, in a real kernel."""

import pytest

from tests.jupyter.kernel import MIME, Kernel


@pytest.fixture
def steps(kernel: Kernel) -> Kernel:
    """Three steps; the last has tags of its own."""
    kernel.ok("%%step Load\nreadings = [1, 2]", "c1")
    kernel.ok("%%step Fit\nfit = sum(readings)", "c2")
    kernel.ok("%%step Plot --tag slow,figure --tag late\nfit", "c3")
    return kernel


def test_a_hidden_step_is_in_no_list_until_it_is_shown_again(steps: Kernel):
    said = steps.ok("%wfnb hide 2").text
    hidden = steps.steps("description")
    data = steps.status()
    status = steps.ok("%wfnb status").text
    again = steps.ok("%wfnb unhide 2").text

    assert said == "step 2 hidden · `%wfnb unhide 2` shows it again"
    assert hidden == ["Load", "Plot"]
    assert data["hidden_steps"] == ["2"]
    assert "3 steps" not in status
    assert "2 steps on 1 line · 1 stale · 1 hidden" in status
    assert "read fit of step 2, which no longer makes it" in status
    assert again == "step 2 shown again"
    assert steps.steps("description") == ["Load", "Fit", "Plot"]


def test_several_are_hidden_at_once_undone_at_once_and_shown_all_at_once(steps: Kernel):
    steps.ok("%wfnb hide 1 3")
    one = steps.steps("number")
    undone = steps.ok("%wfnb undo").text
    steps.ok("%wfnb redo")
    said = steps.ok("%wfnb unhide").text

    assert one == [2]
    assert undone == "undone: hidden on 'main': 1, 3 · `%wfnb redo` brings it back"
    assert said == "steps 1, 3 shown again"
    assert steps.ok("%wfnb unhide").text == "no such step is hidden"
    assert steps.steps("number") == [1, 2, 3]


def test_a_hidden_step_is_shown_by_its_number_and_shows_itself_when_it_runs(steps: Kernel):
    steps.ok("%wfnb hide 2")

    assert "hidden" in steps.ok("%wfnb show 2").text
    steps.ok("%%step Fit\nfit = sum(readings)", "c2")
    assert steps.steps("number", "attempts") == [(1, 1), (2, 2), (3, 1)]


def test_a_new_title_stays_when_the_cell_runs_again_also_in_a_new_kernel(steps: Kernel):
    said = steps.ok('%wfnb retitle 1 "Load both years"').text
    steps.ok("%wfnb note 1 The second was missing.")
    before = steps.steps("versions", "stale")
    for _ in range(2):
        steps.ok("%%step Load\nreadings = [1, 2]", "c1")
        steps.ok("%unload_ext wfnb\n%load_ext wfnb")
        steps.ok("%wfnb resume demo")

    assert said == "step 1: Load both years"
    assert before == [(1, False)] * 3
    assert steps.steps("description")[0] == "Load both years\n\nThe second was missing."
    assert steps.steps("versions") == [1, 1, 1]


def test_a_title_that_is_changed_in_the_cell_is_the_title(steps: Kernel):
    steps.ok("%wfnb retitle 1 Load both years")

    steps.ok("%%step Load all three\nreadings = [1, 2]", "c1")

    assert steps.steps("description")[0] == "Load all three"


def test_an_empty_note_takes_the_reason_away(steps: Kernel):
    steps.ok("%wfnb note 2 because")

    said = steps.ok('%wfnb note 2 ""').shown[0][MIME]

    assert said == {"step": "2", "description": "Fit"}


def test_tags_are_set_by_the_cell_and_by_verbs(steps: Kernel):
    tagged = steps.ok("%wfnb tag 3 data, figure").text
    untagged = steps.ok("%wfnb untag 3 slow,late").text
    none = steps.ok("%wfnb untag 3").text

    assert tagged == "step 3 tagged slow, figure, late, data"
    assert untagged == "step 3 tagged figure, data"
    assert none == "step 3 has no tags"
    steps.ok("%wfnb tag 1 data")
    assert "#data" in steps.ok("%wfnb status").text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("%wfnb hide", "%wfnb hide: it needs the number of a step"),
        ("%wfnb hide 9", "There is no step 9"),
        ("%wfnb hide x", "step is 'x'"),
        ("%wfnb retitle 1", "%wfnb retitle: it needs the number of a step and a title"),
        ('%wfnb retitle 1 ""', "title is ''. It needs words"),
        ("%wfnb note 1", "%wfnb note: it needs the number of a step and the reason"),
        ("%wfnb tag 1", "%wfnb tag: it needs the number of a step and tags"),
        ("%wfnb tag 1 #x", "tag is '#x'"),
        ("%%step Other --tag 'a b'\n1", "tag is 'a b'"),
    ],
)
def test_a_mistake_is_told_in_one_line(steps: Kernel, line: str, said: str):
    before = steps.status()["position"]

    refusal = steps.run(line).refusal

    assert refusal.startswith(said)
    assert steps.status()["position"] == before
