"""Workflows that are kept: their names, and the folder they are in."""

from __future__ import annotations

from wfnb.hints import Option

from .base import Refused
from .phrases import listing, nearest, nearest_first


class WorkflowUnknown(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        names = listing(nearest_first(self.name, self.names), "none")
        return (
            f"Workflow {self.name!r} not found. {nearest(self.name, self.names)}Available: {names}"
        )


class WorkflowExists(Refused):
    name: str
    existing: str

    def __str__(self) -> str:
        if self.name != self.existing:
            return (
                f"Workflow {self.existing!r} exists, and {self.name!r} would be the same file on "
                "some disks. Choose a name that differs in more than capitals."
            )
        return (
            f"Workflow {self.name!r} exists, with other content. "
            f"`{Option('overwrite', True)}` replaces it; "
            "another name keeps both."
        )


class WorkflowShipped(Refused):
    name: str
    change: str

    def __str__(self) -> str:
        return (
            f"Workflow {self.name!r} comes with wfnb and cannot be {self.change}. "
            "One of your own with that name takes its place."
        )


class LibraryLocked(Refused):
    path: str

    def __str__(self) -> str:
        return f"{self.path} is locked by another process that saves a workflow. Try again."


class LibraryUnusable(Refused):
    path: str
    what: str

    def __str__(self) -> str:
        return f"{self.path} cannot be used ({self.what}). Set WFNB_HOME to a folder that can be."
