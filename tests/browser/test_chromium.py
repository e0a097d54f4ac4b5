"""Where there is no Chromium and none can be got, the tests say how to get one."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from . import chromium


def playwright(program: Path) -> Any:
    """Playwright whose own Chromium would be there."""
    return SimpleNamespace(chromium=SimpleNamespace(executable_path=str(program)))


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[str, ...]]:
    """No program on the PATH, and no way to get one: what was tried instead."""
    commands: list[tuple[str, ...]] = []
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(chromium, "got", lambda *command: commands.append(command))
    return commands


def test_without_a_chromium_it_says_how_to_get_one(tried: list[tuple[str, ...]], tmp_path: Path):
    with pytest.raises(LookupError) as missing:
        chromium.chromium(playwright(tmp_path / "none"))

    assert str(missing.value) == chromium.MISSING
    assert [command[1:] for command in tried] == [("-m", "playwright", "install", "chromium")]


def test_the_one_that_playwright_brought_is_used(tried: list[tuple[str, ...]], tmp_path: Path):
    own = tmp_path / "own"
    own.touch()

    assert chromium.chromium(playwright(own)) == str(own)
    assert tried == []


def test_the_one_on_the_path_comes_first(tried: list[tuple[str, ...]], tmp_path: Path):
    there = tmp_path / "chromium"
    there.touch(mode=0o755)
    own = tmp_path / "own"
    own.touch()

    assert chromium.chromium(playwright(own)) == str(there)
    assert tried == []
