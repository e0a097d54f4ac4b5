"""a sentence with `code` in it -> the same in HTML or Markdown, with that as code.

What stands between two backticks is code where nothing in it could mean more than itself.
"""

from __future__ import annotations

import re

from . import escape

_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_TAME = re.compile(r"[^|\\<>&!]+")


def html(text: str) -> str:
    """
    >>> html("`a` < b")
    '<code>a</code> &lt; b'
    """
    return _CODE.sub(r"<code>\1</code>", escape.html(text))


def markdown(text: str) -> str:
    r"""On one line: in a paragraph or a table's cell.

    >>> markdown("run `a_b`, not *c* or `x|y`")
    'run `a_b`, not \\*c\\* or \\`x\\|y\\`'
    """
    line, done, parts = escape.line(text), 0, []
    for code in _CODE.finditer(line):
        if _TAME.fullmatch(code[1]):
            parts += [_plain(line[done : code.start()], done), code[0]]
            done = code.end()
    return "".join([*parts, _plain(line[done:], done)])


def span(code: str) -> str:
    """A piece of code on one line of Markdown.

    >>> span("a_b(1)"), span("a < b | c")
    ('`a_b(1)`', 'a &lt; b \\\\| c')
    """
    line = escape.line(code)
    tame = "`" not in line and _TAME.fullmatch(line)
    return f"`{line}`" if tame else escape.markdown(line)


def _plain(part: str, at: int) -> str:
    """Escaped, with the spaces at its ends; only the beginning of a line can begin a list."""
    if not part.strip():
        return part
    before, after = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
    shown = escape.markdown(part if at == 0 else f"x{part.strip()}")
    return shown + after if at == 0 else before + shown[1:] + after
