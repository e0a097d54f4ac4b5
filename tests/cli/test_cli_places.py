"""Homes, journals, folders and streams that are not there, or cannot be written."""

import json
import os

import pytest

from .command import Desk, powerless, steps


def test_a_folder_that_is_named_and_not_there_has_no_runs_to_look_at(desk: Desk):
    for words in (["runs"], ["show", "last"]):
        said = desk.wfnb(*words, "--home", "nowhere")

        assert said.code == 2
        assert said.err == "wfnb: --home is 'nowhere'. It needs a folder that is there.\n"


def test_where_there_is_no_home_folder_there_are_no_runs_and_none_is_made(desk: Desk):
    said = desk.wfnb("runs")
    as_json = desk.wfnb("runs", "--json")

    assert (said.code, said.out) == (0, "no run yet · `wfnb run FILE` starts one\n")
    assert as_json.data == {"runs": []}
    assert list(desk.folder.iterdir()) == []


def test_the_home_folder_is_the_option_else_the_environment_else_here(desk: Desk):
    file = desk.write(steps("true"))
    elsewhere = Desk(desk.folder, {"WFNB_HOME": str(desk.folder / "by environment")})

    desk.wfnb("run", file)
    elsewhere.wfnb("run", file)
    elsewhere.wfnb("run", file, "--home", desk.folder / "by option")

    assert sorted(path.parent.name for path in desk.folder.rglob("journal.db")) == [
        ".wfnb",
        "by environment",
        "by option",
    ]


def test_a_journal_that_cannot_be_written_can_be_read(desk: Desk):
    file = desk.write(steps("true"))
    desk.wfnb("run", file)
    home = desk.folder / ".wfnb"
    for path in (*home.rglob("*"), home):
        path.chmod(0o555 if path.is_dir() else 0o444)

    try:
        refused = desk.wfnb("run", file, preexec_fn=powerless)
        log = desk.wfnb("log", "last", preexec_fn=powerless)
        shown = desk.wfnb("show", "last", preexec_fn=powerless)
    finally:
        for path in (home, *home.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)

    assert (refused.code, refused.out) == (4, "")
    assert refused.err == (
        f"wfnb: {home}/journal.db cannot be written. Set WFNB_HOME to a folder that can be, "
        "a copy of this one where what is in it is to go on.\n"
    )
    assert (log.code, len(log.lines), shown.code) == (0, 4, 0)


def test_a_file_that_is_no_journal_is_left_as_it_is(desk: Desk):
    journal = desk.folder / ".wfnb" / "journal.db"
    journal.parent.mkdir()
    journal.write_bytes(b"no journal" * 100)

    said = desk.wfnb("runs")

    assert said.code == 4
    assert said.err.endswith("or set WFNB_HOME to another folder.\n")
    assert journal.read_bytes() == b"no journal" * 100


def test_a_folder_that_is_gone_is_a_refusal(desk: Desk):
    inside = desk.folder / "inside"
    inside.mkdir()

    said = desk.wfnb("runs", preexec_fn=lambda: (os.chdir(inside), inside.rmdir()))

    line = "wfnb: The folder it runs in is gone. Change to one that is there.\n"
    assert (said.code, said.out, said.err) == (2, "", line)


def test_a_command_works_without_standard_streams(desk: Desk):
    desk.wfnb("run", desk.write(steps("true")))

    def closed() -> None:
        for descriptor in (0, 1, 2):
            os.close(descriptor)

    said = desk.wfnb("log", "last", preexec_fn=closed)

    assert said.code == 0


def test_an_encoding_without_the_signs_spells_them_out(desk: Desk):
    plain = Desk(desk.folder, {"PYTHONIOENCODING": "ascii"})

    said = plain.wfnb("run", desk.write(steps("true")))

    assert said.lines[1] == r"\u25b6 a (shell)"
    assert said.code == 0


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_json_is_json_whatever_the_encoding_is(desk: Desk, encoding: str):
    words = "é 😀 € 残差"
    desk.wfnb("run", desk.write(steps(f"echo '{words}'", name="words")))
    narrow = Desk(desk.folder, {"PYTHONIOENCODING": encoding})

    for command in ("show last", "diff words-1 words-1", "runs", "workflows show words"):
        said = narrow.wfnb(*command.split(), "--json", encoding=encoding)
        assert said.data == desk.wfnb(*command.split(), "--json").data
    log = narrow.wfnb("log", "last", "--json", encoding=encoding)
    ended = narrow.wfnb("run", "words", "--json", encoding=encoding)

    assert f"{words}\n" in [json.loads(line).get("result", {}).get("stdout") for line in log.lines]
    assert ended.data["execution_log"][0]["result"]["stdout"] == f"{words}\n"


@pytest.mark.parametrize(
    "command",
    [
        "show last --html",
        "show last --md",
        "graph words --svg",
        "graph words --dot",
        "graph words --mermaid",
        "timeline last --svg",
        "workflows show words",
    ],
)
def test_a_document_is_utf_8_whatever_the_encoding_is(desk: Desk, command: str):
    desk.wfnb("run", desk.write(steps("echo 'é 😀 € 残差'", name="words")))
    narrow = Desk(desk.folder, {"PYTHONIOENCODING": "ascii"})

    assert narrow.wfnb(*command.split(), encoding="utf-8") == desk.wfnb(*command.split())
