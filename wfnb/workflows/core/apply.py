"""event of a run -> the run after it. Never refuses: what has happened has happened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar, assert_never

from wfnb.core.events import Json
from wfnb.parked_run_owner import parked_owner
from wfnb.workflows.definition.for_each import base_action, item_keys, item_name, place
from wfnb.workflows.definition.models import StatesWorkflow, Step
from wfnb.workflows.definition.reader import Definition, parse
from wfnb.workflows.definition.regex_search import group_names
from wfnb.workflows.definition.scope import CAUGHT, RENAMED, SKIPPED
from wfnb.workflows.definition.truncation import restore_field

from . import ready_actions, resume_queries, resume_rules, rollback_state
from .events import (
    CallFinished,
    CallStarted,
    QuestionAnswered,
    QuestionAsked,
    RunEnded,
    RunParked,
    RunRecorded,
    RunResumed,
    RunStarted,
    StopAsked,
)
from .next_action import CANCELLED, problem_of, skips_always
from .run import UNSEEN, Call, Loop, Run, Tries, tries_of

T = TypeVar("T")


def replay(entries: Iterable[RunRecorded]) -> Run:
    """The run after all entries, in order of position; the first of them started it."""
    entries = iter(entries)
    run = initial_run(next(entries))
    for entry in entries:
        advance(run, entry)
    return run


def initial_run(entry: RunRecorded, workflow: Definition | None = None) -> Run:
    """The run that an event started. `workflow` is its definition, where it was read already."""
    event = entry.event
    assert isinstance(event, RunStarted)
    run = Run(
        workflow=parse(event.workflow) if workflow is None else workflow,
        position=entry.position,
        process=event.process,
        started=entry.at,
        begun=entry.at,
        depth=event.depth,
        caller=event.caller,
        origin=event.origin,
        folder=event.folder,
        max_states=event.max_states,
        timeout=event.timeout,
        secrets=event.secrets,
        initial=dict(restore_field(event.variables, event.cut, "variables")),
    )
    ready_actions.begin(run)
    return run


def advance(run: Run, entry: RunRecorded) -> None:
    """Change the run as the event says."""
    run.position = entry.position
    match entry.event:
        case RunStarted():
            raise AssertionError("a run starts once")
        case RunResumed():
            _resume(run, entry.event, entry.at)
        case CallStarted():
            _start(run, entry.event, entry.at)
        case CallFinished():
            _finish(run, entry.event, entry.at)
        case QuestionAsked(call=call):
            run.questions[call] = entry.event
        case QuestionAnswered(call=call, answer=answer):
            run.questions.pop(call, None)
            run.answers[call] = answer
        case StopAsked():
            run.stop = entry.event
        case RunParked(until=until):
            run.last_parked, run.process = entry.event, parked_owner(until)
        case RunEnded(status=status, error=error, saved=saved):
            run.status, run.error, run.saved, run.ended = status, error, saved, entry.at
            run.outputs = restore_field(entry.event.outputs, entry.event.cut, "outputs")
            run.lost = False
        case _:
            assert_never(entry.event)


def stamp(run: Run, entry: RunRecorded) -> None:
    """The journal's time of an event that the run has already."""
    match entry.event:
        case CallStarted():
            run.calls[entry.position].started = entry.at
        case CallFinished(call=call):
            run.calls[call].ended = entry.at
        case RunResumed():
            run.begun = run.begun or entry.at
        case RunEnded():
            run.ended = entry.at
        case _:
            pass


def _start(run: Run, event: CallStarted, at: float | None) -> None:
    call = Call(
        id=run.position,
        action=event.action,
        work=run.work(event.action, event.undoes)
        if event.fallback is None
        else run.work(event.action).instead(event.fallback),
        tool=event.tool,
        params=restore_field(event.params, event.cut, "params"),
        attempt=event.attempt,
        idempotent=event.idempotent,
        undoes=event.undoes,
        waited=event.waited,
        started=at,
        items=event.items and tuple(restore_field(list(event.items), event.cut, "items")),
        within=event.within,
        fallback=event.fallback,
    )
    call.gathers = call.items is not None or call.work.is_group
    run.calls[call.id] = run.open[call.id] = call
    tries = run.tries.get(tries_of(event.action, event.undoes))
    if tries is not None and event.fallback is not None:
        call.caught = tries.caught
    if tries is not None:
        tries.spent += event.waited
    if event.undoes is not None:
        undone: Call | None = run.calls[event.undoes]
        while undone is not None:  # and what that one stands for
            undone.undone_by = call.id
            undone = run.calls.get(undone.stands_for)
        return
    if isinstance(run.workflow, StatesWorkflow) and not call.work.always:
        ready_actions.enter(run, call)
    if event.within is not None:
        _start_item(run.loops[event.within], place(event.action))
    # Counted against `max_states`, which guards against endless loops: a retry is no new state, nor
    # is a step of a group.
    elif event.attempt == 1 and not call.work.always:
        in_group = isinstance(run.workflow, StatesWorkflow) and isinstance(call.work, Step)
        call.enters = not in_group
        run.entered += call.enters
    if call.work.is_group and not event.skipped:
        ready_actions.begin_group(run, call)
    if event.items is not None:
        _start_loop(run, call, event)
    stands = ready_actions.stands(run, event.action)
    # Used up: when the action comes round again it is called.
    if stands is not None:
        run.kept.remove(stands.id)
        call.stands_for = stands.id
        # What undoes it is what undoes that one, also where the definition was mended.
        call.work = call.work.model_copy(update={"compensation": stands.work.compensation})
    if not event.skipped:
        # The new call does again what the cut off one may have done, so one compensation undoes
        # both. At another time it does another thing; and of a nested run only its end says whether
        # it was that one which went on.
        for before in _perhaps_same(run, call) if run.perhaps else ():
            if before.time == call.time and not before.nested:
                run.armed.pop(before.id, None)
            if before.id < run.resumed:  # whoever resumed the run has said what to do about it
                del run.perhaps[before.id]


def _perhaps_same(run: Run, call: Call) -> list[Call]:
    """The calls that may have done what this one does; after a resume, at whatever time."""
    this = run.identity(call)
    return [
        before
        for before in map(run.calls.__getitem__, run.perhaps)
        if run.identity(before) == this
        and (before.time == call.time or before.id < run.resumed)
        and before.fallback == call.fallback
    ]


def _start_loop(run: Run, call: Call, event: CallStarted) -> None:
    """Items that ended before the run was resumed are not begun again."""
    each = call.work.for_each
    assert event.items is not None
    assert each is not None
    ended = {index: id for index, id in enumerate(event.ended) if id}
    _move_items(run, call)
    if call.action not in run.redo:
        run.rounds = {
            name: id for name, id in run.rounds.items() if base_action(name) != call.action
        }
    run.loops[call.id] = Loop(
        keys=item_keys(call.items or ()),
        goes_on=call.action in run.redo,
        width=each.max_parallel,
        tolerated=each.tolerated(len(event.items)),
        ended=ended,
        failed=sum(run.calls[id].status in ready_actions.FAILED for id in ended.values()),
    )
    ready_actions.forget_resume(run, call.action)
    # Items that stand were done before those that are still to come, and after all else.
    counted = {*ended.values()}
    for id in counted:
        run.calls[id].earlier = False
    run.armed |= {id: run.armed.pop(id) for id in [*run.armed] if id in counted}


def _move_items(run: Run, call: Call) -> None:
    """What is known of an item by its name is known of it at its place in the new list. What a cut
    off item may have done, that is in no list any more, stays to be undone."""
    before = next((id for id in reversed(run.loops) if run.calls[id].action == call.action), None)
    old, new = () if before is None else run.loops[before].keys, item_keys(call.items or ())
    # The same list: names are places in it, and nothing moves.
    if old in ((), new):
        return
    places = {key: item_name(call.action, index) for index, key in enumerate(new)}
    names = {item_name(call.action, index): places.get(key) for index, key in enumerate(old)}
    run.tries = _renamed(run.tries, names)
    run.rounds = _renamed(run.rounds, names)


def _renamed(known: Mapping[str, T], names: Mapping[str, str | None]) -> dict[str, T]:
    """What is known by name, under its new names; without what has none."""
    renamed = ((names.get(name, name), each) for name, each in known.items())
    return {name: each for name, each in renamed if name is not None}


def _start_item(loop: Loop, index: int) -> None:
    loop.open.add(index)
    loop.again.pop(index, None)
    # Over what a resume brought along. Each place is passed once: the whole list costs its
    # length.
    while loop.next in loop.ended or loop.next in loop.open or loop.next in loop.again:
        loop.next += 1


def _finish_item(run: Run, call: Call) -> None:
    """What an item gave is a part of what its action gives, once all have ended."""
    loop, index = run.loops[call.within or 0], place(call.action)
    loop.open.discard(index)
    if call.retried:
        loop.again[index] = None
    elif call.status != "cancelled":
        loop.ended[index] = call.id
        loop.failed += call.status in ready_actions.FAILED


def _finish_loop(run: Run, call: Call) -> None:
    """Its result has those of its items, in order, and what each of them captured."""
    if call.status in ("cancelled", "unknown"):  # it goes on with what is left
        return
    loop = run.loops[call.id]
    calls = [None if id is None else run.calls[id] for id in loop.calls]
    call.result = {**call.result, "results": [each and each.result for each in calls]}
    groups = dict.fromkeys(name for each in call.work.capture for name in group_names(each))
    found = {name: [each and each.captured.get(name) for each in calls] for name in groups}
    call.captured = found | dict(call.captured)
    for index in loop.again:  # too many others failed
        run.tries.pop(item_name(call.action, index), None)


def _finish(run: Run, event: CallFinished, at: float | None) -> None:
    call = run.open.pop(event.call, run.calls[event.call])  # or one taken as done later
    if call.enters:  # what nobody saw end is entered once more
        run.entered += (call.status == "unknown") - (event.status == "unknown")
    result = restore_field(event.result, event.cut, "result")
    call.status, call.result, call.duration = event.status, result, event.duration
    call.ended, call.retried, call.cached, call.goto = at, event.retry, event.cached, event.goto
    call.in_part, call.nested, call.unsure = event.in_part, event.nested, event.unsure
    call.captured = restore_field(event.captured, event.cut, "captured")
    run.questions.pop(event.call, None)
    if event.retry or event.status == "cancelled":
        tries = run.tries.get(tries_of(call.action, call.undoes), Tries())
        if event.status in ("failed", "timed_out"):
            tries.failed += 1
            tries.spent += event.duration or 0.0
            if event.fallback is not None:
                tries.fallback, tries.caught = event.fallback, call.id
        elif event.status == "ok":
            tries = Tries(rounds=tries.rounds + 1, before=tries.attempt)
        if tries != Tries():
            run.tries[tries_of(call.action, call.undoes)] = tries
    else:
        run.tries.pop(tries_of(call.action, call.undoes), None)
    if call.undoes is not None:
        if not event.retry and event.status != "cancelled":
            values = run.armed.pop(call.undoes, None)
            # `stuck`, not back to `armed`: this rollback would try it for ever.
            if event.status != "ok" and values is not None:
                run.stuck[call.undoes] = values
            run.rolled.append(call.undoes)
        return
    if call.items is not None:
        _finish_loop(run, call)
    if call.work.is_group and call.id == run.group:
        ready_actions.end_group(run, call)
    if event.status not in ("cancelled", "unknown") and call.within is None:
        if call.status == "skipped" or CAUGHT in call.result:  # else it is as it always was
            # A skipped action gives few fields, and those of its last time would look like
            # today's.
            ready_actions.forget_fields(run, call.action)
        # Another attempt is given the same as the first, and not what that one gave.
        again = event.retry and event.fallback is None and event.status in ready_actions.FAILED
        bare: dict[str, Json] = {}
        learned(run, call, bare, run.specific)
        if not again:
            old, by = run.standard, run.captors
            call.overlaid = {n: (old[n], by.get(n)) if n in old else () for n in bare}
            run.standard |= bare
        run.captured |= call.captured
        run.captors |= dict.fromkeys(call.captured, call.action)
        run.results[call.action] = call.result
    unsure = event.unsure or event.status in UNSEEN
    if (unsure or run.perhaps) and not call.gathers and event.status != "skipped":
        _note_doubt(run, call, event, unsure)
    if call.work.repeat is not None and _is_round(call, event):
        before = run.rounds.get(call.action)
        if before is not None and run.calls[before].nested is None:
            run.armed.pop(before, None)  # a round is undone with the one after it
        run.rounds[call.action] = call.id
    if event.goto is not None or (event.status in ("ok", "skipped") and not event.retry):
        run.rounds.pop(call.action, None)  # when it begins again, that is another thing
    if event.armed is not None:
        run.armed.pop(call.stands_for, None)
        if event.nested and run.resumed:  # one that went on is undone once
            for id in [id for id in run.armed if run.calls[id].nested == event.nested]:
                del run.armed[id]
        run.armed[call.id] = restore_field(event.armed, event.cut, "armed")
        if run.stood:
            resume_rules.undo_stood_first(run, call)
    if call.within is not None:
        _finish_item(run, call)
        return
    if event.retry or event.status == "cancelled":
        return
    if not call.work.always:
        run.last = call.id
    ready_actions.settle(run, call)


def _note_doubt(run: Run, call: Call, event: CallFinished, unsure: bool) -> None:
    """What a call may have done: it has ended in a way that does not say it did nothing. What
    another one may have done before stays as it is, unless this one did it, too."""
    if unsure or event.status == "ok" or event.armed is not None:
        for before in _perhaps_same(run, call):
            del run.perhaps[before.id]
    if unsure:
        run.perhaps[call.id] = None


def _is_round(call: Call, event: CallFinished) -> bool:
    """Whether a call did what the round before it did: also where `until` did not hold, and neither
    where a fallback did something else, nor where its failure may have done nothing."""
    may_have_failed = event.status != "ok" or bool(event.result.get(CAUGHT))
    certain = event.did or not (may_have_failed and call.work.compensate_on_failure)
    return event.armed is not None and call.fallback is None and certain


def learned(run: Run, call: Call, standard: dict[str, Json], specific: dict[str, Json]) -> None:
    """The fields of a result become variables: under their own names those of the last action
    (where actions run side by side there is no last, nor among items, and what is always done is
    not the one; null leaves what was known), and with the action's name before them."""
    fields = call.result.items()
    specific |= {f"{call.action}_{name}": value for name, value in fields}
    several = call.work.for_each is not None or call.work.is_group
    last = not (ready_actions.side_by_side(run, call) or call.work.always or several)
    if last and call.status != "skipped":
        standard |= {
            RENAMED.get(name, name): item
            for name, item in fields
            if item is not None and (name != SKIPPED or not call.work.may_be_skipped)
        }
    standard |= call.captured


def _resume(run: Run, event: RunResumed, at: float | None) -> None:
    """A run that lost its process does what it did, a rollback too; one that had ended, or has
    another definition now, begins again where it failed."""
    workflow = None if event.workflow is None else parse(event.workflow)
    takes_up = resume_queries.takes_up(run, event.start, workflow) and not event.rollback
    if workflow is not None:
        _mend(run, workflow)
    if event.rollback:
        _roll_back(run, event)
    elif run.status != "running" or event.start is not None or workflow is not None:
        run.bypassed += rollback_state.bypassed_calls(run, event.start)
        resume_rules.prepare_resume(run, event.start, event.kept)
        run.status, run.error, run.problem, run.stop, run.ended = "running", None, None, None, None
        run.entered = 0
        run.last_parked = None  # it is none that was parked: somebody had it go on
        run.rolled.clear()
        _arm_again(run)
    if not (event.rollback or takes_up):
        resume_rules.keep_items(run, event.kept)
        run.redo = resume_rules.resumed_actions(run, event.start)
        # What is done anew does not go on with a round of an earlier time.
        run.rounds = {name: id for name, id in run.rounds.items() if base_action(name) in run.redo}
    run.outputs, run.saved = {}, None
    run.resumed = run.position
    run.process, run.secrets, run.lost = event.process, event.secrets, False
    run.begun = run.begun if takes_up else at
    run.initial |= restore_field(event.variables, event.cut, "variables")
    # A value that is given by hand is no longer the default, nor what an action captured.
    for name in event.variables:
        run.standard.pop(name, None)
        run.specific.pop(name, None)
        run.captured.pop(name, None)
        run.captors.pop(name, None)
        run.given[name] = run.position


def _roll_back(run: Run, event: RunResumed) -> None:
    """What it had failed of stays its error."""
    stopped = run.stop.reason if run.stop else None
    own = problem_of(run) or ready_actions.always_failure(run) or stopped
    run.stop = StopAsked(
        why="undone",
        reason=own or event.reason or CANCELLED,
        rollback=True,
        skip_always=run.status != "running" or skips_always(run),
    )
    run.status, run.error, run.ended = "running", None, None
    if event.retry:
        run.rolled = [id for id in run.rolled if id not in run.stuck]
        _arm_again(run)


def _arm_again(run: Run) -> None:
    """What could not be undone: all of it succeeded after what else is left."""
    run.armed.update(reversed(run.stuck.items()))
    run.stuck.clear()
    run.tries.clear()


def _mend(run: Run, workflow: Definition) -> None:
    """Limits that were those of the definition are those of the new one."""
    if run.max_states == run.workflow.max_states:
        run.max_states = workflow.max_states
    if run.timeout == run.workflow.timeout:
        run.timeout = workflow.timeout
    run.workflow, run.mended = workflow, True
