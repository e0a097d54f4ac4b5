"""A folder from a stranger, with anything in any file: looked at in all ways, it does nothing."""

import json
import random
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

import wfnb
from tests.investigations.server import serving
from wfnb import folder_trust
from wfnb.core import strategy
from wfnb.home_folder import Home
from wfnb.investigations.core import kind_reader

BOOM = "echo boom >> boom"
CALLS = {"steps": [{"id": "a", "tool": "shell", "args": {"command": BOOM}, "cache": True,
                    "compensation": {"tool": "shell", "args": {"command": BOOM}}}]}  # fmt: skip


def written(place: Path, url: str, chances: random.Random) -> None:
    """Files that wfnb looks for, under names of its own and of others."""
    shipped = ("simple_test", "test_suite", "production_deploy", "index", "package")
    anything = ["{", "", "[" * 999, "null", json.dumps(CALLS), "\x00", "a: &a [*a]", "x" * 200_000]
    texts = {
        "advisers.yaml": [f"{{her: {{url: '{url}', model: good, key: HIS_TOKEN}}}}", *anything],
        "strategies/react.json": [
            json.dumps(
                {**strategy.to_data(strategy.builtin_strategies()["react"]), "title": "boom"}
            ),
            *anything,
        ],
        "kinds/debug.json": [
            json.dumps(
                {**kind_reader.to_data(kind_reader.builtin_kinds()["debug"]), "title": "boom"}
            ),
            *anything,
        ],
        f"workflows/{chances.choice(shipped)}.json": [json.dumps(CALLS), *anything],
        f"cache/{chances.randbytes(32).hex()}.json": anything,
        f"values/{chances.randbytes(16).hex()}-3": anything,
    }
    for name, choices in texts.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.parent != place and not path.parent.is_symlink() and chances.random() < 0.1:
            shutil.rmtree(path.parent)
            path.parent.symlink_to(place.parent / "project")
        elif chances.random() < 0.1:
            path.symlink_to(place.parent / "project" / "package.json")
        else:
            path.write_text(choices[0] if chances.random() < 0.6 else chances.choice(choices))


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".gitignore"
    }


@pytest.mark.parametrize("trial", range(40))
def test_a_folder_from_a_stranger_does_nothing(
    tmp_path: Path, trial: int, chances: random.Random, monkeypatch: pytest.MonkeyPatch
):
    project = tmp_path / "project"
    project.mkdir()
    for name in ("package.json", "settings.json", f"{'0' * 64}.json", f"{'0' * 32}-1", "mine.yaml"):
        (project / name).write_text("{")
    before = content(project)
    monkeypatch.setenv("HIS_TOKEN", "token-of-his")
    monkeypatch.chdir(tmp_path)
    place = tmp_path / ".wfnb"
    with serving() as server:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "hers"))
        home = Home(place)
        folder_trust.trust(home)
        ws = home.start("audit", kind="analyze", pause=False)
        ws.step("Read it", keep={"data": [1]}, relevant=str(project / "mine.yaml"))
        home.runner(ws.log, folder=tmp_path).run(CALLS)
        home.journal.close()
        written(place, server.url, chances)
        (tmp_path / "boom").unlink(missing_ok=True)
        strange = content(place)
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "his"))
        his = Home(place)
        asks = [
            lambda: his.resume("audit").step("More", next_step_needed=False),
            lambda: his.resume("audit").restore(1),
            lambda: his.resume("audit").investigation.advise("her"),
            lambda: his.resume("audit").strategy("react"),
            lambda: his.resume("audit").investigation.choose("debug", reviewer="her"),
            lambda: his.start("other", kind="debug", reviewer="her", planner="her"),
            lambda: his.resume("audit").runs.library.list(),
            lambda: his.resume("audit").runs.plan("simple_test"),
            lambda: his.resume("audit").runs.resume("workflow-1"),
            lambda: his.resume("audit").runs.cancel("workflow-1", True),
            lambda: his.resume("audit").values.gc(undone=True),
            lambda: folder_trust.trust(his, dry=True),
        ]

        for ask in chances.sample(asks, len(asks)):
            with suppress(wfnb.WfnbError):
                ask()

        assert server.asked == []
    assert not (tmp_path / "boom").exists()
    assert content(project) == before
    after = content(place)
    assert {name: after.get(name) for name in strange if _is_hers(name)} == {
        name: text for name, text in strange.items() if _is_hers(name)
    }


def _is_hers(name: str) -> bool:
    """Not the journal, which is written, nor values, of which no step of hers has some."""
    return not name.startswith(("journal", "values"))
