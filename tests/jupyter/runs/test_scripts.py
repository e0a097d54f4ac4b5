"""Names of any script in a notebook: defined, run, completed, shown, set, undone."""

import pytest

from tests.jupyter.kernel import Kernel
from tests.jupyter.runs.workflows import came_to

pytestmark = pytest.mark.kernel

STOCK = """%%workflow 库存盘点
variables: {größe: 2}
steps:
- {id: 检查, tool: shell, args: {command: "echo 数量 {größe!q}"}, capture: "数量 (?P<数量>[0-9]+)"}
- {id: जाँच, when: 检查.exit_code == 0 and größe > 2, tool: python, args: {
    code: "größe = int(n) * 2; größe", arguments: {n: "{数量}"}}}
"""


def test_a_workflow_of_any_script_is_used_as_any_other(kernel: Kernel):
    kernel.ok("%wfnb start stock")
    saved = kernel.ok(STOCK)
    run = kernel.ok("%run_workflow 库存盘点 --var größe=3")

    assert "workflow '库存盘点' saved · `%run_workflow 库存盘点` runs it" in came_to(saved)
    assert came_to(run).splitlines() == [
        "库存盘点-1 · ✓ success · 2 steps",
        "   action  tool    state  attempts  note",
        "1  检查    shell   ✓ ok   1         数量 3",
        "2  जाँच     python  ✓ ok   1         6",
    ]
    assert kernel.ok("größe").value == "6"
    assert kernel.ok("%wfnb show 库存盘点-1").text.startswith("库存盘点-1 · ✓ success · 2 steps")
    assert kernel.complete("%run_workflow 库") == ["库存盘点"]
    assert kernel.complete("%run_workflow --resume 库") == ["库存盘点-1"]

    kernel.ok("%%step Count --set count=@库存盘点-1.result\npass")
    assert kernel.history()["steps"][0]["fields"] == {"count": 6}


@pytest.mark.parametrize(
    ("line", "needs"),
    [
        ("%run_workflow gro\u0308ße", "workflow_name is 'gro\u0308ße'. It needs its normal form"),
        (
            "%run_workflow 库存盘点 --var ｎ=1",
            "a variable's name is 'ｎ'. It needs its normal form",
        ),
        (
            "%run_workflow 库→",
            "workflow_name is '库→'. It needs up to 64 letters, digits, _ and -, ",
        ),
    ],
)
def test_what_is_no_name_is_refused_in_a_line(kernel: Kernel, line: str, needs: str):
    kernel.ok(STOCK)

    assert needs in kernel.run(line).refusal
