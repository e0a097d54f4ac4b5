"""What can be asked of an investigation: one class per command."""

from __future__ import annotations

from wfnb.core.commands import ExtensionCommand
from wfnb.core.findings import Look
from wfnb.record import record


class InvestigationCommand(ExtensionCommand):
    __slots__ = ()
    extension = "investigation"


@record
class LookAt(InvestigationCommand):
    """`since` is the session's position when what looked began: what began before the awaited step
    was recorded is no look at it."""

    looks: tuple[Look, ...]
    since: int = 10**12
