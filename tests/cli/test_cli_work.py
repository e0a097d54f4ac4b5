"""`wfnb work`: what was parked goes on when it is due, once, whoever looks."""

import signal
import time
from collections import Counter

from .command import PATIENCE, Desk, until

DAY = 86_400


def waits(*, seconds: float, name: str = "work", after: str = "echo {n} >> made") -> dict:
    """It waits, and then makes a line."""
    wait = {"id": "wait", "tool": "sleep", "args": {"seconds": seconds}}
    made = {"id": "made", "tool": "shell", "args": {"command": after}}
    return {"name": name, "variables": {"n": "0"}, "steps": [wait, made]}


def statuses(desk: Desk) -> Counter[str]:
    return Counter(run["status"] for run in desk.wfnb("runs", "--json").data["runs"])


def test_a_run_is_parked_and_goes_on_by_itself_when_it_is_due(desk: Desk):
    file = desk.write(waits(seconds=0.5))

    parked = desk.wfnb("run", file, "--park")
    listed = desk.wfnb("runs").lines[1]
    with desk.begun("work") as worker:
        lines = until(worker, "success")
        worker.send_signal(signal.SIGTERM)
        code = worker.wait(PATIENCE)

    assert parked.code == 6
    assert "! `wfnb work` goes on with it when what it waits for has come" in parked.lines
    assert "◷ parked" in listed
    assert " until 20" in listed
    assert lines == ["work-1 goes on", "work-1 ✓ success"]
    assert (code, (desk.folder / "made").read_text()) == (143, "0\n")


def test_once_does_what_is_due_and_leaves_the_rest(desk: Desk):
    desk.wfnb("run", desk.write(waits(seconds=0.1)), "--park")
    desk.wfnb("run", desk.write(waits(seconds=DAY, name="late"), "late.yaml"), "--park")
    fails = waits(seconds=0.1, name="fails", after="exit 3")
    desk.wfnb("run", desk.write(fails, "fails.yaml"), "--park")
    time.sleep(0.2)

    said = desk.wfnb("work", "--once", "--json")

    assert said.code == 1
    assert sorted(said.out.split()) == sorted(said.out.split())
    assert statuses(desk) == {"success": 1, "parked": 1, "failed": 1}
    assert desk.wfnb("work", "--once").out == ""


def test_what_began_in_a_folder_within_goes_on_there(desk: Desk):
    within = Desk(desk.folder / "within", desk.env)
    within.folder.mkdir()
    (desk.folder / ".wfnb").mkdir()
    within.wfnb("run", within.write(waits(seconds=0.1)), "--park")
    time.sleep(0.2)

    assert desk.wfnb("work", "--once").code == 0

    assert (within.folder / "made").read_text() == "0\n"
    assert not (desk.folder / "made").exists()


def test_several_at_once_do_nothing_twice(desk: Desk):
    file, many = desk.write(waits(seconds=0.2)), 12
    for n in range(many):
        assert desk.wfnb("run", file, "--park", "--var", f"n={n}").code == 6
    time.sleep(0.3)

    with desk.begun("work") as one, desk.begun("work") as other, desk.begun("work") as third:
        deadline = time.monotonic() + PATIENCE
        while statuses(desk)["success"] < many and time.monotonic() < deadline:
            time.sleep(0.1)
        workers = (one, other, third)
        for worker in workers:
            worker.send_signal(signal.SIGINT)
        codes = [worker.wait(PATIENCE) for worker in workers]

    made = (desk.folder / "made").read_text().split()
    assert sorted(map(int, made)) == list(range(many))
    assert codes == [130] * 3


def test_a_watch_is_held_by_a_worker_and_left_parked_when_that_ends(desk: Desk):
    step = {"id": "there", "tool": "watch", "args": {"file": "flag", "every": 0.1}}
    desk.wfnb("run", desk.write({"name": "look", "steps": [step]}), "--park")
    time.sleep(0.1)

    with desk.begun("work") as worker:
        until(worker, "look-1 goes on")
        worker.send_signal(signal.SIGTERM)
        left = worker.communicate(timeout=PATIENCE)[0]
    parked = statuses(desk)
    (desk.folder / "flag").touch()
    time.sleep(0.1)
    said = desk.wfnb("work", "--once")

    assert "look-1 ◷ parked until" in left
    assert parked == {"parked": 1}
    assert said.lines == ["look-1 goes on", "look-1 ✓ success"]


def test_what_a_killed_worker_held_goes_on_where_nothing_is_in_doubt(desk: Desk):
    step = {"id": "there", "tool": "watch", "args": {"file": "flag", "every": 0.1}}
    desk.wfnb("run", desk.write({"name": "look", "steps": [step]}), "--park")
    desk.wfnb("run", desk.write(waits(seconds=0.1, after="sleep 60"), "slow.yaml"), "--park")
    time.sleep(0.2)

    with desk.begun("work") as worker:
        until(worker, "goes on")
        until(worker, "goes on")
        deadline = time.monotonic() + PATIENCE
        while "made" not in desk.wfnb("log", "work-1").out and time.monotonic() < deadline:
            time.sleep(0.05)
        worker.kill()
        worker.wait(PATIENCE)
    lost = statuses(desk)
    (desk.folder / "flag").touch()
    said = desk.wfnb("work", "--once")

    assert lost == {"interrupted": 2}
    assert said.lines == ["look-1 goes on", "look-1 ✓ success"]
    assert said.err.startswith("wfnb: work-1 does not go on: Whether made (shell) was done")
    assert statuses(desk) == {"success": 1, "interrupted": 1}


def test_an_answer_from_another_process_lets_it_go_on(desk: Desk):
    ask = {"id": "ask", "tool": "ask", "args": {"question": "Go?", "timeout": DAY}}
    desk.wfnb("run", desk.write({"name": "asks", "steps": [ask]}), "--park")

    assert desk.wfnb("work", "--once").out == ""
    said = desk.wfnb("answer", "yes")
    went = desk.wfnb("work", "--once")

    assert said.lines == ["asks-1: answered yes", "`wfnb work` goes on with it"]
    assert went.lines == ["asks-1 goes on", "asks-1 ✓ success"]


def test_a_run_that_lacks_its_secret_is_named_once_and_stays_parked(desk: Desk):
    file = desk.write({**waits(seconds=0.1), "variables": {"n": {"secret": True}}})
    with_secret = Desk(desk.folder, {"TOKEN": "a-long-word"})
    assert with_secret.wfnb("run", file, "--park", "--secret", "n=TOKEN").code == 6
    time.sleep(0.2)

    with desk.begun("work") as worker:
        told = ""
        while "does not go on" not in told and (line := worker.stderr.readline()):
            told += line
        time.sleep(2)  # it looks again meanwhile
        worker.send_signal(signal.SIGTERM)
        worker.wait(PATIENCE)
        told += worker.stderr.read()
    went = with_secret.wfnb("work", "--once", "--secret", "n=TOKEN")

    assert told.count("does not go on") == 1
    assert "secret" in told
    assert (went.code, statuses(desk)) == (0, {"success": 1})
