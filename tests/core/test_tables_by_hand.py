"""Small rules of the core, each as a table written by hand: titles and heads of what strategies
keep, words of refusals and notes, versions by content, places of kept values."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.core.kernel_names import Names
from tests.core.story import Kernel, Story, at, done, following, given, stale, strategy
from tests.core.test_effects import BEGUN as TREE
from tests.core.test_effects import grown, scored
from tests.core.test_planned_calls import CALLS, planned
from tests.core.test_state_ledger import ROUNDS
from tests.core.test_turn_ledger import BEGUN as REACT
from tests.core.test_turn_ledger import turn
from wfnb.core import validation
from wfnb.core.commands import HideSteps, RenameSession
from wfnb.core.data_flow import (
    ABSENT,
    KEPT,
    LOOKED_AT,
    WHOLE,
    Flow,
    with_content_versions,
    written_names,
)
from wfnb.core.events import Cell, Outcome
from wfnb.core.kept_values import KeptGroup, KeptValue, KeptValues
from wfnb.core.moved_cells import own_code
from wfnb.core.newest_kept_values import sources
from wfnb.core.planned_calls import calls
from wfnb.core.queries import depth, visible_before
from wfnb.core.solution import unsolved_reason
from wfnb.core.step_magic_lines import lines_under, marks
from wfnb.core.strategy import builtin_strategies, recorded_strategy, strategy_from, to_data
from wfnb.core.strategy_ledgers import ledger
from wfnb.core.validation import StepPlace
from wfnb.errors import BadValue, StrategyBroken

LEDGERS = {
    "beam": (("branch", "score", "so far"), (*TREE, grown("ridge"), scored("ridge", 0.4))),
    "turns": (("steps", "planned", "action", "observation"), (*REACT, *turn(1, "3"))),
    "rounds": (("round", "n", "total", "changed", "steps"), ROUNDS),
    "evidence": (("call", "tool", "with", "gave", "used in"), planned()),
}


@pytest.mark.parametrize("title", LEDGERS)
def test_what_a_strategy_keeps_is_a_table_with_these_heads(title):
    heads, commands = LEDGERS[title]
    session = given(*commands)

    found = ledger(session, session.lines["main"])

    assert found is not None
    assert (found.title, found.heads) == (title, heads)


def test_branches_are_ranked_by_score_a_zero_among_them_and_those_without_one_come_last():
    grows = [grown(name) for name in ("none", "zero", "good", "bad")]
    told = [scored("zero", 0), scored("good", 0.5), scored("bad", -0.5)]
    session = given(*TREE, *grows, *told)

    found = ledger(session, session.lines["main"])

    assert found is not None
    assert [row[0] for row in found.rows] == ["good", "zero", "bad", "none"]


REFUSED = {
    "a plan that is none": (
        lambda: calls("b" * 70),
        ("field 'tool_calls'", "b" * 60, "calls, as [{tool: shell, args: {command: ls}}, …]"),
    ),
    "a call that is none": (
        lambda: calls([CALLS[0], "c" * 70]),
        ("field 'tool_calls', call 2", "c" * 60, "calls, as [{tool: shell, args: {command: ls}}"),
    ),
    "a name of a session": (
        lambda: Story().do(RenameSession(name=" ")),
        ("session", " ", "words that say what is meant"),
    ),
    "keys that are one as text": (
        lambda: validation.json("fields", {1: "a", "1": "b"}),
        ("fields", "{1: 'a', '1': 'b'}", "keys that differ as text"),
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_refusal_names_the_field_the_first_60_characters_and_what_it_needs(what):
    attempt, (field, value, needs) = REFUSED[what]

    with pytest.raises(BadValue) as refused:
        attempt()

    assert (refused.value.field, refused.value.value) == (field, value)
    assert refused.value.needs.startswith(needs)


def test_a_whole_number_of_numpy_is_read_and_its_bool_is_none():
    class Whole:
        def __index__(self) -> int:
            return 3

    bool_ = type("bool_", (Whole,), {})

    assert validation.whole("total_steps", Whole()) == 3
    with pytest.raises(BadValue):
        validation.whole("total_steps", bool_())


STAGES: dict[str, Any] = {"a": {"next": ["b"]}, "b": {}}


def stages_of(**changed: Any) -> dict[str, Any]:
    """Two stages, one after the other, but for what is changed of the first."""
    return {"name": "x", "stages": {"a": {"next": ["b"], **changed}, "b": {}}}


BROKEN = {
    "no mapping": ([], "the file: input should be a dictionary or an instance of strategy"),
    "another shape": (stages_of(next=3), "stages.a.next: input should be a valid tuple"),
    "a field of no stage": (stages_of(nxt=[]), "stages.a.nxt: unexpected keyword argument"),
    "no stages": ({"name": "x", "stages": {}}, "it has no stages"),
    "no start": (
        {"name": "x", "stages": {"a": {"next": ["b"]}, "b": {"next": ["a"]}}},
        "one stage has to be the start (found none: every stage follows another); "
        "name it as `start`",
    ),
    "two starts": (
        {"name": "x", "stages": {**STAGES, "c": {"next": ["b"]}}},
        "one stage has to be the start (found 'a', 'c'); name it as `start`",
    ),
    "a start that is none": (
        {"name": "x", "start": "c", "stages": STAGES},
        "the start 'c' is no stage",
    ),
    "a long name": (
        {"name": "x" * 81, "stages": STAGES},
        f"the name '{'x' * 81}' is not up to 80 letters, digits or . _ + -",
    ),
    "a long name of a stage": (
        {"name": "x", "stages": {"s" * 81: {}}},
        f"the name '{'s' * 80}' is not up to 80 characters on one line",
    ),
    "a name on two lines": (
        {"name": "x", "stages": {"a\nb": {}}},
        "the name 'a\\nb' is not up to 80 characters on one line",
    ),
    "a name of a field that is empty": (
        stages_of(fields={"": "why"}),
        "the name '' is not up to 80 characters on one line",
    ),
    "space around a name": (
        stages_of(fields={"f": "why", "g ": "why"}),
        "the name 'g ' is not up to 80 characters on one line",
    ),
    "a control character": (
        {"name": "x", "title": "a\x00", "start": "a", "stages": STAGES},
        "the file holds the control character U+0000 at character 2. "
        "Take it out: line breaks and tabs are the ones that may stay",
    ),
    "a stage after it that is none": (
        {"name": "x", "start": "a", "stages": {"a": {"next": ["b", "c"]}, "b": {}}},
        "stage 'a' leads to 'c', which is no stage",
    ),
    "what it holds": (
        stages_of(fields={"f": "why"}, holds={"f": "text", "g": "text"}),
        "stage 'a' says what 'g' holds, which is none of its fields",
    ),
    "the name of its branch": (
        stages_of(fields={"f": "why"}, branch_as="g"),
        "stage 'a' names its branch by 'g', which is no field of it",
    ),
    "no end": (
        {"name": "x", "start": "a", "stages": {"a": {"next": ["b"]}, "b": {"next": ["a"]}}},
        "no stage is an end (one whose `next` is empty)",
    ),
    "a stage apart": (
        {"name": "x", "start": "a", "stages": {**STAGES, "c": {"next": ["b"]}}},
        "stage 'c' is never reached from 'a'",
    ),
    "a dead end": (
        {
            "name": "x",
            "start": "a",
            "stages": {**STAGES, "a": {"next": ["b", "c"]}, "c": {"next": ["c"]}},
        },
        "stage 'c' is a dead end: no end can be reached from it",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_strategy_that_cannot_be_followed_is_refused_with_what_is_wrong(what):
    data, problem = BROKEN[what]

    with pytest.raises(StrategyBroken) as refused:
        strategy_from(data, "x.json")

    assert (refused.value.where, refused.value.what) == ("x.json", problem)


def test_a_strategy_is_the_same_once_it_was_recorded_whatever_another_version_says_of_it():
    held = {"fields": {"f" * 80: "why"}, "holds": {"f" * 80: "number"}, "branch_as": "f" * 80}
    given_twice = {"name": "x" * 80, "title": "X", "keeps": "beam"}
    loop = {"a": {"next": ["a", "b"], **held}, "b": {"effect": "score-branch", "opens": True}}
    strategies = [
        strategy_from({**given_twice, "start": "a", "stages": loop}, "x"),
        *builtin_strategies().values(),
    ]

    for known in strategies:
        recorded = to_data(known)
        assert json.loads(json.dumps(recorded)) == recorded
        assert strategy_from(recorded, "x") == known
        assert recorded_strategy({**recorded, "of_another_version": 1}) == known
        stages = {name: {**stage, "new": 1} for name, stage in recorded["stages"].items()}
        assert recorded_strategy({**recorded, "stages": stages}) == known


def test_the_start_of_a_strategy_is_the_one_named_or_the_only_stage_that_nothing_leads_to():
    round_trip = {"a": {"next": ["b", "end"]}, "b": {"next": ["a"]}, "end": {}}

    assert strategy_from({"name": "x", "stages": STAGES}, "x").start == "a"
    assert strategy_from({"name": "x", "start": "b", "stages": round_trip}, "x").start == "b"


def kept(*blobs: str, names: str = "ab", group: int | None = 0) -> KeptValues:
    return KeptValues(
        values=tuple(KeptValue(name=name, type="list", group=group) for name in names),
        groups=(KeptGroup(blobs=blobs, signature=""),),
    )


def versions(values: KeptValues, **writes: str) -> dict[str, str]:
    """By name, of an attempt that wrote `a`, `b` and, without keeping it, `z`."""
    flow = Flow(writes={"z": "own", "b": "code", **writes})
    return dict(with_content_versions(flow, values).writes)


def test_a_kept_value_has_the_version_of_its_content_whatever_code_made_it():
    one, other = versions(kept("p"), a="code 1"), versions(kept("p"), a="code 2")

    assert one == other
    assert one["z"] == "own"
    assert one["a"].startswith(KEPT)
    assert one["a"] != one["b"]  # two names of one pickle are two values
    assert versions(kept("q"), a="code 1")["a"] != one["a"]
    assert versions(kept("p", "q"), a="code 1")["a"] != one["a"]
    assert versions(kept("p", names="ba"), a="code 1")["b"] == one["a"]  # by its place in it


def test_the_version_of_a_kept_value_is_the_one_that_journals_have():
    seen = f"code{LOOKED_AT}info"

    assert versions(kept("p", "q"), a=seen) == {
        "z": "own",
        "b": "+01d8ddbf0f6d",
        "a": "+cc9da04df4b6",
    }


def test_a_flow_of_which_nothing_was_kept_stays_as_it_is():
    flow = Flow(writes={"a": f"{WHOLE}3"})

    assert with_content_versions(flow, kept("p")) is flow
    assert with_content_versions(flow, kept("p", names="k")) is flow  # kept, but not written


def test_what_was_seen_beside_the_pickle_is_in_the_version_and_data_and_lost_values_keep_theirs():
    seen = [versions(kept("p"), a=f"code{LOOKED_AT}{level}")["a"] for level in ("info", "debug")]

    assert len({*seen, versions(kept("p"), a="code")["a"]}) == 3
    assert versions(kept("p"), a=f"code 2{LOOKED_AT}info")["a"] == seen[0]
    assert versions(kept("p"), a=f"{WHOLE}3")["a"] == f"{WHOLE}3"
    assert versions(kept("p", group=None), a="code") == {"z": "own", "b": "code", "a": "code"}


def test_an_attempt_wrote_names_that_it_left_with_another_value_and_no_private_ones():
    writes = {"x": "1", "gone": ABSENT, "_": "2", "_private": "3", "a file": "4", "y": "5"}

    assert written_names(Flow(writes=writes)) == ("x", "y")


def test_the_newest_kept_value_of_each_name_is_that_of_the_last_step_up_to_there():
    def keeps(*names: str) -> KeptValues:
        values = tuple(KeptValue(name=name, type="list", group=0) for name in names)
        return KeptValues(values=values, groups=(KeptGroup(blobs=("p",), signature=""),))

    names = Names(Story())
    steps = [names.run(word, writes="x") for word in ("one", "two", "three", "four")]
    for step, said in zip(steps, (("a", "b", "c"), ("b",), (), ("c",)), strict=True):
        step.kept = keeps(*said)
    steps[2].flow = Flow(writes={"a": ABSENT})

    def found(step):
        return [(each.step.number, each.names) for each in sources(names.story.session, step)]

    assert found(steps[1]) == [(1, ("a", "c")), (2, ("b",))]
    assert found(steps[3]) == [(2, ("b",)), (4, ("c",))]


def test_a_line_is_as_deep_as_the_lines_that_it_consists_of():
    session = given(
        done("a"), done("b", branch="b", leaves=1), done("c", branch="c", leaves="b:2"), done("d")
    )

    assert [depth(session, line) for line in session.lines.values()] == [1, 2, 3]


def test_the_step_before_a_place_is_the_last_that_is_not_hidden_an_inherited_one_too():
    story = Story(*(done(word) for word in "abc"), done("d", branch="b", leaves=2))
    story.do(HideSteps(places=(StepPlace(number=2),)))
    session = story.session

    def before(branch, number):
        step = visible_before(session, session.lines[branch], number)
        return None if step is None else step.current.description

    assert [before("main", number) for number in range(4)] == [None, "a", "a", "c"]
    assert [before("b", number) for number in range(4)] == [None, "a", "a", "d"]
    story.do(HideSteps(places=(StepPlace(number=1),)))
    session = story.session
    assert before("main", 2) is None


def test_a_mark_within_a_string_is_none_and_what_is_under_one_goes_to_the_next():
    source = '%%step One\nx = """\n%step no\n"""\n!ls\n%step Two\ny = 1\nz = 2\n'
    found = marks(source)

    assert [mark.words for mark in found] == ["One", "Two"]
    assert lines_under(source, found, found[0]) == 'x = """\n%step no\n"""\n!ls'
    assert lines_under(source, found, found[1]) == "y = 1\nz = 2"
    assert [mark.words for mark in marks('x = """\n%step unclosed')] == ["unclosed"]


def test_code_is_the_same_whatever_stands_behind_its_lines():
    cells = [Cell(id="c", source=f"%%step One\nx = 1{space}\ny = 2\n") for space in ("", "  ")]

    assert [own_code(cell) for cell in cells] == ["x = 1\ny = 2"] * 2


def test_a_stale_step_of_a_branch_keeps_the_session_from_being_solved_by_its_name():
    names = Names(Story())
    names.run("load", writes="x")
    names.run("b", reads="x", branch="b", leaves=StepPlace(number=1))
    names.run("load better", writes="x", number=1)
    names.run("last", number=2, next_step_needed=False)

    assert unsolved_reason(names.story.session) == "step b:2 is stale"


def test_a_step_that_runs_again_as_it_was_has_its_source_in_the_journal_once():
    cell = Cell(id="c", source="%%step One\nx = 1")
    story = Story(done("One", cell=cell))

    (event,) = (each for each in story.do(done("One", cell=cell)) if hasattr(each, "cell"))

    assert event.cell is not None
    assert event.cell.source == ""


def test_the_older_of_branches_with_one_score_go_on_and_it_is_said():
    names = ("one", "two", "three", "four")
    commands = (*TREE, *(grown(name) for name in names), *(scored(name, 0.5) for name in names))
    story = Story(*commands)

    two = story.answer(done(stage="branch_selection", fields={"beam": 2}))

    assert two.warnings[0] == ("one, two, three, four share the score 0.5: the older were selected")


def test_a_question_says_where_it_was_asked_and_where_it_was_answered():
    fields = {"sub_question": "where?"}
    session = given(
        following("self_ask"),
        *(done(word) for word in ("main question", "unknowns")),
        done("ask", stage="sub_question_formulation", fields=fields),
        done("tell", stage="sub_question_answering", fields={"sub_question_answer": "here"}),
    )

    found = ledger(session, session.lines["main"])

    assert found is not None
    assert found.rows[0][-1] == [3, 4]
    assert at(session, 4).outcome == Outcome()


@pytest.mark.parametrize(
    ("stage", "is_stale"),
    [("mend", []), ("try", ["main:2"])],  # another stage than that of step 1, the same
)
def test_what_called_for_a_revision_by_its_stage_holds_and_what_only_came_before_does_not(
    stage, is_stale
):
    ways = strategy({"try": ["look"], "look": ["mend", "try", "end"], "mend": ["end"], "end": []})

    session = given(
        following(ways),
        done("one", stage="try"),
        done("two", stage="look"),
        done("one again", stage=stage, revises=1),
    )

    assert stale(session) == is_stale


def test_a_branch_with_the_score_zero_is_not_selected_before_a_better_one():
    scores = {"zero": 0, "half": 0.5}
    session = given(
        *TREE,
        *(grown(name) for name in scores),
        *(scored(name, score) for name, score in scores.items()),
        done(stage="branch_selection"),
    )

    assert [name for name, line in session.lines.items() if line.is_chosen] == ["half"]


BEYOND: dict[str, tuple[dict[str, Any], tuple[int, bool]]] = {
    "and says nothing of it": ({}, (2, True)),
    "and says how many there are": ({"total": 2}, (2, False)),
    "and says that it is the last": ({"next_step_needed": False}, (2, False)),
    "and says that it goes on": ({"next_step_needed": True}, (2, False)),  # not said any more
}


@pytest.mark.parametrize("how", BEYOND)
def test_a_step_that_went_beyond_the_estimate_goes_on_also_once_its_cell_is_changed(how):
    says, stands = BEYOND[how]
    kernel = Kernel(Story(done("one", total=1, next_step_needed=True)))
    kernel.run("%%step two\nx", "c", description="two", **says)

    step = kernel.run("%%step two\ny", "c", description="two")

    assert (step.number, len(step.versions)) == (2, 2)
    assert (step.current.total, step.current.next_step_needed) == stands


def test_a_step_that_is_changed_without_a_cell_says_of_its_end_what_it_said():
    story = Story(done("one", total=1, next_step_needed=True), done("two"))

    story.do(done("two again", number=2))

    now = at(story.session, 2).current
    assert (now.total, now.next_step_needed) == (2, True)
