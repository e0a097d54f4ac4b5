"""No expression and no text can hold a run up, or eat its memory."""

import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amount import times
from wfnb.errors import PatternInvalid, PatternTooSlow
from wfnb.workflows.definition.regex_search import MAX_LENGTH, compile_pattern, group_names, search


def test_a_search_finds_the_first_place_from_where_it_starts():
    first, second = search("o+", "foo boo"), search("o+", "foo boo", 3)

    assert first is not None
    assert second is not None
    assert (first.start(), first.end(), first.group()) == (1, 3, "oo")
    assert (second.start(), second.end()) == (5, 7)
    assert search("x", "foo") is None


@pytest.mark.parametrize(
    ("pattern", "found"), [("^b$", False), ("(?m)^b$", True), ("a.b", False), ("(?s)a.b", True)]
)
def test_ends_are_those_of_the_text_unless_the_pattern_says_of_lines(pattern, found):
    assert (search(pattern, "a\nb\nc") is not None) is found


def test_names_are_those_of_the_groups():
    assert group_names("(?P<host>[^:]+):(?P<port>[0-9]+)") == ("host", "port")
    assert group_names("(a)") == ()


SLOW = [
    ("(a+)+$", "a" * 5_000 + "b"),
    ("(a|aa)+$", "a" * 5_000 + "b"),
    ("(x+x+)+y", "x" * 5_000),
    ("^(([a-z])+.)+[A-Z]([a-z])+$", "a" * 5_000),
]


@pytest.mark.parametrize(("pattern", "text"), SLOW)
def test_a_search_that_would_not_end_is_given_up(pattern, text):
    with pytest.raises(PatternTooSlow) as refused:
        search(pattern, text)

    assert str(refused.value) == (
        f"Pattern {pattern!r} was not done after 1 s. "
        "Make it simpler: repetitions within repetitions, as in (a+)+, take that long."
    )


PARTS = "its repetitions make more than 100,000 parts"
CALLS = "it calls a group again, which is not read here"
INVALID = [
    ("(", "missing ) at position 1"),
    ("a**", "multiple repeat at position 2"),
    ("[a-", "unterminated character set at position 3"),
    ("\\", "bad escape (end of pattern) at position 1"),
    ("(?P<a", "missing > at position 5"),
    ("\\p{Foo}", "unknown property at position 7"),
    ("\\L<x>", "undefined named list at position 5"),
    ("x" * (MAX_LENGTH + 1), "it has 2,001 characters; 2,000 are read at most"),
    ("a{1000000000}", PARTS),
    ("(((a{100}){100}){100}){100}", PARTS),
    ("(?:(?:a?){1000}){1000}", PARTS),
    ("(?:a{1000}){1000}", PARTS),
    ("(?x:#[\n)#(?:(?:a{1000}){1000})]", PARTS),
    ("[^]a{]{1000000,}", PARTS),
    ("(?x)(a{1000}) # a thousand\n {1000}", PARTS),
    ("(?=a{1000000})", PARTS),
    ("(?R)", CALLS),
    ("(a|(?1))", CALLS),
    ("(?P<n>a(?&n))", CALLS),
    ("(?P<n>a(?P>n))", CALLS),
]


@pytest.mark.parametrize(("pattern", "what"), INVALID)
def test_what_is_no_expression_is_refused_with_the_reason(pattern, what):
    with pytest.raises(PatternInvalid) as refused:
        compile_pattern(pattern)

    shown = repr(pattern[:80])
    assert str(refused.value) == f"Pattern {shown} is no regular expression: {what}."


def refusal(pattern, text=""):
    try:
        search(pattern, text)
    except (PatternInvalid, PatternTooSlow) as error:
        return str(error)
    return None


def test_what_is_nested_too_deep_is_refused():
    said = refusal("(" * 990 + ")" * 990)

    assert said is not None
    assert "recursion depth" in said


@pytest.mark.parametrize(
    "pattern",
    [
        "[0-9a-f]{64}",
        "(?:[0-9]{4}-?){3}",
        "a{,5}",
        "{print}",
        "x{}",
        r"\(?R\)",
        "[(?R)]",
        r"\p{Lu}{3}",
        "(?i)error|fail",
        "a{0,99999}",
    ],
)
def test_what_people_write_is_read(pattern):
    assert compile_pattern(pattern)


def test_a_simple_pattern_reads_ten_megabytes():
    text = "line of output\n" * 700_000

    assert search("nothing of the kind", text) is None
    found = search("(?P<end>output)\n$", text)
    assert found is not None
    assert found.groupdict() == {"end": "output"}


@settings(max_examples=times(37, 300), deadline=None)
@given(st.text("()[]{}?*+|\\^$.,:<>=!#&PRax019- \n", max_size=30), st.text("ax0 \n", max_size=50))
def test_any_text_is_a_pattern_that_ends_or_is_refused(pattern, text):
    said = refusal(pattern, text)

    assert said is None or said.startswith("Pattern ")


BOUNDED = """
import json, random, resource, sys
from wfnb.errors import PatternInvalid, PatternTooSlow
from wfnb.workflows.definition.regex_search import compile_pattern, search

LIMIT = 1500 * 2**20
GROUPS = "(?:%s) (%s) (?>%s) (?:b%s|c) (?=%s) (?i:%s) (?x:%s) (?<=%s)".split()
TIMES = ["", *"+ * ? {2} {3,} {0,9} +? ++ {1,5}? {17} {e<=2}".split()]
resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
resource.setrlimit(resource.RLIMIT_CPU, (100, 100))

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

def tried(work, *given):
    try:
        work(*given)
    except PatternTooSlow:
        return "slow"
    except PatternInvalid as error:
        return error.what
    return "read"

said, drawn = {}, random.Random(7)
compile_pattern("a")
before = peak()
for pattern in json.load(sys.stdin):
    said[pattern] = tried(compile_pattern, pattern)
for _ in range(400):
    pattern = "a"
    for _ in range(drawn.randrange(40)):
        pattern = drawn.choice(GROUPS) % pattern + drawn.choice(TIMES)
    if len(pattern) <= 2000:
        tried(compile_pattern, pattern)
compiling = peak() - before
text = "ab" * 1_000_000
for pattern in ["(?:(a)|(b))*?[YZ]", "(?:(?P<x>a)|(?P<y>b)|(c)(d)?|e*)*[YZ]", "(a|b)*[YZ]"]:
    said[pattern] = tried(search, pattern, text)
json.dump([said, compiling], sys.stdout)
"""


def nested(begin: str, end: str, levels: int) -> str:
    return begin * levels + "a" + end * levels


def test_whatever_an_expression_looks_like_it_takes_no_more_than_its_share_of_memory():
    small = [nested("(?:", ")+", 9), nested("(", "){2}", 6), nested("(?:b|", ")*", 60)]
    large = [
        nested(begin, end, levels)
        for begin in ("(?:", "(", "(?>", "(?:b|", "(?i:", "(?:b", "(?x:#(\n")
        for end, levels in ((")+", 40), ("){2}", 25), ("){1,}", 30), (")+?", 90), ("){1,3}+", 22))
    ]
    large += ["(?x:#[\n)#" + nested("(?:", ")+", 40) + "]", nested("(?:(?:x)+", ")+", 60)]

    done = subprocess.run(
        [sys.executable, "-c", BOUNDED],
        input=json.dumps([*small, *large]),
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    said, megabytes = json.loads(done.stdout)
    assert {pattern: said[pattern] for pattern in small} == dict.fromkeys(small, "read")
    assert {pattern: said[pattern] for pattern in large} == dict.fromkeys(large, PARTS)
    assert megabytes < 400
