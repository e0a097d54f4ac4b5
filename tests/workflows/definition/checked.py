"""tools that a check knows, and small workflows -> what was found in them."""

import re

from wfnb.workflows.definition.check import ToolFacts, check
from wfnb.workflows.definition.reader import parse


def unlabelled(line):
    """A line without the ids that stand beside the places of steps."""
    return re.sub(r"\b(steps\.[0-9]+) \([^)]*\)", r"\1", line)


def tool(required=(), results=(), **properties):
    return ToolFacts(
        parameters={
            "type": "object",
            "properties": properties,
            "required": list(required),
            "additionalProperties": False,
        },
        results=results,
    )


TEXT, NUMBER, ANY = {"type": "string"}, {"type": "number"}, {}
TOOLS = {
    "shell": tool(["command"], ("stdout", "stderr", "exit_code"), command=TEXT, timeout=NUMBER),
    "open_terminal": tool([], ("session_id", "screen_content", "message"), shell=TEXT),
    "await_output": tool(
        ["pattern"],
        ("match_text", "captures"),
        session_id=TEXT,
        pattern={"type": "string", "format": "regex"},
        timeout=NUMBER,
    ),
    "python": tool(["code"], None, code=TEXT),
    "run_workflow": tool(
        [],
        ("final_state", "final_variables"),
        workflow_definition=ANY,
        workflow_name=ANY,
        initial_variables=ANY,
    ),
}


def found(document, variables=None, known=("one", "two")):
    return check(parse(document), TOOLS, variables, known)


def lines(problems):
    return [str(problem) for problem in problems]


def echo(text, **more):
    return {"tool": "shell", "args": {"command": text}} | more


def steps(*made, **more):
    return {"steps": list(made)} | more


def state(name, params=None, *after, **more):
    to = [{"condition": {"success": True}, "next_state": target} for target in after]
    return {"action": {"tool": name, "params": params or {}}, "transitions": to} | more


def states(first="a", **made):
    return {"name": "w", "initial_state": first, "states": made}


def nested(**params):
    return steps({"tool": "run_workflow", "args": params})
