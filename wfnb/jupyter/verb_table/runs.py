"""Runs, saved workflows and tools."""

from __future__ import annotations

from wfnb.jupyter import verbs
from wfnb.jupyter.grammar import Option

from .row import JSON, REASON, row

RUNS = (
    row(
        "call",
        verbs.lazy_verb("call"),
        "TOOL [KEY=VALUE …]",
        "Call one tool now, and show what it gave; a step takes it as --set KEY=@last.",
        examples=('%wfnb call shell command="git status --short"',),
        choices="tools",
        least=("a tool",),
    ),
    row("runs", verbs.lazy_verb("runs"), "[--json]", "The runs of this session.", JSON, most=0),
    row(
        "wait",
        verbs.lazy_verb("wait"),
        "[RUN]",
        "Wait for a run in the background, and show what it came to; an interrupt ends only the "
        "waiting.",
        choices="runs",
        most=1,
    ),
    row(
        "cancel",
        verbs.lazy_verb("cancel"),
        "[RUN] [--rollback | --no-rollback]",
        "Stop a run (the one that is going on), in whatever process it is.",
        Option(flag="--rollback", field="rollback", says="undo what it did"),
        Option(flag="--no-rollback", field="rollback", value=False, says="undo nothing"),
        Option(
            flag="--secret",
            field="secret",
            takes="NAME",
            many=True,
            says="a secret that undoing needs, where the run's process is gone (NAME=VARIABLE)",
        ),
        REASON,
        choices="runs",
        most=1,
    ),
    row(
        "answer",
        verbs.lazy_verb("answer"),
        "TEXT [--to STATE] [--run RUN]",
        "Answer the question that a run asks.",
        Option(flag="--to", field="to", takes="STATE", choices="actions", says="the one that asks"),
        Option(flag="--run", field="run", takes="RUN", choices="runs", says="the run that asks"),
        examples=("%wfnb answer yes", "%wfnb answer 2 --to confirm"),
        least=("an answer",),
    ),
    row(
        "timeline",
        verbs.lazy_verb("timeline"),
        "RUN",
        "When each call of a run began and ended.",
        choices="runs",
        least=("a run",),
        most=1,
    ),
    row(
        "workflows",
        verbs.lazy_verb("workflows"),
        "[list | show NAME | versions NAME | delete NAME | rename NAME NEW | import FILE "
        "| export NAME FILE]",
        "The saved workflows.",
        Option(flag="--overwrite", field="overwrite", says="import over another of its name"),
        JSON,
        examples=("%wfnb workflows", "%wfnb workflows export deploy deploy.yaml"),
        choices="workflows",
        most=3,
    ),
    row(
        "tools",
        verbs.lazy_verb("tools"),
        "[NAME]",
        "What a workflow may call; with NAME, its parameters.",
        choices="tools",
        most=1,
    ),
)
