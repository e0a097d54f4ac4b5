"""the words of a verb about an investigation -> what it shows: one function a verb."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wfnb.core.queries import next_number
from wfnb.core.requirements import awaiting_step, open_step
from wfnb.core.reserved_names import NONE
from wfnb.core.session import Session
from wfnb.errors import BadOption
from wfnb.investigations.kind_choice import choice
from wfnb.render.message import Json, Message, Table
from wfnb.views.inquiry import checklist
from wfnb.workspace import Workspace

from .grammar import Words
from .notebook import Notebook

_OF_A_KIND = ("pause", "reviewer", "planner")


def kind(notebook: Notebook, words: Words) -> Any:
    """Investigate from here on; without a name, where the investigation stands."""
    workspace = notebook.open()
    how = {name: words.options[name] for name in _OF_A_KIND if name in words.options}
    if words.words:
        name = words.words[0]
        home = notebook.home()
        chosen = choice(home.kinds(), home.advisers(), name, cell=notebook.cell(), **how)
        workspace.do(chosen)
    elif how:
        way = "Written: %wfnb kind debug --no-pause"
        raise BadOption("%wfnb kind", "its options go with the name of a kind", way)
    session = workspace.refresh()
    again = tuple(_rerun_note(session, words))
    if words.get("list") or (session.investigation is None and not words.words):
        return _kinds(notebook)
    if session.investigation is None:
        said = ("no investigation: steps have no pauses", *again)
        return Message("\n".join(said), {"kind": None}, block=bool(again))
    page = workspace.inquiry.findings()
    said = (page.sentence, *again, *checklist.text(page.items), *_goes_on(workspace))
    return Message("\n".join(said), page.to_dict(), block=True)


def _goes_on(workspace: Workspace) -> Iterator[str]:
    """What was looked at, and the next step where none waits for a look."""
    session = workspace.session
    looks = checklist.looks_since(session, workspace.waits())
    if looks is not None:
        yield looks
    step = open_step(session)
    if step is not None and awaiting_step(session) is None:
        number = next_number(session.lines[step.branch])
        yield f"go on with step {number} · step {step.number} is the last that counts"


def _rerun_note(session: Session, words: Words) -> Iterator[str]:
    """What to say of a cell that ran again, after another kind was chosen."""
    now = session.investigation
    kind, asked = NONE if now is None else now.kind.name, (*words.words, None)[0]
    if asked not in (None, kind):
        yield f"this cell chose {asked} before, and changes nothing now: a new cell does"


def _kinds(notebook: Notebook) -> Table:
    shelf = notebook.home().kinds()
    rows = [(name, found.title, found.description) for name, found in shelf.found.items()]
    rows += [(name, "broken", str(error)) for name, error in shelf.broken.items()]
    return Table(("kind", "", ""), rows, {"kinds": list(shelf.found)})


def look(notebook: Notebook, words: Words) -> Any:
    return notebook.open().inquiry.look(*words.words)


def findings(notebook: Notebook, words: Words) -> Any:
    page = notebook.open().inquiry.findings()
    return Json(page.to_dict()) if words.get("json") else page


_VERDICTS = {"confirm": "confirmed", "refute": "refuted"}


def hypothesis(notebook: Notebook, words: Words) -> Message:
    word, *named = words.words
    if word not in _VERDICTS:
        way = "Written: %wfnb hypothesis refute 1 --reason TEXT"
        raise BadOption("%wfnb hypothesis", f"{word!r} is neither confirm nor refute", way)
    verdict = _VERDICTS[word]
    claim = notebook.open().inquiry.judge(" ".join(named), verdict, words.get("reason"))
    return Message(f"{verdict}: {claim}", {"hypothesis": claim, "verdict": verdict})


def backtrack(notebook: Notebook, words: Words) -> Message:
    place, workspace = words.words[0], notebook.open()
    withdrawn = workspace.inquiry.backtrack(place, words.get("reason"), cell=notebook.cell())
    if withdrawn is None:
        said = f"this cell withdrew step {place} before, and changes nothing now: a new cell does"
        return Message(said, {"withdrawn": []})
    several = f"steps {', '.join(map(str, withdrawn))} no longer count"
    one = f"step {withdrawn[0] if withdrawn else place} no longer counts"
    nothing = f"nothing to withdraw: from step {place} on none counts"
    said = several if len(withdrawn) > 1 else one if withdrawn else nothing
    step = open_step(workspace.session)
    if withdrawn and step is not None:
        number = next_number(workspace.session.lines[step.branch])
        said += f" · go on with step {number}"
    return Message(said, {"withdrawn": withdrawn})


def extend(notebook: Notebook, words: Words) -> Message:
    reason = words.get("reason")
    if reason is None:
        way = 'Written: %wfnb extend 2 --reason "two parsers"'
        raise BadOption("%wfnb extend", "it needs a reason", way)
    more, workspace = words.words[0], notebook.open()
    total = workspace.inquiry.extend(more, reason, cell=notebook.cell())
    if total is None:
        total = workspace.session.total
        said = f"this cell asked for {more} more before, and changes nothing now: a new cell does"
        return Message(f"{said} · {total} steps are planned", {"total_steps": total})
    return Message(f"{total} steps are planned · {reason}", {"total_steps": total})


def advise(notebook: Notebook, words: Words) -> Any:
    inquiry = notebook.open().inquiry
    if words.get("list"):
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


def estimate(notebook: Notebook, words: Words) -> Message:
    found = notebook.open().inquiry.suggest_total(" ".join(words.words), by=words.get("by"))
    steps = f"{found.total} step{'s' * (found.total != 1)}"
    said = " · ".join((steps, *found.why))
    return Message(said, {"total_steps": found.total, "why": list(found.why)})
