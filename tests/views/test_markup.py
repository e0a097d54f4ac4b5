import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.views.graphs import HOSTILE
from wfnb.render.text.safe_markdown import html, plain, plain_title


def test_markdown_becomes_the_few_tags_that_text_needs():
    markdown = (
        "# A *b*\n\n- `c < d`\n- ~~e~~\n\n| f | g |\n|---|--:|\n| 1 | 2 |\n\n```python\nx\n```\n"
    )

    assert re.sub(r"\n", "", html(markdown)) == (
        "<h1>A <em>b</em></h1>"
        "<ul><li><code>c &lt; d</code></li><li><s>e</s></li></ul>"
        "<table><thead><tr><th>f</th><th>g</th></tr></thead>"
        "<tbody><tr><td>1</td><td>2</td></tr></tbody></table>"
        "<pre><code>x</code></pre>"
    )


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("<img src=x onerror=y>", "<p>&lt;img src=x onerror=y&gt;</p>"),
        ("[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>"),
        ("[a](data:text/html,b)", "<p>[a](data:text/html,b)</p>"),
        ("[a](file:///etc)", "<p>[a](file:///etc)</p>"),
        ("[a](ftp://b)", '<p><a rel="noopener noreferrer nofollow">a</a></p>'),
        ("![the *plot*](http://example.org/x.png)", "<p>the plot</p>"),
        ("![<b>](x)", "<p>&lt;b&gt;</p>"),
        ("a\x00b \x1b[31m \ud800", "<p>a␀b ␛[31m \ufffd</p>"),
        ("残差 👩\u200d🔬\nnext", "<p>残差 👩\u200d🔬\nnext</p>"),
    ],
)
def test_nothing_runs_and_nothing_is_fetched(markdown, shown):
    assert html(markdown).strip() == shown


@pytest.mark.parametrize("target", ["http://a.b", "https://a.b/?c=d&e", "mailto:a@b.c"])
def test_links_lead_out_without_telling_where_from(target):
    (link,) = ElementTree.fromstring(html(f"[a]({target})")).iter("a")

    assert (link.get("href"), link.get("rel")) == (target, "noopener noreferrer nofollow")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_markdown_gives_only_allowed_tags(text):
    shown = html(text)

    assert set(re.findall(r"<([a-z0-9]+)", shown)) <= {"p", "a", "code", "pre", "br", "table"} | {
        "thead",
        "tr",
        "th",
    }
    assert not re.search(r"<[^>]*\b(on\w+|style|class|id|src)=", shown)


@pytest.mark.parametrize("mark", ["[", "*", "`", ">", "![", "_a ", "[a](", "- ", "**a ", "<"])
def test_a_hundred_thousand_marks_are_read_without_trouble(mark):
    bomb = mark * (100_000 // len(mark))

    assert len(html(bomb)) < 1_000_000
    assert len(plain(bomb)) <= 100_000


@pytest.mark.parametrize(
    ("markdown", "said"),
    [
        ("Fit the baseline", "Fit the baseline"),
        ("## Are the *residuals* `drifting`?", "Are the residuals drifting?"),
        ("see [the plot](https://example.org) ![of x](y.png)", "see the plot of x"),
        ("- one\n- two", "one\ntwo"),
        ("a  \nb\nc", "a b c"),
        ("3 * 4 < 5 & 6", "3 * 4 < 5 & 6"),
        ("snake_case_name", "snake_case_name"),
        ("1. first", "first"),
        ("a\x1bb", "a␛b"),
        ("残差是否**漂移**？", "残差是否漂移？"),
        ("", ""),
    ],
)
def test_plain_is_what_would_be_read_aloud(markdown, said):
    assert plain(markdown) == said


TITLES = {
    "_a_ b": "_a_ b",
    "__init__ of A, __all__": "__init__ of A, __all__",
    "- words": "- words",
    "* words": "* words",
    "+ 3 degrees": "+ 3 degrees",
    "> 3 sigma": "> 3 sigma",
    "-": "-",
    "***": "***",
    "- [ ] todo": "- [ ] todo",
    "7) Results": "7) Results",
    "[a](b)": "[a](b)",
    "handlers[name](event.x)": "handlers[name](event.x)",
    "[ref]: http://a.b": "[ref]: http://a.b",
    "```py": "```py",
    "~~s~~": "~~s~~",
    "a*b*c, 2*3*4, x**2*y": "a*b*c, 2*3*4, x**2*y",
    "`a*b*c` and `__x__`": "a*b*c and __x__",
    "f(*args, **kwargs)": "f(*args, **kwargs)",
    "<b>x</b> & y": "<b>x</b> & y",
    "## **Two** *words*": "Two words",
    "See [the notes](https://a.b/c_d_e)": "See the notes",
    "![the plot](https://a.b/x.png)": "the plot",
}


@pytest.mark.parametrize("line", TITLES)
def test_a_title_loses_the_marks_of_headings_emphasis_code_and_addresses_alone(line):
    assert plain_title(line) == TITLES[line]


@given(st.text("ab1 _-+>~[](){}=,.:", min_size=1))
def test_a_title_without_such_marks_is_kept_sign_by_sign(line):
    assert plain_title(line) == line.strip()
