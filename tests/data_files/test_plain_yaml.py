"""Plain words of YAML are read by the core schema of YAML 1.2."""

import pytest

from wfnb.data_files.plain_yaml import load


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
