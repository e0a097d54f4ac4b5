"""Investigations: their kind, looks, findings and advisers."""

from __future__ import annotations

from wfnb.jupyter import verbs
from wfnb.jupyter.grammar import Option

from .row import JSON, OF_A_KIND, REASON, row

INVESTIGATIONS = (
    row(
        "kind",
        verbs.lazy_verb("kind", "inquiry_verbs"),
        "[NAME | none]",
        "Investigate from here on; without NAME, where the investigation stands.",
        Option(flag="--list", field="list", says="all kinds there are"),
        *OF_A_KIND,
        examples=("%wfnb kind debug", "%wfnb kind refactor --no-pause", "%wfnb kind none"),
        choices="kinds",
        most=1,
    ),
    row(
        "look",
        verbs.lazy_verb("look", "inquiry_verbs"),
        "[changes [RANGE] [PATH] | last | commit REVISION [PATH] | outline FILE … | calls NAME | "
        "undocumented [FOLDER] | FILE [LINES]]",
        "Look at the repository or its code; an investigation counts it.",
        examples=(
            "%wfnb look",
            "%wfnb look changes",
            "%wfnb look changes main.. src     (what these commits brought there)",
            "%wfnb look commit HEAD~1",
            "%wfnb look parse.py 10-40",
        ),
        choices="looks",
    ),
    row(
        "findings",
        verbs.lazy_verb("findings", "inquiry_verbs"),
        "[--json]",
        "What the investigation found: confidence, findings, issues, what is to be looked at.",
        JSON,
        most=0,
    ),
    row(
        "hypothesis",
        verbs.lazy_verb("hypothesis", "inquiry_verbs"),
        "confirm|refute N|TEXT [--reason TEXT]",
        "Confirm or refute a hypothesis; until then it stands.",
        REASON,
        examples=('%wfnb hypothesis refute 1 --reason "the days are there"',),
        least=("confirm or refute", "a hypothesis"),
    ),
    row(
        "backtrack",
        verbs.lazy_verb("backtrack", "inquiry_verbs"),
        "N [--reason TEXT]",
        "Step N and what came after it no longer count for the investigation.",
        REASON,
        examples=('%wfnb backtrack 2 --reason "the log was of another day"',),
        choices="steps",
        least=("the number of a step",),
        most=1,
    ),
    row(
        "extend",
        verbs.lazy_verb("extend", "inquiry_verbs"),
        "N --reason TEXT",
        "Ask for N more steps than the investigation planned.",
        REASON,
        examples=('%wfnb extend 2 --reason "there are two parsers"',),
        least=("how many steps",),
        most=1,
    ),
    row(
        "advise",
        verbs.lazy_verb("advise", "inquiry_verbs"),
        "[NAME[:STANCE] …]",
        "Ask advisers where the investigation stands; without NAME, those still to reply.",
        Option(flag="--list", field="list", says="all advisers there are"),
        examples=("%wfnb advise sceptic:against", "%wfnb advise --list"),
        choices="advisers",
    ),
    row(
        "estimate",
        verbs.lazy_verb("estimate", "inquiry_verbs"),
        "PROBLEM … [--by ADVISER]",
        "How many steps a problem may take.",
        Option(
            flag="--by",
            field="by",
            takes="ADVISER",
            choices="advisers",
            says="an adviser that is asked instead",
        ),
        examples=("%wfnb estimate The importer loses readings in the night",),
        least=("the problem",),
    ),
)
