"""the tools -> functions of this module, which Jupyter's own MCP server finds by the entry point.

`jupyter_server_mcp` asks `names()` for `module:function`, gets each from the module, and makes a
tool of its name, docstring, signature and annotations. Nobody is there to allow runs, so that what
starts one is not among them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any, get_type_hints

from wfnb.author_context import author_context
from wfnb.core.events import Author
from wfnb.errors import WfnbError
from wfnb.hints import spelling_context
from wfnb.home_folder import home
from wfnb.render.text import escape

from .connection import Connection
from .hints_as_tool_calls import ToolSpelling
from .tool_declaration import Data, Tool
from .tools import offered_tools

_AUTHOR = Author(host="mcp", name="jupyter", may=())
"""That server does not say which client calls."""


@cache
def _around() -> Connection:
    """What they work in: the folder `.wfnb` of the folder that Jupyter was started in."""
    return Connection(home())


def _function(tool: Tool) -> Callable[..., Data]:
    def call(**given: Any) -> Data:
        with author_context(_AUTHOR), spelling_context(ToolSpelling()):
            try:
                return tool.call(_around(), given)
            except WfnbError as refusal:  # its sentence is made here, where it is spelled
                raise RuntimeError(escape.printable(str(refusal))) from None

    types = get_type_hints(tool.function, include_extras=True)
    taken = [
        each.replace(annotation=types[each.name])
        for each in inspect.signature(tool.function).parameters.values()
        if each.kind is each.KEYWORD_ONLY
    ]
    call.__name__ = call.__qualname__ = tool.name
    call.__doc__ = tool.description
    call.__signature__ = inspect.Signature(taken, return_annotation=Data)  # type: ignore[attr-defined]
    call.__annotations__ = {each.name: each.annotation for each in taken} | {"return": Data}
    return call


_FUNCTIONS = {each.name: _function(each) for each in offered_tools(()) if not each.destroys}
globals().update(_FUNCTIONS)


def names() -> list[str]:
    """Where each of the functions is, as `module:function`."""
    return [f"{__name__}:{name}" for name in _FUNCTIONS]
