"""What a front end asks of a session is answered, and done as the magics do it."""

from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel
from tests.jupyter.panel.front import FrontEnd, Refused, page, waits_for

pytestmark = pytest.mark.kernel


def test_steps_are_read_in_pages(kernel: Kernel):
    for number in range(1, 71):
        kernel.ok(f"%step Step {number}")

    with page(kernel) as front:
        told = [row["index"] for row in front.messages[0]["rows"]]
        some = front.ask("rows", first=3, count=2)
        found = front.ask("rows", first=0, count=5, filter={"text": "7 STEP"})

    assert told == list(range(10, 70))
    assert [row["title"] for row in some["rows"]] == ["Step 4", "Step 5"]
    assert [row["title"] for row in found["rows"]] == [f"Step {n}" for n in (7, 17, 27, 37, 47)]
    assert (some["count"], found["count"]) == (70, 8)


def test_a_hypothesis_is_judged_that_stood_in_the_row_whatever_is_there_by_now(kernel: Kernel):
    kernel.ok("%wfnb start crash --kind debug")
    kernel.ok('%step It fails --hypothesis "the disk is full"')
    kernel.ok('%step It fails still --hypothesis "the loop never ends" --finding "it is slow"')

    with page(kernel) as front:
        told = front.messages[0]["inquiry"]["hypotheses"]
        first, second = (each["number"] for each in told)
        kernel.ok('%step --number 1 It fails --hypothesis "the net is down"')
        said = front.ask("judge", hypothesis=second, verdict="refuted")
        with pytest.raises(Refused) as refused:
            front.ask("judge", hypothesis=first, verdict="confirmed")

    assert [each["text"] for each in told] == ["the disk is full", "the loop never ends"]
    assert said == "refuted: the loop never ends"
    assert "'what stood there'" in str(refused.value)


def test_a_step_is_opened_and_lines_are_compared(kernel: Kernel):
    kernel.ok("%%step --text Load\nLoad it **all**.\n", "a")
    kernel.ok("%branch alt --from 1 Other")

    with page(kernel) as front:
        key = front.state.rows[0]["key"]
        card = front.ask("card", key=key)
        compared = front.ask("compare", lines=["main", "alt"])
        with pytest.raises(Refused) as refused:
            front.ask("card", key=12345)

    assert (card["key"], card["title"], card["cell_id"]) == (key, "Load", "a")
    assert card["at"] > 0
    assert [line["id"] for line in compared["lines"]] == ["main", "alt"]
    assert refused.value.args[0] == "StepUnknown"


def test_lines_are_chosen_selected_and_given_up(kernel: Kernel):
    kernel.ok("%step One")
    kernel.ok("%branch alt --from 1 Two")
    kernel.ok("%branch third --from 1 Three")

    with page(kernel) as front:
        front.ask("switch", branch="alt")
        front.ask("select", branch="alt", reason="it is shorter")
        front.ask("abandon", branch="third")
        front.until(lambda: front.state.lines["third"]["state"] == "abandoned")

        assert front.state.lines["alt"]["reason"] == "it is shorter"
        front.ask("score", branch="alt", score=0.85, reason="half the error")
        front.ask("merge", branch="third", reason="both")
        front.until(lambda: front.state.lines["third"]["state"] == "merged")
        assert front.state.lines["alt"]["score"] == 0.85
    kernel.ok("%step On alt")
    assert kernel.steps("description", "branch")[-1] == ("On alt", "alt")


def test_what_is_done_in_the_panel_is_recorded_as_done_there(kernel: Kernel):
    kernel.ok("%step One")
    kernel.ok("%branch alt --from 1 Two")

    with page(kernel) as front:
        front.ask("abandon", branch="alt")
    kernel.ok("%step Three")

    said = kernel.ok("%wfnb log --by panel").text
    assert "branch 'alt' abandoned · by the panel" in said
    assert "added" not in said


def test_a_stale_step_is_confirmed_by_its_key(kernel: Kernel):
    kernel.ok("%%step One\nx = 1", "a")
    kernel.ok("%%branch alt --from 1 Two\ny = x", "b")
    kernel.ok("%%step One again\nx = 3", "a")

    with page(kernel) as front:
        stale = [row for row in front.state.rows.values() if row["stale"]]
        front.ask("confirm", key=stale[0]["key"])
        front.until(lambda: front.state.head["stale"] == 0)

    assert [row["title"] for row in stale] == ["Two"]


def test_all_that_is_stale_is_confirmed_at_once_and_by_one_undo_it_is_not(kernel: Kernel):
    stale_chain(kernel)

    with page(kernel) as front:
        front.until(lambda: front.state.head["stale"] == 3)
        front.ask("confirm")
        front.until(lambda: front.state.head["stale"] == 0)
        front.ask("undo")
        front.until(lambda: front.state.head["stale"] == 3)


KEEPS = {
    "a": "%%step Load --keep all\nx = 1\nlog = open('log', 'w')",
    "b": "%%step Twice\ny = 2 * x",
}


@pytest.mark.parametrize("by", ["the panel", "the magic"])
def test_what_a_step_kept_is_restored_as_the_magic_does_it(kernel: Kernel, by: str):
    for id, source in KEEPS.items():
        kernel.ok(source, id)
    kernel.ok("x = 7; del log")
    magic = kernel.ok("%wfnb restore 1 --dry-run").text

    with page(kernel) as front:
        key = front.state.rows[0]["key"]
        kernel.ok(KEEPS["b"], "b")
        front.until(lambda: front.state.head["stale"] == 1)
        if by == "the panel":
            said = front.ask("restore", key=key)
        else:
            said = kernel.ok("%wfnb restore 1").text
        assert kernel.ok("print(x, 'log' in dir())").stdout.split() == ["1", "False"]
        kernel.ok(KEEPS["b"], "b")
        front.until(lambda: front.state.head["stale"] == 0)

    assert "step 1 · Load · 1 replaced · 1 not back" in said
    assert "it is an open file" in magic
    assert "it is an open file" in said


def test_nothing_is_restored_while_a_cell_runs(kernel: Kernel, tmp_path: Path):
    kernel.ok(KEEPS["a"], "a")
    gate = tmp_path / "gate"

    with page(kernel) as front:
        key = front.state.rows[0]["key"]
        request = kernel.send("x = 7\n" + waits_for(gate))
        front.prints("waiting")
        reply = front.request("restore", key=key)
        if front.subshell is not None:
            assert front.reply(reply)["says"] == "A cell runs: values are restored when none does."
        gate.touch()
        kernel.reply(request)
        front.reply(reply)

    assert kernel.ok("print(x)").stdout.strip() == ("7" if front.subshell is not None else "1")


def cells_to_run(kernel: Kernel, front: FrontEnd, **wanted: int) -> list[str | None]:
    """The cells that are run as the answers say, until none is left."""
    done: list[int] = []
    cells = []
    while (step := front.ask("next_stale", done=done, **wanted)) is not None:
        cells.append(step["cell_id"])
        kernel.ok(CHAIN[step["cell_id"]], step["cell_id"])
        done += [step["target"]] if step["key"] == step["target"] else []
    return cells


CHAIN = {
    "x": "%%step Load\nx = 80",
    "y": "%%step Mean\ny = x + 1",
    "z": "%%step Twice\nz = 2 * y",
    "w": "%%step Other\nw = x",
}


def stale_chain(kernel: Kernel) -> None:
    """Steps 2, 3 and 4 are stale: 3 rests on 2."""
    for id, source in CHAIN.items():
        kernel.ok(source.replace("80", "40"), id)
    kernel.ok(CHAIN["x"], "x")


def test_the_cells_to_run_are_those_that_run_stale_runs(kernel: Kernel):
    stale_chain(kernel)

    with page(kernel) as front:
        can = front.state.head["can_run_stale"]
        cells = cells_to_run(kernel, front)
        front.until(lambda: front.state.head["stale"] == 0)

        assert (can, front.state.head["can_run_stale"]) == (True, False)
    assert cells == ["y", "z", "w"]
    assert kernel.steps("number", "attempts") == [(1, 2), (2, 2), (3, 2), (4, 2)]


def test_up_to_a_step_only_what_it_rests_on_is_run(kernel: Kernel):
    stale_chain(kernel)

    with page(kernel) as front:
        third = front.state.rows[2]
        cells = cells_to_run(kernel, front, key=third["key"])
        front.until(lambda: front.state.head["stale"] == 1)
        with pytest.raises(Refused) as refused:
            front.ask("next_stale", key=12345)

    assert cells == ["y", "z"]
    assert refused.value.args[0] == "StepUnknown"


def test_a_step_that_is_to_run_says_its_cell_as_its_row_does(kernel: Kernel):
    kernel.ok(CHAIN["x"], "x")
    kernel.ok("%%branch alt --from 1 Mean\ny = x + 1", "y")
    kernel.ok("%%step Load\nx = 81", "x")

    with page(kernel) as front:
        row = front.state.rows[1]
        step = front.ask("next_stale")

    same = {name: row[name] for name in ("key", "cell_id", "part", "digest")}
    assert step == {"target": row["key"], "place": "alt:2", **same}


def test_a_step_that_rests_on_a_cell_that_is_no_step_is_refused_as_the_verb_does(kernel: Kernel):
    kernel.ok("k = 5", "plain")
    kernel.ok("%%step Load\nx = 40", "x")
    kernel.ok("%%step Mean\ny = x + k", "y")
    kernel.ok("%%step Load\nx = 80", "x")
    kernel.restart()
    kernel.ok("%wfnb resume demo")
    said = kernel.run("%wfnb run-stale").refusal

    with page(kernel) as front, pytest.raises(Refused) as refused:
        front.ask("next_stale")

    assert refused.value.args == ("StaleNotRun", said)


def test_a_step_of_a_line_that_was_decided_against_is_not_to_run(kernel: Kernel):
    kernel.ok(CHAIN["x"], "x")
    kernel.ok("%%branch alt --from 1 Mean\ny = x + 1", "y")
    kernel.ok("%wfnb abandon alt")
    kernel.ok("%%step Load\nx = 81", "x")

    with page(kernel) as front:
        assert [row["stale"] for row in front.state.rows.values()] == [False, True]
        assert front.state.head["can_run_stale"] is False
        assert front.ask("next_stale") is None


def test_a_refusal_is_the_sentence_that_the_magic_says(kernel: Kernel):
    said = kernel.run("%wfnb switch nowhere").refusal

    with page(kernel) as front, pytest.raises(Refused) as refused:
        front.ask("switch", branch="nowhere")

    assert refused.value.args == ("BranchUnknown", said)


def test_undo_and_redo_say_what_they_did(kernel: Kernel):
    kernel.ok("%step One")

    with page(kernel) as front:
        undone = front.ask("undo")
        redone = front.ask("redo")
        with pytest.raises(Refused) as refused:
            front.ask("redo")

    assert (undone, redone) == ("undone: step 1 added: One", "redone: step 1 added: One")
    assert refused.value.args[0] == "NothingToRedo"


def test_undoing_a_step_that_runs_leaves_its_cell_whole(kernel: Kernel, tmp_path: Path):
    gate = tmp_path / "gate"

    with page(kernel) as front:
        if front.subshell is None:
            pytest.skip("requests wait for the cell in this kernel")
        request = kernel.send(waits_for(gate, "%%step Wait\n", "print('done')"))
        front.prints("waiting")
        front.ask("undo")
        gate.touch()
        front.prints("done")
        assert kernel.reply(request)["status"] == "ok"
        kernel.ok("%step After")
        front.until(lambda: front.state.titles == ["After"])

    assert kernel.steps("number", "description") == [(1, "After")]


def test_the_report_is_what_export_writes(kernel: Kernel, tmp_path: Path):
    kernel.ok("%step One")
    kernel.ok(f"%wfnb export {tmp_path / 'demo.md'}")

    with page(kernel) as front:
        report = front.ask("report", form="md")

    assert report == {"name": "demo.md", "text": (tmp_path / "demo.md").read_text()}
