"""Code of a run sets the names of the notebook, side by side and from within other code."""

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel
SESSION = "demo"
NESTED = """%%run_workflow outer --no-save
timeout: 30
steps:
  - id: calls
    tool: python
    args:
      code: |
        import wfnb
        r = 1
        a = {"tool": "python", "args": {"code": "r = 2", "arguments": {"k": 1}}}
        wfnb.open("demo").run({"name": "inner", "steps": [a]}, save=False).status
"""
LISTED = """%%run_workflow listed --no-save
steps:
  - id: each
    for_each: {items: [1, 2, 3, 4], max_parallel: 4}
    tool: python
    args: {code: "import time\\ntime.sleep(0.02)\\ni * i", arguments: {i: "{item}"}}
"""


def test_items_at_once_read_their_own_and_code_may_call_a_run(kernel: Kernel):
    kernel.ok(f"%wfnb start {SESSION}")
    kernel.ok(LISTED)
    kernel.ok(NESTED)

    shown = kernel.ok(
        f"import wfnb\nruns = wfnb.open({SESSION!r}).runs\n"
        "each = runs.result('listed-1').execution_log[0]['result']['results']\n"
        "outer = runs.result('outer-1').execution_log[0]['result']\n"
        "[one['result'] for one in each], outer['result']"
    )
    assert shown.value == "([1, 4, 9, 16], 'success')"
