"""Graph -> one SVG: boxes and arrows while that can be read and is quick, rows past that."""

from .boxes import boxes
from .graph import Graph
from .history_rows import tree

BOXES = 300  # nodes; beyond, boxes are slower and longer than rows, and no easier to follow
EDGES = 600  # between them


def svg(graph: Graph) -> str:
    """Well-formed XML, the same on every machine, to be put into a page or a file as it is."""
    if len(graph.nodes) > BOXES or len(graph.edges) > EDGES:
        return tree(graph)
    return boxes(graph)
