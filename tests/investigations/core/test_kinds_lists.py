"""What the built-in kinds ask for: every list in its time, ticks for what was done, and an end that
says what is true."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.core.story import Story, at, done
from tests.investigations.core.investigating import FIELDS, LONG, OPENED, found, investigating
from wfnb import errors
from wfnb.core.findings import Look
from wfnb.investigations.core.commands import ChooseKind, LookAt
from wfnb.investigations.core.kind import Action
from wfnb.investigations.core.kind_reader import builtin_kinds
from wfnb.investigations.core.requirements import (
    Standing,
    actions,
    rule,
    standing,
    step_looks,
    tick_actions,
)
from wfnb.investigations.core.step_rules import files_left
from wfnb.investigations.views.checklist import checklist
from wfnb.views.step_answer import answer

BY_STEPS = [
    name for name, kind in builtin_kinds().items() if kind.total.rule in ("estimate", "fixed")
]
LATER = {"planner": [1], "secaudit": [6]}

"""Lists of longer investigations: by their place in the kind."""

GIT = Look(kind="git", what="status", files=("a.py",))
CELL = Look(kind="cell", what="!pytest", acts=("run", "test"), files=("a.py",), failed=False)


def looking(*looks: Look) -> LookAt:
    return LookAt(looks=looks)


def shown(kind: str, total: int, fields: dict[str, Any]) -> list[int]:
    """The lists that are shown under the steps of an investigation of so many, by their place in
    the kind; confidence goes up."""
    story = Story(investigating(kind, pause=False))
    levels = builtin_kinds()[kind].confidence.levels
    found_at: list[int] = []
    for number in range(1, total + 1):
        level = levels[min(number - 1, len(levels) - 2)]
        told = story.answer(
            done(
                f"{number}",
                total=total if number == 1 else None,
                fields=fields if number == 1 else {},
                findings=found(relevant="a.py", confidence=level),
            )
        ).to_dict()
        assert told["next_step_required"] == (number < total)
        if number < total:
            stands = standing(story.session, at(story.session, number))
            assert stands is not None
            found_at.append(builtin_kinds()[kind].actions.index(rule(stands)))
    return found_at


@pytest.mark.parametrize("kind", BY_STEPS)
def test_every_list_that_goes_by_steps_is_shown_once_in_the_usual_number(kind: str):
    rules = builtin_kinds()[kind].actions
    usual = shown(kind, builtin_kinds()[kind].total.usual, dict(FIELDS.get(kind, {})))
    by_steps = [
        at
        for at, each in enumerate(rules)
        if not each.when.confidence and at not in LATER.get(kind, ())
    ]
    conditional = any(each.when.confidence for each in rules)
    expected = [at for at in by_steps if not (conditional and at == len(rules) - 1)]
    if kind == "precommit":
        expected.remove(3)  # of an internal review
    if kind == "tracer":
        expected.remove(0)  # where the mode is asked for

    assert [usual.count(at) for at in expected] == [1] * len(expected)


def test_the_list_of_an_internal_review_is_shown_too():
    assert shown("precommit", 4, {"path": ".", "review": "internal"}) == [0, 1, 3]


def test_a_deep_question_begins_with_the_question():
    story = Story(investigating("thinkdeep"), done("Why?"))

    assert (
        actions(story.session, at(story.session, 1)) == builtin_kinds()["thinkdeep"].actions[0].do
    )


@pytest.mark.parametrize(
    ("kind", "severe", "fine"),
    [
        (
            "precommit",
            "validation_complete_not_ready",
            "validation_complete_ready_for_commit",
        ),
        (
            "codereview",
            "code_review_complete_changes_requested",
            "code_review_complete_ready_for_implementation",
        ),
    ],
)
def test_the_end_says_whether_a_severe_issue_is_open(kind: str, severe: str, fine: str):
    for issue, status in (("critical", severe), ("high", severe), ("medium", fine), ("low", fine)):
        story = Story(investigating(kind, pause=False))
        for number in (1, 2, 3, 4):
            says = found(relevant="a.py", issues=f"{issue}: bad" if number == 2 else ())
            fields = FIELDS.get(kind, {}) if number == 1 else {}
            story.do(
                done(f"{number}", total=4 if number == 1 else None, fields=fields, findings=says)
            )
            if number == 2:
                story.do(looking(GIT, CELL))
        assert answer(story.session, at(story.session, 4)).to_dict()["status"] == status


def ready(story: Story) -> dict[str, Any]:
    says = found(LONG, relevant="a.py", confidence="certain")
    return story.answer(done("ready", next_step_needed=False, findings=says)).to_dict()


def precommit(*commands: Any) -> Story:
    return Story(
        investigating("precommit", pause=False),
        looking(OPENED),
        done("a", fields={"path": "."}),
        *commands,
    )


def test_what_is_to_be_committed_is_not_ready_before_its_least_step():
    told = ready(precommit(looking(GIT, CELL)))

    assert told["end"] == "not ended: not before step 3"


@pytest.mark.parametrize(
    ("looks", "lacks"),
    [
        ((), "a look at git and a look at something that ran"),
        ((GIT,), "a look at something that ran"),
        ((replace(CELL, ticks="nothing"),), "a look at git and a look at something that ran"),
        ((GIT, CELL), None),
    ],
)
def test_it_is_ready_early_only_after_git_and_a_run_were_looked_at(looks, lacks):
    story = precommit(*([looking(*looks)] if looks else []), done("b"))

    told = ready(story)

    assert told["next_step_required"] == (lacks is not None)
    if lacks is not None:
        assert told["end"] == f"not ended: what is missing: {lacks}"


def test_what_nobody_looked_at_is_not_ready_at_a_planned_end_either():
    story = Story(investigating("precommit", pause=False))
    for number in (1, 2, 3, 4):
        fields = {"path": "."} if number == 1 else {}
        story.do(done(f"{number}", total=4 if number == 1 else None, fields=fields))

    told = answer(story.session, at(story.session, 4)).to_dict()
    assert told["status"] == "validation_complete_not_ready"


def test_looks_of_one_command_tick_one_thing_and_what_asks_for_them_by_name():
    outline = tuple(Look(kind="code", what=f"outline {name}") for name in ("a.py", "b.py", "c.py"))
    story = Story(investigating("refactor"), done("a", findings=found(relevant="a.py")))
    story.do(looking(*outline))

    assert sum(item.by is not None for item in checklist(story.session)) == 1

    names = ("status", "staged: 1 file", "unstaged: nothing", "untracked: nothing")
    story = Story(investigating("precommit"), done("a", fields={"path": "."}))
    story.do(looking(*(Look(kind="git", what=name) for name in names)))
    ticks = [item.by for item in checklist(story.session) if item.by is not None]
    assert ticks == [f"git: {name}" for name in names]


def test_a_cell_that_shows_nothing_ticks_nothing_and_is_a_look():
    story = Story(investigating(), done("a"))
    story.do(looking(Look(kind="cell", what="import sys", ticks="nothing")))

    assert all(item.by is None for item in checklist(story.session))
    story.do(done("b"))


def test_what_no_look_can_show_has_no_box():
    story = Story(investigating("planner"), done("a"))

    assert [item.says[0] for item in checklist(story.session)] == ["•"] * 4


def test_what_was_looked_at_before_the_first_step_ticks_its_list():
    story = Story(investigating())
    grep = replace(CELL, what="!grep", acts=("search",))
    story.do(looking(grep))
    story.do(done("a"))

    assert step_looks(story.session, at(story.session, 1)) == (grep,)
    assert checklist(story.session)[0].by == "cell: !grep"
    with pytest.raises(errors.PauseHolds):
        story.do(done("b"))


def test_a_look_from_before_the_kind_was_chosen_is_none():
    story = Story(investigating())

    assert story.do(LookAt(looks=(CELL,), since=1)) == []


def test_a_look_that_is_asked_for_by_name_goes_there():
    asked = builtin_kinds()["precommit"].actions[1].do
    staged = Look(kind="git", what="staged: 2 files")

    assert [look for _, look in tick_actions(asked, (staged,))] == [None] * 4 + [staged, None]


def ticked(asked: list[tuple[str, ...]], *looks: Look) -> list[str | None]:
    """By what each of these is ticked."""
    wanted = tuple(Action(do=f"{at}", by=by) for at, by in enumerate(asked))
    ticks = tick_actions(wanted, looks)
    assert tuple(action for action, _ in ticks) == wanted
    return [None if look is None else look.what for _, look in ticks]


ONE, TWO = (Look(kind="cell", what=what, acts=("run", "test")) for what in ("one", "two"))
STATUS = Look(kind="git", what="status")
TICKED = {
    "nothing was looked at": ([("run",)], (), [None]),
    "by its kind": ([("cell",)], (ONE,), ["one"]),
    "by what it did": ([("test",)], (ONE,), ["one"]),
    "by one of several": ([("git", "test")], (ONE,), ["one"]),
    "by nothing, for thought": ([()], (ONE,), [None]),
    "by none that fits": ([("file",)], (ONE,), [None]),
    "the first that is open": ([("run",), ("run",)], (ONE,), ["one", None]),
    "each by another": ([("run",), ("test",)], (ONE, TWO), ["one", "two"]),
    "the first by the first": ([("run",)], (ONE, TWO), ["one"]),
    "the second by the second": ([("git",), ("run",)], (ONE, STATUS), ["status", "one"]),
    "its name before any": ([("git",), ("git:status",)], (STATUS,), [None, "status"]),
    "any, once its name is ticked": (
        [("git",), ("git:status",)],
        (STATUS, replace(STATUS, what="status again")),
        ["status again", "status"],
    ),
    "not by another name": ([("git:staged",)], (STATUS,), [None]),
    "named alone, not by any": ([("git",)], (replace(STATUS, ticks="named"),), [None]),
    "named alone, by its name": ([("git:st",)], (replace(STATUS, ticks="named"),), ["status"]),
    "nothing, though named": ([("git:status",)], (replace(STATUS, ticks="nothing"),), [None]),
    "nothing, and the next does": (
        [("git",)],
        (replace(STATUS, ticks="nothing"), replace(STATUS, what="staged")),
        ["staged"],
    ),
    "the look after one that fits none": ([("git",)], (ONE, STATUS), ["status"]),
}


@pytest.mark.parametrize(("asked", "looks", "by"), TICKED.values(), ids=TICKED)
def test_a_look_ticks_the_first_that_asks_for_it(asked, looks, by):
    assert ticked(asked, *looks) == by


COUNT, DONE = "total_files_to_document", "num_files_documented"
DOCGEN = builtin_kinds()["docgen"]
LEFT = {
    "some": (DOCGEN, {COUNT: 4, DONE: 1}, (1, 4)),
    "one": (DOCGEN, {COUNT: 2, DONE: 1}, (1, 2)),
    "none of them is done": (DOCGEN, {COUNT: 4, DONE: 0}, (0, 4)),
    "it is not said that any is done": (DOCGEN, {COUNT: 4}, (0, 4)),
    "in words of a cell": (DOCGEN, {COUNT: "4", DONE: "3"}, (3, 4)),
    "all are done": (DOCGEN, {COUNT: 4, DONE: 4}, None),
    "more are done than there were": (DOCGEN, {COUNT: 4, DONE: 5}, None),
    "there are none": (DOCGEN, {COUNT: 0}, None),
    "it is not said how many there are": (DOCGEN, {DONE: 1}, None),
    "another rule counts": (
        replace(DOCGEN, total=replace(DOCGEN.total, rule="models")),
        {COUNT: 4, DONE: 1},
        None,
    ),
    "no field counts them": (
        replace(DOCGEN, total=replace(DOCGEN.total, count=None)),
        {COUNT: 4, DONE: 1},
        None,
    ),
    "no field counts those that are done": (
        replace(DOCGEN, total=replace(DOCGEN.total, done=None)),
        {COUNT: 4, DONE: 1},
        None,
    ),
}


@pytest.mark.parametrize(("kind", "fields", "left"), LEFT.values(), ids=LEFT)
def test_files_that_are_left(kind, fields, left):
    stands = Standing(kind=kind, turn=1, total=5, level="low", fields=fields)

    assert files_left(stands) == left


@pytest.mark.parametrize("field", [COUNT, DONE])
def test_files_that_cannot_be_counted_are_refused_by_their_field(field: str):
    fields = {COUNT: 2, DONE: 1, field: "many"}
    stands = Standing(kind=DOCGEN, turn=1, total=5, level="low", fields=fields)

    with pytest.raises(errors.BadValue, match=rf"^field '{field}' is 'many'"):
        files_left(stands)


WARNED = [
    ("codereview", {"reviw": "internal"}, "Did you mean 'review'?"),
    ("precommit", {"path": ".", "folder": "pkg"}, "It knows path, review."),
]


@pytest.mark.parametrize(("kind", "fields", "near"), WARNED)
def test_a_field_that_the_kind_does_not_know_is_warned_of(kind, fields, near):
    story = Story(investigating(kind))

    told = story.answer(done("a", fields=fields, findings=found(relevant="a.py")))

    (name,) = fields.keys() - builtin_kinds()[kind].fields.keys()
    assert told.warnings == [f"{kind} has no field {name!r}, so it does nothing. {near}"]


def test_only_a_total_below_the_least_is_warned_of():
    first = {"fields": {"path": "."}}

    assert Story(investigating("precommit")).answer(done("a", **first)).warnings == []
    assert Story(investigating("precommit")).answer(done("a", total=3, **first)).warnings == []
    told = Story(investigating("precommit")).answer(done("a", total=2, **first))
    assert (told.total_steps, told.warnings) == (
        3,
        ["precommit takes 3 steps at least: 3 are planned"],
    )


def test_another_kind_has_not_begun_with_the_steps_of_the_one_before():
    story = Story(investigating(), done("a"), looking(CELL), done("b"))
    story.do(ChooseKind(kind=builtin_kinds()["refactor"]))

    from wfnb.investigations.views.investigation_page import InvestigationPage  # noqa: PLC0415

    assert InvestigationPage(story.session).sentence == "refactor · not begun"
    assert checklist(story.session) == ()
