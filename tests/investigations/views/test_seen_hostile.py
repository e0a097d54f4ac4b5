"""Hostile text in what was looked at stays text."""

from xml.etree import ElementTree

import pytest

from tests.views.graphs import HOSTILE
from wfnb.core.findings import Call, CallPath
from wfnb.inspection.result_types import (
    ChangedFile,
    Changes,
    Definition,
    Outline,
    UndocumentedFiles,
)
from wfnb.investigations.views import code_evidence
from wfnb.investigations.views.code_evidence import EvidenceView


def saying(text: str) -> list[EvidenceView]:
    return [
        code_evidence.changes(
            Changes(
                top=text,
                branch=text,
                upstream=text,
                commit=text,
                subject=text,
                changed=(ChangedFile(path=text, where="staged", how=text, was=text),),
                patch=text,
                size=len(text),
            )
        ),
        code_evidence.outline(
            Outline(
                path=text,
                error=text,
                definitions=(Definition(name=text, kind="class", line=1, end=1, calls=(text,)),),
            )
        ),
        code_evidence.undocumented_view(
            UndocumentedFiles(folder=text, files=((text, 1),), broken=(text,), cut=text)
        ),
        code_evidence.calls(
            CallPath(
                target=text,
                path=text,
                line=1,
                also=(text,),
                calls=(Call(caller=text, callee=f"{text}2", path=text, line=1, inside=False),),
                cut=text,
            )
        ),
        code_evidence.part(text, (text,), 1, 1, len(text) + 1, 1),
    ]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("which", range(5))
def test_a_hostile_text_stays_text(which: int, text: str):
    shown = saying(text)[which]
    bundle = shown._repr_mimebundle_()

    page = bundle["text/html"]
    assert not [tag for tag in ("<script", "<img", "</style></title>") if tag in page]
    steering = ("\x00", "\x1b", "\u202e", "\ud800")
    assert not [sign for sign in steering if sign in page + bundle["text/plain"] + shown.markdown]
    ElementTree.fromstring(f"<div>{page}</div>")
    assert "![" not in shown.markdown.replace("\\![", "").partition("```")[0]
