"""Graph -> one SVG: boxes and arrows while that can be read and is quick, rows past that."""

from .boxes import boxes
from .graph import Graph
from .tree import tree

BOXES = 300  # steps; beyond, boxes are slower and longer than rows, and no easier to follow


def svg(graph: Graph) -> str:
    """Well-formed XML, the same on every machine, to be put into a page or a file as it is."""
    if graph.is_history and len(graph.nodes) > BOXES:
        return tree(graph)
    return boxes(graph)
