"""an answer's fields -> the one line of HTML under a step: a sentence, its parts, what is next.

What a step shows is stored in the notebook, so that it is small: the words stand beside each other
with ` · ` between them, which any page keeps, and the style sheet of the panel has the rest. The
colour is the front end's own variable with a neutral fallback, so that light and dark both read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wfnb.core.vote_tally import Tally
from wfnb.errors import listing, spoken
from wfnb.render.drawing.graph import SIGNS, State
from wfnb.render.text.escape import attribute, html, line
from wfnb.render.text.inline_code import html as coded
from wfnb.render.text.safe_markdown import html as markup
from wfnb.render.text.tables import html_table, text_table

from .extension import VIEWS
from .step_words import UNPROVEN, body_of, cut, short, signs, states, tally_line, title_of

_TONES = {
    "ok": "var(--jp-success-color1,#2e7d32)",
    "failed": "var(--jp-error-color1,#b3261e)",
    "interrupted": "var(--jp-warn-color1,#8a5a00)",
    "running": "var(--jp-brand-color1,#1a73b8)",
    "stale": "var(--jp-ui-font-color2,#888)",
}


Added = Mapping[str, Mapping[str, Any]]
"""What slices have added to the fields, by their names."""


def answer_html(
    fields: Mapping[str, Any],
    added: Added,
    total_known: bool = True,
    rendered: bool = False,
    stale: bool = False,
) -> str:
    """One line; under it, what to do next; then, `rendered`, the description as the Markdown it
    is. A step that went well may be `stale` all the same."""
    stands = states(fields["outcome"], stale)
    tone = _TONES.get(stands[0], "#888")
    parts = " · ".join(_parts(fields, added, total_known, tone, stands))
    notes = "".join(f"<div>{note}</div>" for note in _notes(fields, added))
    if ledger := fields.get("ledger"):
        notes += html_table(ledger["heads"], ledger["rows"])
    body = body_of(fields["last_step_description"]) if rendered else ""
    return (
        f'<div class="wfnb-answer" style="border-left:3px solid {tone};padding-left:9px">'
        f"{parts}{notes}</div>{f'<div>{markup(body)}</div>' if body else ''}"
    )


def _parts(
    fields: Mapping[str, Any], added: Added, total_known: bool, tone: str, stands: Sequence[State]
) -> Iterator[str]:
    yield _number(fields, total_known)
    yield f"<b>{html(title_of(fields['last_step_description']))}</b>"
    if fields.get("revises_step"):
        yield _revises(fields)
    state = html(signs(stands))
    yield state if stands == ("ok",) else f'<span style="color:{tone}">{state}</span>'
    for name, value in _values(fields):
        yield f"{html(name)} <b>{html(value)}</b>"
    kept_values = fields.get("kept") or {}
    if kept_values.get("names"):
        yield f"kept <b>{html(listing(kept_values['names'], ''))}</b>"
        yield from [html(kept_values["size"])] if "size" in kept_values else []
    branch = fields["current_branch"]
    yield "main" if branch is None else _short(f"{branch} ⟵ {fields['branch_from_step']}")
    if fields.get("stage"):
        yield _short(spoken(fields["stage"]))
    if fields.get("selected"):
        yield _short(f"selected {fields['selected']}")
    for text, first in _added_states(added):
        yield f"<b>{html(text)}</b>" if first else html(text)


def _short(text: str) -> str:
    """What is long is cut; all of it is the tooltip."""
    shown = html(cut(text, 32))
    return shown if len(text) <= 32 else f'<span title="{attribute(text)}">{shown}</span>'


def solved_text(fields: Mapping[str, Any]) -> str:
    """What is said of the step that holds the answer, and of no other; `lacks` is what an
    investigation did not show."""
    lacks = fields.get("lacks")
    if fields["solved"]:
        return "solved: this step holds the answer"
    if lacks and not fields["needs_more_steps"]:
        return f"{UNPROVEN}: without {' and '.join(lacks)}"
    return ""


def _notes(fields: Mapping[str, Any], added: Added) -> Iterator[str]:
    for kind, text in _note_lines(fields, added):
        if kind == "stage":
            name, to_do = text.split("\n")
            yield f"next: <b>{html(name)}</b> · {html(to_do)}"
        else:
            yield html(text) if kind == "plain" else coded(text)


def _note_lines(fields: Mapping[str, Any], added: Added) -> Iterator[tuple[str, str]]:
    """What is to be known under the line, as text: `plain`, with `code` in it, or a next `stage`,
    its name and under it what to do there."""
    for warning in fields.get("warnings", ()):
        yield "coded", f"! {warning}"
    if fields.get("error"):
        yield "plain", cut(fields["error"], 300)
    counted = fields.get("tally")
    if counted:
        yield "plain", tally_line(Tally(**counted))
    if lacks := (fields.get("ledger") or {}).get("lacks"):
        yield "plain", f"missing: {' · '.join(lacks)}"
    if fields.get("next_stages"):
        yield from _next_stages(fields)
    for action in fields.get("next_actions", ()):
        # The stages are told by `_next_stages`, in a form of their own.
        if not action.startswith("next stage "):
            yield "coded", f"{SIGNS['stale']} {action}" if " stale" in action else action
    for name, part in added.items():
        yield from (("coded", note) for note in VIEWS[name].answer_notes(part))
    if end := solved_text(fields):
        yield "plain", end


def _next_stages(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A line for each that says what to do in it, and one for all others."""
    bare = []
    for name in fields.get("next_stages", ()):
        start = f"next stage {name}: "
        moves = (words for words in fields.get("next_actions", ()) if words.startswith(start))
        if to_do := " ".join(next(moves, "").removeprefix(start).split()):
            yield "stage", f"{spoken(name)}\n{to_do}"
        else:
            bare.append(spoken(name))
    if bare:
        yield "plain", f"next: {' · '.join(bare)}"


def answer_text(
    fields: Mapping[str, Any], added: Added, total_known: bool = True, stale: bool = False
) -> str:
    """The same line and what is under it, for a terminal."""
    branch = fields["current_branch"]
    parts = [
        _number(fields, total_known),
        title_of(fields["last_step_description"]),
        *([_revises(fields)] if fields.get("revises_step") else []),
        signs(states(fields["outcome"], stale)),
        *(f"{name} {value}" for name, value in _values(fields)),
        "main" if branch is None else f"{branch} ⟵ {fields['branch_from_step']}",
        *([spoken(fields["stage"])] if fields.get("stage") else []),
        *([f"selected {fields['selected']}"] if fields.get("selected") else []),
        *(state for state, _ in _added_states(added)),
    ]
    return "\n".join(
        [
            "  ".join(map(line, parts)),
            *(_note_text(*note) for note in _note_lines(fields, added)),
            *(
                [text_table(ledger["heads"], ledger["rows"])]
                if (ledger := fields.get("ledger"))
                else []
            ),
        ]
    )


def _note_text(kind: str, text: str) -> str:
    return line(f"next: {': '.join(text.splitlines())}" if kind == "stage" else text)


def _number(fields: Mapping[str, Any], total_known: bool) -> str:
    total = f"/{fields['total_steps']}" if total_known else ""
    return f"{fields['step_number']}{total}"


def _revises(fields: Mapping[str, Any]) -> str:
    return f"{SIGNS['revised']} revises {fields['revises_step']}"


def _values(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in (fields.get("fields", {}) | fields.get("values", {})).items():
        yield name, short(value)


def _added_states(added: Added) -> Iterator[tuple[str, bool]]:
    """What slices add to the line, and whether it is to be seen first."""
    for name, part in added.items():
        yield from VIEWS[name].answer_states(part)
