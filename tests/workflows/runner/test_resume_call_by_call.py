"""Of several calls that were cut off, each is answered for itself: done, or to be made again."""

import pytest

from wfnb.errors import BadOption, CallNotAsked, CallUncertain
from wfnb.workflows.core.commands import Lost
from wfnb.workflows.core.events import CallStarted, RunStarted
from wfnb.workflows.library.key_value_words import verdicts
from wfnb.workflows.runner.runner import Runner

from .mended import resumed
from .place import step, steps
from .test_resume_cut_off import begun, noted, outer

__all__ = ["noted"]


def pays(id: str) -> dict[str, object]:
    return step(id, "note", args={"what": id})


SEVERAL = steps(*map(pays, "abcd"), mode="parallel")


@pytest.fixture
def cut_off(runner: Runner, gone: str) -> str:
    """A run whose process is gone while it made four calls."""
    calls = (CallStarted(action=id, tool="note") for id in "abcd")
    return begun(runner, gone, RunStarted(workflow=SEVERAL, process=gone), *calls).name


@pytest.mark.parametrize(
    ("lost", "made"),
    [
        ({"a": "again", "b": "again", "c": "done", "d": "done"}, ["a", "b"]),
        ({"a": "done", "": "again"}, ["b", "c", "d"]),
        ({"told-1/a": "again", "": "done"}, ["a"]),
        ("again", ["a", "b", "c", "d"]),
    ],
)
def test_each_call_is_made_again_or_not_as_is_said_of_it(
    runner: Runner, cut_off: str, noted: list[str], lost: Lost, made: list[str]
):
    result = resumed(runner, cut_off, lost=lost)

    assert (result.status, sorted(noted)) == ("success", made)


def test_what_is_not_answered_is_asked_again_and_nothing_is_called(
    runner: Runner, cut_off: str, noted: list[str]
):
    with pytest.raises(CallUncertain) as refusal:
        runner.resume(cut_off, lost={"a": "again", "c": "done"})

    assert refusal.value.calls == ("b (note)", "d (note)")
    assert "`--again b --done d`" in str(refusal.value)
    assert noted == []


def test_an_answer_to_what_nobody_asks_is_refused(runner: Runner, cut_off: str, noted: list[str]):
    with pytest.raises(CallNotAsked, match=r"'x'.* Asked about: a, b, c, d\."):
        runner.resume(cut_off, lost={"x": "again", "": "done"})

    assert noted == []


@pytest.mark.parametrize(("mine", "its"), [("again", "done"), ("done", "again")])
def test_calls_of_runs_within_are_told_apart_by_their_run(
    runner: Runner, gone: str, noted: list[str], mine: str, its: str
):
    inner = steps(pays("a"))
    both = {**outer(inner), "mode": "parallel"}
    both["steps"].append(pays("a"))
    parent = begun(
        runner,
        gone,
        RunStarted(workflow=both, process=gone),
        CallStarted(action="down", tool="run_workflow", idempotent=True),
        CallStarted(action="a", tool="note"),
    )
    first = RunStarted(workflow=inner, process=gone, depth=1, caller=2)
    child = begun(runner, gone, first, CallStarted(action="a", tool="note"), parent=parent.id).name

    with pytest.raises(CallUncertain) as refusal:
        runner.resume(parent.name)
    result = resumed(runner, parent.name, lost={f"{parent.name}/a": mine, f"{child}/a": its})

    assert refusal.value.calls == ("a (note)", f"{child}/a (note)")
    assert (result.status, noted) == ("success", ["a"])
    again = parent.name if mine == "again" else child
    assert [
        call.result.get("taken_as_done", False) for call in runner.log(again).run.forward_calls()
    ][-1] is False


@pytest.mark.parametrize(("again", "done"), [("", ""), ("a,b", "b")])
def test_the_same_cannot_be_both(again: str, done: str):
    with pytest.raises(BadOption, match="contradict each other"):
        verdicts(again, done, "wfnb resume")


@pytest.mark.parametrize("calls", ["a,", ",a", "a, ,b", ","])
def test_a_comma_too_many_does_not_mean_all_others(calls: str):
    with pytest.raises(BadOption, match="has an empty name"):
        verdicts(calls, None, "wfnb resume")
