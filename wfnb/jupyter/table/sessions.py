"""Sessions: begun, gone on with, shown, and the strategy they follow."""

from __future__ import annotations

from wfnb.jupyter import verbs
from wfnb.jupyter.grammar import Option

from .row import FORMS, JSON, OF_A_KIND, row

SESSIONS = (
    row(
        "start",
        verbs.start,
        "NAME [--strategy S] [--kind K] [--fresh | --scratch]",
        "Start a session; its history is kept beside the notebook.",
        Option(
            flag="--strategy",
            field="strategy",
            takes="S",
            choices="strategies",
            says="the strategy to follow",
        ),
        Option(
            flag="--kind",
            field="kind",
            takes="K",
            choices="kinds",
            says="the kind of investigation it is (debug, codereview, …)",
        ),
        Option(
            flag="--continues",
            field="continues",
            takes="SESSION",
            choices="sessions",
            says="an investigation that goes on here: what was found there is found here",
        ),
        *OF_A_KIND,
        Option(flag="--fresh", field="fresh", says="archive a session of that name first"),
        Option(flag="--scratch", field="scratch", says="keep it in memory only"),
        examples=(
            "%wfnb start sensor-drift",
            "%wfnb start sensor-drift --strategy react",
            "%wfnb start blank-pages --kind debug",
        ),
        choices="sessions",
        least=("a name",),
        most=1,
    ),
    row(
        "resume",
        verbs.resume,
        "NAME",
        "Go on with a session, in this or a new kernel.",
        choices="sessions",
        least=("a name",),
        most=1,
    ),
    row(
        "list",
        verbs.sessions,
        "[--all]",
        "The sessions kept here.",
        Option(flag="--all", field="all", says="archived ones too"),
        JSON,
        most=0,
    ),
    row(
        "panel",
        verbs.later("panel", "panel.show"),
        "[--static]",
        "The session in this cell as it goes on: timeline, stages, branches, runs.",
        Option(flag="--static", field="static", says="the picture alone, without a widget"),
        examples=("%wfnb panel", "%wfnb panel --static"),
        most=0,
    ),
    row("status", verbs.status, "[--json]", "Where the session stands.", JSON, most=0),
    row(
        "show",
        verbs.show_step,
        "N | RUN",
        "All about a step (its words, code, values, and what they were before), or a run.",
        examples=("%wfnb show 3", "%wfnb show alt:3", "%wfnb show deploy-1"),
        choices="steps",
        least=("the number of a step",),
        most=1,
    ),
    row(
        "switch",
        verbs.switch,
        "[ID] [--restore]",
        "Choose the line of steps that name no branch (main without ID), in this kernel.",
        Option(flag="--restore", field="restore", says="bring back the values that it kept last"),
        examples=("%wfnb switch", "%wfnb switch robust --restore"),
        choices="branches",
        most=1,
    ),
    row(
        "strategy",
        verbs.strategy,
        "[NAME | none]",
        "Follow a strategy from here on; without NAME, say which one.",
        Option(flag="--list", field="list", says="all strategies there are"),
        choices="strategies",
        most=1,
    ),
    row(
        "stages",
        verbs.stages,
        "[STRATEGY]",
        "The stage graph, with the way taken.",
        *FORMS,
        choices="strategies",
        most=1,
    ),
)
