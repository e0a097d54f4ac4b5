"""the words of `mcp` -> an agent that is served until it is gone; an exit code."""

from __future__ import annotations

from collections.abc import Callable, Collection

from wfnb.errors import SdkMissing
from wfnb.gc_pause import without_gc
from wfnb.mcp.connection import Connection, allowed_names
from wfnb.workflows.tools import process_guard

from .exit_codes import DONE
from .place import Place


def serve(
    place: Place, allow_run: str | None, allow_inline: bool, sets: Collection[str] = ()
) -> int:
    """SdkMissing where the extra is not installed."""
    runs = allowed_names(allow_run)
    around = Connection(place.home, place.session, runs, allow_inline, sets)
    try:
        serve_client = without_gc(_load)
    except ModuleNotFoundError as missing:
        # A missing module of our own, or of the SDK's, is a fault and must not be told as a missing
        # extra.
        if (missing.name or "").partition(".")[0] not in ("mcp", "mcp_types", "anyio"):
            raise
        raise SdkMissing from None
    process_guard.own()
    serve_client(around)
    return DONE


def _load() -> Callable[[Connection], None]:
    from wfnb.mcp.server import serve  # noqa: PLC0415  the SDK, which may not be there

    return serve
