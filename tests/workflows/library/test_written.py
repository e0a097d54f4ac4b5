"""Words of `--var` are what the variable is declared as: text stays text, all else is YAML; a
secret is of the environment."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wfnb.data_files import plain_yaml
from wfnb.errors import Refused
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.definition.variable_values import as_declared
from wfnb.workflows.library.key_value_words import secrets, variables

TEXTS: dict[str, Any] = {
    "default": "1.0",
    "typed": {"type": "string"},
    "choice": {"choices": ["1", "2"]},
    "secret": {"secret": True},
}
OTHERS: dict[str, Any] = {
    "number": {"type": "number"},
    "integer": {"type": "integer", "default": "x"},
    "boolean": {"type": "boolean"},
    "array": {"type": "array"},
    "empty": {"default": None},
    "mixed": {"choices": ["1", 2]},
}
BY_DEFAULT: dict[str, Any] = {"flag": False, "size": 1.5, "names": [], "env": {"default": {}}}
DECLARED = parse(
    {
        "variables": {**TEXTS, **OTHERS, **BY_DEFAULT},
        "steps": [{"tool": "sleep", "args": {"seconds": 0}}],
    }
).variables
WORDS = st.text() | st.text("'\"[]{}:,# 01.-nulltrue\n")


def declared(name: str, words: str) -> Any:
    return as_declared(DECLARED, variables([f"{name}={words}"], "wfnb run"))[name]


@given(name=st.sampled_from([*TEXTS]), words=WORDS)
@example("default", "'abc'")
@example("secret", '"a b"')
@example("typed", "[1")
def test_of_a_text_the_words_are_taken_as_they_are_written(name: str, words: str):
    assert declared(name, words) == words


@given(name=st.sampled_from([*OTHERS, "undeclared"]), words=WORDS)
@example("number", "1.10")
@example("array", "[1, a]")
@example("mixed", "'1'")
def test_of_anything_else_they_are_yaml(name: str, words: str):
    try:
        wanted = plain_yaml.load(words)
    except ValueError:
        with pytest.raises(Refused):
            declared(name, words)
    else:
        assert repr(declared(name, words)) == repr(wanted)


KINDS = {"flag": bool, "size": int | float, "names": list, "env": dict}
"""What each of `BY_DEFAULT` may be."""


@given(name=st.sampled_from([*BY_DEFAULT]), words=WORDS)
@example("flag", "no")
@example("flag", "0")
@example("flag", "true")
@example("size", "")
@example("size", "true")
@example("size", "3")
@example("names", "5")
@example("names", "null")
@example("env", "{a: 1}")
def test_where_a_default_alone_says_what_it_is_words_of_another_kind_are_refused(
    name: str, words: str
):
    try:
        read = plain_yaml.load(words)
    except ValueError:
        read = ValueError
    is_bool = isinstance(read, bool) == (name == "flag")
    fits = (isinstance(read, KINDS[name]) and is_bool) or (read is None and words.strip() != "")
    if fits:
        assert repr(declared(name, words)) == repr(read)
    else:
        with pytest.raises(Refused):
            declared(name, words)


def test_the_refusal_says_what_it_needs():
    with pytest.raises(Refused) as refused:
        declared("flag", "no")

    assert str(refused.value) == (
        "Variable 'flag' is 'no'. It needs true or false, as its default is; `type` says "
        "otherwise in the definition."
    )


@given(there=st.sets(st.sampled_from(["token", "TOKEN", "PROD_TOKEN"])))
def test_a_secret_is_that_of_the_variable_that_is_named_and_of_no_other(there: set[str]):
    with pytest.MonkeyPatch.context() as patch:
        for name in ("token", "TOKEN", "PROD_TOKEN"):
            patch.delenv(name, raising=False)
        for name in there:
            patch.setenv(name, f"that of {name}")

        for written, named in (("token=PROD_TOKEN", {"PROD_TOKEN"}), ("token", {"token", "TOKEN"})):
            try:
                found = secrets([written], "wfnb run", "Set {}")["token"]
            except Refused:
                assert not named & there
            else:
                assert found.removeprefix("that of ") in named & there
