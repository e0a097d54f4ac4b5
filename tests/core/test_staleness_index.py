"""Which steps are stale, by the index of a session, is what a walk through each line gives."""

from __future__ import annotations

import builtins
from contextlib import suppress

from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from tests.amount import times
from tests.core.kernel_names import Names
from tests.core.story import Story, counting_and_stale
from tests.investigations.core.investigating import investigating
from wfnb.core.commands import (
    ConfirmSteps,
    HideSteps,
    MergeBranch,
    ShowSteps,
    Undo,
)
from wfnb.core.data_flow import ABSENT, ANY, LOST, OPEN, PLAIN, Staleness
from wfnb.core.queries import lineage
from wfnb.core.run_all_order import place_on
from wfnb.core.session import Session, Step
from wfnb.core.staleness import sharing
from wfnb.core.validation import MAIN, StepPlace
from wfnb.errors import NoInvestigation, Refused
from wfnb.investigations.core.commands import Backtrack


def line_order(session: Session, line: str) -> list[Step]:
    """All steps that a run of the line from the top passes, in order."""
    steps = []
    for step in session.steps.values():
        place = place_on(session, line, step)
        if place is not None and step.is_counting and step.flow is not None:
            steps.append((place, step.key, step))
    return [step for _, _, step in sorted(steps)]


Rests = frozenset[tuple[int, str, str, str]]


def called_by(known: Staleness, names: set[str]) -> set[str]:
    """Those of the names that are functions, and all that these call."""
    called = names & known.runs.keys()
    while more := {n for each in called for n in known.runs[each][1]} & known.runs.keys() - called:
        called |= more
    return called


def walked(
    session: Session, line: str, passed: frozenset[str] = frozenset()
) -> tuple[dict[int, bool], dict[int, dict[str, str]], dict[str, Rests]]:
    """Whether each step of a line is stale on it, what it gives, by going through all; and on what
    each version rests that nobody knows."""
    known = session.staleness
    holds: dict[str, str] = {}
    is_stale, gives = {}, {}
    rests: dict[str, Rests] = {}

    def held(name: str, default: str) -> str:
        unknown = holds.get(ANY, default) if not hasattr(builtins, name) else default
        return holds.get(name, unknown)

    def hold(given: dict[str, str]) -> None:
        if ANY in given:  # nobody knows what it calls, so it may write all there is
            holds.update(dict.fromkeys(holds, given[ANY]))
        holds.update(given)

    own = {part.id for part, _ in lineage(session, session.lines[line])}
    for step in line_order(session, line):
        flow = step.flow
        if step.branch not in own:  # it was merged, with what its own line gave
            gives[step.key] = dict(known.outputs.get(step.key, {}))
            is_stale[step.key] = False
            hold(gives[step.key])
            if step.branch not in passed:  # two may be merged into each other
                rests |= walked(session, step.branch, passed | {line})[2]
            continue
        names = [*flow.reads, *flow.absent]
        given = {name: held(name, known.plain.get(name, ABSENT)) for name in names}
        maybe = {name: held(name, known.plain.get(name, ABSENT)) for name in flow.perhaps}
        meant = {name: version for name, version in maybe.items() if version != ABSENT}
        was = {name: version for name, (version, _) in flow.reads.items()}
        same = all(
            given[name] == was.get(name, ABSENT) and not given[name].startswith(LOST)
            for name in names
        )
        same &= all(meant[n] == flow.perhaps[n][0] and not meant[n].startswith(LOST) for n in meant)
        given |= meant
        inputs = frozenset(given.items())
        mine_now = {(step.key, flow.code, name, version) for name, version in inputs}
        open_of = frozenset(mine_now.union(*(rests.get(version, ()) for _, version in inputs)))
        rests[f"{OPEN}{step.key}"] = open_of
        read = {**flow.perhaps, **flow.reads}.items()
        seen = {(step.key, "", name, version) for name, (version, _) in read}
        if known.confirmed.get(step.key) == open_of | seen:
            same = True
        is_stale[step.key] = not same
        others = {n: v for n, (v, by) in flow.perhaps.items() if by == PLAIN or by in gives}
        mine = frozenset({**dict.fromkeys(flow.absent, ABSENT), **others, **was}.items())
        good = same and step.certain
        before = known.names_written.get((step.key, flow.code), ())  # any attempt of this code
        named = {*(flow.reads.keys() & flow.writes.keys()), *flow.aliases}
        near = sharing(known, named)
        called = called_by(known, flow.names_needed())
        through = sharing(known, {n for each in called for n in known.runs[each][0]})
        lost = dict.fromkeys(
            (*flow.writes, *flow.possible, *before, *near, *through), f"?{step.key}"
        )
        if not any(given[name] != ABSENT and name not in known.runs for name in flow.absent):
            lost.pop(ANY, None)
        key = (step.key, flow.code, mine if good else inputs)
        sure = good or not any(version.startswith((LOST, OPEN)) for version in given.values())
        again = known.outputs_of_inputs.get(key) if sure and (good or not flow.perhaps) else None
        otherwise = flow.writes if good else lost
        wrote, ran = (otherwise, flow) if again is None else again
        gives[step.key] = dict(wrote)
        if flow.calls_unseen and not good and again is not None and ran is not flow:
            for name in wrote.keys() | flow.writes.keys():  # a file that it reads may be another
                if wrote.get(name) != flow.writes.get(name):
                    gives[step.key][name] = f"?{step.key}"
        if good or again is not None:  # what it changes may have another name, with another object
            for name in near - ran.names_needed() - gives[step.key].keys():
                if held(name, ABSENT) not in (ABSENT, ran.apart.get(name)):
                    gives[step.key][name] = f"?{step.key}"
            for name, (version, _) in ran.aliases.items():
                now = held(name, known.plain.get(name, ABSENT))
                if now == ABSENT:
                    del gives[step.key][name]
                elif now != version:
                    gives[step.key][name] = f"?{step.key}"
        hold(gives[step.key])
    return is_stale, gives, rests


names = st.text("xyz", max_size=2)


moves = st.lists(
    st.tuples(
        st.sampled_from(
            (
                *("new", "new", "again", "edit", "revise", "branch", "plain", "confirm", "merge"),
                *("hide", "show", "backtrack", "undo"),
            )
        ),
        st.integers(0, 30),
        st.sampled_from("abc"),
        names,
        names,
        names,
        st.sampled_from(("", "", "", "xy", "xyz")),
        st.sampled_from(("ok", "ok", "ok", "failed", "interrupted")),
        st.booleans(),
        names,
    ),
    max_size=25,
)


@drawn(moves)
@settings(max_examples=times(50, 400), deadline=None)
def test_the_index_agrees_with_going_through_every_line(moves):
    kernel = Names(Story(investigating("planner", pause=False)))
    flows: dict[tuple[str, int], tuple[str, ...]] = {}
    for what, pick, words, reads, writes, possible, perhaps, status, shares, runs in moves:
        session = kernel.story.session
        steps = list(session.steps.values())
        says: dict[str, object] = {}
        code = (words, reads, writes, possible, perhaps)
        if what == "plain":
            kernel.plain((reads or "x")[0], words)
        elif what == "confirm":
            kernel.story.do(ConfirmSteps())
        elif what == "merge":
            branches = [name for name in session.lines if name != MAIN]
            into = [None, *session.lines][pick % (len(session.lines) + 1)]
            if branches:
                with suppress(Refused):
                    branch = branches[pick % len(branches)]
                    kernel.story.do(MergeBranch(branch=branch, into=into))
        elif what == "show":
            kernel.story.do(ShowSteps())
        elif what == "undo":
            with suppress(Refused):
                kernel.story.do(Undo())  # what was undone has written what is there still
        elif what in ("hide", "backtrack"):
            if steps:
                step = steps[pick % len(steps)]
                place = StepPlace(number=step.number, branch=step.branch)
                hide = HideSteps(places=(place,))
                with suppress(NoInvestigation):  # where the investigation itself was undone
                    kernel.story.do(hide if what == "hide" else Backtrack(place=place))
        else:
            if steps and what != "new":
                step = steps[pick % len(steps)]
                if what in ("again", "edit"):
                    says = {"number": step.number, "branch": step.branch}
                    if what == "again":
                        code = flows.get((step.branch, step.number), code)
                elif what == "revise":
                    says = {"revises": step.number, "branch": step.branch}
                else:
                    branch = f"b{len(session.lines)}"
                    leaves = StepPlace(number=step.number, branch=step.branch)
                    says = {"branch": branch, "leaves": leaves}
                    if pick % 3 == 0:
                        says["revises"] = step.number
            try:
                ran = kernel.run(*code, status=status, shares=shares, runs=runs, **says)
            except Refused:
                continue
            flows[ran.branch, ran.number] = code
        session = kernel.story.session
        assert session.stale == counting_and_stale(session)
        for line in session.lines:
            is_stale, gives, _ = walked(session, line)
            for key in is_stale:
                step = session.steps[key]
                if step.branch == line:
                    assert bool(step.doubts) == is_stale[key], (line, step.number)
                    assert dict(session.staleness.outputs.get(key, {})) == gives[key]
