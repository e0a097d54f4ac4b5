"""Rule 6 for text: names of branches, sentences, and text in any language."""

import pytest

from tests.core.story import done, given
from wfnb.core import validation
from wfnb.errors import BadText, BadValue, Refused

GOOD_BRANCHES = ["a", "1", "alt-2", "feature/x", "v1.2+b_3", "médiane", "中文", "δ", "a" * 80, "_x"]
BAD_BRANCHES = [
    *("", " ", "a b", "a\nb", "a\n", "\ta", "a\x00", "<script>", "a<b", "a:b", "a'b", 'a"b', "a`b"),
    *("-a", "--from", ".a", "../x", "./x", "/etc", "+a", "a\\b", "a%b", "a$b", "a;b", "a|b", "😀"),
    *("a" * 81, "\ud800", "a\u202eb", "a\u200bb", None, 3, True, ["a"]),
]


@pytest.mark.parametrize("name", GOOD_BRANCHES)
def test_a_branch_is_named_in_letters_and_digits_of_any_language(name):
    assert validation.branch(name) == name
    assert name in given(done(), done(branch=name)).lines


@pytest.mark.parametrize("name", BAD_BRANCHES)
def test_what_cannot_name_a_branch_is_refused(name):
    with pytest.raises(BadValue) as refused:
        validation.branch(name)

    assert refused.value.field == "branch_id"
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("name", [name for name in BAD_BRANCHES if isinstance(name, str)])
def test_a_step_on_a_branch_that_cannot_be_named_is_refused(name):
    with pytest.raises(BadValue, match=r"^branch_id"):
        given(done(), done(branch=name))


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("plain", "plain"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("中文 δ 😀 e\u0301 \u202e", "中文 δ 😀 e\u0301 \u202e"),
        ("x" * 100_000, "x" * 100_000),
        ("\r\n" * 100_000, "\n" * 100_000),
        ("", ""),
    ],
)
def test_text_in_any_language_is_kept_with_its_line_breaks_made_alike(words, kept):
    assert validation.text("step_description", words) == kept


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("a\x00b", "holds the control character U+0000 at character 2"),
        ("\x07", "holds the control character U+0007 at character 1"),
        ("a\x1b[31m", "holds the control character U+001B at character 2"),
        ("a\x0b", "holds the control character U+000B at character 2"),
        ("a\x7f", "holds the control character U+007F at character 2"),
        ("a\x85", "holds the control character U+0085 at character 2"),
        ("ab\ud800", "is no Unicode text at character 3"),
        ("x" * 100_001, "has 100,001 characters; 100,000 are kept at most"),
    ],
)
def test_text_that_cannot_be_kept_is_refused(words, what):
    with pytest.raises(BadText) as refused:
        validation.text("step_description", words)

    assert str(refused.value).startswith(f"step_description {what}. ")
    with pytest.raises(BadText):
        given(done(words))


@pytest.mark.parametrize("words", ["", " ", "\n\t ", None, 3, b"a", ["a"], True])
def test_a_sentence_says_something(words):
    with pytest.raises(BadValue, match=r"^step_description"):
        given(done(words))


def test_a_sentence_is_kept_without_the_space_around_it():
    assert validation.sentence("reason", "  two words\n") == "two words"


@pytest.mark.parametrize("words", ["a\nb", "a\tb", "a\r\nb", "", " ", "a" * 121])
def test_a_name_is_on_one_line(words):
    with pytest.raises(Refused):
        validation.line("session", words, 120)
