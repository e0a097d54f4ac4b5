"""words -> Markdown: what every generated page is put together from."""

from collections.abc import Iterable
from textwrap import wrap


def made_from(*sources: str) -> str:
    """The first line of a generated file.

    >>> made_from("wfnb/errors/")
    '<!-- Made by `make docs` from wfnb/errors/. Change that, not this. -->'
    """
    change = "that" if len(sources) == 1 else "those"
    return f"<!-- Made by `make docs` from {' and '.join(sources)}. Change {change}, not this. -->"


def page(*parts: str) -> str:
    """Parts with a blank line between them; empty ones are left out."""
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"


def wrapped(text: str, mark: str = "") -> str:
    """A paragraph, or with `mark` an entry of a list, in lines of at most 100 characters."""
    lines = wrap(text, 100 - len(mark), break_long_words=False, break_on_hyphens=False)
    return mark + f"\n{' ' * len(mark)}".join(lines)


def code(text: str, language: str = "") -> str:
    body = text.rstrip("\n")
    return f"```{language}\n{body}\n```"


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table; "" where there are no rows."""
    lines = [_row(row) for row in rows]
    heads = tuple(heads)
    return "\n".join([_row(heads), _row("---" for _ in heads), *lines]) if lines else ""


def _row(cells: Iterable[str]) -> str:
    """
    >>> _row(["`a | b`", "two\\nlines"])
    '| `a \\\\| b` | two lines |'
    """
    said = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(said)} |"
