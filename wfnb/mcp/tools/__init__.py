"""the tools, in the order in which they are listed."""

from importlib import import_module

for _area in (
    "sessions",
    "steps",
    "branches",
    "reading",
    "investigations",
    "workflows",
    "sequential",
):
    import_module(f"{__name__}.{_area}")
