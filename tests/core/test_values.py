"""Rule 6: strings are read as what they mean; what means nothing is refused with its field."""

import pytest

from tests.core.story import done, given
from wfnb.core import validation
from wfnb.core.commands import AddStep, ScoreBranch
from wfnb.core.validation import StepPlace
from wfnb.errors import BadText, BadValue, Refused

HUGE = 10**5_000  # Python writes no number of so many digits
HUGE_PARAM = pytest.param(HUGE, id="huge")


@pytest.mark.parametrize(
    ("loose", "read"),
    [(1, 1), (3, 3), (10**9, 10**9), ("3", 3), (" 3 ", 3), ("007", 7), ("1000000000", 10**9)],
)
def test_rule_6_a_whole_number_is_read(loose, read):
    assert validation.whole("step_number", loose) == read


@pytest.mark.parametrize(
    "loose",
    [
        *(0, -1, 2.5, True, False, None, 10**9 + 1, HUGE_PARAM, float("nan")),
        *("0", "-1", "2.5", "1e3", "", " ", "three", "0x3", "1_000", "３", "²", "1000000001"),
        *("9" * 5_000, "3\x00", [3], {"n": 3}, b"3", object()),
    ],
)
def test_rule_6_what_is_no_whole_number_is_refused_with_the_fields_name(loose):
    with pytest.raises(BadValue) as refused:
        validation.whole("total_steps", loose)

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
    assert validation.truth("next_step_needed", loose) is read


@pytest.mark.parametrize("loose", ["", "yes", "1", "0", 1, 0, None, "truee", [], 1.0])
def test_rule_6_what_is_no_truth_is_refused_with_the_fields_name(loose):
    with pytest.raises(BadValue, match=r"^needs_more_steps is .*\. It needs true or false\.$"):
        validation.truth("needs_more_steps", loose)


@pytest.mark.parametrize(("loose", "read"), [(1, 1.0), ("0.8", 0.8), ("-1e3", -1000.0), (" 2 ", 2)])
def test_a_number_is_read(loose, read):
    assert validation.number("score", loose) == read


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
        validation.number("score", loose)


@pytest.mark.parametrize(
    ("loose", "read"),
    [
        (3, StepPlace(number=3)),
        ("3", StepPlace(number=3)),
        ("alt:3", StepPlace(number=3, branch="alt")),
        ("main:1", StepPlace(number=1, branch="main")),
        (StepPlace(number=2, branch="b"), StepPlace(number=2, branch="b")),
    ],
)
def test_a_place_is_read(loose, read):
    assert validation.place("step", loose) == read
    assert validation.place("step", str(read)) == read


@pytest.mark.parametrize(
    "loose", ["", "alt", "alt:", ":3", "alt:0", "alt:x", "a b:3", "../x:3", "a:b:3", 0, None, 1.5]
)
def test_what_is_no_place_is_refused(loose):
    with pytest.raises(BadValue):
        validation.place("step", loose)


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
    assert validation.fields({"f": value}) == {"f": kept}


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
        ({"leaves": StepPlace(number=1)}, "branch_id"),
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
    cut = validation.source("x" * 200_001)

    assert cut == "x" * 200_000 + "\n# … cut: 200,001 characters in all"
    assert validation.source("x" * 200_000) == "x" * 200_000
    assert validation.source("a\ud800b") == "a\\ud800b"


def nested(levels: int, wrap):
    value = 1
    for _ in range(levels):
        value = wrap(value)
    return value


@pytest.mark.parametrize("wrap", [lambda value: {"a": value}, lambda value: [value]])
def test_twenty_levels_are_a_value_and_one_more_is_none(wrap):
    assert validation.json("field", nested(20, wrap)) == nested(20, wrap)

    with pytest.raises(BadValue) as refusal:
        validation.json("field", nested(21, wrap))

    assert refusal.value.needs == "a value that JSON can hold, at most 20 levels deep"


def test_more_tags_than_one_reads_are_refused_by_their_number():
    with pytest.raises(BadValue) as refusal:
        validation.tags(f"t{n}" for n in range(validation.MAX_TAGS + 1))

    most = validation.MAX_TAGS
    assert (refusal.value.value, refusal.value.needs) == (f"{most + 1} of them", f"{most} at most")


class Scalar:
    """A number as NumPy has it."""

    def __init__(self, value: object, ndim: int = 0) -> None:
        self.value, self.ndim = value, ndim

    def item(self) -> object:
        return self.value


def test_a_number_of_numpy_is_read_at_any_level_and_an_array_is_none():
    assert validation.json("f", [Scalar(0.5), {"a": Scalar(3)}]) == [0.5, {"a": 3}]
    assert validation.json("f", nested(10, lambda value: [Scalar(value)])) == nested(
        10, lambda value: [value]
    )

    for wrong in (Scalar(float("nan")), Scalar([1], ndim=1), Scalar(object())):
        with pytest.raises(BadValue) as refusal:
            validation.json("field 'loss'", wrong)
        assert refusal.value.field == "field 'loss'"
    with pytest.raises(BadValue, match="20 levels"):
        validation.json("f", nested(21, Scalar))


@pytest.mark.parametrize(
    "wrap", [lambda value: value, lambda value: {"a": value}, lambda value: [value]]
)
def test_keys_that_are_no_texts_are_made_texts_or_refused_at_any_level(wrap):
    loose = wrap({1: "a", "b": 2})
    assert validation.fields({"f": loose}) == {"f": wrap({"1": "a", "b": 2})}
    assert validation.fields({"f": wrap({"b": 2})}, exact=True) == {"f": wrap({"b": 2})}

    with pytest.raises(BadValue) as refusal:
        validation.fields({"f": loose}, exact=True)

    said = refusal.value
    assert (said.field, said.needs) == ("field 'f'", "keys that are texts, as those of JSON are")
    assert said.value == "{1: 'a', 'b': 2}"


LIMITS = {
    "a whole number of ten digits": (validation.whole, "9" * 10, "9" * 10),
    "a long value": (validation.whole, "x" * 61, "x" * 60 + "…"),
    "a value of 60 characters": (validation.whole, "x" * 60, "x" * 60),
    "a truth": (validation.truth, ["x"], "['x']"),
    "a number": (validation.number, {"a": 1}, "{'a': 1}"),
    "a sentence": (validation.sentence, " \n", "\n"),
    "a text": (validation.text, 3, "3"),
    "a name": (lambda field, value: validation.line(field, value, 9), "a\nb", "a\nb"),
    "what cannot be shown": (validation.text, HUGE, "a int"),
}


@pytest.mark.parametrize("what", LIMITS)
def test_a_refusal_has_the_field_and_the_value_of_which_60_characters_are_shown(what):
    read, loose, shown = LIMITS[what]

    with pytest.raises(BadValue) as refusal:
        read("the field", loose)

    assert refusal.value.field == "the field"
    assert refusal.value.value.strip() == shown.strip()


def test_a_name_may_have_as_many_characters_as_its_limit_and_a_text_as_its_own():
    assert validation.line("session", "a" * 9, 9) == "a" * 9
    assert validation.text("note", "a" * 9, 9) == "a" * 9
    for read in (validation.line, validation.text):
        with pytest.raises(BadText, match="has 10 characters; 9 are kept at most"):
            read("session", "a" * 10, 9)
    with pytest.raises(BadValue, match="It needs words on one line"):
        validation.line("session", "a\tb", 9)


TAGS = {"a b": "a b", "x" * 41: "x" * 41, "-x" * 35: "-x" * 30, "": "", 3: "3"}


@pytest.mark.parametrize("tag", TAGS)
def test_what_is_no_tag_is_refused_with_60_characters_of_it(tag):
    with pytest.raises(BadValue) as refusal:
        validation.tags(["good", tag])

    assert (refusal.value.field, refusal.value.value) == ("tag", TAGS[tag])
    assert refusal.value.needs == "letters, digits, _ . + / or - without spaces, 40 at most"


def test_tags_stay_in_order_each_once_up_to_twenty_of_forty_letters():
    most = [f"t{n}" for n in range(20)]

    assert validation.tags([*most, "t3"]) == tuple(most)
    assert validation.tags(["b", "a", "b", "x" * 40]) == ("b", "a", "x" * 40)


def test_the_problem_of_a_file_is_told_with_its_place_in_printable_words():
    class Broken(Exception):
        def __init__(self, *loc: object) -> None:
            self.loc = loc

        def errors(self):
            return [{"loc": self.loc, "msg": "Input SHOULD be"}, {"loc": ("b",), "msg": "No"}]

    said = [validation.shape_problem(Broken(*loc)) for loc in ((), ("a", 1), ("a\n",), ("x" * 99,))]

    assert said == [
        "the file: input should be",
        "a.1: input should be",
        "'a\\n': input should be",
        f"{'x' * 80}: input should be",
    ]
