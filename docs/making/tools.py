"""the built-in tools, and cells that write others -> docs/tools.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfnb.workflows.tools.registry import builtin_tools
from wfnb.workflows.tools.tool import Tool

from .markdown import made_from, page, table
from .schema import rows
from .shown import page_as_shown

_INTRO = """
A **tool** is what an action of a [workflow](workflows.md) calls: a function with a name. `%wfnb
tools` lists those there are, `%wfnb tools NAME` explains one. Parameters are given by name, and
are checked before the run where they are known by then.

Every result has `success`; a failure has `error`, a sentence, and where an exception was raised
`error_type`. A call that ran out of time has `timeout_occurred`; one that was killed from outside
has `outcome_unknown`: it may have done what it was to do. The other fields are named under each
tool; they may be used in placeholders (`{ACTION.FIELD}`) and conditions.
"""

_OWN = """
## One call

`%wfnb call TOOL KEY=VALUE …` calls a tool without a workflow, and shows the fields of its result.
It is a run of one action, recorded as any other.

```python
%load_ext wfnb
%wfnb start orders
%wfnb call python code="sum(range(10))"
```

```text
```

A step of a [strategy](strategies.md) takes over what a call gave: `--set observation=@last`, or
one field of it, `--set observation=@call-1.result`.

## Your own

`@wfnb.tool` makes a function a tool. Its parameters, their types and defaults are those of the
function. What it returns becomes the fields of its result: a mapping, a dataclass or a pydantic
model as it is, anything else as the field `result`. An exception is a failure.
What a parameter is given is read as its type: the text `3` where a number is wanted is 3, and a
number is a text. As in conditions, true and false are no numbers, and nothing else is one of them.

```python
from typing import Annotated

import wfnb

stock = {"barley": 40, "rye": 0}


@wfnb.tool
def take(item: str, bushels: Annotated[int, "how many"] = 1) -> dict:
    \"""Take some of an item out of the stock.\"""
    if stock[item] < bushels:
        raise wfnb.ToolFailed(f"only {stock[item]} of {item} are left", left=stock[item])
    stock[item] -= bushels
    return {"left": stock[item]}


@wfnb.tool(idempotent=True)
def count(item: str) -> int:
    \"""How much is left of an item.\"""
    return stock[item]
```

```python
%wfnb tools take
```

```text
```

```python
%%run_workflow sale
initial_state: take
states:
  take:
    action: {tool: take, params: {item: barley, bushels: 15}}
    retry: 2
    transitions:
      - {condition: {success: true}, next_state: count}
  count:
    action: {tool: count, params: {item: barley}}
```

```text
```

```python
wfnb.open("orders").runs.result("sale-1").final_variables["result"]
```

```text
25
```

The function is returned as it was, and can still be called: `take("rye")`. Running its cell again
replaces the tool. The names of built-in tools cannot be taken.

"""

_CONTEXT = """
**Programs.** A parameter that holds a program is passed as it is written, braces and all, when its
schema has the keyword `x-verbatim`. What the program needs goes by another parameter.

```python
from pydantic import Field


Query = Annotated[str, Field(json_schema_extra={"x-verbatim": True})]


@wfnb.tool
def matches(query: Query, item: str) -> bool:
    \"""Whether a query, in which `{}` stands for the item, is one of the stock.\"""
    return query.format(item) in stock
```

**The context.** A parameter that is annotated `wfnb.Context` is not given by the workflow; it is
what the tool may know and use of the call that it is in. `context.say(text)` shows progress (and
resets the action's `idle_timeout`), `await context.ask(wfnb.Question(text=…, choices=(…)))` asks a
person, and `context.folder`, `context.attempt`, `context.run` and `context.action` say where and
what it is. A tool that awaits is an `async def` function; when it is stopped, it gets a
`CancelledError` where it waits, and has its `grace` to close what it opened.

```python
import asyncio


@wfnb.tool
async def weigh(context: wfnb.Context, sacks: list[float]) -> float:
    \"""Weigh sacks, one after the other.\"""
    for number, sack in enumerate(sacks, start=1):
        context.say(f"sack {number} of {len(sacks)}: {sack} kg")
        await asyncio.sleep(0.01)
    return sum(sacks)
```

```python
%%run_workflow weighing
steps:
  - {tool: weigh, args: {sacks: [48.5, 51.0, 47.5]}}
```

```text
```

**In a package.** An installed package offers tools by the entry point group `wfnb.tools`: each is a
function, a `Tool`, or several of them.

```toml
[project.entry-points."wfnb.tools"]
weigh = "granary.scales:weigh"
```

A package that cannot be loaded keeps nobody from working: `%wfnb tools` names it, and says why.
"""


_OPTIONS = (
    ("name", "its name, where it is not the function's"),
    (
        "timeout",
        "seconds an attempt may take, where the workflow does not say (30); None: as long as the "
        "workflow has",
    ),
    ("idempotent", "it may be called again when it is not known whether it was done"),
    (
        "travels",
        "it may be called on another machine: `--on dask://HOST:PORT`. It sees nothing of the "
        "notebook but its parameters",
    ),
    (
        "process",
        "it is called in a process of its own, which can be killed; a plain function runs in a "
        "thread, which can only be asked to stop",
    ),
    (
        "grace",
        "seconds that a coroutine function has to end when it is stopped (0.2); None: as long as "
        "it takes. One that has not ended by then is left, and its result says `still_running`",
    ),
    (
        "results",
        "the names of the fields of its result, where the return type does not say; they make "
        "placeholders checkable before the run",
    ),
    ("parameters", "a JSON Schema of its parameters, instead of the annotations"),
)


def tools() -> str:
    made = page(
        made_from("wfnb/workflows/tools/", "docs/making/tools.py"),
        "# Tools",
        _INTRO,
        table(("tool", "in a line"), ((f"[`{t.name}`](#{t.name})", t.says) for t in _all())),
        *map(_tool, _all()),
        _OWN,
        table(("option of `@wfnb.tool(…)`", ""), ((f"`{o}`", says) for o, says in _OPTIONS)),
        _CONTEXT,
    )
    return page_as_shown(made)


def _all() -> tuple[Tool, ...]:
    return tuple(builtin_tools().values())


def _tool(tool: Tool) -> str:
    return page(
        f"## `{tool.name}`",
        tool.says,
        tool.about,
        table(("parameter", "may be", "default", "what it is"), rows(_inlined(tool.parameters))),
        "" if tool.parameters.get("properties") else "It has no parameters.",
        f"Result: {_results(tool)}.",
        f"Time for an attempt: {_time(tool)}.{_again(tool)}",
    )


def _inlined(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """`null` as a value that may be left out is said by the default."""
    properties = {
        name: {**field, "anyOf": [part for part in field["anyOf"] if part.get("type") != "null"]}
        if "anyOf" in field
        else field
        for name, field in schema["properties"].items()
    }
    return {**schema, "properties": properties}


def _results(tool: Tool) -> str:
    always = ("success", "error", "error_type")
    own = [f"`{name}`" for name in tool.results or () if name not in always]
    return ", ".join(own) or "`success` alone"


def _time(tool: Tool) -> str:
    if callable(tool.patience):
        return "a second more than its `timeout`"
    return "as long as the workflow has" if tool.patience is None else f"{tool.patience:g} s"


def _again(tool: Tool) -> str:
    return " It is idempotent: a call that was cut off is made again." if tool.idempotent else ""
