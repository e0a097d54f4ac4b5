"""session -> tables of what was found: findings, issues by severity, hypotheses with their fate,
files, advice, more steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from wfnb.core.findings import Findings, Issue
from wfnb.core.session import Session
from wfnb.core.validation import MAIN
from wfnb.frozen_record import record
from wfnb.investigations.core.hypothesis_fates import Fate, fates
from wfnb.investigations.core.investigation import FindingsIndex, Investigation, investigation_of
from wfnb.investigations.core.reducer import NOTHING
from wfnb.render.text import inline_code
from wfnb.render.text.tables import html_table, markdown_table, text_table
from wfnb.views.step_words import cut, refer, sign

from .adviser_replies import asked_models, standing_advice
from .finding_entries import Entry, State, entries
from .hypothesis_verdicts import verdict_reason
from .verdict import place_issue

WIDEST = 400  # characters of a cell; all of it is in the step
_FATES = {
    "confirmed": "✓ confirmed",
    "standing": "· standing",
    "refuted": "✕ refuted",
    "replaced": "↻ replaced",
    "discarded": "✕ discarded",
    "withdrawn": sign("withdrawn"),
}
_GONE: Mapping[State, str] = {
    "": "",
    "withdrawn": sign("withdrawn"),
    "abandoned": "✕ abandoned",
    "passed over": "✕ passed over",
}


@record
class Section:
    """A table with its heading. `hidden` rows before its first are not shown."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    hidden: int = 0

    @property
    def text(self) -> str:
        return text_table(self.heads, self.rows)

    @property
    def html(self) -> str:
        return html_table(self.heads, self.rows, form=inline_code.html)

    @property
    def markdown(self) -> str:
        return markdown_table(self.heads, self.rows, form=inline_code.markdown)

    @property
    def says(self) -> str:
        """Its title, and how many rows are not shown."""
        if not self.hidden:
            return self.title
        return f"{self.title} (the last {len(self.rows)} of {len(self.rows) + self.hidden:,})"

    def last_rows(self, most: int) -> Section:
        """Its last rows."""
        hidden = max(0, len(self.rows) - most)
        return Section(title=self.title, heads=self.heads, rows=self.rows[hidden:], hidden=hidden)


def sections(session: Session) -> Iterator[Section]:
    """Those that have something to say."""
    found = tuple(entries(session, old=True))
    made = (
        _findings(session, found),
        _issues(session, found),
        _hypotheses(fates(session)),
        _files(session, found),
        _advice(session),
        _extension_rows(session),
    )
    return (_section(*each) for each in made if each[2])


def _section(title: str, heads: tuple[str, ...], rows: Sequence[Sequence[str]]) -> Section:
    """A last column that says nothing is left out."""
    if not any(row[-1] for row in rows):
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    return Section(
        title=title,
        heads=heads,
        rows=tuple(tuple(cut(cell, WIDEST) for cell in row) for row in rows),
    )


_Made = tuple[str, tuple[str, ...], Sequence[Sequence[str]]]


def _findings(session: Session, found: Sequence[Entry]) -> _Made:
    rows = [(_origin(session), text, "") for text in _carried_findings(session).findings]
    rows += [(e.where, text, _GONE[e.state]) for e in found for text in e.says.findings]
    return "Findings", ("step", "finding", ""), rows


class StatedIssue(NamedTuple):
    """An issue, and the steps that say it; it counts where one of them does."""

    issue: Issue
    steps: list[str]
    state: State


def issues(session: Session, found: Sequence[Entry]) -> list[StatedIssue]:
    """Each issue once, the worst first."""
    said: dict[Issue, tuple[list[str], list[State]]] = {}
    for issue in _carried_findings(session).issues:
        said.setdefault(issue, ([_origin(session)], [""]))
    for entry in found:
        for issue in entry.says.issues:
            where, states = said.setdefault(issue, ([], []))
            where.append(entry.where)
            states.append(entry.state)
    each = [
        # One step that counts is enough for the issue to stand.
        StatedIssue(issue, where, "" if "" in states else states[0])
        for issue, (where, states) in said.items()
    ]
    return sorted(each, key=lambda one: one.issue.rank)


def _issues(session: Session, found: Sequence[Entry]) -> _Made:
    all_of_them = issues(session, found)
    places = [place_issue(each.issue.text) for each in all_of_them]
    # A column of places only where one issue has one.
    if not any(place.where for place in places):
        rows = [(i.severity, i.text, ", ".join(at), _GONE[state]) for i, at, state in all_of_them]
        return "Issues", ("severity", "issue", "step", ""), rows
    placed_rows = [
        (issue.severity, place.where, place.text, ", ".join(at), _GONE[state])
        for (issue, at, state), place in zip(all_of_them, places, strict=True)
    ]
    return "Issues", ("severity", "where", "issue", "step", ""), placed_rows


def _hypotheses(all_of_them: Sequence[Fate]) -> _Made:
    rows = [
        (
            str(number),
            refer(fate.step, MAIN),
            fate.hypothesis,
            fate.confidence or "",
            " · ".join(filter(None, (_FATES[fate.fate], verdict_reason(fate)))),
        )
        for number, fate in enumerate(all_of_them, 1)
    ]
    return "Hypotheses", ("", "step", "hypothesis", "confidence", "what became of it"), rows


def _files(session: Session, found: Sequence[Entry]) -> _Made:
    """Those that count, with the steps that name them or looked at them."""
    now = investigation_of(session)
    steps: dict[str, dict[str, None]] = {}
    for name in (*_carried_findings(session).files, *_carried_findings(session).relevant):
        steps.setdefault(name, {})[_origin(session)] = None
    for entry in found:
        looked = (file for look in entry.looks for file in look.files)
        for name in (*entry.says.files, *entry.says.relevant, *looked):
            if not entry.state:
                steps.setdefault(name, {})[entry.where] = None
    rows = [(name, ", ".join(where), _standing(now, name)) for name, where in steps.items()]
    return "Files", ("file", "step", ""), rows


def _standing(now: Investigation | None, name: str) -> str:
    """Whether a file is relevant, and that nothing opened it."""
    found = FindingsIndex() if now is None else now.found
    said = ["✓ relevant"] if name in found.relevant else []
    return ", ".join([*said, *(["not opened"] if name not in found.places else [])])


def _advice(session: Session) -> _Made:
    rows = []
    models = {(each.name, each.stance) for each in asked_models(session)}
    for key, each in standing_advice(session):
        step = session.steps.get(key)
        who = f"{each.adviser}:{each.stance}" if each.role == "model" else each.adviser
        verdict = "✕ failed" if each.error is not None else each.verdict or ""
        where = "" if step is None else refer(step, MAIN)
        named = each.role != "model" or (each.adviser, each.stance) in models
        role = each.role if named else f"{each.role}, not counted"
        rows.append((where, who, role, verdict, each.error or each.text or ""))
    return "Advice", ("step", "adviser", "asked as", "verdict", "reply"), rows


def _extension_rows(session: Session) -> _Made:
    now = investigation_of(session)
    rows = [
        (str(more.step_number), f"{more.old_total} → {more.new_total}", more.reason)
        for more in (now.extended if now is not None else ())
    ]
    return "More steps", ("after step", "planned", "why"), rows


def _carried_findings(session: Session) -> Findings:
    now = investigation_of(session)
    return now.carried.found if now is not None and now.carried is not None else NOTHING


def _origin(session: Session) -> str:
    now = investigation_of(session)
    return now.carried.session if now is not None and now.carried is not None else ""
