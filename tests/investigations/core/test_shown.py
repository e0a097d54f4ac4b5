"""Which relevant files and names of the context are shown by evidence: said, and opened or used."""

from __future__ import annotations

import pytest

from tests.core.story import Story, at, done
from tests.investigations.core.investigating import found, investigating, looking
from wfnb.core.findings import Look
from wfnb.core.replay import replay
from wfnb.core.validation import StepPlace
from wfnb.investigations.core.commands import Backtrack
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.reducer import findings_without


def opened(*files: str, names: tuple[str, ...] = ()) -> Look:
    return Look(kind="cell", what=f"open {files} {names}", files=files, names=names)


def story_of(*rows: tuple[dict[str, object], tuple[Look, ...]]) -> Story:
    """A step for each row: what it says, after what was looked at before it."""
    story = Story(investigating(pause=False))
    for number, (says, looks) in enumerate(rows, 1):
        story.do(looking(*looks) if looks else looking(Look(kind="cell", what="1")))
        total = {"total": 9} if number == 1 else {}
        story.do(done(f"step {number}", findings=found("it is so", **says), **total))
    return story


def shown(story: Story) -> set[tuple[str, str]]:
    assert story.session == replay(story.log)
    now = investigation_of(story.session)
    assert now is not None
    return set(now.found.shown)


A, B = {"relevant": "pkg/a.py"}, {"relevant": "b.py"}
FOLDER, OUTSIDE = {"relevant": "pkg"}, {"relevant": "../x.py"}
CONTEXT = {"context": "Parser.parse()"}
SAYS_ALL = {"relevant": ["pkg/a.py", "b.py"], "context": ["Parser.parse()", "end"]}
FILE_A, NAME, OTHER = ("file", "pkg/a.py"), ("name", "parse"), opened("c.py", names=("loop",))
SHOWN = {
    "nothing was looked at": ([(A | CONTEXT, ())], set()),
    "opened before it is said": ([(A, (opened("pkg/a.py"),))], {FILE_A}),
    "opened after it was said": ([(A, ()), ({}, (opened("pkg/a.py"),))], {FILE_A}),
    "opened two steps before": ([({}, (opened("pkg/a.py"),)), ({}, ()), (A, ())], {FILE_A}),
    "another file was opened": ([(A, (opened("b.py"),))], set()),
    "opened and only looked at": ([({"files": "b.py"}, (opened("b.py"),))], set()),
    "a folder, by a file in it": ([(FOLDER, (opened("pkg/a.py"),))], {("file", "pkg")}),
    "a folder, by a file beside it": ([(FOLDER, (opened("b.py"),))], set()),
    "a folder, by a file opened later": (
        [(FOLDER, ()), ({}, (opened("pkg/deep/a.py"),))],
        {("file", "pkg")},
    ),
    "a file elsewhere": ([(OUTSIDE, (opened("../x.py"),))], {("file", "../x.py")}),
    "a name that code used": ([(CONTEXT, (opened(names=("parse",)),))], {NAME}),
    "a name that code used later": ([(CONTEXT, ()), ({}, (opened(names=("parse",)),))], {NAME}),
    "a name that no code used": ([(CONTEXT, (opened(names=("Parser",)),))], set()),
    "a name that nobody says": ([({}, (opened(names=("parse",)),))], set()),
    "one of two looks": ([(A | CONTEXT, (OTHER, opened("pkg/a.py")))], {FILE_A}),
    "all of several": (
        [(SAYS_ALL, (opened("pkg/a.py", "b.py"), opened(names=("parse", "end"))))],
        {FILE_A, ("file", "b.py"), NAME, ("name", "end")},
    ),
}


@pytest.mark.parametrize(("rows", "expected"), SHOWN.values(), ids=SHOWN)
def test_what_was_said_and_looked_at_is_shown(rows, expected):
    assert shown(story_of(*rows)) == expected


SAID, LOOKED = (A | CONTEXT, ()), ({}, (opened("pkg/a.py", names=("parse",)),))
BOTH = (A | CONTEXT, (opened("pkg/a.py", names=("parse",)),))
WITHDRAWN = {
    "what was looked at": ([SAID, LOOKED], 2, set()),
    "the step that said it": ([LOOKED, SAID], 2, set()),
    "one of two that said it": ([BOTH, SAID], 2, {FILE_A, NAME}),
    "one of two that looked": ([BOTH, LOOKED], 2, {FILE_A, NAME}),
    "all of it": ([BOTH, SAID, LOOKED], 1, set()),
}


@pytest.mark.parametrize(("rows", "number", "left"), WITHDRAWN.values(), ids=WITHDRAWN)
def test_what_is_withdrawn_shows_nothing_more(rows, number, left):
    story = story_of(*rows)
    assert shown(story) == {FILE_A, NAME}
    gone = [at(story.session, each) for each in range(number, len(rows) + 1)]
    assert set(findings_without(story.session, gone).shown) == left
    assert shown(story) == {FILE_A, NAME}

    story.do(Backtrack(place=StepPlace(number=number)))

    assert shown(story) == left
