"""a name -> the tool of that name: built in, registered in this process, or of an installed
package."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from threading import RLock
from typing import Any, TypeVar, overload

from wfnb.errors import BadValue, ToolBroken, ToolBuiltIn, ToolUnknown
from wfnb.stoppable_calls.threads import GRACE

from .tool import Patience, Tool, seconds, tool_of

GROUP = "wfnb.tools"
"""The entry points by which an installed package offers tools: each is a Tool, a function (marked
by `@wfnb.tool` or not: then its entry point names it), or several of these."""

F = TypeVar("F", bound=Callable[..., Any])


class Registry:
    """The tools there are. Those registered come before those of installed packages, which are
    looked for when a name is not known yet, or all are asked for."""

    def __init__(
        self,
        builtin: Callable[[], Mapping[str, Tool]],
        offered: Callable[[], Iterable[EntryPoint]] = lambda: entry_points(group=GROUP),
    ) -> None:
        self._builtin, self._offered = builtin, offered
        self._registered: dict[str, Tool] = {}
        self._installed: dict[str, Tool] | None = None
        self._broken: dict[str, str] = {}
        self._lock = RLock()

    def get(self, name: str) -> Tool:
        """The tool of that name; raises ToolUnknown with the names there are."""
        tool = self._builtin().get(name) or self._registered.get(name)
        tool = tool or self._from_packages().get(name)
        if tool is None:
            raise ToolUnknown(name, self.names())
        return tool

    def names(self) -> tuple[str, ...]:
        """The built-in ones, then the others by name."""
        others = sorted({*self._registered, *self._from_packages()})
        return (*self._builtin(), *others)

    def tools(self) -> tuple[Tool, ...]:
        """All of them, in the order of `names`."""
        return tuple(self.get(name) for name in self.names())

    def broken_tools(self) -> Mapping[str, str]:
        """What installed packages offer and cannot be used: entry point -> why."""
        self._from_packages()
        return dict(self._broken)

    def register(self, tool: Tool) -> None:
        """Take a tool in; it replaces one of its name, as a cell that runs again does. Raises
        ToolBuiltIn for the name of a built-in one."""
        if tool.name in self._builtin():
            raise ToolBuiltIn(tool.name)
        self._registered[tool.name] = tool

    def reset_after_fork(self) -> None:
        """This process is a fork of one that may have been loading: here nobody goes on with it."""
        # Nobody was loading when it forked: then what was loaded holds here, too.
        if self._lock.acquire(blocking=False):
            self._lock.release()
        else:
            self._lock, self._installed = RLock(), None

    def _from_packages(self) -> Mapping[str, Tool]:
        with self._lock:
            if self._installed is None:
                self._installed = {}
                # Sorted: of two packages that offer one name the same wins each time.
                for point in sorted(self._offered(), key=lambda point: (point.name, point.value)):
                    self._load(point, self._installed)
            return self._installed

    def _load(self, point: EntryPoint, installed: dict[str, Tool]) -> None:
        where = f"{point.name} = {point.value}"
        try:
            for tool in _tools(point.load(), point.name):
                if tool.name in self._builtin() or tool.name in installed:
                    self._broken[where] = f"the name {tool.name!r} is taken"
                else:
                    installed[tool.name] = tool
        except BaseException as error:  # a package may do anything when it is loaded
            self._broken[where] = f"{type(error).__name__}: {error}"[:500]


def _tools(offer: Any, name: str) -> Iterator[Tool]:
    if isinstance(offer, Tool):
        yield offer
    elif isinstance(getattr(offer, "tool", None), Tool):
        yield offer.tool
    elif callable(offer):
        yield tool_of(offer, name=name, objects=None)
    else:
        for one in offer:
            yield from _tools(one, getattr(one, "__name__", name))


@cache
def builtin_tools() -> Mapping[str, Tool]:
    """The tools that come with wfnb, in the order in which they are explained."""
    from .ask import ASK  # noqa: PLC0415  all of them only when one is asked for
    from .nested_workflow import RUN_WORKFLOW  # noqa: PLC0415
    from .notebook import NOTEBOOK  # noqa: PLC0415
    from .python import PYTHON  # noqa: PLC0415
    from .read_file import READ  # noqa: PLC0415
    from .shell import SHELL  # noqa: PLC0415
    from .sleep import SLEEP, WAIT_UNTIL  # noqa: PLC0415
    from .terminal.tools import TERMINAL_TOOLS  # noqa: PLC0415
    from .watch import WATCH  # noqa: PLC0415

    waits = (ASK, SLEEP, WAIT_UNTIL, WATCH)
    tools = (*TERMINAL_TOOLS, RUN_WORKFLOW, SHELL, PYTHON, NOTEBOOK, READ, *waits)
    return {tool.name: tool for tool in tools}


REGISTRY = Registry(builtin_tools)
"""The tools of this process."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=REGISTRY.reset_after_fork)


@overload
def tool(function: F, /) -> F: ...
@overload
def tool(
    *,
    name: str | None = None,
    idempotent: bool = False,
    travels: bool = False,
    timeout: Patience = 30.0,
    results: Sequence[str] | None = None,
    parameters: Mapping[str, Any] | None = None,
    process: bool = False,
    grace: float | None = GRACE,
) -> Callable[[F], F]: ...
def tool(function: Any = None, /, **says: Any) -> Any:
    """`@wfnb.tool`: make a function a tool that workflows of this process may call.

        @wfnb.tool
        def place_order(item: str, count: int = 1) -> Order: ...

    Its parameters are those of the function (annotations, defaults, and descriptions as
    `Annotated[int, "how many"]` or in the docstring), its result what it returns: a mapping, a
    dataclass or a model become fields, anything else the field `result`; an exception is a failure.
    The function is returned as it is, with its Tool as `tool`.

    `timeout` in seconds, where the workflow names none (None: as long as the workflow has);
    `idempotent`: it may be called again when it is not known whether it was done; `travels`: it may
    run on another machine; `process`: it runs in a process of its own, which can be killed;
    `grace` in seconds: how long a coroutine function that is stopped may take to end (0.2; None: as
    long as it takes), before it is left as `still_running`; `results`: the names of its fields,
    where the return type does not say; `parameters`: a JSON Schema instead of the annotations.
    Raises ToolBuiltIn, ToolBroken, BadValue.
    """
    for field in ("grace", "timeout"):
        if says.get(field) is not None and not (field == "timeout" and callable(says[field])):
            says[field] = seconds(field, says[field])
    if isinstance(says.get("results"), str):  # a sequence of texts, too: of its letters
        raise BadValue("results", says["results"][:80], "a list of names")

    def register_function(function: Any) -> Any:
        tool = tool_of(function, **says, objects=None)
        if "grace" in says and not tool.coroutine:
            raise ToolBroken(tool.name, "only a coroutine function (`async def`) has a `grace`")
        REGISTRY.register(tool)
        with suppress(AttributeError):  # a method of an object takes none
            function.tool = tool
        return function

    return register_function if function is None else register_function(function)
