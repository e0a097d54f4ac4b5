"""Each call of a notebook names an executed copy that is its own, and stays so."""

from typing import Any

import nbformat

from wfnb.workflows.runner.runner import Runner

from .mended import resumed
from .place import step, steps


def runs_notebook(runner: Runner, id: str, who: str, **more: Any) -> dict[str, Any]:
    cells = ["who = None", "assert who != 'bad' or __import__('os').path.exists('good')\nwho"]
    made = [nbformat.v4.new_code_cell(code) for code in cells]
    made[0].metadata["tags"] = ["parameters"]
    nbformat.write(nbformat.v4.new_notebook(cells=made), runner.folder / "n.ipynb")
    return step(id, "notebook", args={"path": "n.ipynb", "parameters": {"who": who}}, **more)


def shown(result: dict[str, Any]) -> tuple[str, str]:
    """What the call gave, and what the copy that it names shows."""
    cell = nbformat.read(result["output"], as_version=4).cells[-1]
    return result["result"], cell.outputs[0].data["text/plain"]


def test_steps_of_one_notebook_have_a_copy_each(runner: Runner):
    result = runner.run(steps(runs_notebook(runner, "a", "x"), runs_notebook(runner, "b", "y")))

    given = [shown(entry["result"]) for entry in result.execution_log]
    assert given == [("'x'", "'x'"), ("'y'", "'y'")]


def test_an_item_that_stands_in_another_list_keeps_its_copy(runner: Runner):
    entry = runs_notebook(runner, "a", "{item}", for_each="who")
    first = runner.run(steps(entry, variables={"who": ["x", "bad"]}), save=False)
    (runner.folder / "good").touch()

    result = resumed(runner, first.run, variables={"who": ["y", "x", "bad"]})

    assert result.status == "success"
    results = runner.log(first.run).run.results["a"]["results"]
    given = [shown(each) for each in results]
    assert given == [("'y'", "'y'"), ("'x'", "'x'"), ("'bad'", "'bad'")]
