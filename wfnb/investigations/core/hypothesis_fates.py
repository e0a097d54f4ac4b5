"""session -> its hypotheses, each with what became of it; a name or a mark -> which is meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any, Literal
from zlib import crc32

from wfnb.core.events import Author, Version
from wfnb.core.findings import Findings
from wfnb.core.queries import own
from wfnb.core.session import Line, Session, Step
from wfnb.errors import HypothesisUnknown
from wfnb.frozen_record import record

from .investigation import Investigation, current_evidence, investigation_of
from .reducer import NOTHING, counts, said_since
from .text_normalization import same_text

HypothesisStatus = Literal["standing", "confirmed", "refuted", "replaced", "discarded", "withdrawn"]


@record
class Fate:
    """What became of a hypothesis; `step` is the last of its line that said it, `confidence` how
    sure that was of it. `by` is the step that is evidence for a verdict, None where it was
    given by itself, by the `judge` (None: in the notebook) with a `reason`."""

    step: Step
    hypothesis: str
    fate: HypothesisStatus
    confidence: str | None = None
    by: Step | None = None
    judge: Author | None = None
    reason: str | None = None


def fates(session: Session) -> list[Fate]:
    """Each hypothesis of the investigation that is on, with what became of it, in the order in
    which they were first said. One that a line says again in its next hypothesis is one."""
    now = investigation_of(session)
    if now is None:
        return []
    by_step: list[tuple[int, Fate]] = []
    judged = _latest_verdicts(session, now)
    for line in session.lines.values():
        claiming = [step for step in _steps(session, line) if _hypothesis_text(step)]
        # What a line says still is told as it stands, not as an old version of it.
        claims = {_claim(step) for step in claiming}
        by_step += [(each.step.key, each) for each in _old(_steps(session, line), claims)]
        for group, fate in _line(claiming, line.id in session.passed_over):
            step, level = group[-1], _says(group[-1].current).confidence
            made = Fate(step=step, hypothesis=_hypothesis_text(step), fate=fate, confidence=level)
            if fate != "withdrawn":
                made = replace(made, **judged.get(_claim(step), {}))
            by_step.append((group[0].key, made))
    # By the key of the step that said it first: a number that a person uses must not change its
    # meaning.
    return [fate for _, fate in sorted(by_step, key=lambda each: each[0])]


def fate_of(session: Session, claim: str) -> Fate:
    """What became of a hypothesis that is there. One that a line says still is none that another
    withdrew."""
    same = [each for each in fates(session) if same_text(each.hypothesis) == same_text(claim)]
    return min(same, key=lambda each: each.fate == "withdrawn")


def _steps(session: Session, line: Line) -> list[Step]:
    """The steps of the line that belong to the investigation that is on, but for hidden ones."""
    steps = own(session, line)
    return [each for each in steps if not each.hidden and current_evidence(session, each)]


def _old(steps: list[Step], claims: set[str]) -> Iterator[Fate]:
    """The hypotheses of versions that were withdrawn before others took their place, but for those
    that are said otherwise."""
    for step in steps:
        for at in step.withdrawn_versions:
            says = _says(step.versions[at])
            if says.hypothesis and (claim := same_text(says.hypothesis)) not in claims:
                claims.add(claim)
                yield Fate(
                    step=step,
                    hypothesis=says.hypothesis,
                    fate="withdrawn",
                    confidence=says.confidence,
                )


def _latest_verdicts(session: Session, now: Investigation) -> dict[str, dict[str, Any]]:
    """By its words what was said last of each hypothesis: by persons, and by the steps that count
    and are evidence for or against it."""
    verdicts: list[tuple[int, str, dict[str, Any]]] = [
        (
            position,
            same_text(event.hypothesis),
            {"fate": event.verdict, "judge": event.by, "reason": event.reason},
        )
        for position, event in now.judged
    ]
    for step in session.steps.values():
        if counts(session, step):
            says = _says(step.current)
            for fate, claims in (("confirmed", says.confirms), ("refuted", says.refutes)):
                for claim in map(same_text, claims):
                    since = said_since(session, step, partial(_verdict, claim))
                    verdicts.append((since, claim, {"fate": fate, "by": step}))
    # In the order of time, so that the last verdict stays.
    return {claim: verdict for _, claim, verdict in sorted(verdicts, key=lambda each: each[0])}


def _verdict(claim: str, version: Version) -> tuple[bool, bool]:
    """Whether it says that a hypothesis is confirmed, and refuted."""
    says = _says(version)
    return claim in map(same_text, says.confirms), claim in map(same_text, says.refutes)


def hypothesis(session: Session, named: int | str, own: str | None = None) -> str:
    """The words of the hypothesis that is named by its number or its words; `own` is one that is
    said just now. HypothesisUnknown lists those there are."""
    claims = [fate.hypothesis for fate in fates(session)]
    text = str(named).strip()
    # A number first: nobody's hypothesis is "2".
    if text.isdecimal() and 1 <= int(text) <= len(claims):
        return claims[int(text) - 1]
    among = (*claims, *([own] if own else []))
    match = next((each for each in among if same_text(each) == same_text(text)), None)
    if match is None:
        raise HypothesisUnknown(text, tuple(claims))
    return match


def mark_of(claim: str) -> int:
    """Stands for the words of a hypothesis, where its number may be another's by the time that it
    is said: an undo moves those after it up.

    >>> mark_of("The loop never ends.") == mark_of("the loop  never ends")
    True
    """
    return crc32(same_text(claim).encode(errors="surrogatepass"))


def marked_hypothesis(session: Session, mark: int) -> str:
    """The words of the one that has this mark. HypothesisUnknown where it is there no more."""
    claims = [fate.hypothesis for fate in fates(session)]
    match = next((each for each in claims if mark_of(each) == mark), None)
    if match is None:
        raise HypothesisUnknown("what stood there", tuple(claims))
    return match


def _line(claiming: list[Step], over: bool) -> Iterator[tuple[list[Step], HypothesisStatus]]:
    """The steps that say each hypothesis of a line, which may be passed over, with its fate."""
    stand = _groups([step for step in claiming if not step.is_withdrawn])
    held = {_claim(group[0]) for group in stand}
    for group in _groups([step for step in claiming if step.is_withdrawn]):
        if _claim(group[0]) not in held:
            yield group, "withdrawn"
    for group in stand:
        if over:
            yield group, "discarded"
        # A line holds one hypothesis at a time: the next one takes the place of the one before.
        elif group is not stand[-1]:
            yield group, "replaced"
        else:
            yield group, "standing"


def _groups(claiming: list[Step]) -> list[list[Step]]:
    return [list(group) for _, group in groupby(claiming, key=_claim)]


def _hypothesis_text(step: Step) -> str:
    return _says(step.current).hypothesis or ""


def _claim(step: Step) -> str:
    return same_text(_hypothesis_text(step))


def _says(version: Version) -> Findings:
    return version.findings or NOTHING
