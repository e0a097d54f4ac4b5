"""`wfnb skill` writes what an agent reads about wfnb, and nothing over another text."""

from pathlib import Path

from tests.cli.command import Desk

WRITTEN = Path("wfnb", "SKILL.md")


def test_the_skill_is_written_where_it_says_and_once(desk: Desk):
    first = desk.wfnb("skill", "skills")
    text = (desk.folder / "skills" / WRITTEN).read_text("utf-8")
    again = desk.wfnb("skill", "skills")

    assert (first.code, first.out.strip()) == (0, f"{Path('skills') / WRITTEN} written")
    assert text.startswith("---\nname: wfnb\ndescription: ")
    assert (again.code, again.out.strip()) == (0, f"{Path('skills') / WRITTEN} is there already")


def test_without_a_folder_it_is_where_clients_look(desk: Desk):
    assert desk.wfnb("skill").code == 0
    assert (desk.folder / ".claude" / "skills" / WRITTEN).is_file()


def test_another_text_is_replaced_only_where_that_is_asked_for(desk: Desk):
    mine = desk.folder / "skills" / WRITTEN
    mine.parent.mkdir(parents=True)
    mine.write_text("My own")

    refused = desk.wfnb("skill", "skills")
    kept = mine.read_text("utf-8")
    replaced = desk.wfnb("skill", "skills", "--overwrite")

    assert (refused.code, kept, len(refused.err.splitlines())) == (2, "My own", 1)
    assert "`--overwrite` replaces that" in refused.err
    assert replaced.code == 0
    assert mine.read_text("utf-8").startswith("---\nname: wfnb")


def test_a_folder_that_cannot_be_made_is_said_in_a_line(desk: Desk):
    (desk.folder / "file").write_text("")

    refused = desk.wfnb("skill", "file")

    assert (refused.code, len(refused.err.splitlines())) == (2, 1)
    assert "a place that can be written" in refused.err
