"""The result of a run: the fields of a response, and which run it is of."""

from dataclasses import fields

from tests.workflows.views.given import (
    Story,
    deploy,
    failed_deploy,
    looped,
    opened,
    state,
    states,
    step,
    steps,
)
from wfnb.workflows.views.run_result import response, run_result

RESPONSE = [
    "success",
    "final_state",
    "states_executed",
    "total_elapsed_time",
    "execution_log",
    "final_variables",
    "session_id",
    "workflow_saved",
    "saved_workflow_name",
    "available_workflows",
    "recursion_depth",
    "error",
]


def test_a_result_has_the_twelve_fields_of_a_response_and_says_which_run_it_is_of():
    result = run_result(opened().run, "shell-1", available=("shell", "other"))

    assert [field.name for field in fields(result)] == [
        *RESPONSE,
        "run",
        "status",
        "outputs",
        "rollback",
        "warnings",
        "report",
    ]
    assert result.to_dict() == {
        "success": True,
        "final_state": "use",
        "states_executed": 2,
        "total_elapsed_time": 0.75,
        "execution_log": [
            {
                "state": "open",
                "tool": "open_terminal",
                "params": {},
                "result": {"success": True, "session_id": "session_1a2b3c4d"},
                "elapsed_time": 0.5,
                "timestamp": "2025-06-15T15:06:40.000+00:00",
                "status": "ok",
                "attempts": 1,
                "variables_after": {
                    "success": True,
                    "session_id": "session_1a2b3c4d",
                    "open_success": True,
                    "open_session_id": "session_1a2b3c4d",
                },
            },
            {
                "state": "use",
                "tool": "send_input",
                "params": {"session_id": "session_1a2b3c4d"},
                "result": {"success": True},
                "elapsed_time": 0.25,
                "timestamp": "2025-06-15T15:06:40.500+00:00",
                "status": "ok",
                "attempts": 1,
                "variables_after": {"success": True, "use_success": True},
            },
        ],
        "final_variables": {
            "success": True,
            "session_id": "session_1a2b3c4d",
            "open_success": True,
            "open_session_id": "session_1a2b3c4d",
            "use_success": True,
        },
        "session_id": "session_1a2b3c4d",
        "workflow_saved": False,
        "saved_workflow_name": None,
        "available_workflows": ["shell", "other"],
        "recursion_depth": 0,
        "error": None,
        "run": "shell-1",
        "status": "success",
        "outputs": {},
        "rollback": [],
        "warnings": [],
    }


def test_a_result_of_success_is_a_line_and_a_table():
    result = run_result(looped().run, "checks-1", ["State 'a' cannot be reached"])

    assert repr(result).splitlines() == [
        "checks-1 · ✓ success · 7 states · saved as checks",
        "   action  tool          state  attempts  note",
        "1  build   shell         ✓ ok   1         built",
        "2  test    await_output  ✓ ok   1         2 failing",
        "3  fix     python        ✓ ok   1",
        "4  test    await_output  ✓ ok   1         1 failing",
        "5  fix     python        ✓ ok   1",
        "6  test    await_output  ✓ ok   1         12 passing",
        "7  done    notify        ✓ ok   1",
        "! State 'a' cannot be reached",
    ]


def test_a_result_of_failure_says_why_what_was_undone_and_how_to_go_on():
    result = run_result(failed_deploy().run, "deploy-1")

    assert repr(result).splitlines() == [
        "deploy-1 · ◔ partly rolled back · 3 steps",
        "   action   tool   state     attempts  note",
        "1  upload   shell  ✓ ok      1         not undone: no such upload",
        "2  migrate  shell  ✓ ok      2         undone",
        "3  restart  shell  ✕ failed  1         port in use",
        "restart: port in use · not undone: upload (no such upload)",
        "`%wfnb cancel deploy-1 --rollback` tries again to undo what is left; "
        "`%run_workflow --resume deploy-1` goes on from there",
    ]
    assert (result.success, result.final_state, result.error) == (
        False,
        "restart",
        "restart: port in use · not undone: upload (no such upload)",
    )


def test_attempts_are_one_entry_of_the_log_with_the_waits_between_them():
    story = Story(steps(step("fetch", retry={"attempts": 2, "wait": 3})))
    story.fails("fetch", took=1.0).fails("fetch", took=2.0).performs("fetch", 0.5, size=7).finish()

    (entry,) = run_result(story.run, "get-1").execution_log

    assert entry == {
        "state": "fetch",
        "tool": "shell",
        "params": {},
        "result": {"success": True, "size": 7},
        "elapsed_time": 9.5,
        "timestamp": "2025-06-15T15:06:40.000+00:00",
        "status": "ok",
        "attempts": 3,
        "variables_after": {
            "success": True,
            "size": 7,
            "fetch_success": True,
            "fetch_size": 7,
        },
    }


def test_steps_that_were_not_run_are_listed_and_not_counted():
    story = Story(deploy(rollback=False)).fails("upload").finish()

    result = run_result(story.run, "deploy-1")

    assert result.states_executed == 1
    assert repr(result).splitlines()[2:5] == [
        "1  upload   shell  ✕ failed   1         it broke",
        "2  migrate  shell  · not run  –",
        "3  restart  shell  · not run  –",
    ]


def test_a_nested_run_gives_its_caller_the_plain_fields():
    assert response(looped().run, "checks-1") == {
        "success": True,
        "final_state": "done",
        "states_executed": 7,
        "total_elapsed_time": 6.1,
        "final_variables": looped().run.variables,
        "session_id": None,
        "workflow_saved": True,
        "saved_workflow_name": "checks",
        "recursion_depth": 0,
        "error": None,
        "run": "checks-1",
        "status": "success",
        "outputs": {},
    }


def test_an_action_that_was_a_run_names_it():
    story = Story(states("outer", inner=state("run_workflow")))
    story.performs("inner", run="checks-1", status="success").finish()

    assert repr(run_result(story.run, "outer-1")).splitlines()[-1] == (
        "1  inner   run_workflow  ✓ ok   1         ▶ checks-1 ✓ success"
    )


def test_a_run_that_called_nothing_ends_in_error():
    story = Story(deploy()).cancelled("not today").finish()

    result = run_result(story.run, "deploy-1")

    assert (result.final_state, result.states_executed, result.error) == ("error", 0, "not today")
