"""What is wrong with a workflow is told in a line; help and Tab tell what is right."""

import pytest

from tests.jupyter.kernel import Kernel, running

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("%run_workflow nope", "Workflow 'nope' not found. Available: "),
        ("%run_workflow --resume nope-1", "No run is called 'nope-1'. Runs: none yet."),
        ("%run_workflow x --var y", "%%run_workflow: --var 'y' is no KEY=VALUE."),
        ("%run_workflow x --secret NOPE", "%%run_workflow: the environment has no NOPE."),
        ("%run_workflow simple_test --timeout soon", "timeout is 'soon'. It needs a number"),
        ("%run_workflow x --max-states 0", "--max-states is '0'. It needs a whole number from 1."),
        ("%run_workflow x --dry", "%%run_workflow: there is no option --dry. Did you mean"),
        ("%run_workflow simple_test --on nobody", "%%run_workflow: the notebook has no variable"),
        ("%run_workflow ../x", "workflow_name is '../x'. It needs up to 64 letters"),
        ("%run_workflow no/x.yaml", "no/x.yaml cannot be read as a workflow: No such file"),
        ("%wfnb workflows import no/x.yaml", "no/x.yaml cannot be read as a workflow: No such"),
        (
            "%%run_workflow y\nprint('hi')",
            "The text cannot be read as a workflow: it has no `steps`",
        ),
        ("%wfnb answer yes", "No question is open."),
        ("%wfnb cancel", "No run is going on."),
        ("%wfnb workflows drop", "%wfnb workflows: it does not know 'drop'."),
        ("%wfnb workflows delete nope", "Workflow 'nope' not found."),
        ("%wfnb tools shel", "No tool is called 'shel'. Did you mean 'shell'?"),
    ],
)
def test_a_mistake_is_told_in_one_line(mistaken: Kernel, line: str, said: str):
    assert said in mistaken.run(line).refusal


@pytest.fixture(scope="module")
def mistaken(tmp_path_factory: pytest.TempPathFactory):
    with running(tmp_path_factory.mktemp("mistaken")) as kernel:
        yield kernel


def test_a_body_that_does_not_read_is_told_with_its_place(mistaken: Kernel):
    refusal = mistaken.run("%%run_workflow\nsteps:\n- [unclosed").refusal

    assert "line 3" in refusal or "line 2" in refusal


def test_tab_completes_workflows_runs_tools_and_options(mistaken: Kernel):
    assert "simple_test" in mistaken.complete("%run_workflow simp")
    assert "--resume" in mistaken.complete("%run_workflow --res")
    assert "shell" in mistaken.complete("%wfnb tools sh")


def test_help_explains_the_magic(mistaken: Kernel):
    assert "--resume RUN" in mistaken.ok("%run_workflow").text
    assert "--resume RUN" in mistaken.inspect("%%run_workflow")
