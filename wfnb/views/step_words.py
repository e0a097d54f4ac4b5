"""a step, an outcome, the end of a run, a value -> the few words that every view says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from wfnb.core.events import Author
from wfnb.core.ledger import Ledger
from wfnb.core.session import Line, Session, Step
from wfnb.core.vote_tally import Tally
from wfnb.errors import spoken
from wfnb.render.drawing.graph import SIGNS, LaneState, State
from wfnb.render.message import Table
from wfnb.render.text.safe_markdown import plain_title

RUN_SIGNS: Mapping[str, str] = {
    "success": "✓",
    "partial_success": "◑",
    "failed": "✕",
    "rolled_back": "↶",
    "partly_rolled_back": "◔",
    "cancelled": "⊘",
    "interrupted": "◐",
    "parked": "◷",
    "running": "▶",
}


def outcome_of(step: Step) -> State:
    """ok, failed, interrupted, unknown, or running while an attempt has not ended."""
    if step.running is not None or step.outcome is None:
        return "running"
    return step.outcome.status


def states(
    outcome: State, stale: bool, withdrawn: bool = False, revised: bool = False
) -> tuple[State, ...]:
    """What matters about a step, the most important first. Stale takes the place of ok alone: how a
    step went that did not go well, or still goes, is never hidden by it.

    >>> states("failed", stale=True), states("ok", stale=True), states("ok", False, revised=True)
    (('failed', 'stale'), ('stale',), ('revised',))
    """
    if withdrawn and outcome != "running":
        return ("withdrawn",)
    if outcome == "ok":
        return ("stale",) if stale else ("revised",) if revised else ("ok",)
    return (outcome, "stale") if stale else (outcome,)


def states_of(step: Step) -> tuple[State, ...]:
    """The same of a step as it is now."""
    return states(outcome_of(step), step.stale, step.is_withdrawn, step.revised_by is not None)


def line_state(session: Session, line: Line) -> LaneState:
    """What became of a line, in a word: its state, or that another was selected over it."""
    return "passed over" if line.state == "open" and line.id in session.passed_over else line.state


def fate(session: Session, line: Line) -> str:
    """The same, with the line that it was merged into."""
    into = f" into {line.merged_into}" if line.merged_into else ""
    return f"{line_state(session, line)}{into}"


def author_text(author: Author | None) -> str:
    """Who did something, in a few words.

    >>> author_text(Author(host="mcp", name="helper", version="2.1"))
    'helper 2.1'
    """
    if author is None:
        return "the notebook"
    return " ".join(filter(None, (author.name, author.version))) or f"the {author.host}"


def permissions_text(author: Author) -> str | None:
    """What it was allowed to do; None where that is not known.

    >>> permissions_text(Author(host="mcp", may=())), permissions_text(Author(host="panel"))
    ('read and record', None)
    >>> permissions_text(Author(host="mcp", may=("run deploy", "run test")))
    'read and record, run deploy, run test'
    """
    return None if author.may is None else ", ".join(("read and record", *author.may))


def is_by(author: Author | None, name: str) -> bool:
    """Whether that name, or the beginning of a word of it, means the author.

    >>> is_by(Author(host="mcp", name="helper", version="2.1"), "Help"), is_by(None, "notebook")
    (True, True)
    """
    return f" {name}".casefold() in f" {author_text(author)}".casefold()


def is_named(author: Author | None, name: str) -> bool:
    """Whether that is the whole name of the author, with its version or without.

    >>> helper = Author(host="mcp", name="helper", version="2.1")
    >>> is_named(helper, "Helper"), is_named(helper, "helper 2.1"), is_named(helper, "help")
    (True, True, False)
    """
    names = (author_text(author), author.name if author else None)
    return name.casefold() in (each.casefold() for each in names if each)


def sign(state: State) -> str:
    """A state in a sign and a word: told by shape and word, never by colour alone."""
    return f"{SIGNS[state]} {state}"


def signs(states: Sequence[State]) -> str:
    """Several states, as a step has them.

    >>> signs(("failed", "stale"))
    '✕ failed · ◌ stale'
    """
    return " · ".join(map(sign, states))


def run_sign(status: str) -> str:
    """How a run ended, in a sign and words.

    >>> run_sign("rolled_back")
    '↶ rolled back'
    """
    return f"{RUN_SIGNS.get(status, '?')} {spoken(status)}"


def tally_fields(tally: Tally) -> dict[str, Any]:
    """As JSON data."""
    return {
        "winner": tally.winner,
        "share": round(tally.share, 3),
        "ties": list(tally.ties),
        "votes": dict(tally.votes),
    }


def ledger_fields(ledger: Ledger) -> dict[str, Any]:
    """As JSON data, its cells as they are shown."""
    return {
        "title": ledger.title,
        "heads": list(ledger.heads),
        "rows": [[_cell(value) for value in row] for row in ledger.rows],
        "lacks": list(ledger.lacks),
    }


def ledger_table(ledger: Ledger) -> Table:
    """The same as a table."""
    fields = ledger_fields(ledger)
    return Table(fields["heads"], fields["rows"], fields)


def _cell(value: Any) -> str:
    text = value if isinstance(value, str) else "" if value == [] else short(value)
    return cut(" ".join(text.splitlines()), 60)


def refer(step: Step, branch: str) -> str:
    """A step's number as it is said on a branch: `3`, or `alt:3` for that of another one."""
    return str(step.number) if step.branch == branch else f"{step.branch}:{step.number}"


def notes(session: Session, step: Step) -> list[str]:
    """What else is to be known of a step beside its state: what it revises, what revised it (in
    short where the state says so already), its version."""
    parts = []
    if step.current.revises is not None:
        parts.append(f"revises {step.current.revises}")
    if step.selects:
        parts.append(f"selected {', '.join(step.selects)}")
    reviser = session.steps.get(step.revised_by) if step.revised_by is not None else None
    if reviser is not None:
        by = f"by {refer(reviser, step.branch)}"
        parts.append(by if "revised" in states_of(step) else f"revised {by}")
    if len(step.versions) > 1:
        parts.append(f"version {len(step.versions)}")
    if step.current.findings is not None:
        parts.append(f"confidence {step.current.findings.confidence}")
    return parts


def title_of(description: str, width: int = 120) -> str:
    """The first line of a description without its Markdown marks, cut to `width` characters. The
    number or sign that it begins with is its own: one line is no list; and so are signs of sums and
    names.

    >>> title_of("7. Results"), title_of("7."), title_of("# ")
    ('7. Results', '7.', '(no title)')
    """
    first = description.strip().partition("\n")[0]
    return cut(plain_title(first) or "(no title)", width)


def body_of(description: str) -> str:
    """A description without its first line."""
    return description.strip().partition("\n")[2].strip()


def short(value: Any, width: int = 60) -> str:
    """A value in a few characters: numbers to six significant digits, nothing as a dash, several
    with commas.

    >>> short(0.1 + 0.2), short(None), short(["keeper:for", "harbour"]), short({"a": [1, 2]})
    ('0.3', '–', 'keeper:for, harbour', 'a: 1, 2')
    """
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list | tuple):
        # Cut before it is joined: a value may be a list of a million.
        return cut(", ".join(short(each, width) for each in value[:width]) or "–", width)
    if isinstance(value, Mapping):
        each = islice(value.items(), width)
        return cut(", ".join(f"{name}: {short(part, width)}" for name, part in each) or "–", width)
    return cut(" ".join(str(value).split()), width)


def seconds(duration: float | None) -> str:
    """A little is not nothing.

    >>> seconds(0.01234), seconds(4.26), seconds(1800), seconds(7300), seconds(None)
    ('0.012 s', '4.3 s', '30 min', '2 h 1 min', '–')
    >>> seconds(0.00012), seconds(0)
    ('< 1 ms', '0 s')
    """
    if duration is None:
        return "–"
    if 0 < duration < 0.0005:
        return "< 1 ms"
    if duration < 1:
        # A clock that was set back gives less than nothing.
        return f"{round(max(duration, 0.0), 3):g} s"
    # Where `.1f` would make 60.0 of it, minutes begin.
    if duration < 59.95:
        return f"{duration:.1f} s".replace(".0 s", " s")
    whole = round(duration)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s".removesuffix(" 0 s")
    return f"{whole // 3600} h {whole % 3600 // 60} min".removesuffix(" 0 min")


def cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def tally_line(counted: Tally) -> str:
    """Who won, with what share; or who shares the first place, or leads without a majority."""
    votes = ", ".join(f"{answer} × {count}" for answer, count in counted.votes.items())
    if counted.ties:
        return f"tie between {' and '.join(counted.ties)}, {counted.share:.0%} each ({votes})"
    if counted.winner is None:
        return f"no majority: {next(iter(counted.votes))} leads with {counted.share:.0%} ({votes})"
    return f"{counted.winner} wins with {counted.share:.0%} ({votes})"


UNPROVEN = "complete, not solved by evidence"


def came_to(solved: bool, more: bool, lacks: object, why: str = "") -> str:
    """What a session came to; `more` steps are needed, or what an investigation lacks; `why` it is
    not solved, in a clause. "" where there is no reason: nobody awaits that it is.

    >>> came_to(True, False, ()), came_to(False, False, ["a finding"])
    ('solved', 'complete, not solved by evidence')
    >>> came_to(False, True, (), "step 4 is stale")
    'not solved yet: step 4 is stale'
    """
    if solved:
        return "solved"
    if lacks and not more:
        return UNPROVEN
    return f"not solved yet: {why}" if why else ""


def trusted_text(names: Sequence[str], dry: bool) -> str:
    """What the user trusts from now on, or with `dry` what he would."""
    if not names:
        return "nothing to trust: all that is here is yours, or was trusted before"
    return f"{'not trusted yet' if dry else 'trusted now'}: {' · '.join(names)}"
