"""A notebook runs in a kernel of its own; its executed copy is kept whatever happens."""

import asyncio
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from wfnb.workflows.tools.notebook import NOTEBOOK
from wfnb.workflows.tools.process_cleanup import bearing
from wfnb.workflows.tools.tool_execution import perform

from .calls import Cue, context_of, done, fields

pytestmark = pytest.mark.kernel
DEFAULTS = new_code_cell("a = 1\nb = 2", metadata={"tags": ["parameters"]})


def written(folder, *cells, name="job.ipynb", **metadata):
    made = [new_code_cell(cell) if isinstance(cell, str) else cell for cell in cells]
    nbformat.write(new_notebook(cells=made, metadata=metadata), folder / name)
    return folder / name


def read(path):
    return nbformat.read(path, as_version=4)


def sources(path):
    return [cell.source for cell in read(path).cells]


def test_a_notebook_runs_with_its_parameters_and_its_copy_is_kept(tmp_path):
    source = written(tmp_path, new_markdown_cell("# Job"), DEFAULTS, "print('hello')\na + b")
    before = source.read_bytes()
    said = []
    context = context_of(tmp_path, said=said)

    result = fields(NOTEBOOK, context, path="job.ipynb", parameters={"a": 40, "w": [None, "x"]})

    copy = tmp_path / "job.run.ipynb"
    assert result == {"success": True, "result": "42", "output": str(copy), "cells": 3}
    assert source.read_bytes() == before
    assert sources(copy) == [
        "# Job",
        "a = 1\nb = 2",
        "# Parameters\na = 40\nw = [None, 'x']",
        "print('hello')\na + b",
    ]
    assert read(copy).cells[2].metadata.tags == ["injected-parameters"]
    assert read(copy).cells[3].outputs[0].text == "hello\n"
    assert "".join(said).splitlines()[0] == "cell 2/4"
    assert {"cell 4/4", "hello"} <= {*"".join(said).splitlines()}
    assert bearing(context.mark) == frozenset()


@pytest.mark.parametrize("output", [None, "all.ipynb"])
def test_no_two_calls_that_run_at_once_write_the_same_copy(tmp_path, output):
    written(tmp_path, DEFAULTS, "a")

    async def both():
        calls = (
            perform(
                NOTEBOOK,
                {"path": "job.ipynb", "parameters": {"a": a}, "output": output},
                context_of(tmp_path, action=f"all[{a}]"),
            )
            for a in (0, 1)
        )
        return await asyncio.gather(*calls)

    given = done(both())

    if output is None:
        assert [each["result"] for each in given] == ["0", "1"]
        copies = [read(each["output"]).cells[-1].outputs[0].data["text/plain"] for each in given]
        assert copies == ["0", "1"]
    else:
        assert sorted(each["success"] for each in given) == [False, True]
        (failed,) = (each["error"] for each in given if not each["success"])
        assert failed == "Another call is to write all.ipynb. Name another `output`."


def test_parameters_set_before_are_replaced_and_the_output_goes_where_it_is_wanted(tmp_path):
    old = new_code_cell("a = 9", metadata={"tags": ["injected-parameters"]})
    written(tmp_path, DEFAULTS, old, "a")
    context = context_of(tmp_path)
    given = {"path": "job.ipynb", "parameters": {"a": 3}, "output": "out/done.ipynb"}

    result = fields(NOTEBOOK, context, **given)

    assert (result["result"], result["output"]) == ("3", str(tmp_path / "out/done.ipynb"))
    assert sources(tmp_path / "out/done.ipynb") == ["a = 1\nb = 2", "# Parameters\na = 3", "a"]
    assert not (tmp_path / "job.run.ipynb").exists()


def test_the_cell_that_fails_ends_the_run_and_is_named(tmp_path):
    written(tmp_path, new_markdown_cell("x"), "1 + 1", "1 / 0", "'never'")

    result = fields(NOTEBOOK, context_of(tmp_path), path="job.ipynb")

    trace = result.pop("traceback")
    assert result == {
        "success": False,
        "error": "cell 3: ZeroDivisionError: division by zero",
        "error_type": "ZeroDivisionError",
        "failed_cell": 3,
        "output": str(tmp_path / "job.run.ipynb"),
        "cells": 2,
    }
    assert "----> 1 1 / 0" in trace
    assert "\x1b" not in trace
    kept = read(tmp_path / "job.run.ipynb").cells
    assert kept[2].outputs[0].ename == "ZeroDivisionError"
    assert kept[3].outputs == []


def old(source, **metadata):
    """A cell that was run before, and showed 41."""
    shown = new_output("execute_result", data={"text/plain": "41"}, execution_count=7)
    return new_code_cell(source, outputs=[shown], execution_count=7, metadata=metadata)


@pytest.mark.parametrize("stop", ["1 / 0", "import os; os._exit(3)", "import time; time.sleep(60)"])
def test_below_where_it_ended_nothing_of_an_earlier_time_is_shown(tmp_path, stop):
    written(tmp_path, old("41"), stop, old("x", wfnb={"shown": "mark"}))
    limit = {"timeout": 5} if "sleep" in stop else {}

    result = fields(NOTEBOOK, context_of(tmp_path), path="job.ipynb", **limit)

    assert result["success"] is False
    first, _, last = read(tmp_path / "job.run.ipynb").cells
    assert [out.data["text/plain"] for out in first.outputs] == ["41"]
    assert (last.outputs, last.execution_count, last.metadata) == ([], None, {})


def test_the_result_is_of_the_last_cell_that_was_run(tmp_path):
    written(tmp_path, "6 * 7", old("x", tags=["skip-execution"]))

    result = fields(NOTEBOOK, context_of(tmp_path), path="job.ipynb")

    assert (result["result"], result["cells"]) == ("42", 1)


def test_a_kernel_that_dies_is_a_failure_with_its_last_words(tmp_path):
    written(tmp_path, "1", "import os, sys\nos.write(2, b'oh no'); os._exit(3)")
    context = context_of(tmp_path)

    result = fields(NOTEBOOK, context, path="job.ipynb")

    assert (result["error"], result["failed_cell"]) == ("The kernel died in cell 2.", 2)
    assert read(tmp_path / "job.run.ipynb").cells[0].outputs[0].data["text/plain"] == "1"
    assert bearing(context.mark) == frozenset()


STARTS = "import subprocess\nsubprocess.Popen(['sleep', '600'], start_new_session=True)"
WAITS = f"{STARTS}\nprint('here', flush=True)\nimport time\ntime.sleep(600)"


def test_a_notebook_that_is_cancelled_leaves_its_copy_and_no_process(tmp_path):
    written(tmp_path, "1", WAITS)

    async def called():
        cue = Cue("here")
        context = context_of(tmp_path, say=cue.say)
        task = asyncio.create_task(perform(NOTEBOOK, {"path": "job.ipynb"}, context))
        await cue.came.wait()
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled(), bearing(context.mark)

    assert done(called()) == (True, frozenset())
    kept = read(tmp_path / "job.run.ipynb").cells
    assert kept[0].outputs[0].data["text/plain"] == "1"


def test_a_notebook_whose_time_is_over_says_where_it_was(tmp_path):
    written(tmp_path, "import time", "time.sleep(600)")
    context = context_of(tmp_path)

    early = fields(NOTEBOOK, context, path="job.ipynb", timeout=0.1)
    assert early["error"] == "The notebook was stopped after 0.1 s, before its first cell."

    for seconds in (3, 12, 48):  # a kernel takes its time to start
        result = fields(NOTEBOOK, context, path="job.ipynb", timeout=seconds)
        if result["cells"]:
            break

    assert result == {
        "success": False,
        "error": f"The notebook was stopped after {seconds} s, in cell 2.",
        "timeout_occurred": True,
        "output": str(tmp_path / "job.run.ipynb"),
        "cells": 1,
    }
    assert bearing(context.mark) == frozenset()


def test_a_notebook_runs_in_its_own_folder(tmp_path):
    (tmp_path / "in").mkdir()
    written(tmp_path / "in", "import os\nos.path.basename(os.getcwd())")

    result = fields(NOTEBOOK, context_of(tmp_path), path="in/job.ipynb")

    assert result["result"] == "'in'"


REFUSED = [
    ({"path": "no.ipynb"}, "no.ipynb cannot be read: No such file or directory."),
    ({"path": "text.ipynb"}, "text.ipynb is no notebook ("),
    ({"path": "job.ipynb", "kernel": "no-such"}, "There is no kernel 'no-such' here. Name one as"),
    ({"path": "other.ipynb"}, "There is no kernel 'klingon' here. Name one as `kernel`."),
    ({"path": "job.ipynb", "output": "job.ipynb"}, "The executed copy would replace the notebook."),
    ({"path": "job.ipynb", "parameters": {"a b": 1}}, "'a b' cannot be a parameter: it is no name"),
    ({"path": "job.ipynb", "parameters": {"class": 1}}, "'class' cannot be a parameter"),
]


@pytest.mark.parametrize(("given", "said"), REFUSED)
def test_a_notebook_that_cannot_be_run_is_a_failure_that_says_why(tmp_path, given, said):
    written(tmp_path, "1")
    written(tmp_path, "1", name="other.ipynb", kernelspec={"name": "klingon", "display_name": "K"})
    (tmp_path / "text.ipynb").write_text("hello")

    result = fields(NOTEBOOK, context_of(tmp_path), **given)

    assert not result["success"]
    assert said in result["error"]


def test_without_nbclient_the_way_to_it_is_named(tmp_path, monkeypatch):
    written(tmp_path, "1")
    monkeypatch.setitem(sys.modules, "nbclient", None)

    result = fields(NOTEBOOK, context_of(tmp_path), path="job.ipynb")

    assert result == {
        "success": False,
        "error": "Notebooks are run by nbclient: `pip install nbclient`.",
    }
