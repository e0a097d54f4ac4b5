"""Graph and the room each node takes -> where Graphviz puts nodes and edges, in pixels."""

import json
from collections.abc import Mapping
from importlib import import_module
from threading import Lock
from typing import Any

from wfnb.frozen_record import record

from .dot import Rooms, frame
from .graph import Graph

Point = tuple[float, float]
_ONE_AT_A_TIME = Lock()  # Graphviz keeps its state in globals


@record
class Curve:
    """A Bézier path: a start, then three points for each piece; `tip` is the arrow's end."""

    points: tuple[Point, ...]
    tip: Point | None
    label: Point | None


@record
class Box:
    """A node's middle and size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def left(self) -> float:
        return self.x - self.width / 2

    @property
    def top(self) -> float:
        return self.y - self.height / 2


@record
class Placement:
    """`boxes` are nodes by id, `curves` the edges Graphviz drew, by their number."""

    width: float
    height: float
    boxes: Mapping[str, Box]
    curves: Mapping[int, Curve]


def place(graph: Graph, rooms: Rooms, labels: Mapping[int, float]) -> Placement:
    """Laid out by `dot`, inside this process. The origin is the upper left corner."""
    drawn = json.loads(_graphviz(frame(graph, rooms, labels)))
    _, _, width, height = map(float, drawn["bb"].split(","))
    middles = {each["name"]: _point(each["pos"], height) for each in drawn.get("objects", ())}
    return Placement(
        width=width,
        height=height,
        boxes={
            node.id: Box(x=x, y=y, width=rooms[node.id][0], height=rooms[node.id][1])
            for number, node in enumerate(graph.nodes)
            for x, y in (middles[f"n{number}"],)
        },
        curves={int(each["id"]): _curve(each, height) for each in drawn.get("edges", ())},
    )


def _graphviz(source: str) -> bytes:
    agraph = import_module("pygraphviz").AGraph  # heavy: only when something is drawn
    with _ONE_AT_A_TIME:
        drawn: bytes = agraph(string=source).draw(format="json0", prog="dot")
    return drawn


def _point(pair: str, height: float) -> Point:
    x, y = pair.split(",")
    return float(x), height - float(y)


def _curve(edge: Mapping[str, Any], height: float) -> Curve:
    tips, points = [], []
    for word in edge["pos"].split(";")[0].split():
        if word.startswith("e,"):
            tips.append(_point(word[2:], height))
        elif not word.startswith("s,"):
            points.append(_point(word, height))
    return Curve(
        points=tuple(points),
        tip=tips[0] if tips else None,
        label=_point(edge["lp"], height) if "lp" in edge else None,
    )
