"""What was looked at, shown: from values built by hand."""

import json
import re
from xml.etree import ElementTree

from wfnb.core.findings import Call, CallPath
from wfnb.inspection.result_types import (
    ChangedFile,
    Changes,
    Definition,
    Outline,
    UndocumentedFiles,
)
from wfnb.investigations.views import code_evidence
from wfnb.investigations.views.code_evidence import CombinedEvidence
from wfnb.render.drawing.mermaid import mermaid
from wfnb.render.message import MIME

CHANGES = Changes(
    top=".",
    branch="main",
    upstream="origin/main",
    ahead=2,
    behind=1,
    commit="abc1234",
    subject="All of it",
    changed=(
        ChangedFile(path="new.txt", where="untracked", how="new"),
        ChangedFile(path="a.py", where="unstaged", added=1, removed=0),
        ChangedFile(path="b.py", where="staged", how="renamed", added=0, removed=2, was="old.py"),
        ChangedFile(path="c.py", where="conflict", how="both modified"),
    ),
    patch="+1\n",
    size=3,
)
CALLS = CallPath(
    target="main",
    path="a.py",
    line=3,
    also=("b.py:1",),
    calls=(
        Call(caller="a.py", callee="main", path="a.py", line=9),
        Call(caller="main", callee="read", path="a.py", line=4),
        Call(caller="main", callee="json.loads", path="a.py", line=5, inside=False),
        Call(caller="main", callee="x.go", path="a.py", line=6, inside=None),
    ),
    cut="there are more than 4 calls",
)


def drawing(bundle: dict[str, str]) -> ElementTree.Element:
    """The one that an output has."""
    (svg,) = re.findall("<svg.*</svg>", bundle["text/html"], re.DOTALL)
    return ElementTree.fromstring(svg)


def test_changes_are_a_table_with_the_difference_below():
    assert code_evidence.changes(CHANGES).text == (
        "this repository · branch main · 2 ahead of, 1 behind origin/main"
        " · last commit abc1234: All of it"
        " · 1 in conflict · 1 staged · 1 not staged · 1 untracked\n"
        "file     where          how                  lines\n"
        "c.py     ✕ in conflict  both modified\n"
        "b.py     staged         renamed, was old.py  +0 −2\n"
        "a.py     not staged     modified             +1 −0\n"
        "new.txt  untracked      new\n"
        "+1\n"
    )


def test_a_clean_repository_says_that_nothing_differs():
    assert code_evidence.changes(Changes(top="..")).text == (
        "repository .. · no branch · no commit yet\nnothing differs"
    )


def test_an_outline_is_a_row_a_definition():
    file = Outline(
        path="a.py",
        lines=9,
        definitions=(
            Definition(name="A", kind="class", line=1, end=4, documented=True),
            Definition(
                name="A.f", kind="method", line=2, end=4, calls=tuple(f"c{n}" for n in range(8))
            ),
        ),
    )

    assert code_evidence.outlines([file]).text == (
        "a.py · 9 lines · not documented\n"
        "name  what    lines  documented  calls\n"
        "A     class   1–4    yes\n"
        "A.f   method  2–4    no          c0, c1, c2, c3, c4, c5 and 2 more"
    )
    assert code_evidence.outlines(
        [file, Outline(path="b.py", error="line 2: invalid syntax")]
    ).text == (
        "a.py, b.py\n"
        "file  name  what    lines  documented  calls\n"
        "a.py  A     class   1–4    yes\n"
        "a.py  A.f   method  2–4    no          c0, c1, c2, c3, c4, c5 and 2 more\n"
        "b.py: line 2: invalid syntax"
    )


def test_what_is_undocumented_is_a_row_a_file():
    found = UndocumentedFiles(
        folder="pkg", files=(("a.py", 3), ("b.py", 1)), read=1_200, broken=("c.py",), cut="so much"
    )

    assert code_evidence.undocumented_view(found).text == (
        "2 files of 1,200 in pkg with something undocumented, 4 in all\n"
        "file  undocumented\n"
        "a.py  3\n"
        "b.py  1\n"
        "so much\n"
        "c.py does not parse"
    )


def test_calls_are_a_diagram_in_every_form():
    shown = code_evidence.calls(CALLS)

    assert shown.text == (
        "main · a.py:3\n"
        "▶ main (current)\n"
        "    → read\n"
        "    → json.loads\n"
        "    → x.go\n"
        "· a.py\n"
        "    → main\n"
        "· read\n"
        "· json.loads · elsewhere\n"
        "· x.go · not known where\n"
        "also defined at b.py:1\n"
        "there are more than 4 calls"
    )
    bundle = shown._repr_mimebundle_()
    svg = drawing(bundle)
    assert svg.get("aria-label") == "calls of main: 5 functions, now at main"
    assert "<td" in bundle["text/html"]
    assert "a.py:6" in bundle["text/html"]
    assert "x.go" in mermaid(code_evidence.call_graph(CALLS))
    assert "| main | read | a.py:4 |" in shown.markdown


def test_a_function_without_calls_says_so():
    assert code_evidence.calls(CallPath(target="f", path="a.py", line=1)).text == (
        "f · a.py:1\n▶ f (current)\nit calls nothing that is known, and nothing calls it"
    )


def test_lines_of_a_file_keep_their_numbers():
    assert code_evidence.part("a.py", ("x", "", "y"), 9, 3, 5, 40).text == (
        "a.py · lines 9–11 of 40\n 9  x\n10  \n11  y"
    )
    assert code_evidence.part("a.py", (), 1, 0, 0, 0).text == "a.py · 0 lines"


def test_what_is_long_is_cut_and_its_true_size_noted():
    files = tuple(ChangedFile(path=f"{n}.py", where="staged") for n in range(1_000))
    shown = code_evidence.changes(
        Changes(top=".", changed=files, patch="+é\n" * 50_000, size=900_000)
    )

    assert len(shown.rows) == 200
    assert shown.notes == ["and 800 more", "2,999 of 900,000 characters are shown"]
    assert len(shown.text) < 30_000
    assert len(json.dumps(shown._repr_mimebundle_())) < 400_000
    one = code_evidence.part("a.py", ("x" * 1_000_000,), 1, 1, 1_000_001, 1)
    assert len(one.body) == 60_000


def test_each_place_of_a_difference_opens_by_itself():
    patch = "# staged\n+1\n# not staged\n+2\n# untracked\nnew file n\n+3\n"
    html = code_evidence.changes(
        Changes(top=".", changed=CHANGES.changed, patch=patch, size=9)
    ).html

    summaries = [part.partition("</summary>")[0] for part in html.split("<summary")[1:]]
    assert [each.partition(">")[2] for each in summaries] == [
        "staged: the difference",
        "not staged: the difference",
        "untracked: what is new",
    ]


def test_a_binary_file_is_called_so():
    changed = ChangedFile(path="a.bin", where="staged", how="added", binary=True)

    assert code_evidence.changes(Changes(top=".", changed=(changed,))).rows == [
        ("a.bin", "staged", "added", "binary")
    ]


def test_a_range_names_its_commits():
    shown = code_evidence.changes(
        Changes(
            top=".",
            branch="main",
            between="a..",
            commits=(("abc", "One"), ("def", "Two")),
            count=3,
            changed=(ChangedFile(path="a", where="committed", added=1, removed=0),),
        )
    )

    assert shown.text == (
        "this repository · branch main · 3 commits of a.. · 1 committed\n"
        "file  where      how       lines\n"
        "a     committed  modified  +1 −0\n"
        "abc One\n"
        "def Two\n"
        "and 1 more"
    )


def test_names_in_the_boxes_of_calls_break_at_their_joints():
    names = ("collections.defaultdict", "an_unusually_long_name", "Unbreakablywidename")
    drawn = CallPath(
        target="f",
        path="a.py",
        line=1,
        calls=tuple(
            Call(caller="f", callee=name, path="a.py", line=2, inside=False) for name in names
        ),
    )

    svg = drawing(code_evidence.calls(drawn)._repr_mimebundle_())

    said = [part.text for part in svg.iter("{http://www.w3.org/2000/svg}tspan")]
    assert {"· collections.", "defaultdict", "· Unbreakablywidename"} <= {*said}
    assert "· an_unusually_" in said


def test_several_are_shown_one_after_the_other():
    both = CombinedEvidence([code_evidence.changes(CHANGES), code_evidence.calls(CALLS)])

    assert both.text == f"{code_evidence.changes(CHANGES).text}\n{code_evidence.calls(CALLS).text}"
    assert both.html == code_evidence.changes(CHANGES).html + code_evidence.calls(CALLS).html
    assert len(both._repr_mimebundle_()[MIME]["seen"]["parts"]) == 2
