"""Sessions that use what can be asked of one, and what is recorded of each, as text: every event or
refusal whole, and how the session stands after it. What stands in `recorded_sessions.txt` changes
on purpose only:

    python -m tests.core.recorded_sessions
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.recorded_text import as_json, said, written
from wfnb.core.commands import (
    AbandonBranch,
    ChangePlainNames,
    ChooseKeeping,
    ChooseRecording,
    ClearSession,
    Command,
    ConfirmSteps,
    DescribeStep,
    FinishStep,
    HideSteps,
    KeepValues,
    MergeBranch,
    NotebookCells,
    Redo,
    RenameSession,
    ScoreBranch,
    SelectBranch,
    ShowSteps,
    TagStep,
    TakeBack,
    Undo,
)
from wfnb.core.data_flow import ABSENT, PLAIN, Flow, Read
from wfnb.core.events import Cell, Outcome, name_of
from wfnb.core.kept_values import KeptGroup, KeptValue, KeptValues
from wfnb.core.newest_kept_values import sources
from wfnb.core.queries import deciding_step, open_lines, stage_choices
from wfnb.core.rerun_order import in_order, rerun
from wfnb.core.session import Session
from wfnb.core.solution import awaited_reason, unsolved_reason
from wfnb.core.strategy_ledgers import ledger
from wfnb.core.validation import StepPlace, place_text
from wfnb.hints import use_spelling
from wfnb.hints_as_magics import MagicSpelling

from .kernel_names import Names, attempts
from .story import Story, begun, done, following
from .story_record import StoryRecord
from .test_planned_calls import planned, worked
from .test_principle import NAMED
from .test_state_ledger import ROUNDS, kept
from .test_subquestions import OPEN, REST, tells
from .test_turn_ledger import BEGUN, turn

RECORDED = Path(__file__).with_name("recorded_sessions.txt")


class Recorder(StoryRecord):
    def __init__(self) -> None:
        super().__init__(lambda session: [_stands(session)])

    def text(self, held: Callable[[str], Read]) -> str:
        return "\n".join([*self.lines, "", *_session(self.session, held)])


def _places(session: Session, keys: Any) -> list[str]:
    return [place_text(session.steps[key].branch, session.steps[key].number) for key in keys]


def _stands(session: Session) -> str:
    step = deciding_step(session)
    facts = {
        "stale": _places(session, sorted(session.stale)),
        "open": [line.id for line in open_lines(session)],
        "next": {line.id: stage_choices(session, line) for line in session.lines.values()},
        "decides": None if step is None else place_text(step.branch, step.number),
        "unsolved": unsolved_reason(session),
        "awaited": awaited_reason(session),
    }
    if session.strategy is None:
        del facts["next"]
    return " ".join(f"{name}={as_json(fact)}" for name, fact in facts.items() if fact)


def _session(session: Session, held: Callable[[str], Read]) -> Iterator[str]:
    facts = session.staleness
    left_out = ("steps", "lines", "strategy", "staleness", "decisions", "states")
    yield f"session{said(session, *left_out)}"
    for line in session.lines.values():
        yield f"line{said(line)}"
        table = ledger(session, line)
        if table is not None:
            yield f"  {table.title}: {as_json(table.heads)} lacks {as_json(table.lacks)}"
            yield from (f"    {as_json(row)}" for row in table.rows)
    for step in session.steps.values():
        yield f"step{said(step, 'versions', 'kept', 'kept_flow', 'decisions')}"
        if step.flow is not None:
            yield f"  gives {as_json(facts.outputs.get(step.key, {}))}"
            plan = rerun(session, step, held)
            run = " ".join(_places(session, [each.key for each in plan.steps]))
            yield f"  is fresh after {run}{said(plan, 'steps')}"
        found = sources(session, step)
        if found:
            yield f"  kept by {as_json({each.step.number: each.names for each in found})}"
    ordered = [step.key for step in in_order(session, session.steps.values())]
    yield f"in order: {' '.join(_places(session, ordered))}"
    index = ("lines", "parts", "outputs", "outputs_of_inputs", "changes")
    yield f"known{said(facts, *index)}"


def place(number: int, branch: str | None = None) -> StepPlace:
    return StepPlace(number=number, branch=branch)


def lines() -> Recorder:
    told = Recorder()
    told.do(
        RenameSession(name=" a study "),
        done("load", tags=("data", "raw")),
        done("clean\nas it has holes"),
        done("ridge", branch="ridge", leaves=1),
        done("lasso", branch="lasso", leaves=1),
        done("deep", branch="deep", leaves="lasso:2"),
        done("again", branch="ridge", leaves=2),
        done("x", branch="lasos"),
        ScoreBranch(branch="ridge", score=0.4, reason="folds"),
        ScoreBranch(branch="ridge", score=0.4),
        ScoreBranch(branch="lasso", score="0.7"),
        SelectBranch(branch="lasso", reason="better"),
        SelectBranch(branch="lasso"),
        SelectBranch(branch="gone"),
        MergeBranch(branch="deep"),
        MergeBranch(branch="deep", into="deep"),
        MergeBranch(branch="main"),
        AbandonBranch(branch="main"),
        AbandonBranch(branch="ridge", reason="worse"),
        AbandonBranch(branch="ridge"),
        done("after all", branch="ridge"),
        MergeBranch(branch="lasso", into="main", reason=" "),
        MergeBranch(branch="lasso", into="main", reason="it is better"),
        done("on", revises=2),
        Undo(),
        Redo(),
        Redo(),
        TakeBack(positions=(3,), at=1),
    )
    return told


def editing() -> Recorder:
    told = Recorder()
    told.do(*(done(word) for word in "abc"), done("d", branch="b", leaves=2))
    told.do(
        HideSteps(places=(place(2), place(3, "b"))),
        HideSteps(places=(place(2),)),
        done("after what is hidden"),
        ShowSteps(places=(place(2),)),
        ShowSteps(),
        ShowSteps(),
        DescribeStep(place=place(1), title="A new title"),
        DescribeStep(place=place(1), reason="and why"),
        DescribeStep(place=place(1), title="two\nlines"),
        DescribeStep(place=place(1), title="A new title"),
        TagStep(place=place(1), add=("x", "y"), remove=("z",)),
        TagStep(place=place(1), add=("x",)),
        TagStep(place=place(1), remove=("x",)),
        TagStep(place=place(9), add=("x",)),
        TagStep(place=place(4), add=("x",)),
        done("b again", number=2),
        ConfirmSteps(places=(place(3),)),
        ConfirmSteps(),
        ConfirmSteps(),
        Undo(),
        ClearSession(),
        ClearSession(),
        Undo(),
        Undo(),
        Redo(),
    )
    return told


def numbers() -> Recorder:
    told = Recorder()
    told.do(
        done("one", total=2),
        done("two"),
        done("three", next_step_needed=True),
        done("five", number=5),
        done("four", number=4, total=3),
        done("nine", number=9, is_step_revision=True),
        done("nine", number=9, is_step_revision=False, revises=1),
        done("six", revises=6),
        done("six", revises=7),
        done("six", revises=40),
        done("six", revises=1, next_step_needed=False),
        done("seven", needs_more_steps=True, next_step_needed=False),
        done("eight", needs_more_steps=False),
        done("x", branch="b", leaves=3, number=3),
        done("x", branch="b", leaves=3, number=6),
        done("y", branch="b", leaves=4),
        done("y", branch="b", leaves=3, revises=2),
        done("y", branch="b", number=7, revises=4),
        done("z", leaves=1),
        done("z", branch="main", leaves=1),
        done("z", branch="c", leaves="b:6"),
        done("2", number=2, total=20),
        done("2 again", number=2, total=20, fields={"a": 1}),
        done("of them", number=12, numeral="12"),
        done("rounds", number=40, numeral="40"),
        done("of 3", number=40, numeral="40/41"),
    )
    return told


SOURCE = "%%step {}\n{}"


def cells() -> Recorder:
    told = Recorder()
    there = NotebookCells(steps={"c1": 1, "c2": 1, "c3": 2}, twice=frozenset({"c9"}))

    def run(words: str, code: str, id: str | None, part: int = 0, **says: Any) -> None:
        source = SOURCE.format(words, code)
        says = {"cells": there, "opened": told.session.position, **says}
        cell = Cell(id=id, source=source, part=part, notebook="a.ipynb")
        told.do(done(words, cell=cell, **says))

    run("Load", "load()", "c1", tags=("raw",))
    run("Fit", "fit(1)", "c2")
    run("Load", "load()", "c1")
    run("Load", "load(2)", "c1", tags=("data",))
    run("Load better", "load(2)", "c1")
    run("Both", "x", "c3", part=1)
    run("Fit", "fit(1)", "copy")
    run("Fit", "fit(1)", "new", cells=NotebookCells(steps={"c1": 1, "new": 1}))
    run("Same id", "y", "c9")
    run("Same id", "y", "c9")
    run("Other", "z", "c9")
    run("Load better", "load(2)", None, cells=None, opened=0, alike=1)
    run("Load better", "load(2)", None, cells=None)
    run("of the runs", "u", "c8", number=2, numeral="2")
    run("times", "u", "c8", number=8, numeral="8")
    run("Seen", "u", "c8", number=2)
    told.do(DescribeStep(place=place(1), title="By hand"))
    run("Load better", "load(2)", "c1")
    run("Load best", "load(3)", "c1")
    return told


PLACE = "vscode-notebook-cell:/a.ipynb#W{}sZ"


def cells_by_place() -> Recorder:
    told = Recorder()
    ran: set[int] = set()
    opened = 0

    def run(words: str, code: str, at: int) -> None:
        cell = Cell(id=PLACE.format(at), source=SOURCE.format(words, code))
        told.do(done(words, cell=cell, opened=opened, ran=frozenset(ran)))
        ran.add(told.session.cells[cell.id or "", 0])

    for at, words in enumerate(("Load", "Fit", "Plot")):
        run(words, words.lower(), at)
    run("Fit", "fit(2)", 1)
    run("Fit anew", "fit(3)", 1)
    run("Load", "load", 2)
    opened = told.session.position
    ran.clear()
    for at, words in enumerate(("New", "Load", "Plot", "Plot")):
        run(words, words.lower(), at)
    run("Plot", "plot(2)", 3)
    run("Fit anew", "fit(4)", 4)
    return told


def keeping() -> Recorder:
    told = Recorder()

    def values(*names: str, blob: str = "a-5", **says: Any) -> KeptValues:
        made = tuple(KeptValue(name=name, type="int", says="1", group=0) for name in names)
        return KeptValues(values=made, groups=(KeptGroup(blobs=(blob,), signature="s"),), **says)

    def end(kept_values: KeptValues | None, **says: Any) -> None:
        attempt = next(iter(told.session.running))
        told.do(FinishStep(attempt=attempt, outcome=Outcome(**says), values=kept_values))

    told.do(
        ChooseKeeping(keep=("df,model*", "df")),
        ChooseKeeping(secrets=("*pin*", "default")),
        ChooseKeeping(secrets=("a b",)),
        ChooseKeeping(budget=0),
        ChooseKeeping(budget=5, figures=False),
        ChooseKeeping(keep=("none",)),
        ChooseRecording(on=True, quiet=True),
        ChooseRecording(on=True, quiet=True),
        ChooseRecording(on=False),
        begun("load", keep=("df",), process="p"),
    )
    end(values("df", "x", there=("df", "x", "no name")))
    told.do(begun("load", number=1, process="q"))
    end(values("df", "x", there=("df",)))
    told.do(begun("load", number=1))
    lost = KeptValue(name="df", type="int", why_not="it holds a file")
    end(KeptValues(values=(lost,), notes=("full",)), status="failed")
    told.do(
        KeepValues(step=99, values=values("y")),
        KeepValues(step=told.session.lines["main"].keys[1], values=values("y", blob="b-7")),
        begun("use"),
        begun("use", number=2),
        FinishStep(attempt=1, outcome=Outcome()),
    )
    end(None, status="interrupted", result="r", values={"n": 1})
    told.do(begun("use more", number=2))
    end(values("y", blob="c-9"), values={"n": 2})
    return told


def flows(*moves: tuple[str, dict[str, Any]]) -> Names:
    names = Names(Story())
    for words, says in moves:
        if words == "plain":
            names.plain(**says)
        elif words == "do":
            names.story.do(says["it"])
        elif words == "gone":
            del names.held[says["name"]]
        elif words == "seen":
            attempts(names, says.get("number"), says["flow"], status=says.get("status", "ok"))
        else:
            names.run(words, **says)
    return names


FLOWS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "a revision, read and confirmed": [
        ("load", {"writes": "x"}),
        ("mean", {"reads": "x", "writes": "y"}),
        ("use", {"reads": "yk", "writes": "z"}),
        ("fix", {"reads": "x", "writes": "x", "revises": 1}),
        ("plain", {"name": "k", "version": "5"}),
        ("do", {"it": ConfirmSteps(places=(place(3),))}),
        ("fix more", {"reads": "x", "writes": "x", "revises": 1}),
        ("mean", {"reads": "x", "writes": "y", "number": 2}),
        ("do", {"it": ConfirmSteps()}),
        ("load", {"writes": "xw", "number": 1, "status": "failed"}),
        ("words", {}),
    ],
    "branches that revise what they inherit": [
        ("load", {"writes": "x"}),
        ("mean", {"reads": "x", "writes": "y"}),
        ("scale", {"reads": "y", "writes": "yw"}),
        ("fix", {"reads": "x", "writes": "x", "branch": "b", "leaves": place(3), "revises": 1}),
        ("use", {"reads": "yw", "writes": "z", "branch": "b"}),
        ("mean", {"reads": "x", "writes": "y", "branch": "b", "revises": 2}),
        ("more", {"reads": "z", "branch": "deep", "leaves": place(5, "b"), "revises": 5}),
        ("do", {"it": ConfirmSteps(places=(place(5, "b"),))}),
        ("load better", {"writes": "x", "number": 1}),
        ("scale", {"reads": "y", "writes": "yw", "number": 3}),
    ],
    "branches that were merged": [
        ("load", {"writes": "x"}),
        ("own", {"reads": "x", "writes": "xm", "branch": "b", "leaves": place(1)}),
        ("sub", {"reads": "m", "writes": "n", "branch": "s", "leaves": place(2, "b")}),
        ("load", {"writes": "x", "number": 1}),
        ("more", {"reads": "x", "writes": "y"}),
        ("do", {"it": MergeBranch(branch="s", into="b")}),
        ("do", {"it": MergeBranch(branch="b")}),
        ("use", {"reads": "ymn", "writes": "u"}),
        ("later", {"reads": "xm", "writes": "v", "branch": "c", "leaves": place(2)}),
        ("fix", {"reads": "m", "writes": "m", "branch": "b", "revises": 2}),
        ("do", {"it": ConfirmSteps(places=(place(3),))}),
        ("sub better", {"reads": "m", "writes": "n", "branch": "s", "number": 3}),
        ("load", {"writes": "x", "number": 1}),
        ("do", {"it": AbandonBranch(branch="s")}),
    ],
    "names that share an object": [
        ("list", {"writes": "a"}),
        ("same", {"reads": "a", "writes": "b", "shares": True}),
        ("append", {"reads": "a", "writes": "a"}),
        ("both", {"reads": "a", "writes": "ab", "shares": True}),
        ("use", {"reads": "b", "writes": "u"}),
        ("another", {"writes": "b", "number": 2}),
        ("use", {"reads": "b", "writes": "u", "number": 5}),
        ("gone", {"name": "a"}),
        ("append", {"reads": "a", "writes": "a", "number": 3, "status": "failed"}),
    ],
    "what functions may do": [
        ("setup", {"writes": "zx"}),
        ("define", {"writes": "f", "runs": "xg"}),
        ("inner", {"writes": "g", "runs": "z"}),
        ("call", {"reads": "f", "writes": "x"}),
        ("show", {"reads": "z", "writes": "y"}),
        ("read a file", {"reads": "y", "writes": "w"}),
        ("eval", {"perhaps": "xk", "writes": "v", "possible": "z"}),
        ("plain", {"name": "k", "version": "1"}),
        ("eval", {"perhaps": "xk", "writes": "v", "number": 7}),
        ("define otherwise", {"writes": "f", "runs": "z", "revises": 2}),
        ("setup", {"writes": "zx", "number": 1}),
        ("read a file", {"reads": "y", "writes": "w", "number": 6}),
        ("gone", {"name": "f"}),
        ("call", {"reads": "fq", "number": 4, "status": "failed"}),
        ("plain", {"name": "q", "version": ABSENT}),
    ],
}

CODE, FIVE, ONE = ("code", PLAIN), ("5", PLAIN), ("#1", 6)
FLOWS |= {
    "steps that are hidden": [
        ("load", {"writes": "x"}),
        ("mean", {"reads": "x", "writes": "y"}),
        ("use", {"reads": "xy", "writes": "z"}),
        ("words", {}),
        ("load better", {"writes": "x", "number": 1}),
        ("do", {"it": HideSteps(places=(place(2),))}),
        ("do", {"it": ShowSteps()}),
        ("do", {"it": HideSteps(places=(place(1),))}),
        ("use", {"reads": "xy", "writes": "z", "number": 3}),
        ("do", {"it": ShowSteps(places=(place(1),))}),
        ("do", {"it": HideSteps(places=(place(3),))}),
    ],
    "lines within lines": [
        ("load", {"writes": "x"}),
        ("mean", {"reads": "x", "writes": "y"}),
        ("fix", {"reads": "x", "writes": "x", "branch": "b", "leaves": place(2), "revises": 1}),
        ("own", {"reads": "y", "writes": "yo", "branch": "b"}),
        ("sub", {"reads": "o", "writes": "p", "branch": "c", "leaves": place(3, "b")}),
        ("deep", {"reads": "op", "writes": "q", "branch": "d", "leaves": place(4, "c")}),
        ("more", {"reads": "x", "writes": "r"}),
        ("do", {"it": MergeBranch(branch="d", into="b")}),
        ("do", {"it": MergeBranch(branch="c", into="main")}),
        ("sum", {"reads": "pqr", "writes": "s"}),
        ("sum", {"reads": "pq", "writes": "t", "branch": "b"}),
        ("late", {"reads": "p", "writes": "u", "branch": "e", "leaves": place(4)}),
        ("early", {"reads": "y", "writes": "v", "branch": "f", "leaves": place(2), "revises": 2}),
        ("do", {"it": MergeBranch(branch="f", into="e")}),
        ("sub", {"reads": "o", "writes": "p", "branch": "c", "revises": 4}),
        ("fix it", {"reads": "x", "writes": "x", "branch": "e", "revises": 1}),
        ("load better", {"writes": "x", "number": 1}),
        ("do", {"it": ConfirmSteps(places=(place(4), place(5, "e")))}),
        ("mean", {"reads": "x", "writes": "y", "number": 2}),
        ("do", {"it": AbandonBranch(branch="c")}),
    ],
    "parts, libraries and data": [
        ("seen", {"flow": Flow(code="i", writes={"np": "=np", "m: a": "1"}, imports=("np",))}),
        ("seen", {"flow": Flow(code="r", reads={"np": ("=np", 2)}, absent=("m: b", "len", "f"))}),
        ("seen", {"flow": Flow(code="w", reads={"m": ("", 0)}, absent=("m",), writes={"w": "2"})}),
        ("seen", {"flow": Flow(code="s", reads={"m: a": ("1", 2)}, writes={"m: b": "3"})}),
        ("plain", {"name": "f", "version": "code"}),
        ("plain", {"name": "m: c", "version": "4"}),
        ("seen", {"number": 1, "flow": Flow(code="i2", writes={"np": "=np2", "m: a": "9"})}),
        (
            "seen",
            {"number": 2, "flow": Flow(code="r", reads={"np": ("=np2", 2), "f": ("code", 0)})},
        ),
        (
            "seen",
            {"flow": Flow(code="d", perhaps={"w": ("2", 4), "k": ("5", 0)}, writes={"d": "#1"})},
        ),
        (
            "seen",
            {"flow": Flow(code="e", reads={"d": ("#1", 6)}, absent=("f",)), "status": "failed"},
        ),
        ("plain", {"name": "f", "version": "#3"}),
        ("seen", {"number": 5, "flow": Flow(code="d", writes={"d": ""}), "status": "interrupted"}),
    ],
}


def flows_of(story: str) -> Recorder:
    """What is recorded of steps whose names are known by version."""
    names, told = flows(*FLOWS[story]), Recorder()
    for entry in names.story.log[1:]:
        event = entry.event
        told.lines.append(f"{entry.position} {name_of(type(event))}{said(event, 'outcome')}")
    told.story = names.story
    told.lines.append(f"  {_stands(told.session)}")
    told.do(
        ChangePlainNames(versions={"k": "6", "nobody": "7"}),
        ChangePlainNames(versions={"k": "6"}),
        Undo(),
    )
    return told


def following_a_strategy(*commands: Command) -> Callable[[], Recorder]:
    def tell() -> Recorder:
        told = Recorder()
        told.do(*commands)
        return told

    return tell


CANNOT = Outcome(status="failed")
WALKS: dict[str, tuple[Command, ...]] = {
    "evidence": (
        *planned(),
        worked(E1="a b", other=1),
        done("uses #E1 and #E9", outcome=Outcome(values={"mean": 2})),
        done("work", outcome=CANNOT),
        done("sum", fields={"x": "{mean}"}),
        done("last", next_step_needed=False),
    ),
    "no plan": (*planned("none")[:3], *planned([{"tool": "x"}, {"id": "E1", "tool": 3}])[3:]),
    "rounds": (*ROUNDS, kept("wrong", 3), kept("lost"), done("say", stage="solution_formulation")),
    "questions": (*OPEN, tells("late", 2), tells("?", 9), *REST, done("x", needs_more_steps=False)),
    "principle": (*NAMED, done("method"), done("the cart", outcome=CANNOT), done("solve")),
    "turns": (*BEGUN, *turn(1, "3"), *turn(2, "4", outcome=CANNOT), *turn(3)),
    "votes": (
        following("self_consistency"),
        done("task"),
        done("paths"),
        done("p", branch="p", leaves=2, fields={"reasoning_path_id": "p"}),
        done("q", branch="q", leaves=2, fields={"reasoning_path_id": "q"}),
        done("q2", branch="q", outcome=Outcome(values={"n": 41, "none": None})),
        done("r", branch="r", leaves=2, fields={"reasoning_path_id": "r"}),
        done("collect", stage="answer_collection", fields={"path_answers": "x"}),
        done("collect", stage="answer_collection", fields={"path_answers": {"p": "Yes", "q": 42}}),
        done("count", fields={"path_answers": [" 42", 42.0, None]}),
        done("choose"),
        done("end"),
    ),
    "beam": (
        following("tree_of_thoughts"),
        done("task"),
        done("ways", fields={"approaches": ["a", "b", "c"]}),
        done("begin"),
        *(
            done(name, branch=name, leaves=3, fields={"approach_id": name})
            for name in ("a", "b", "c")
        ),
        *(
            done(
                "score",
                branch=name,
                stage="branch_evaluation",
                fields={"approach_id": of, "evaluation_score": score},
            )
            for name, of, score in (("a", "a", 0.5), ("b", "b", "0.5"), ("c", "other", 0.1))
        ),
        done("choose", stage="branch_selection", fields={"beam": 2, "depth": 1}),
        done("choose", number=4, stage="branch_selection", fields={"beam": 1}),
        done("choose", number=4, stage="branch selection", fields={"approach_id": "c"}),
        done("score", branch="b", number=5, fields={"approach_id": "b", "evaluation_score": "x"}),
        done("score", branch="b", number=5, outcome=CANNOT),
        done("settle"),
        done("write", stage="nowhere"),
        done("write", stage="problem_reception"),
        done("write", branch="a"),
        AbandonBranch(branch="a"),
        following(None),
        following("react"),
        done("what"),
    ),
}

STORIES: Mapping[str, Callable[[], Recorder]] = {
    **{
        made.__name__.replace("_", " "): made
        for made in (lines, editing, numbers, cells, cells_by_place, keeping)
    },
    **{story: (lambda story=story: flows_of(story)) for story in FLOWS},  # type: ignore[misc]
    **{story: following_a_strategy(*commands) for story, commands in WALKS.items()},
}


def told_of(story: str) -> str:
    held = {"x": ("now", PLAIN), "k": ("6", PLAIN)}
    return STORIES[story]().text(lambda name: held.get(name, (ABSENT, PLAIN)))


if __name__ == "__main__":
    use_spelling(MagicSpelling())
    RECORDED.write_text(written(STORIES, told_of), "utf-8")
