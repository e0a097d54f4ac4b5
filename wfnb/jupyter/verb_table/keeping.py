"""Kept values: chosen, brought back, compared, and the store that they are in."""

from __future__ import annotations

from wfnb.jupyter import verbs
from wfnb.jupyter.grammar import Option

from .row import JSON, row

KEEPING = (
    row(
        "keep",
        verbs.lazy_verb("keep", "keep_verbs"),
        "[NAMES | all | none] [--secrets PATTERNS] [--budget SIZE]",
        "Choose what steps keep that do not say it; without NAMES, say what is chosen.",
        Option(
            flag="--secrets",
            field="secrets",
            takes="PATTERNS",
            many=True,
            says="names that are never kept ('*pin*', salary), or none, or default",
        ),
        Option(
            flag="--budget",
            field="budget",
            takes="SIZE",
            says="what all values of the session may take up (1GB, if not said)",
        ),
        examples=("%wfnb keep df 'model*'", "%wfnb keep all --budget 5GB", "%wfnb keep none"),
        choices="names",
    ),
    row(
        "restore",
        verbs.lazy_verb("restore", "keep_verbs"),
        "[N | ID | last] [NAME …] [--dry-run] [--alone] [--exact] [--rerun N,N]",
        "Bring back what a line had kept when a step ended (of a branch, or without N: the last).",
        Option(flag="--dry-run", field="dry_run", says="say what would happen; change nothing"),
        Option(flag="--alone", field="alone", says="only what that step itself kept"),
        Option(flag="--exact", field="exact", says="remove names that were not there at that step"),
        Option(
            flag="--rerun",
            field="rerun",
            takes="N",
            many=True,
            choices="steps",
            says="run the code of these steps again (2,3), for what cannot be kept",
        ),
        JSON,
        examples=(
            "%wfnb restore 3",
            "%wfnb restore alt:3 df 'model*' --dry-run",
            "%wfnb restore last --rerun 2",
        ),
        choices="kept",
    ),
    row(
        "diff",
        verbs.lazy_verb("difference", "keep_verbs"),
        "N N [NAME …] | ID ID [NAME …] | RUN RUN",
        "How the kept values of two steps or branches differ, or two runs of a workflow.",
        JSON,
        examples=(
            "%wfnb diff 3 alt:3",
            "%wfnb diff main robust rmse",
            "%wfnb diff deploy-1 deploy-2",
        ),
        choices="compared",
        least=("a step or a run", "another one"),
    ),
    row(
        "gc",
        verbs.lazy_verb("gc", "keep_verbs"),
        "",
        "Remove kept values that no step refers to any more.",
        Option(flag="--undone", field="undone", says="also those that redo could bring back"),
        Option(flag="--archived", field="archived", says="also those of archived sessions"),
        most=0,
    ),
    row(
        "trust",
        verbs.lazy_verb("trust", "keep_verbs"),
        "[--dry-run]",
        "Use what came with this folder from elsewhere: values, advisers, strategies, kinds, runs.",
        Option(flag="--dry-run", field="dry_run", says="say what it is; trust nothing"),
        examples=("%wfnb trust --dry-run", "%wfnb trust"),
        most=0,
    ),
)
