"""What no step refers to is removed, and nothing else."""

from pathlib import Path

import wfnb
from wfnb.workspace import Workspace


def test_garbage_is_what_no_session_refers_to(tmp_path: Path):
    place = wfnb.home(tmp_path / "home")
    one, two = place.open("one"), place.open("two")
    one.step("A", keep={"x": [1]})
    two.step("B", keep={"x": [2]})
    two.step("C", keep={"x": [3]})
    two.undo()

    spared, gone = one.values.gc(), one.values.gc(undone=True)

    assert (spared.blobs, gone.blobs) == (0, 1)
    assert one.values.usage().blobs == 2
    assert (one.restore(1), two.restore(1)) == ({"x": [1]}, {"x": [2]})


def test_what_can_be_redone_is_no_garbage_and_what_cannot_is(ws: Workspace):
    ws.step("A", keep={"x": [1]})
    ws.step("B", keep={"x": [2]})
    ws.undo()

    assert ws.values.gc().blobs == 0
    ws.redo()
    assert ws.restore(2) == {"x": [2]}
    ws.undo()
    ws.step("Another")

    assert ws.values.gc().blobs == 1
    assert ws.restore(1) == {"x": [1]}
