"""What a digest tells apart, and what it does not."""

import copy
import decimal
import io
import math
import random
import re
import signal
from collections import Counter
from datetime import UTC, datetime, timedelta, timezone
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import pytest

from wfnb.dataflow.fingerprint import fingerprint, is_iterator, origin, shares

ATOMS = (0, 1, True, 1.0, 0.0, -0.0, math.nan, math.inf, 1j, None, "", b"", "1", ..., (), (1,))


def test_atomic_values_of_different_types_have_different_digests():
    found = [fingerprint(value) for value in ATOMS]

    assert len({one.digest for one in found}) == len(ATOMS)
    assert all(one.complete and one.atomic for one in found)


def test_an_object_that_is_met_twice_differs_from_two_objects():
    inner = [0]

    assert fingerprint([inner, inner]) == fingerprint([inner, inner][:])
    assert fingerprint([inner, inner]) != fingerprint([[0], [0]])


def test_a_value_that_holds_itself_has_a_digest():
    rows = [1]
    rows.append(rows)

    assert fingerprint(rows).complete
    assert fingerprint(rows) == fingerprint(copy.deepcopy(rows))


@pytest.mark.parametrize("value", [[1, 2], {"a": 1}, {1}, bytearray(b"a"), [decimal.Decimal(1)]])
def test_a_container_is_complete_but_not_atomic(value):
    found = fingerprint(value)

    assert (found.complete, found.atomic) == (True, False)


def test_what_belongs_to_a_library_has_an_origin():
    found = [origin(one) for one in (math, math.sqrt, re.compile, dict, len, math.pi, lambda: 1)]

    assert found == ["math", "math.sqrt", "re.compile", "builtins.dict", "builtins.len", None, None]


def test_use_changes_an_iterator_but_not_a_list():
    assert is_iterator(iter([1]))
    assert is_iterator(one for one in ())
    assert not is_iterator([1])


def test_a_value_shares_what_it_holds():
    rows = [[1]]

    assert shares(rows, [rows[0]])
    assert shares(rows, [[1]]) is False
    assert shares("text", "text") is False


def test_use_changes_what_is_read_from_start_to_end(tmp_path):
    async def later():
        yield 1

    async def once():
        return 1

    coroutine = once()
    with (tmp_path / "file").open("w") as file:
        found = [
            is_iterator(one)
            for one in (file, io.StringIO(), zip(), later(), coroutine, random.Random(1))
        ]
    coroutine.close()

    assert found == [True] * 6
    assert not any(is_iterator(one) for one in ("a", {}, range(3), math, dict, Counter()))


def test_members_of_enumerations_of_modules_are_atomic():
    found = [fingerprint(one) for one in (signal.SIGINT, re.I, re.I | re.M, signal.SIGTERM)]

    assert len({one.digest for one in found}) == 4
    assert all(one.complete and one.atomic for one in found)


def test_a_named_tuple_of_a_module_is_atomic():
    parts = urlsplit("http://a/b")

    assert fingerprint(parts).atomic
    assert fingerprint(parts) != fingerprint(tuple(parts))


def test_the_class_of_an_object_counts():
    held = {"__name__": "__main__"}
    exec("class A: pass\nclass B: pass\nclass L(list): pass\nclass M(list): pass", held)
    found = [fingerprint(held[name]()) for name in "ABLM"]

    assert len({one.digest for one in found}) == 4
    assert all(one.complete and not one.atomic for one in found)


@pytest.mark.parametrize("zone", [UTC, ZoneInfo("Europe/Berlin"), timezone(timedelta(hours=1))])
def test_a_time_of_a_known_zone_is_atomic(zone):
    found = fingerprint(datetime(2020, 1, 1, tzinfo=zone))

    assert (found.complete, found.atomic) == (True, True)
    assert found != fingerprint(datetime(2020, 1, 1))


def test_a_long_text_is_read_whole():
    text = "ä" * 2_000_000

    assert fingerprint(text).complete
    assert fingerprint(text + "a") != fingerprint(text + "b")
    assert fingerprint(text[:1_000_000] + "b" + text[1_000_001:]) != fingerprint(text)
    assert fingerprint(text.encode()) != fingerprint(text)


def test_a_budget_of_nothing_is_a_digest_all_the_same():
    assert fingerprint([1, 2], budget=0) == fingerprint([3, 4], budget=0)
    assert fingerprint([1], budget=0) != fingerprint([1, 2], budget=0)
    assert not fingerprint([], budget=0).complete


def test_what_a_class_of_a_module_computed_once_is_no_content():
    held: dict[str, object] = {"__name__": "elsewhere"}
    code = "import functools\nclass A:\n    @functools.cached_property\n    def b(self): return [1]"
    exec(code, held)
    one = held["A"]()  # type: ignore[operator]
    before = fingerprint(one)

    assert one.b == [1]
    assert fingerprint(one) == before
    one.c = 1
    assert fingerprint(one) != before
