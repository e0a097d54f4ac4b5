"""Tools are found by name: built in, registered here, or of an installed package."""

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from wfnb.errors import BadValue, ToolBroken, ToolBuiltIn, ToolUnknown
from wfnb.workflows.tools import registry
from wfnb.workflows.tools.registry import Registry, builtin_tools, tool
from wfnb.workflows.tools.sleep import SLEEP
from wfnb.workflows.tools.tool import Tool, tool_of


def points(**values):
    return [EntryPoint(name, value, registry.GROUP) for name, value in values.items()]


def of(*offered):
    return Registry(lambda: {"sleep": SLEEP}, lambda: offered)


def ring(bell: str = "b") -> None:
    """Ring."""


def knock() -> None:
    """Knock."""


KNOCK = tool_of(knock)
SEVERAL = (tool_of(ring), knock)
TAKEN = tool_of(ring, name="sleep")


def test_a_registered_tool_is_found_beside_the_built_in_ones():
    tools = of()

    tools.register(tool_of(ring))
    tools.register(KNOCK)

    assert tools.names() == ("sleep", "knock", "ring")
    assert tools.get("ring").call is ring
    assert tools.get("sleep") is SLEEP
    assert tools.tools() == (SLEEP, KNOCK, tools.get("ring"))


def test_a_cell_that_runs_again_replaces_its_tool():
    tools = of()

    tools.register(tool_of(knock, name="ring"))
    tools.register(tool_of(ring))

    assert tools.get("ring").call is ring


def test_the_name_of_a_built_in_tool_cannot_be_taken():
    with pytest.raises(ToolBuiltIn) as refused:
        of().register(TAKEN)

    assert str(refused.value) == (
        "'sleep' is a built-in tool. Name yours otherwise: `@wfnb.tool(name=…)`."
    )


def test_a_tool_that_is_not_there_is_refused_with_those_there_are():
    tools = of()
    tools.register(KNOCK)

    with pytest.raises(ToolUnknown) as refused:
        tools.get("sleeep")

    assert str(refused.value) == (
        "No tool is called 'sleeep'. Did you mean 'sleep'? Tools: sleep, knock."
    )


def test_installed_packages_offer_functions_tools_and_several_of_them():
    here = __name__
    tools = of(*points(gong=f"{here}:ring", some=f"{here}:SEVERAL", one=f"{here}:KNOCK"))

    assert tools.names() == ("sleep", "gong", "knock", "ring")
    assert tools.get("gong").call is ring
    assert tools.broken_tools() == {f"some = {here}:SEVERAL": "the name 'knock' is taken"}


def test_a_package_that_is_broken_is_named_and_harms_nobody():
    here = __name__
    offered = points(
        a="no.such.module:x", b=f"{here}:nothing", c=f"{here}:TAKEN", d=f"{here}:knock"
    )

    tools = of(*offered)

    assert tools.names() == ("sleep", "d")
    assert tools.broken_tools() == {
        "a = no.such.module:x": "ModuleNotFoundError: No module named 'no'",
        f"b = {here}:nothing": f"AttributeError: module '{here}' has no attribute 'nothing'",
        f"c = {here}:TAKEN": "the name 'sleep' is taken",
    }


def test_packages_are_not_loaded_for_a_name_that_is_known():
    def never():
        raise AssertionError("it was known")

    tools = Registry(lambda: {"sleep": SLEEP}, never)
    tools.register(KNOCK)

    assert (tools.get("sleep"), tools.get("knock")) == (SLEEP, KNOCK)


def test_a_tool_of_a_cell_comes_before_that_of_a_package():
    tools = of(*points(knock=f"{__name__}:ring"))

    tools.register(KNOCK)

    assert tools.get("knock").call is knock
    assert tools.names() == ("sleep", "knock")


@pytest.fixture
def fresh(monkeypatch):
    fresh = of()
    monkeypatch.setattr(registry, "REGISTRY", fresh)
    return fresh


def test_the_decorator_registers_the_function_and_returns_it_as_it_was(fresh):
    @tool
    def add(a: int, b: int = 1) -> int:
        return a + b

    @tool(name="ns.sub", idempotent=True, timeout=None, results=["difference"])
    def subtract(a: int, b: int):
        return {"difference": a - b}

    assert (add(1), subtract(3, 1)) == (2, {"difference": 2})
    assert fresh.names() == ("sleep", "add", "ns.sub")
    assert add.tool is fresh.get("add")
    facts = subtract.tool
    assert (facts.idempotent, facts.patience, facts.results) == (
        True,
        None,
        ("success", "difference", "error", "error_type"),
    )


async def ferry() -> None:
    """Cross the river."""


@pytest.mark.parametrize("grace", [5, 0.5, None])
def test_the_decorator_says_how_long_a_coroutine_may_take_to_end(fresh, grace):
    assert tool(grace=grace)(ferry).tool.grace == grace


NO_TIMES = [0, -1, float("nan"), float("inf"), True, "5"]


@pytest.mark.parametrize("timeout", NO_TIMES)
def test_a_timeout_is_a_number_of_seconds_above_nothing_or_none(fresh, timeout):
    said = f"timeout is '{timeout}'. It needs a number of seconds above 0, or None."
    with pytest.raises(BadValue) as refused:
        tool(timeout=timeout)(knock)
    assert (str(refused.value), fresh.names()) == (said, ("sleep",))
    with pytest.raises(BadValue) as refused:
        tool(timeout=lambda params: timeout)(knock).tool.seconds({})
    assert str(refused.value) == said


def test_results_are_a_list_of_names_and_not_the_letters_of_one(fresh):
    with pytest.raises(BadValue, match="It needs a list of names"):
        tool(results="rows")(knock)


def test_a_method_of_an_object_can_be_a_tool(fresh):
    assert tool(name="upper")("a b".title)() == "A B"
    assert fresh.get("upper").call() == "A B"


@pytest.mark.parametrize("grace", NO_TIMES)
def test_a_grace_is_a_number_of_seconds_above_nothing_or_none(fresh, grace):
    with pytest.raises(BadValue) as refused:
        tool(grace=grace)

    assert str(refused.value) == (
        f"grace is '{grace}'. It needs a number of seconds above 0, or None."
    )


def test_a_function_in_a_thread_has_no_grace(fresh):
    with pytest.raises(ToolBroken) as refused:
        tool(grace=5)(knock)

    assert str(refused.value) == (
        "'knock' cannot be a tool: only a coroutine function (`async def`) has a `grace`."
    )
    assert fresh.names() == ("sleep",)


def test_every_built_in_tool_explains_itself_and_its_parameters():
    names = tuple(builtin_tools())

    assert names == (
        "open_terminal",
        "send_input",
        "await_output",
        "get_screen_content",
        "resize_terminal",
        "list_terminal_sessions",
        "exit_terminal",
        "run_workflow",
        "shell",
        "python",
        "notebook",
        "read",
        "ask",
        "sleep",
        "wait_until",
        "watch",
    )
    for name, one in builtin_tools().items():
        assert isinstance(one, Tool)
        assert one.name == name
        assert one.says.endswith("."), name
        assert one.parameters["additionalProperties"] is False
        for parameter, facts in one.parameters["properties"].items():
            assert facts.get("description"), f"{name}.{parameter}"


def test_importing_the_registry_loads_nothing_heavy():
    code = (
        "import sys, wfnb.workflows.tools.registry; "
        "print(sorted({'jsonschema', 'nbformat', 'nbclient', 'jupyter_client', 'IPython', 'numpy', "
        "'pexpect', 'cloudpickle', 'zmq'} & {*sys.modules}))"
    )

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stdout == "[]\n"
