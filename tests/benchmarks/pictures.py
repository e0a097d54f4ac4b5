"""What the diagram of a history costs, by its size."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from wfnb.render.drawing.svg import BOXES
from wfnb.workspace import Workspace

from . import child
from .figures import Measured, Times, repeated, told, within
from .histories import NAME, branching, folder_of, grown

SIZES = (100, BOXES, 1_000, 10_000)
LIMITS = {100: 0.05, 1_000: 0.5, 10_000: 1.5}
TIMES, FIRSTS = 15, 6


def measure() -> Iterator[Measured]:
    firsts = [
        child.asked(child.__file__, "picture", folder_of(branching, 100), NAME)
        for _ in range(FIRSTS)
    ][1:]
    assert all(first["size"] > 100 * 200 for first in firsts)
    for steps in SIZES:
        workspace = grown(branching, steps)
        graph = workspace.graph()
        assert len(graph.graph.nodes) == steps
        assert graph.svg.count("<text") >= steps
        found = repeated(partial(_drawn, workspace), TIMES)
        lines = len(workspace.session.lines)
        what = f"diagram of {steps:,} steps on {lines} lines (`ws.graph().svg`)"
        if steps in LIMITS:
            yield within(what, found, LIMITS[steps])
        else:
            yield told(f"{what}, the longest with boxes", found)
        if steps == 100:
            first = Times([first["seconds"] for first in firsts])
            yield told("the same as the first picture of a process, which loads Graphviz", first)


def _drawn(workspace: Workspace) -> str:
    return workspace.graph().svg
