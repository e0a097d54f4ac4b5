"""A run goes on: after it failed, was stopped, was rolled back, or lost its process."""

import pytest

from wfnb.errors import (
    AnswerNotChoice,
    CallUncertain,
    QuestionNone,
    QuestionSeveral,
    RunAlive,
    RunEndedAlready,
    RunNotResumable,
    StateUnknown,
)
from wfnb.workflows.core.commands import (
    AnswerQuestion,
    AskQuestion,
    FinishCall,
    ResumeRun,
    StartCall,
    StopRun,
)
from wfnb.workflows.core.events import QuestionAsked

from .story import Told, calls, fails, ok, played, states, steps


def resumed(told, **how):
    told.do(ResumeRun(process="another", **how))
    return told


def test_a_run_goes_on_from_the_state_that_failed():
    definition = states("a", a={"success": "b"}, b={"success": "c"}, c={})
    told = played(definition, b=fails)

    played(definition, resumed(told))

    assert calls(told) == ["a ok", "b failed", "b ok", "c ok"]
    assert told.run.status == "success"


def test_edited_input_is_what_it_goes_on_with():
    definition = steps("a", {"id": "b", "args": {"n": "{n}"}})
    told = played(definition, Told(definition, variables={"n": 1}), b=fails)

    played(definition, resumed(told, variables={"n": 2}))

    assert [call.params for call in told.run.forward_calls() if call.action == "b"] == [
        {"n": 1},
        {"n": 2},
    ]


def test_what_succeeded_is_kept():
    definition = steps("a", "b", {"id": "c", "needs": ["a", "b"]}, mode="parallel")
    told = played(definition, b=fails)

    played(definition, resumed(told))

    assert calls(told) == ["a ok", "b failed", "b ok", "c ok"]


def test_it_goes_on_from_another_state_where_one_is_named():
    definition = states("a", a={"success": "b"}, b={})
    told = played(definition, b=fails)

    played(definition, resumed(told, start="a"))

    assert calls(told) == ["a ok", "b failed", "a ok", "b ok"]


def test_from_a_step_everything_that_needs_it_runs_again():
    definition = steps("a", "b", {"id": "c", "needs": ["a"]}, {"id": "d", "needs": ["b"]})
    told = played(definition)

    played(definition, resumed(told, start="a"))

    assert calls(told)[4:] == ["a ok", "c ok"]


def test_what_was_rolled_back_runs_again():
    undo = {"compensation": {"tool": "undo"}}
    definition = steps("a", {"id": "b", **undo}, {"id": "c", **undo}, "d")
    told = played(definition, d=fails)

    played(definition, resumed(told))

    assert calls(told)[6:] == ["b ok", "c ok", "d ok"]
    assert told.run.status == "success"


def test_retries_begin_anew():
    definition = steps({"id": "a", "retry": 1})
    told = played(definition, a=fails)

    played(definition, resumed(told), a=fails)

    assert [call.attempt for call in told.run.forward_calls()] == [1, 2, 1, 2]


def lost(idempotent):
    told = Told(steps("a", "b"))
    told.do(StartCall(action="a", idempotent=idempotent))
    return told


def test_a_call_whose_end_nobody_saw_is_made_again_where_that_does_no_harm():
    told = played(None, resumed(lost(idempotent=True)))

    assert calls(told) == ["a unknown", "a ok", "b ok"]
    assert [call.attempt for call in told.run.calls.values()] == [1, 1, 1]


def test_else_it_is_asked_about():
    told = lost(idempotent=False)

    with pytest.raises(CallUncertain) as refusal:
        resumed(told)

    assert "a (noop)" in str(refusal.value)
    assert calls(played(None, resumed(told, lost="again"))) == ["a unknown", "a ok", "b ok"]


def test_it_can_be_taken_as_done():
    told = played(None, resumed(lost(idempotent=False), lost="done"))

    assert calls(told) == ["a ok", "b ok"]


@pytest.mark.parametrize("lost", ["again", "done"])
@pytest.mark.parametrize("kills", [["running"], ["between"], ["running", "running", "between"]])
def test_states_that_were_entered_before_the_process_was_lost_count(lost, kills):
    definition = states("a", a={"success": "a"})
    told = Told(definition, max_states=4)
    for when in kills:
        told.do(StartCall(action="a"))
        if when == "between":
            told.do(FinishCall(call=told.run.position, result=ok))
        resumed(told, lost=lost)

    played(definition, told)

    assert (told.run.status, calls(told).count("a ok"), told.run.entered) == ("failed", 4, 4)
    played(definition, resumed(told))
    assert calls(told).count("a ok") == 8


def test_a_rollback_that_was_cut_off_goes_on():
    told = Told(steps({"id": "a", "compensation": {"tool": "undo"}}, "b"))
    told.do(StartCall(action="a"))
    told.do(FinishCall(call=2, result=ok))
    told.do(StartCall(action="b"))
    told.do(FinishCall(call=4, result=fails))
    told.do(StartCall(action="a", undoes=2, idempotent=True))

    played(None, resumed(told))

    assert calls(told) == ["a ok", "b failed", "undo a unknown", "undo a ok"]
    assert told.run.status == "rolled_back"


@pytest.mark.parametrize(
    ("told", "how", "refusal"),
    [
        (lambda: lost(True), {"alive": True}, RunAlive),
        (lambda: played(steps("a")), {}, RunNotResumable),
        (lambda: played(steps("a"), a=fails), {"start": "zz"}, StateUnknown),
    ],
)
def test_what_cannot_go_on_is_refused(told, how, refusal):
    run = told()
    before = list(run.entries)

    with pytest.raises(refusal):
        resumed(run, **how)

    assert run.entries == before


def test_a_run_that_ended_cannot_be_stopped():
    with pytest.raises(RunEndedAlready):
        played(steps("a")).do(StopRun())


def asking(*calls, choices=("yes", "no"), secret=False):
    told = Told(steps(*calls, mode="parallel"))
    for action in calls:
        told.do(StartCall(action=action))
        call = told.run.position
        asked = QuestionAsked(call=call, question="Go?", choices=choices, secret=secret)
        told.do(AskQuestion(event=asked))
    return told


@pytest.mark.parametrize("answer", ["no", "2", 2])
def test_a_choice_is_answered_by_its_words_or_its_place(answer):
    told = asking("a")

    told.do(AnswerQuestion(answer=answer))

    assert told.run.answers == {2: "no"}
    assert told.run.questions == {}


def test_the_first_choice_is_number_one():
    told = asking("a")

    told.do(AnswerQuestion(answer="1"))

    assert told.run.answers == {2: "yes"}


@pytest.mark.parametrize("place", ["0", "3"])
def test_a_place_that_no_choice_has_is_refused(place):
    with pytest.raises(AnswerNotChoice):
        asking("a").do(AnswerQuestion(answer=place))


def test_the_answer_to_a_secret_question_is_not_recorded():
    told = asking("a", choices=(), secret=True)

    told.do(AnswerQuestion(answer="hunter2"))

    assert "hunter2" not in repr(told.entries)


@pytest.mark.parametrize(
    ("told", "refusal"),
    [
        (lambda: played(steps("a")), QuestionNone),
        (lambda: asking("a", "b"), QuestionSeveral),
        (lambda: asking("a", choices=("left", "right")), AnswerNotChoice),
    ],
)
def test_an_answer_to_nothing_is_refused(told, refusal):
    with pytest.raises(refusal):
        told().do(AnswerQuestion(answer="yes"))


def cancelled(definition, action):
    """Its process is gone in the middle of an action; then it is cancelled."""
    told = Told(definition)
    told.do(StartCall(action=action))
    told.do(StopRun(rollback=False))
    told.do(ResumeRun(process="another", lost="again"))
    return played(None, told)


def test_a_cancelled_run_asks_too_about_a_call_whose_end_nobody_saw():
    told = cancelled(steps("a", "b"), "a")
    assert (told.run.status, calls(told)) == ("cancelled", ["a unknown"])
    before = list(told.entries)

    with pytest.raises(CallUncertain, match=r"a \(noop\)"):
        resumed(told)

    assert told.entries == before
    assert calls(played(None, resumed(told, lost="again"))) == ["a unknown", "a ok", "b ok"]


def test_a_call_of_a_cancelled_run_can_be_taken_as_done():
    a_step = played(None, resumed(cancelled(steps("a", "b"), "a"), lost="done"))
    definition = states("a", a={"success": "b"}, b={})
    a_state = played(None, resumed(cancelled(definition, "a"), lost="done"))

    for told in (a_step, a_state):
        assert (told.run.status, calls(told)) == ("success", ["a ok", "b ok"])
        assert told.run.results["a"]["taken_as_done"] is True


def test_nothing_is_asked_where_the_call_is_not_made_again():
    definition = states("a", a={"success": "b"}, b={})

    told = played(None, resumed(cancelled(definition, "a"), start="b"))

    assert calls(told) == ["a unknown", "b ok"]
    with pytest.raises(CallUncertain):
        resumed(told, start="a")


def test_a_run_that_succeeded_in_part_goes_on_only_from_where_that_is_said():
    listed = {"id": "a", "for_each": {"items": [1, 2], "tolerate": 1}}
    told = played(steps(listed), **{"a[0]": fails})
    assert told.run.status == "partial_success"

    with pytest.raises(RunNotResumable):
        told.do(ResumeRun(process="another"))
