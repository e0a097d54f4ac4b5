"""A step that is opened says all that is known of it, and nothing of it gets into the page but
text, and the plain marks of Markdown."""

from __future__ import annotations

import json
import re

import pytest

from tests.core.story import Story, at, done
from tests.golden.scenes import hostile
from tests.views.graphs import HOSTILE
from wfnb.core.commands import ScoreBranch, SelectBranch
from wfnb.core.events import Cell, Outcome, StepAdded
from wfnb.panel import card, comparison
from wfnb.panel.step_card import ELEMENTS, SOURCE, plain_html

TAG = re.compile(r"<(/?)([^\s>]*)([^>]*)>")
ATTACKS = (
    *HOSTILE,
    "<b onclick=alert(1)>x</b>",
    "<svg/onload=alert(1)>",
    "<style>*{display:none}</style>",
    "[a](https://example.org 'title') <https://example.org> https://example.org",
    "![a](data:image/svg+xml;base64,AAAA)",
    "```html\n<script>alert(1)</script>\n```",
    "3. three\n4. four",
    "| a | b |\n|:--|--:|\n| 1 | 2 |",
    "<iframe src=//example.org></iframe><form><input></form><math><mi/></math>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "<!--><script>alert(1)</script>-->",
    "<p><a href=x>\n\n</p><plaintext>",
)


@pytest.mark.parametrize("text", ATTACKS)
def test_a_description_is_made_of_known_elements_without_an_attribute(text):
    for each in (text, f"# {text}", f"- a\n  - {text}", f"> {text}\n\n{text}"):
        for _, name, rest in TAG.findall(plain_html(each)):
            assert (name in ELEMENTS, rest) == (True, "")


def test_what_a_hostile_text_says_can_still_be_read():
    said = plain_html("<script>alert(1)</script> and [a link](https://example.org)")

    assert said == "<p>&lt;script&gt;alert(1)&lt;/script&gt; and a link</p>\n"


def test_markdown_is_shown_as_such():
    said = plain_html("*a* **b** `c`\n\n1. d\n\n> e\n\n| f |\n|---|\n| g |")

    assert {name for _, name, _ in TAG.findall(said)} == {
        *("p", "em", "strong", "code", "ol", "li", "blockquote"),
        *("table", "thead", "tbody", "tr", "th", "td"),
    }


def test_everything_of_a_hostile_session_can_be_sent_and_its_texts_be_seen():
    data = hostile()

    text = json.dumps(data, ensure_ascii=False).encode().decode()

    for each in data["cards"]:
        for name in ("title", "says", "error", "result"):
            assert not re.search(
                "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", each[name]
            )
    assert "\ud800" not in text


def test_a_card_says_what_was_said_run_and_found():
    ended = Outcome(status="failed", duration=4.26, error="ValueError: no", values={"rmse": 3.25})
    first = Cell(id="c", source="%%step Fit\nfit()")
    again = Cell(id="c", source="%%step\nfit(2)")
    session = Story(
        done("Load"),
        done("Fit\n\nA *line*.", cell=first),
        done("Fit\n\nTwo.", number=2, cell=again, outcome=ended, fields={"tool": "ols"}),
        done("Better", revises=2),
    ).session

    opened = card(session, 3)

    assert opened == {
        "key": 3,
        "index": 1,
        "number": 2,
        "branch": "main",
        "title": "Fit",
        "says": "✕ failed · revised by 3 · version 2 · tool: ols · rmse = 3.25",
        "html": "<p>Two.</p>\n",
        "facts": [
            {"name": "step", "value": "2"},
            {"name": "line", "value": "main"},
            {"name": "outcome", "value": "✕ failed"},
            {"name": "took", "value": "4.3 s"},
            {"name": "revised by", "value": "3 · Better"},
            {"name": "attempts", "value": "2"},
            {"name": "versions", "value": "2"},
            {"name": "tool", "value": "ols"},
        ],
        "error": "ValueError: no",
        "result": None,
        "values": [{"name": "rmse", "value": "3.25"}],
        "kept": None,
        "findings": [],
        "versions": [
            {
                "version": 2,
                "says": "✕ failed · rmse = 3.25 · ValueError: no",
                "source": "%%step\nfit(2)",
                "changed": "-%%step Fit\n-fit()\n+%%step\n+fit(2)",
            },
            {"version": 1, "says": "✓ ok", "source": "%%step Fit\nfit()"},
        ],
        "cell_id": "c",
        "part": 0,
        "notebook": None,
        "description": "Fit\n\nTwo.",
    }


def test_what_is_long_is_cut():
    story = Story()
    story.record(
        [
            StepAdded(
                branch="main",
                number=1,
                total=1,
                description="a",
                next_step_needed=True,
                cell=Cell(source="x" * 200_000),
                outcome=Outcome(error="e" * 100_000, values={"v": "v" * 10_000}),
            )
        ]
    )

    opened = card(story.session, 2)

    assert len(opened["versions"][0]["source"]) == SOURCE
    assert len(json.dumps(opened)) < 30_000


def test_the_steps_of_a_scored_branch_say_its_score_and_why():
    session = Story(
        done("Load"),
        done("Fit", branch="robust"),
        ScoreBranch(branch="robust", score=0.85, reason="half the error"),
    ).session

    opened = card(session, at(session, 2, "robust").key)

    assert opened is not None
    facts = {fact["name"]: fact["value"] for fact in opened["facts"]}
    assert facts["score"] == "0.85 (robust) · half the error"


def test_no_step_has_no_card():
    assert card(Story(done("a")).session, 99) is None


def test_lines_side_by_side_say_which_is_best():
    session = Story(
        done("a"),
        done("b", branch="alt", leaves=1, outcome=Outcome(values={"rmse": 4.5})),
        done("c", branch="beta", leaves=1, outcome=Outcome(values={"rmse": 3.5})),
    ).session

    compared = comparison(session, ["alt", "beta", "nobody"])

    assert [line["head"] for line in compared["lines"]] == ["alt ⟵ 1", "beta ⟵ 1"]
    assert {"name": "rmse", "cells": ["4.5", "3.5"], "best": [1]} in compared["rows"]
    assert [line["id"] for line in comparison(session)["lines"]] == ["main", "alt", "beta"]


def test_lines_side_by_side_say_which_were_passed_over():
    session = Story(
        done("a"),
        done("b", branch="alt", leaves=1),
        done("c", branch="beta", leaves=1),
        SelectBranch(branch="beta"),
    ).session

    assert {
        "name": "state",
        "cells": ["open", "passed over", "selected"],
        "best": [],
    } in comparison(session)["rows"]
