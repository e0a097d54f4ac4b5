"""What a front end keeps of what it was told, by the rules of labextension/src/protocol.ts."""

from __future__ import annotations

import json
from typing import Any


class Client:
    """Rows by index, lines by id, runs by name, and the small facts."""

    def __init__(self, snapshot: dict[str, Any]) -> None:
        self.told(snapshot)

    def told(self, message: dict[str, Any] | None) -> None:
        """Take a message as it comes over the wire."""
        if message is None:
            return
        text = json.dumps(message, ensure_ascii=False, allow_nan=False)
        data = json.loads(text)
        if data["kind"] == "snapshot":
            self.seq = data["seq"]
            self.head, self.count, self.stages = data["head"], data["count"], data["stages"]
            self.lines = {line["id"]: line for line in data["lines"]}
            self.runs = {run["name"]: run for run in data["runs"]}
            self.rows = {row["index"]: row for row in data["rows"]}
            self.inquiry = data["inquiry"]
            self.ledger = data["ledger"]
        else:
            assert data["seq"] == self.seq + 1
            self.seq = data["seq"]
            self._change(data)

    def picture(self) -> dict[str, Any]:
        """All that it knows, in the form of a snapshot without its `seq`."""
        return {
            "head": self.head,
            "lines": list(self.lines.values()),
            "count": self.count,
            "rows": [self.rows[index] for index in sorted(self.rows)],
            "stages": self.stages,
            "runs": list(self.runs.values()),
            "inquiry": self.inquiry,
            "ledger": self.ledger,
        }

    def _change(self, delta: dict[str, Any]) -> None:
        self.head |= delta.get("head", {})
        self.count = delta.get("count", self.count)
        for line in delta.get("lines", ()):
            self.lines[line["id"]] = self.lines.get(line["id"], {}) | line
        for run in delta.get("runs", ()):
            self.runs[run["name"]] = self.runs.get(run["name"], {}) | run
        self.rows |= {row["index"]: row for row in delta.get("rows", ())}
        self.stages = delta.get("stages", self.stages)
        for mark in delta.get("marks", {}).get("nodes", ()):
            for node in self.stages["nodes"]:
                if node["id"] == mark["id"]:
                    node |= mark
        for mark in delta.get("marks", {}).get("edges", ()):
            for edge in self.stages["edges"]:
                if (edge["tail"], edge["head"]) == (mark["tail"], mark["head"]):
                    edge |= mark
        if "inquiry" in delta:
            self.inquiry = _part(self.inquiry, delta["inquiry"])
        if "ledger" in delta:
            self.ledger = _part(self.ledger, delta["ledger"])


def _part(before: dict[str, Any] | None, now: dict[str, Any] | None) -> dict[str, Any] | None:
    return now if now is None or before is None else spliced(before, now)


def spliced(facts: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """The facts after what changed of them."""
    after = dict(facts)
    for name, change in changes.items():
        if not isinstance(change, list):
            after[name] = change
            continue
        entries = list(facts[name])
        for each in change:
            match each:
                case [at, dict() as facts_now]:
                    entries[at] = entries[at] | facts_now
                case [at, gone, *came]:
                    entries[at : at + gone] = came
        after[name] = entries
    return after
