"""A workflow that Python runs in a notebook has the notebook's names, as one of a cell has."""

from tests.jupyter.kernel import Kernel


def test_what_is_run_from_python_sees_and_sets_the_names_of_the_notebook(kernel: Kernel):
    kernel.ok("import wfnb; factor = 3")
    kernel.ok(
        "done = wfnb.open('s').run({'name': 'w', 'steps': [{'id': 'a', 'tool': 'python',"
        " 'args': {'code': 'made = factor * 2; made'}}]})"
    )

    assert kernel.ok("(done.status, done.final_variables['a_result'], made)").value == (
        "('success', 6, 6)"
    )
