"""any text -> the same text in one output's notation: one function per form, and no others.

Every function first makes the text printable: characters that would steer a terminal, a page or
a reading direction are shown as signs, and what no document may hold becomes U+FFFD.
"""

import re
from collections.abc import Mapping

_BIDI = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_SHOWN: Mapping[int, str] = {
    **{code: chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A)},
    0x0D: "\n",
    0x7F: "␡",
    **{code: f"⟨U+{code:04X}⟩" for code in (*range(0x80, 0xA0), *_BIDI)},
    0x85: "\n",
    0x2028: "\n",
    0x2029: "\n",
    **dict.fromkeys(range(55296, 57344), "�"),
    0xFFFE: "\ufffd",
    0xFFFF: "\ufffd",
}
_STRANGE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_XML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_ATTRIBUTE = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", "\n": "&#10;", "\t": " "}
)
_DOT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\\": "\\\\"})
_MERMAID = str.maketrans(
    {
        **{sign: f"#{ord(sign)};" for sign in "#%$*_`~\\{}[]()|:;@"},
        '"': "#quot;",
        "<": "#lt;",
        ">": "#gt;",
        "&": "#amp;",
    }
)
_MARKDOWN = re.compile(r"[\\`*_\[\]|~$!]|://|(?<=www)\.")
_MARKDOWN_START = re.compile(r"^([#+\-=:]|\d+(?=[.)]))")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")


def printable(text: str) -> str:
    r"""Text of any number of lines in which every character can be seen.

    >>> printable("a\x1b[31m\x00\r\nb\u202e\ud800")
    'a␛[31m␀\nb⟨U+202E⟩\ufffd'
    """
    # Nearly all text: each function here calls this, often thousands of times for one page.
    if text.isascii() and text.isprintable():
        return text
    return _STRANGE.sub(lambda match: _SHOWN[ord(match[0])], text.replace("\r\n", "\n"))


def line(text: str) -> str:
    r"""Plain text on one line.

    >>> line("  two\n\tlines \x07")
    'two lines ␇'
    """
    return " ".join(printable(text).split())


def html(text: str) -> str:
    """Text between the tags of HTML or SVG (XML 1.0).

    >>> html("</svg> & co")
    '&lt;/svg&gt; &amp; co'
    """
    return printable(text).translate(_XML)


def attribute(text: str) -> str:
    r"""The value of an attribute of HTML or SVG, to be put between quotes of either kind.

    >>> attribute("\"><img onerror='x'>")
    '&quot;&gt;&lt;img onerror=&#39;x&#39;&gt;'
    """
    return printable(text).translate(_ATTRIBUTE)


def dot(text: str) -> str:
    r"""A DOT label or tooltip on one line, to be put between double quotes.

    >>> dot(r'\N is <b>"bold"</b>')
    '\\\\N is &lt;b&gt;&quot;bold&quot;&lt;/b&gt;'
    """
    return line(text).translate(_DOT)


def mermaid(text: str) -> str:
    """A Mermaid label on one line, to be put between double quotes.

    >>> mermaid('say "1 < 2"; # end')
    'say #quot;1 #lt; 2#quot;#59; #35; end'
    """
    joined = line(text).replace("\\n", "\\\u2060n")  # Mermaid would break the line there
    return joined.translate(_MERMAID)


def markdown(text: str) -> str:
    r"""Text on one line of Markdown: in a paragraph, a heading or a table's cell.

    >>> markdown("# a|b *c* [d](e) <f>")
    '\\# a\\|b \\*c\\* \\[d\\](e) &lt;f&gt;'
    >>> markdown("1. see https://example.org")
    '1\\. see https\\://example.org'
    """
    marked = _MARKDOWN.sub(lambda match: "\\" + match[0], line(text).translate(_XML))
    start = _MARKDOWN_START.match(marked)
    if start is None:
        return marked
    # A backslash before a digit would be shown: it stands before the sign that makes it a list.
    end = start.end() if start[0].isdigit() else 0
    return f"{marked[:end]}\\{marked[end:]}"


def json_text(json: str) -> str:
    r"""JSON in which every character can be seen; what it says stays the same.

    >>> json_text('["a\x9b\u202e\u2028", "残差"]')
    '["a\\u009b\\u202e\\u2028", "残差"]'
    """
    return _STRANGE.sub(lambda match: f"\\u{ord(match[0]):04x}", json)


def without_tags(markdown: str) -> str:
    r"""Markdown of any number of lines that stays Markdown, with its HTML tags and its pictures
    shown as text: nothing is fetched.

    >>> without_tags("*a* <b>, 1 < 2, ![c](https://example.org)")
    '*a* &lt;b>, 1 < 2, !\\[c](https://example.org)'
    """
    return _TAG.sub("&lt;", printable(markdown)).replace("![", r"!\[")


def fence(text: str) -> str:
    """The line of backticks that can stand before and after a text in Markdown.

    >>> fence("a"), fence("```python")
    ('```', '````')
    """
    return "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))


def identifier(text: str) -> str:
    """A name made of ASCII letters, digits and underscores, for DOT and Mermaid.

    >>> identifier("sensor drift"), identifier("4 残差")
    ('sensor_drift', '_4_')
    """
    name = re.sub(r"[^A-Za-z0-9_]+", "_", text)
    return name if re.match(r"[A-Za-z_]", name) else f"_{name}"
