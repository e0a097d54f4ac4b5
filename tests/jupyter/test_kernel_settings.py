"""`--set`: words stay words where the field is text, numbers are numbers, `@name` is a variable."""

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel

WORDS = ["1.10", "00710", "Is it: so?", "# 5 of them", "no", "null", "2026-11-21", "*"]
WORDS += ["@ home", "{"]


@pytest.fixture
def asking(kernel: Kernel) -> Kernel:
    """At the stage that takes a sub-question."""
    kernel.ok("%wfnb strategy self_ask")
    while "sub_question_formulation" not in kernel.status()["next_stages"]:
        kernel.ok("%step On")
    return kernel


@pytest.mark.parametrize("words", WORDS)
def test_a_field_that_is_text_stays_as_it_is_written(asking: Kernel, words: str):
    line = f'%step Ask --set "sub_question={words}" --set sub_question_number=2'

    asked = asking.ok(f"{line} --stage sub_question_formulation")

    assert asked.answer["fields"] == {"sub_question": words, "sub_question_number": 2}


def test_a_header_keeps_words_as_the_line_does(asking: Kernel):
    header = "---\nset:\n  sub_question: 1.10\n  sub_question_number: 2\n---"

    asked = asking.ok(f"%%step Ask --stage sub_question_formulation\n{header}")

    assert asked.answer["fields"] == {"sub_question": "1.10", "sub_question_number": 2}


@pytest.fixture
def pad(kernel: Kernel) -> Kernel:
    """At the stage that takes variables of a scratchpad."""
    kernel.ok("%wfnb strategy scratchpad")
    while "scratchpad_initialization" not in kernel.status()["next_stages"]:
        kernel.ok("%step On")
    return kernel


SET = "%step Begin --stage scratchpad_initialization --set"


def test_variables_are_taken_by_their_names(pad: Kernel):
    pad.ok("import numpy as np; n, total, rest = np.int64(3), np.float64(1.5), (1, 2)")

    begun = pad.ok(f"{SET} state_variables=@{{n,total,rest}}")

    assert begun.answer["fields"] == {"state_variables": {"n": 3, "total": 1.5, "rest": [1, 2]}}


def test_a_variable_in_a_header_is_taken_too(pad: Kernel):
    pad.ok("start = {'n': 1}")
    head = "%%step Begin --stage scratchpad_initialization"

    begun = pad.ok(f'{head}\n---\nset:\n  state_variables: "@start"\n---')

    assert begun.answer["fields"] == {"state_variables": {"n": 1}}


REFUSED = {
    "state_variables={'n':n+1,'total':total*1.1}": "It needs a value for 'n:n+1'",
    "state_variables={n}": "It needs a value for 'n'",
    "state_variables=@nowhere": "a variable that is there before the step runs, or a run",
    "state_variables=@{nowhere}": "a variable that is there before the step runs, or a run",
    "state_variables=@frame": "a variable that JSON can hold: 'frame' is of type set",
    "state_variables=@{frame}": "a variable that JSON can hold: 'frame' is of type set",
    "state_variables=@endless": "a variable that JSON can hold: 'endless' is of type float",
    "state_variables=@run-1": "No run is called 'run-1'",
}


@pytest.mark.parametrize(("setting", "says"), REFUSED.items(), ids=REFUSED)
def test_what_cannot_be_meant_is_refused_by_name(pad: Kernel, setting: str, says: str):
    pad.ok("n, total, frame, endless = 3, 1.5, {1}, float('inf')")
    before = len(pad.status()["steps"])

    refused = pad.run(f"{SET} {setting}")

    assert says in refused.refusal
    assert len(pad.status()["steps"]) == before


def test_a_name_that_is_a_run_and_a_variable_is_refused_by_naming_both(pad: Kernel):
    pad.ok("%%run_workflow probe\nsteps:\n  - {id: a, tool: python, args: {code: 'dict(n=41)'}}")
    pad.ok("last = 5")

    refused = pad.run(f"{SET} state_variables=@last")
    pad.ok(f"{SET} state_variables=@last.result")

    assert "'last' is a run and a variable" in refused.refusal
    assert pad.status()["steps"][-1]["fields"] == {"state_variables": {"n": 41}}


def test_a_score_is_a_number_and_may_be_a_variable(exploring: Kernel):
    exploring.ok("%branch a --from 2 Open")
    exploring.ok("%branch a Work --set approach_id=a")
    exploring.ok("import numpy as np; acc = np.float64(0.83)")

    refused = exploring.run("%branch a Score --set approach_id=a --set evaluation_score=high")
    scored = exploring.ok("%branch a Score --set approach_id=a --set evaluation_score=@acc")

    assert "field 'evaluation_score' is 'high'. It needs a number" in refused.refusal
    assert scored.answer["fields"]["evaluation_score"] == 0.83
    assert scored.answer["scores"] == {"a": 0.83}


def test_a_variable_that_the_step_assigns_is_refused_on_every_run(kernel: Kernel):
    """Else a second Run All takes the value that the first one left."""
    kernel.ok("%wfnb strategy react")
    for _ in range(2):
        refused = kernel.run("%%step Look --set thought=@found\nif True:\n    found = 'a line'")

        assert "this step assigns 'found'" in refused.refusal
        kernel.ok("found = 'an older line'")
