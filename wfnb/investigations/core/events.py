"""What has happened in an investigation: one class per kind of event, named on disk as in core."""

from __future__ import annotations

from wfnb.core.events import ExtensionEvent
from wfnb.core.findings import Look
from wfnb.record import record


class InvestigationEvent(ExtensionEvent):
    __slots__ = ()
    extension = "investigation"


@record
class LookedAt(InvestigationEvent):
    """Something was looked at while the next step was awaited."""

    alters_history = False

    looks: tuple[Look, ...]
