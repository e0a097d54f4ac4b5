from tests.workflows.views.given import Story, deploy, failed_deploy, looped
from wfnb.render.message import MIME
from wfnb.workflows.views.diff import SAME, Difference, diff


def test_runs_that_did_the_same_do_not_differ():
    found = diff(looped().run, looped().run, "checks-1", "checks-2")

    assert (found.same, found.found, repr(found)) == (True, (), SAME)


def test_runs_that_took_longer_differ_in_times_only_and_none_is_stored():
    one = Story(deploy()).performs("upload", 1.0).run
    other = Story(deploy()).performs("upload", 2.0).run

    found = diff(one, other, "deploy-1", "deploy-2")

    assert found.same
    assert found.found == (
        Difference(place="upload", name="took", values=("1 s", "2 s"), timed=True),
    )
    assert found._repr_mimebundle_() == {
        MIME: {"diff": {"runs": ["deploy-1", "deploy-2"], "same": True, "differences": {}}},
        "text/plain": SAME,
        "text/html": f"<div>{SAME}</div>",
    }


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
