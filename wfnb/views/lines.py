"""an answer's fields -> the one line of HTML under a step: a sentence, its pills, what is next.

Colours are the front end's own variables with neutral fallbacks, so that light and dark both read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from wfnb.core.questions import Tally

from .drawing.graph import SIGNS
from .inquiry.notes import notes
from .text.escape import attribute, html
from .text.markup import html as markup
from .words import body_of, cut, short, sign, tally_line, title_of

_TONES = {
    "ok": "var(--jp-success-color1,#2e7d32)",
    "failed": "var(--jp-error-color1,#b3261e)",
    "interrupted": "var(--jp-warn-color1,#9a6700)",
    "running": "var(--jp-brand-color1,#1a73b8)",
}
_QUIET = "opacity:.72"
_PILL = (
    "border:1px solid var(--jp-border-color1,rgba(128,128,128,.45));border-radius:9px;"
    "padding:0 7px;font-size:.85em;white-space:nowrap"
)
_FONT = "font-family:var(--jp-ui-font-family,system-ui,sans-serif);font-size:13px;line-height:1.5"


def answer_html(
    fields: Mapping[str, Any], shown: str, total_known: bool = True, rendered: bool = False
) -> str:
    """One line that opens into the answer as JSON; under it, what to do next; then, `rendered`,
    the description as the Markdown it is."""
    said = body_of(fields["last_step_description"]) if rendered else ""
    text = f'<div style="{_FONT};padding-left:12px">{markup(said)}</div>' if said else ""
    return "".join(_lines(fields, shown, total_known)) + text


def _lines(fields: Mapping[str, Any], shown: str, total_known: bool) -> Iterator[str]:
    outcome = fields["outcome"]
    tone = _TONES.get(outcome, "rgba(128,128,128,.6)")
    yield (
        f'<div class="wfnb-answer" style="{_FONT};border-left:3px solid {tone};'
        'padding:3px 0 3px 9px;margin:2px 0"><details><summary title="the whole answer as JSON" '
        'style="display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 8px;cursor:pointer">'
    )
    number = str(fields["step_number"])
    if total_known:
        number += f"/{fields['total_steps']}"
    yield f'<span style="font-variant-numeric:tabular-nums;min-width:30px;{_QUIET}">{number}</span>'
    title = html(title_of(fields["last_step_description"]))
    yield f'<b style="overflow-wrap:anywhere">{title}</b>'
    revises = fields.get("revises_step")
    meta = f"{SIGNS['revised']} revises {revises} · " if revises else ""
    yield f'<span style="{_QUIET}">{meta}</span>' if meta else ""
    yield f'<span style="color:{tone}">{html(sign(outcome))}</span>'
    for name, value in (fields.get("fields", {}) | fields.get("values", {})).items():
        yield f'<span style="{_QUIET}">{html(name)} <b>{html(short(value))}</b></span>'
    yield '<span style="flex:1"></span>'
    branch = fields["current_branch"]
    yield _pill("main" if branch is None else f"{branch} ⟵ {fields['branch_from_step']}")
    if fields.get("stage"):
        yield _pill(fields["stage"], "var(--jp-brand-color1,#1a73b8)")
    if "continuation_id" in fields:
        yield _pill(fields["status"], "var(--jp-brand-color1,#1a73b8)", whole=True)
    yield f'<span aria-hidden="true" style="{_QUIET}">▾</span></summary>'
    yield (
        '<pre style="margin:4px 0 4px 38px;white-space:pre-wrap;font-size:.92em;'
        f'{_QUIET}">{html(shown)}</pre></details>'
    )
    for note in _notes(fields):
        yield f'<div style="padding-left:38px;font-size:.92em;{_QUIET}">{note}</div>'
    yield "</div>"


def _pill(text: str, tone: str = "", whole: bool = False) -> str:
    """What is long is cut; `whole`: it goes on in the next line."""
    style = _PILL + (f";border-color:{tone};color:{tone}" if tone else "")
    if whole:
        style += ";white-space:normal;overflow-wrap:anywhere"
    shown = html(text if whole else cut(text, 32))
    return f'<span style="{style}" title="{attribute(text)}">{shown}</span>'


def _notes(fields: Mapping[str, Any]) -> Iterator[str]:
    for warning in fields.get("warnings", ()):
        yield f"! {coded(warning)}"
    if fields.get("error"):
        yield html(cut(fields["error"], 300))
    counted = fields.get("tally")
    if counted:
        yield html(tally_line(Tally(**counted)))
    stages = fields.get("next_stages", ())
    if stages:
        said = {words.partition(":")[0]: words for words in fields.get("next_actions", ())}
        names = (
            f'<span title="{attribute(said.get(f"next stage {name}", name))}">{html(name)}</span>'
            for name in stages
        )
        yield f"next: {' · '.join(names)}"
    for action in fields.get("next_actions", ()):
        if not action.startswith("next stage "):
            yield coded(f"{SIGNS['stale']} {action}" if " stale" in action else action)
    if "continuation_id" in fields:
        yield from map(coded, notes(fields))
    if fields["solved"]:
        yield "solved: this step holds the answer"


def coded(text: str) -> str:
    """Escaped, with what stands between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html(text))
