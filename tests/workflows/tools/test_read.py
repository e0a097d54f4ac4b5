"""A file's text, as a workflow reads it."""

import os
from codecs import BOM_UTF8
from pathlib import Path

import pytest

from wfnb.workflows.tools.read_file import READ

from .calls import context_of, fields

LINES = {
    (1, None): "a\né\r\nc",
    (2, None): "é\r\nc",
    (2, 2): "é\r\n",
    (1, 1): "a\n",
    (3, 9): "c",
}


@pytest.mark.parametrize("mark", [b"", BOM_UTF8])
@pytest.mark.parametrize("lines", LINES)
def test_a_file_is_read_or_the_lines_of_it_that_are_wanted(tmp_path: Path, lines, mark: bytes):
    (tmp_path / "a.txt").write_bytes(mark + "a\né\r\nc".encode())
    first, last = lines

    said = fields(READ, context_of(tmp_path), path="a.txt", first=first, last=last)

    assert (said["success"], said["text"]) == (True, LINES[lines])


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ((2, 1), "Line 1 (`last`) comes before line 2 (`first`)."),
        ((4, None), "a.txt has no line 4, only 3."),
        ((4, 9), "a.txt has no line 4, only 3."),
    ],
)
def test_lines_that_are_not_there_are_a_failure(tmp_path: Path, lines, why):
    (tmp_path / "a.txt").write_text("a\nb\nc")
    first, last = lines

    said = fields(READ, context_of(tmp_path), path="a.txt", first=first, last=last)

    assert (said["success"], said["error"]) == (False, why)


@pytest.mark.parametrize("content", [b"", b"a", BOM_UTF8, BOM_UTF8[:2], BOM_UTF8 * 2])
def test_one_byte_order_mark_alone_is_none_of_the_text(tmp_path: Path, content: bytes):
    (tmp_path / "a.txt").write_bytes(content)

    said = fields(READ, context_of(tmp_path), path="a.txt")

    assert said["text"] == content.removeprefix(BOM_UTF8).decode(errors="replace")


def test_bytes_that_are_no_text_are_counted(tmp_path: Path):
    (tmp_path / "a.txt").write_bytes("ü �".encode() + b"caf\xe9 \xe4\xb8 end\xff")

    said = fields(READ, context_of(tmp_path), path="a.txt")

    assert said == {"success": True, "text": "ü �caf� � end�", "text_invalid": 3}


def test_a_long_file_is_cut_with_its_true_size_noted(tmp_path: Path):
    (tmp_path / "a.txt").write_text("x" * 300_000 + "y" * 300_000)

    said = fields(READ, context_of(tmp_path), path="a.txt")

    assert said["text_size"] == 600_000
    assert len(said["text"]) < 201_000
    assert (said["text"][0], said["text"][-1]) == ("x", "y")


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("gone.txt", "gone.txt cannot be read: No such file or directory."),
        ("folder", "folder cannot be read: it is no file."),
        ("pipe", "pipe cannot be read: it is no file."),
        ("/dev/zero", "/dev/zero cannot be read: it is no file."),
        ("a\0b", "cannot be read: embedded null byte."),
    ],
)
def test_what_cannot_be_read_is_a_failure_with_a_sentence(tmp_path: Path, path: str, why: str):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")

    said = fields(READ, context_of(tmp_path), path=path)

    assert not said["success"]
    assert said["error"].endswith(why)


def test_an_investigation_sees_the_file_that_is_named():
    assert READ.sees == "path"
    assert READ.idempotent
