"""the verbs of `%wfnb`, as one table: parsing, help, completion and the documentation are made
from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wfnb.core.record import record
from wfnb.errors import BadOption, nearest
from wfnb.views.said import Said

from . import verbs
from .grammar import Choices, Grammar, Option, Words
from .notebook import Notebook
from .options import BRANCH, RUN, STEP
from .verbs import Run

_JSON = Option(flag="--json", field="json", says="show it as JSON, with times")
_REASON = Option(flag="--reason", field="reason", takes="TEXT", says="why, kept in the history")


@record
class Verb:
    grammar: Grammar
    run: Run


def verb(name: str) -> Verb:
    """The verb of that name. BadOption lists the verbs."""
    if name in VERBS:
        return VERBS[name]
    way = f"{nearest(name, tuple(VERBS))}Verbs: {', '.join(VERBS)}."
    raise BadOption("%wfnb", f"there is no verb {name!r}", way)


def show_help(notebook: Notebook, words: Words) -> Said:
    name = words.words[0] if words.words else ""
    magics = {"step": STEP, "branch": BRANCH, "run_workflow": RUN}
    grammar = magics.get(name) or (verb(name).grammar if name else None)
    return Said(grammar.help() if grammar else overview(), None, block=True)


def overview() -> str:
    """All verbs, a line each."""
    return "\n".join(_overview())


def _overview() -> Iterator[str]:
    yield "%%step [N[/TOTAL]] [TITLE …]    record this cell as a step         (%%step? says more)"
    yield "%%branch ID [--from N] [TITLE …]    record it on an alternative line"
    yield "%%run_workflow [NAME | FILE]    run a workflow (%%run_workflow? says more)"
    yield "%wfnb VERB …    (%wfnb help VERB says more)"
    width = max(len(verb) for verb in VERBS)
    for name, verb in VERBS.items():
        yield f"  {name:<{width}}  {verb.grammar.says}"


def _verb(
    name: str,
    run: Run,
    written: str,
    says: str,
    *options: Option,
    examples: tuple[str, ...] = (),
    choices: Choices = "",
    least: tuple[str, ...] = (),
    most: int | None = None,
) -> tuple[str, Verb]:
    usage = f"%wfnb {name} {written}".rstrip()
    grammar = Grammar(
        name=f"%wfnb {name}",
        usage=usage,
        says=says,
        options=options,
        examples=examples or (usage.partition(" [")[0],),
        choices=choices,
        least=least,
        most=most,
    )
    return name, Verb(grammar=grammar, run=run)


_INTO = Option(
    flag="--into", field="into", takes="ID", choices="branches", says="the line it joins"
)
_FORMS = tuple(
    Option(flag=f"--{form}", field="form", value=form, says=f"show its {name} only")
    for form, name in (("dot", "DOT"), ("mermaid", "Mermaid"), ("svg", "SVG"), ("text", "text"))
)

_OF_A_KIND = (
    Option(
        flag="--no-pause",
        field="pause",
        value=False,
        says="nothing has to be looked at between two steps of it",
    ),
    Option(
        flag="--reviewer",
        field="reviewer",
        takes="A",
        choices="advisers",
        says="an adviser that is asked at its end",
    ),
    Option(
        flag="--planner",
        field="planner",
        takes="A",
        choices="advisers",
        says="an adviser that is asked how many steps it takes",
    ),
)

VERBS: Mapping[str, Verb] = dict(
    (
        _verb(
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
            *_OF_A_KIND,
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
        _verb(
            "resume",
            verbs.resume,
            "NAME",
            "Go on with a session, in this or a new kernel.",
            choices="sessions",
            least=("a name",),
            most=1,
        ),
        _verb(
            "list",
            verbs.sessions,
            "[--all]",
            "The sessions kept here.",
            Option(flag="--all", field="all", says="archived ones too"),
            _JSON,
            most=0,
        ),
        _verb(
            "panel",
            verbs.later("panel", "panel.show"),
            "[--static]",
            "The session in this cell as it goes on: timeline, stages, branches, runs.",
            Option(flag="--static", field="static", says="the picture alone, without a widget"),
            examples=("%wfnb panel", "%wfnb panel --static"),
            most=0,
        ),
        _verb("status", verbs.status, "[--json]", "Where the session stands.", _JSON, most=0),
        _verb(
            "show",
            verbs.show_step,
            "N | RUN",
            "All about a step (its words, code, values, and what they were before), or a run.",
            examples=("%wfnb show 3", "%wfnb show alt:3", "%wfnb show deploy-1"),
            choices="steps",
            least=("the number of a step",),
            most=1,
        ),
        _verb(
            "switch",
            verbs.switch,
            "[ID]",
            "Choose the line of steps that name no branch (main without ID), in this kernel.",
            choices="branches",
            most=1,
        ),
        _verb(
            "strategy",
            verbs.strategy,
            "[NAME | none]",
            "Follow a strategy from here on; without NAME, say which one.",
            Option(flag="--list", field="list", says="all strategies there are"),
            choices="strategies",
            most=1,
        ),
        _verb(
            "stages",
            verbs.stages,
            "[STRATEGY]",
            "The stage graph, with the way taken.",
            *_FORMS,
            choices="strategies",
            most=1,
        ),
        _verb(
            "kind",
            verbs.later("kind", "inquiry_verbs"),
            "[NAME | none]",
            "Investigate from here on; without NAME, where the investigation stands.",
            Option(flag="--list", field="list", says="all kinds there are"),
            *_OF_A_KIND,
            examples=("%wfnb kind debug", "%wfnb kind refactor --no-pause", "%wfnb kind none"),
            choices="kinds",
            most=1,
        ),
        _verb(
            "look",
            verbs.later("look", "inquiry_verbs"),
            "[changes | last | outline FILE … | calls NAME | undocumented [FOLDER] | FILE [LINES]]",
            "Look at the repository or its code; an investigation counts it.",
            examples=("%wfnb look", "%wfnb look changes", "%wfnb look parse.py 10-40"),
            choices="looks",
        ),
        _verb(
            "findings",
            verbs.later("findings", "inquiry_verbs"),
            "[--json]",
            "What the investigation found: confidence, findings, issues, what is to be looked at.",
            _JSON,
            most=0,
        ),
        _verb(
            "backtrack",
            verbs.later("backtrack", "inquiry_verbs"),
            "N [--reason TEXT]",
            "Step N and what came after it no longer count for the investigation.",
            _REASON,
            examples=('%wfnb backtrack 2 --reason "the log was of another day"',),
            choices="steps",
            least=("the number of a step",),
            most=1,
        ),
        _verb(
            "extend",
            verbs.later("extend", "inquiry_verbs"),
            "N --reason TEXT",
            "Ask for N more steps than the investigation planned.",
            _REASON,
            examples=('%wfnb extend 2 --reason "there are two parsers"',),
            least=("how many steps",),
            most=1,
        ),
        _verb(
            "advise",
            verbs.later("advise", "inquiry_verbs"),
            "[NAME[:STANCE] …]",
            "Ask advisers where the investigation stands; without NAME, those still to reply.",
            Option(flag="--list", field="list", says="all advisers there are"),
            examples=("%wfnb advise sceptic:against", "%wfnb advise --list"),
            choices="advisers",
        ),
        _verb(
            "estimate",
            verbs.later("estimate", "inquiry_verbs"),
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
        _verb(
            "graph",
            verbs.graph,
            "[RUN | WORKFLOW]",
            "The history as a diagram; or a run with the path it took; or a workflow.",
            *_FORMS,
            choices="runs",
            most=1,
        ),
        _verb(
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
            _JSON,
            examples=("%wfnb compare main robust --lowest rmse",),
            choices="branches",
        ),
        _verb(
            "score",
            verbs.score,
            "ID SCORE [--reason TEXT]",
            "Say how good a branch is; higher is better.",
            _REASON,
            examples=('%wfnb score robust 0.8 --reason "half the error"',),
            choices="branches",
            least=("a branch", "a score"),
            most=2,
        ),
        _verb(
            "select",
            verbs.select,
            "ID [--reason TEXT]",
            "Choose a branch over those that left the same step.",
            _REASON,
            choices="branches",
            least=("a branch",),
            most=1,
        ),
        _verb(
            "merge",
            verbs.merge,
            "ID [--into ID] [--reason TEXT]",
            "Take a branch's work into a line (by default the one it left).",
            _INTO,
            _REASON,
            choices="branches",
            least=("a branch",),
            most=1,
        ),
        _verb(
            "abandon",
            verbs.abandon,
            "ID [--reason TEXT]",
            "Give a branch up; it stays in the history.",
            _REASON,
            choices="branches",
            least=("a branch",),
            most=1,
        ),
        _verb(
            "revise",
            verbs.revise,
            "N TITLE … [options of %%step]",
            "Record a correction of step N, as `%step --revises N` does.",
            *(option for option in STEP.options if option.flag != "--revises"),
            examples=("%wfnb revise 2 Both broken days have to go",),
            least=("the number of a step", "a title"),
            choices="steps",
        ),
        _verb(
            "confirm",
            verbs.confirm,
            "[N …]",
            "Stale steps hold as they are (all of them, without N).",
            examples=("%wfnb confirm 3 alt:3",),
            choices="steps",
        ),
        _verb("undo", verbs.undo, "", "Take the last change back.", most=0),
        _verb("redo", verbs.redo, "", "Bring back what was undone last.", most=0),
        _verb(
            "log",
            verbs.log,
            "[--last N] [--times]",
            "What was recorded, in order.",
            Option(flag="--last", field="last", takes="N", says="the last N entries (30)"),
            Option(flag="--times", field="times", says="with the time of each"),
            _JSON,
            most=0,
        ),
        _verb(
            "call",
            verbs.later("call"),
            "TOOL [KEY=VALUE …]",
            "Call one tool now, and show what it gave; a step takes it as --set KEY=@last.",
            examples=('%wfnb call shell command="git status --short"',),
            choices="tools",
            least=("a tool",),
        ),
        _verb("runs", verbs.later("runs"), "[--json]", "The runs of this session.", _JSON, most=0),
        _verb(
            "wait",
            verbs.later("wait"),
            "[RUN]",
            "Wait for a run in the background, and show what it came to.",
            choices="runs",
            most=1,
        ),
        _verb(
            "cancel",
            verbs.later("cancel"),
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
            _REASON,
            choices="runs",
            most=1,
        ),
        _verb(
            "answer",
            verbs.later("answer"),
            "TEXT [--to STATE] [--run RUN]",
            "Answer the question that a run asks.",
            Option(
                flag="--to", field="to", takes="STATE", choices="actions", says="the one that asks"
            ),
            Option(
                flag="--run", field="run", takes="RUN", choices="runs", says="the run that asks"
            ),
            examples=("%wfnb answer yes", "%wfnb answer 2 --to confirm"),
            least=("an answer",),
        ),
        _verb(
            "timeline",
            verbs.later("timeline"),
            "RUN",
            "When each call of a run began and ended.",
            choices="runs",
            least=("a run",),
            most=1,
        ),
        _verb(
            "diff",
            verbs.later("difference"),
            "RUN RUN",
            "How two runs of a workflow differ.",
            _JSON,
            choices="runs",
            least=("a run", "another run"),
            most=2,
        ),
        _verb(
            "workflows",
            verbs.later("workflows"),
            "[list | show NAME | versions NAME | delete NAME | rename NAME NEW | import FILE "
            "| export NAME FILE]",
            "The saved workflows.",
            Option(flag="--overwrite", field="overwrite", says="import over another of its name"),
            _JSON,
            examples=("%wfnb workflows", "%wfnb workflows export deploy deploy.yaml"),
            choices="workflows",
            most=3,
        ),
        _verb(
            "tools",
            verbs.later("tools"),
            "[NAME]",
            "What a workflow may call; with NAME, its parameters.",
            choices="tools",
            most=1,
        ),
        _verb(
            "export",
            verbs.export,
            "FILE [--force]",
            "Write the session to a file: .md .html .json .svg .dot .mmd .txt",
            Option(flag="--force", field="force", says="also over a file that is not of wfnb"),
            examples=("%wfnb export report.html",),
            least=("a file",),
            most=1,
        ),
        _verb("clear", verbs.clear, "", "Put all steps and branches away.", most=0),
        _verb("help", show_help, "[VERB]", "This list, or all about one verb.", most=1),
    )
)
