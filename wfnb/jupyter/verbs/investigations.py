"""Investigations: their kind, looks, findings and advisers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wfnb.core.queries import next_number
from wfnb.core.session import Session
from wfnb.errors import BadOption
from wfnb.interrupt_deferral import Deferral
from wfnb.investigations.core.hypothesis_fates import fate_of
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.kind_check import NONE
from wfnb.investigations.core.requirements import awaiting_step, step_awaiting_looks
from wfnb.investigations.views import checklist
from wfnb.jupyter.magic_grammar import NoOptions, Options, Words, one_value, switch
from wfnb.jupyter.magic_options import JSON, PAUSE, PLANNER, REASON, REVIEWER
from wfnb.jupyter.notebook import Notebook
from wfnb.render.message import Json, Message, Table
from wfnb.workspace import Workspace

from .verb_declaration import verb


class KindOptions(Options):
    list: bool = switch("--list", "all kinds there are")
    pause: bool = PAUSE
    reviewer: str | None = REVIEWER
    planner: str | None = PLANNER


@verb(
    "kind",
    KindOptions,
    "[NAME | none]",
    "Investigate from here on; without NAME, where the investigation stands.",
    examples=("%wfnb kind debug", "%wfnb kind refactor --no-pause", "%wfnb kind none"),
    choices="kinds",
    most=1,
)
def kind(notebook: Notebook, words: Words[KindOptions]) -> Any:
    workspace, options = notebook.open(), words.options
    if words.words:
        _choose_kind(notebook, words.words[0], options)
    elif options.reviewer is not None or options.planner is not None or not options.pause:
        way = "Written: %wfnb kind debug --no-pause"
        raise BadOption("%wfnb kind", "its options go with the name of a kind", way)
    session = workspace.log.refresh()
    # A cell that chose a kind before does nothing when it runs again: that is to be seen, as
    # another cell may have chosen since.
    again = tuple(_rerun_note(session, words))
    if options.list or (investigation_of(session) is None and not words.words):
        return _kinds(notebook)
    if investigation_of(session) is None:
        said = ("no investigation: steps have no pauses", *again)
        return Message("\n".join(said), {"kind": None}, block=bool(again))
    page = workspace.investigation.findings()
    said = (page.sentence, *again, *checklist.text(page.items), *_goes_on(workspace))
    return Message("\n".join(said), page.to_dict(), block=True)


def _choose_kind(notebook: Notebook, name: str, options: KindOptions) -> None:
    with Deferral():
        from wfnb.investigations.kind_choice import choice  # noqa: PLC0415  heavy: advisers

    chosen = choice(
        notebook.home().kinds(),
        notebook.home().advisers(),
        name,
        pause=options.pause,
        reviewer=options.reviewer,
        planner=options.planner,
        cell=notebook.cell(),
    )
    notebook.open().log.do(chosen)


def _goes_on(workspace: Workspace) -> Iterator[str]:
    """What was looked at, and the next step where none waits for a look."""
    session = workspace.session
    looks = checklist.looks_since(session, workspace.log.pending_looks())
    if looks is not None:
        yield looks
    step = step_awaiting_looks(session)
    if step is not None and awaiting_step(session) is None:
        number = next_number(session.lines[step.branch])
        yield f"go on with step {number} · step {step.number} is the last that counts"


def _rerun_note(session: Session, words: Words[KindOptions]) -> Iterator[str]:
    """What to say of a cell that ran again, after another kind was chosen."""
    now = investigation_of(session)
    kind, asked = NONE if now is None else now.kind.name, (*words.words, None)[0]
    if asked not in (None, kind):
        yield f"this cell chose {asked} before, and changes nothing now: a new cell does"


def _kinds(notebook: Notebook) -> Table:
    shelf = notebook.home().kinds()
    rows = [(name, found.title, found.description) for name, found in shelf.kinds.items()]
    rows += [(name, "broken", str(error)) for name, error in shelf.broken.items()]
    return Table(("kind", "", ""), rows, {"kinds": list(shelf.kinds)})


@verb(
    "look",
    NoOptions,
    "[changes [RANGE] [PATH] | last | commit REVISION [PATH] | outline FILE … | calls NAME | "
    "undocumented [FOLDER] | FILE [LINES]]",
    "Look at the repository or its code; an investigation counts it.",
    examples=(
        "%wfnb look",
        "%wfnb look changes",
        "%wfnb look changes main.. src     (what these commits brought there)",
        "%wfnb look commit HEAD~1",
        "%wfnb look parse.py 10-40",
    ),
    choices="looks",
)
def look(notebook: Notebook, words: Words[NoOptions]) -> Any:
    return notebook.open().investigation.look(*words.words)


class FindingsOptions(Options):
    json: bool = JSON


@verb(
    "findings",
    FindingsOptions,
    "[--json]",
    "What the investigation found: confidence, findings, issues, what is to be looked at.",
    most=0,
)
def findings(notebook: Notebook, words: Words[FindingsOptions]) -> Any:
    page = notebook.open().investigation.findings()
    return Json(page.to_dict()) if words.options.json else page


_VERDICTS = {"confirm": "confirmed", "refute": "refuted"}


class ReasonOptions(Options):
    reason: str | None = REASON


@verb(
    "hypothesis",
    ReasonOptions,
    "confirm|refute N|TEXT [--reason TEXT]",
    "Confirm or refute a hypothesis; until then it stands.",
    examples=('%wfnb hypothesis refute 1 --reason "the days are there"',),
    least=("confirm or refute", "a hypothesis"),
)
def hypothesis(notebook: Notebook, words: Words[ReasonOptions]) -> Message:
    word, *named = words.words
    if word not in _VERDICTS:
        way = "Written: %wfnb hypothesis refute 1 --reason TEXT"
        raise BadOption("%wfnb hypothesis", f"{word!r} is neither confirm nor refute", way)
    verdict = _VERDICTS[word]
    workspace = notebook.open()
    claim = workspace.investigation.judge(" ".join(named), verdict, words.options.reason)
    became = fate_of(workspace.session, claim).fate
    said = f"{verdict}: {claim}"
    if became != verdict:
        said = f"noted as {verdict}, and still {became}: {claim} · no step that counts says it"
    return Message(said, {"hypothesis": claim, "verdict": verdict})


@verb(
    "backtrack",
    ReasonOptions,
    "N [--reason TEXT]",
    "Step N and what came after it no longer count for the investigation.",
    examples=('%wfnb backtrack 2 --reason "the log was of another day"',),
    choices="steps",
    least=("the number of a step",),
    most=1,
)
def backtrack(notebook: Notebook, words: Words[ReasonOptions]) -> Message:
    place, workspace = words.words[0], notebook.open()
    withdrawn = workspace.investigation.backtrack(place, words.options.reason, cell=notebook.cell())
    if withdrawn is None:
        said = f"this cell withdrew step {place} before, and changes nothing now: a new cell does"
        return Message(said, {"withdrawn": []})
    several = f"steps {', '.join(map(str, withdrawn))} no longer count"
    one = f"step {withdrawn[0] if withdrawn else place} no longer counts"
    nothing = f"nothing to withdraw: from step {place} on none counts"
    said = several if len(withdrawn) > 1 else one if withdrawn else nothing
    step = step_awaiting_looks(workspace.session)
    if withdrawn and step is not None:
        number = next_number(workspace.session.lines[step.branch])
        said += f" · go on with step {number}"
    return Message(said, {"withdrawn": withdrawn})


@verb(
    "extend",
    ReasonOptions,
    "N --reason TEXT",
    "Ask for N more steps than the investigation planned.",
    examples=('%wfnb extend 2 --reason "there are two parsers"',),
    least=("how many steps",),
    most=1,
)
def extend(notebook: Notebook, words: Words[ReasonOptions]) -> Message:
    reason = words.options.reason
    if reason is None:
        way = 'Written: %wfnb extend 2 --reason "two parsers"'
        raise BadOption("%wfnb extend", "it needs a reason", way)
    more, workspace = words.words[0], notebook.open()
    total = workspace.investigation.extend(more, reason, cell=notebook.cell())
    if total is None:
        total = workspace.session.total
        said = f"this cell asked for {more} more before, and changes nothing now: a new cell does"
        return Message(f"{said} · {total} steps are planned", {"total_steps": total})
    return Message(f"{total} steps are planned · {reason}", {"total_steps": total})


class AdviseOptions(Options):
    list: bool = switch("--list", "all advisers there are")


@verb(
    "advise",
    AdviseOptions,
    "[NAME[:STANCE] …]",
    "Ask advisers where the investigation stands; without NAME, those still to reply.",
    examples=("%wfnb advise sceptic:against", "%wfnb advise --list"),
    choices="advisers",
)
def advise(notebook: Notebook, words: Words[AdviseOptions]) -> Any:
    inquiry = notebook.open().investigation
    if words.options.list:
        return _advisers(inquiry.advisers())
    given = inquiry.advise(*words.words, cell=notebook.cell())
    if given is None:
        said = "this cell asked before, and asks nobody now: a new cell does"
        return Message(said, {"advice": []})
    data = [
        {"adviser": each.adviser, "stance": each.stance, "verdict": each.verdict}
        | {"text": each.text, "error": each.error}
        for each in given
    ]
    if not data:
        return Message(
            "nobody is left to be asked · `%wfnb advise NAME` asks again", {"advice": []}
        )
    heads = ("adviser", "stance", "verdict", "")
    replies = [
        (each.adviser, each.stance, each.verdict or "", each.text or f"failed: {each.error}")
        for each in given
    ]
    return Table(heads, replies, {"advice": data})


def _advisers(known: Mapping[str, str]) -> Any:
    if not known:
        said = "no adviser yet · `@wfnb.adviser` over a function makes one"
        return Message(said, {"advisers": []})
    return Table(("adviser", ""), list(known.items()), {"advisers": list(known)})


class EstimateOptions(Options):
    by: str | None = one_value(
        "--by", "ADVISER", "an adviser that is asked instead", choices="advisers"
    )


@verb(
    "estimate",
    EstimateOptions,
    "PROBLEM … [--by ADVISER]",
    "How many steps a problem may take.",
    examples=("%wfnb estimate The importer loses readings in the night",),
    least=("the problem",),
)
def estimate(notebook: Notebook, words: Words[EstimateOptions]) -> Message:
    found = notebook.open().investigation.suggest_total(" ".join(words.words), by=words.options.by)
    steps = f"{found.total} step{'s' * (found.total != 1)}"
    said = " · ".join((steps, *found.why))
    return Message(said, {"total_steps": found.total, "why": list(found.why)})
