"""The lines between `---` say what a step found; the code under them keeps its line numbers."""

import pytest

from wfnb.core.yaml_header import code_without_headers, split_header
from wfnb.errors import BadOption


def test_a_header_becomes_empty_lines():
    header, rest = split_header("\n---\nfinding: it ends\n  never\n---\nx = 1\ny = 2")

    assert header == "finding: it ends\n  never"
    assert rest.splitlines().index("x = 1") == 5


def test_a_header_may_be_written_as_comments():
    header, rest = split_header("# ---\n# issues:\n#   - high: no check\n# ---\n# words\nx = 1")

    assert header == "issues:\n  - high: no check"
    assert rest == "\n\n\n\n# words\nx = 1"


@pytest.mark.parametrize("body", ["", "x = 1", "x = 1\n---\nno: header\n---", "# words\n# ---\nx"])
def test_what_does_not_stand_first_is_no_header(body: str):
    assert split_header(body) == (None, body)


def test_a_fence_closes_a_header_of_its_own_form_only():
    assert split_header("---\n# ---\na: 1\n---")[0] == "# ---\na: 1"


def test_a_header_that_is_not_closed_is_refused():
    with pytest.raises(BadOption) as refused:
        split_header("---\nfinding: it ends\nx = 1")

    assert str(refused.value) == (
        "%%step: the header that begins with --- is not closed. Write the same line again under it."
    )


def test_an_empty_header_says_nothing():
    assert split_header("---\n---\nx = 1") == ("", "\n\nx = 1")


@pytest.mark.parametrize(
    "source",
    [
        "%%step 2\n---\nconfidence: low\n---\nx = 1",
        "%%step 3 --done\n\n# ---\n# confidence: high\n# ---\nx = 1",
        "%step 2\nx = 1",
        "x = 1",
    ],
)
def test_the_code_of_a_cell_is_the_same_whatever_it_found(source: str):
    assert code_without_headers(source) == "x = 1"


def test_every_step_of_a_cell_may_have_one():
    said = (
        "%step One\n# ---\n# context: a\n# ---\nx = 1\n%step Two\n# ---\n# context: b\n# ---\ny = 2"
    )

    assert code_without_headers(said) == "x = 1\ny = 2"
