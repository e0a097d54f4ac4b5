"""run, command -> events, or a refusal: every rule that says no to a run stands here.

What is asked for too late (a call that has ended, a start that is no longer wanted, because another
process stopped the run meanwhile) is nothing to refuse: it gives no events, and the runner asks
again what is to be done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, assert_never

from wfnb.core import validation
from wfnb.errors import (
    AnswerNotChoice,
    BadValue,
    CallStands,
    CallUncertain,
    NameUnknown,
    QuestionNone,
    QuestionSeveral,
    Refused,
    RunAlive,
    RunEndedAlready,
    RunNotResumable,
    StateGone,
    StateUnknown,
)
from wfnb.workflows.definition.expression import expression_holds
from wfnb.workflows.definition.for_each import base_action, item_keys, list_items
from wfnb.workflows.definition.models import Compensation
from wfnb.workflows.definition.name_rules import STEP
from wfnb.workflows.definition.reader import Definition, content_hash
from wfnb.workflows.definition.scope import NESTED
from wfnb.workflows.definition.template import fill
from wfnb.workflows.definition.truncation import marks_of

from . import ready_actions, resume_queries, resume_rules, rollback_state
from .call_end import (
    end_event,
    gather_event,
    not_captured,
    skipped_event,
    unseen_end_event,
)
from .commands import (
    AnswerQuestion,
    AskQuestion,
    EndRun,
    FinishCall,
    Lost,
    ParkRun,
    ResumeRun,
    RunCommand,
    StartCall,
    StopRun,
    verdict,
)
from .events import (
    CallFinished,
    CallStarted,
    QuestionAnswered,
    RunEnded,
    RunEvent,
    RunParked,
    RunResumed,
    StopAsked,
)
from .next_action import End, Start, Undo, any_always, next_action, rolls_back, skips_always
from .run import Call, Run


def decide(run: Run, command: RunCommand) -> list[RunEvent]:
    """What happens when this is asked of the run. Raises Refused; then nothing happens."""
    match command:
        case StartCall():
            return _start(run, command)
        case FinishCall(call=id):
            call = run.open.get(id)
            if call is not None and call.gathers:
                return [gather_event(run, call, command.duration)]
            # It has ended already: a stop came first, or another process said so.
            return [] if call is None else [end_event(run, call, command)]
        case AskQuestion(event=asked):
            return [asked] if asked.call in run.open else []
        case AnswerQuestion():
            return [_answer(run, command)]
        case StopRun():
            return _stop(run, command)
        case ResumeRun():
            return _resume(run, command)
        case ParkRun():
            return _park(run, command)
        case EndRun(status=status, error=error, saved=saved):
            # What was answered or asked since may keep the run from ending.
            ends = any(isinstance(do, End) for do in next_action(run))
            outputs = run.output_values() if status in ("success", "partial_success") else {}
            end = RunEnded(
                status=status,
                error=error,
                saved=saved,
                outputs=outputs,
                cut=marks_of(outputs=outputs),
            )
            return [end] if ends else []
        case _:
            assert_never(command)


def _stop(run: Run, command: StopRun) -> list[RunEvent]:
    """A rollback that was begun, or asked for, is broken off only by who says so; and what was
    cancelled fails no more."""
    if run.status != "running":
        raise RunEndedAlready(run.status)
    cancelled = run.stop is not None and run.stop.why == "cancelled"
    if cancelled and command.why == "failed":
        return []
    undo = command.rollback
    if undo is None:
        undo = rolls_back(run) or (run.workflow.rollback_on_cancel and not cancelled)
    stops_last = any_always(run) and not run.lost  # of a process that is gone none runs
    skip = command.skip_always or skips_always(run) or stops_last
    asked = StopAsked(why=command.why, reason=command.reason, rollback=undo, skip_always=skip)
    return [] if asked == run.stop else [asked]


def _park(run: Run, command: ParkRun) -> list[RunEvent]:
    """Nothing, where there is something to do meanwhile: it was stopped, or answered."""
    doing = {call.id for call in run.open.values() if not call.gathers}
    waits = run.status == "running" and run.stop is None and doing == {*command.calls}
    if not waits or not run.questions.keys() >= {*command.questions}:
        return []
    return [RunParked(until=command.until, notebook=command.notebook, save=command.save)]


def _start(run: Run, command: StartCall) -> list[RunEvent]:
    wanted = next(
        (
            do
            for do in next_action(run)
            if (isinstance(do, Start) and command.undoes is None and do.action == command.action)
            or (isinstance(do, Undo) and do.call == command.undoes)
        ),
        None,
    )
    # The run moved on since the loop asked: nothing happens, and the loop asks again.
    if wanted is None:
        return []
    stands = None if command.undoes is not None else ready_actions.stands(run, command.action)
    if stands is not None:
        return _stands(run, command, stands)
    within = _within(run, command)
    undoes = command.undoes
    work = run.next_work(command.action) if undoes is None else run.work("", undoes)
    tries = run.tries.get(command.action) if command.undoes is None else None
    idempotent = command.idempotent or work.is_group  # it calls nothing
    each = work.for_each if command.undoes is None and within is None else None
    tool, template, scope = _call_template(run, command, within)
    params, wrong, asked, skipped = {}, None, None, False
    items: list[Any] | None = None
    # `when` is asked once: a retry must not skip what it began.
    if command.undoes is None and wanted.attempt == 1:
        skipped = within is None and bool(ready_actions.not_failed(run, work))
        asked = None if skipped or work.asks_each != (within is not None) else work.when
    try:
        if asked is not None:
            known = run.scope_of(command.action, within, asked=True)
            skipped = not expression_holds(asked, known, run.secrets)
        if each is not None and not skipped:
            known = run.scope_of(command.action, asked=True)
            items = list_items(each, known, run.secrets)
        elif not skipped:
            hidden = frozenset(run.secrets)
            params = fill(dict(template), scope, hidden, command.verbatim, command.objects)
    except NameUnknown as unknown:  # only this run could show that
        why = not_captured(run, unknown.name)
        wrong = str(NameUnknown(unknown.name, unknown.path, unknown.known, why))
    except Refused as refusal:
        wrong = str(refusal)
    started = CallStarted(
        action=command.action,
        tool=tool,
        params=params,
        attempt=wanted.attempt,
        waited=command.waited,
        idempotent=idempotent,
        undoes=command.undoes,
        skipped=skipped,
        within=within,
        fallback=None if tries is None else tries.fallback,
        cut=marks_of(params=params),
    )
    if items is not None:
        ended = _ended_before(run, command.action, items)
        return [replace(started, items=tuple(items), ended=ended, cut=marks_of(items=list(items)))]
    if wrong is None and not skipped:
        return [started]
    call = Call(
        id=run.position + 1,
        action=command.action,
        work=work,
        tool=tool,
        params=params,
        attempt=wanted.attempt,
        idempotent=idempotent,
        undoes=command.undoes,
        waited=command.waited,
        started=None,
        within=within,
        fallback=started.fallback,
        caught=0 if tries is None else tries.caught,
    )
    if wrong is None:
        return [started, skipped_event(run, call)]
    failed = FinishCall(call=call.id, result={"success": False, "error": wrong})
    return [started, end_event(run, call, failed, again=False)]


def _stands(run: Run, command: StartCall, before: Call) -> list[RunEvent]:
    """A call that is not made: the one `before` counts, and its conditions are asked again. What
    would undo it is what would undo that one."""
    started = CallStarted(
        action=command.action,
        tool=before.tool,
        params=before.params,
        idempotent=command.idempotent,
        cut=marks_of(params=before.params),
    )
    if before.items is not None:  # its end is told by those of its items
        ended = tuple(id or 0 for id in run.loops[before.id].calls)
        cut = marks_of(items=list(before.items))
        return [replace(started, items=before.items, ended=ended, cut=cut)]
    call = replace(
        before, id=run.position + 1, work=run.work(command.action), attempt=1, waited=0.0
    )
    result = {**before.result, "taken_as_done": True}
    taken = FinishCall(call=call.id, result=result, taken=True)
    end, armed = end_event(run, call, taken, again=False), run.armed.get(before.id)
    nested = None if armed is None else before.nested
    cut = marks_of(result=end.result, captured=end.captured, armed=armed)
    return [started, replace(end, armed=armed, nested=nested, cut=cut)]


def _within(run: Run, command: StartCall) -> int | None:
    """The call of the whole action, where an item of it is to begin."""
    name = base_action(command.action)
    if command.undoes is not None or name == command.action:
        return None
    return next(id for id in run.loops if id in run.open and run.calls[id].action == name)


def _ended_before(run: Run, action: str, items: Sequence[Any]) -> tuple[int, ...]:
    """The calls that count for these items, which were those of an earlier list."""
    kept = (run.calls[id] for id in run.kept)
    earlier = {run.identity(call): call.id for call in kept if call.within is not None}
    return tuple(earlier.get(f"{action} {key}", 0) for key in item_keys(items)) if earlier else ()


def _call_template(
    run: Run, command: StartCall, within: int | None
) -> tuple[str, Mapping[str, Any], Mapping[str, Any]]:
    """The tool, its parameters as they are written, and what their placeholders can name."""
    if command.undoes is None:
        work = run.next_work(command.action)
        return work.tool, work.params, run.scope_of(command.action, within)
    work = run.work(command.action, command.undoes)
    nested = run.calls[command.undoes].nested
    if nested is not None:
        return NESTED, {"undo": nested} if nested else {}, {}
    assert isinstance(work.compensation, Compensation)
    return work.compensation.tool, work.compensation.params, run.armed[command.undoes]


def _answer(run: Run, command: AnswerQuestion) -> QuestionAnswered:
    open_ones = tuple(run.questions)
    if command.call is None and len(open_ones) > 1:
        raise QuestionSeveral(tuple(run.calls[id].action for id in open_ones))
    id = command.call if command.call is not None else next(iter(open_ones), None)
    asked = None if id is None else run.questions.get(id)
    if id is None or asked is None:
        raise QuestionNone
    answer = command.answer
    if asked.choices:
        answer = _choice(str(answer), asked.choices)
    # A secret answer goes from hand to hand within the process, and never to the disk.
    return QuestionAnswered(call=id, answer=None if asked.secret else answer)


def _choice(answer: str, choices: tuple[str, ...]) -> str:
    """A choice by its words or, where no choice is that number, by its place from 1."""
    if answer in choices:
        return answer
    if answer.isdecimal() and 1 <= int(answer) <= len(choices):
        return choices[int(answer) - 1]
    raise AnswerNotChoice(answer, choices)


def _resume(run: Run, command: ResumeRun) -> list[RunEvent]:
    if run.status == "running" and command.alive:
        raise RunAlive(run.process or "another process")
    if command.rollback:
        return _roll_back(run, command)
    if run.status in ("success", "partial_success") and command.start is None:
        raise RunNotResumable(run.status)
    mended = _new_definition(run, command.workflow)
    actions = tuple(n for n, work in (mended or run.workflow).actions.items() if not work.always)
    if command.start is not None and command.start not in actions:
        raise StateUnknown(command.start, actions)
    check_variable_names(command.variables)
    if resume_queries.takes_up(run, command.start, mended):
        secrets = tuple(dict.fromkeys((*run.secrets, *command.secrets)))
        given = validation.fields(command.variables)
        return [
            RunResumed(
                process=command.process,
                variables=given,
                secrets=secrets,
                cut=marks_of(variables=dict(command.variables)),
            )
        ]
    ends: list[CallFinished] = []
    unseen = resume_queries.unseen_calls(run, command.start, mended)
    uncertain = resume_queries.not_repeatable(run, unseen)
    standing = resume_queries.asked_about(resume_queries.standing(run, command.start, mended))
    ask([("", run, _open(command.lost, uncertain), _open(command.lost, standing))])
    forward = [call for call in uncertain if call.undoes is None]
    in_part = (call for call in forward if rollback_state.is_undone_in_part(run, call))
    kept = [
        call
        for call in (
            *standing,
            *in_part,
            *resume_queries.repeated_calls(run, forward, command.start, mended),
        )
        if verdict(command.lost, call.action) == "done"
    ]
    # A group goes on as it is, unless something else is to be done: no end of it was missed.
    anew = command.start is not None or mended is not None
    lists = [c for c in run.open.values() if c.items is not None or (c.work.is_group and anew)]
    for call in (*unseen, *lists):
        done = verdict(command.lost, call.action) == "done" and call in uncertain
        # A call that is `unknown` already needs an event only if a person says it was done.
        if done or call.id in run.open:
            ends.append(unseen_end_event(run, call, done=done))
    if run.status != "running" or mended:  # else it does what it did, a rollback of others too
        here = command.start or resume_rules.resume_state(run, ends)
        if here is not None and here not in actions:
            raise StateGone(here, actions)
    kept += resume_queries.ended_items(run, command.start, mended, ends)
    given = validation.fields(command.variables)
    events: list[RunEvent] = [*ends]
    if ends or mended or run.status != "running" or command.process != run.process:
        events.append(
            RunResumed(
                process=command.process,
                start=command.start,
                variables=given,
                secrets=tuple(dict.fromkeys((*run.secrets, *command.secrets))),
                workflow=None if mended is None else mended.data,
                kept=tuple(dict.fromkeys(call.id for call in kept)),
                cut=marks_of(variables=dict(command.variables)),
            )
        )
    return events


def _roll_back(run: Run, command: ResumeRun) -> list[RunEvent]:
    if run.status != "running" and not (run.armed or (command.retry and run.stuck)):
        raise RunEndedAlready(run.status)
    uncertain = [call for call in run.open.values() if not call.idempotent]
    undoing = (call for call in uncertain if call.undoes is not None)
    ask([("", run, _open(command.lost, undoing), [])])
    done = [call for call in uncertain if verdict(command.lost, call.action) == "done"]
    return [
        *(unseen_end_event(run, call, done=call in done) for call in run.open.values()),
        RunResumed(
            process=command.process,
            secrets=tuple(dict.fromkeys((*run.secrets, *command.secrets))),
            rollback=True,
            retry=command.retry,
            reason=command.reason,
        ),
    ]


Doubt = tuple[str, Run, Sequence[Call], Sequence[Call]]
"""A run, the name of a nested one before it (else nothing), its calls whose end nobody saw, and
those that stand after what was undone."""


def ask(found: Iterable[Doubt]) -> None:
    """Raises what asks about calls that would be made again: CallStands, CallUncertain."""
    found = tuple(found)
    unknown = tuple(_call(name, run, call) for name, run, calls, _ in found for call in calls)
    standing = (_call(name, run, call) for name, run, _, calls in found for call in calls)
    stand = tuple(dict.fromkeys(standing))
    if stand:
        after = next(resume_queries.standing_after(run) for _, run, _, calls in found if calls)
        raise CallStands(stand, after, unknown)
    if unknown:
        raise CallUncertain(unknown)


def _call(name: str, run: Run, call: Call) -> str:
    what = call.tool if call.undoes is None else f"{call.tool}, undoing"
    if rollback_state.is_undone_in_part(run, call):
        stands = run.calls[call.undone_by or 0].result.get("stands")
        what += f", undone in part: {stands} stands" if stands else ", undone in part"
    return f"{name and f'{name}/'}{call.action} ({what})"


def _open(lost: Lost, calls: Iterable[Call]) -> list[Call]:
    """Those of which nothing is said."""
    return [call for call in calls if verdict(lost, call.action) == "ask"]


def _new_definition(run: Run, workflow: Definition | None) -> Definition | None:
    """The definition to go on with, where it is another one."""
    if workflow is None or content_hash(workflow) == content_hash(run.workflow):
        return None
    if workflow.form != run.workflow.form:
        raise BadValue(
            "workflow", f"one of {workflow.form}", f"{run.workflow.form}, as the run has"
        )
    return workflow


def check_variable_names(variables: Iterable[object]) -> None:
    """Raises BadValue for a name that no placeholder could name."""
    for name in variables:
        if (lacks := STEP.lacks(name)) is not None:
            raise BadValue("a variable's name", str(name)[:80], lacks)
