"""name -> a small session as front ends are told of it: what they get, in order, and what they know
at the end. The files beside this one are written from it by `write.py`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.core.story import Story, begun, done, following
from tests.investigations.views.inquiries import DEAD_ENDS, found, investigating, looking
from tests.views.graphs import HOSTILE
from tests.workflows.views.given import NOON, WRITTEN, checks, failed_deploy, looped, state, states
from tests.workflows.views.given import Story as RunStory
from wfnb.core.commands import (
    AbandonBranch,
    Command,
    ConfirmSteps,
    KeepValues,
    MergeBranch,
    ScoreBranch,
    SelectBranch,
    Undo,
)
from wfnb.core.events import BranchOpened, BranchScored, Cell, Outcome, StepAdded, ValuesKept
from wfnb.core.kept_values import KeptGroup, KeptValue, KeptValues
from wfnb.core.strategy import builtin_strategies
from wfnb.core.validation import StepPlace
from wfnb.panel import Live, LiveRun, card, comparison, rows_page, run_detail, snapshot
from wfnb.render.text import escape
from wfnb.views.run_entries import RunEntry


class Scene:
    """A session that is told as it goes: the first message is a snapshot."""

    def __init__(self) -> None:
        self.story = Story()
        self.line = "main"
        self.runs: list[LiveRun] = []
        self.live = Live(self.story.session)
        self.told: list[dict[str, Any]] = [self.live.snapshot()]
        self.details: dict[str, dict[str, Any]] = {}

    def do(self, *commands: Command) -> None:
        for command in commands:
            before = len(self.story.log)
            self.story.do(command)
            self.tell(before)

    def tell(self, before: int | None = None) -> None:
        entries = [] if before is None else self.story.log[before:]
        message = self.live.next_update(self.story.session, entries, self.line, self.runs)
        self.told += [message] if message is not None else []

    def opened(self, run: LiveRun, said: Sequence[tuple[str, str]] = ()) -> None:
        self.details[run.entry.name] = run_detail(run, said)

    def data(self, about: str) -> dict[str, Any]:
        """All that a test of a front end needs."""
        session = self.story.session
        return {
            "about": about,
            "told": self.told,
            "picture": snapshot(session, self.line, self.runs, seq=self.live.seq),
            "page": rows_page(session, 0, 3, {"outcome": "ok"}),
            "cards": [card(session, key) for key in session.steps],
            "comparison": comparison(session),
            "runs": self.details,
        }


def written(scene: Mapping[str, Any]) -> str:
    """The text of a file: every character of it can be seen."""
    return escape.json_text(json.dumps(scene, ensure_ascii=False, indent=1)) + "\n"


def empty() -> Mapping[str, Any]:
    return Scene().data("nothing was done yet")


def branches() -> Mapping[str, Any]:
    """Branches that are scored, selected, merged, abandoned; a revision and what it made stale."""
    scene = Scene()
    ridge = Cell(id="cell-4", source="%%branch ridge --from 2 Try ridge\nfit('ridge')", part=0)
    scene.do(
        done("Load the *readings*\n\nFrom **three** files:\n\n- a.csv\n- b.csv", total=6),
        done("Fit a line", cell=Cell(id="cell-2", source="%%step Fit a line\nfit()")),
        done("Plot the residuals", outcome=Outcome(status="failed", error="NameError: fit")),
        done("Try ridge", branch="ridge", leaves=2, cell=ridge, outcome=_ended(rmse=4.25)),
        done("Tune it", branch="ridge", outcome=_ended(rmse=3.5, r2=0.91)),
        done("Try a forest", branch="forest", leaves=2, outcome=_ended(rmse=3.75)),
        ScoreBranch(branch="forest", score=0.5),
        AbandonBranch(branch="forest", reason="slow, and no better"),
        KeepValues(step=4, values=_kept("readings", "pandas.DataFrame", "1,096 rows × 3 columns")),
        SelectBranch(branch="ridge", reason="the lowest error"),
        MergeBranch(branch="ridge", into="main"),
        done("Fit without the two broken days", revises=2),
        ConfirmSteps(places=(StepPlace(number=3),)),
        done("Fit a line", number=2, cell=Cell(id="cell-2", source="%%step Fit a line\nfit(2)")),
        done("Undone at once"),
        Undo(),
        begun("Compare with last year", cell=Cell(id="cell-9", source="%%step Compare\ncompare()")),
    )
    scene.line = "ridge"
    scene.tell()
    return scene.data("three lines, one merged and one abandoned, a revision, stale steps")


def strategy() -> Mapping[str, Any]:
    """Stages that were passed, and the ones that may follow."""
    scene = Scene()
    react = builtin_strategies()["react"]
    scene.do(following("react"))
    stage = react.start
    for place in range(7):
        asked = dict.fromkeys(react.stages[stage].fields, 1)
        scene.do(done(f"Stage {place + 1}", stage=stage, fields=asked))
        ways = react.stages[stage].next
        stage = ways[place % len(ways)]
    scene.do(following(None))
    scene.do(following("tree_of_thoughts"), done("The problem", stage="problem_reception"))
    return scene.data("a strategy, then none, then another")


def runs() -> Mapping[str, Any]:
    """A run that failed and was undone, one that asks, one that went well."""
    scene = Scene()
    scene.do(done("Deploy", cell=Cell(id="c", source="%%run_workflow deploy")), done("Check"))
    first, second = scene.story.session.steps
    asking = RunStory(
        states(
            "release",
            build=state("shell", "sure", params={"command": "make"}),
            sure=state("ask", "done", params={"question": "Release it?"}),
            done=state("notify"),
        )
    ).performs("build", 2.0, stdout="built")
    failed, passed = failed_deploy().run, looped().run
    scene.runs = [
        _run("deploy-1", "deploy", failed.status, failed, step=first, error=failed.error),
        _run("checks-1", "checks", passed.status, passed, step=second),
        _run("lost-1", "checks", "interrupted", None, step=second),
        _run("release-1", "release", "running", asking.run, step=second, here=True),
    ]
    scene.tell()
    asking.starts("sure").asks("sure", "Release it?", "yes", "no", default="no", timeout=30.0)
    scene.runs[-1] = _run("release-1", "release", "running", asking.run, step=second, here=True)
    scene.tell()
    for run in scene.runs:
        scene.opened(run, [("build", "\x1b[32mbuilt\x1b[0m in 2 s\n"), ("sure", "waits\n")])
    return scene.data("four runs: undone, successful, interrupted, asking")


def investigation() -> Mapping[str, Any]:
    """A debugging session with a branch that was given up and a step that was withdrawn."""
    scene = Scene()
    scene.do(
        investigating(),
        done(
            "One warning is missing",
            total=5,
            findings=found("3 days, the log book says 4", relevant="tides.py", files="tides.py"),
        ),
        looking(),
        done(
            "Are readings lost?",
            findings=found("335 rows", hypothesis="the parser loses some", issues=["low: a name"]),
        ),
        looking(),
        *DEAD_ENDS,
        done("Days are cut in UTC", findings=found("00:10 is the day before", confidence="high")),
        looking(),
    )
    return scene.data("an investigation, with its checklist half done")


def hostile() -> Mapping[str, Any]:
    """Texts that would break a page that takes them for more than text, everywhere."""
    scene = Scene()
    before = len(scene.story.log)
    for number, text in enumerate(HOSTILE, start=1):
        scene.story.record(
            [
                StepAdded(
                    branch="main",
                    number=number,
                    total=number,
                    description=f"{text[:300]}\n\n{text[:300]}",
                    next_step_needed=True,
                    fields={text[:80]: text[:80]},
                    warnings=(text[:80],),
                    cell=Cell(id=text[:60], source=text[:300]),
                    outcome=Outcome(
                        status="failed", error=text[:300], result=text[:300], values={text[:40]: 1}
                    ),
                )
            ]
        )
    for key in tuple(scene.story.session.steps):
        text = HOSTILE[key % len(HOSTILE)][:300]
        scene.story.record([ValuesKept(step=key, kept=_kept("x", text, text, lost=text))])
    branch, reason = "a<b>&'\"", HOSTILE[3]
    scene.story.record([BranchOpened(branch=branch, parent="main", leaves=1)])
    scene.story.record([BranchScored(branch=branch, score=1.0, reason=reason)])
    run = RunStory(checks() | {"description": WRITTEN[0]}, target="all")
    run.starts("build").asks("build", WRITTEN[3], *WRITTEN[:3], default=WRITTEN[0])
    entry = _run(WRITTEN[0], WRITTEN[3], "running", run.run, here=True)
    scene.runs = [entry]
    scene.opened(entry, [(text, text) for text in WRITTEN if len(text) < 300])
    scene.tell(before)
    return scene.data("texts that are not what they look like")


def _ended(**values: Any) -> Outcome:
    return Outcome(duration=0.25, result="Fit (3, 2)", values=values)


def _kept(name: str, type: str, says: str, lost: str = "it is an open file") -> KeptValues:
    """One name that was kept, and one that was not."""
    return KeptValues(
        values=(
            KeptValue(name=name, type=type, says=says, group=0),
            KeptValue(name="log", type="file", why_not=lost),
        ),
        groups=(KeptGroup(blobs=(f"{'a' * 32}-5",), signature="s"),),
    )


def _run(
    name: str, workflow: str, status: str, run: Any, *, here: bool = False, **more: Any
) -> LiveRun:
    entry = RunEntry(
        name=name, workflow=workflow, status=status, started=NOON, ended=NOON + 9, **more
    )
    return LiveRun(entry=entry, run=run, is_performed_here=here)


SCENES: Mapping[str, Callable[[], Mapping[str, Any]]] = {
    scene.__name__: scene for scene in (empty, branches, strategy, runs, investigation, hostile)
}
