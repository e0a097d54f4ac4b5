"""A document is written once: Markdown and HTML say the same, and hostile text stays text."""

import re
from html import unescape

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from wfnb.render import document
from wfnb.render.document import box, bullets, code, folded, heading, paragraph, prose, quiet

WORDS = st.text(st.sampled_from("ab 1.#-*_`<>&|\\[]!~\n"), max_size=12).map(
    lambda text: f"x{text}x"
)
LEAVES = st.one_of(
    st.builds(heading, st.integers(1, 6), WORDS),
    st.builds(paragraph, WORDS, WORDS),
    st.builds(quiet, WORDS),
    st.builds(code, WORDS),
    st.builds(bullets, st.lists(st.tuples(WORDS, st.lists(WORDS, max_size=2)), max_size=3)),
)
PARTS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(box, st.just("step"), st.lists(inner, max_size=3)),
        st.builds(folded, WORDS, st.lists(inner, max_size=3)),
    ),
    max_leaves=8,
)


def words(html: str) -> str:
    """What a person reads of it, without spaces, and without the backticks that may mark code."""
    return re.sub(r"[\s`]", "", unescape(re.sub(r"<[^>]*>", "", html)))


@given(st.lists(PARTS, max_size=5))
def test_both_forms_say_the_same_words(parts):
    rendered = MarkdownIt("commonmark").enable("table").render(document.markdown(parts))

    assert words(rendered) == words(document.html(parts))


@pytest.mark.parametrize("made", [heading.__get__(3), paragraph, quiet, prose, code])
def test_hostile_text_stays_text(made):
    parts = [made("</pre></div><script>alert(1)</script>\n```\n<img src=x>\x1b[31m ![a](b)")]

    for shown in (
        document.html(parts),
        MarkdownIt("commonmark").render(document.markdown(parts)),
    ):
        assert not re.search(r"<script|<img|\x1b", shown)


@given(said=st.text("ab1 .#*_~[]()<>!|-+=:$&;{}", min_size=1, max_size=12))
@example("C #")
@example("#")
def test_a_heading_says_all_its_words_in_markdown(said: str):
    shown = MarkdownIt("commonmark").render(heading(2, said).markdown())

    assert words(shown) == words(heading(2, said).html())
