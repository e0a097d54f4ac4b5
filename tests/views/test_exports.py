"""Random sessions in every form that there is of them: each fact of a step and a line is there and
says what the session says."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.drawn import changes, kept, plausible_steps, strategies
from tests.core.story import Story, done, following
from tests.investigations.core.drawn import kinds, said
from wfnb.core.commands import (
    Command,
    DescribeStep,
    FinishStep,
    HideSteps,
    KeepValues,
    Redo,
    ShowSteps,
    TagStep,
    Undo,
)
from wfnb.core.events import Cell, Outcome
from wfnb.core.queries import visible, visible_lines
from wfnb.core.session import Session, Step
from wfnb.core.validation import StepPlace
from wfnb.errors import Refused, spoken
from wfnb.investigations.core.finding_parser import findings
from wfnb.views.event_sentences import Log
from wfnb.views.export import FORMS, render_session
from wfnb.views.run_entries import RunEntry
from wfnb.views.snapshot import snapshot
from wfnb.views.staleness import reason
from wfnb.views.status import Status
from wfnb.views.step_words import outcome_of, short

WORDS = st.sampled_from(("apple", "pear", "fig", "plum", "quince"))
ENDINGS = st.builds(
    Outcome,
    status=st.sampled_from(("ok", "ok", "ok", "failed", "interrupted", "unknown")),
    duration=st.none() | st.floats(0, 90),
    result=st.none() | st.integers(0, 99).map(lambda n: f"result{n}"),
    error=st.none(),
    values=st.dictionaries(st.sampled_from(("rmse", "n")), st.integers(0, 99), max_size=2),
).map(lambda o: replace(o, error=f"KeyError: {o.result}") if o.status == "failed" else o)


@st.composite
def stories(draw: st.DrawFn) -> Story:
    """A session as it comes about: each title is another, so that it can be found."""
    story = Story()

    def do(command: Command) -> None:
        with suppress(Refused):
            story.do(command)

    inquiry = draw(st.integers(0, 3)) == 0
    do(draw(kinds) if inquiry else following(draw(strategies)))
    for turn in range(draw(st.integers(2, 14))):
        session = story.session
        found = list(session.steps.values())
        places = [StepPlace(number=step.number, branch=step.branch) for step in found]
        match draw(st.sampled_from("ssssssfchhtduurk")) if found else "s":
            case "s":
                step = draw(plausible_steps(session))
                body = draw(st.sampled_from(("", "", f"\n\nbody{turn} says <b>more</b>")))
                more: dict[str, Any] = {
                    "description": f"{draw(WORDS)}{turn}{body}",
                    "outcome": draw(st.none() | ENDINGS | ENDINGS),
                    "cell": draw(st.none() | st.just(Cell(id=None, source=f"code{turn}()"))),
                    "tags": draw(st.sampled_from(((), (), (f"tag{turn}",)))),
                }
                if inquiry:
                    more |= {"findings": findings(draw(said)), "pause": False}
                do(replace(step, **more))
            case "f" if session.running:
                attempt = draw(st.sampled_from(sorted(session.running)))
                do(FinishStep(attempt=attempt, outcome=draw(ENDINGS)))
            case "c":
                do(draw(changes(session)))
            case "h":
                places = draw(st.lists(st.sampled_from(places), min_size=1, max_size=2))
                do(draw(st.sampled_from((HideSteps, HideSteps, ShowSteps)))(places=tuple(places)))
            case "t":
                do(TagStep(place=draw(st.sampled_from(places)), add=(f"tag{turn}",)))
            case "d":
                place = draw(st.sampled_from(places))
                do(DescribeStep(place=place, title=f"{draw(WORDS)}{turn}"))
            case "u":
                do(Undo())
            case "r":
                do(Redo())
            case "k":
                do(KeepValues(step=draw(st.sampled_from(found)).key, values=draw(kept)))
    return story


@st.composite
def runs(draw: st.DrawFn, session: Session) -> list[RunEntry]:
    found = []
    for turn in range(draw(st.integers(0, 3))):
        status = draw(st.sampled_from(("success", "failed", "running", "interrupted", "cancelled")))
        error = f"why{turn}" if status == "failed" else None
        step = draw(st.sampled_from((None, *session.steps, 10_000)))
        entry = RunEntry(name=f"run{turn}", workflow="w", status=status, step=step, error=error)
        found.append(replace(entry, started=1.0 + turn, ended=5.0 + turn))
    return found


def title(step: Step) -> str:
    return step.current.description.partition("\n")[0]


def facts(session: Session, step: Step) -> list[str]:
    """What is to be known of a step, in the words that every view has for it."""
    now, end = step.current, step.outcome
    told = [title(step), outcome_of(step)]
    told += ["stale", reason(session, step)] if step.stale else []
    told += ["withdrawn"] if step.is_withdrawn else []
    told += [f"revises {now.revises}"] if now.revises is not None else []
    if step.revised_by is not None:
        told.append(f"by {session.steps[step.revised_by].number}".replace("by ", ""))
    told += [spoken(now.stage)] if now.stage else []
    told += [f"selected {now.selects}"] if now.selects else []
    told += [f"{name}: {short(value)}" for name, value in now.fields.items()]
    told += [f"#{tag}" for tag in step.tags]
    told += [f"version {len(step.versions)}"] if len(step.versions) > 1 else []
    told += [line for line in now.description.splitlines()[1:] if line]
    told += [now.cell.source] if now.cell else []
    told += now.warnings
    if end is not None:
        told += [f"{name} = {short(value)}" for name, value in end.values.items()]
        told += [part for part in (end.result, end.error) if part]
    told += [outcome.status for _, outcome in step.past]
    return told


class Words(HTMLParser):
    """The text of HTML, with a line for each element, and none of what is drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.drawn = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.drawn += tag in ("svg", "style")
        self.parts.append({"h2": "\n## ", "h3": "\n### "}.get(tag, "" if tag == "code" else "\n"))

    def handle_endtag(self, tag: str) -> None:
        self.drawn -= tag in ("svg", "style")

    def handle_data(self, data: str) -> None:
        if not self.drawn:
            self.parts.append(data)


def words_of_html(text: str) -> str:
    parser = Words()
    parser.feed(text)
    return "".join(parser.parts)


def words_of_markdown(text: str) -> str:
    plain = re.sub(r"\\(_|[^\w\s])", r"\1", text)
    return plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").replace("`", "")


def sections(text: str) -> dict[tuple[str, str], str]:
    """Line and heading of each step -> what stands under it."""
    found: dict[tuple[str, str], str] = {}
    line, name = "", ""
    for row in text.splitlines():
        if row.startswith("## "):
            line, name = row[3:].strip(), ""
        elif row.startswith("### "):
            name = row[4:].strip()
            assert (line, name) not in found
            found[line, name] = row
        elif name:
            found[line, name] += f"\n{row}"
    return found


def heading(line: Any) -> str:
    left = "" if line.parent is None else f", from step {line.leaves} of {line.parent}"
    return f"{line.id}{left}"


@given(st.data())
@settings(max_examples=25)
def test_a_report_tells_every_fact_of_every_step_in_its_place(data):
    session = data.draw(stories()).session
    entries = data.draw(runs(session))
    if not session.steps:
        return
    lines = {line.id: heading(line) for line in visible_lines(session)}
    wanted = {
        (lines[step.branch], f"{step.number}. {title(step)}"): step for step in visible(session)
    }

    for ending, words in ((".md", words_of_markdown), (".html", words_of_html)):
        text = words(render_session(session, ending, entries))
        told = {key: said for key, said in sections(text).items() if key[0] in lines.values()}

        assert list(told) == sorted(told, key=list(wanted).index) or set(told) == set(wanted)
        assert set(told) == set(wanted)
        for key, step in wanted.items():
            flat = " ".join(told[key].split())
            for fact in facts(session, step):
                assert " ".join(fact.split()) in flat, (ending, fact, told[key])
            for entry in entries:
                assert (f"{entry.name} " in flat) == (entry.step == step.key), (ending, told[key])
                assert entry.step != step.key or (entry.error or "") in flat
        for step in session.steps.values():
            assert step.hidden == (re.search(rf"\b{title(step)}\b", text) is None)
        for entry in entries:
            assert entry.step in session.steps or f"{entry.name} " in text
        assert counts(session) in " ".join(text.split())


def counts(session: Session) -> str:
    """The first words of its summary."""
    steps, lines = visible(session), visible_lines(session)
    told = [
        f"{len(steps)} step{'s' * (len(steps) != 1)} on {len(lines)} line{'s' * (len(lines) != 1)}"
    ]
    stale = sum(step.stale for step in steps)
    told += [f"{stale} stale"] if stale else []
    hidden = sum(step.hidden for step in session.steps.values())
    told += [f"{hidden} hidden"] if hidden else []
    return " · ".join(told)


@given(st.data())
@settings(max_examples=30)
def test_json_has_every_fact_of_every_step(data):
    session = data.draw(stories()).session
    entries = data.draw(runs(session))
    told = json.loads(render_session(session, ".json", entries))

    assert [(step["number"], step["branch"]) for step in told["steps"]] == [
        (step.number, step.branch) for step in session.steps.values()
    ]
    for found, step in zip(told["steps"], session.steps.values(), strict=True):
        now, end = step.current, step.outcome
        assert {name: found[name] for name in ("description", "total", "stage", "selected")} == {
            "description": now.description,
            "total": now.total,
            "stage": now.stage,
            "selected": now.selects,
        }
        assert found["fields"] == json.loads(json.dumps(dict(now.fields)))
        assert found["outcome"] == outcome_of(step)
        if end is not None:
            assert (found["duration"], found["result"], found["error"], found["values"]) == (
                *(end.duration, end.result, end.error),
                dict(end.values),
            )
        assert (found["stale"], bool(found["stale_reason"])) == (step.stale, step.stale)
        assert found["revises"] == now.revises
        assert found.get("tags", []) == list(step.tags)
        assert found.get("hidden", False) == step.hidden
        assert found.get("withdrawn", False) == step.is_withdrawn
        assert (found["attempts"], found["versions"]) == (step.attempts, len(step.versions))
        assert [version["description"] for version in found["history"]] == [
            version.description for version in step.versions
        ]
        assert [len(version["earlier"]) for version in found["history"]] == [
            sum(at == number for at, _ in step.past) for number in range(1, len(step.versions) + 1)
        ]
    assert [(line["id"], line["from"]) for line in told["lines"]] == [
        (line.id, None if line.parent is None else line.leaves) for line in session.lines.values()
    ]
    assert told["stale_steps"] == sorted({s.number for s in session.steps.values() if s.stale})
    assert told["runs"] == json.loads(json.dumps(snapshot(session, runs=entries)["runs"]))
    assert [(run["name"], run["status"], run["error"]) for run in told["runs"]] == [
        (entry.name, entry.status, entry.error) for entry in entries
    ]


@given(st.data())
@settings(max_examples=15)
def test_a_picture_has_every_step_that_is_not_hidden_once(data):
    session = data.draw(stories()).session
    if not session.steps:
        return
    for ending in (".svg", ".dot", ".mmd", ".txt"):
        text = render_session(session, ending)
        for step in session.steps.values():
            drawn = re.findall(rf"\b{title(step)}\b", text)
            assert bool(drawn) != step.hidden, (ending, title(step), text)
    assert len(FORMS) == 7


@given(st.data())
@settings(max_examples=30)
def test_the_status_has_the_same_counts_and_every_step(data):
    session = data.draw(stories()).session
    shown = Status(snapshot(session))

    assert counts(session) in shown.sentence.replace(f"{session.name} · ", "", 1)
    for step in session.steps.values():
        assert step.hidden == (re.search(rf"\b{title(step)}\b", repr(shown)) is None)


@given(stories())
@settings(max_examples=30)
def test_the_log_has_every_event_in_its_order(story):
    entries = [replace(entry, at=float(-entry.position)) for entry in story.log]
    log = Log(entries, len(entries), times=True)

    assert [line.position for line in log.lines] == [entry.position for entry in story.log]
    assert all(line.says for line in log.lines)


def test_a_report_counts_the_answers_of_each_line_that_has_its_own():
    voted = {"path_answers": [1, 1, 2]}
    story = Story(
        done("Collect", fields=voted),
        done("Other", branch="alt", leaves=1, fields={"path_answers": [3, 3]}),
        done("Same", branch="beta", leaves=1),
    )
    one = render_session(Story(done("Collect", fields=voted)).session, ".md")

    said = render_session(story.session, ".md").partition("## Answers counted\n\n")[2]

    assert said.splitlines() == [
        "main: 1 wins with 67% (1 × 2, 2 × 1)",
        "",
        "alt: 3 wins with 100% (3 × 2)",
    ]
    assert one.endswith("## Answers counted\n\n1 wins with 67% (1 × 2, 2 × 1)\n")
