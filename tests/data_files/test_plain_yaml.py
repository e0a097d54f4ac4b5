"""Plain words of YAML are read by the core schema of YAML 1.2."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfnb.data_files.plain_yaml import load, load_line


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("no", "no"),
        ("on", "on"),
        ("true", True),
        ("False", False),
        ("010", 10),
        ("0x1F", 31),
        ("0o17", 15),
        ("-7", -7),
        ("12:30", "12:30"),
        ("2026-11-21", "2026-11-21"),
        ("1_000", "1_000"),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("", None),
        ("~", None),
        ("[Yes, ' yes', no]", ["Yes", " yes", "no"]),
        ("{a: 1, b: [x, y]}", {"a": 1, "b": ["x", "y"]}),
    ],
)
def test_a_word_means_what_yaml_1_2_says(text, means):
    assert load(text) == means
    assert type(load(text)) is type(means)


@pytest.mark.parametrize(
    ("text", "says"),
    [("&a [*a]", "it uses an alias"), ("[" * 5000, "it is nested too deep"), ("{", "expected")],
)
def test_what_cannot_be_read_is_told_in_one_line(text, says):
    with pytest.raises(ValueError, match=says) as refused:
        load(text)

    assert "\n" not in str(refused.value)


WORDS = st.text(st.sampled_from("ab #'\":,-[]{}5"), min_size=1, max_size=12)
values = st.recursive(
    WORDS | st.none() | st.booleans() | st.integers(),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(WORDS, part, max_size=3),
    max_leaves=4,
)


@given(values, st.booleans())
def test_a_value_on_a_line_is_read_whole_and_no_part_of_it_is_a_comment(value, commented):
    line = json.dumps(value)
    assert load_line(line) == value

    with pytest.raises(ValueError, match="would be a comment in it: write the value in quotes"):
        load_line(f"{line} # and more")


@given(WORDS)
def test_words_on_a_line_lose_nothing(words):
    """What is read as one text has all that was written, but for quotes and blanks around it."""
    try:
        read = load_line(words)
    except ValueError:
        return
    if isinstance(read, str) and words.strip()[:1] not in ("'", '"'):
        assert read == words.strip()
