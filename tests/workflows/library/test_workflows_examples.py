"""The examples that come with wfnb: there for everybody, and nobody's to change."""

import os
import re
import subprocess

import pytest

from wfnb.errors import WorkflowShipped, WorkflowUnknown
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.definition.template import fill
from wfnb.workflows.library.workflow_library import EXAMPLES, WorkflowLibrary

from .shelves import contents, save, workflow

SHIPPED = (
    "build_production",
    "code_linting",
    "full_ci_pipeline",
    "interactive_debug",
    "notify_failure",
    "production_deploy",
    "simple_test",
    "test_suite",
    "test_with_branching",
)


@pytest.fixture
def shipped(folder) -> WorkflowLibrary:
    return WorkflowLibrary(folder)


def test_the_examples_are_there_before_anything_is_saved(shipped):
    listing = shipped.list()

    assert shipped.names() == ()
    assert shipped.names(examples=True) == SHIPPED
    assert [(saved.name, saved.example) for saved in listing.workflows] == [
        (name, True) for name in SHIPPED
    ]
    assert all(saved.description for saved in listing.workflows)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_example_is_a_workflow_of_its_name(shipped, name):
    assert parse(shipped.load(name)).name == name


def test_an_unknown_name_is_refused_with_the_examples_too(shipped):
    save(shipped, "deploy", "1")

    with pytest.raises(WorkflowUnknown) as refused:
        shipped.load("code_lintin")

    others = [name for name in SHIPPED if name != "code_linting"]
    assert str(refused.value) == (
        "Workflow 'code_lintin' not found. Did you mean 'code_linting'? "
        f"Available: {', '.join(['code_linting', 'deploy', *others])}"
    )


def test_what_an_example_calls_is_an_example(shipped):
    states = shipped.load("full_ci_pipeline")["states"].values()
    called = {state["action"]["params"]["workflow_name"] for state in states}

    assert called < set(SHIPPED)
    for state in states:
        params = state["action"]["params"]
        takes = shipped.load(params["workflow_name"])["variables"]
        assert set(params.get("initial_variables", {})) <= set(takes)


def test_a_workflow_of_ones_own_takes_the_place_of_an_example(shipped):
    save(shipped, "simple_test", "1")
    save(shipped, "deploy", "2")

    assert shipped.load("simple_test")["steps"] == workflow("1")["steps"]
    assert shipped.names() == ("simple_test", "deploy")
    assert sorted(shipped.names(examples=True)) == sorted([*SHIPPED, "deploy"])
    assert [saved.example for saved in shipped.list().workflows] == [False] * 2 + [True] * 8
    shipped.delete("simple_test")
    assert "states" in shipped.load("simple_test")


@pytest.mark.parametrize(
    ("ask", "asked"),
    [
        (lambda library: library.delete("simple_test"), "deleted"),
        (lambda library: library.rename("simple_test", "mine"), "renamed"),
    ],
)
def test_an_example_cannot_be_changed(shipped, folder, ask, asked):
    before = contents(EXAMPLES)

    with pytest.raises(WorkflowShipped, match=f"comes with wfnb and cannot be {asked}"):
        ask(shipped)
    shipped.count_success("simple_test")

    assert contents(EXAMPLES) == before
    assert not folder.exists()


def test_what_the_small_examples_run_in_a_shell_works(shipped, tmp_path):
    """In the order they are written, each with what those before it gave."""
    failed = []
    for name in ("code_linting", "test_suite", "build_production", "production_deploy"):
        workflow = parse(shipped.load(name))
        scope = {name: variable.default for name, variable in workflow.variables.items()}
        for id, action in workflow.actions.items():
            command = fill(action.params, scope)["command"]
            argv = command if isinstance(command, list) else ["/bin/sh", "-c", command]
            done = subprocess.run(argv, capture_output=True, text=True, cwd=tmp_path)
            if done.returncode or not done.stdout:
                failed.append((name, id, done.stderr))
            scope[f"steps.{id}.stdout"] = done.stdout
            for pattern in action.capture or ():
                scope |= re.search(pattern, done.stdout).groupdict()

    assert failed == []
    assert os.listdir(tmp_path) == []


def test_a_failure_is_told_word_for_word(shipped):
    (tell,) = parse(shipped.load("notify_failure")).actions.values()
    message = "it's {stage}; $(true) `x`"

    command = fill(tell.params, {"stage": "build", "message": message})["command"]

    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"build: {message}\n")
