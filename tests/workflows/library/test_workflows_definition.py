"""A definition as people write it: YAML or JSON, read as data or refused in one line."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfnb.data_files import plain_yaml
from wfnb.errors import WorkflowBroken
from wfnb.workflows.library.definition_file import DEEPEST, MAX_BYTES, read_definition, read_file


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "a", "steps": [{"tool": "sleep", "args": {"seconds": 1}}]}',
        "name: a\nsteps:\n- tool: sleep\n  args: {seconds: 1}\n",
        "# two\n{name: a, steps: [{tool: sleep, args: {seconds: 1}}]}",
        '\ufeff\n {"name": "a", "steps": [{"tool": "sleep", "args": {"seconds": 1},}]}',
        '{"name": "a", # why\n "steps": [{"tool": "sleep", "args": {"seconds": 1}}]}',
    ],
    ids=["JSON", "YAML", "YAML in braces", "JSON with a comma too many", "JSON with a comment"],
)
def test_a_definition_is_read_from_yaml_and_from_json(text: str, tmp_path: Path):
    data = {"name": "a", "steps": [{"tool": "sleep", "args": {"seconds": 1}}]}
    (tmp_path / "a.workflow").write_text(text, "utf-8")

    assert read_definition(text) == data
    assert read_file(tmp_path / "a.workflow") == data


def test_words_are_text_where_yaml_1_2_says_so():
    assert read_definition("a: no\nb: 2026-11-21\nc: '1'\nd: 010\ne:\n") == {
        "a": "no",
        "b": "2026-11-21",
        "c": "1",
        "d": 10,
        "e": None,
    }


BOMB = "a: &a [x, x]\nb: [*a, *a]\n"
DEEP = DEEPEST + 1


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("steps:\n- tool: [a\n", "line 3, column 1: expected ',' or ']', but got '<stream end>'"),
        (
            "- [a\n",
            "line 2, column 1: expected ',' or ']', but got '<stream end>' (opened in line",
        ),
        ('a: "b\nc: d\n', "line 1, column 4: the quote that is opened here is never closed"),
        (
            "a:\n- {b: 'it''s}\n\n",
            "line 2, column 7: the quote that is opened here is never closed",
        ),
        ("print('hello')", "it has no `steps` or `states`, only the text \"print('hello')\""),
        ("a: 1\n b: 2\n", "line 2, column 3: mapping values are not allowed here"),
        ("a:\n\tb: 1", "line 2, column 1: found character '\\t' that cannot start any token"),
        ("a: 1\nb: 2\na: 3\n", "line 3, column 1: the key 'a' is there twice"),
        ("x:\n  - {a: 1, b: 2, a: 3}", "line 2, column 18: the key 'a' is there twice"),
        ("a: 1\n---\nb: 2\n", "line 2, column 1: expected a single document in the stream, but"),
        ("a: !!python/name:os.system x", "line 1, column 4: could not determine a constructor"),
        ("? [a]\n: 1\n", "line 1, column 3: found unhashable key"),
        ("a: \x00", "character 4: special characters are not allowed"),
        (BOMB, "it uses an alias (*name); write out what it stands for (line 2, column 5)"),
        ('{"a": 1\n "b": 2}', "line 2, column 2: expecting ',' delimiter"),
        ('{"a": {"b": 1, "b": 2}}', "the key 'b' is there twice"),
        ("[" * DEEP + "]" * DEEP, f"it is nested more than {DEEPEST} deep"),
        ('{"a":' * DEEP + "1" + "}" * DEEP, f"it is nested more than {DEEPEST} deep"),
        ("[" * 100_000, "it is nested too deep"),
        ('{"a":' * 100_000, "it is nested too deep"),
        ("x" * (MAX_BYTES + 1), "it is too large (10,000,001 bytes; 10,000,000 are read at most)"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line_that_says_where(text: str, what: str):
    with pytest.raises(WorkflowBroken) as refused:
        read_definition(text, "Cell 3")

    said = str(refused.value)
    assert said.startswith(f"Cell 3 cannot be read as a workflow: {what}")
    assert said.isprintable()
    assert len(said) < 400


def test_long_json_with_a_mistake_is_not_read_again_as_yaml():
    text = '{"a": "' + "x" * 200_000 + '",}'

    with pytest.raises(WorkflowBroken, match="line 1, column 200010: expecting property name"):
        read_definition(text)


def test_what_is_as_deep_as_it_may_be_is_read():
    text = "[" * DEEPEST + "]" * DEEPEST

    assert read_definition(text) == json.loads(text)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (None, "No such file or directory"),
        ("é".encode("latin-1"), "no UTF-8 text at byte 0"),
        (b"x" * (MAX_BYTES + 1), "it is too large"),
        (b"{", "line 1, column 2: expected the node content"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None, what: str):
    if content is not None:
        (tmp_path / "x.yaml").write_bytes(content)

    with pytest.raises(WorkflowBroken) as refused:
        read_file(tmp_path / "x.yaml")

    assert str(refused.value).startswith(f"x.yaml cannot be read as a workflow: {what}")


def test_a_file_is_named_as_it_was_written(tmp_path: Path):
    with pytest.raises(WorkflowBroken) as refused:
        read_file(tmp_path / "missing" / "x.yaml", "./missing/x.yaml")

    assert str(refused.value) == (
        "./missing/x.yaml cannot be read as a workflow: No such file or directory."
    )


def test_of_a_saved_workflow_the_definition_is_read(tmp_path: Path):
    file = tmp_path / "x.json"
    file.write_text('{"definition": {"steps": []}, "metadata": {"hash": ""}}')

    assert read_file(file) == {"steps": []}


DATA = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=("Cs",)))
    | st.sampled_from(
        ["no", "1e3", "0o7", "~", "<<", "=", " x ", "a: b", "# c", "a\n\n b\n", "- x"]
    ),
    lambda inside: st.lists(inside) | st.dictionaries(st.text("abc-: \n", max_size=5), inside),
    max_leaves=20,
)


@given(DATA)
def test_what_is_written_as_yaml_is_read_as_the_same(data):
    assert plain_yaml.load(plain_yaml.dump(data)) == data


def test_long_texts_are_written_as_they_are():
    assert plain_yaml.dump({"run": "make\nmake test\n", "same": [[1], [1]]}) == (
        "run: |\n  make\n  make test\nsame:\n- - 1\n- - 1\n"
    )
