"""Rule 6: strings are read as what they mean; what means nothing is refused with its field."""

import pytest

from tests.core.story import done, given
from wfnb.core import values
from wfnb.core.commands import AddStep, ScoreBranch
from wfnb.core.values import Place
from wfnb.errors import BadText, BadValue, Refused

HUGE = 10**5_000  # Python writes no number of so many digits
HUGE_PARAM = pytest.param(HUGE, id="huge")


@pytest.mark.parametrize(
    ("loose", "read"),
    [(1, 1), (3, 3), (10**9, 10**9), ("3", 3), (" 3 ", 3), ("007", 7), ("1000000000", 10**9)],
)
def test_rule_6_a_whole_number_is_read(loose, read):
    assert values.whole("step_number", loose) == read


@pytest.mark.parametrize(
    "loose",
    [
        *(0, -1, 2.5, 3.0, True, False, None, 10**9 + 1, HUGE_PARAM, float("nan")),
        *("0", "-1", "2.5", "1e3", "", " ", "three", "0x3", "1_000", "３", "²", "1000000001"),
        *("9" * 5_000, "3\x00", [3], {"n": 3}, b"3", object()),
    ],
)
def test_rule_6_what_is_no_whole_number_is_refused_with_the_fields_name(loose):
    with pytest.raises(BadValue) as refused:
        values.whole("total_steps", loose)

    assert refused.value.field == "total_steps"
    said = str(refused.value)
    assert said.startswith("total_steps is ")
    assert said.endswith("It needs a whole number from 1.")
    assert said.isprintable()


@pytest.mark.parametrize(
    ("loose", "read"),
    [(True, True), (False, False), ("true", True), ("False", False), (" TRUE ", True)],
)
def test_rule_6_a_truth_is_read(loose, read):
    assert values.truth("next_step_needed", loose) is read


@pytest.mark.parametrize("loose", ["", "yes", "1", "0", 1, 0, None, "truee", [], 1.0])
def test_rule_6_what_is_no_truth_is_refused_with_the_fields_name(loose):
    with pytest.raises(BadValue, match=r"^needs_more_steps is .*\. It needs true or false\.$"):
        values.truth("needs_more_steps", loose)


@pytest.mark.parametrize(("loose", "read"), [(1, 1.0), ("0.8", 0.8), ("-1e3", -1000.0), (" 2 ", 2)])
def test_a_number_is_read(loose, read):
    assert values.number("score", loose) == read


@pytest.mark.parametrize(
    "loose",
    [
        "",
        "high",
        "nan",
        "inf",
        None,
        True,
        float("inf"),
        float("nan"),
        HUGE_PARAM,
        [1],
        {},
    ],
)
def test_what_is_no_finite_number_is_refused(loose):
    with pytest.raises(BadValue, match=r"^score is .*It needs a number such as 0\.8\.$"):
        values.number("score", loose)


@pytest.mark.parametrize(
    ("loose", "read"),
    [
        (3, Place(number=3)),
        ("3", Place(number=3)),
        ("alt:3", Place(number=3, branch="alt")),
        ("main:1", Place(number=1, branch="main")),
        (Place(number=2, branch="b"), Place(number=2, branch="b")),
    ],
)
def test_a_place_is_read(loose, read):
    assert values.place("step", loose) == read
    assert values.place("step", str(read)) == read


@pytest.mark.parametrize(
    "loose", ["", "alt", "alt:", ":3", "alt:0", "alt:x", "a b:3", "../x:3", "a:b:3", 0, None, 1.5]
)
def test_what_is_no_place_is_refused(loose):
    with pytest.raises(BadValue):
        values.place("step", loose)


GOOD_BRANCHES = ["a", "1", "alt-2", "feature/x", "v1.2+b_3", "médiane", "中文", "δ", "a" * 80, "_x"]
BAD_BRANCHES = [
    *("", " ", "a b", "a\nb", "a\n", "\ta", "a\x00", "<script>", "a<b", "a:b", "a'b", 'a"b', "a`b"),
    *("-a", "--from", ".a", "../x", "./x", "/etc", "+a", "a\\b", "a%b", "a$b", "a;b", "a|b", "😀"),
    *("a" * 81, "\ud800", "a\u202eb", "a\u200bb", None, 3, True, ["a"]),
]


@pytest.mark.parametrize("name", GOOD_BRANCHES)
def test_a_branch_is_named_in_letters_and_digits_of_any_language(name):
    assert values.branch(name) == name
    assert name in given(done(), done(branch=name)).lines


@pytest.mark.parametrize("name", BAD_BRANCHES)
def test_what_cannot_name_a_branch_is_refused(name):
    with pytest.raises(BadValue) as refused:
        values.branch(name)

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
    assert values.text("step_description", words) == kept


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
        values.text("step_description", words)

    assert str(refused.value).startswith(f"step_description {what}. ")
    with pytest.raises(BadText):
        given(done(words))


@pytest.mark.parametrize("words", ["", " ", "\n\t ", None, 3, b"a", ["a"], True])
def test_a_sentence_says_something(words):
    with pytest.raises(BadValue, match=r"^step_description"):
        given(done(words))


def test_a_sentence_is_kept_without_the_space_around_it():
    assert values.sentence("reason", "  two words\n") == "two words"


@pytest.mark.parametrize("words", ["a\nb", "a\tb", "a\r\nb", "", " ", "a" * 121])
def test_a_name_is_on_one_line(words):
    with pytest.raises(Refused):
        values.line("session", words, 120)


def nested(levels, inner="x"):
    for _ in range(levels):
        inner = [inner]
    return inner


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (None, None),
        (True, True),
        (3, 3),
        (10**30, 10**30),
        (0.5, 0.5),
        ("a\r\nb", "a\nb"),
        ((1, [2, {"a": (3,)}]), [1, [2, {"a": [3]}]]),
        ({1: "one", None: "none"}, {"1": "one", "None": "none"}),
        (nested(20), nested(20)),
    ],
)
def test_a_field_is_kept_as_json_holds_it(value, kept):
    assert values.fields({"f": value}) == {"f": kept}


@pytest.mark.parametrize(
    "value",
    [
        *(
            float("nan"),
            float("inf"),
            [float("-inf")],
            {1, 2},
            b"x",
            object(),
            1j,
            HUGE_PARAM,
            [-HUGE],
        ),
        *(nested(21), nested(5_000), {"a": {"b": {3}}}, [{"a": object()}]),
        *("a\x00", ["a\x00"], {"a\x00": 1}, {"a": "\ud800"}, "x" * 100_001, ["x" * 100_001]),
    ],
)
def test_a_field_that_json_cannot_hold_is_refused_by_its_name(value):
    with pytest.raises(Refused, match=r"^field 'loss' ") as refused:
        given(done(fields={"loss": value}))

    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("fields", [["a"], "a", 3, {("a",)}])
def test_fields_that_have_no_names_are_refused(fields):
    with pytest.raises(BadValue, match=r"^fields is "):
        given(done(fields=fields))


@pytest.mark.parametrize("name", [3, None, "a\x00", "x" * 201])
def test_the_name_of_a_field_is_text(name):
    with pytest.raises(Refused, match=r"^field name "):
        given(done(fields={name: 1}))


@pytest.mark.parametrize(
    ("says", "field"),
    [
        ({"number": 0}, "step_number"),
        ({"number": True}, "step_number"),
        ({"total": 0}, "total_steps"),
        ({"total": -1}, "total_steps"),
        ({"revises": 0}, "revises_step"),
        ({"revises": 2.5}, "revises_step"),
        ({"branch": ""}, "branch_id"),
        ({"leaves": Place(number=1)}, "branch_id"),
    ],
)
@pytest.mark.parametrize("again", [False, True])
def test_a_command_is_read_as_carefully_as_a_line(says, field, again):
    number = {"number": 1} if again else {}

    with pytest.raises(BadValue) as refused:
        given(done("a"), AddStep(**({"description": "a"} | number | says)))

    assert refused.value.field == field


@pytest.mark.parametrize("score", ["high", float("nan"), HUGE_PARAM])
def test_a_score_is_a_number(score):
    with pytest.raises(BadValue, match=r"^score is"):
        given(done(), done(branch="alt"), ScoreBranch(branch="alt", score=score))


def test_a_long_source_is_cut_with_its_true_size_noted():
    cut = values.source("x" * 200_001)

    assert cut == "x" * 200_000 + "\n# … cut: 200,001 characters in all"
    assert values.source("x" * 200_000) == "x" * 200_000
    assert values.source("a\ud800b") == "a\\ud800b"
