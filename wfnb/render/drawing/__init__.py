"""Graph -> pictures of it: SVG, DOT, Mermaid and text, all from one model."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import dot, mermaid, svg, text_drawing

__all__ = ["dot", "mermaid", "svg", "text_drawing"]


def __getattr__(name: str) -> Any:
    """A renderer is imported when a picture is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
