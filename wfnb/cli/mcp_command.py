"""the words of `mcp` -> an agent that is served until it is gone; an exit code.

A client waits for the first answer, which needs the SDK and nothing of a history: what reads and
records is loaded with the first request for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from wfnb.core import validation
from wfnb.errors import SdkMissing
from wfnb.gc_pause import without_gc
from wfnb.home_path import home_path

from .exit_codes import DONE

if TYPE_CHECKING:
    from wfnb.mcp.connection import Connection


def serve(
    folder: str | None,
    session: str | None,
    allow_run: str | None,
    allow_inline: bool,
    sets: Collection[str] = (),
) -> int:
    """SdkMissing where the extra is not installed."""
    runs, path = allowed_names(allow_run), home_path(folder)

    def connect() -> Connection:
        from wfnb.home_folder import home  # noqa: PLC0415  heavy, and a client waits
        from wfnb.mcp.connection import Connection  # noqa: PLC0415
        from wfnb.workflows.tools import watchdog_process  # noqa: PLC0415

        watchdog_process.own()
        return Connection(home(path), session, runs, allow_inline, sets)

    try:
        serve_client = without_gc(_load)
    except ModuleNotFoundError as missing:
        # A missing module of our own, or of the SDK's, is a fault and must not be told as a missing
        # extra.
        if (missing.name or "").partition(".")[0] not in ("mcp", "mcp_types", "anyio"):
            raise
        raise SdkMissing from None
    serve_client(path.parent.name, connect)
    return DONE


def allowed_names(words: str | None) -> tuple[str, ...]:
    """The names that an option lists.

    >>> allowed_names("deploy, rollback"), allowed_names(None)
    (('deploy', 'rollback'), ())
    """
    names = [name.strip() for name in (words or "").split(",")]
    return tuple(validation.line("--allow-run", name, 120) for name in names if name)


def _load() -> Callable[[str, Callable[[], Connection]], None]:
    from wfnb.mcp.stdio_server import serve  # noqa: PLC0415  the SDK, which may not be there

    return serve
