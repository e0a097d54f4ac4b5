"""Lines as Python counts them: of a text, and of a file that is read piece by piece."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfnb.inspection.source_lines import Part, lines, read

PIECES = st.lists(st.sampled_from(["a", "bc", "\n", "\r\n", "\r", "\f", "\u2028", "\x85"]))


@given(PIECES, st.integers(1, 6), st.one_of(st.none(), st.integers(0, 4)))
def test_a_part_of_a_file_is_that_part_of_its_lines(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[str], first: int, more: int | None
):
    file = tmp_path_factory.getbasetemp() / "part.txt"
    text = "".join(pieces)
    file.write_bytes(text.encode())
    whole, last = lines(text), None if more is None else first + more

    part = read(file, first, last)

    assert part.total == len(whole)
    assert list(part.lines) == whole[first - 1 : last]
    assert part.wanted == len(part.lines)


@pytest.mark.parametrize("chunk", [1, 2, 3, 5])
def test_where_the_pieces_end_makes_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
):
    file = tmp_path / "a"
    file.write_bytes(b"one\r\ntwo\rthree\n\nfive")
    monkeypatch.setattr("wfnb.inspection.source_lines._CHUNK", chunk)

    assert read(file, 2, 4).lines == ("two", "three", "")
    assert read(file).total == 5


def test_what_is_too_much_is_left_out_in_whole_lines(tmp_path: Path):
    file = tmp_path / "a"
    file.write_text("12345\n" * 10)

    assert read(file, 2, most=15) == Part(
        first=2, lines=("12345", "12345"), wanted=9, size=54, total=10
    )
    assert read(file, most=3).lines == ("123",)
