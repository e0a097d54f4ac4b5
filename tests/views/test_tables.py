"""Tables as HTML: which words keep together."""

import re

from wfnb.render.text import inline_code
from wfnb.render.text.tables import html_table, markdown_table


def looks(html: str) -> dict[str, str]:
    """The style of each cell, by its text."""
    found = re.findall(r'<t[hd][^>]* style="([^"]*)">(.*?)</t[hd]>', html)
    return {text: style for style, text in found}


def test_words_keep_together_and_only_very_long_ones_are_broken():
    long = "wfnb/" * 30
    html = html_table(("step", "what", ""), [("1", "function", "206–210"), ("2", "a b", long)])

    found = looks(html)

    assert {"white-space:nowrap" in found[text] for text in ("step", "function", "206–210")} == {
        True
    }
    assert [text for text in found if "overflow-wrap:anywhere" in found[text]] == [long]
    assert "white-space:nowrap" not in found["a b"]


def test_what_stands_between_backticks_is_code_in_both_forms():
    rows = [("1", "call `a_b`, not c_d")]

    html = html_table(("", ""), rows, form=inline_code.html)
    markdown = markdown_table(("", ""), rows, form=inline_code.markdown)

    assert "<td" in html
    assert ">call <code>a_b</code>, not c_d</td>" in html
    assert markdown.endswith("| 1 | call `a_b`, not c\\_d |")


def test_a_word_is_not_parted_from_its_sign():
    made = html_table(("", "state"), [("1", "◌ stale"), ("2", "plain · abandoned"), ("3", "✓ ok")])

    firm = {text for text, style in looks(made).items() if "white-space:nowrap" in style}
    assert {"◌ stale", "✓ ok"} <= firm
    assert "plain · abandoned" not in firm
