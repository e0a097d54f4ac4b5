"""workflow, or a run of it -> Graph of its states or steps, with the way that was taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from wfnb.render.drawing.graph import Edge, Graph, Node
from wfnb.render.drawing.graph import State as NodeState
from wfnb.views.graphs import Picture
from wfnb.views.step_words import sign
from wfnb.workflows.core.run import Run
from wfnb.workflows.definition.models import State, StatesWorkflow, StepOrder, StepsWorkflow, Work

from .action_rows import NOT_RUN, Row, rows
from .run_words import condition, need_words, seconds, tool_words

Taken = Mapping[tuple[str, str], int]


def run_picture(run: Run, name: str, times: bool = False) -> Picture:
    """The run as a diagram; `times` puts durations into the tooltips (then it is none to be stored
    in a notebook)."""
    return Picture(run_graph(run, name, times))


def definition_picture(workflow: StatesWorkflow | StepsWorkflow) -> Picture:
    return Picture(definition_graph(workflow))


def run_graph(run: Run, name: str, times: bool = False) -> Graph:
    """A node a state or step with how it is, and how often it was performed; edges are transitions
    with their conditions, or needs; those that were taken are marked and counted."""
    done: dict[str, list[Row]] = {}
    for row in rows(run):
        if row.state != NOT_RUN:
            done.setdefault(row.action, []).append(row)
    nodes = (
        _node(place, id, work, done.get(id, ()), times)
        for place, (id, work) in enumerate(run.workflow.actions.items(), start=1)
    )
    return _graph(run.workflow, name, tuple(nodes), _taken_transitions(run))


def definition_graph(workflow: StatesWorkflow | StepsWorkflow) -> Graph:
    """The same of a workflow that nobody runs; under each name the tool that is called, and the
    rules by which it is."""
    nodes = (
        Node(
            id=id,
            number=str(place),
            title=id,
            note=" · ".join((work.tool, *_marks(work))),
            shape=_shape(work),
            tooltip=_tooltip(work),
        )
        for place, (id, work) in enumerate(workflow.actions.items(), start=1)
    )
    return _graph(workflow, workflow.name or "workflow", tuple(nodes), {})


def _graph(
    workflow: StatesWorkflow | StepsWorkflow, name: str, nodes: tuple[Node, ...], taken: Taken
) -> Graph:
    if isinstance(workflow, StatesWorkflow):
        thing, edges = "state", [*_transitions(workflow, taken), *_group_edges(workflow, nodes)]
    else:
        thing, edges = "step", [*_needs(workflow, nodes)]
    return Graph(
        name=name,
        title=name,
        nodes=nodes,
        edges=tuple(edges),
        direction="LR",
        thing=thing,  # type: ignore[arg-type]
    )


def _marks(work: Work) -> Iterator[str]:
    """How it is done, as briefly as a node needs it: what is not said is as by default."""
    if work.compensation is not None:
        yield f"undo: {work.compensation.tool}"
    if work.retry.attempts:
        yield f"retry {work.retry.attempts}×"
    if work.timeout is not None:
        yield f"≤ {seconds(work.timeout)}"
    if work.for_each is not None:
        yield "for each"
    if work.repeat is not None:
        yield "repeated"
    if work.when is not None:
        yield "when …"
    if work.on_error:
        yield "on error …"
    if work.always:
        yield "always last"


def _node(place: int, id: str, work: Work, done: Sequence[Row], times: bool) -> Node:
    newest = done[-1] if done else None
    state = newest.state if newest else NOT_RUN
    notes = ["always last"] if work.always else []
    if newest is not None:
        state = _node_state(newest)
        notes += [newest.items] if newest.items else []
        notes += [_times(done)] if len(done) > 1 else []
        notes += [f"{newest.attempts} attempts"] if newest.attempts > 1 else []
        notes += [newest.undo.partition(":")[0]] if newest.undo not in ("", "undone") else []
    return Node(
        id=id,
        number=str(place),
        title=id,
        state=state,
        note=" · ".join(notes),
        shape=_shape(work),
        current=state == "running",
        tooltip=_tooltip(work, done, times),
    )


def _node_state(row: Row) -> NodeState:
    return "undone" if row.undo == "undone" else row.state


def _times(done: Sequence[Row]) -> str:
    """How often it was performed: with what came of each, where that differs."""
    count = Counter(map(_node_state, done))
    if len(count) == 1:
        return f"{len(done)}×"
    return ", ".join(f"{times}× {sign(state)}" for state, times in count.items())


def _shape(work: Work) -> Literal["stage", "end"]:
    ends = isinstance(work, State) and not work.transitions and work.on_timeout is None
    return "end" if ends else "stage"


def _tooltip(work: Work, done: Sequence[Row] = (), times: bool = False) -> str:
    said = [work.description] if work.description else []
    called = done[-1].last if done and times else None  # what was filled in may be ids and paths
    said.append(tool_words(work.tool, called.params if called else work.params))
    # A tooltip cannot be scrolled: of a loop the last turns are enough.
    for row in done[-5:]:
        facts = [row.status, *row.notes]
        if times:
            facts.insert(1, seconds(row.duration))
        if row.attempts > 1:
            facts.insert(1, f"{row.attempts} attempts")
        said.append(f"{row.index}: {', '.join(facts)}")
    return " · ".join(said)


def _taken_transitions(run: Run) -> Taken:
    return Counter(
        (call.action, call.goto) for call in run.forward_calls() if call.goto is not None
    )


def _transitions(workflow: StatesWorkflow, taken: Taken) -> Iterator[Edge]:
    """One edge from a state to each that may follow, with all that leads there."""
    for name, state in workflow.states.items():
        # Several conditions may lead to one state: one edge, or the picture draws them over each
        # other.
        ways: dict[str, dict[str, None]] = {}
        for transition in state.transitions:
            ways.setdefault(transition.next_state, {})[condition(transition.condition)] = None
        if state.on_timeout is not None:
            ways.setdefault(state.on_timeout, {})["timeout"] = None
        for after, conditions in ways.items():
            count = taken.get((name, after), 0)
            yield Edge(
                tail=name,
                head=after,
                kind="taken" if count else "transition",
                label=f"{count}×" if count > 1 else "",
                when=" or ".join(conditions),
            )


def _group_edges(workflow: StatesWorkflow, nodes: Sequence[Node]) -> Iterator[Edge]:
    """From a group to the steps that it begins with, and between its steps."""
    begun = {node.id for node in nodes if node.state not in (NOT_RUN, "skipped")}
    for name, state in workflow.states.items():
        for step, needed in state.needs.items():
            if not needed:
                kind: Literal["taken", "transition"] = "taken" if step in begun else "transition"
                yield Edge(tail=name, head=step, kind=kind, when="step")
        yield from _needs(state, nodes)


def _needs(order: StepOrder, nodes: Sequence[Node]) -> Iterator[Edge]:
    # An arrow was taken where what it leads to has begun.
    begun = {node.id for node in nodes if node.state not in (NOT_RUN, "skipped")}
    words = {
        (need.id, step.id): need_words(need)
        for step in order.steps
        for need in step.needs
        if need.may_fail
    }
    for id, needed in order.needs.items():
        for before in needed:
            yield Edge(
                tail=before,
                head=id,
                kind="taken" if id in begun else "transition",
                when=words.get((before, id), ""),
            )
