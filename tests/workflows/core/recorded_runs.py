"""Runs that use all that a definition can say, and what is recorded of each, as text: the events
whole, then the run that they make. The journal of a run is read by every later version, so what
stands in `recorded_runs.txt` changes on purpose only:

    python -m tests.workflows.core.recorded_runs
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.recorded_text import as_json, said, written
from wfnb.core.events import name_of
from wfnb.errors import Refused
from wfnb.hints import use_spelling
from wfnb.hints_as_magics import MagicSpelling
from wfnb.workflows.core.commands import (
    AnswerQuestion,
    AskQuestion,
    EndRun,
    FinishCall,
    ParkRun,
    ResumeRun,
    RunCommand,
    StartCall,
    StopRun,
)
from wfnb.workflows.core.events import QuestionAsked
from wfnb.workflows.core.resume_queries import (
    begun_at,
    ended_items,
    outdated_actions,
    standing,
    standing_after,
    still_to_call,
    unseen_calls,
    with_kept_items,
)
from wfnb.workflows.core.rollback_state import (
    not_undone_text,
    perhaps_done,
    rolled_back,
    undone_below,
)
from wfnb.workflows.core.run import Run
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.definition.truncation import Cut

from .story import Told, act, fails, late, ok, played, states, steps, turns

RECORDED = Path(__file__).with_name("recorded_runs.txt")
UNDO = {"compensation": {"tool": "undo", "args": {"of": "{n}"}}}
SOME = {"success": True, "n": 3, "stdout": "id=7 size=9"}


def resumed(told: Told, definition: Mapping[str, Any] | None = None, **how: Any) -> Told:
    mended = None if definition is None else parse(definition)
    told.do(ResumeRun(process="another", workflow=mended, **how))
    return told


def begun(told: Told, *ended: str, **says: Any) -> Told:
    """What may begin has begun; then these calls end, and again what may begin does."""
    act(told)
    for name in ended:
        open_call = next(call for call in told.run.open.values() if call.action == name)
        told.do(FinishCall(call=open_call.id, result=says.get(name, ok), duration=1.5))
        act(told)
    return told


def in_sequence() -> Told:
    definition = steps(
        {"id": "a", "args": {"v": "{v}", "s": "{key}"}, "capture": r"id=(?P<id>\d+)"},
        {"id": "b", "args": {"id": "{id}", "n": "{a.n}"}, "description": "uses what a gave"},
        {"id": "c", "when": "a.n > 5"},
        {"id": "d", "when": "a.n > 1", "on_failure": "continue"},
        "e",
        outputs={"n": "a.n", "both": {"value": "[a.n, id]"}},
    )
    told = Told(
        definition,
        variables={"v": [1, {"x": "y"}], "key": "hunter2"},
        secrets=("key",),
        process="p",
        origin=("session", "cell"),
    )
    return played(None, told, a=SOME, d=fails)


def side_by_side() -> Told:
    definition = steps(
        "a",
        {"id": "b", **UNDO},
        {"id": "c", "needs": ["a", "b"]},
        {"id": "mend", "needs": [{"id": "c", "only_if": "failed"}]},
        {"id": "report", "needs": [{"id": "c", "even_if": "failed"}]},
        mode="parallel",
        max_parallel=2,
    )
    told = begun(Told(definition), "b", "a", b=SOME)
    return played(None, told, c=fails)


def tried_again() -> Told:
    retry = {"attempts": 3, "wait": 2, "backoff": "exponential", "unless": "error == 'stop'"}
    definition = states(
        "a",
        a={"retry": retry, "success": "b", "failure": "z"},
        b={
            "retry": {"attempts": 1, "when": {"timeout_occurred": True}},
            "timeout": 4,
            "on_timeout": "c",
        },
        c={"retry": {"attempts": 2, "unless": "unknown.x > 1"}, "failure": "a"},
        z={},
    )
    told = Told(definition, max_states=5)
    return played(None, told, a=[fails, late, ok], b=late, c=fails | {"error": "busy"})


def handled() -> Told:
    on_error = [
        {"when": "error == 'key'", "tool": "other", "args": {"why": "{result.error}"}},
        {"when": {"timeout_occurred": True}, "result": {"rows": [], "why": "{a.error}"}},
    ]
    definition = steps(
        {"id": "a", "on_error": on_error, "retry": 1, **UNDO},
        {"id": "b", "on_error": [{"result": {"n": "{missing}"}}], "on_failure": "continue"},
        {"id": "c", "on_error": [{"when": "nothing.x > 1", "tool": "other"}]},
    )
    key = fails | {"error": "key"}
    return played(definition, a=[key, key, SOME], b=late, c=fails)


def stood_in() -> Told:
    on_error = [{"when": {"timeout_occurred": True}, "result": {"rows": [], "why": "{a.error}"}}]
    return played(steps({"id": "a", "on_error": on_error}, "b"), a=late)


def undone() -> Told:
    nested = {"id": "n", "tool": "run_workflow", "args": {"workflow_name": "w"}}
    failing = {
        "id": "d",
        "compensation": {"tool": "undo", "retry": 1},
        "compensate_on_failure": True,
    }
    definition = steps({"id": "a", **UNDO}, nested, {"id": "b", **UNDO}, failing, "e")
    told = begun(Told(definition), "a", a=SOME)
    call = next(iter(told.run.open))
    told.do(FinishCall(call=call, result=ok, nested="child"))
    return played(None, told, b=SOME, d=fails, undo_b=fails | {"error": "locked"})


def undone_later() -> Told:
    told = undone()
    played(None, resumed(told, rollback=True, retry=True, reason="by hand"), undo_b=ok)
    return played(None, resumed(told, lost={"n": "again"}), d=ok)


def for_each_item() -> Told:
    each = {"items": "rows", "max_parallel": 2, "tolerate": 1}
    definition = steps(
        {
            "id": "a",
            "for_each": each,
            "args": {"v": "{item.x}", "at": "{index}"},
            "capture": r"id=(?P<id>\d+)",
            **UNDO,
        },
        {"id": "b", "args": {"all": "{a.results}", "ids": "{id}"}},
    )
    told = Told(definition, variables={"rows": [{"x": n} for n in range(4)], "n": 0})
    return played(None, told, **{"a[0]": SOME, "a[1]": fails, "b": fails})


def too_many_items() -> Told:
    each = {"items": ["x", "y", "z"], "max_parallel": 3}
    definition = steps({"id": "a", "for_each": each, "args": {"v": "{item}"}}, "b")
    told = played(definition, **{"a[0]": ok, "a[1]": late, "a[2]": late})
    mended = steps({"id": "a", "for_each": ["z", "x", "w"], "args": {"v": "{item}"}}, "b")
    return played(None, resumed(told, mended))


def until_it_holds() -> Told:
    repeat = {"until": "result.n > 2", "at_most": 3, "wait": 5}
    definition = steps(
        {"id": "a", "repeat": repeat, "retry": 1, **UNDO},
        {"id": "b", "repeat": {"until": "result.n > 9", "at_most": 2}},
    )
    return played(definition, a=[ok | {"n": 1}, fails, SOME], b=SOME)


def through_states() -> Told:
    definition = states(
        "a",
        a={"capture": r"size=(?P<size>\d+)", "size == 9": "b", "success": "z", **UNDO},
        b={"when": "a.n > 5", "success": "c"},
        c={"timeout": 9, "on_timeout": "d", "retry": 1},
        d={r"go=(?P<go>\w+)": "e", "failure": "a"},
        e={"params": {"go": "{go}", "size": "{size}"}},
        z={},
    )
    return played(None, Told(definition, max_states=9), a=SOME, c=late, d=ok | {"stdout": "go=on"})


def in_a_circle() -> Told:
    definition = states(
        "a",
        a={"n > 1": "b", "success": "a", **UNDO},
        b={"success": "a"},
    )
    return played(None, Told(definition, max_states=4), a=[ok | {"n": 0}, SOME])


def group(*written: str | dict[str, Any], **more: Any) -> dict[str, Any]:
    made = [
        {"tool": "noop", **({"id": each} if isinstance(each, str) else each)} for each in written
    ]
    return {"steps": made, "mode": "parallel", **more}


def way(condition: Any, to: str) -> dict[str, Any]:
    return {"condition": condition, "next_state": to}


def in_groups() -> Told:
    first = {"action": {"tool": "noop"}, "transitions": [way({"success": True}, "both")]}
    both = group(
        {"id": "x", **UNDO},
        {"id": "y", "needs": ["x"], "args": {"n": "{x.n}"}},
        {"id": "w", "on_failure": "continue"},
        transitions=[way("failed == 0", "last"), way({"success": False}, "mend")],
    )
    mend = {"action": {"tool": "noop"}, "transitions": [way({"success": True}, "both")]}
    written = {"first": first, "both": both, "mend": mend, "last": group("p", "q")}
    definition = {"name": "told", "initial_state": "first", "states": written}
    return played(None, Told(definition, max_states=9), x=SOME, y=[fails, ok], w=ok, q=fails)


def in_groups_again() -> Told:
    lost = {"w": "again", "mend": "again", "y": "again", "p": "done"}
    return played(None, resumed(in_groups(), lost=lost), x=SOME)


def last_of_all() -> Told:
    definition = steps(
        {"id": "a", **UNDO},
        "b",
        {"id": "close", "always": True, "args": {"ok": "{steps.b.success}"}},
        {"id": "say", "always": True, "when": "not b.success", "retry": 1},
    )
    return played(definition, a=SOME, b=fails, say=[late, ok])


def stopped() -> Told:
    definition = steps({"id": "a", **UNDO}, "b", {"id": "close", "always": True})
    definition |= {"rollback_on_cancel": True}
    told = begun(Told(definition), "a", a=SOME)
    told.do(StopRun(reason="by hand"))
    act(told)
    told.do(StopRun(why="failed", reason="its kernel has gone"))
    return played(None, told)


def stopped_for_good() -> Told:
    definition = steps({"id": "a", **UNDO}, "b", {"id": "close", "always": True})
    told = begun(Told(definition), "a", a=SOME)
    told.do(StopRun(why="failed", reason="the kernel has gone", rollback=False, skip_always=True))
    return played(None, told)


def asked() -> Told:
    told = begun(Told(steps({"id": "a", "tool": "ask"}, "b")))
    question = QuestionAsked(
        call=2, question="Go on?", choices=("yes", "no"), default="no", timeout=9.0
    )
    told.do(AskQuestion(event=question))
    told.do(ParkRun(calls=(2,), questions=(2,), until=50.0, notebook=True, save=False))
    told.do(AnswerQuestion(answer="yes", call=2))
    return played(None, resumed(told))


def asked_and_mended() -> Told:
    told = begun(Told(steps({"id": "a", "tool": "ask"}, "b")))
    told.do(AskQuestion(event=QuestionAsked(call=2, question="Go on?")))
    told.do(ParkRun(calls=(2,), questions=(2,)))
    resumed(told, steps({"id": "a", "tool": "ask"}, "b", "c"), lost="again")
    return played(None, told)


LOST = steps(
    {"id": "a", **UNDO},
    {"id": "b", "compensation": {"tool": "undo"}, "compensate_on_failure": True},
    {"id": "c", "for_each": ["x", "y"], "args": {"v": "{item}"}},
    mode="parallel",
)


def lost() -> Told:
    return begun(Told(LOST, variables={"n": 0}), "a", "c[0]", a=SOME)


def called_again() -> Told:
    return played(None, resumed(lost(), lost="again"), b=fails)


def taken_as_done() -> Told:
    return played(None, resumed(lost(), lost={"b": "done", "c[1]": "again"}))


def lost_in_states() -> Told:
    definition = states(
        "a",
        a={"success": "b", **UNDO},
        b={"success": "c", "retry": 2, "capture": r"id=(?P<id>\d+)"},
        c={"params": {"n": "{a_n}"}},
    )
    told = begun(Told(definition), "a", "b", a=SOME, b=fails)
    resumed(told, lost="again", variables={"given": "by hand"})
    return played(None, begun(told, "b", b=SOME), c=fails)


def from_an_action() -> Told:
    definition = steps("a", {"id": "b", "args": {"n": "{a.n}"}}, "c")
    told = played(definition, a=SOME, c=fails)
    resumed(told, start="b", variables={"v": 2}, lost="again")
    return played(None, told, c=ok)


def mended() -> Told:
    told = played(steps({"id": "a", "args": {"v": 1}}, "b", "gone"), a=SOME, b=ok, gone=fails)
    resumed(told, steps({"id": "a", "args": {"v": 2}}, "new", "b", "last"), secrets=("key",))
    return played(None, told)


def cannot_begin() -> Told:
    definition = steps(
        {"id": "a", "capture": r"id=(?P<id>\d+)", "on_failure": "continue"},
        {"id": "b", "args": {"v": "{id}"}, "on_failure": "continue"},
        {"id": "c", "when": "a.n > 1", "on_failure": "continue"},
        {"id": "d", "for_each": "a.stdout", "on_failure": "continue"},
        {
            "id": "e",
            "args": {"v": "{steps.b.n}"},
            "on_error": [{"result": {"why": "{result.error}"}}],
        },
    )
    return played(definition, a=ok | {"stdout": "nothing"})


def cut_short() -> Told:
    definition = steps(
        {"id": "a", "capture": r"id=(?P<id>\d+)", **UNDO}, {"id": "b", "args": {"t": "{a.stdout}"}}
    )
    long = "x" * 70_000 + " id=7"
    told = begun(Told(definition, variables={"long": long, "n": 1}))
    ends = "y" * 15
    cut = Cut(f"{ends}\n{Cut('', 99).seam}\n{ends}", 99)
    told.do(FinishCall(call=2, result=ok | {"stdout": long, "stderr": cut}, cached=True))
    return played(None, told, b=fails)


class Asked(Told):
    """A run that is asked for what it may refuse."""

    def __init__(self, definition: Mapping[str, Any], **started: Any) -> None:
        super().__init__(definition, **started)
        self.refusals: list[str] = []

    def tries(self, *commands: RunCommand) -> None:
        self.refusals += [f"  {each}" for each in _answers(self.run)]
        for command in commands:
            before = len(self.entries)
            try:
                events = self.do(command)
            except Refused as refusal:
                assert len(self.entries) == before
                said_of = f"refused: {refusal}"
            else:
                said_of = (
                    f"as asked: {', '.join(name_of(type(each)) for each in events) or 'nothing'}"
                )
            self.refusals.append(f"{len(self.entries)} {type(command).__name__} {said_of}")


def asks_of_steps() -> Told:
    told = Asked(LOST, variables={"n": 0}, process="p")
    told.tries(
        ResumeRun(alive=True, process="q"), StartCall(action="gone"), EndRun(status="failed")
    )
    begun(told, "a", a=SOME)
    question = QuestionAsked(call=3, question="Which?", choices=("x", "2", "y"))
    told.tries(
        AnswerQuestion(answer="x"),
        AskQuestion(event=question),
        AskQuestion(event=QuestionAsked(call=6, question="Key?", secret=True)),
        AnswerQuestion(answer="x"),
        AnswerQuestion(answer="z", call=3),
        AnswerQuestion(answer="0", call=3),
        AnswerQuestion(answer="4", call=3),
        AnswerQuestion(answer=3, call=3),
        AnswerQuestion(answer="hunter2"),
        AnswerQuestion(answer="x", call=3),
        ParkRun(calls=(3,)),
        ParkRun(calls=(3, 6), questions=(3,)),
        FinishCall(call=99, result=ok),
        ResumeRun(process="q"),
        ResumeRun(process="q", lost={"b": "done"}),
        ResumeRun(process="q", start="none"),
        ResumeRun(process="q", variables={"a b": 1}, lost="again"),
        ResumeRun(process="q", variables={"v": float("nan")}, lost="again"),
        StopRun(rollback=True),
        StopRun(),
        StopRun(why="failed"),
        ResumeRun(process="q", rollback=True),
        ResumeRun(process="q", rollback=True, lost="done", reason="by hand", secrets=("k",)),
    )
    played(None, told)
    told.tries(
        StopRun(),
        FinishCall(call=3, result=ok),
        ResumeRun(process="q"),
        ResumeRun(process="q", rollback=True),
        ResumeRun(process="q", start="b", lost="again"),
    )
    return told


def asks_of_states() -> Told:
    definition = states(
        "a", a={"success": "b", **UNDO}, b={"success": "c", **UNDO}, c={}, z={"always": True}
    )
    told = played(None, Asked(definition), a=SOME, b=SOME, c=fails)
    assert isinstance(told, Asked)
    told.tries(
        ResumeRun(start="z"),
        ResumeRun(start="nowhere"),
        ResumeRun(workflow=parse(states("b", b={"success": "c"}, c={}))),
        ResumeRun(workflow=parse(steps("a", "b"))),
        ResumeRun(process="q", start="c", reason="to see"),
    )
    played(None, told)
    told.tries(
        ResumeRun(),
        ResumeRun(start="b"),
        ResumeRun(start="b", lost={"c": "done"}),
    )
    return played(None, told, b=SOME)


def asks_of_groups() -> Told:
    told = played(None, Asked(in_groups().entries[0].event.workflow), x=SOME, y=ok, q=fails)
    assert isinstance(told, Asked)
    told.tries(
        ResumeRun(start="y"),
        ResumeRun(start="q"),
        ResumeRun(start="y", lost={"w": "done", "p": "again", "x": "again"}),
    )
    told.tries(ResumeRun(process="r", start="x"), ResumeRun(process="r", lost="again"))
    return played(None, told, x=SOME)


def rounds_again() -> Told:
    repeat = {"until": "result.n > 2", "at_most": 4}
    definition = states(
        "a",
        a={"repeat": repeat, "retry": 1, "success": "b", **UNDO},
        b={"for_each": {"items": ["x", "y"], "tolerate": 0}, "success": "a", "failure": "c"},
        c={"when": "a.n > 5"},
    )
    told = Asked(definition, max_states=6)
    begun(told, "a", "a", a=ok | {"n": 1})
    told.tries(ResumeRun(process="q"), ResumeRun(process="q", lost="again"))
    played(None, told, a=SOME, **{"b[1]": [ok, fails]})
    told.tries(ResumeRun(process="r"), ResumeRun(process="r", lost="again"))
    return played(None, told, a=SOME)


def cut_off_in_its_rollback(definition: Mapping[str, Any], **says: Any) -> Asked:
    """A run whose process dies while the first compensation is called."""
    told = Asked(definition, variables={"n": 0}, max_states=12)
    for run in turns(told, says):
        if any(call.undoes is not None for call in run.open.values()):
            return told
    raise AssertionError("nothing was undone")


IN_STATES = states(
    "a", a={"success": "b", **UNDO}, b={"success": "c", **UNDO}, c={"failure": "d"}, d={}
)


def cut_off_while_it_undoes_steps() -> Told:
    definition = steps({"id": "a", **UNDO}, {"id": "b", **UNDO}, "c", "d")
    told = cut_off_in_its_rollback(definition, d=fails)
    told.tries(ResumeRun(process="q"), ResumeRun(process="q", lost="done"))
    played(None, told)
    told.tries(ResumeRun(process="r"), ResumeRun(process="r", lost={"c": "done", "b": "again"}))
    return played(None, told)


def cut_off_while_it_undoes_states() -> Told:
    told = cut_off_in_its_rollback(IN_STATES, c=fails, d=fails)
    told.tries(ResumeRun(process="q"), ResumeRun(process="q", lost="again"))
    played(None, told, undo_a=fails)
    told.tries(
        ResumeRun(process="r", rollback=True),
        ResumeRun(process="r", rollback=True, retry=True),
        ResumeRun(process="r"),
        ResumeRun(process="r", lost="again"),
    )
    return played(None, told)


def cut_off_while_it_undoes_a_group() -> Told:
    one = {"action": {"tool": "noop"}, "transitions": [way({"success": True}, "both")]}
    both = group({"id": "x", **UNDO}, {"id": "y", "needs": ["x"], **UNDO}, "w", "q")
    written = {"one": one, "both": both}
    definition = {"name": "told", "initial_state": "one", "states": written}
    told = cut_off_in_its_rollback(definition, q=fails)
    told.tries(ResumeRun(process="q"), ResumeRun(process="q", lost="done"))
    played(None, told)
    told.tries(
        ResumeRun(process="r"),
        ResumeRun(process="r", start="y"),
        ResumeRun(process="r", start="q"),
    )
    return played(None, told)


def items_that_were_undone() -> Told:
    each = {"items": ["x", "y"], "max_parallel": 2}
    definition = steps({"id": "a", "for_each": each, "args": {"v": "{item}"}, **UNDO}, "b", "c")
    told = cut_off_in_its_rollback(definition, c=fails)
    told.tries(ResumeRun(process="q", lost="done"))
    played(None, told, **{"undo_a[0]": fails})
    told.tries(
        ResumeRun(process="r"),
        ResumeRun(process="r", lost={"b": "done", "a[0]": "done"}),
        ResumeRun(process="r", lost="again"),
    )
    return played(None, told)


def undone_in_part() -> Told:
    nested = {"id": "n", "tool": "run_workflow", "args": {"workflow_name": "w"}}
    told = Asked(steps({"id": "a", **UNDO}, nested, "b", "c"), variables={"n": 0})
    begun(told, "a", a=SOME)
    told.do(FinishCall(call=next(iter(told.run.open)), result=ok, nested="child"))
    part = {"success": True, "undone": ["x"], "in_part": True}
    played(None, told, c=fails, undo_n=part)
    told.tries(
        ResumeRun(process="q"),
        ResumeRun(process="q", lost={"n": "done", "b": "again"}),
    )
    return played(None, told)


def from_behind_what_was_undone() -> Told:
    told = Asked(IN_STATES, variables={"n": 0})
    played(None, told, c=fails, d=fails)
    told.tries(ResumeRun(process="q", start="c"))
    played(None, told, c=ok)
    told.tries(ResumeRun(process="r", start="b", lost="again"))
    return played(None, told, c=fails)


STORIES: Mapping[str, Callable[[], Told]] = {
    made.__name__.replace("_", " "): made
    for made in (
        *(in_sequence, side_by_side, tried_again, handled, stood_in, undone),
        *(undone_later, for_each_item, too_many_items, until_it_holds, through_states),
        *(in_a_circle, in_groups, in_groups_again, last_of_all, stopped, stopped_for_good),
        *(
            asked,
            asked_and_mended,
            lost,
            called_again,
            taken_as_done,
            lost_in_states,
            from_an_action,
            mended,
        ),
        *(cannot_begin, cut_short, asks_of_steps, asks_of_states, asks_of_groups, rounds_again),
        *(cut_off_while_it_undoes_steps, cut_off_while_it_undoes_states),
        *(cut_off_while_it_undoes_a_group, items_that_were_undone, undone_in_part),
        from_behind_what_was_undone,
    )
}


def told_of(story: str) -> str:
    told = STORIES[story]()
    events = ((entry.position, entry.event) for entry in told.entries[1:])
    lines = [f"{position} {name_of(type(event))}{said(event)}" for position, event in events]
    lines += ["", f"run{said(told.run, 'workflow', 'calls', 'planned')}"]
    lines += [
        f"call {id}{said(call, 'work', 'params', 'result', 'id')}"
        for id, call in told.run.calls.items()
    ]
    refusals = told.refusals if isinstance(told, Asked) else ()
    return "\n".join([*lines, *_answers(told.run), *refusals])


def _answers(run: Run) -> Iterator[str]:
    """What a resume would do about it."""
    yield f"ended items: {as_json([call.id for call in ended_items(run)])}"
    yield f"standing: {as_json([call.id for call in standing(run)])}, after {standing_after(run)}"
    yield f"unseen: {as_json([call.id for call in unseen_calls(run)])}"
    yield f"still to call: {as_json(still_to_call(run))}"
    yield f"otherwise now: {as_json([*outdated_actions(run), with_kept_items(run)])}"
    back = (rolled_back(run), undone_below(run), [call.id for call in perhaps_done(run)])
    yield f"undone: {as_json(back)} not: {not_undone_text(run)}"
    begins = [at for id in run.calls if (at := begun_at(run, id)) != run.calls[id].started]
    yield f"began before: {as_json(begins)}"


if __name__ == "__main__":
    use_spelling(MagicSpelling())
    RECORDED.write_text(written(STORIES, told_of), "utf-8")
