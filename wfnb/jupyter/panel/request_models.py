"""a message of a front end -> a request that is one, or BadRequest in one line.

One model a word: what it takes, and nothing else. Whatever comes is hostile until it is read here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from wfnb.render.text.escape import line

MAX_ROWS = 1_000
MAX_CELLS = 20_000
"""Cells of a notebook that are told."""
MAX_CALLS = 100
"""Calls that one request may answer for."""
MAX_OPENED, MAX_DEEP = 100, 10
"""Workflows that are looked at within another at once, and how deep."""
_SHOWN = 60

# Numbers of JavaScript are exact up to 2**53.
Key = Annotated[int, Field(ge=0, le=2**53)]
Count = Annotated[int, Field(ge=0, le=2**53)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=300)]
CellId = Annotated[str, StringConstraints(min_length=1, max_length=300)]
Text = Annotated[str, StringConstraints(max_length=100_000)]
Definition = Annotated[str, StringConstraints(max_length=10_000_000)]

Opened = Annotated[
    list[Annotated[list[Name], Field(min_length=1, max_length=MAX_DEEP)]],
    Field(max_length=MAX_OPENED),
]
"""Actions that run a workflow, each by the path of actions that leads to it."""


class BadRequest(Exception):
    """A message that asks for nothing that can be asked for."""


class _Strict(BaseModel):
    # Strict, as "1" for a number is a fault of the front end that ought to be found.
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Request(_Strict):
    """`id` is the front end's own and comes back with the answer."""

    id: Key


class Filter(_Strict):
    branch: Name | None = None
    stage: Name | None = None
    outcome: (
        Literal["ok", "failed", "interrupted", "unknown", "running", "none", "stale"] | None
    ) = None
    text: Name | Literal[""] | None = None
    hidden: bool = False


class Snapshot(Request):
    ask: Literal["snapshot"]


class Rows(Request):
    ask: Literal["rows"]
    first: Count
    count: Annotated[int, Field(ge=0, le=MAX_ROWS)]
    filter: Filter = Filter()


class Card(Request):
    ask: Literal["card"]
    key: Key


class Compare(Request):
    ask: Literal["compare"]
    lines: Annotated[list[Name], Field(max_length=MAX_ROWS)] = []


class CompareCode(Request):
    ask: Literal["compare_code"]
    lines: Annotated[list[Name], Field(max_length=2)]


class OpenRun(Request):
    """Of the runs that actions of it called, too, those at the ends of these paths of actions."""

    ask: Literal["run"]
    run: Name
    opened: Opened = []


class CloseRun(Request):
    ask: Literal["close_run"]
    run: Name


class Workflows(Request):
    ask: Literal["workflows"]


class Check(Request):
    """`text` is a definition as it is written in `file`; `run` is one that is compared with it,
    `action` one of which the names that it may use are wanted ("": those of the outputs); the
    workflows that the `opened` actions run are wanted whole."""

    ask: Literal["check"]
    text: Definition
    file: Name
    run: Name | None = None
    action: Name | Literal[""] | None = None
    opened: Opened = []


class Inputs(Request):
    """What an action of a text has to be given to run alone; `run` is one that may have known."""

    ask: Literal["inputs"]
    text: Definition
    file: Name
    action: Name
    run: Name | None = None


class Variables(Request):
    """What a run knows of its variables: a resume may give it others."""

    ask: Literal["variables"]
    run: Name


class Ended(Request):
    """What a run that has ended came to, as its cell would show it."""

    ask: Literal["ended"]
    run: Name


class Ran(Request):
    """The definition that a run had, those of the runs that the `opened` actions called, and what
    differs in a text."""

    ask: Literal["ran"]
    run: Name
    text: Definition
    file: Name
    opened: Opened = []


class Tools(Request):
    ask: Literal["tools"]


class Start(Request):
    """`workflow` is the name of a saved one; with a `text` it is the file that this is in. An
    `action` of it runs alone, with what `run` knew as far as nothing else is given."""

    ask: Literal["start"]
    workflow: Name
    text: Definition | None = None
    action: Name | None = None
    run: Name | None = None
    variables: Annotated[dict[Name, Text], Field(max_length=MAX_ROWS)] = {}


class Open(Request):
    ask: Literal["open"]


class Cancel(Request):
    ask: Literal["cancel"]
    run: Name
    at_once: bool = False


class Resume(Request):
    """`lost` has the answers to a refusal that named `calls`. `text` is the definition from here
    on, as it is in `file`; `start` the action that it goes on from."""

    ask: Literal["resume"]
    run: Name
    text: Definition | None = None
    file: Name = "workflow"
    start: Name | None = None
    variables: Annotated[dict[Name, Text], Field(max_length=MAX_ROWS)] = {}
    lost: Annotated[dict[Name, Literal["again", "done"]], Field(max_length=MAX_CALLS)] = {}


class Answer(Request):
    ask: Literal["answer"]
    run: Name
    call: Key
    answer: Text


class Switch(Request):
    ask: Literal["switch"]
    branch: Name


class Select(Request):
    ask: Literal["select"]
    branch: Name
    reason: Text | None = None


class Abandon(Request):
    ask: Literal["abandon"]
    branch: Name
    reason: Text | None = None


class Merge(Request):
    ask: Literal["merge"]
    branch: Name
    reason: Text | None = None


class Score(Request):
    ask: Literal["score"]
    branch: Name
    score: float
    reason: Text | None = None


class Confirm(Request):
    """Without `key` all that are stale."""

    ask: Literal["confirm"]
    key: Key | None = None


class Restore(Request):
    """Asked on the thread of the cells, in its turn: values are put into the namespace."""

    ask: Literal["restore"]
    key: Key


class NextStale(Request):
    """`key` is the step that is wanted, without one all are; `done` are those that were run."""

    ask: Literal["next_stale"]
    key: Key | None = None
    done: Annotated[list[Key], Field(max_length=MAX_CELLS)] = []


class Judge(Request):
    """`hypothesis` is the mark by which the panel was told of it."""

    ask: Literal["judge"]
    hypothesis: Annotated[int, Field(ge=0, lt=1 << 32)]
    verdict: Literal["confirmed", "refuted"]


class Cells(Request):
    """The ids of the notebook's code cells, in the same order how many steps each opens, and by id
    the headings right above them."""

    ask: Literal["cells"]
    ids: Annotated[list[CellId], Field(max_length=MAX_CELLS)]
    steps: Annotated[list[Count], Field(max_length=MAX_CELLS)]
    headings: Annotated[dict[CellId, Text], Field(max_length=MAX_CELLS)] = {}


class Record(Request):
    """Plain cells are steps from here on, or none is."""

    ask: Literal["record"]
    on: bool


class Source(Request):
    ask: Literal["source"]
    key: Key
    version: Annotated[int, Field(ge=1, le=2**53)] | None = None


class Hide(Request):
    ask: Literal["hide"]
    key: Key


class Show(Request):
    ask: Literal["show"]
    key: Key


class Describe(Request):
    ask: Literal["describe"]
    key: Key
    title: Text | None = None
    reason: Text | None = None


class Tag(Request):
    """All the tags that the step has from here on."""

    ask: Literal["tag"]
    key: Key
    tags: Annotated[list[Name], Field(max_length=MAX_ROWS)]


class AuthoredWork(_Strict):
    """Whose work, and the key of the first step of it."""

    by: Name
    key: Annotated[int, Field(ge=1, le=2**53)]


class Undo(Request):
    """The last change; or all that an author did from a step on."""

    ask: Literal["undo"]
    work: AuthoredWork | None = None


class Redo(Request):
    ask: Literal["redo"]


class Notebook(Request):
    """Where the notebook is, below the `root` of its server, and which session its metadata
    name."""

    ask: Literal["notebook"]
    path: Text
    root: Text = ""
    session: Name | None = None


class Sessions(Request):
    ask: Literal["sessions"]


class OpenSession(Request):
    ask: Literal["open_session"]
    session: Name


class Report(Request):
    ask: Literal["report"]
    form: Literal["md", "html", "json"]


_ALL: tuple[type[Request], ...] = (
    *(
        Snapshot,
        Rows,
        Card,
        Compare,
        CompareCode,
        OpenRun,
        CloseRun,
        Workflows,
        Check,
        Inputs,
        Variables,
        Ended,
        Ran,
        Tools,
    ),
    *(Start, Open, Cancel),
    *(
        Resume,
        Answer,
        Switch,
        Select,
        Abandon,
        Merge,
        Score,
        Confirm,
        Restore,
        Judge,
        Undo,
        Redo,
        Report,
    ),
    *(Notebook, Sessions, OpenSession),
    *(Cells, Record, Source, Hide, Show, Describe, Tag, NextStale),
)
WORDS: Mapping[str, type[Request]] = {
    model.model_fields["ask"].annotation.__args__[0]: model  # type: ignore[union-attr]
    for model in _ALL
}


def request_id(data: Any) -> int:
    """The id to answer with: -1 where the message has none that can be one."""
    found = data.get("id") if isinstance(data, Mapping) else None
    # In Python `true` is an int, too.
    right = isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= 2**53
    return found if right and found is not None else -1


def read(data: Any) -> Request:
    """The request that a message is. BadRequest says the first thing that is wrong with it."""
    if not isinstance(data, Mapping):
        raise BadRequest("A request is an object with `id` and `ask`.")
    word = data.get("ask")
    if not isinstance(word, str) or word not in WORDS:
        shown = line(repr(word)[:_SHOWN])
        raise BadRequest(f"Nobody can ask {shown} here. Words: {', '.join(WORDS)}.")
    try:
        return WORDS[word].model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))[:_SHOWN]
        said = f"{where}: {first['msg']}"[:200]
        raise BadRequest(f"{word}: {line(said)}.") from None
