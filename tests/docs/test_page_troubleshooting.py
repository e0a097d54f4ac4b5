"""What the page of troubleshooting says that the panel says is what the panel says."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = [
    *(ROOT / "labextension" / "src").rglob("*.ts"),
    *(ROOT / "wfnb" / "server").glob("*.py"),
]


def test_every_sentence_of_the_panel_is_one_of_the_program():
    page = (ROOT / "docs" / "troubleshooting.md").read_text("utf-8")
    _, _, table = page.partition("## What it says")
    sentences = re.findall(r"^\| \*(.+?)\* \|", table, re.M)
    program = "".join(source.read_text("utf-8") for source in SOURCES)

    assert len(sentences) > 8
    assert [each for each in sentences if each not in program] == []
