"""session -> what is shown of it: answers, pictures, reports, tables."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import report

__all__ = ["report"]


def __getattr__(name: str) -> Any:
    """A report is long to make and seldom asked for: it is imported then."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
