"""What a session is to keep, and what is a secret in it, is chosen in words."""

import pytest

from tests.core.story import Story
from wfnb.core.commands import ChooseKeeping, Undo
from wfnb.core.events import KeepingChosen
from wfnb.core.value_keeping import patterns
from wfnb.errors import BadValue


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["df"], ("df",)),
        (["df,model*", "x , df", ""], ("df", "model*", "x")),
        (["all"], ("all",)),
        (["m[ab]*", "größe", "_x"], ("m[ab]*", "größe", "_x")),
        (["none"], ()),
        ([], ()),
    ],
)
def test_names_and_patterns_stand_in_words_or_with_commas(words, names):
    assert patterns(words) == names


@pytest.mark.parametrize(
    "word", ["1x", "a.b", "df[0]()", "a b", "x-y", "none,df", "\x00", "x" * 201]
)
def test_what_can_be_no_name_is_refused(word):
    with pytest.raises(BadValue, match="keep"):
        patterns([word])


def test_more_names_than_a_person_types_are_refused():
    with pytest.raises(BadValue, match="at most 1,000"):
        patterns([",".join(f"x{number}" for number in range(1_001))])


def test_what_the_session_keeps_is_chosen_part_by_part():
    story = Story(ChooseKeeping(keep=("df",)))

    story.do(ChooseKeeping(budget=10**9))
    story.do(ChooseKeeping(secrets=("*pin*", "*pin*")))

    assert story.session.keeping == KeepingChosen(keep=("df",), budget=10**9, secrets=("*pin*",))
    assert story.do(ChooseKeeping(keep=("df",))) == []
    story.do(Undo())
    assert story.session.keeping == KeepingChosen(keep=("df",), budget=10**9)
    story.do(ChooseKeeping(keep=("none",)))
    assert story.session.keeping == KeepingChosen(budget=10**9)


def test_no_name_is_a_secret_or_the_usual_ones_are():
    story = Story(ChooseKeeping(keep=("df",), secrets=("none",)))
    assert story.session.keeping == KeepingChosen(keep=("df",), secrets=())

    story.do(ChooseKeeping(secrets=("default",)))

    assert story.session.keeping == KeepingChosen(keep=("df",))


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (ChooseKeeping(secrets=("none", "pin")), "none alone, or patterns"),
        (ChooseKeeping(keep=("1x",)), "keep is '1x'"),
        (ChooseKeeping(secrets=("a b",)), "secrets is 'a b'"),
        (ChooseKeeping(budget=0), "budget is '0'"),
    ],
)
def test_what_cannot_be_chosen_is_refused(command, why):
    with pytest.raises(BadValue, match=why):
        Story().do(command)
