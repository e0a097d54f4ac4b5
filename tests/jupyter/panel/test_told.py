"""A front end that connects is told where the session is, and then what changes."""

from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel, running
from tests.jupyter.panel.front import page, waits_for

pytestmark = pytest.mark.kernel


def test_it_begins_with_all_there_is(kernel: Kernel):
    kernel.ok("%%step Load\n1", "a")
    kernel.ok("%%branch alt --from 1 Other", "b")

    with page(kernel) as front:
        (first,) = front.messages

    assert (first["kind"], first["protocol"], first["count"]) == ("snapshot", 1, 2)
    assert [(row["title"], row["branch"], row["cell_id"]) for row in first["rows"]] == [
        ("Load", "main", "a"),
        ("Other", "alt", "b"),
    ]
    assert first["head"]["session"] == "demo"


def test_what_cells_record_comes_as_changes(kernel: Kernel):
    with page(kernel) as front:
        kernel.ok("%%step Load\nx = 1", "a")
        front.until(lambda: front.state.titles == ["Load"])
        kernel.ok("%%branch alt --from 1 Other\nx + 1", "b")
        front.until(lambda: front.state.titles == ["Load", "Other"])
        kernel.ok("%%step Load it anew\nx = 3", "a")
        front.until(lambda: front.state.titles == ["Load it anew", "Other"])
        front.until(lambda: front.state.rows[1]["stale"])

        assert {told["kind"] for told in front.messages[1:]} == {"delta"}
        assert not front.state.gap
        assert front.state.rows[0]["versions"] == 2
        assert list(front.state.lines) == ["main", "alt"]
        assert front.state.head["stale"] == 1


def test_a_step_is_told_as_running_while_it_runs(kernel: Kernel, tmp_path: Path):
    gate = tmp_path / "gate"

    with page(kernel) as front:
        request = kernel.send(waits_for(gate, "%%step Wait\n"))
        front.until(lambda: front.state.titles == ["Wait"])
        before = front.state.rows[0]["outcome"]
        gate.touch()
        assert kernel.reply(request)["status"] == "ok"
        front.until(lambda: front.state.rows[0]["outcome"] == "ok")

    assert before == "running"


@pytest.mark.parametrize("how", ["cell", "request"])
def test_what_is_undone_comes_as_a_snapshot(kernel: Kernel, how: str):
    kernel.ok("%step One")
    kernel.ok("%step Two")

    with page(kernel) as front:
        if how == "cell":
            kernel.ok("%wfnb undo")
        else:
            assert front.ask("undo") == "undone: step 2 added: Two"
        front.until(lambda: len(front.messages) == 2)

    assert front.messages[-1]["kind"] == "snapshot"
    assert front.state.titles == ["One"]
    assert front.state.head["can_redo"]


def test_every_page_is_told_the_same(kernel: Kernel):
    with page(kernel) as one, page(kernel) as other:
        kernel.ok("%step One")
        for front in (one, other):
            front.until(lambda front=front: front.state.titles == ["One"])
        with page(kernel) as late:
            kernel.ok("%step Two")
            for front in (one, other, late):
                front.until(lambda front=front: front.state.titles == ["One", "Two"])

    assert not any(front.state.gap for front in (one, other, late))
    assert one.state.seq == other.state.seq == late.state.seq
    assert one.state.head == other.state.head == late.state.head


def test_the_number_of_the_last_message_is_repeated_for_who_missed_it(kernel: Kernel):
    with page(kernel) as front:
        kernel.ok("%step One")
        front.until(lambda: front.state.titles == ["One"])
        before = front.repeated
        front.until(lambda: front.repeated == before + 2)

        assert not front.state.gap


def test_many_steps_are_few_messages(kernel: Kernel):
    with page(kernel) as front:
        ran = kernel.ok(
            "from time import perf_counter\n"
            "import wfnb; ws = wfnb.open('demo', home_folder=os.environ['WFNB_HOME'])\n"
            "get_ipython().run_line_magic('wfnb', 'resume demo')\n"
            "began = perf_counter()\n"
            "for n in range(200): get_ipython().run_line_magic('step', f'Step {n}')\n"
            "print(perf_counter() - began)"
        )
        front.until(lambda: front.state.head["steps"] == 200)

    took = float(ran.stdout)
    assert len(front.messages) <= 4 + took * 10
    assert not front.state.gap


def test_who_missed_something_asks_for_a_snapshot_that_the_next_change_follows(kernel: Kernel):
    kernel.ok("%step One")

    with page(kernel) as front:
        kernel.ok("%step Two")
        front.until(lambda: front.state.titles == ["One", "Two"])
        again = front.ask("snapshot")
        front.state.take(again)
        kernel.ok("%step Three")
        front.until(lambda: front.state.titles == ["One", "Two", "Three"])

    assert again["kind"] == "snapshot"
    assert [row["title"] for row in again["rows"]] == ["One", "Two"]
    assert not front.state.gap


def test_it_follows_to_another_session(kernel: Kernel):
    kernel.ok("%step One")

    with page(kernel) as front:
        kernel.ok("%wfnb start other")
        front.until(lambda: front.state.head["session"] == "other")
        kernel.ok("%step Two")
        front.until(lambda: front.state.titles == ["Two"])
        kernel.ok("%wfnb resume demo")
        front.until(lambda: front.state.head["session"] == "demo")
        front.until(lambda: front.state.titles == ["One"])

    assert not front.state.gap


def test_it_is_told_what_another_process_records(kernel: Kernel):
    kernel.ok("%step One")

    with page(kernel) as front:
        kernel.ok(
            "import subprocess, sys\n"
            "code = \"import wfnb; wfnb.open('demo').step('From elsewhere')\"\n"
            "subprocess.run([sys.executable, '-c', code], check=True)"
        )
        front.until(lambda: front.state.titles == ["One", "From elsewhere"])

    assert not front.state.gap


def test_the_line_that_is_chosen_is_told(kernel: Kernel):
    kernel.ok("%step One")
    kernel.ok("%branch alt --from 1 Two")

    with page(kernel) as front:
        kernel.ok("%wfnb switch alt")
        front.until(lambda: front.state.head["line"] == "alt")
        front.ask("switch", branch="main")
        front.until(lambda: front.state.head["line"] == "main")

    assert not front.state.gap


def test_a_step_of_another_kernel_that_was_killed_is_told_as_interrupted(
    kernel: Kernel, tmp_path: Path
):
    kernel.ok("%step One")
    with page(kernel) as front, running(tmp_path / "other", kernel.home) as other:
        other.ok("%wfnb resume demo")
        other.send(waits_for(tmp_path / "gate", "%%step Wait\n"))
        front.until(lambda: front.state.titles == ["One", "Wait"])
        before = front.state.rows[1]["outcome"]

        other.kill()
        front.until(lambda: front.state.rows[1]["outcome"] != before)

    assert (before, front.state.rows[1]["outcome"]) == ("running", "interrupted")
