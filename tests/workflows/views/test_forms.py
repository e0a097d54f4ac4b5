"""Random runs in every form that there is of them: what each says is what the events say."""

from __future__ import annotations

import json
from contextlib import suppress
from html.parser import HTMLParser
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.views.test_exports import words_of_html, words_of_markdown
from tests.workflows.core.story import Told, act, states, steps, undo
from wfnb.errors import Refused, spoken
from wfnb.workflows.core.commands import FinishCall, ResumeRun, StopRun
from wfnb.workflows.core.events import CallFinished, CallStarted, RunEnded, RunResumed
from wfnb.workflows.views.report import Report
from wfnb.workflows.views.run_result import run_result
from wfnb.workflows.views.run_text import plain

ENDS = ("ok", "ok", "ok", "ok", "failed", "timed out")
NESTED = "run_workflow"
WHENS: tuple[dict[str, Any], ...] = ({}, {}, {"when": "true"}, {"when": "given == 'gone'"})

HOWS = ({"even_if": "failed"}, {"only_if": "failed"})


@st.composite
def definitions(draw: st.DrawFn) -> dict[str, Any]:
    """Up to five steps: some can be undone, some may fail, some call a run. Or states, in which the
    same may be done again."""
    if draw(st.integers(0, 3)) == 0:
        ways = st.dictionaries(st.sampled_from(("success", "failure")), st.sampled_from("abc"))
        last = {"d": {"always": True}} if draw(st.booleans()) else {}
        return states(
            "a",
            **{
                id: draw(ways)
                | draw(st.sampled_from(WHENS))
                | (undo() if draw(st.booleans()) else {})
                for id in "abc"
            }
            | last,
        )
    made: list[dict[str, Any]] = []
    for id in "abcde"[: draw(st.integers(1, 5))]:
        one: dict[str, Any] = {"id": id, "tool": draw(st.sampled_from(("noop", "noop", NESTED)))}
        one |= undo() if draw(st.integers(0, 3)) else {}
        one |= {"on_failure": "continue"} if draw(st.integers(0, 4)) == 4 else {}
        one |= {"retry": 1} if draw(st.booleans()) else {}
        one |= draw(st.sampled_from(WHENS))
        one |= (
            {"compensate_on_failure": True} if "compensation" in one and draw(st.booleans()) else {}
        )
        one |= {"always": True} if "compensation" not in one and draw(st.booleans()) else {}
        made.append(one)
    more: dict[str, Any] = {"rollback": draw(st.booleans() | st.just(True))}
    if draw(st.booleans()):
        more["mode"] = "parallel"
        for place, one in enumerate(made):
            last = one.get("always")
            earlier = [each["id"] for each in made[:place] if not (last or each.get("always"))]
            needs = draw(st.sets(st.sampled_from(earlier))) if earlier else set()
            named = [
                {"id": id, **draw(st.sampled_from(HOWS))} if draw(st.booleans()) else id
                for id in sorted(needs)
            ]
            one |= {"needs": named} if needs else {}
    return steps(*made, **more)


@st.composite
def stories(draw: st.DrawFn) -> Told:
    """A run as it comes about: to its end, or left, and gone on with."""
    told = Told(draw(definitions()), variables={"given": "at the start"})
    for turn in range(draw(st.integers(4, 40))):
        run = told.run
        if run.status != "running":
            with suppress(Refused):
                if draw(st.booleans()):
                    told.do(ResumeRun(process=f"p{turn}", lost="again"))
            if told.run.status != "running":
                break
        if draw(st.integers(0, 30)) == 30:
            with suppress(Refused):
                told.do(StopRun(reason=f"why{turn}", rollback=draw(st.none() | st.booleans())))
        act(told)
        if told.run.open:
            ends(draw, told, draw(st.sampled_from(list(told.run.open))))
    told.run.lost = told.run.status == "running" and draw(st.booleans())
    return told


def ends(draw: st.DrawFn, told: Told, id: int) -> None:
    """How a call ends: what it gives is another each time, so that it can be found."""
    call, how = told.run.open[id], draw(st.sampled_from(ENDS))
    result: dict[str, Any] = {"success": how == "ok", "value": f"gave{id}."}
    result |= {"error": f"broke{id}."} if how != "ok" else {}
    result |= {"timeout_occurred": True} if how == "timed out" else {}
    if call.undoes is None and call.tool == NESTED and how == "ok":
        result |= {"run": f"child{id}.", "status": "success"}
        told.do(FinishCall(call=id, result=result, nested=f"child{id}.", duration=1.5))
    else:
        if call.undoes is not None and told.run.calls[call.undoes].nested is not None:
            result["undone"] = draw(st.booleans())
        told.do(FinishCall(call=id, result=result, duration=1.5))


class Tables(HTMLParser):
    """The rows of each table."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.inside = True
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.tables[-1][-1][-1] += data


def markdown_rows(text: str) -> list[list[str]]:
    """The rows of its table of actions."""
    lines = text.partition("\n## Actions\n")[2].partition("\n## ")[0].splitlines()
    rows = [line for line in lines if line.startswith("|")]
    return [
        [words_of_markdown(cell).strip() for cell in row.strip("|").split("|")]
        for row in [rows[0], *rows[2:]]
    ]


@given(told=stories())
@settings(max_examples=40)
def test_every_form_of_a_run_says_what_its_events_say(told: Told):
    check_forms(told)


def check_forms(told: Told) -> None:
    run, events = told.run, [entry.event for entry in told.entries]
    starts = {e.position: e.event for e in told.entries if isinstance(e.event, CallStarted)}
    finished = {event.call: event for event in events if isinstance(event, CallFinished)}
    forward = [id for id, event in starts.items() if event.undoes is None]
    undoing = {id: event.undoes for id, event in starts.items() if event.undoes is not None}
    report = Report(run, "work-1", ["a warning of it"])
    facts, shown = report.to_dict(), run_result(run, "work-1", ["a warning of it"])
    markdown, html = report.markdown, report.html

    # how it ended
    last = next(
        e for e in reversed(events) if isinstance(e, RunEnded | RunResumed) or e is events[0]
    )
    status = last.status if isinstance(last, RunEnded) else "running"
    status = "interrupted" if run.lost else status
    error = last.error if isinstance(last, RunEnded) else None
    assert (facts["status"], facts["error"]) == (status, error)
    assert (shown.status, shown.error) == (status, error)
    assert shown.success == (status in ("success", "partial_success"))

    # each action: how often it was called, what came of it last, whether it was undone
    for action in dict.fromkeys(starts[id].action for id in forward):
        rows = [row for row in facts["actions"] if row["action"] == action]
        mine = [id for id in forward if starts[id].action == action]
        end = finished.get(mine[-1])
        assert sum(row["attempts"] for row in rows) == sum(not starts[id].skipped for id in mine)
        if end is None:
            assert rows[-1]["status"] == ("interrupted" if run.lost else "running")
        elif not end.retry or run.lost or status != "running":
            assert rows[-1]["status"] == spoken(end.status)
        assert rows[-1]["result"] == (dict(end.result) if end else {})
        assert rows[-1]["error"] == (
            end.result.get("error") if end and end.status != "ok" else None
        )
    for row, seen in zip(facts["actions"], report.rows, strict=True):
        ids = {call.id for call in seen.calls}
        done = [id for id, undone in undoing.items() if undone in ids and id in finished]
        undone = [
            id
            for id in done
            if finished[id].status == "ok" and finished[id].result.get("undone", True)
        ]
        effect = any(finished[id].status == "ok" for id in ids if id in finished)
        if undone and undone[-1] == done[-1]:
            assert row["undo"] == "undone", row
        else:
            assert row["undo"] != "undone", row
        if status == "rolled_back":
            assert not (row["undo"] or "").startswith("not undone: broke"), row
        nothing = done and finished[done[-1]].result.get("undone") is False  # it had no effect
        if done and not undone and not nothing and status != "running":
            assert (row["undo"] or "").startswith("not undone"), row
        assert bool(effect) or row["status"] != "ok"
    if run.workflow.form == "steps":
        assert {row["action"] for row in facts["actions"]} == set(run.workflow.actions)
    left = [row for row in facts["actions"] if (row["undo"] or "").startswith("not undone")]
    if status == "partly_rolled_back":
        assert left

    # the forms say the same of it
    (head, *cells), tables = markdown_rows(markdown), Tables(html).tables
    assert [head, *cells] == next(table for table in tables if table[0][:2] == ["", "action"])
    for row, cell in zip(facts["actions"], cells, strict=True):
        named = dict(zip(head, cell, strict=True))
        assert named[""] == str(row["index"])
        assert (named["action"], named["tool"]) == (row["action"], row["tool"])
        assert named["state"].endswith(row["status"])
        assert named["attempts"] == str(row["attempts"] or "–")
        assert named["undo"] == (row["undo"] or "")
        assert (row["error"] or "") in named["result"]
    for form in (words_of_markdown(markdown), words_of_html(html)):
        assert f"{spoken(status)} · " in form
        assert (error or "") in form
        assert "a warning of it" in form
        for event in finished.values():  # what each attempt and each undoing gave
            for value in ("value", "error", "run"):
                assert str(event.result.get(value, "")) in form
        for name, value in run.variables.items():
            assert f"{name}" in form
            assert value is not False or "false" in form
    assert facts["variables"] == run.variables == shown.final_variables
    assert facts["warnings"] == shown.warnings
    json.loads(report.to_json())

    # what a cell shows, and what a terminal does
    undone = sum(row["undo"] == "undone" for row in facts["actions"])
    counts = [f"{undone} undone"] if undone else []
    counts += [f"{len(left)} not undone"] if left else []
    for text in (plain(run, "work-1"), words_of_markdown(markdown), words_of_html(html)):
        assert spoken(status) in text
        assert all(f"· {count} ·" in text for count in counts)
    for text in (
        repr(shown),
        words_of_html(shown._repr_mimebundle_()["text/html"]),
        plain(run, "w"),
    ):
        assert spoken(status) in text
        for row in facts["actions"]:
            assert row["status"] in text
            assert (row["undo"] or "") in text
            assert (row["error"] or "") in text
    stored = shown._repr_mimebundle_()["application/vnd.wfnb+json"]
    assert [(row["action"], row["status"], row["attempts"]) for row in stored["actions"]] == [
        (row["action"], row["status"], row["attempts"]) for row in facts["actions"]
    ]
    assert [each["state"] for each in shown.execution_log] == [
        row.action for row in report.rows if row.calls
    ]
    assert {each["state"] for each in shown.rollback} == {
        starts[undone].action for undone in undoing.values()
    }
