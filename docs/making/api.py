"""signatures and docstrings -> docs/api.md."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Container, Iterator
from dataclasses import MISSING, fields
from textwrap import dedent
from typing import Any

import wfnb
from wfnb import errors
from wfnb.home_folder import Home
from wfnb.investigations.session_investigation import Inquiry
from wfnb.session_log import SessionLog
from wfnb.views.step_answer import Answer
from wfnb.workflows.runner.active_run import ActiveRun
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.views.report import Report
from wfnb.workspace.session_values import SessionValues
from wfnb.workspace.session_views import SessionViews
from wfnb.workspace.step_recorder import StepRecorder

from .markdown import code, made_from, page, table

_INTRO = """
The magics and a script use the same objects. `import wfnb` costs nothing until a name is used; all
that is not named here is internal.
"""

_RUNS = """
`ws.run(…)` runs a workflow and waits; `ws.runs` is the rest of it: a `Runner`.

```python
ws = wfnb.open("shop")
result = ws.run({"steps": [{"tool": "shell", "args": {"command": "make"}}]}, timeout=600)
result.success, result.execution_log[0]["result"]["stdout"]

running = ws.runs.start("deploy", variables={"env": "prod"})  # does not wait
running.wait()
ws.runs.result(running).report.markdown
ws.runs.resume("deploy-1", start="upload").attend()
```
"""

_TOOLS = """
How to write a tool is told [with the tools](tools.md#your-own).
"""

_INVESTIGATIONS = """
`ws.investigation` is what can be asked of an [investigation](investigations.md): an `Inquiry`.

```python
ws = wfnb.open("crash", kind="debug")
ws.step("Empty input crashes the parser", relevant="parse.py", confidence="exploring")
print(ws.investigation.look("calls", "parse").text)
ws.step("The loop runs once too often", finding="n is read after the list has ended")
ws.investigation.findings().text
```
"""

_ERRORS = """
`wfnb.WfnbError` is the root of everything wfnb raises on purpose. `wfnb.Refused` is a command that
cannot be done as asked, `wfnb.JournalError` is the disk's no. A run that fails is no error but a
result: `result.success`. [What wfnb refuses](errors.md) lists them.
"""

MEANS = {
    "step_number": "the step's number on its line",
    "total_steps": "how many steps the whole may take, never below the number",
    "next_step_needed": "whether another step of this line follows",
    "last_step_description": "the title and what stands under it",
    "current_branch": "the step's branch; None on main",
    "branches": "the branches up to this step, in order of creation",
    "step_history_length": "how many steps there are on all lines, up to this one",
    "session": "the session's name",
    "outcome": "ok, failed, interrupted, unknown, or running",
    "error": "what a failed step raised",
    "branch_from_step": "the step that the branch left",
    "revises_step": "the step that this one corrects",
    "needs_more_steps": "whether the problem needs more; inferred where nobody said it",
    "solved": "whether this step holds the answer of the session",
    "strategy": "the strategy followed",
    "stage": "the step's stage",
    "fields": "the fields of its stage, by name",
    "next_stages": "the stages that may follow",
    "values": "named values at the end of the step",
    "kept": "the names whose values can come back, and of the others why not",
    "stale_steps": "numbers of the steps that rest on an old version",
    "selected": "the branch that its stage selected",
    "tally": "the votes: winner, share, ties, votes",
    "scores": "the scores of branches, by name",
    "warnings": "what was accepted and is odd, in sentences",
    "ledger": "what the strategy keeps: title, heads, rows, and what it lacks",
    "next_actions": "what can be done now, in sentences",
    "added": "what an investigation adds, under its name",
}


_PARTS = """
`ws.log` is the session as it is recorded, `ws.steps` records steps that run, as the magics do: for
programs that are built on wfnb, with commands, events and steps as the core has them.
"""


class NotDescribed(Exception):
    """A field of Answer of which nothing is said."""


def api() -> str:
    return page(
        made_from(
            "the docstrings of wfnb/home_folder.py, wfnb/session_log.py, wfnb/workspace/",
            "wfnb/workflows/runner/",
            "wfnb/workflows/tools/",
        ),
        "# The Python API",
        _INTRO,
        _callable("wfnb.open", wfnb.open, "##"),
        *_workspace(),
        *_answer(),
        *_runs(),
        *_tools(),
        *_investigations(),
        _callable("wfnb.home", wfnb.home, "##"),
        *_class("##", "Home", Home),
        *_methods(Home),
        "## Errors",
        _ERRORS,
    )


def _workspace() -> Iterator[str]:
    yield from _class("##", "Workspace", wfnb.Workspace)
    yield from _methods(wfnb.Workspace)
    yield "### What there is to see: `ws.views`"
    yield from _methods(SessionViews, every(SessionViews))
    yield "### Values: `ws.values`"
    yield from _methods(SessionValues, every(SessionValues))
    yield "### Underneath"
    yield _PARTS
    yield from _methods(SessionLog, every(SessionLog))
    yield from _methods(StepRecorder, every(StepRecorder))


def _answer() -> Iterator[str]:
    yield from _class("##", "Answer", Answer)
    yield table(("field", "type", "what it says"), _fields())
    yield _callable("Answer.to_dict", Answer.to_dict, "###")
    yield _callable("Answer.to_json", Answer.to_json, "###")


def _runs() -> Iterator[str]:
    yield "## Runs"
    yield _RUNS
    yield from _class("###", "RunResult", wfnb.RunResult)
    yield "All fields: [what comes back](workflows.md#what-comes-back)."
    yield _callable("RunResult.to_dict", wfnb.RunResult.to_dict, "####")
    yield from _class("###", "Report", Report)
    yield from _class("###", "Runner", Runner)
    yield from _methods(Runner, every(Runner))
    yield from _class("###", "Running", ActiveRun)
    yield from _methods(ActiveRun, every(ActiveRun, but=("heard",)))


def _tools() -> Iterator[str]:
    yield "## Tools"
    yield _TOOLS
    yield _callable("wfnb.tool", wfnb.tool, "###")
    yield from _class("###", "wfnb.ToolFailed", wfnb.ToolFailed, wfnb.ToolFailed.__init__)
    yield from _class("###", "wfnb.Context", wfnb.Context)
    yield table(("field", "what it is"), said_fields(wfnb.Context))
    yield from _class("###", "wfnb.Question", wfnb.Question, wfnb.Question)


def _investigations() -> Iterator[str]:
    yield "## Investigations"
    yield _INVESTIGATIONS
    yield from _class("###", "Inquiry", Inquiry)
    yield from _methods(Inquiry, every(Inquiry, but=("ready", "ask_after_step", "check_advisers")))
    yield _callable("wfnb.adviser", wfnb.adviser, "###")
    yield from _class("###", "wfnb.Request", wfnb.Request, wfnb.Request)
    yield from _class("###", "wfnb.Reply", wfnb.Reply, wfnb.Reply)
    yield _callable("wfnb.endpoint", wfnb.endpoint, "###")


def _class(
    heading: str, name: str, kind: type, made: Callable[..., Any] | None = None
) -> Iterator[str]:
    """A class, with how it is `made` where a program makes some."""
    yield f"{heading} `{name}`"
    yield code(signature(name, made), "python") if made else ""
    yield _said(kind)


def _methods(kind: type, chosen: Container[str] = ()) -> Iterator[str]:
    """The public methods: those chosen, a level lower; without a choice all."""
    for name, found in members(kind):
        wanted = name in chosen if chosen else True
        if wanted and inspect.isfunction(found) and not name.startswith("_"):
            yield _callable(f"{kind.__name__}.{name}", found, "####" if chosen else "###")


def every(kind: type, but: Container[str] = ()) -> tuple[str, ...]:
    return tuple(name for name, _ in members(kind) if name not in but)


def members(kind: type) -> Iterator[tuple[str, Any]]:
    """What a class has, and what it has from the classes under it."""
    for one in kind.__mro__[:-1]:
        yield from vars(one).items()


def said_fields(kind: type) -> Iterator[tuple[str, str]]:
    """The fields of a class with the text that stands under each."""
    (tree,) = ast.parse(dedent(inspect.getsource(kind))).body
    assert isinstance(tree, ast.ClassDef)
    for field, text in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
            yield f"`{ast.unparse(field.target)}`", inspect.cleandoc(ast.literal_eval(text.value))


def _fields() -> Iterator[tuple[str, str, str]]:
    """Raises NotDescribed."""
    for field in fields(Answer):
        if field.default is not MISSING:  # for the line in the notebook only
            continue
        if field.name not in MEANS:
            raise NotDescribed(
                f"Answer.{field.name} is not described. MEANS in {__file__} does it."
            )
        yield f"`{field.name}`", f"`{field.type}`", MEANS[field.name]


def _callable(name: str, found: Callable[..., Any], heading: str) -> str:
    return page(f"{heading} `{name}`", code(signature(name, found), "python"), _said(found))


def _said(found: Any) -> str:
    """The docstring, without its examples, as Markdown takes it: a name of an error is code."""
    said = (inspect.getdoc(found) or "").partition("\n>>> ")[0]
    return re.sub(r"(?<!`)\b((?:[A-Z][a-z]+){2,})\b(?!`)", _error, said)


def _error(found: re.Match[str]) -> str:
    return f"`{found[0]}`" if hasattr(errors, found[0]) else found[0]


def signature(name: str, found: Callable[..., Any]) -> str:
    """A call as it is declared; on several lines where one is too long."""
    read = inspect.signature(found)
    parts = [_parameter(part) for part in read.parameters.values() if part.name != "self"]
    names = list(read.parameters.values())
    star = next((i for i, part in enumerate(names) if part.kind is part.KEYWORD_ONLY), None)
    if star is not None and not any(part.kind is part.VAR_POSITIONAL for part in names):
        parts.insert(star - (names[0].name == "self"), "*")
    gives = "" if read.return_annotation is read.empty else f" -> {read.return_annotation}"
    line = f"{name}({', '.join(parts)}){gives}"
    if len(line) <= 88:
        return line
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){gives}"])


def _parameter(part: inspect.Parameter) -> str:
    stars = {part.VAR_POSITIONAL: "*", part.VAR_KEYWORD: "**"}.get(part.kind, "")
    said = f"{stars}{part.name}: {part.annotation}"
    return said if part.default is part.empty else f"{said} = {part.default!r}"
