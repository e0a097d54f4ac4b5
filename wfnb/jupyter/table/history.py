"""The history: its lines compared and judged, its changes, the file it is written to."""

from __future__ import annotations

from wfnb.jupyter import verbs
from wfnb.jupyter.grammar import Option
from wfnb.jupyter.options import STEP

from .row import FORMS, JSON, REASON, row

_INTO = Option(
    flag="--into", field="into", takes="ID", choices="branches", says="the line it joins"
)

HISTORY = (
    row(
        "graph",
        verbs.graph,
        "[RUN | WORKFLOW]",
        "The history as a diagram; or a run with the path it took; or a workflow.",
        *FORMS,
        choices="runs",
        most=1,
    ),
    row(
        "compare",
        verbs.compare,
        "[ID …]",
        "Lines side by side (all, without ID).",
        Option(
            flag="--lowest",
            field="lowest",
            takes="NAME",
            many=True,
            says="of this value the lowest is the best",
        ),
        Option(
            flag="--highest",
            field="highest",
            takes="NAME",
            many=True,
            says="of this value the highest is the best",
        ),
        JSON,
        examples=("%wfnb compare main robust --lowest rmse",),
        choices="branches",
    ),
    row(
        "score",
        verbs.score,
        "ID SCORE [--reason TEXT]",
        "Say how good a branch is; higher is better.",
        REASON,
        examples=('%wfnb score robust 0.8 --reason "half the error"',),
        choices="branches",
        least=("a branch", "a score"),
        most=2,
    ),
    row(
        "select",
        verbs.select,
        "ID [--reason TEXT]",
        "Choose a branch over those that left the same step.",
        REASON,
        choices="branches",
        least=("a branch",),
        most=1,
    ),
    row(
        "merge",
        verbs.merge,
        "ID [--into ID] [--reason TEXT]",
        "Take a branch's work into a line (by default the one it left).",
        _INTO,
        REASON,
        choices="branches",
        least=("a branch",),
        most=1,
    ),
    row(
        "abandon",
        verbs.abandon,
        "ID [--reason TEXT]",
        "Give a branch up; it stays in the history.",
        REASON,
        choices="branches",
        least=("a branch",),
        most=1,
    ),
    row(
        "revise",
        verbs.revise,
        "N TITLE … [options of %%step]",
        "Record a correction of step N, as `%step --revises N` does.",
        *(option for option in STEP.options if option.flag != "--revises"),
        examples=("%wfnb revise 2 Both broken days have to go",),
        least=("the number of a step", "a title"),
        choices="steps",
    ),
    row(
        "confirm",
        verbs.confirm,
        "[N …]",
        "Stale steps hold as they are (all of them, without N).",
        examples=("%wfnb confirm 3 alt:3",),
        choices="steps",
    ),
    row("undo", verbs.undo, "", "Take the last change back.", most=0),
    row("redo", verbs.redo, "", "Bring back what was undone last.", most=0),
    row(
        "log",
        verbs.log,
        "[--last N] [--times]",
        "What was recorded, in order.",
        Option(flag="--last", field="last", takes="N", says="the last N entries (30)"),
        Option(flag="--times", field="times", says="with the time of each"),
        JSON,
        most=0,
    ),
    row(
        "export",
        verbs.export,
        "FILE [--force]",
        "Write the session to a file: .md .html .json .svg .dot .mmd .txt",
        Option(flag="--force", field="force", says="also over a file that is not of wfnb"),
        examples=("%wfnb export report.html",),
        least=("a file",),
        most=1,
    ),
    row("clear", verbs.clear, "", "Put all steps and branches away.", most=0),
)
