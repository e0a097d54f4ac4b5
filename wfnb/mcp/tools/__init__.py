"""the tools, in the order in which they are listed."""

from collections.abc import Collection
from importlib import import_module

from wfnb.mcp.tool_declaration import TOOLS, Tool

SETS = ("sequential", "terminal", "investigate")
"""Sets of tools that take the place of other servers' tools, where a person asks for them: each in
`drop_in_NAME_tools.py`."""

for _area in ("sessions", "steps", "branches", "step_reading", "looks_and_hypotheses", "workflows"):
    import_module(f"{__name__}.{_area}")


def offered_tools(sets: Collection[str]) -> list[Tool]:
    """Those that are always there, and those of the sets that a person asked for: of one name the
    one of the set."""
    for each in SETS:
        if each in sets:
            import_module(f"{__name__}.drop_in_{each}_tools")
    offered = (each for each in TOOLS if not each.only or each.only in sets)
    # Not in the order of their imports: that is another where a set was asked for before.
    in_order = sorted(offered, key=lambda each: ("", *SETS).index(each.only))
    return list({each.name: each for each in in_order}.values())
