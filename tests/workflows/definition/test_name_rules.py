"""Names in any script: what is one, what is none and why, and that every reader takes the same."""

import json
from keyword import iskeyword
from unicodedata import category, normalize

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from wfnb.data_files import plain_yaml
from wfnb.errors import BadValue, NameUnknown, WorkflowInvalid
from wfnb.workflows.core.decide import check_variable_names
from wfnb.workflows.definition.condition import Condition, holds
from wfnb.workflows.definition.expression import CONSTANTS, evaluate, expression_names
from wfnb.workflows.definition.name_rules import (
    FIRST,
    RULES,
    STATE,
    STEP,
    TOOL,
    WORKFLOW,
    fold,
    is_name,
    is_run_name,
    is_workflow_name,
)
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.definition.template import fill, names, placeholder
from wfnb.workflows.tools.tool import tool_of
from wfnb.workflows.views.dry_run import fill_known

from .checked import echo, found, lines, steps
from .test_schema import VALIDATOR

SCRIPTS = [
    *("größe", "naïve-1", "_café", "Ελλάδα", "проверка", "հաշիվ", "בדיקה", "فحص_٣", "दस्तावेज़१"),
    *(
        "ตรวจสอบ",
        "ការងារ",
        "検査",
        "けんさ",
        "ケンサ",
        "库存盘点",
        "검사",
        "ጥያቄ",
        "ᏣᎳᎩ",
        "二〇二六",
        "𠀋𠀋",
        "𞤀𞤣",
    ),
]
ODD = "aZ_-.9 \n²½①·‿→ßİı٣é\u0301\u200b\u200d\u202e\u00ad\ufe0f\u3000\u3164ＡﬁＫำ検𠀋"
NAMES = st.sampled_from(SCRIPTS) | st.text(
    st.characters(categories=("L", "Nl", "Mn", "Mc", "Nd")) | st.sampled_from("_-"), min_size=1
).map(lambda text: normalize("NFKC", text)).filter(is_name)
TEXTS = st.text(ODD, max_size=6) | st.text(max_size=6) | NAMES
UNSEEN = {0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F}
UNSEEN |= {*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}


def can_be(text, signs, begin):
    """The rule, said in another way."""

    def fits(sign, kinds, more):
        return sign in more or (category(sign) in kinds.split() and ord(sign) not in UNSEEN)

    letters = "Lu Ll Lt Lm Lo Nl"
    return (
        bool(text)
        and fits(text[0], letters, begin)
        and all(fits(sign, f"{letters} Mn Mc Nd", signs) for sign in text)
        and normalize("NFKC", text) == text
    )


@given(TEXTS)
def test_a_name_is_what_the_rule_says(text):
    assert is_name(text) == can_be(text, "_-", "_")
    assert (STATE.lacks(text) is None) == can_be(text, "_", "_")
    assert (TOOL.lacks(text) is None) == can_be(text, "_.-", "_")
    assert is_workflow_name(text) == can_be(text, "_-", "")


@given(NAMES)
def test_a_name_is_an_identifier_of_python_but_for_its_dashes(name):
    assume("\u2e2f" not in name)  # the one letter that Python takes for a sign

    assert name.replace("-", "_").isidentifier()


@given(st.from_regex(rf"{FIRST}\Z") | st.text(ODD, min_size=1, max_size=4))
def test_what_a_name_lacks_is_one_line_that_can_be_read(text):
    lacks = STEP.lacks(text)

    assert lacks is None or (lacks.isprintable() and len(lacks) < 200)


LACKING = [
    (STEP, "", "letters, digits, _ and -, beginning with a letter or _"),
    (STEP, "a→b", "letters, digits, _ and -, beginning with a letter or _ ('→' cannot be in it)"),
    (STATE, "a-b", "letters, digits and _, beginning with a letter or _ ('-' cannot be in it)"),
    (STEP, "٣", "letters, digits, _ and -, beginning with a letter or _ ('٣' cannot begin it)"),
    (STEP, "x²", "letters, digits, _ and -, beginning with a letter or _ ('²' cannot be in it)"),
    (
        STEP,
        "\u0301a",
        "letters, digits, _ and -, beginning with a letter or _ "
        "(U+0301 COMBINING ACUTE ACCENT cannot begin it)",
    ),
    (
        STEP,
        "a\u202eb",
        "letters, digits, _ and -, beginning with a letter or _ "
        "(U+202E RIGHT-TO-LEFT OVERRIDE cannot be in it)",
    ),
    (
        STEP,
        "葛\U000e0100",
        "letters, digits, _ and -, beginning with a letter or _ "
        "(U+E0100 VARIATION SELECTOR-17 cannot be in it)",
    ),
    (STEP, "gro\u0308ße", "its normal form (NFKC), which may look the same: 'größe'"),
    (STEP, "ﬁle", "its normal form (NFKC), which may look the same: 'file'"),
    (STEP, "ＡＢ", "its normal form (NFKC), which may look the same: 'AB'"),
    (WORKFLOW, "_a", "up to 64 letters, digits, _ and -, beginning with a letter ('_' cannot beg"),
    (WORKFLOW, "库" * 65, "up to 64 letters, digits, _ and -, beginning with a letter"),
    (WORKFLOW, "𠀋" * 51, "at most 200 bytes in UTF-8, and not 204"),
    (
        TOOL,
        "a b",
        "up to 64 letters, digits, _ . and -, beginning with a letter or _ (' ' cannot b",
    ),
    (STEP, 3, "letters, digits, _ and -, beginning with a letter or _"),
]


@pytest.mark.parametrize(("rule", "text", "line"), LACKING)
def test_what_is_no_name_lacks_something_that_can_be_said(rule, text, line):
    assert str(rule.lacks(text)).startswith(line)


def test_a_refusal_says_what_a_name_needs():
    with pytest.raises(BadValue) as variable:
        check_variable_names(["ﬁn"])
    with pytest.raises(BadValue) as tool:
        tool_of(lambda: 1, name="é\u200b")
    with pytest.raises(WorkflowInvalid) as workflow:
        parse({"steps": [{"id": "ﬁn", "tool": "shell"}, {"id": "a\u00a0b", "tool": "x"}]})

    needs = "its normal form (NFKC), which may look the same: 'fin'"
    assert str(variable.value) == f"a variable's name is 'ﬁn'. It needs {needs}."
    assert str(tool.value).endswith("(U+200B ZERO WIDTH SPACE cannot be in it).")
    assert [(p.path, p.rule, p.message) for p in workflow.value.problems] == [
        ("steps.0.id", "name", f"steps.0.id is 'ﬁn'; a name has {needs}"),
        (
            "steps.1.id",
            "name",
            "steps.1.id is 'a\\xa0b'; a name has letters, digits, _ and -, beginning with a letter "
            "or _ (U+00A0 NO-BREAK SPACE cannot be in it)",
        ),
    ]


def document(name, key="id"):
    """A workflow of one action that has the name somewhere."""
    match key:
        case "state":
            state = {"action": {"tool": "shell"}, "on_timeout": name}
            return {"name": "w", "initial_state": name, "states": {name: state}}
        case "tool":
            return {"steps": [{"tool": name}]}
        case "name":
            return {"name": name, "steps": [{"tool": "shell"}]}
        case _:
            steps = [{"id": "x", "tool": "x", "needs": [name]}, {"id": name, "tool": "x"}]
            return {"variables": {name: 1}, "steps": steps, "mode": "parallel"}


PLACES = {"state": STATE, "tool": TOOL, "name": WORKFLOW, "id": STEP}


def is_read(data):
    try:
        parse(data)
    except WorkflowInvalid:
        return False
    return True


@given(TEXTS, st.sampled_from(list(PLACES)))
@example("x", "id")
def test_a_reader_takes_what_is_a_name_and_the_schema_lets_it_pass(text, place):
    assume(text != "x" and not any("\ud800" <= sign <= "\udfff" for sign in text))
    rule = PLACES[place]
    reads = is_read(document(text, place))
    passes = VALIDATOR.is_valid(document(text, place))

    assert reads == (rule.lacks(text) is None)
    assert passes or not reads
    assert passes == reads or not text.isascii()


@pytest.mark.parametrize("pattern", RULES)
def test_a_pattern_of_the_schema_ends_at_once(pattern):
    schema = Draft202012Validator({"pattern": pattern})

    assert schema.is_valid("库" * 100_000)
    assert not schema.is_valid("库" * 100_000 + "!")


@given(NAMES)
def test_a_name_comes_back_from_every_form_in_which_it_is_written(name):
    data = document(name)
    assume(name != "x")

    assert json.loads(json.dumps(data)) == data
    assert plain_yaml.load(plain_yaml.dump(data)) == data
    assert parse(parse(data).data) == parse(data)
    assert list(parse(data).actions) == ["x", name]


@given(NAMES)
def test_a_name_is_the_same_in_placeholders_and_expressions(name):
    scope = {name: 3, "steps": {name: {"stdout": "yes"}}}
    text = f"{{{name}}}, {{steps.{name}.stdout!q}} and {{{{{name}}}}}"

    assert placeholder(f"{{{name}}}") == name
    assert [found for _, found in names({"p": text})] == [name, f"steps.{name}.stdout"]
    assert fill({"p": text}, scope) == {"p": f"3, yes and {{{name}}}"}
    assert expression_names(f'steps["{name}"].stdout == "yes"') == (f"steps.{name}.stdout",)
    if name.isidentifier() and not iskeyword(name) and name not in CONSTANTS:
        assert evaluate(f"steps.{name}.stdout == 'yes' and {name} < 4", scope) is True


@given(NAMES.filter(is_workflow_name), st.integers(1, 10**9))
def test_the_name_of_a_run_is_that_of_its_workflow_and_a_number(name, number):
    assert is_run_name(f"{name}-{number}")
    assert not is_run_name(f"{name}-")
    assert not is_run_name(f"{name}-٣")


@given(NAMES, NAMES)
def test_names_that_a_disk_may_take_for_one_are_folded_to_one(name, other):
    for same in (name.upper(), name.lower(), name.title(), normalize("NFD", name)):
        if normalize("NFKC", same.casefold()) == normalize("NFKC", name.casefold()):
            assert fold(same) == fold(name)
    assert fold(fold(name)) == fold(name)
    assert (fold(name) == fold(other)) == (fold(name.swapcase()) == fold(other.swapcase()))


def test_what_looks_the_same_in_a_call_is_refused_with_the_form_that_is_known():
    work = steps(
        echo("{gro\u0308ße!q} {steps.ﬁn.stdout!q}", id="a", when="gro\u0308ße > 3"),
        mode="sequence",
        variables={"größe": 4},
    )
    work["steps"].insert(0, echo("ok", id="fin"))

    where = "steps.1 (a).args.command needs its normal form (NFKC), which may look the same"
    assert lines(found(work).problems) == [
        f"{{gro\u0308ße}} in {where}: 'größe'",
        f"{{steps.ﬁn.stdout}} in {where}: 'steps.fin.stdout'",
        "A name in steps.1 (a).when needs its normal form (NFKC), which may look the same: 'größe'",
    ]


def test_a_group_of_a_pattern_is_a_name():
    of_tool = {"tool": "await_output", "args": {"pattern": "(?P<ﬁn>x)"}}
    work = steps(echo("x", capture=["(?P<größe>.)", "(?P<a·b>.)"]), of_tool, echo("{größe!q}"))

    assert lines(found(work).problems) == [
        "A pattern of steps.0 captures 'a·b'; a name has letters, digits, _ and -, beginning with "
        "a letter or _ ('·' cannot be in it)",
        "A pattern of steps.1 captures 'ﬁn'; a name has its normal form (NFKC), which may look the "
        "same: 'fin'",
    ]


def test_a_place_in_a_list_is_written_with_the_digits_of_ascii():
    scope = {"rows": ["a", "b"], "data": {"٣": "c", "1": "d"}}

    assert fill({"p": "{rows.1} {data.٣} {data.1}"}, scope) == {"p": "b c d"}
    with pytest.raises(NameUnknown):
        fill({"p": "{rows.١}"}, scope)
    assert fill_known({"p": "{rows.1} {rows.١}"}, scope) == {"p": "b {rows.١}"}
    for place, holds_there in (("rows.1", True), ("rows.١", False)):
        condition = Condition(field_equals={place: "b"})
        assert holds(condition, {"success": True, **scope}) is holds_there


@pytest.mark.parametrize(
    ("said", "warned"),
    [
        (
            "{a_error_type!q}",
            "is a field of two actions, and means the one that ended last: "
            "write {a.error_type} or {a_error.type}",
        ),
        ("{a.error_type!q} {a_error.type!q}", ""),
    ],
)
def test_a_name_that_fields_of_two_actions_have_is_warned_of(said, warned):
    given = {"on_error": [{"result": {"type": "none"}}]}

    checked = found(steps(echo("1", id="a"), echo("2", id="a_error", **given), echo(said)))

    assert (lines(checked.problems), [warned in line for line in lines(checked.warnings)]) == (
        [],
        [True] * bool(warned),
    )
