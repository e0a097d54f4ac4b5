"""A secret that code of a workflow is given is no name of the notebook after the call."""

import json

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel

SECRET = "a very long word, 0123456789"
CODES = {
    "one that returns": "len(t)",
    "one that fails": "raise ValueError(t)",
    "one that awaits": "import asyncio\nawait asyncio.sleep(0)",
}
ARGUMENTS = {
    "alone": "{token}",
    "in a text": "Bearer {token}",
    "in a list": ["a", "{token}"],
    "in a mapping": {"key": ["{token}"]},
}


def run(kernel: Kernel, code: str, **arguments: object) -> None:
    body = json.dumps(
        {
            "variables": {"token": {"secret": True}},
            "steps": [{"tool": "python", "args": {"code": code, "arguments": arguments}}],
        }
    )
    kernel.run(f"%%run_workflow names --no-save --secret token=TOKEN\n{body}")


@pytest.fixture(autouse=True)
def session(kernel: Kernel, request: pytest.FixtureRequest):
    kernel.ok(f"%wfnb start {abs(hash(request.node.name))}x")
    kernel.ok(f"import os; os.environ['TOKEN'] = {SECRET!r}")
    yield
    kernel.ok("del os.environ['TOKEN']")


@pytest.mark.parametrize("code", CODES.values(), ids=CODES)
@pytest.mark.parametrize("given", ARGUMENTS.values(), ids=ARGUMENTS)
def test_it_is_there_for_the_call_alone(kernel: Kernel, code: str, given: object):
    kernel.ok("t = 'mine'")

    run(kernel, code, t=given, u=given, plain=3)

    assert kernel.ok("(t, 'u' in globals(), plain)").value == "('mine', False, 3)"
    kernel.ok("del t, plain")


def test_a_step_that_runs_it_keeps_and_tells_nothing_of_it(kernel: Kernel):
    kernel.ok(
        "%%workflow names2\nvariables: {token: {secret: true}}\nsteps:\n"
        "  - {tool: python, args: {code: len(t), arguments: {t: '{token}'}}}"
    )
    ran = kernel.ok(
        "%%step Run --keep all --value t\nn = 1\n%run_workflow names2 --secret token=TOKEN"
    )

    assert ran.answer["kept"]["names"] == ["n"]
    assert ran.answer["values"] == {"t": None}


def test_what_code_makes_of_it_is_its_own(kernel: Kernel):
    run(kernel, "t = len(t)", t="{token}")

    assert kernel.ok("t").value == str(len(SECRET))
    kernel.ok("del t")
