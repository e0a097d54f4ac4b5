"""extraction -> Graph -> renderers: the one model every picture is drawn from.

A history graph has lanes (one a branch) and a node a step; any other has neither lanes nor
numbers, and a node a stage of a strategy, or a state or step of a workflow. Texts are the user's
own, unescaped and uncut: cutting and escaping are the renderers' work. The order of `nodes` is the
order of creation.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from wfnb.frozen_record import record

State = Literal[
    "ok",
    "failed",
    "interrupted",
    "unknown",
    "stale",
    "revised",
    "running",
    "current",
    "not yet",
    "timed out",
    "cancelled",
    "skipped",
    "undone",
    "withdrawn",
]
LaneState = Literal["open", "selected", "merged", "abandoned", "passed over"]
Kind = Literal["next", "branch", "revises", "merge", "transition", "taken"]

SIGNS: Mapping[State, str] = MappingProxyType(
    {
        "ok": "✓",
        "failed": "✕",
        "interrupted": "◐",
        "unknown": "?",
        "stale": "◌",
        "revised": "↻",
        "running": "▶",
        "current": "▶",
        "not yet": "·",
        "timed out": "◷",
        "cancelled": "⊘",
        "skipped": "»",
        "undone": "↶",
        "withdrawn": "⊖",
    }
)

_HOLLOW: frozenset[State] = frozenset({"stale", "not yet", "skipped", "undone", "withdrawn"})


@record
class Lane:
    """A branch: `main` is lane 0."""

    id: str
    state: LaneState = "open"

    @property
    def says(self) -> str:
        return self.id if self.state == "open" else f"{self.id} · {self.state}"

    @property
    def is_rejected(self) -> bool:
        """Whether it was decided against."""
        return self.state in ("abandoned", "passed over")


@record
class Node:
    """A step or a stage. `note` is what else is known in a few words: "revised by 4". `stale` is
    said beside a state that is another."""

    id: str
    title: str
    number: str = ""
    state: State = "not yet"
    note: str = ""
    shape: Literal["step", "stage", "end"] = "step"
    lane: int = 0
    current: bool = False
    tooltip: str = ""
    stale: bool = False

    @property
    def hollow(self) -> bool:
        """Whether it no longer holds, or is not there yet."""
        return self.stale or self.state in _HOLLOW

    @property
    def sign(self) -> str:
        return SIGNS[self.state]

    @property
    def says(self) -> str:
        """Its state in a sign, a word and the note: "✓ ok · revised by 4"."""
        return " · ".join(filter(None, (f"{self.sign} {self.state}", self._stale_text, self.note)))

    @property
    def _stale_text(self) -> str:
        return f"{SIGNS['stale']} stale" if self.stale and self.state not in _HOLLOW else ""

    @property
    def foot(self) -> str:
        """What stands below a title that has its sign before it: no word where all is as usual."""
        usual = self.state in ("ok", "current", "not yet")
        return " · ".join(filter(None, ("" if usual else self.state, self._stale_text, self.note)))


@record
class Edge:
    """Older to newer, except `revises`, which points from the correction to the corrected.
    `when` is what has to hold for it to be taken, in a few words."""

    tail: str
    head: str
    kind: Kind
    label: str = ""
    when: str = ""

    @property
    def says(self) -> str:
        return " · ".join(part for part in (self.when, self.label) if part)


@record
class Graph:
    """`name` is an identifier (it becomes DOT's), `title` what people read. Edges join nodes of
    the graph. Boxes asked to go `LR` go `TB` where a page is too narrow for them. `thing` is what a
    node is where it is no step of a history."""

    name: str
    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    lanes: tuple[Lane, ...] = ()
    direction: Literal["TB", "LR"] = "TB"
    thing: Literal["stage", "state", "step", "run", "function"] = "stage"

    @property
    def is_history(self) -> bool:
        return bool(self.lanes)

    @property
    def says(self) -> str:
        """The picture in a sentence, for people who cannot see it."""
        if not self.is_history:
            current = [node.title for node in self.nodes if node.state in ("current", "running")]
            return f"{self.title}: {_count(len(self.nodes), self.thing)}" + "".join(
                f", now at {words}" for words in current
            )
        size = f"{_count(len(self.nodes), 'step')} on {_count(len(self.lanes), 'line')}"
        stale = sum(node.stale or node.state == "stale" for node in self.nodes)
        return f"{self.title}: {size}" + (f", {stale} stale" if stale else "")

    @property
    def labels(self) -> tuple[str, ...]:
        """What each edge says: its condition and label, or the branch it opens."""
        lanes = {node.id: node.lane for node in self.nodes}
        return tuple(
            edge.says or (self.lanes[lanes[edge.head]].says if edge.kind == "branch" else "")
            for edge in self.edges
        )


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
