"""A pattern is found in whatever pieces the text comes."""

import asyncio

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from wfnb.errors import PatternTooSlow
from wfnb.workflows.tools.terminal.output_ring import Ring
from wfnb.workflows.tools.terminal.output_search import KEPT, STRETCH, Search

PATTERNS = [
    "a+b",
    "(?s)a.*c",
    "(?<=b)c",
    "\\bab\\b",
    "\\Aab",
    "(?m)^a",
    "(a)\\1b",
    "c|aab",
    "a.{0,3}c",
]


def looked(pattern, pieces, tail=""):
    async def look():
        search = Search(pattern)
        for piece in pieces:
            search.add(piece)
            if found := await search.look():
                return found.text
        found = await search.look(tail, whole=True)
        return found and found.text

    return asyncio.run(look())


@given(st.sampled_from(PATTERNS), st.lists(st.text("abc \n", max_size=6), max_size=8))
def test_it_is_found_if_and_only_if_it_is_in_the_whole(pattern, pieces):
    text = "".join(pieces)
    prefixes = ["".join(pieces[:n]) for n in range(1, len(pieces) + 1)] or [""]

    found = looked(pattern, pieces)

    first = next(filter(None, (regex.search(pattern, prefix) for prefix in prefixes)), None)
    assert found == (first and first.group()), text


def test_a_match_across_the_border_of_two_pieces_is_found():
    pieces = ["x" * 70_000 + "need", "le" + "y" * 70_000]

    assert looked("needle", pieces) == "needle"


def test_a_match_that_is_longer_than_a_stretch_is_found_at_last():
    pieces = ["begin" + "x" * STRETCH * 20, *["y" * 100] * 10, "end"]

    assert len(looked("(?s)begin.*end", pieces)) == STRETCH * 20 + 1008


def test_the_beginning_of_what_is_kept_is_not_the_beginning_of_the_text():
    pieces = ["a" * 65_536] * (KEPT // 65_536 + 2)

    assert looked("\\Aab", [*pieces, "b"]) is None
    assert looked("^a+b", [*pieces, "b"]) is None


def test_what_may_come_next_is_looked_at_and_not_kept():
    assert looked("ab", ["a"], tail="b") == "ab"


def test_a_pattern_that_takes_too_long_is_refused():
    with pytest.raises(PatternTooSlow):
        looked("(a|aa)+$", ["a" * 5_000 + "b"])


@given(st.lists(st.binary(max_size=100_000), max_size=8), st.integers(0, 300_000))
def test_a_ring_has_the_latest_bytes_at_their_places(pieces, kept):
    ring, everything = Ring(kept), b"".join(pieces)

    for piece in pieces:
        ring.append(piece)

    assert ring.end == len(everything)
    assert ring.end - ring.start >= min(kept, len(everything))
    assert ring.end - ring.start <= kept + 65_536
    assert ring.rest(0) == everything[ring.start :]
    assert ring.rest(ring.end - 10) == everything[max(ring.end - 10, ring.start) :]


@given(st.lists(st.binary(max_size=100_000), max_size=8), st.integers(0, 300_000))
def test_a_ring_says_before_what_it_will_give_up(pieces, kept):
    ring = Ring(kept)

    for piece in pieces:
        spare = ring.spare(len(piece))
        end = ring.end
        ring.append(piece)
        assert spare == min(ring.start, end)
