"""What counts as a word, as a phrase, and as the same text."""

import pytest

from wfnb.investigations.core.text_normalization import is_phrase, same_text, words


@pytest.fixture(autouse=True)
def afresh() -> None:
    """Whatever was asked before."""
    words.cache_clear()
    same_text.cache_clear()


WORDS = {
    "": set(),
    "It divides by len(values), not by 2": {"it", "divides", "by", "len", "values", "not"},
    "aaaa b 42 x_y": set(),
    "ab_cd ab2cd": {"ab", "cd"},
    "No no NO": {"no"},
    "Straße STRASSE": {"strasse"},
    "平均": {"平", "均"},
    "平平": {"平"},
    "平均value値": {"平", "均", "値", "value"},
    "平x": {"平"},
    "平xx": {"平"},
    "กข": {"ก", "ข"},
    "かな": {"か", "な"},
    "ស": {"ស"},
}


@pytest.mark.parametrize(("text", "expected"), WORDS.items())
def test_words_are_different_letters_in_a_row_or_a_sign_each(text: str, expected: set[str]):
    assert words(text) == expected


PHRASES = {
    "it ends": True,
    "rmse 0.31": True,
    "rmse 1,000.5": True,
    "looked": False,
    "looked, looked": False,
    "1 2 3": False,
    "平均": True,
    "平": False,
    "": False,
}


@pytest.mark.parametrize(("text", "expected"), PHRASES.items())
def test_a_phrase_is_two_words_or_a_word_and_a_number(text: str, expected: bool):
    assert is_phrase(text) is expected


SAME = {
    " It is the  loop! ": "it is the loop",
    "“loop”": "“loop”",
    "(see) 'here'.": "see here",
    "a . b": "a b",
    "x<y": "x<y",
    "?! ...": "?! ...",
    "": "",
}


@pytest.mark.parametrize(("text", "same"), SAME.items())
def test_a_text_is_the_same_in_other_letters_spaces_and_punctuation(text: str, same: str):
    assert same_text(text) == same
