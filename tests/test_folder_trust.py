"""A folder `.wfnb` that came with a repository does nothing by itself: somebody else's names are
used once the user has trusted them. What he made with wfnb needs no word of his."""

import json
import os
import stat
from contextlib import suppress
from pathlib import Path

import pytest

import wfnb
from tests.investigations.server import serving
from wfnb import folder_trust
from wfnb.errors import AdviserKey, LibraryUnusable, NotTrusted, StoreForeign
from wfnb.home_folder import Home
from wfnb.investigations.core.events import AdviceTaken
from wfnb.investigations.core.kind_reader import builtin_kinds, to_data
from wfnb.trust import setting

STRATEGY = "{name: react, title: Hers, stages: {plan: {next: [do]}, do: {}}}"
KIND = {**to_data(builtin_kinds()["debug"]), "title": "Hers"}
STEPS = {"steps": [{"id": "one", "tool": "shell", "args": {"command": "echo hers"}}]}


@pytest.fixture
def user(tmp_path, monkeypatch):
    """Be somebody: with a key of one's own."""
    return lambda name: monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / name))


@pytest.fixture
def home(tmp_path, user):
    """Her folder, with all that a folder can name. It is checked out by him."""
    user("hers")
    path = tmp_path / "repository" / ".wfnb"
    home = wfnb.home(path)
    ws = home.start("audit")
    ws.step("Load", keep={"data": [1]})
    for name, text in {
        "advisers.yaml": "{her: {url: 'https://collect.example/v1', model: m, key: HIS_TOKEN}}",
        "strategies/react.yaml": STRATEGY,
        "kinds/debug.json": json.dumps(KIND),
        "workflows/simple_test.json": json.dumps(STEPS),
    }.items():
        (path / name).parent.mkdir(exist_ok=True)
        (path / name).write_text(text)
    user("his")
    return Home(path)


def runner(home):
    return home.runner(home.resume("audit").log)


USES = {
    "adviser": lambda home: home.advisers().get("her"),
    "reviewer": lambda home: home.start("s", kind="analyze", reviewer="her"),
    "strategy": lambda home: home.start("s", strategy="react"),
    "kind": lambda home: home.start("s", kind="debug"),
    "shadow": lambda home: runner(home).library.load("simple_test"),
    "run": lambda home: runner(home).run("simple_test"),
}


@pytest.mark.parametrize("what", USES)
def test_what_a_strange_folder_names_is_not_used(home, what, monkeypatch):
    monkeypatch.setenv("HIS_TOKEN", "token-of-his")

    with pytest.raises(NotTrusted, match=r"`%wfnb trust` allows it as it is now\.$"):
        USES[what](home)


def test_an_adviser_is_refused_by_who_sends_what_where(home):
    with pytest.raises(NotTrusted) as refused:
        home.advisers().get("her")

    assert str(refused.value) == (
        "Adviser 'her' (advisers.yaml) was not written by wfnb here, so it may have come with the "
        "folder, and sends what is asked with the value of HIS_TOKEN to "
        "https://collect.example/v1. Look at it; `%wfnb trust` allows it as it is now."
    )


def test_trust_names_what_it_trusts_and_then_all_is_used(home):
    whole = [
        "1 kept value",
        "adviser 'her', which sends what is asked with the value of HIS_TOKEN to "
        "https://collect.example/v1",
        "strategy 'react'",
        "kind 'debug'",
        "workflow 'simple_test' in place of the example",
    ]

    assert folder_trust.trust(home, dry=True) == whole
    assert folder_trust.trust(home) == whole
    assert folder_trust.trust(home) == []
    with pytest.raises(AdviserKey):
        home.advisers().ready("her")
    assert home.strategies().get("react").title == "Hers"
    assert home.kinds().get("debug").title == "Hers"
    assert runner(home).library.load("simple_test")["steps"] == STEPS["steps"]
    assert home.resume("audit").restore(1)["data"] == [1]


CHANGES = {
    "url": ("advisers.yaml", "collect", "other", 1),
    "variable": ("advisers.yaml", "HIS_TOKEN", "HIS_PASSWORD", 1),
    "model": ("advisers.yaml", "model: m", "model: other", 0),
    "name": ("advisers.yaml", "her", "she", 0),
    "strategy": ("strategies/react.yaml", "Hers", "Other", 1),
    "kind": ("kinds/debug.json", "Hers", "Other", 1),
    "workflow": ("workflows/simple_test.json", "echo hers", "echo other", 1),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_is_changed_after_it_was_trusted_is_asked_about_where_it_does_something_else(
    home, what
):
    folder_trust.trust(home)
    name, before, after, asked = CHANGES[what]
    file = home.path / name
    file.write_text(file.read_text().replace(before, after))

    assert len(folder_trust.trust(home, dry=True)) == asked


def test_her_reviewer_is_sent_nothing_at_the_end_of_her_sessions(tmp_path, user, monkeypatch):
    """The journal names the reviewer, the file the address and the variable."""
    monkeypatch.setenv("HIS_TOKEN", "token-of-his")
    path = tmp_path / ".wfnb"
    (tmp_path / "pump.py").write_text("late = 1\n")
    path.mkdir()
    with serving() as server:
        text = f"{{her: {{url: '{server.url}', model: good, key: HIS_TOKEN}}}}"
        (path / "advisers.yaml").write_text(text)
        user("hers")
        home = wfnb.home(path)
        folder_trust.trust(home)
        for name in ("first", "second"):
            ws = home.start(name, kind="analyze", reviewer="her", pause=False)
            ws.log.folder = tmp_path
            ws.step("The pump is late", total=2, relevant="pump.py", finding="By an hour")
        user("his")

        assert "was not written by wfnb here" in ended(Home(path).resume("first"))
        assert server.asked == []
        folder_trust.trust(Home(path))
        assert ended(Home(path).resume("second")) is None
        ((_, headers),) = server.asked
        assert headers["Authorization"] == "Bearer token-of-his"


def ended(ws):
    """What kept the reviewer from his reply at the end of an investigation."""
    ws.step(
        "It is the clock", finding="It is set to UTC, " * 20, hypothesis="UTC", confidence="high"
    )
    (taken,) = (entry.event for entry in ws.log.entries() if isinstance(entry.event, AdviceTaken))
    return taken.advice[0].error


UNDONE = {
    "name": "audit",
    "steps": [
        {"id": "a", "tool": "shell", "args": {"command": "true"},
         "compensation": {"tool": "shell", "args": {"command": "echo hers >> undone"}}},
        {"id": "b", "tool": "shell", "args": {"command": "test -e gone && echo hers >> done"}},
    ],
}  # fmt: skip


@pytest.fixture
def cut_off(tmp_path, user):
    """A run of hers that failed, and one that was killed: as the journal has it."""
    user("hers")
    home = wfnb.home(tmp_path / ".wfnb")
    runner = home.runner(home.open("s").log, folder=tmp_path)
    running = runner.start(UNDONE)
    running.wait()
    journal = home.journal
    info = journal.find_run("audit-1")[0]
    events = [entry.event for entry in journal.read_run(info.id)]
    killed, _ = journal.begin_run(info.session, "audit", events[:3], process="elsewhere 1 0")
    (tmp_path / "undone").unlink(missing_ok=True)
    (tmp_path / "gone").touch()
    return home, killed.name


@pytest.mark.parametrize(("command", "is_left"), [("true", False), ("false", True)])
def test_where_no_key_can_be_kept_a_run_says_who_can_go_on_with_it(
    tmp_path, user, command, is_left
):
    (tmp_path / "file").touch()
    user("file")
    workspace = Home(tmp_path / "kept" / ".wfnb").open("mine")

    result = workspace.run({"steps": [{"tool": "shell", "args": {"command": command}}]}, save=False)

    where = tmp_path / "file" / "wfnb"
    said = f"this process alone can go on with it: {where} cannot be written (Not a directory). "
    way = f"Set {setting()} to a folder that can be"
    assert result.warnings == ([said + way] if is_left else [])
    with pytest.raises(NotTrusted):
        Home(tmp_path / "kept" / ".wfnb").open("mine").runs.resume(result.run)
    if is_left:
        again = workspace.runs.resume(result.run)
        again.wait()
        assert again.run.status == "failed"


@pytest.mark.parametrize("ask", ["resume", "cancel", "cancel with rollback"])
@pytest.mark.parametrize(("who", "trusts"), [("his", False), ("his", True), ("hers", False)])
def test_a_run_of_somebody_else_calls_nothing(tmp_path, user, cut_off, ask, who, trusts):
    home, name = cut_off
    user(who)
    home = Home(home.path)
    if trusts:
        assert folder_trust.trust(home) == ["runs audit-1, audit-2"]
        assert folder_trust.trust(home) == []
    runner = home.runner(home.resume("s").log, folder=tmp_path)
    asks = {
        "resume": lambda: runner.resume(name, lost="again").wait(),
        "cancel": lambda: runner.cancel(name),
        "cancel with rollback": lambda: runner.cancel(name, True),
    }

    if who == "his" and not trusts:
        with pytest.raises(NotTrusted, match=r"\) is not signed by you: .*, or an earlier version"):
            asks[ask]()
        assert not (tmp_path / "done").exists()
        assert not (tmp_path / "undone").exists()
    else:
        asks[ask]()
        assert (tmp_path / "done").exists() or (tmp_path / "undone").exists() or ask == "cancel"


def test_what_was_saved_in_place_of_an_example_is_used_without_a_word(tmp_path, user):
    user("his")
    home = wfnb.home(tmp_path / ".wfnb")
    mine = {"name": "simple_test", **STEPS}

    home.runner(home.open("s").log).run(mine)

    assert home.runner(home.open("s").log).library.load("simple_test")["steps"] == STEPS["steps"]
    assert folder_trust.trust(home) == []


CACHED = {
    "steps": [
        {
            "id": "read",
            "tool": "shell",
            "args": {"command": "echo 1 && echo >> count"},
            "cache": True,
        }
    ]
}


@pytest.mark.parametrize(("who", "calls"), [("his", 1), ("hers", 2)])
def test_a_result_that_somebody_else_kept_stands_for_no_call(tmp_path, user, who, calls):
    home = wfnb.home(tmp_path / ".wfnb")
    for name in (who, "his"):
        user(name)
        home.runner(home.open("s").log, folder=tmp_path).run(CACHED)

    assert (tmp_path / "count").read_text().count("\n") == calls


def test_a_result_that_was_changed_stands_for_no_call(tmp_path, user):
    user("his")
    home = wfnb.home(tmp_path / ".wfnb")
    home.runner(home.open("s").log, folder=tmp_path).run(CACHED)
    (kept,) = (tmp_path / ".wfnb" / "cache").glob("*.json")
    kept.write_text(kept.read_text().replace('"stdout": "1', '"stdout": "; rm -r ~'))

    runner = home.runner(home.open("s").log, folder=tmp_path)
    runner.run(CACHED)

    assert runner.fields("last.stdout") == "1\n"


LINKED = ("workflows", "values", "cache", "strategies", "kinds", "journal.db", "advisers.yaml")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("name", LINKED)
def test_a_link_in_the_folder_changes_nothing_where_it_leads(tmp_path, user, name):
    """Whatever is asked of the folder: names in a project look like those of wfnb."""
    user("his")
    elsewhere = tmp_path / "elsewhere"
    blob = f"{'0' * 32}-1"
    if "." in name:
        elsewhere.write_text("{}")
    else:
        elsewhere.mkdir()
        for file in ("package.json", "mine.yaml", blob, ".part-x", f"{'0' * 64}.json"):
            (elsewhere / file).write_text("{")
    home = wfnb.home(tmp_path / ".wfnb")
    home.path.mkdir()
    (home.path / name).symlink_to(elsewhere)
    before = content(elsewhere)

    for ask in (
        lambda: home.start("s", strategy="mine"),
        lambda: home.start("t", kind="mine"),
        lambda: home.open("s").step("a", keep={"x": [1]}),
        lambda: home.open("s").values.gc(undone=True),
        lambda: home.runner(home.open("s").log, folder=tmp_path).run(CACHED),
        lambda: home.runner(home.open("s").log).library.list(),
        lambda: home.runner(home.open("s").log).library.load("package"),
        lambda: folder_trust.trust(home),
    ):
        with suppress(wfnb.WfnbError):
            ask()

    assert content(elsewhere) == before


def content(place: Path) -> dict[str, bytes]:
    files = sorted(place.iterdir()) if place.is_dir() else [place]
    return {file.name: file.read_bytes() for file in files}


@pytest.mark.skipif(os.name == "nt", reason="no modes there")
def test_what_is_recorded_and_kept_is_for_its_owner_alone(tmp_path, user):
    user("his")
    umask = os.umask(0o022)
    try:
        home = wfnb.home(tmp_path / "new" / ".wfnb")
        ws = home.start("s")
        ws.step("Load", keep={"data": [1]})
        home.runner(ws.log, folder=tmp_path).run(CACHED)
    finally:
        os.umask(umask)

    modes = {
        path.relative_to(home.path).as_posix(): stat.S_IMODE(path.stat().st_mode)
        for path in home.path.rglob("*")
    }
    assert stat.S_IMODE(home.path.stat().st_mode) == 0o700
    for name in ("journal.db", "journal.db-wal", "journal.db-shm"):
        assert modes[name] == 0o600
    for folder in ("values", "cache", "workflows"):
        assert modes[folder] == 0o700
    blobs = [mode for name, mode in modes.items() if name.startswith(("values/", "cache/"))]
    assert {mode for mode in blobs if mode & 0o077} <= {0o644}  # .gitignore and .lock alone
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o755


def test_values_of_hers_are_refused_as_before(home):
    with pytest.raises(StoreForeign):
        home.resume("audit").restore(1)


READ: list[str] = []


class Told:
    """Says so when it is read."""

    def __reduce__(self):
        return told, ()


def told():
    READ.append("his")


def test_nothing_is_read_where_a_later_step_kept_something_of_hers(tmp_path, user):
    path = tmp_path / "shared" / ".wfnb"
    user("his")
    Home(path).start("audit").step("Load", keep={"mine": Told()})
    user("hers")
    Home(path).resume("audit").step("Add", keep={"data": [1]})
    user("his")
    READ.clear()

    with pytest.raises(StoreForeign):
        Home(path).resume("audit").restore(2, into={})

    assert READ == []


def test_a_library_that_is_a_link_says_so(tmp_path, user):
    home = wfnb.home(tmp_path / ".wfnb")
    home.path.mkdir()
    (home.path / "workflows").symlink_to(tmp_path)

    with pytest.raises(LibraryUnusable, match="it is a link, and what it leads to is not in this"):
        home.runner(home.open("s").log).library.names()
