"""Two kernels that write to one session as fast as they can."""

from collections import Counter

import pytest

from tests.amount import times
from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel

MANY = times(100, 1_000)
BY_MAGIC = """\
for n in range({many}):
    get_ipython().run_line_magic('step', f'--quiet {name} {{n}}')
    n % 50 or print(n)  # a sign of life
"""
BY_API = """\
import wfnb
ws = wfnb.open("demo")
answers = [ws.step(f'{name} {{n}}', branch={branch!r}) for n in range({many})]
len({{answer.step_number for answer in answers}})
"""


@pytest.fixture
def begun(pair: tuple[Kernel, Kernel]) -> tuple[Kernel, Kernel]:
    """With a step that is there before."""
    pair[0].ok("%step First")
    return pair


def run_at_once(kernels: tuple[Kernel, Kernel], codes: tuple[str, str]) -> None:
    requests = [kernel.send(code) for kernel, code in zip(kernels, codes, strict=True)]
    for kernel, request in zip(kernels, requests, strict=True):
        shown = [found["content"] for found in kernel.published(request)]
        assert kernel.reply(request)["status"] == "ok", shown


def test_by_magic_none_is_lost_and_no_number_is_given_twice(begun: tuple[Kernel, Kernel]):
    run_at_once(begun, (BY_MAGIC.format(many=MANY, name="a"), BY_MAGIC.format(many=MANY, name="b")))

    one, two = begun[0].history(), begun[1].history()
    assert one == two
    assert [step["number"] for step in one["steps"]] == list(range(1, 2 * MANY + 2))
    assert said(one, "main", "a") == [f"a {n}" for n in range(MANY)]
    assert said(one, "main", "b") == [f"b {n}" for n in range(MANY)]


@pytest.mark.parametrize(("a", "b"), [(None, None), ("alt", "beta"), ("alt", "alt")])
def test_by_api_none_is_lost_and_no_number_is_given_twice(
    begun: tuple[Kernel, Kernel], a: str | None, b: str | None
):
    many = MANY if a is None else MANY // 10

    run_at_once(
        begun,
        (
            BY_API.format(many=many, name="a", branch=a),
            BY_API.format(many=many, name="b", branch=b),
        ),
    )

    one, two = begun[0].history(), begun[1].history()
    assert one == two
    places = Counter((step["branch"], step["number"]) for step in one["steps"])
    assert (len(places), max(places.values())) == (2 * many + 1, 1)
    assert said(one, a or "main", "a") == [f"a {n}" for n in range(many)]
    assert said(one, b or "main", "b") == [f"b {n}" for n in range(many)]


def said(state: dict[str, list[dict[str, object]]], branch: str, name: str) -> list[object]:
    """What one kernel said on a line, in the order of its numbers."""
    return [
        step["description"]
        for step in sorted(state["steps"], key=lambda step: step["number"])
        if step["branch"] == branch and str(step["description"]).startswith(f"{name} ")
    ]
