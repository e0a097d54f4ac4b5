"""One history for a notebook: steps, branches, revisions, strategies, and workflows.

    %load_ext wfnb              in a notebook: %%step, %%branch, %wfnb
    ws = wfnb.open("drift")     in a script: the same session, the same rules

`wfnb.open` opens a session, or makes it if it is new; everything else is on what it returns.
"""

from __future__ import annotations

# Nothing is imported here, not even `typing`: an interrupt of the command `wfnb` that comes
# meanwhile would end in a traceback, which `wfnb.cli` prevents as soon as it can.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from IPython.core.interactiveshell import InteractiveShell

    from wfnb.errors import JournalError, Refused, WfnbError
    from wfnb.home_folder import home
    from wfnb.home_folder import open_session as open
    from wfnb.investigations.advisers.adviser import Reply, Request, adviser
    from wfnb.investigations.advisers.endpoint import endpoint
    from wfnb.views.step_answer import Answer
    from wfnb.workflows.tools.call_context import Context, Question
    from wfnb.workflows.tools.registry import tool
    from wfnb.workflows.tools.result_fields import ToolFailed
    from wfnb.workflows.views.run_result import RunResult
    from wfnb.workspace import Workspace

__version__: str
__all__ = [
    "Answer",
    "Context",
    "JournalError",
    "Question",
    "Refused",
    "Reply",
    "Request",
    "RunResult",
    "ToolFailed",
    "WfnbError",
    "Workspace",
    "adviser",
    "endpoint",
    "home",
    "open",
    "tool",
]

_PLACES = {
    "Answer": ("wfnb.views.step_answer", "Answer"),
    "JournalError": ("wfnb.errors", "JournalError"),
    "Refused": ("wfnb.errors", "Refused"),
    "WfnbError": ("wfnb.errors", "WfnbError"),
    "Context": ("wfnb.workflows.tools.call_context", "Context"),
    "Question": ("wfnb.workflows.tools.call_context", "Question"),
    "RunResult": ("wfnb.workflows.views.run_result", "RunResult"),
    "ToolFailed": ("wfnb.workflows.tools.result_fields", "ToolFailed"),
    "tool": ("wfnb.workflows.tools.registry", "tool"),
    "Workspace": ("wfnb.workspace", "Workspace"),
    "Reply": ("wfnb.investigations.advisers.adviser", "Reply"),
    "Request": ("wfnb.investigations.advisers.adviser", "Request"),
    "adviser": ("wfnb.investigations.advisers.adviser", "adviser"),
    "endpoint": ("wfnb.investigations.advisers.endpoint", "endpoint"),
    "home": ("wfnb.home_folder", "home"),
    "open": ("wfnb.home_folder", "open_session"),
}


def __getattr__(name: str) -> Any:
    """Public names are imported when first asked for: `import wfnb` itself costs nothing."""
    if name == "__version__":
        return _module("importlib.metadata").version("wfnb")
    if name not in _PLACES:
        raise AttributeError(f"module 'wfnb' has no attribute {name!r}")
    module, attribute = _PLACES[name]
    return getattr(_module(module), attribute)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: InteractiveShell) -> None:
    from wfnb.gc_pause import without_gc  # noqa: PLC0415

    without_gc(lambda: _module("wfnb.jupyter.ipython_extension").load(shell))


def unload_ipython_extension(shell: InteractiveShell) -> None:
    _module("wfnb.jupyter.ipython_extension").unload(shell)


def _module(name: str) -> Any:
    from importlib import import_module  # noqa: PLC0415

    return import_module(name)
