"""Words find steps and runs in all sessions of a folder, as in the panel; nothing is written."""

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.server.test_server_reads import bytes_and_times
from wfnb.core.events import Cell, Outcome
from wfnb.errors import BadValue
from wfnb.home_folder import Home
from wfnb.panel import rows_page
from wfnb.views.search_results import SessionHits, session_data, table
from wfnb.workspace import Workspace


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / ".wfnb")


def found(home: Home, text: str, **given: object) -> dict[str, list[str]]:
    """Session -> the places of its steps, or the names of its runs."""
    hits = home.search(text, **given)  # type: ignore[arg-type]
    return {
        each.session: [hit.run or hit.place or "" for hit in each.hits]
        for each in hits
        if not each.is_empty
    }


def two_sessions(home: Home) -> tuple[Workspace, Workspace]:
    """`cars` with a branch, then `barley`, which is the newer one."""
    cars, barley = home.start("cars"), home.start("barley")
    cars.step("Load the cars\nmpg, without the **Renault** of 1971")
    cars.step("Fit a ridge", branch="ridge", branch_from=1)
    barley.step("Load the yields")
    barley.step("Is Morris the wrong year?\nRidge plots say so")
    return cars, barley


def test_steps_are_found_by_title_and_reason_in_every_session_the_newest_first(home: Home):
    two_sessions(home)

    assert list(found(home, "ridge").items()) == [("barley", ["2"]), ("cars", ["ridge:2"])]
    assert found(home, "RIDGE fit") == {"cars": ["ridge:2"]}
    assert found(home, "no such word") == {}


def test_the_line_that_has_the_word_is_said(home: Home):
    two_sessions(home)

    (hit,) = next(each for each in home.search("renault") if each.count).hits

    assert (hit.title, hit.says) == ("Load the cars", "mpg, without the Renault of 1971")


def test_findings_tags_authors_and_code_find_steps(home: Home):
    cars, _ = two_sessions(home)
    cell = Cell(id="c", source="%%step Merge\npd.merge(cars, makers)")
    merged = cars.steps.begin(cars.steps.command_for("Merge", cell=cell))
    cars.steps.finish(merged.running or 0, Outcome())
    cars.tag("2", "slow")
    debug = home.start("pages", kind="debug", pause=False)
    debug.step("Look", hypothesis="The cache is stale", finding="page 7 is blank", pause=False)

    assert found(home, "tag:slow") == found(home, "code:PD.MERGE") == {"cars": ["2"]}
    assert found(home, "tag:slo") == found(home, "pd.merge") == {}
    assert found(home, "cache") == found(home, "blank look") == {"pages": ["1"]}
    assert set(found(home, "by:notebook")) == {"cars", "barley", "pages"}


def test_what_was_undone_or_hidden_is_not_found(home: Home):
    cars, barley = two_sessions(home)
    cars.undo()
    barley.hide("2")

    assert found(home, "ridge") == {}


def test_archived_sessions_are_found_where_that_is_wanted(home: Home):
    two_sessions(home)
    home.forget("cars")

    assert found(home, "ridge") == {"barley": ["2"]}
    assert found(home, "ridge", archived=True) == {"barley": ["2"], "cars~1": ["ridge:2"]}


def test_of_a_session_the_newest_are_shown_and_all_are_counted(home: Home):
    cars = home.start("cars")
    for number in range(1, 8):
        cars.step(f"Try {number}")

    (each,) = home.search("try", most=3)

    assert ([hit.place for hit in each.hits], each.count) == (["7", "6", "5"], 7)


def test_runs_are_found_by_their_name_and_by_why_they_failed(home: Home):
    cars = home.start("cars")
    step = {"id": "load", "tool": "shell", "args": {"command": "echo no such maker >&2; exit 3"}}
    cars.runs.run({"name": "publish", "steps": [step]})

    assert found(home, "publish") == {"cars": ["publish-1"]}
    assert found(home, "exit load") == {"cars": ["publish-1"]}


def test_a_session_that_cannot_be_read_says_so_and_hides_nothing(home: Home):
    two_sessions(home)
    home.journal.close()
    with sqlite3.connect(home.path / "journal.db") as db:
        db.execute("UPDATE event SET body = replace(body, 'Morris', 'Duluth') WHERE session = 2")

    broken, whole = home.search("ridge")

    assert "journal.db" in broken.fault
    assert [hit.place for hit in whole.hits] == ["ridge:2"]


def test_nothing_is_written_by_a_search(home: Home, tmp_path: Path):
    two_sessions(home)
    home.journal.close()
    before = bytes_and_times(tmp_path)

    assert found(home, "ridge")
    assert bytes_and_times(tmp_path) == before


def test_a_search_goes_on_while_somebody_writes(home: Home):
    two_sessions(home)
    holder = sqlite3.connect(home.path / "journal.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")

    assert found(home, "ridge", busy=0.0) == {"barley": ["2"], "cars": ["ridge:2"]}
    holder.execute("ROLLBACK")
    holder.close()


def test_no_folder_has_nothing_and_gets_nothing(tmp_path: Path):
    assert found(Home(tmp_path / "none"), "ridge") == {}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", " \n "])
def test_a_search_without_words_is_refused(home: Home, text: str):
    with pytest.raises(BadValue, match="words"):
        home.search(text)


def test_hostile_text_is_shown_as_text(home: Home):
    home.start("<b>x").step("<img src=x onerror=alert(1)>\nridge \u202e<script>")
    shown = table(home.search("ridge"))

    data = session_data(next(home.search("ridge")))
    assert "\u202e" not in repr(shown) + shown.html + str(data)
    assert not any(tag in shown.html for tag in ("<img", "<script", "<b>"))


TITLES = st.text(st.sampled_from('aAßİs"\\\u2028🚗 é'), max_size=12).filter(str.strip)


@settings(max_examples=60, deadline=None)
@given(title=TITLES, word=st.text(st.sampled_from('aAßSİ"\\🚗É'), min_size=1, max_size=2))
def test_a_search_finds_what_the_filter_of_the_panel_finds(
    title: str, word: str, tmp_path_factory: pytest.TempPathFactory
):
    home = Home(tmp_path_factory.mktemp("search") / ".wfnb")
    cars = home.start("cars")
    cars.step(title)

    wanted = rows_page(cars.session, 0, 9, {"text": word})["count"]

    assert len(found(home, word)) == wanted


@pytest.mark.parametrize(
    "words",
    ["hypothesis:", "hypothesis: leak", "finding: rows", "issue: pool", "files: a.py, b.py"],
)
def test_words_of_the_line_that_is_shown_find_it(
    home: Home, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("a.py", "b.py"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    cars = home.start("cars")
    cars.investigation.choose("debug")
    cars.step(
        "Look",
        finding="old rows",
        hypothesis="a leak",
        issues="high: a pool",
        files=["a.py", "b.py"],
    )

    assert rows_page(cars.session, 0, 9, {"text": words})["count"] == 1
    assert found(home, words) == {"cars": ["1"]}


def test_an_empty_session_is_told_as_nothing():
    assert SessionHits(session="cars").is_empty
