"""a page -> the same page, with what its cells show: its `python` blocks, run in a real kernel.

The blocks of a page are cells, run in order. A `text` block right under one holds what it shows; a
line `…` in it stands for any number of lines. `python no-run` is not run, `<!-- new kernel -->`
starts another kernel beside the same `.wfnb`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_notebook

from wfnb.render.text.tables import text_table

ROOT = Path(__file__).parent.parent.parent
_PART = re.compile(r"^```(?P<kind>[^\n]*)\n(?P<body>.*?)^```\n|^<!-- new kernel -->\n", re.M | re.S)
_OURS = ("WFNB_HOME", "JPY_SESSION_NAME")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class CellFailed(Exception):
    """A cell of a page failed, and the page does not show how."""


def page_as_shown(page: str) -> str:
    """The page with each `text` block as its cell shows it; those that hold already are kept.
    Raises CellFailed."""
    return "".join(_parts(page))


def _parts(page: str) -> Iterator[str]:
    with _folder() as folder, _Kernels(folder) as kernels:
        at, shown = 0, None
        for part in _PART.finditer(page):
            between, kind = page[at : part.start()], part["kind"]
            under = shown is not None and kind == "text" and not between.strip()
            if shown is not None and shown.failed and not under:
                raise CellFailed(shown.plain)
            yield between
            yield shown.as_block(part) if under and shown else part[0]
            if kind is None:
                kernels.restart()
            shown = kernels.run(part["body"]) if kind == "python" else None
            at = part.end()
        if shown is not None and shown.failed:
            raise CellFailed(shown.plain)
        yield page[at:]


@contextmanager
def kernel() -> Iterator[Callable[[str], Shown]]:
    """A kernel in a folder of its own: what runs a cell in it."""
    with _folder() as folder, _Kernels(folder) as kernels:
        yield kernels.run


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder to run in that has the data of the example notebooks, and nothing else."""
    with TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "notebooks").mkdir()
        (folder / "notebooks" / "data").symlink_to(ROOT / "notebooks" / "data")
        yield folder


class Shown:
    """What a cell showed: `plain`, as a terminal has it, and `notebook`, where the answer to a
    step is one line that opens."""

    def __init__(self, outputs: list[dict[str, object]], failed: bool) -> None:
        self.failed = failed
        self.plain = _joined(_plain(output) for output in outputs)
        self.notebook = _joined(_notebook(output) for output in outputs)

    def as_block(self, block: re.Match[str]) -> str:
        """The block as it is, where it holds; else with what the cell showed."""
        if any(holds(block["body"], shown) for shown in (self.plain, self.notebook)):
            return block[0]
        return f"```text\n{self.notebook}```\n"


class _Kernels:
    """One kernel at a time, in a folder; `restart` ends it and starts another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> _Kernels:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self.setup.__exit__(None, None, None)

    def restart(self) -> None:
        self.__exit__()
        self._start()

    def _start(self) -> None:
        where = {"metadata": {"path": str(self.folder)}}
        self.client = NotebookClient(new_notebook(), resources=where, kernel_name="python3")
        self.setup = self.client.setup_kernel(env=_environment(self.folder))
        self.setup.__enter__()

    def run(self, code: str) -> Shown:
        cells = self.client.nb.cells
        cells.append(new_code_cell(code.rstrip()))
        try:
            self.client.execute_cell(cells[-1], len(cells) - 1)
        except CellExecutionError:
            return Shown(cells[-1].outputs, failed=True)
        return Shown(cells[-1].outputs, failed=False)


def _environment(folder: Path) -> dict[str, str]:
    known = {name: value for name, value in os.environ.items() if name not in _OURS}
    own = {"IPYTHONDIR": str(folder / ".ipython"), "XDG_DATA_HOME": str(folder / ".data")}
    return {**known, **own, "COLUMNS": "100"}


def holds(wanted: str, shown: str) -> bool:
    r"""Whether a block says what was shown; a line `…` stands for any number of lines.

    >>> holds("a\n…\nd\n", "a\nb\nc\nd\n"), holds("a\n…\nd\n", "a\nb\n")
    (True, False)
    """
    lines = (line.rstrip() + "\n" for line in wanted.splitlines())
    found = "".join(r"(?:.*\n)*" if line == "…\n" else re.escape(line) for line in lines)
    return re.fullmatch(found, shown) is not None


def _joined(outputs: Iterator[str]) -> str:
    lines = "".join(f"{output.strip(chr(10))}\n" for output in outputs).splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _plain(output: dict[str, object]) -> str:
    if output["output_type"] == "stream":
        return str(output["text"])
    if output["output_type"] == "error":
        return _COLOUR.sub("", "\n".join(output["traceback"]))
    return str(output["data"].get("text/plain", ""))


def _notebook(output: dict[str, object]) -> str:
    html = str(output.get("data", {}).get("text/html", ""))
    return answer_line(html) if 'class="wfnb-answer"' in html else _plain(output)


def answer_line(html: str) -> str:
    """The answer to a step as its one line is read in a notebook, and the lines under it."""
    reader = _AnswerReader()
    reader.feed(html)
    return "\n".join("  ".join(pieces) for pieces in reader.read() if pieces)


class _AnswerReader(HTMLParser):
    """The pieces of the summary make the first line, each `div` under it another one; a table is
    aligned as in a terminal."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[list[str]] = []
        self.open: list[str] = []
        self.hidden: int | None = None
        self.rows: list[list[str]] = []
        self.drawn: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        if self.hidden is None and (tag == "pre" or ("aria-hidden", "true") in attrs):
            self.hidden = len(self.open)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("th", "td"):
            self.rows[-1].append("")
        elif tag in ("div", "summary"):
            self.lines.append([])
        elif self.open[-2:-1] == ["summary"]:
            self.lines[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if self.hidden == len(self.open):
            self.hidden = None
        self.open.pop()
        if tag == "table":
            self.drawn += text_table(self.rows[0], self.rows[1:]).splitlines()
            self.rows = []

    def handle_data(self, data: str) -> None:
        if self.rows:
            self.rows[-1][-1] += data
        elif self.hidden is None and self.lines:
            line = self.lines[-1]
            line[-1:] = [(line[-1] if line else "") + data]

    def read(self) -> list[list[str]]:
        said = [[piece.strip(" ·") for piece in line if piece.strip()] for line in self.lines]
        return said + [[line] for line in self.drawn]
