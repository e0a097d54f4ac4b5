"""cells -> an IPython shell in this process, with wfnb loaded -> what each cell showed and changed.

A notebook is run some hundred times faster than in a kernel of its own. What is left out: messages,
and the formats of what is displayed. A restart is a new shell, an empty namespace, and a new name
for the process, so that the journal on disk is all that goes along.
"""

from __future__ import annotations

import atexit
import builtins
import sys
import warnings
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

from tests.dataflow import outside
from tests.dataflow.values import canonical, scrubbed
from wfnb import process_identity
from wfnb.jupyter import ipython_extension
from wfnb.render.message import MIME

_SETTINGS = Config()
_SETTINGS.HistoryManager.enabled = False
_IGNORE: Any = ("ignore", None, Warning, None, 0)
"""A filter of warnings."""
_MAINS = ("__main__", "__mp_main__")  # what runs here is in the place of the first
_BUILTINS = ("__IPYTHON__", "display")  # what a shell leaves there


@dataclass(frozen=True)
class Observation:
    """What one run of a cell could be seen to do: how it ended, its last value, what it printed,
    and the names before and after it. A name that is not there has no entry. `rebound` are the
    names that have another object after it."""

    error: str | None
    result: str
    printed: str
    before: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)
    rebound: frozenset[str] = frozenset()

    def changed(self) -> set[str]:
        """The names that are others after it than before."""
        names = self.before.keys() | self.after.keys()
        return {name for name in names if self.before.get(name) != self.after.get(name)}


def rebound(before: Mapping[str, Any], after: Mapping[str, Any]) -> frozenset[str]:
    """The names that were assigned or deleted between two copies of a namespace."""
    names = before.keys() | after.keys()
    return frozenset(name for name in names if before.get(name) is not after.get(name))


@dataclass(frozen=True)
class Place:
    """A step: its line and its number."""

    branch: str
    number: int

    def __str__(self) -> str:
        return str(self.number) if self.branch == "main" else f"{self.branch}:{self.number}"


class _Published(DisplayPublisher):
    """What is displayed, as data: nothing of it is printed."""

    bundles: list[dict[str, Any]]

    def publish(self, data: dict[str, Any], *_: Any, **__: Any) -> None:
        self.bundles.append(data)


class _Results(DisplayHook):
    """The last value of a cell is recorded as IPython does, and not formatted."""

    def compute_format_data(self, result: Any) -> Any:
        return {}, {}

    def write_output_prompt(self) -> None: ...

    def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None: ...

    def log_output(self, format_dict: Any) -> None: ...


class _Shell(InteractiveShell):
    display_pub_class = Type(_Published)
    displayhook_class = Type(_Results)

    def init_display_pub(self) -> None:
        super().init_display_pub()
        self.display_pub.bundles = []

    def showtraceback(self, *_: Any, **__: Any) -> None:
        """To write one takes longer than all the rest of a failing cell."""

    def showsyntaxerror(self, *_: Any, **__: Any) -> None: ...

    def _format_exception_for_storage(self, *_: Any, **__: Any) -> dict[str, Any]:
        return {}  # as long again, for a history that is not written


class Kernel:
    """The kernel of one notebook; its session is kept in the folder that WFNB_HOME names."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.shell: _Shell | None = None
        self.names: dict[str, str] | None = {}
        self._start("start")

    def _start(self, verb: str) -> None:
        outside.fresh()
        _Shell.clear_instance()
        self._filters = [_IGNORE]
        self._mains = {name: sys.modules[name] for name in _MAINS if name in sys.modules}
        self.shell = _Shell.instance(config=_SETTINGS)
        self._hidden = {*self.shell.user_ns, "_", "__", "___", "get_ipython"}
        self.names = {}
        ipython_extension.load(self.shell)
        started = self._run(f"%wfnb {verb} {self.session}", "cell-start")
        assert started[0] is None, started

    def restart(self) -> None:
        """A new kernel on the same session."""
        self.stop()
        # the name of a process is known by its nonce: of the old one, the journal sees the end
        process_identity._NONCE = f"{int(process_identity._NONCE, 16) + 1 & 0xFFFFFFFF:08x}"
        process_identity._process_name.cache_clear()
        self._start("resume")

    def stop(self) -> None:
        """The kernel ends, as far as that can be in a process that goes on."""
        shell = self.shell
        if shell is None:
            return
        ipython_extension.unload(shell)
        ipython_extension._USED.pop(shell, None)
        atexit.unregister(shell.atexit_operations)
        sys.modules.update(self._mains)
        sys.displayhook = sys.__displayhook__
        shell.user_ns.clear()
        _Shell.clear_instance()
        for name in _BUILTINS:
            vars(builtins).pop(name, None)
        outside.fresh()
        self.shell = None

    def run(self, source: str, cell: str) -> tuple[Observation, dict[str, Any] | None]:
        """Run a cell: what was observed, and the answer of the step that it recorded, if any."""
        assert self.shell is not None
        before = self._namespace() if self.names is None else self.names
        objects = dict(self.shell.user_ns)
        error, result, printed, bundles = self._run(source, cell)
        self.names = self._namespace()
        answers = [bundle[MIME] for bundle in bundles if "step_number" in bundle.get(MIME, {})]
        assigned = rebound(objects, self.shell.user_ns)
        seen = Observation(error, result, printed, before, self.names, assigned)
        return seen, answers[-1] if answers else None

    def say(self, source: str, cell: str = "cell-say") -> str | None:
        """Run a cell of which nothing but its error is of interest: to write out all that the
        names hold may take longer than all the rest."""
        self.names = None
        return self._run(source, cell)[0]

    def marks(self) -> list[dict[str, Any]]:
        """The steps, as `%wfnb status --json` gives them."""
        assert self.shell is not None
        self.shell.display_pub.bundles = []
        self.shell.run_line_magic("wfnb", "status --json")
        steps: list[dict[str, Any]] = self.shell.display_pub.bundles[-1][MIME]["steps"]
        return steps

    def _run(self, source: str, cell: str) -> tuple[str | None, str, str, list[dict[str, Any]]]:
        assert self.shell is not None
        self.shell.display_pub.bundles = []
        printed = StringIO()
        with redirect_stdout(printed), redirect_stderr(StringIO()), warnings.catch_warnings():
            warnings.resetwarnings()
            warnings.filters.extend(self._filters)  # type: ignore[attr-defined]
            done = self.shell.run_cell(source, store_history=True, cell_id=cell)
            self._filters = [*warnings.filters]  # what a cell has set holds for the next
        error = done.error_before_exec or done.error_in_exec
        return (
            None if error is None else type(error).__name__,
            "" if done.result is None else canonical(done.result),
            scrubbed(printed.getvalue()),
            self.shell.display_pub.bundles,
        )

    def _namespace(self) -> dict[str, str]:
        assert self.shell is not None
        return {
            name: canonical(value)
            for name, value in self.shell.user_ns.items()
            if name not in self._hidden and not name.startswith("_")
        }
