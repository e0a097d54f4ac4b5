"""A variable of the environment that code names is read, and no other (rule 8)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import invalidate_caches
from pathlib import Path

import pytest

from tests.dataflow.kernel import Kernel

MODULE = "import os\ndef mode(): return os.getenv('MODE_', 'none')\n"
FUNCTION = "def f({}):\n    return {}\nprint(f({}))"
ASKS = {
    "an item": "print(os.environ['MODE_'])",
    "a variable that may not be there": "print(os.environ.get('MODE_'))",
    "a variable with a default": "print(os.getenv('MODE_', 'none'))",
    "whether it is there": "print('MODE_' in os.environ)",
    "an item in a function": FUNCTION.format("", "os.environ['MODE_']", ""),
    "a default in a function": FUNCTION.format("d", "os.environ.get('MODE_', d)", "1"),
    "whether it is there in a function": FUNCTION.format("", "'MODE_' not in os.environ", ""),
    "an import in it": "def f():\n    import os\n    return os.environ['MODE_']\nprint(f())",
    "a module": "print(envs_.mode())",
}
MAY_ASK_ANY = {
    "a name": "name = 'MODE_'\nprint(os.environ.get(name))",
    "a choice": FUNCTION.format("n", "os.environ[n or 'HOME']", "'MODE_'"),
    "another choice": FUNCTION.format("n", "os.environ['HOME' if n else 'MODE_']", "''"),
    "a function that is handed on": FUNCTION.format(
        "g, n", "g(os.getenv, 'HOME', n)", "h, 'MODE_'"
    ),
    "all": "print(os.environ.get('HOME'), dict(os.environ)['MODE_'])",
    "a process": "import subprocess\nprint(os.getenv('HOME'), subprocess.run(['true']).returncode)",
}


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    monkeypatch.setenv("WFNB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MODE_", "before")
    monkeypatch.setenv("OTHER_", "before")
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "envs_.py").write_text(MODULE)
    invalidate_caches()
    made = Kernel("environment")
    run(made, 1, "import os, envs_\ndef h(g, a, b): return g(b)")
    yield made
    made.stop()
    sys.modules.pop("envs_", None)


def run(kernel: Kernel, number: int, code: str) -> None:
    assert kernel.say(f"%%step {number} Cell\n{code}", f"cell-{number}") is None


def stale(kernel: Kernel) -> list[int]:
    return [step["number"] for step in kernel.marks() if step["stale"]]


@pytest.mark.parametrize("way", ASKS)
def test_who_names_a_variable_reads_that_one(kernel: Kernel, way: str):
    run(kernel, 3, ASKS[way])
    run(kernel, 4, "os.environ['OTHER_'] = 'x'")
    run(kernel, 3, ASKS[way])
    assert stale(kernel) == []

    run(kernel, 2, "os.environ['MODE_'] = 'after'")
    assert stale(kernel) == [3]

    run(kernel, 3, ASKS[way])
    run(kernel, 5, "os.environ['MODE_'] = 'at the end'")
    assert stale(kernel) == []
    run(kernel, 3, ASKS[way])
    assert stale(kernel) == [3]


@pytest.mark.parametrize("way", MAY_ASK_ANY)
def test_who_may_ask_for_any_variable_reads_all(kernel: Kernel, way: str):
    run(kernel, 2, MAY_ASK_ANY[way])

    run(kernel, 3, "os.environ['OTHER_'] = 'x'")
    assert stale(kernel) == []
    run(kernel, 2, MAY_ASK_ANY[way])

    assert stale(kernel) == [2]


def test_who_sets_a_variable_first_has_not_read_it(kernel: Kernel):
    code = "os.environ['MODE_'] = 'mine'\nprint(os.environ['MODE_'])"
    for _ in range(2):
        run(kernel, 2, code)
        run(kernel, 3, "os.environ['MODE_'] = 'another'")
    assert stale(kernel) == []

    code = "print(os.environ['MODE_'])\nos.environ['MODE_'] = 'mine'"
    run(kernel, 2, code)

    assert stale(kernel) == [2]
