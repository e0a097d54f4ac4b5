"""Asking, waiting, and running another workflow."""

import asyncio

import pytest

from wfnb.workflows.tools.ask import ASK
from wfnb.workflows.tools.call_context import Question
from wfnb.workflows.tools.nested_workflow import RUN_WORKFLOW
from wfnb.workflows.tools.sleep import SLEEP
from wfnb.workflows.tools.tool_execution import perform

from .calls import context_of, done, fields


class Person:
    """Answers what is asked, or never."""

    def __init__(self, *answers):
        self.answers, self.asked, self.withdrawn = list(answers), [], 0

    async def ask(self, question):
        self.asked.append(question)
        if self.answers:
            return self.answers.pop(0)
        try:
            return await asyncio.Event().wait()
        finally:
            self.withdrawn += 1


def test_the_answer_comes_back_with_its_place_among_the_choices():
    person = Person("no", "perhaps")
    context = context_of(ask=person.ask)

    chosen = fields(ASK, context, question="Deploy?", choices=["yes", "no"], secret=True)
    free = fields(ASK, context, question="Why?", timeout=60)

    assert chosen == {"success": True, "answer": "no", "choice": 1, "answered_by": "person"}
    assert free == {"success": True, "answer": "perhaps", "choice": None, "answered_by": "person"}
    assert person.asked == [
        Question(text="Deploy?", choices=("yes", "no"), secret=True),
        Question(text="Why?", timeout=60),
    ]


def test_nobody_answering_in_time_is_a_failure_and_the_question_is_withdrawn():
    person = Person()

    result = fields(ASK, context_of(ask=person.ask), question="Deploy?", timeout=0.01)

    assert result == {
        "success": False,
        "error": "Nobody answered in 0.01 s.",
        "answer": None,
        "timeout_occurred": True,
    }
    assert person.withdrawn == 1


def test_the_default_answers_where_nobody_does():
    context = context_of(ask=Person().ask)
    given = {"question": "Deploy?", "choices": ["yes", "no"], "default": "no", "timeout": 0.01}

    assert fields(ASK, context, **given) == {
        "success": True,
        "answer": "no",
        "choice": 1,
        "answered_by": "default",
    }


def test_a_question_whose_call_is_cancelled_is_withdrawn():
    person = Person()

    async def called():
        work = perform(ASK, {"question": "Deploy?"}, context_of(ask=person.ask))
        task = asyncio.create_task(work)
        while not person.asked:
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert done(called())
    assert person.withdrawn == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "ask: question is missing."),
        ({"question": ""}, "ask: question should have at least 1 character."),
        ({"question": "a", "timeout": -1}, "ask: timeout should be greater than 0."),
        (
            {"question": "a", "choices": ["b"], "default": "c"},
            "The default is none of the choices: b.",
        ),
    ],
)
def test_a_question_that_cannot_be_asked_is_a_failure(given, said):
    assert fields(ASK, **given)["error"] == said


def test_sleeping_gives_nothing_back():
    assert fields(SLEEP, seconds="0") == {"success": True}


@pytest.mark.parametrize("seconds", [-1, 366 * 86_400 + 1, "soon", None, float("nan")])
def test_there_is_no_sleep_of_such_a_length(seconds):
    result = fields(SLEEP, seconds=seconds)

    assert (result["success"], result["error_type"]) == (False, "BadParameters")


def test_another_workflow_is_run_with_what_it_is_given_and_its_result_is_the_result():
    given = []

    async def nested(**params):
        given.append(params)
        return {"success": False, "final_state": "b", "x": 1}

    context = context_of(nested=nested)

    result = fields(RUN_WORKFLOW, context, workflow_name="w", initial_variables={"a": 1})

    assert result == {"success": False, "final_state": "b", "x": 1}
    assert given == [
        {
            "workflow_definition": None,
            "workflow_name": "w",
            "initial_variables": {"a": 1},
            "max_states": None,
            "execution_timeout": None,
            "save_on_success": True,
        }
    ]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "Either 'workflow_definition' or 'workflow_name' must be provided"),
        (
            {"workflow_name": "a", "workflow_definition": {}},
            "Provide either 'workflow_definition' OR 'workflow_name', not both",
        ),
        ({"workflow_name": "a", "max_states": 1001}, "run_workflow: max_states should be less th"),
    ],
)
def test_exactly_one_workflow_is_run(given, said):
    assert fields(RUN_WORKFLOW, **given)["error"].startswith(said)
