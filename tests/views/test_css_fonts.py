"""Code that a cell shows says that it is monospaced: a page has rules of its own for it."""

import re

import pytest

from tests.investigations.views.inquiries import tides
from wfnb.inspection.result_types import ChangedFile, Changes
from wfnb.investigations.views import code_evidence
from wfnb.render.message import Message
from wfnb.render.text.css_fonts import CODE
from wfnb.views.step_card import Card

DIFFERS = Changes(
    top=".", changed=(ChangedFile(path="a", where="staged"),), patch="# staged\n+1\n", size=12
)
SHOWN = {
    "verb": Message("a\nb", None, block=True),
    "card": Card(tides().session, next(iter(tides().session.steps.values()))),
    "file": code_evidence.part("a.py", ("x = 1",), 1, 1, 6, 1),
    "difference": code_evidence.changes(DIFFERS),
}


@pytest.mark.parametrize("shown", SHOWN.values(), ids=SHOWN)
def test_code_is_monospaced(shown):
    html = shown._repr_mimebundle_()["text/html"]

    blocks = re.findall(r"<pre[^>]*>", html)
    assert [block for block in blocks if CODE not in block] == []
    assert blocks or shown is SHOWN["card"]
