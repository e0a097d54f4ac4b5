"""The extension goes in once, and out without a trace."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel, running

pytestmark = pytest.mark.kernel

PARTS = """\
def parts():
    shell = get_ipython()
    manager = shell.magics_manager
    return [
        sorted(manager.magics["line"]),
        sorted(manager.magics["cell"]),
        sorted(manager.registry),
        [type(found).__name__ for found in shell.configurables],
        [repr(found) for found in shell.input_transformers_cleanup],
        [repr(found) for found in shell.input_transformers_post],
        [repr(found) for found in shell.input_transformer_manager.cleanup_transforms],
        [repr(found) for found in shell.input_transformer_manager.line_transforms],
        [repr(found) for found in shell.input_transformer_manager.token_transformers],
        {name: len(hooks) for name, hooks in shell.events.callbacks.items()},
        [repr(found) for found in shell.Completer.custom_matchers],
        {name: repr(hook) for name, hook in shell.hooks.items() if not name.startswith("_")},
        [name for name in sorted(shell.user_ns) if name[0] != "_" and name != "before"],
    ]
"""


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Kernel]:
    """A kernel whose extensions nobody else has touched."""
    with running(tmp_path / "kernel") as kernel:
        yield kernel


def test_loading_again_doubles_nothing_and_keeps_the_session(own: Kernel):
    own.ok(PARTS)
    own.ok("%wfnb start demo")
    own.ok("%step One")
    own.ok("before = [len(part) for part in parts()]")

    own.ok("%load_ext wfnb")
    own.ok("%reload_ext wfnb")
    own.ok("%reload_ext wfnb")

    assert own.ok("[len(part) for part in parts()] == before").value == "True"
    ran = own.ok("%%step Two\n1")
    assert ran.kinds == ["execute_result", "display_data"]
    assert own.status()["session"] == "demo"
    assert own.steps("number", "attempts") == [(1, 1), (2, 1)]


@pytest.mark.parametrize("verb", ["reload_ext", "unload_ext"])
def test_a_step_that_unloads_it_ends_there(own: Kernel, verb: str):
    ran = own.ok(f"%%step One\n%{verb} wfnb\n5")
    own.ok("%load_ext wfnb")
    own.ok("%step Two")

    assert ran.value == "5"
    assert ran.answer["outcome"] == "unknown"
    assert own.steps("description", "outcome") == [("One", "unknown"), ("Two", "ok")]


def test_unloading_leaves_everything_as_it_was(own: Kernel):
    own.ok("%unload_ext wfnb")
    own.ok(PARTS)
    own.ok("before = parts()")
    own.ok("%load_ext wfnb")
    assert own.ok("parts() == before").value == "False"

    own.ok("%unload_ext wfnb")

    assert own.ok("parts() == before").value == "True"
    assert "`%%step` not found" in own.run("%%step One\n1").stderr
    assert own.ok("1").value == "1"


def test_what_was_in_use_before_unloading_goes_on(own: Kernel):
    own.ok("%wfnb start demo")
    own.ok("%step One")

    own.ok("%unload_ext wfnb")
    own.ok("%load_ext wfnb")
    own.ok("%step Two")

    assert own.status()["session"] == "demo"
    assert own.steps("number") == [1, 2]


def test_a_cell_that_loads_it_can_hold_a_step(own: Kernel):
    own.ok("%unload_ext wfnb")

    ran = own.run("%load_ext wfnb\n%step One\n1/0", "a")

    assert ran.answer["outcome"] == "failed"
    assert own.steps("number", "description", "cell_id") == [(1, "One", "a")]
