from xml.etree import ElementTree

import pytest

from tests.workflows.views.given import (
    UNDO,
    WRITTEN,
    Story,
    checks,
    deploy,
    failed_deploy,
    looped,
    state,
    states,
    step,
    steps,
)
from wfnb.render.drawing.graph import Edge
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.views.graph import definition_graph, definition_picture, run_graph, run_picture

SVG = "{http://www.w3.org/2000/svg}"


def nodes(graph):
    return [(node.title, node.state, node.note) for node in graph.nodes]


def test_a_run_is_its_states_with_the_way_taken_and_counted():
    graph = run_graph(looped().run, "checks-1")

    assert nodes(graph) == [
        ("build", "ok", ""),
        ("test", "ok", "3×"),
        ("fix", "ok", "2×"),
        ("give_up", "not yet", ""),
        ("done", "ok", ""),
    ]
    assert graph.edges == (
        Edge(tail="build", head="test", kind="taken", when="success"),
        Edge(tail="test", head="done", kind="taken", when=r"/\d+ passing/"),
        Edge(tail="test", head="fix", kind="taken", label="2×", when="/failing/"),
        Edge(tail="test", head="give_up", kind="transition", when="timeout"),
        Edge(tail="fix", head="test", kind="taken", label="2×", when="success"),
        Edge(tail="fix", head="give_up", kind="transition", when="not success"),
    )
    assert graph.says == "checks-1: 5 states"


def test_a_need_that_may_have_failed_says_so():
    needs = ["a", {"id": "b", "even_if": "failed"}]

    graph = definition_graph(parse(steps(step("a"), step("b"), {**step("c"), "needs": needs})))

    assert graph.edges == (
        Edge(tail="a", head="c", kind="transition"),
        Edge(tail="b", head="c", kind="transition", when="even if it failed"),
    )


def test_several_ways_to_one_state_are_one_edge():
    workflow = states(
        "w",
        a=state("t", "b", ({"field_equals": {"exit_code": 0}}, "b"), on_timeout="b", timeout=1),
        b=state("t"),
    )

    (edge,) = definition_graph(parse(workflow)).edges

    assert edge.says == "success or exit_code = 0 or timeout"


def test_the_text_says_conditions_and_what_was_taken():
    assert run_picture(looped().run, "checks-1").text.splitlines()[:5] == [
        "✓ build",
        "    → test [success] (taken)",
        "✓ test · 3×",
        r"    → done [/\d+ passing/] (taken)",
        "    → fix [/failing/] (taken 2×)",
    ]


def test_what_was_undone_is_told_from_what_was_not():
    graph = run_graph(failed_deploy().run, "deploy-1")

    assert nodes(graph) == [
        ("upload", "ok", "not undone"),
        ("migrate", "undone", "2 attempts"),
        ("restart", "failed", ""),
    ]


def test_the_action_that_is_called_now_is_the_current_one():
    graph = run_graph(Story(checks(), target="all").starts("build").run, "checks-1")

    assert [node.title for node in graph.nodes if node.current] == ["build"]
    assert graph.says == "checks-1: 5 states, now at build"


def test_needs_are_edges_that_are_taken_once_the_step_began():
    story = Story(steps(step("a"), step("b", "a"), step("c", "a"), max_parallel=1))

    graph = run_graph(story.performs("a").starts("b").run, "w-1")

    assert graph.edges == (
        Edge(tail="a", head="b", kind="taken"),
        Edge(tail="a", head="c", kind="transition"),
    )
    assert graph.says == "w-1: 3 steps, now at b"


def test_a_definition_shows_the_tools_and_by_which_rules_they_are_called():
    graph = definition_graph(parse(deploy()))

    assert (graph.name, nodes(graph)) == (
        "deploy",
        [
            ("upload", "not yet", "shell · undo: shell"),
            ("migrate", "not yet", "shell · undo: shell · retry 1×"),
            ("restart", "not yet", "shell"),
        ],
    )
    assert definition_picture(parse(deploy())).text.splitlines() == [
        "· upload · shell · undo: shell",
        "    → migrate",
        "· migrate · shell · undo: shell · retry 1×",
        "    → restart",
        "· restart · shell",
    ]


def test_a_tooltip_says_what_was_called_and_how_long_it_took_only_where_times_are_wanted():
    story = Story(steps(step("a", args={"n": 3}, description="Counts"))).performs("a", 2.5).finish()

    tooltips = [run_graph(story.run, "w-1", times).nodes[0].tooltip for times in (False, True)]

    assert tooltips == ["Counts · shell(n=3) · 1: ok", "Counts · shell(n=3) · 1: ok, 2.5 s"]


def test_every_state_of_a_step_has_its_own_sign_and_word():
    story = Story(
        steps(
            step("good", compensation=UNDO),
            step("late", on_failure="continue"),
            step("after", "late"),
            step("slow"),
            max_parallel=3,
        )
    )
    story.starts("good").starts("late").starts("slow")
    story.ends("good", id=1).ends("late", timeout_occurred=True)
    story.cancelled("enough", rollback=True).stopped("slow").undoes().finish()

    assert run_picture(story.run, "w-1").text.splitlines() == [
        "↶ good (undone)",
        "◷ late (timed out)",
        "    → after",
        "» after (skipped)",
        "⊘ slow (cancelled)",
    ]


def test_parts_that_nothing_joins_stand_in_their_order():
    workflow = parse(steps(*(step(name) for name in "abc"), step("d", "b")))

    root = ElementTree.fromstring(definition_picture(workflow).svg)
    where = {
        "".join(span.itertext()): float(span.get("y"))
        for span in root.iter(f"{SVG}tspan")
        if span.text.startswith("·")
    }

    assert where["· a"] < where["· b"] < where["· c"]


def test_a_hundred_states_that_all_lead_to_many_are_drawn_all_the_same():
    names = [f"s{number}" for number in range(100)]
    workflow = states(
        "big",
        **{
            name: state("t", *(names[(place * 7 + way * way) % 100] for way in range(1, 9)))
            for place, name in enumerate(names)
        },
    )

    root = ElementTree.fromstring(definition_picture(parse(workflow)).svg)

    assert {f"s{number}" for number in range(100)} <= {
        "".join(span.itertext()).removeprefix("· ") for span in root.iter(f"{SVG}tspan")
    }


def test_five_thousand_steps_are_drawn_as_rows():
    workflow = parse(steps(*(step(f"s{number}") for number in range(5000))))

    root = ElementTree.fromstring(definition_picture(workflow).svg)

    assert float(root.get("height")) == 5000 * 28 + 8


@pytest.mark.parametrize("text", WRITTEN)
def test_a_hostile_text_stays_text(text):
    workflow = parse(
        states(
            "w",
            a=state("t", ({"field_equals": {text or "x": text}}, "b"), description=text),
            b=state("t", params={"x": text}),
        )
    )

    picture = definition_picture(workflow)

    root = ElementTree.fromstring(picture.svg)
    tags = {each.tag.removeprefix(SVG) for each in root.iter()}
    assert tags <= {"svg", "title", "style", "g", "rect", "path", "text", "tspan"}
    assert not any(tag in picture.html for tag in ("<script", "<img", "\x1b"))


def test_dot_and_mermaid_say_states_and_conditions_too():
    story = Story(
        states("w", a=state("t", ({"field_equals": {"code": 0}}, "b"), timeout=1), b=state("t"))
    )
    picture = run_picture(story.performs("a", timeout_occurred=True).finish().run, "w-1")

    assert 'label="◷ a\\ntimed out"' in picture.dot
    assert 'label="code = 0"' in picture.dot
    assert picture.mermaid.splitlines() == [
        "flowchart LR",
        '    n0{{"◷ a<br/>timed out"}}',
        '    n1(["· b"])',
        '    n0 -.->|"code = 0"| n1',
    ]


def test_of_a_state_that_failed_and_succeeded_both_are_told_in_sign_and_word():
    again = {"condition": {"success": False}, "next_state": "a"}
    story = Story(states("w", a=state("t", transitions=[again]))).fails("a").performs("a")

    (node,) = run_graph(story.finish().run, "w-1").nodes

    assert (node.state, node.note) == ("ok", "1× ✕ failed, 1× ✓ ok")


def test_of_a_step_that_was_undone_and_done_again_both_are_told():
    story = Story(deploy()).performs("upload", id=1).fails("migrate").fails("migrate")
    story.undoes().finish()
    story.resumed().performs("upload", id=2)

    node = run_graph(story.run, "d-1").nodes[0]

    assert node.note == "1× ↶ undone, 1× ✓ ok"
