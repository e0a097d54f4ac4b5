"""Sessions in a folder: opened, started, resumed, archived, listed."""

import gc
from pathlib import Path

import psutil
import pytest

import wfnb
from wfnb.core.events import Cell
from wfnb.errors import (
    BadText,
    BadValue,
    BranchUnknown,
    JournalError,
    SessionExists,
    SessionUnknown,
    StrategyBroken,
    StrategyUnknown,
)


@pytest.fixture
def home(tmp_path):
    return wfnb.home(tmp_path / ".wfnb")


def names(home):
    return [(info.name, info.archived) for info in home.sessions()]


def test_a_session_is_opened_or_made_if_new(tmp_path):
    first = wfnb.open("drift", home_folder=tmp_path)
    first.step("a")

    again = wfnb.open("drift", home_folder=tmp_path)

    assert again.session == first.session
    assert again.log.id == first.log.id


def test_nothing_is_written_before_the_first_session_starts(home, tmp_path):
    assert home.sessions() == []
    assert home.strategies().get("react").name == "react"
    with pytest.raises(SessionUnknown):
        home.resume("drift")

    assert list(tmp_path.iterdir()) == []


def test_the_folder_is_wfnb_home_or_beside_where_the_process_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WFNB_HOME", raising=False)
    assert wfnb.home().path == tmp_path / ".wfnb"

    monkeypatch.setenv("WFNB_HOME", str(tmp_path / "elsewhere"))
    assert wfnb.home().path == tmp_path / "elsewhere"
    assert wfnb.home(tmp_path / "told").path == tmp_path / "told"


def test_a_named_folder_may_be_below_ones_own_or_a_link(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")

    for name in ("~/real", str(tmp_path / "link"), "~/link"):
        monkeypatch.setenv("WFNB_HOME", name)
        assert wfnb.home() is wfnb.home(tmp_path / "real")
        assert wfnb.open("one") is not None
    assert wfnb.home("~nobody/x").path.name == "x"


def test_a_folder_of_wfnb_that_is_a_link_is_not_followed(tmp_path, monkeypatch):
    (tmp_path / "real").mkdir()
    (tmp_path / ".wfnb").symlink_to("real")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WFNB_HOME", raising=False)

    with pytest.raises(JournalError, match="it is a link"):
        wfnb.open("one")


def test_there_is_one_home_for_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert wfnb.home(tmp_path / "a") is wfnb.home("a") is not wfnb.home("b")


def test_a_session_that_nobody_has_is_closed(tmp_path):
    def open_files():
        found = {Path(each.path) for each in psutil.Process().open_files()}
        return {path.name for path in found if path.is_relative_to(tmp_path)}

    ws = wfnb.open("drift", home_folder=tmp_path / ".wfnb")
    ws.step("Load the readings")
    assert "journal.db" in open_files()

    del ws
    gc.collect()

    assert open_files() == set()
    assert wfnb.open("drift", home_folder=tmp_path / ".wfnb").session.steps


def test_a_session_without_a_name_is_called_notebook(tmp_path):
    assert wfnb.open(home_folder=tmp_path).session.name == "notebook"


def test_a_name_that_is_taken_is_refused_with_the_ways_on(home):
    home.start("drift").step("a")

    with pytest.raises(SessionExists) as refused:
        home.start("drift")

    assert str(refused.value) == (
        "Session 'drift' exists, with 1 step. `%wfnb open drift` goes on with it, "
        "each time that it runs; `%wfnb start drift --fresh` archives it and starts anew."
    )
    assert names(home) == [("drift", False)]


def test_a_fresh_start_archives_the_old_session_which_can_be_resumed(home):
    home.start("drift").step("old")
    home.start("drift", fresh=True).step("new")
    home.start("drift", fresh=True)

    assert names(home) == [("drift~1", True), ("drift~2", True), ("drift", False)]
    assert home.resume("drift~1").log.find(1).current.description == "old"
    assert home.resume("drift").status()["steps"] == []


def test_a_fresh_start_of_a_new_name_is_a_start(home):
    home.start("drift", fresh=True)

    assert names(home) == [("drift", False)]


def test_an_archived_session_goes_on_where_it_is_open(home):
    old = home.start("drift")
    home.start("drift", fresh=True)

    assert old.step("still here").step_number == 1


def test_a_scratch_session_is_kept_in_memory_only(home, tmp_path):
    ws = home.start("drift", scratch=True)
    ws.step("a")

    assert ws.undo() == "step 1 added: a"
    assert list(tmp_path.iterdir()) == []
    assert wfnb.open("drift", home_folder=tmp_path / ".wfnb", scratch=True).status()["steps"] == []


def test_a_scratch_session_may_have_the_name_of_one_that_is_kept(home):
    home.start("drift").step("kept")

    assert home.start("drift", scratch=True).step("scratch").step_number == 1
    assert home.resume("drift").log.find(1).current.description == "kept"


def test_a_session_that_is_not_there_is_refused_with_those_there_are(home):
    home.start("drift")
    home.start("churn")
    home.start("churn", fresh=True)

    with pytest.raises(SessionUnknown) as refused:
        home.resume("drfit")

    assert str(refused.value) == (
        "No session is called 'drfit'. Did you mean 'drift'? Sessions: drift, churn."
    )


def test_a_session_starts_with_its_strategy_as_one_change(home):
    ws = home.start("why", strategy="react")

    assert ws.status()["strategy"] == "react"
    with pytest.raises(wfnb.Refused, match="nothing to undo"):
        ws.undo()


@pytest.mark.parametrize(
    ("strategy", "error"), [("raect", StrategyUnknown), ("mine", StrategyBroken)]
)
@pytest.mark.parametrize("fresh", [False, True])
def test_a_strategy_that_cannot_be_followed_starts_and_archives_nothing(
    home, strategy, error, fresh
):
    home.start("drift")
    (home.path / "strategies").mkdir()
    (home.path / "strategies" / "mine.yaml").write_text("name: mine")

    with pytest.raises(error):
        home.start("drift" if fresh else "new", strategy=strategy, fresh=fresh)

    assert names(home) == [("drift", False)]


@pytest.mark.parametrize(("id", "again"), [("c1", True), ("c2", False), (None, False)])
def test_the_cell_that_started_a_session_resumes_it_when_it_runs_again(home, id, again):
    cell = Cell(id="c1", source="%wfnb start drift")
    first = home.start("drift", cell=cell)
    first.step("a")

    if again:
        assert home.start("drift", cell=Cell(id=id, source="changed")).log.id == first.log.id
    else:
        with pytest.raises(SessionExists):
            home.start("drift", cell=Cell(id=id, source="%wfnb start drift"))


def test_sessions_are_listed_in_order_of_creation_with_their_size(home):
    home.start("zebra").step("a")
    home.start("ant")

    listed = home.sessions()

    assert [(info.name, info.events) for info in listed] == [("zebra", 2), ("ant", 1)]
    assert all(info.started <= info.changed for info in listed)
    assert len(home.look(listed[0]).steps) == 1


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("", BadValue),
        ("  ", BadValue),
        ("a\nb", BadValue),
        ("a\x00", BadText),
        ("x" * 121, BadText),
        ("\ud800", BadText),
        (3, BadValue),
        (None, BadValue),
    ],
)
@pytest.mark.parametrize("ask", ["open", "start", "resume"])
def test_a_name_that_cannot_be_one_is_refused(home, ask, name, error):
    with pytest.raises(error, match=r"^session "):
        getattr(home, ask)(name)


@pytest.mark.parametrize("name", ["drift", "März 2024", "../../x", "中文", "a'b\"c;--", "x" * 118])
def test_a_session_may_have_any_name_on_one_line(home, name):
    home.open(name).step("a")

    assert home.resume(f" {name} ").session.name == name


def test_a_session_that_another_process_makes_at_the_same_time_is_opened(home, monkeypatch):
    made, find = home.start("drift"), home.journal.find
    late = iter([None, None])
    monkeypatch.setattr(home.journal, "find", lambda name: next(late, find(name)))

    assert home.open("drift").log.id == made.log.id


def test_two_workspaces_see_what_the_other_did(home):
    one, two = home.open("shared"), home.open("shared")

    one.step("a")
    assert two.step("b").step_number == 2
    one.step("x", branch="alt")
    two.score("alt", 1)
    two.select("alt")
    one.step("y", branch="beta", branch_from=2)
    one.select("beta")
    two.select("alt")
    two.undo()

    states = {line["id"]: line["state"] for line in one.status()["lines"]}
    assert states == {"main": "open", "alt": "open", "beta": "selected"}
    assert one.log.refresh() == two.log.refresh()


def test_what_another_undid_is_gone_here_too(home):
    one, two = home.open("shared"), home.open("shared")
    one.step("a")
    one.step("x", branch="alt")
    two.switch("alt")

    one.undo()

    with pytest.raises(BranchUnknown):
        two.step("y")
    assert two.step("b").current_branch is None
    assert two.status()["branches"] == []


def test_a_home_is_shown_by_its_folder(home):
    assert repr(home) == f"<wfnb home {home.path}>"
