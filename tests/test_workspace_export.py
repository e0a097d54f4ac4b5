"""Exported files: the same session gives the same bytes, and no other file is written over."""

import json
from xml.etree import ElementTree

import pytest

import wfnb
from wfnb.errors import BadValue, NothingRecorded

LOADED = {"outcome": "ok", "duration": None, "result": None, "error": None, "values": {}}
ENDINGS = [".md", ".html", ".json", ".svg", ".dot", ".mmd", ".txt"]


def session(folder):
    ws = wfnb.open("drift", home_folder=folder / ".wfnb")
    ws.step("Load the readings", total=3)
    ws.step("Fit <b>it</b> & 'see'", values={"rmse": 0.4})
    ws.step("A robust loss", branch="robust", branch_from=1, outcome="failed")
    ws.step("Load them all", number=1)
    return ws


@pytest.fixture
def ws(tmp_path):
    return session(tmp_path)


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_session_gives_the_same_bytes(ws, tmp_path, ending):
    first = ws.export(tmp_path / f"first{ending}").read_bytes()

    assert ws.export(tmp_path / f"first{ending}").read_bytes() == first
    assert session(tmp_path / "other").export(tmp_path / f"again{ending}").read_bytes() == first
    assert first.decode().strip()
    assert [file.name for file in tmp_path.glob(".*.part")] == []


def test_json_holds_the_whole_state(ws, tmp_path):
    data = json.loads(ws.export(tmp_path / "drift.json").read_text("utf-8"))

    assert data.pop("wfnb") == 1
    assert data["steps"][0].pop("history") == [
        {"description": "Load the readings", "source": None, "earlier": [LOADED]},
        {"description": "Load them all", "source": None, "earlier": []},
    ]
    for step in data["steps"][1:]:
        step.pop("history")
    assert data == ws.status()


def test_svg_and_html_hold_what_was_written_and_no_markup_of_it(ws, tmp_path):
    svg = ws.export(tmp_path / "drift.svg").read_text("utf-8")
    html = ws.export(tmp_path / "drift.html").read_text("utf-8")

    assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
    assert "<b>it" not in svg + html
    assert "&lt;b&gt;it" in html


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_exported_file_is_written_over_by_any_session(ws, tmp_path, ending):
    other = wfnb.open("other", home_folder=tmp_path / ".wfnb")
    other.step("something else", next_step_needed=False)

    path = ws.export(tmp_path / f"report{ending}")
    before = path.read_bytes()

    assert other.export(path).read_bytes() != before


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("content", [b"", b"mine", b"# My notes on wfnb\n", b"\xff\xfe"])
def test_a_file_that_is_not_of_wfnb_is_left_as_it_is_unless_forced(ws, tmp_path, ending, content):
    path = tmp_path / f"notes{ending}"
    path.write_bytes(content)

    with pytest.raises(BadValue) as refused:
        ws.export(path)

    assert str(refused.value).endswith(
        "It needs a free name: it exists and is not of wfnb; or --force."
    )
    assert path.read_bytes() == content
    assert ws.export(path, force=True).read_bytes() != content


def test_a_folder_that_is_not_there_is_told_and_not_made(ws, tmp_path):
    with pytest.raises(BadValue) as refused:
        ws.export(str(tmp_path / "a" / "b" / "drift.md"))

    assert str(refused.value).endswith(f"It needs a folder that exists: '{tmp_path}/a/b' is none.")
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("name", ["drift.pdf", "drift", "drift.MD", "", ".md"])
def test_an_ending_that_is_not_known_is_refused_with_those_there_are(ws, tmp_path, name):
    with pytest.raises(BadValue) as refused:
        ws.export(f"{tmp_path}/x/{name}")

    assert str(refused.value).endswith(
        "It needs one of the endings .md, .html, .json, .svg, .dot, .mmd, .txt."
    )
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("force", [False, True])
def test_a_place_that_cannot_be_written_is_refused_and_left_clean(ws, tmp_path, force):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.md").mkdir()

    for path in ("file/drift.md", "folder.md", f"{'x' * 300}.md", "a\x00b.md"):
        with pytest.raises(BadValue, match="It needs a place that can be written"):
            ws.export(tmp_path / path, force=force)

    left = {path.name for path in tmp_path.iterdir()}
    assert left == {".wfnb", "file", "folder.md"}


def test_a_session_without_steps_is_not_exported(tmp_path):
    ws = wfnb.open("empty", home_folder=tmp_path / ".wfnb")

    with pytest.raises(
        NothingRecorded, match=r"^There is nothing to export: no step and no run is recorded"
    ):
        ws.export(tmp_path / "empty.md")

    assert not (tmp_path / "empty.md").exists()
