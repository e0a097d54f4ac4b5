"""The text of a workflow: its problems, and its placeholders."""

from __future__ import annotations

from wfnb.hints import Option

from .base import Refused
from .phrases import known_names, listing, nearest, no_placeholder


class WorkflowInvalid(Refused):
    problems: tuple[object, ...]

    def __str__(self) -> str:
        said = [str(problem) for problem in self.problems]
        if len(said) == 1:
            return said[0] if said[0].endswith("?") else f"{said[0]}."
        more = [f"- … and {len(said) - 20:,} more"] if len(said) > 20 else []
        return "\n".join(
            [
                f"The workflow has {len(said):,} problems:",
                *(f"- {line}" for line in said[:20]),
                *more,
            ]
        )


class WorkflowBroken(Refused):
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where} cannot be read as a workflow: {self.what}."


class WorkflowEmpty(Refused):
    where: str

    def __str__(self) -> str:
        return (
            f"{self.where} says nothing. It needs `steps` or `states`, for example: "
            "{name: hello, steps: [{tool: shell, args: {command: echo hello}}]}"
        )


class WorkflowSource(Refused):
    what: str

    def __str__(self) -> str:
        return self.what


class NameUnknown(Refused):
    name: str
    path: str
    known: tuple[str, ...]
    why: str

    def __str__(self) -> str:
        because = f": {self.why}" if self.why else ""
        return (
            f"{{{self.name}}} in {self.path} names nothing there is{because}. "
            f"{nearest(self.name, self.known)}{known_names(self.name, self.known)}. "
            f"{no_placeholder(self.name)}."
        )


class ExpressionFailed(Refused):
    expression: str
    why: str

    def __str__(self) -> str:
        return f"`{self.expression[:200]}` cannot be evaluated: {self.why}."


class ResultUnseen(Refused):
    condition: str

    def __str__(self) -> str:
        return (
            f"{self.condition} asks for what nobody saw: the action was taken as done, and what it "
            "gave is not known. Go on from the state that follows, or call it again."
        )


class TextAbsent(Refused):
    condition: str
    fields: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"`{self.condition}` looks in the text of a result that has none. Fields: "
            f"{listing(self.fields, 'none')}. Ask one of them by `field_contains` or an "
            "expression, or a failure alone with `success: false`."
        )


class BadOutput(Refused):
    name: str
    why: str

    def __str__(self) -> str:
        return f"Output '{self.name}' cannot be given: {self.why}"


class ItemsTooMany(Refused):
    count: int
    most: int

    def __str__(self) -> str:
        return (
            f"There are {self.count:,} items, and an action is done for {self.most:,} at most. "
            "Make lists of them, and each list one item."
        )


_WAYS = {
    "nan": "JSON has no such number: give None where there is none",
    "inf": "JSON has no such number: give None, or a text",
    "bytes": "`.decode()` makes a text of it",
    "str": "It is no Unicode text: decode it with the right encoding",
    "value under two keys": "Give the mapping keys that differ as texts, or make it pairs",
}
"""How to pass on what is of a kind."""


class ValuePrinted(Refused):
    subject: str
    kind: str
    keys: bool
    why: str
    is_at_hand: bool

    def __str__(self) -> str:
        if self.keys:
            return (
                f"{self.subject} is a mapping with keys that are no texts ({self.kind}), as keys "
                "of JSON are. Make them texts where it is made, or a list of pairs."
            )
        article = "an" if self.kind[:1].lower() in "aeiou" and self.kind != "inf" else "a"
        what = self.kind if self.kind in ("nan", "inf") else f"{article} {self.kind}"
        way = "Make it lists, mappings, numbers and texts, or write it to a file and pass the path"
        way = _WAYS.get(self.kind, way)
        if self.is_at_hand:
            return (
                f"{self.subject} is {what}, which JSON cannot hold: only Python is given it, by a "
                f"parameter that is this placeholder and nothing else. {way}."
            )
        because = f" ({self.why})" if self.why else ""
        return (
            f"{self.subject} is {what}, which JSON cannot hold, so it is not passed on{because}. "
            f"{way}."
        )


class ValueLost(Refused):
    action: str
    why: str

    def __str__(self) -> str:
        return (
            f"What {self.action!r} made cannot be read again: {self.why}. "
            f"`{Option('from', self.action)}` makes it again."
        )


class TextCut(Refused):
    name: str
    action: str
    length: int
    size: int
    why: str

    def __str__(self) -> str:
        because = f" ({self.why})" if self.why else ""
        return (
            f"Field {self.name!r} of {self.action!r} was cut at {self.length:,} of {self.size:,} "
            f"characters{because}. Write it to a file and pass the path; "
            f"`{Option('from', self.action)}` calls it again."
        )
