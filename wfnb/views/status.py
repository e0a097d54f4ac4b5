"""a snapshot -> where the session stands, as a sentence and a table of its steps."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from wfnb.errors import listing, spoken
from wfnb.render.drawing.graph import Lane
from wfnb.render.message import MIME, Message, Table
from wfnb.render.text import escape, inline_code
from wfnb.render.text.css_fonts import FONT

from .extension import VIEWS
from .step_words import came_to, short, signs, states, title_of

MAX_STEPS = 40
"""Steps that are shown; older ones are in the diagram, the report and the JSON."""


class Status:
    """Shown as text and HTML; `data` is a snapshot with its latest steps."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data

    @property
    def sentence(self) -> str:
        return " · ".join(filter(None, _sentence(self.data)))

    @property
    def table(self) -> Table:
        lines = {line["id"]: _lane(line).says for line in self.data["lines"]}
        rows = [_row(step, lines[step["branch"]]) for step in self.data["steps"]]
        return Table(("", "step", "line", "state", ""), rows, None)

    def __repr__(self) -> str:
        sentence = escape.line(self.sentence)
        shown = [sentence, repr(self.table)] if self.data["steps"] else [sentence]
        return "\n".join([*shown, *map(escape.line, self._checklist)])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        line = Message(self.sentence, None)._repr_mimebundle_()["text/html"]
        table = self.table._repr_mimebundle_()["text/html"] if self.data["steps"] else ""
        items = "".join(f"<div>{inline_code.html(item)}</div>" for item in self._checklist)
        html = line + table + (f'<div style="{FONT};margin-top:4px">{items}</div>' if items else "")
        return {MIME: _timeless(self.data), "text/plain": repr(self), "text/html": html}

    @property
    def _checklist(self) -> list[str]:
        """What slices ask for."""
        return [
            item
            for name, extension in VIEWS.items()
            if name in self.data
            for item in extension.status_items(self.data[name])
        ]


def _sentence(data: Mapping[str, Any]) -> Iterator[str]:
    earlier = data.get("earlier", {"steps": 0, "stale": 0})
    steps, lines = len(data["steps"]) + earlier["steps"], len(data["lines"])
    yield data["session"]
    yield f"{steps} step{'s' * (steps != 1)} on {lines} line{'s' * (lines != 1)}"
    runs = len(data["runs"])
    if runs:
        yield f"{runs} run{'s' * (runs != 1)}"
    stale = sum(step["stale"] for step in data["steps"]) + earlier["stale"]
    if stale:
        yield f"{stale} stale"
    if data.get("hidden_steps"):
        yield f"{len(data['hidden_steps'])} hidden"
    if data.get("recording"):
        yield "plain cells are steps"
    if data["line"] != "main":
        yield f"on {data['line']}"
    if data["strategy"]:
        yield f"{data['strategy']}: {spoken(data['stage'] or 'not begun')}"
        following = ", ".join(map(spoken, data["next_stages"]))
        if not (following and data["solved"]):  # what is solved goes on with nothing
            yield f"next {following}" if following else "ended"
    added = [(VIEWS[name], data[name]) for name in VIEWS if name in data]
    for extension, part in added:
        yield from extension.status(part)
    lacks = [lack for _, part in added for lack in part.get("lacks", ())]
    yield came_to(data["solved"], data["needs_more_steps"], lacks, data["unsolved"] or "")
    if earlier["steps"]:
        yield f"the last {len(data['steps'])} steps"


def _lane(line: Mapping[str, Any]) -> Lane:
    return Lane(id=line["id"], state="passed over" if line["over"] else line["state"])


def _row(step: Mapping[str, Any], line: str) -> tuple[str, ...]:
    notes = [step["stale_reason"]] if step["stale"] else []
    if step["revises"]:
        notes.append(f"revises {step['revises']}")
    if step["revised_by"]:
        on = "" if step["revised_on"] == step["branch"] else f"{step['revised_on']}:"
        notes.append(f"revised by {on}{step['revised_by']}")
    if step["stage"]:
        notes.append(spoken(step["stage"]))
    if step["selected"]:
        notes.append(f"selected {step['selected']}")
    notes += [f"{name} {short(value, 40)}" for name, value in step["values"].items()]
    notes += [step["cell"]] if "cell" in step else []
    # Only a snapshot of a running kernel knows it: elsewhere nothing is said.
    notes += [] if step.get("here", True) else ["not run in this kernel"]
    notes += [f"#{tag}" for tag in step.get("tags", ())]
    kept_names = step.get("kept", {}).get("names", ())
    notes += [f"kept {listing(kept_names, '')}"] if kept_names else []
    shown = states(step["outcome"], step["stale"], step.get("withdrawn", False))
    if "findings" in step:
        notes.insert(0, f"confidence {step['findings'].get('confidence')}")
    title = title_of(step["description"], 60)
    return str(step["number"]), title, line, signs(shown), " · ".join(notes)


def _timeless(data: Mapping[str, Any]) -> dict[str, Any]:
    """Without what differs in every run: an output that a notebook stores holds no times."""
    # A deep copy of JSON data, which is changed below: the snapshot belongs to the caller.
    copy = json.loads(json.dumps(data))
    for step in copy["steps"]:
        del step["duration"], step["cell_id"], step["attempts"]
    del copy["position"]
    return dict(copy)
