"""What a run hands on at its end: made of what its actions gave, or the run has failed."""

import pytest

from wfnb.errors import BadOutput
from wfnb.workflows.core.apply import replay
from wfnb.workflows.core.commands import ResumeRun
from wfnb.workflows.definition.outputs import Output, output_values
from wfnb.workflows.definition.reader import parse

from .story import Told, calls, fails, played, states, steps

UNDO = {"compensation": {"tool": "undo", "args": {}}}


def gave(**fields):
    return {"success": True, **fields}


def test_they_are_made_of_what_the_actions_gave():
    outputs = {
        "n": "a.n * 2",
        "both": "[a.n, b.text]",
        "kind": {"value": "limit", "type": "string"},
    }
    told = Told(steps("a", "b", outputs=outputs), variables={"limit": "x"})
    played(None, told, a=gave(n=3), b=gave(text="t\n"))

    assert told.run.status == "success"
    assert told.run.outputs == {"n": 6, "both": [3, "t"], "kind": "x"}
    assert replay(told.entries).outputs == told.run.outputs


@pytest.mark.parametrize(
    ("said", "kind", "value"),
    [
        ("42\n", "integer", 42),
        ("12.0", "integer", 12),
        ("1e3", "integer", 1000),
        ("9007199254740993.0", "number", 9007199254740993),
        ("4.5", "number", 4.5),
        ("42", "string", "42"),
        (True, "boolean", True),
    ],
)
def test_a_text_that_reads_as_a_number_is_one_where_one_is_declared(said, kind, value):
    told = played(steps("a", outputs={"v": {"value": "a.v", "type": kind}}), a=gave(v=said))

    assert told.run.outputs == {"v": value}
    assert type(told.run.outputs["v"]) is type(value)


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ({"value": "a.v", "type": "integer"}, "Output 'v' cannot be given: value is 'many'"),
        ("a.w", "Output 'v' cannot be given: `a.w` cannot be evaluated: a has no 'w'"),
        ("a.v + 1", "Output 'v' cannot be given: `a.v + 1` cannot be evaluated"),
    ],
)
def test_a_run_whose_output_cannot_be_given_has_failed_and_is_rolled_back(output, why):
    told = played(steps({"id": "a", **UNDO}, outputs={"v": output}), a=gave(v="many"))

    assert calls(told) == ["a ok", "undo a ok"]
    assert (told.run.status, told.run.outputs) == ("rolled_back", {})
    assert told.run.error.startswith(why)


def test_a_secret_is_no_output():
    with pytest.raises(BadOutput, match="token is a secret"):
        output_values({"v": Output(value="token")}, {"token": "x"}, ("token",))


def test_a_run_that_failed_hands_nothing_on():
    told = played(steps("a", outputs={"v": "1"}), a=fails)

    assert (told.run.status, told.run.outputs, told.run.error) == ("failed", {}, "a: no")


def test_what_is_always_done_last_is_done_when_an_output_fails_too():
    told = played(steps("a", {"id": "z", "always": True}, outputs={"v": "a.w"}))

    assert calls(told) == ["a ok", "z ok"]
    assert told.run.status == "failed"


def test_a_run_of_states_hands_on_where_it_ended():
    definition = states("a", a={"success": "b"}, b={}) | {"outputs": {"v": "b.v"}}

    assert played(definition, b=gave(v=1)).run.outputs == {"v": 1}


def test_a_mended_output_is_given_and_nothing_is_called_again():
    told = played(steps("a", outputs={"v": "a.w"}), a=gave(v=1))
    mended = parse(steps("a", outputs={"v": "a.v"}))
    told.do(ResumeRun(process="another", workflow=mended))
    played(None, told)

    assert (calls(told), told.run.status) == (["a ok"], "success")
    assert told.run.outputs == {"v": 1}
