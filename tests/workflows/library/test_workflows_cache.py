"""Results that are kept: there as they were, or not there."""

import os
from hashlib import sha256
from pathlib import Path

import pytest

from wfnb.errors import BadValue
from wfnb.workflows.library.result_cache import MAX_BYTES, ResultCache

KEY = sha256(b"a").hexdigest()
OTHER = sha256(b"b").hexdigest()


@pytest.fixture
def cache(tmp_path: Path) -> ResultCache:
    return ResultCache(tmp_path / "cache")


def test_a_result_is_there_as_it_was_for_every_process(cache):
    result = {"success": True, "stdout": "“é”\x00\ud800", "rows": [1, 2.5, None, {"a": False}]}

    cache.put(KEY, result)

    assert cache.get(KEY) == ResultCache(cache.folder).get(KEY) == result
    assert cache.get(OTHER) is None
    assert sorted(os.listdir(cache.folder)) == [".gitignore", f"{KEY}.json"]
    assert (cache.folder / ".gitignore").read_text() == "*\n"


def test_a_later_result_takes_the_place_of_an_earlier_one(cache):
    cache.put(KEY, {"n": 1})
    cache.put(KEY, {"n": 2})

    assert cache.get(KEY) == {"n": 2}


def test_an_empty_cache_is_no_folder(cache):
    assert cache.get(KEY) is None
    assert cache.clear() == 0
    assert not cache.folder.exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        b'{"key": "%s"}' % KEY.encode(),
        b'{"key": "%s", "result": 3}' % KEY.encode(),
        b'{"key": "%s", "result": {}}' % OTHER.encode(),
    ],
    ids=range(8),
)
def test_a_broken_file_is_no_result_and_is_replaced(cache, content):
    cache.put(KEY, {"n": 1})
    (cache.folder / f"{KEY}.json").write_bytes(content)

    assert cache.get(KEY) is None
    cache.put(KEY, {"n": 2})
    assert cache.get(KEY) == {"n": 2}


@pytest.mark.parametrize(
    "result", [{"x": object()}, {"x": float("inf")}, {"x": "y" * MAX_BYTES}], ids=["a", "b", "c"]
)
def test_what_cannot_be_kept_is_not(cache, result):
    cache.put(KEY, result)

    assert cache.get(KEY) is None


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path):
    (tmp_path / "file").touch()
    cache = ResultCache(tmp_path / "file" / "cache")

    cache.put(KEY, {"n": 1})

    assert cache.get(KEY) is None


def test_a_cleared_cache_has_forgotten_its_results_and_nothing_else(cache):
    cache.put(KEY, {"n": 1})
    cache.put(OTHER, {"n": 2})
    (cache.folder / "notes.json").write_text("mine")

    assert cache.clear() == 2

    assert cache.get(KEY) is cache.get(OTHER) is None
    assert (cache.folder / "notes.json").read_text() == "mine"


@pytest.mark.parametrize("key", ["", "../x", "a", KEY.upper(), f"{KEY}\n", f"{KEY}0"])
def test_a_key_is_a_sha256(cache, key):
    for ask in (cache.get, lambda key: cache.put(key, {})):
        with pytest.raises(BadValue, match="64 hexadecimal digits"):
            ask(key)
