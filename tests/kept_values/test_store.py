"""A blob is there whole or not at all, and one that is not what was written is named."""

from __future__ import annotations

import os
import random
import resource
import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xxhash import xxh3_128

from wfnb.core.kept_values import pieces_of, size_of
from wfnb.errors import BLOB_ERRORS, BlobCorrupt, BlobMissing, BlobTruncated, BlobUnreadable
from wfnb.values import store as store_module
from wfnb.values.store import ContentChanged, Store, name_of

from . import child

CONTENT = b"the same again" * 1_000


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "values")
    made.folder.mkdir()
    return made


def put(store: Store, content: bytes = CONTENT) -> str:
    blob = name_of([content])
    store.put(blob, [content])
    return blob


def test_what_was_put_is_read(store: Store):
    blob = name_of([CONTENT[:5], CONTENT[5:]])
    store.put(blob, [CONTENT[:5], CONTENT[5:]])

    assert store.has(blob)
    assert bytes(store.read(blob)) == CONTENT
    assert list(store.pieces()) == [blob] == [name_of([CONTENT])]


def test_nothing_is_a_blob_too(store: Store):
    blob = put(store, b"")

    assert bytes(store.read(blob)) == b""


def test_what_is_there_is_not_written_again(store: Store):
    blob = put(store)
    before = os.stat(store.folder / blob)

    put(store)

    after = os.stat(store.folder / blob)
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_blob_that_is_gone_is_named(store: Store):
    blob = put(store)
    (store.folder / blob).unlink()

    with pytest.raises(BlobMissing, match=f"{blob} is missing. Run the step again"):
        store.read(blob)


@pytest.mark.parametrize("size", [0, 1, len(CONTENT) - 1, len(CONTENT) + 1])
def test_a_blob_of_another_size_is_named_and_written_again(store: Store, size: int):
    blob = put(store)
    (store.folder / blob).write_bytes((CONTENT + b"x")[:size])

    assert not store.has(blob)
    with pytest.raises(BlobTruncated, match=f"has {size:,} of its {len(CONTENT):,} bytes"):
        store.read(blob)
    put(store)
    assert bytes(store.read(blob)) == CONTENT


def test_a_blob_of_other_bytes_is_named_and_written_again(store: Store):
    blob = put(store)
    (store.folder / blob).write_bytes(CONTENT[:-1] + b"?")

    with pytest.raises(BlobCorrupt, match="its hash differs"):
        store.read(blob)
    assert not store.has(blob)
    put(store)
    assert bytes(store.read(blob)) == CONTENT


def test_a_blob_of_other_bytes_is_found_and_written_again_before_it_is_read(store: Store):
    blob = put(store)
    (store.folder / blob).write_bytes(CONTENT[:-1] + b"?")

    Store(store.folder).put(blob, [CONTENT])

    assert bytes(store.read(blob)) == CONTENT


def test_what_this_process_wrote_is_not_read_again(store: Store, monkeypatch: pytest.MonkeyPatch):
    blob, other = put(store), name_of([b"other"])
    Store(store.folder).put(other, [b"other"])
    store.read(other)
    monkeypatch.setattr(Store, "_holds", None)

    store.put(blob, [CONTENT])
    store.put(other, [b"other"])

    assert sorted(store.pieces()) == sorted([blob, other])


def test_what_changes_while_it_is_written_is_no_blob(store: Store):
    content = bytearray(CONTENT)
    blob = name_of([content])

    def chunks() -> Iterator[bytes | bytearray]:
        yield content[:100]
        content[200] = 0
        yield content[100:]

    with pytest.raises(ContentChanged):
        store.put(blob, chunks())  # type: ignore[arg-type]
    assert list(store.folder.iterdir()) == []


@pytest.mark.parametrize(
    "blob",
    ["../outside-7", "/etc/passwd", "", "x-1", f"{'0' * 32}-1/../../a", "\0", f"{'0' * 32}-"],
)
def test_a_name_that_is_none_of_a_blob_leads_nowhere(store: Store, blob: str):
    (store.folder.parent / "outside-7").write_bytes(b"private")

    assert not store.has(blob)
    with pytest.raises(BlobMissing):
        store.read(blob)


def test_what_is_no_file_is_not_read(store: Store):
    blob, linked = put(store), name_of([b"elsewhere"])
    (store.folder.parent / "elsewhere").write_bytes(b"elsewhere")
    (store.folder / linked).symlink_to(store.folder.parent / "elsewhere")
    (store.folder / blob).unlink()
    os.mkfifo(store.folder / blob)

    for name in (blob, linked):
        assert not store.has(name)
        with pytest.raises(BlobUnreadable):
            store.read(name)


def test_a_file_that_cannot_be_opened_is_not_said_to_be_corrupt(store: Store):
    blob, fresh = put(store), Store(store.folder)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)

    resource.setrlimit(resource.RLIMIT_NOFILE, (0, limits[1]))
    try:
        with pytest.raises(BlobUnreadable):
            fresh.check(blob, whole=True)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)

    fresh.check(blob, whole=True)


def test_a_process_killed_while_it_writes_leaves_no_half_of_a_blob(store: Store):
    put(store)
    writing = child.started(
        """
        import sys
        from pathlib import Path
        from wfnb.values.store import Store, name_of

        def halves():
            yield memoryview(b"first half")
            print("half of it is written", flush=True)
            sys.stdin.read()

        from wfnb.values import store
        store._pieces = lambda chunks: [halves()]
        Store(Path(sys.argv[1])).put("0" * 32 + "-20", [b""])
        """,
        store.folder,
    )
    assert writing.stdout is not None
    assert writing.stdout.readline() == "half of it is written\n"
    os.kill(writing.pid, signal.SIGKILL)
    writing.communicate(timeout=child.PATIENCE)

    assert writing.returncode == -signal.SIGKILL
    assert list(store.pieces()) == [name_of([CONTENT])]
    assert [path.read_bytes() for path in store.folder.glob(".part-*")] == [b"first half"]
    store.tidy()
    assert [path.name for path in store.folder.iterdir()] == [name_of([CONTENT])]


def test_an_interrupt_while_it_writes_leaves_nothing(store: Store, monkeypatch: pytest.MonkeyPatch):
    def interrupted(file: int, chunks: list[memoryview]) -> Iterator[bytes]:
        os.write(file, chunks[0][:5])
        raise KeyboardInterrupt
        yield b""

    monkeypatch.setattr("wfnb.values.store._copies", interrupted)

    with pytest.raises(KeyboardInterrupt):
        put(store)
    assert list(store.folder.iterdir()) == []


def test_every_way_that_a_blob_fails_is_one_line():
    errors = [
        BlobMissing("values/x"),
        BlobTruncated("values/x", 3, 7),
        BlobCorrupt("values/x"),
        BlobUnreadable("values/x", "Permission denied"),
    ]

    assert {type(error) for error in errors} == set(BLOB_ERRORS)
    assert ["\n" in str(error) for error in errors] == [False] * len(errors)


@given(st.lists(st.binary(max_size=30), max_size=6))
def test_a_blob_is_the_same_however_its_bytes_are_cut_and_comes_back_from_its_pieces(chunks):
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(store_module, "_PIECE", 8)
        patch.setattr(store_module, "_NEAR", 3)
        store, content = Store(Path(folder)), b"".join(chunks)
        blob = name_of(chunks)
        store.put(blob, chunks)

        assert blob == name_of([content])
        assert size_of(blob) == len(content)
        assert (store.read(blob), store.holds(blob)) == (content, True)
        assert {*store.pieces()} == {*pieces_of([blob])}
        assert all(size_of(piece) <= 8 for piece in store.pieces())


def test_of_a_long_blob_only_the_pieces_that_changed_are_written(store: Store):
    content = bytearray(random.Random(0).randbytes(10_000_000))
    before = put(store, bytes(content))
    content[5_000_000] ^= 1
    after = put(store, bytes(content))

    new = {*pieces_of([after])} - {*pieces_of([before])}
    assert [size_of(piece) for piece in new] == [1 << 22]
    assert store.read(after) == content
    assert len([*store.pieces()]) == 4


def test_a_long_blob_that_is_one_file_is_read_as_it_was_kept(store: Store):
    content = random.Random(0).randbytes(5_000_000)
    blob = f"{xxh3_128(content).hexdigest()}-{len(content)}"
    (store.folder / blob).write_bytes(content)

    assert store.read(blob) == content
    assert store.holds(blob)


def test_a_piece_that_a_disk_changed_is_named_and_written_again(store: Store):
    content = random.Random(0).randbytes(10_000_000)
    blob = put(store, content)
    damaged = [*pieces_of([blob])][1]
    with (store.folder / damaged).open("r+b") as file:
        file.write(bytes([content[1 << 22] ^ 1]))

    with pytest.raises(BlobCorrupt, match=damaged):
        Store(store.folder).read(blob)
    assert put(Store(store.folder), content) == blob
    assert Store(store.folder).read(blob) == content
