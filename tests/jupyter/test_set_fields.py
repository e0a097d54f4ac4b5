"""Words of `--set` are what the field holds: text stays text, numbers are numbers."""

from __future__ import annotations

from math import isfinite

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wfnb.core.strategy import Holds
from wfnb.data_files import plain_yaml
from wfnb.errors import BadValue
from wfnb.jupyter.set_fields import as_held

WORDS = st.text() | st.text("'\"[]{}:,# 01.-nulltrue\n", max_size=30)


@given(words=WORDS)
@example("1.10")
@example("Is it: so?")
@example("# 5 of them")
@example("{a: 1}")
def test_of_a_text_the_words_are_taken_as_they_are_written(words: str):
    assert as_held("field", words, "text") == words


@given(words=WORDS)
@example("00710")
@example("null")
@example("{a: 1")
def test_of_words_only_a_whole_list_or_mappingassert_read_as_yaml(words: str):
    bare = words.strip()
    collection = (bare[:1], bare[-1:]) in {("{", "}"), ("[", "]")} and len(bare) > 1

    if collection:
        assert_read_as_yaml(words, "words")
    else:
        assert as_held("field", words, "words") == words


@given(words=WORDS | st.floats().map(str) | st.integers().map(str))
@example("1.10")
@example(".inf")
@example("1e400")
@example("two")
@example("true")
def test_of_a_number_it_is_one_that_is_finite_or_it_is_refused(words: str):
    try:
        found = as_held("field", words, "number")
    except BadValue:
        return
    assert found is None or (isfinite(float(found)) and not isinstance(found, bool))


@given(words=WORDS)
@example("1.10")
@example("{'n':n+1,'total':total*1.1}")
@example("[1, a]")
def test_of_anything_else_it_is_yaml_and_no_key_is_without_a_value(words: str):
    assert_read_as_yaml(words, "value")


def assert_read_as_yaml(words: str, holds: Holds) -> None:
    try:
        wanted = plain_yaml.load(words)
        valued = plain_yaml.without_value(words) is None
    except ValueError:
        valued = False
    if valued:
        assert repr(as_held("field", words, holds)) == repr(wanted)
    else:
        with pytest.raises(BadValue):
            as_held("field", words, holds)
