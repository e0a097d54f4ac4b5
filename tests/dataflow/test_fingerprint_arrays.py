"""Arrays of NumPy count by what is in them, however they lie in memory."""

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as generated

from wfnb.dataflow.fingerprint import fingerprint, is_iterator, origin

types = st.one_of(
    generated.scalar_dtypes(),
    generated.byte_string_dtypes(max_len=3),
    generated.unicode_string_dtypes(max_len=3),
    generated.array_dtypes(generated.scalar_dtypes(), max_size=3),
)
arrays = generated.arrays(types, generated.array_shapes(max_dims=3, max_side=4))


@given(arrays)
def test_an_array_has_the_digest_of_its_copy_from_row_to_row(array: Any):
    found = fingerprint(array)
    wide = np.repeat(array, 2, axis=-1)

    assert found.complete
    assert not found.atomic
    for other in (array.copy(), wide[..., ::2], array[::-1][::-1]):
        assert fingerprint(other) == found
    by_columns = np.asfortranarray(array)
    assert (fingerprint(by_columns) == found) is bool(by_columns.flags.c_contiguous)


@given(arrays, st.data())
def test_one_element_that_is_changed_changes_the_digest(array: Any, data: Any):
    before, old = fingerprint(array), array.copy()
    at = data.draw(st.integers(0, array.size - 1))

    array.reshape(-1)[at] = data.draw(generated.from_dtype(array.dtype))

    assert (fingerprint(array) == before) is (content(array) == content(old))


def content(array: Any) -> list[bytes]:
    """The bytes of each field: between fields may lie anything."""
    if array.dtype.names is None:
        return [array.tobytes()]
    return [part for name in array.dtype.names for part in content(array[name])]


@given(generated.scalar_dtypes().flatmap(generated.from_dtype))
def test_a_number_of_numpy_is_atomic(number: Any):
    scalar = np.asarray(number)[()]
    found = fingerprint(scalar)

    assert (found.complete, found.atomic) == (True, True)
    assert fingerprint([scalar, scalar]) == fingerprint([scalar, np.asarray(scalar)[()]])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.zeros(2), np.zeros((2, 1))),
        (np.zeros(2), np.zeros(2, "i8")),
        (np.zeros(2), np.zeros(2, ">f8")),
        (np.zeros(2), np.zeros(2, "M8[s]")),
        (np.zeros(2, "M8[s]"), np.zeros(2, "M8[ms]")),
        (np.zeros(2), [0.0, 0.0]),
        (np.zeros(2), np.zeros(2).view(np.recarray)),
        (np.array(1.0), np.float64(1.0)),
        (np.float64(1.0), 1.0),
        (np.float32(1.0), np.float64(1.0)),
        (np.array([1, "a"], object), np.array([1.0, "a"], object)),
        (np.array([[1], [2]]), np.array([1, 2])),
        (np.ma.masked_array([1, 2], [0, 1]), np.ma.masked_array([1, 2], [1, 0])),
    ],
)
def test_arrays_that_differ_have_different_digests(one: Any, other: Any):
    assert fingerprint(one) != fingerprint(other)


def test_a_record_of_an_array_is_not_atomic():
    rows = np.zeros(2, [("a", "i4"), ("b", "O")])
    before, whole = fingerprint(rows[0]), fingerprint(rows)

    rows[0]["a"] = 5

    assert not before.atomic
    assert fingerprint(rows[0]) != before
    assert fingerprint(rows) != whole


def test_the_objects_in_an_array_count_with_what_they_hold():
    rows = np.empty(3, object)
    rows[1] = [1]
    before = fingerprint(rows)

    rows[1].append(2)

    assert before.complete
    assert fingerprint(rows) != before


def test_of_a_large_array_samples_are_read():
    large = np.zeros(1 << 20)
    before = fingerprint(large)

    large[0] = 1
    head = fingerprint(large)
    large[-1] = 1
    tail = fingerprint(large)
    large[::1000] = 2

    assert not before.complete
    assert len({before, head, tail, fingerprint(large)}) == 4


def test_what_many_arrays_hold_is_read_up_to_a_limit():
    rows = [np.full(1 << 17, float(number)) for number in range(20)]

    assert fingerprint(rows[:15]).complete
    assert not fingerprint(rows).complete


def test_texts_of_any_length_are_read_where_numpy_has_them():
    if not hasattr(np.dtypes, "StringDType"):
        pytest.skip("from NumPy 2 on")
    texts = np.array(["a", "b" * 100], np.dtypes.StringDType())
    before = fingerprint(texts)

    assert before.complete
    assert fingerprint(texts.copy()) == before
    texts[1] = "c" * 100
    assert fingerprint(texts) != before


def test_what_numpy_gives_has_an_origin():
    found = [origin(one) for one in (np.mean, np.sin, np.ndarray, np.linalg)]

    assert found == ["numpy.mean", "numpy.sin", "numpy.ndarray", "numpy.linalg"]
    assert str(origin(np.random.default_rng)).endswith(".default_rng")
    assert origin(np.random.default_rng(1)) is None
    assert fingerprint([np.sin]) != fingerprint([np.cos])


def test_use_changes_generators_of_random_numbers():
    old = np.random.RandomState(1)
    for one in (np.random.default_rng(1), old, np.random.PCG64(1)):
        before = fingerprint(one)

        assert is_iterator(one)
        assert before.complete
        one.random_raw() if hasattr(one, "random_raw") else one.random()
        assert fingerprint(one) != before
    assert not is_iterator(np.zeros(3))


def test_to_look_at_an_array_warns_of_nothing():
    arrays = np.broadcast_arrays(np.zeros(3), np.zeros((2, 3)))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fingerprint(arrays).complete
