"""Graphs built by hand, and texts that would break a picture that does not escape."""

from wfnb.render.drawing.graph import Edge, Graph, Kind, Lane, Node

HOSTILE = (
    "<script>alert(1)</script>",
    "</svg>",
    "</style></title>",
    '"><img src=x onerror=alert(1)>',
    "]]>",
    "<!-- --> <![CDATA[",
    "a\x00b",
    "\x1b[31mred\x1b[0m\x07\x9b",
    "left \u202e\u2066 right",
    "first\nsecond\r\nthird\u2028fourth",
    "a \\N b \\n c \\\\ d \\",
    "&amp; &lt;b&gt; &#x41;",
    "' \" ` ''",
    "[a](javascript:alert(1)) ![b](http://example.org/x.png)",
    "lone \ud800 surrogate \udfff",
    "\ufffe\uffff",
    "x" * 10_000,
    "残差是否随时间漂移" * 50,
    "👩\u200d🔬 👨\u200d👩\u200d👧 🇫🇷 e\u0301",
    "| a | b |",
    "%%{init: {}}%% ; end --> n0",
    "a ![b](https://example.org/x.png) [![c](https://example.org/y.png)](https://example.org)",
    "",
    " \t ",
)


def edges(*triples: tuple[str, str, Kind]) -> tuple[Edge, ...]:
    return tuple(Edge(tail=tail, head=head, kind=kind) for tail, head, kind in triples)


def history() -> Graph:
    """main, a branch that was merged, a revision and the step it made stale."""
    return Graph(
        name="history",
        title="sensor-drift",
        lanes=(Lane(id="main"), Lane(id="robust", state="merged")),
        nodes=(
            Node(id="m1", number="1", title="Load the readings", state="ok"),
            Node(id="m2", number="2", title="Fit it", state="ok", note="revised by 4"),
            Node(id="r3", number="3", title="A robust loss", state="failed", lane=1),
            Node(id="m3", number="3", title="Are residuals drifting?", state="stale"),
            Node(id="m4", number="4", title="Drop two days", state="ok", current=True),
        ),
        edges=edges(
            ("m1", "m2", "next"),
            ("m2", "r3", "branch"),
            ("m2", "m3", "next"),
            ("m3", "m4", "next"),
            ("m4", "m2", "revises"),
            ("r3", "m4", "merge"),
        ),
    )


def stages() -> Graph:
    return Graph(
        name="react",
        title="ReAct",
        direction="LR",
        nodes=(
            Node(id="plan", title="action_planning", state="ok", shape="stage"),
            Node(id="act", title="action_execution", state="current", shape="stage"),
            Node(id="end", title="final_response", shape="end"),
        ),
        edges=(
            Edge(tail="plan", head="act", kind="taken", label="2×"),
            Edge(tail="act", head="plan", kind="taken"),
            Edge(tail="act", head="end", kind="transition"),
        ),
    )


def saying(text: str) -> Graph:
    """Every text of a graph is this one."""
    return Graph(
        name=text,
        title=text,
        lanes=(Lane(id="main"), Lane(id=text)),
        nodes=(
            Node(id="a", number=text, title=text, state="ok", note=text, tooltip=text),
            Node(id="b", title=text, state="stale", lane=1, current=True),
        ),
        edges=(Edge(tail="a", head="b", kind="branch", label=text),),
    )


def line(length: int) -> Graph:
    """A history without branches."""
    return Graph(
        name="history",
        title="long",
        lanes=(Lane(id="main"),),
        nodes=tuple(
            Node(id=str(number), number=str(number), title=f"Step {number}", state="ok")
            for number in range(length)
        ),
        edges=edges(*((str(n), str(n + 1), "next") for n in range(length - 1))),
    )
