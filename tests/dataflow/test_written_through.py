"""An object of a library that is made of another, and writes through it: who read the other one is
stale. What only reads it changes nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dataflow.kernel import Kernel

FIGURE = "from matplotlib.figure import Figure\nfig = Figure()\nax = fig.subplots()"
LINE = FIGURE + "\nline, = ax.plot([1, 2])"
IMAGE = "from PIL import Image, ImageDraw\nimg = Image.new('{}', ({}, 9))"
SMALL = IMAGE.format("L", 9)
DRAW = SMALL + "\ndraw = ImageDraw.Draw(img)"
SOUP = (
    "from bs4 import BeautifulSoup\n"
    "soup = BeautifulSoup('<a><b k=\"1\" class=\"u v\">t</b><c>u</c></a>', 'html.parser')"
)
TAG = SOUP + "\nb = soup.b"
XML = "from xml.dom import minidom\ndoc = minidom.parseString('<a><b k=\"1\">t</b><c>u</c></a>')"
NODE = XML + "\nb = doc.documentElement.firstChild"
TREE = "import xml.etree.ElementTree as ET\nroot = ET.fromstring('<a><b>t</b></a>')\nb = root[0]"
BASE = (
    "import sqlite3\ndb = sqlite3.connect(':memory:')\n_ = db.execute('create table t (a)')\n"
    "cursor = db.cursor()"
)
COUNT = "db.execute('select count(*) from t').fetchall()"
CATEGORY = "import pandas as pd\ns = pd.Series(['a', 'b'], dtype='category')\nc = s.cat.categories"
TITLE = "fig.axes[0].get_title()"
LOGGER = (
    "import io, logging\nbuffer = io.StringIO()\nlog = logging.Logger('own', logging.INFO)\n"
    "log.addHandler(logging.StreamHandler(buffer))"
)
WRITES: dict[str, tuple[str, str, str]] = {
    "a text, by a logger": (LOGGER, "buffer.getvalue()", "log.info('e')"),
    "a text, by a logger in a function": (
        *(LOGGER, "buffer.getvalue()"),
        "def tell(): log.info('e')\ntell()",
    ),
    "axes, through the figure, by who reads both": (
        *(FIGURE, "ax.get_title()"),
        "fig.gca().set_title(ax.get_title() + 'e')",
    ),
    "axes among those of the figure": (
        *(FIGURE, "ax.get_title()"),
        "n = ax.get_xlim()\nfig.axes[0].set_title('e')",
    ),
    "the figure, through its axes": (FIGURE, TITLE, f"t = {TITLE}\nax.set_title('e')"),
    "axes, through a line": (
        *(LINE, "ax.lines[0].get_ydata()"),
        "n = len(ax.lines)\nline.set_ydata([3, 4])",
    ),
    "a picture, by a pencil": (DRAW, "img.tobytes()", "draw.line([(0, 0), (3, 3)], fill=9)"),
    "a picture, by a pencil, by who reads both": (
        *(DRAW, "img.tobytes()"),
        "draw.line([(0, 0), (img.width, 3)], fill=9)",
    ),
    "a picture, by a pencil without a name": (
        *(SMALL, "img.tobytes()"),
        "ImageDraw.Draw(img).point((0, 0), fill=9)",
    ),
    "a picture, by a pencil of a function": (
        *(SMALL, "img.tobytes()"),
        "def f(i):\n    d = ImageDraw.Draw(i)\n    d.text((0, 0), 'a', fill=9)\nf(img)",
    ),
    "a large picture, by a pencil": (
        *(IMAGE.format("RGB", 60_000), "img.getpixel((3, 4))"),
        "draw = ImageDraw.Draw(img)\ndraw.rectangle([(0, 0), (59_999, 8)], fill=(9, 9, 9))",
    ),
    "a tree, through a tag": (TAG, "str(soup)", "b.string = 'new'"),
    "a tree, through a tag, by who reads both": (
        *(TAG, "str(soup)"),
        "n = len(str(soup))\nb.string = 'new'",
    ),
    "a tag, through the tree": (TAG, "str(b)", "n = b.name\nsoup.b.string = 'new'"),
    "a tree, through a tag of the cell": (SOUP, "str(soup)", "b = soup.find('b')\nb.append('z')"),
    "a tree, through tags of a loop": (
        *(SOUP, "str(soup)"),
        "for b in soup.find_all('b'):\n    b.name = 'q'",
    ),
    "a tree, through a tag without a name": (SOUP, "str(soup)", "soup.find('c').decompose()"),
    "an attribute of a tag": (SOUP, "str(soup)", "soup.find('b')['k'] = '2'"),
    "a class of a tag": (SOUP, "str(soup)", "soup.find('b')['class'].append('w')"),
    "a tree, wrapped": (SOUP, "str(soup)", "_ = soup.b.wrap(soup.new_tag('z'))"),
    "a tree, by a function": (
        *(SOUP, "str(soup)"),
        "def f(s):\n    for b in s.find_all('b'):\n        b.extract()\nf(soup)",
    ),
    "a document, through a node of the cell": (
        *(XML, "doc.toxml()"),
        "for b in doc.getElementsByTagName('b'):\n    b.tagName = 'q'",
    ),
    "a text in a document": (
        *(XML, "doc.toxml()"),
        "doc.getElementsByTagName('b')[0].firstChild.data = 'q'",
    ),
    "an attribute in a document": (
        *(XML, "doc.toxml()"),
        "doc.getElementsByTagName('b')[0].setAttribute('k', '2')",
    ),
    "a document, through a node, by who reads both": (
        *(NODE, "doc.toxml()"),
        "_ = b.appendChild(doc.createTextNode('r'))",
    ),
    "a node, through its document": (
        *(NODE, "b.toxml()"),
        "n = b.tagName\ndoc.documentElement.firstChild.setAttribute('q', 'v')",
    ),
    "a node without its document": (NODE, "doc.toxml()", "_ = b.parentNode.removeChild(b)"),
    "an element, through its parent": (TREE, "b.text", "n = b.tag\nroot[0].text = 'q'"),
    "a database, by a cursor": (
        *(BASE, COUNT),
        f"n = {COUNT}\n_ = cursor.execute('insert into t values (1)')",
    ),
    "categories, through their series": (CATEGORY, "str(c.name)", "s.cat.categories.name = 'z'"),
    "a series, through its categories": (CATEGORY, "str(s.cat.categories.name)", "c.name = 'z'"),
    "a series, through its own categories": (
        *(CATEGORY, "str(s.cat.categories.name)"),
        "s.cat.categories.name = 'z'",
    ),
}
"""What sets it up, a cell that reads it, and one that changes what was read through another."""
READS: dict[str, tuple[str, str, str]] = {
    "a figure and its axes": (LINE, "ax", "n = fig.axes[0].get_title() + ax.get_xlabel()"),
    "a picture": (
        *(DRAW, "draw"),
        "import numpy as np\nn = np.asarray(img.resize((3, 3))).sum(), draw.mode",
    ),
    "a tree": (
        *(TAG, "b"),
        "n = [t.get_text() for t in soup.find_all('b')], b.parent.name, str(b)",
    ),
    "a document": (
        *(NODE, "b"),
        "n = doc.toxml(), [e.tagName for e in doc.getElementsByTagName('b')]",
    ),
    "two models": (
        *("from sklearn.linear_model import Ridge\nm, k = Ridge(), Ridge()", "m"),
        "k.set_params(alpha=3)\nn = m.get_params()",
    ),
}
"""What sets it up, a name, and a cell that reads what it holds and what is around that."""


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    monkeypatch.setenv("WFNB_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "argv", ["wfnb"])
    monkeypatch.chdir(tmp_path)
    kernel = Kernel("through")
    yield kernel
    kernel.stop()


def stale(kernel: Kernel, cells: list[str], runs: list[int]) -> set[int]:
    for number in runs:
        seen, _ = kernel.run(f"%%step T\n{cells[number - 1]}", f"cell-{number}")
        assert seen.error is None
    return {step["number"] for step in kernel.marks() if step["stale"]}


@pytest.mark.parametrize("way", WRITES)
def test_what_was_read_and_then_changed_through_another_is_stale(kernel: Kernel, way: str):
    setup, read, change = WRITES[way]

    assert 2 in stale(kernel, [setup, read, change], [1, 2, 3, 2])


TIMES = (
    "import pandas as pd\n"
    "ts = pd.Series([0, 1, 2, 3], index=pd.date_range('2024-01-01', periods=4))"
)
MADE_OF = {
    "an interval of times": (TIMES, "r = ts.resample('2D')", "ts.iloc[0] = 9", "n = r.sum()"),
    "groups of times": (
        *(TIMES, "r = ts.groupby(pd.Grouper(freq='2D'))", "ts.iloc[0] = 9", "n = r.sum()"),
    ),
    "a tag": (SOUP, "b = soup.b", "b.extract()", "n = soup.get_text()"),
}


@pytest.mark.parametrize("what", MADE_OF)
def test_what_was_made_of_another_is_changed_with_it_in_each_run(kernel: Kernel, what: str):
    cells = MADE_OF[what]
    assert stale(kernel, [*cells], [1, 2, 3, 4]) == set()

    assert stale(kernel, [*cells], [1, 2, 4]) == {4}


@pytest.mark.parametrize("way", ["log.info('e')", "def tell(): log.info('e')\ntell()"])
def test_what_a_logger_writes_is_the_work_of_who_has_it(kernel: Kernel, way: str):
    cells = [LOGGER, "log.warning('a')", way, "n = buffer.getvalue()"]

    assert stale(kernel, cells, [1, 2, 3, 4]) == set()


@pytest.mark.parametrize("what", READS)
def test_what_is_only_read_beside_others_is_not_changed(kernel: Kernel, what: str):
    setup, name, read = READS[what]

    assert stale(kernel, [setup, f"q = {name}.__class__", read], [1, 2, 3, 2]) == set()
