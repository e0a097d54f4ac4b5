"""A run that one process performs, steered and followed from another."""

import json

from .command import Desk, asks, events, open_gate, steps, until


def test_a_run_is_cancelled_from_another_process(desk: Desk):
    gate = desk.gate()
    file = desk.write(steps("true", f"cat {gate}"))

    with desk.begun("run", file) as running:
        until(running, "▶ b")
        said = desk.wfnb("cancel", "--reason", "wrong branch", "--json")
        rest = events(running.stdout.read().splitlines())
        running.wait()

    assert said.data == {"run": "work-1", "status": "running", "stopping": True}
    assert rest == [
        "stopping: wrong branch",
        "b: ⊘ cancelled, it was stopped",
        "work-1 ⊘ cancelled: wrong branch",
        "! `wfnb resume work-1` goes on from there",
    ]
    assert running.returncode == 130


def test_cancelling_with_rollback_undoes_what_succeeded(desk: Desk):
    gate, made = desk.gate(), desk.folder / "made"
    definition = steps(f"touch {made}", f"cat {gate}")
    definition["steps"][0]["compensation"] = {"tool": "shell", "args": {"command": f"rm {made}"}}

    with desk.begun("run", desk.write(definition)) as running:
        until(running, "▶ b")
        desk.wfnb("cancel", "work-1", "--rollback")
        rest = running.stdout.read().splitlines()
        running.wait()

    assert "undoing a: ✓ ok" in rest
    assert (made.exists(), running.returncode) == (False, 130)


def test_what_can_still_not_be_undone_is_no_success(desk: Desk):
    definition = steps("true", "false")
    definition["steps"][0]["compensation"] = {"tool": "shell", "args": {"command": "false"}}

    ended = desk.wfnb("run", desk.write(definition))
    tried = desk.wfnb("cancel", "work-1", "--rollback")
    again = desk.wfnb("cancel", "work-1", "--rollback", "--json")

    assert tried.lines == ["work-1 partly rolled back", "  a: not undone: exit code 1"]
    assert [ended.code, tried.code, again.code] == [5, 5, 5]


def test_a_question_is_answered_from_another_process_by_its_number(desk: Desk):
    file = desk.write(asks(question="Go?", choices=["yes", "no"]))

    with desk.begun("run", file) as running:
        until(running, "? ask asks")
        wrong = desk.wfnb("answer", "perhaps")
        said = desk.wfnb("answer", "2", "--to", "ask", "--json")
        rest = running.stdout.read().splitlines()
        running.wait()

    assert (wrong.code, wrong.err) == (
        2,
        "wfnb: 'perhaps' is no choice here. Choices: yes, no.\n",
    )
    assert said.data == {"run": "asking-1", "answered": "no"}
    assert rest[0] == "ask was answered: no"
    assert running.returncode == 0


def test_a_question_of_a_run_within_the_run_is_listed_and_answered_by_the_name_of_either(
    desk: Desk,
):
    first = asks(question="First?")["steps"][0]
    second = {**first, "id": "again"}
    inner = {"name": "inner", "steps": [first, second]}
    call = {"id": "call", "tool": "run_workflow", "args": {"workflow_definition": inner}}
    file = desk.write({"name": "outer", "steps": [call]})

    with desk.begun("run", file) as running:
        until(running, "? ask asks")
        listed = desk.wfnb("runs", "--json").data["runs"]
        by_inner = desk.wfnb("answer", "yes", "--run", "inner-1")
        until(running, "? again asks")
        by_outer = desk.wfnb("answer", "yes", "--run", "outer-1")
        running.wait()

    assert [(run["run"], run["asks"]) for run in listed] == [("outer-1", True)]
    assert [by_inner.out, by_outer.out] == ["inner-1: answered yes\n"] * 2
    assert running.returncode == 0


def test_a_secret_is_not_sent_from_another_process(desk: Desk):
    file = desk.write(asks(question="Password", secret=True, default="none", timeout=60))

    with desk.begun("run", file) as running:
        until(running, "? ask asks")
        said = desk.wfnb("answer", "hunter2hunter2")
        asks_still = desk.wfnb("runs", "--json").data["runs"][0]["asks"]

    assert said.code == 2
    assert said.err.startswith("wfnb: 'ask' asks for a secret, which is never written down")
    assert asks_still
    kept = [path.read_bytes() for path in desk.folder.rglob("*") if path.is_file()]
    assert not [text for text in kept if b"hunter2hunter2" in text]


def test_an_answer_reaches_a_run_of_another_session_when_only_that_one_asks(desk: Desk):
    file = desk.write(asks(question="Go?"))

    with desk.begun("run", file, "--session", "night") as running:
        until(running, "? ask asks")
        said = desk.wfnb("answer", "yes")
        running.wait()

    assert (said.code, running.returncode) == (0, 0)


def test_where_several_runs_ask_the_answer_has_to_name_one(desk: Desk):
    file = desk.write(asks(question="Go?"))

    with desk.begun("run", file, "--session", "day") as day:
        until(day, "? ask asks")
        with desk.begun("run", file, "--session", "night") as night:
            until(night, "? ask asks")
            said = desk.wfnb("answer", "yes")
            chosen = desk.wfnb("answer", "yes", "--session", "night")
            night.wait()

    assert (said.code, said.err) == (
        2,
        "wfnb: Several runs may be meant: asking-1 (session day), asking-1 (session night). "
        "Say which: --run asking-1 --session night.\n",
    )
    assert (chosen.code, night.returncode) == (0, 0)


def test_a_run_whose_process_is_gone_does_not_stand_in_the_way_of_one_that_asks(desk: Desk):
    file = desk.write(asks(question="Go?"))

    with desk.begun("run", file) as dead:
        until(dead, "? ask asks")
        dead.kill()
        dead.wait()
    with desk.begun("run", file) as running:
        until(running, "? ask asks")
        said = desk.wfnb("answer", "yes")
        running.wait()
    nobody = desk.wfnb("answer", "yes")
    named = desk.wfnb("answer", "yes", "--run", "asking-1")

    assert (said.out, running.returncode) == ("asking-2: answered yes\n", 0)
    assert nobody.err.startswith("wfnb: No question is open.")
    assert named.lines[-1] == "its process is gone · `wfnb resume asking-1` goes on with the answer"


def test_a_run_whose_process_is_gone_does_not_stand_in_the_way_of_one_to_cancel(desk: Desk):
    gates = desk.gate(), desk.gate("other")

    with desk.begun("run", desk.write(steps(f"cat {gates[0]}"))) as dead:
        until(dead, "▶ a")
        dead.kill()
        dead.wait()
    with desk.begun("run", desk.write(steps(f"cat {gates[1]}"))) as running:
        until(running, "▶ a")
        said = desk.wfnb("cancel")
        running.wait()

    assert (said.out, running.returncode) == ("work-2 is being stopped\n", 130)


def test_a_log_follows_the_run_of_another_process_and_ends_as_it_does(desk: Desk):
    gate = desk.gate()
    file = desk.write(steps("true", f"cat {gate}; false"))

    with desk.begun("run", file) as running:
        until(running, "▶ b")
        with desk.begun("log", "work-1", "--follow") as following:
            before = until(following, "▶ b")
            open_gate(gate)
            after = following.stdout.read().splitlines()
            following.wait()

    told = [line.partition("  ")[2] for line in before + after]
    assert [line.partition(" · ")[0] for line in told] == [
        "work-1 started: 2 steps",
        "▶ a (shell)",
        "a: ✓ ok",
        "▶ b (shell)",
        "b: ✕ failed",
        "work-1 ✕ failed: b: exit code 1",
    ]
    assert following.returncode == 1


def test_a_log_that_follows_ends_when_the_process_of_the_run_is_gone(desk: Desk):
    gate = desk.gate()
    file = desk.write(steps(f"cat {gate}"))

    with desk.begun("run", file) as running:
        until(running, "▶ a")
        with desk.begun("log", "last", "-f") as following:
            until(following, "▶ a")
            running.kill()
            running.wait()
            rest = following.stdout.read()
            following.wait()

    assert rest == "work-1 ◐ interrupted: its process is gone\n"
    assert following.returncode == 1
    as_json = desk.wfnb("log", "last", "-f", "--json")
    assert [json.loads(line)["event"] for line in as_json.lines] == ["run-started", "call-started"]
    assert (as_json.code, as_json.err) == (1, rest)


def test_a_log_is_one_json_object_a_line(desk: Desk):
    desk.wfnb("run", desk.write(steps("true")))

    entries = [json.loads(line) for line in desk.wfnb("log", "last", "--json").lines]

    assert [(entry["position"], entry["event"]) for entry in entries] == [
        (1, "run-started"),
        (2, "call-started"),
        (3, "call-finished"),
        (4, "run-ended"),
    ]
    assert [entry["at"] for entry in entries] == sorted(entry["at"] for entry in entries)
    assert entries[1]["params"] == {"command": "true"}


def test_an_ended_run_cannot_be_cancelled_nor_answered(desk: Desk):
    desk.wfnb("run", desk.write(steps("true")))

    assert desk.wfnb("cancel", "work-1").err == (
        "wfnb: The run has ended (success). `wfnb runs` lists those that are running.\n"
    )
    assert desk.wfnb("cancel").err == (
        "wfnb: No run is going on. `wfnb runs` lists those there were.\n"
    )
    assert desk.wfnb("answer", "yes", "--run", "work-1").err == (
        "wfnb: No question is open. `wfnb runs` shows what the runs are waiting for.\n"
    )
