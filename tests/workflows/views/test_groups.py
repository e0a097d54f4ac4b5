"""A group of steps is shown as one state with its steps, wherever a run or a workflow is."""

from tests.workflows.core.story import Told, act, fails, ok, played
from tests.workflows.core.test_groups import group, made, one
from wfnb.panel.runs import _actions
from wfnb.workflows.core.commands import FinishCall
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.views.action_rows import count_performed, rows
from wfnb.workflows.views.dry_run import plan
from wfnb.workflows.views.graph import definition_graph, run_graph
from wfnb.workflows.views.progress import progress

LOOP = made(
    check=group(
        "lint",
        {"id": "test", "for_each": [1, 2]},
        {"id": "sum", "needs": ["test"]},
        then={"sum.success": "end", "failure": "mend"},
    ),
    mend=one({"success": "check"}),
    end=one(),
)


def again():
    """The first time a step fails, and what needs it is not run."""
    return played(LOOP, **{"test[0]": [fails, ok]}).run


def test_each_time_has_a_row_with_one_for_each_step_below_and_counts_once():
    found = rows(again())

    assert [(row.number, row.action, row.status) for row in found] == [
        ("1", "check", "failed"),
        ("", "lint", "ok"),
        ("", "test", "failed"),
        ("", "test[0]", "failed"),
        ("", "sum", "not run"),
        ("2", "mend", "ok"),
        ("3", "check", "ok"),
        ("", "lint", "ok"),
        ("", "test", "ok"),
        ("", "test[0]", "ok"),
        ("", "test[1]", "ok"),
        ("", "sum", "ok"),
        ("4", "end", "ok"),
    ]
    assert [row.items for row in found if row.action == "check"] == ["3 steps, 1 failed", "3 steps"]
    assert {row.tool for row in found if row.action == "check"} == {"steps"}
    assert count_performed(found) == 4
    assert [each["action"] for each in _actions(found)] == [row.action for row in found]


def test_the_diagram_leads_from_the_group_into_its_steps():
    edges = [(edge.tail, edge.head, edge.kind) for edge in run_graph(again(), "r").edges]

    assert edges[:3] == [
        ("check", "end", "taken"),
        ("check", "mend", "taken"),
        ("mend", "check", "taken"),
    ]
    assert edges[3:] == [
        ("check", "lint", "taken"),
        ("check", "test", "taken"),
        ("test", "sum", "taken"),
    ]
    notes = {node.id: node.note for node in definition_graph(parse(LOOP)).nodes}
    assert (notes["check"], notes["test"]) == ("steps", "noop · for each")


def test_a_dry_run_says_whose_steps_they_are():
    text = plan(parse(LOOP), {}).text

    assert "3 states, begins with check" in text
    assert "   · 3 steps, 8 side by side" in text
    assert "   · a step of check\n   · after test" in text


def test_on_the_way_it_says_how_many_steps_have_ended():
    told = Told(LOOP)
    act(told)
    act(told)
    lint = next(call for call in told.run.open.values() if call.action == "lint")
    told.do(FinishCall(call=lint.id, result=ok))

    shown = progress(told.run, "r")

    assert shown.done == 0
    assert "▶ check (steps): 1 of 3 steps" in shown.now
    assert next(row.items for row in rows(told.run)) == "1 of 3 steps"
