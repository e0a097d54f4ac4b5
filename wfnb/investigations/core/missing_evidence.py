"""session, what a step says -> which files something opened, and what the evidence lacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from wfnb.core.findings import Findings, Look, ProgramRun
from wfnb.core.session import Session

from .end_rules import NAMED, evidence_gaps
from .finding_parser import models
from .investigation import FindingsIndex, Investigation, investigation_of
from .kind import Kind
from .reducer import NOTHING, bare, conflict, counts, places
from .text_normalization import same_text, words
from .unresolved_failures import unresolved


def grows(kind: Kind) -> bool:
    """Whether the kind is about growing confidence: not one that only plans, asks or counts."""
    return kind.finding and kind.total.rule not in ("models", "files")


def missing_evidence(
    session: Session,
    index: FindingsIndex,
    says: Findings = NOTHING,
    old: Findings = NOTHING,
    looks: Sequence[Look] = (),
) -> tuple[str, ...]:
    """What the evidence lacks, where that was found, `looks` come to it, and a step says that, in
    place of what it said: findings in words, something relevant that was looked at, something of
    this session, and the looks that the kind asks for. A consensus lacks replies, where nobody gave
    one."""
    now = investigation_of(session)
    if now is None:
        return ()
    if now.kind.total.rule == "models":
        return _missing_replies(session, now)
    if not grows(now.kind):
        return missing_looks(session, index, looks)
    shown = _has_opened_relevant(index, says, old, (*now.looks, *looks))
    before = (name for name in index.relevant if name not in old.relevant)
    # One more than are named, so that it shows that there are more.
    claimed = () if shown else tuple(islice(chain(before, says.relevant), NAMED + 1))
    return evidence_gaps(
        _words(index, says, old),
        shown,
        claimed,
        _own(now, index, says),
        missing_looks(session, index, looks),
    )


def _has_opened_relevant(
    index: FindingsIndex, says: Findings, old: Findings, looks: Sequence[Look]
) -> bool:
    """Whether something that is said to be relevant was opened, or used by code that ran: of what
    was found, or by what a step says and by looks that are not among it yet."""
    lost = {("file", name) for name in old.relevant if index.relevant.get(name) == 1}
    lost |= {("name", name) for name in map(bare, old.context) if index.about.get(name) == 1}
    # Something else is shown still: the usual case, and it needs no sets of all looks.
    if len(index.shown) > len(index.shown & lost):
        return True
    files = {place for look in looks for file in look.files for place in places(file)}
    names = {name for look in looks for name in look.names}
    return (
        any(file in index.places or file in files for file in says.relevant)
        or not index.relevant.keys().isdisjoint(files)
        or any(name in index.used or name in names for name in map(bare, says.context))
        or not index.about.keys().isdisjoint(names)
    )


def _words(index: FindingsIndex, says: Findings, old: Findings) -> int:
    """Different words of all findings."""
    gone: dict[str, int] = {}
    for text in old.findings:
        for word in words(text):
            gone[word] = gone.get(word, 0) + 1
    # Counted, not rebuilt: a step costs its own words, however long the investigation is.
    lost = {word for word, times in gone.items() if index.words.get(word, 0) <= times}
    new = {word for text in says.findings for word in words(text)}
    return len(index.words) - len(lost - new) + len(new - index.words.keys())


def _own(now: Investigation, index: FindingsIndex, says: Findings) -> bool:
    """Whether something was found here, and not all brought along from another session; with what
    a step says that is to come."""
    if now.carried is None:
        return True
    has_new = len(index.findings) > len(now.brought)  # what was brought is among them
    return has_new or any(same_text(text) not in now.brought for text in says.findings)


def _missing_replies(session: Session, now: Investigation) -> tuple[str, ...]:
    """That no model was asked, or none replied."""
    named = now.fields.get(now.kind.total.count or "")
    if named is None:
        return ("a reply: no model was asked",)
    if any(_replies(session, now)):
        return ()
    many = len(models(named))
    return (f"a reply: none of {many} models replied" if many > 1 else "a reply of the model",)


def _replies(session: Session, now: Investigation) -> Iterator[bool]:
    advisers = {*models(now.fields.get(now.kind.total.count or "") or [])}
    for key, each in now.advice:
        step = session.steps.get(key)
        if each.role == "model" and each.error is None and step is not None:
            yield (each.adviser, each.stance) in advisers and counts(session, step)


_NAMES = {
    "run": "something that ran",
    "test": "tests",
    "check": "a linter",
    "search": "a search",
    "versions": "versions",
    "cell": "a cell",
    "tool": "a tool",
    "file": "a file",
    "git": "git",
    "code": "code",
    "adviser": "an adviser",
}


def missing_looks(
    session: Session, index: FindingsIndex, looks: Sequence[Look] = ()
) -> tuple[str, ...]:
    """The kinds of looks that are asked for, and were not there; and a conflict, until a later look
    finds none. The code of a step is a cell."""
    now = investigation_of(session)
    if now is None or not now.kind.evidence:
        return ()
    recent = (*now.looks, *looks)
    # A look that is recorded and ticks nothing is no evidence either.
    ticking = [look for look in recent if look.ticks != "nothing"]
    seen = {*index.looks, *(way for look in ticking for way in (look.kind, *look.acts))}
    lacks = tuple(
        f"a look at {' or '.join(_NAMES[way] for way in ways)}"
        for ways in now.kind.evidence
        if seen.isdisjoint(ways)
    )
    if asks_for_runs(now.kind):
        lacks += tuple(failures((*_runs(index), *recent)))
    last = conflict(now.looks)
    # The looks since the last step are newer than all that steps have.
    if last is None:
        last = next(reversed(index.conflicts.values()), None)
    return (*lacks, "a look at git that finds nothing in conflict") if last else lacks


def asks_for_runs(kind: Kind) -> bool:
    """Whether it does not end early while what ran was not seen to succeed."""
    return any("run" in ways for ways in kind.evidence)


def recorded_runs(now: Investigation) -> Iterator[Look]:
    """What ran that succeeds or fails, in its order."""
    yield from _runs(now.found) if asks_for_runs(now.kind) else ()
    yield from now.looks


def _runs(index: FindingsIndex) -> Iterator[Look]:
    for key in sorted(index.runs):
        yield from index.runs[key]


def failures(looks: Iterable[Look]) -> Iterator[str]:
    """What ran and was not seen to succeed since: that it ran is no evidence that what it looked at
    is well."""
    lacks = dict.fromkeys(_failure(run, look) for run, look in unresolved(looks).items())
    yield from [*lacks][-NAMED:]


def _failure(run: ProgramRun, look: Look) -> str:
    name = _NAMES[run.act]
    line = " ".join((run.program, *run.given)) if look.runs and run.program else look.what
    if look.failed:
        return f"{name} without a failure after `{line}`"
    if look.failed is False:
        return f"{name} after source files changed (`{line}` ran before that)"
    whole = look.what if look.kind == "cell" else line
    silent = ", or that no test ran" if run.act == "test" else ""
    return (
        f"{name} seen to succeed: `{whole}` would not show a failure{silent} (run it alone as "
        "`!PROGRAM`, with nothing before or behind it that hides its exit code)"
    )


def examined_files(index: FindingsIndex) -> list[str]:
    """The files that were examined: something opened them."""
    return list(index.opened)
