"""What there is beside runs: a definition is checked, workflows and tools are listed."""

from wfnb.cli.run_lookup import CommandPlace

from .command import Desk, steps


def test_check_says_every_problem_and_every_doubt(desk: Desk):
    action = {"tool": "shell", "params": {"command": "true"}}
    good = {"name": "odd", "initial_state": "a", "states": {"a": {"action": action}}}
    odd = desk.write({**good, "states": {**good["states"], "b": {"action": action}}}, "odd.yaml")
    bad = desk.write(
        {"steps": [{"tool": "shel", "args": {}}, {"tool": "shell", "args": {"comand": "ls"}}]},
        "bad.yaml",
    )

    doubtful, wrong = desk.wfnb("check", odd.name), desk.wfnb("check", bad.name)

    assert (doubtful.code, doubtful.lines[0]) == (0, "odd.yaml: ✓ can run · 1 warning")
    assert [line[:1] for line in doubtful.lines[1:]] == ["!"]
    assert (wrong.code, wrong.lines[0]) == (2, "bad.yaml: ✕ 3 problems")
    *problems, way = wrong.lines[1:]
    assert [line[:1] for line in problems] == ["✕"] * 3
    assert way == "! `--tools FILE` brings tools of your own."
    as_json = desk.wfnb("check", bad.name, "--json")
    assert (as_json.code, as_json.data["valid"], len(as_json.data["problems"])) == (2, False, 3)
    assert not (desk.folder / ".wfnb").exists()


def test_the_library_is_changed_and_listed(desk: Desk):
    file = desk.write(steps("true"))

    said = [
        desk.wfnb("workflows", *words.split()).out
        for words in (
            f"import {file} --name fresh",
            f"import {file} --name other",
            "rename fresh older",
            "export older out.yaml",
            "delete older",
        )
    ]

    assert said == [
        "imported as 'fresh'\n",
        "nothing new: it is saved already as 'fresh'\n",
        "workflow 'fresh' is now 'older'\n",
        "workflow 'older' exported to out.yaml\n",
        "workflow 'older' deleted\n",
    ]
    listed = desk.wfnb("workflows", "list", "--json").data["workflows"]
    assert {row["example"] for row in listed} == {True}
    shown = desk.wfnb("workflows", "show", listed[0]["name"], "--json").data
    assert shown["name"] == listed[0]["name"]
    assert desk.wfnb("workflows").out == desk.wfnb("workflows", "list").out


def test_tools_are_listed_and_explained(desk: Desk):
    listed, one = desk.wfnb("tools"), desk.wfnb("tools", "shell")
    data = desk.wfnb("tools", "shell", "--json").data

    assert [line.split()[0] for line in listed.lines][:2] == ["tool", "open_terminal"]
    assert one.lines[0] == "shell: Run a command and wait for its end; it has no terminal."
    assert [line.split()[:3] for line in one.lines if line.startswith("command ")] == [
        ["command", "string", "or"]
    ]
    assert (data["name"], data["parameters"]["required"]) == ("shell", ["command"])


def begun(desk: Desk) -> None:
    """Three sessions: one of two notebooks, one that follows a strategy, one that was archived."""
    home = CommandPlace(str(desk.folder / ".wfnb")).home
    for name, strategy in (("old", None), ("drift", None), ("other", "react")):
        workspace = home.start(name, strategy=strategy)
        if strategy is None:
            workspace.step("Load")
    home.forget("old")
    home.journal.set_notebook(home.find("drift"), "work/drift.ipynb", ["/far/copy.ipynb"])


def test_sessions_are_listed_with_their_notebooks(desk: Desk):
    none = desk.wfnb("sessions").out
    looked = (desk.folder / ".wfnb").exists()
    begun(desk)

    listed, every = desk.wfnb("sessions"), desk.wfnb("sessions", "--all", "--json").data

    assert (none.startswith("no session yet · "), looked) == (True, False)
    assert [line.split() for line in listed.lines] == [
        ["session", "notebook", "strategy"],
        ["drift", "work/drift.ipynb,", "/far/copy.ipynb", "1", "step"],
        ["other", "0", "steps", "react"],
    ]
    told = [(row["steps"], row["notebooks"], row["archived"]) for row in every["sessions"]]
    assert told == [
        (1, [], True),
        (1, ["work/drift.ipynb", "/far/copy.ipynb"], False),
        (0, [], False),
    ]


def test_the_sessions_of_a_folder_that_is_not_there_are_refused(desk: Desk):
    said = desk.wfnb("sessions", "--home", "nowhere")

    assert said.code == 2
    assert "a folder that is there" in said.err


def test_a_search_names_session_notebook_and_step(desk: Desk):
    begun(desk)

    found = desk.wfnb("search", "LOAD")
    narrow = desk.wfnb("search", "load", "--all", "--json").data

    assert found.lines == [
        "drift · work/drift.ipynb · /far/copy.ipynb",
        "step  title  where",
        "1     Load",
    ]
    assert [each["session"] for each in narrow["sessions"]] == ["drift", "old~1"]
    assert desk.wfnb("search", "no", "such").out == "nothing found\n"
    assert desk.wfnb("search").code == 2
