"""an answer's fields -> the one line of HTML under a step: a sentence, its pills, what is next.

Colours are the front end's own variables with neutral fallbacks, so that light and dark both read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wfnb.core.tally import Tally
from wfnb.errors import listing, spoken

from .drawing.graph import SIGNS
from .inquiry.notes import notes
from .inquiry.verdict import by_severity, grave
from .text.coded import html as coded
from .text.escape import attribute, html, line
from .text.fonts import CODE
from .text.markup import html as markup
from .words import UNPROVEN, body_of, cut, short, sign, tally_line, title_of

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
    number = _number(fields, total_known)
    yield f'<span style="font-variant-numeric:tabular-nums;min-width:30px;{_QUIET}">{number}</span>'
    title = html(title_of(fields["last_step_description"]))
    yield f'<b style="overflow-wrap:anywhere">{title}</b>'
    meta = f"{_revises(fields)} · " if fields.get("revises_step") else ""
    yield f'<span style="{_QUIET}">{meta}</span>' if meta else ""
    yield f'<span style="color:{tone}">{html(sign(outcome))}</span>'
    for name, value in _values(fields):
        yield f'<span style="{_QUIET}">{html(name)} <b>{html(value)}</b></span>'
    kept = fields.get("kept") or {}
    if kept.get("names"):
        size = f" · {kept['size']}" if "size" in kept else ""
        yield f'<span style="{_QUIET}">kept <b>{html(listing(kept["names"], ""))}</b>{size}</span>'
    yield '<span style="flex:1"></span>'
    branch = fields["current_branch"]
    yield _pill("main" if branch is None else f"{branch} ⟵ {fields['branch_from_step']}")
    if fields.get("stage"):
        yield _pill(fields["stage"], "var(--jp-brand-color1,#1a73b8)")
    for said in _stands(fields):
        tone = "var(--jp-brand-color1,#1a73b8)"
        yield _pill(
            said, tone if said == spoken(fields["status"]) else _TONES["failed"], whole=True
        )
    yield f'<span aria-hidden="true" style="{_QUIET}">▾</span></summary>'
    yield (
        f'<pre style="{CODE};margin:4px 0 4px 38px;white-space:pre-wrap;font-size:.92em;'
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


def solved(fields: Mapping[str, Any]) -> str:
    """What is said of the last step; `lacks` is what an investigation did not show. Nothing where
    it is not the end."""
    lacks = fields.get("lacks")
    if fields["solved"]:
        return "solved: this step holds the answer"
    if lacks and not fields["needs_more_steps"]:
        return f"{UNPROVEN}: without {' and '.join(lacks)}"
    return ""


def _notes(fields: Mapping[str, Any]) -> Iterator[str]:
    """As HTML: what each of the next stages asks for is its tooltip."""
    for kind, text in _told(fields):
        if kind == "stages":
            said = {words.partition(":")[0]: words for words in fields.get("next_actions", ())}
            names = (
                f'<span title="{attribute(said.get(f"next stage {name}", name))}">'
                f"{html(name)}</span>"
                for name in fields["next_stages"]
            )
            yield f"next: {' · '.join(names)}"
        else:
            yield html(text) if kind == "plain" else coded(text)


def _told(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is to be known under the line, as text: `plain`, with `code` in it, or next stages."""
    for warning in fields.get("warnings", ()):
        yield "coded", f"! {warning}"
    if fields.get("error"):
        yield "plain", cut(fields["error"], 300)
    counted = fields.get("tally")
    if counted:
        yield "plain", tally_line(Tally(**counted))
    if stages := fields.get("next_stages", ()):
        yield "stages", f"next: {' · '.join(stages)}"
    for action in fields.get("next_actions", ()):
        if not action.startswith("next stage "):
            yield "coded", f"{SIGNS['stale']} {action}" if " stale" in action else action
    if "continuation_id" in fields:
        yield from (("coded", note) for note in notes(fields))
    if end := solved(fields):
        yield "plain", end


def answer_text(fields: Mapping[str, Any], total_known: bool = True) -> str:
    """The same line and what is under it, for a terminal."""
    branch = fields["current_branch"]
    said = [
        _number(fields, total_known),
        title_of(fields["last_step_description"]),
        *([_revises(fields)] if fields.get("revises_step") else []),
        sign(fields["outcome"]),
        *(f"{name} {value}" for name, value in _values(fields)),
        "main" if branch is None else f"{branch} ⟵ {fields['branch_from_step']}",
        *([fields["stage"]] if fields.get("stage") else []),
        *_stands(fields),
    ]
    return "\n".join(["  ".join(map(line, said)), *(line(note) for _, note in _told(fields))])


def _number(fields: Mapping[str, Any], total_known: bool) -> str:
    total = f"/{fields['total_steps']}" if total_known else ""
    return f"{fields['step_number']}{total}"


def _revises(fields: Mapping[str, Any]) -> str:
    return f"{SIGNS['revised']} revises {fields['revises_step']}"


def _values(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in (fields.get("fields", {}) | fields.get("values", {})).items():
        yield name, short(value)


def _stands(fields: Mapping[str, Any]) -> Iterator[str]:
    """Where an investigation stands: at its end the severe issues that are open, then its
    status."""
    if "continuation_id" in fields:
        whole = (each for each in fields.values() if isinstance(each, Mapping))
        issues = next((each["issues"] for each in whole if "work_summary" in each), ())
        yield from filter(None, [grave(by_severity(each["severity"] for each in issues))])
        yield spoken(fields["status"])
