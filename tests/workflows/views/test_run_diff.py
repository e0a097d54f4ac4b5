from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.workflows.views.given import Story, deploy, failed_deploy, looped
from wfnb.render.message import MIME
from wfnb.workflows.core.apply import replay
from wfnb.workflows.core.events import CallFinished
from wfnb.workflows.definition.truncation import join_ends
from wfnb.workflows.views.run_diff import SAME, Difference, diff


def test_runs_that_did_the_same_do_not_differ():
    found = diff(looped().run, looped().run, "checks-1", "checks-2")

    assert (found.same, found.differences, repr(found)) == (True, (), SAME)


def test_runs_that_took_longer_differ_in_times_only_and_none_is_stored():
    one = Story(deploy()).performs("upload", 1.0).run
    other = Story(deploy()).performs("upload", 2.0).run

    found = diff(one, other, "deploy-1", "deploy-2")

    assert found.same
    assert found.differences == (
        Difference(place="upload", name="took", values=("1 s", "2 s"), timed=True),
    )
    assert found._repr_mimebundle_() == {
        MIME: {"diff": {"runs": ["deploy-1", "deploy-2"], "same": True, "differences": {}}},
        "text/plain": SAME,
        "text/html": f"<div>{SAME}</div>",
    }


@pytest.mark.parametrize("name", ["duration", "timestamp", "elapsed_time", "total_elapsed_time"])
def test_what_has_the_name_of_a_time_is_none(name: str):
    def ran(value: int):
        return Story(deploy(), **{name: value}).performs("upload", **{name: value}).run

    found = diff(ran(1), ran(2), "x", "y")

    assert not found.same
    assert found.to_dict()["differences"] == {
        "variables": {name: [1, 2]},
        "upload": {f"result.{name}": [1, 2]},
    }


def test_only_the_times_of_a_tool_that_measures_them_always_differ():
    def ran(seconds: float):
        work = {"id": "a", "tool": "run_workflow", "args": {"workflow_name": "child"}}
        story = Story({"name": "parent", "steps": [work]})
        name = f"child-{seconds}"  # of that run
        return story.performs("a", total_elapsed_time=seconds, run=name).finish().run

    assert diff(ran(1.0), ran(2.0), "x", "y").same


def test_when_a_terminal_was_given_another_size_says_nothing():
    def ran(time: str):
        story = Story({"name": "w", "steps": [{"id": "a", "tool": "resize_terminal"}]})
        return story.performs("a", timestamp=time).finish().run

    assert diff(ran("08:00"), ran("09:00"), "x", "y").same


def _terminal(name: str, time: str) -> dict[str, Any]:
    return {"session_id": name, "timestamp": time, "shell": "sh", "elapsed_time": float(time)}


def test_times_and_names_of_terminals_are_none_in_a_run_within_a_run_either():
    def ran(name: str, time: str, **more: str):
        work = {"id": "a", "tool": "run_workflow", "args": {"workflow_name": "child"}}
        deep = {f"t_{key}": each for key, each in _terminal(name, time).items()}
        inner = {"b_recursion_depth": 2, "b_run": f"b-{time}", "b_total_elapsed_time": time}
        found = {
            **inner,
            "b_final_variables": {**deep, "sessions": [_terminal(name, time)]},
            **more,
        }
        return Story({"name": "parent", "steps": [work]}).performs("a", final_variables=found).run

    one, other = ran("session_0000000a", "1"), ran("session_0000000b", "2")

    assert diff(one, other, "x", "y").same
    assert not diff(one, ran("session_0000000b", "2", c_run="2"), "x", "y").same


def test_which_terminal_was_used_is_no_time():
    names = "session_0000000a", "session_0000000b"

    def ran(names: tuple[str, str], used: str):
        opened = [{"id": each, "tool": "open_terminal"} for each in ("one", "two")]
        typed = {"id": "type", "tool": "get_screen_content", "needs": ["two"]}
        typed["args"] = {"session_id": f"{{{used}.session_id}}"}
        story = Story({"name": "w", "mode": "sequence", "steps": [*opened, typed]})
        there = dict(zip(("one", "two"), names, strict=True))
        for each, name in there.items():
            story.performs(each, **_terminal(name, "1"))
        return story.performs("type", **_terminal(there[used], "1")).run

    one = ran(names, "one")

    assert diff(one, ran(("session_0000000c", "session_0000000d"), "one"), "x", "y").same
    assert diff(one, ran(names[::-1], "one"), "x", "y").same
    assert not diff(one, ran(("session_0000000c", "session_0000000d"), "two"), "x", "y").same


def test_of_texts_that_were_cut_nobody_knows_that_they_are_the_same():
    def ran(last: str):
        text = join_ends("a" * 20, last, 300_000)
        return Story(deploy()).performs("upload", stdout=text, stderr="").run

    found = diff(ran("z"), ran("z"), "x", "y")

    said = "The same as far as it is recorded: upload.result.stdout."
    assert (found.same, found.text) == (False, said)
    assert found.html == f"<div>{said}</div>"
    assert found.to_dict()["cut"] == ["upload.result.stdout"]
    assert "cut" not in diff(ran("y"), ran("z"), "x", "y").to_dict()


def test_a_difference_is_told_action_by_action():
    good = Story(deploy()).performs("upload", 2.0, id="u1").performs("migrate", id="m2")

    found = diff(failed_deploy().run, good.performs("restart").finish().run, "one", "other")

    assert found.text.splitlines() == [
        f"{'':25}one{'':57}other",
        f"run      status          ◔ partly rolled back{'':40}✓ success",
        "run      error           restart: port in use · not undone: upload (no such upload)  –",
        "upload   undo            not undone: no such upload                                  –",
        "migrate  attempts        2                                                           1",
        "migrate  undo            undone                                                      –",
        "migrate  result.id       m1                                                          m2",
        "restart  status          ✕ failed                                                    ✓ ok",
        "restart  result.success  false                                                       true",
        "restart  result.error    port in use                                                 –",
        "",
        "took     one     other",
        "migrate  1.5 s   1 s",
        "restart  0.25 s  1 s",
    ]


def test_definitions_and_variables_are_compared_in_depth():
    one = Story(deploy(), target={"host": "a", "ports": [1, 2]}, flag=True)
    other = Story(deploy(timeout=60), target={"host": "b", "ports": [1, 3]}, flag=1)

    assert diff(one.run, other.run, "x", "y").to_dict() == {
        "runs": ["x", "y"],
        "same": False,
        "differences": {
            "definition": {"timeout": [None, 60.0]},
            "variables": {
                "target.host": ["a", "b"],
                "target.ports.1": [2, 3],
                "flag": [True, 1],
            },
        },
        "times": {},
    }


def test_the_second_turn_of_an_action_is_compared_with_the_second():
    longer, shorter = looped(), Story(looped().entries[0].event.workflow, target="all")
    shorter.performs("build", 2.0, stdout="built").performs("test", match_text="2 failing")
    shorter.performs("fix", 0.5).performs("test", match_text="9 passing")

    found = diff(longer.run, shorter.performs("done", 0.1).finish(saved="checks").run, "x", "y")

    assert found.to_dict()["differences"] == {
        "test (2)": {"result.match_text": ["1 failing", "9 passing"]},
        "fix (2)": {"status": ["✓ ok", None]},
        "test (3)": {"status": ["✓ ok", None]},
    }


@pytest.mark.parametrize("story", [failed_deploy, looped], ids=["undone", "looped"])
def test_runs_of_which_any_call_differs_are_not_the_same(story: Callable[[], Story]):
    entries = story().entries
    ends = [at for at, entry in enumerate(entries) if isinstance(entry.event, CallFinished)]
    assert len(ends) > 4

    for at in ends:
        event = entries[at].event
        other = replace(event, result={**event.result, "gave": "another"})
        changed = [*entries[:at], replace(entries[at], event=other), *entries[at + 1 :]]

        found = diff(story().run, replay(changed), "x", "y")

        assert not found.same, event
        assert any("another" in each.values for each in found.differences), event
