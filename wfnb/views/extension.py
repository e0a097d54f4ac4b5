"""The seam of the views: what a slice (investigations, …) adds to what is shown of a session.

A slice that has a state in the session (`wfnb/core/extension.py`) says in one `ViewExtension` what
stands in the answer to a step, in the snapshot, the status, the report and the panel.
`wfnb/feature_slices.py` plugs it in. What is drawn of an answer or a snapshot has no session: a
slice is handed its own part. What it need not say is nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from wfnb.core.session import Session, Step
from wfnb.render.document import Part

Data = Mapping[str, Any]


class ViewExtension:
    """`name` is that of the slice, and of its part of a snapshot."""

    name: ClassVar[str]

    def label(self, session: Session) -> str:
        """What the session is by this slice, in a word: the kind of an investigation."""
        return ""

    def answer_fields(self, session: Session, step: Step) -> Data | None:
        """What stands behind the other fields of the answer to a step."""
        return None

    def answer_states(self, part: Data) -> Iterable[tuple[str, bool]]:
        """What stands in the line of a step, and whether it is to be seen first."""
        return ()

    def answer_notes(self, part: Data) -> Iterable[str]:
        """What stands under that line, with `code` in it."""
        return ()

    def snapshot(self, session: Session) -> Data | None:
        """Its part of the snapshot, as JSON data."""
        return None

    def status(self, part: Data) -> Iterable[str]:
        """Where it stands, from that part, in a few words each."""
        return ()

    def status_items(self, part: Data) -> Iterable[str]:
        """What is asked for, a line each, from that part."""
        return ()

    def panel(self, session: Session) -> Data | None:
        """Its part of what the panel shows."""
        return None

    def report_opening(self, session: Session) -> Iterable[Part]:
        """What stands at the top of a report."""
        return ()

    def report_section(self, session: Session) -> Iterable[Part]:
        """What stands between the history and the steps."""
        return ()

    def step_points(self, session: Session, step: Step) -> Iterable[tuple[str, list[str]]]:
        """Points under a step of a report, each with others below it."""
        return ()

    def step_figures(self, session: Session, step: Step) -> Iterable[Part]:
        """Pictures under these points."""
        return ()


VIEWS: dict[str, ViewExtension] = {}
"""The slices that are plugged in, by name."""


def plug_in(extension: ViewExtension) -> None:
    VIEWS[extension.name] = extension


def active(session: Session) -> Iterator[ViewExtension]:
    """Those of the slices that have a state in the session."""
    return (VIEWS[name] for name in session.states if name in VIEWS)
