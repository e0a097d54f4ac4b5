"""Rule 8: a step is stale where it read what its line, run from the top, does not give it."""

from __future__ import annotations

import builtins
from contextlib import suppress
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from tests.amount import times
from tests.core.story import Story, at, begun, counting_and_stale, done, stale
from tests.investigations.core.investigating import investigating
from wfnb.core.commands import (
    AbandonBranch,
    ChangePlainNames,
    ConfirmSteps,
    FinishStep,
    HideSteps,
    MergeBranch,
    ShowSteps,
    Undo,
)
from wfnb.core.events import Cell, Outcome
from wfnb.core.flow import ABSENT, ANY, DATA, DERIVED, LOST, OPEN, PLAIN, Flow, Freshness
from wfnb.core.freshness import kept_version, place_on, sharing
from wfnb.core.queries import lineage
from wfnb.core.replay import replay
from wfnb.core.session import Session, Step
from wfnb.core.validation import MAIN, StepPlace
from wfnb.errors import NoInvestigation, Refused
from wfnb.investigations.core.commands import Backtrack
from wfnb.views.staleness import reason


@dataclass
class Names:
    """A kernel without code: what its names hold, by version and writer. A step reads names and
    writes others; the same code over the same input gives the same version."""

    story: Story
    held: dict[str, tuple[str, int]] = field(default_factory=dict)

    def plain(self, name: str, version: str) -> None:
        self.held[name] = version, PLAIN
        self.story.do(ChangePlainNames(versions={name: version}))

    def run(
        self,
        words: str,
        reads: str = "",
        writes: str = "",
        possible: str = "",
        perhaps: str = "",
        status: str = "ok",
        shares: bool = False,
        runs: str = "",
        **says: object,
    ) -> Step:
        """Run a step. `reads`, `writes`, `possible` and `perhaps` are names of one letter each;
        `shares`: what it writes first and reads first is one object then, and what it writes of
        names that share what it changes it changes under these. `runs`: what it writes first is a
        function that writes the first of these names, and calls the others."""
        self.story.do(begun(words, **says))
        attempt = next(reversed(self.story.session.running))
        key, _ = self.story.session.running[attempt]
        flow = self._flow(key, words, reads, writes, possible, perhaps, shares)
        if writes and runs:
            flow = replace(flow, runs={writes[0]: ((runs[0],), tuple(runs[1:]))})
        self.story.do(FinishStep(attempt=attempt, outcome=Outcome(status=status), flow=flow))
        return self.story.session.steps[key]

    def _flow(
        self,
        key: int,
        words: str,
        reads: str,
        writes: str,
        possible: str,
        perhaps: str,
        shares: bool,
    ) -> Flow:
        found = {name: self.held[name] for name in reads if name in self.held}
        others = {n: self.held[n] for n in perhaps if n in self.held and n not in reads}
        inputs = ",".join(version for version, _ in (*found.values(), *others.values()))
        made = {name: f"{words}.{name}({inputs})" for name in writes}
        before = dict(self.held)
        self.held |= {name: (version, key) for name, version in made.items()}
        near = sharing(self.story.session.freshness, made.keys() & found.keys())
        beside = (near & made.keys() & before.keys()) - found.keys() - others.keys()
        apart = near - made.keys() - found.keys() - others.keys() - set(reads)
        pair = {*writes[:1], *list(found)[:1]}
        return Flow(
            code=words,
            shares={writes[0]: tuple(pair - {writes[0]})} if shares and len(pair) == 2 else {},
            apart={name: self.held.get(name, (ABSENT, 0))[0] for name in apart},
            aliases={name: before[name] for name in beside} if shares else {},
            reads=found,
            absent=tuple(name for name in reads if name not in before),
            writes=made,
            possible=tuple(possible),
            perhaps=others,
            calls_unseen=words in ("b", "read a file"),
        )


def kernel() -> Names:
    return Names(Story())


def load_mean_fix() -> Names:
    """x; y out of x; a correction of x."""
    names = kernel()
    names.run("load", writes="x")
    names.run("mean", reads="x", writes="y")
    names.run("fix", reads="x", writes="x", revises=1)
    return names


def why(names: Names, number: int, branch: str = MAIN) -> str:
    return reason(names.story.session, at(names.story.session, number, branch))


def test_a_step_that_read_what_a_revision_corrects_is_stale_and_says_so():
    names = load_mean_fix()

    assert stale(names.story.session) == ["main:2"]
    assert why(names, 2) == "read x of step 1, which step 3 revises"


def test_run_all_a_second_time_leaves_stale_what_reads_the_old_data_above_the_revision():
    names = load_mean_fix()

    names.run("load", writes="x", number=1)
    names.run("mean", reads="x", writes="y", number=2)
    names.run("fix", reads="x", writes="x", number=3)

    assert stale(names.story.session) == ["main:2"]


def test_a_step_is_fresh_again_once_it_has_read_what_its_line_gives_it():
    names = load_mean_fix()

    names.run("mean", reads="x", writes="y", number=2)

    assert stale(names.story.session) == []


def test_a_step_that_runs_over_a_stale_one_is_stale():
    names = kernel()
    names.run("load", writes="x")
    names.run("mean", reads="x", writes="y")
    names.run("twice", reads="y", writes="z")
    names.run("load better", writes="x", number=1)

    names.run("twice", reads="y", writes="z", number=3)

    assert stale(names.story.session) == ["main:2", "main:3"]
    assert why(names, 3) == "step 2, which it read, is stale"
    names.run("mean", reads="x", writes="y", number=2)
    assert stale(names.story.session) == ["main:3"]
    names.run("twice", reads="y", writes="z", number=3)
    assert stale(names.story.session) == []


def test_a_step_that_reads_nothing_of_what_changed_stays_fresh():
    names = load_mean_fix()
    names.run("other", writes="o")
    names.run("of other", reads="o", writes="p")

    names.run("load better", writes="x", number=1)

    assert "main:5" not in stale(names.story.session)


def test_running_again_what_changes_nothing_makes_nothing_stale():
    names = kernel()
    for _ in range(2):
        names.run("load", writes="x", number=1)
        names.run("mean", reads="x", writes="y", number=2)
        assert stale(names.story.session) == []


def test_a_step_that_ran_after_a_later_one_says_which_changed_its_input():
    names = kernel()
    names.run("load", writes="x")
    names.run("mean", reads="x", writes="y")
    names.run("scale", reads="x", writes="x")

    names.run("mean", reads="x", writes="y", number=2)

    assert why(names, 2) == "ran after step 3, which changed x"


def test_a_change_that_runs_a_second_time_over_its_own_work_is_stale():
    names = kernel()
    names.run("load", writes="x")
    names.run("scale", reads="x", writes="x")

    names.run("scale", reads="x", writes="x", number=2)

    assert why(names, 2) == "it ran again over x, which it had changed itself"


def test_what_came_from_a_branch_is_not_what_main_gives():
    names = kernel()
    names.run("load", writes="x")
    names.run("median", writes="x", branch="median", leaves=StepPlace(number=1))

    names.run("mean", reads="x", writes="y", number=2)

    assert why(names, 2) == "x came from branch `median`"


def test_a_revision_of_an_inherited_step_holds_on_the_branches_that_left_before_it():
    names = kernel()
    names.run("load", writes="x")
    names.run("median", reads="x", writes="m", branch="median", leaves=StepPlace(number=1))

    names.run("fix", reads="x", writes="x", revises=1)

    assert stale(names.story.session) == ["median:2"]


def test_a_branch_that_revises_an_inherited_step_sees_what_follows_it_otherwise():
    names = kernel()
    names.run("load", writes="x")
    names.run("mean", reads="x", writes="y")
    names.run("fix", reads="x", writes="x", branch="b", leaves=StepPlace(number=2), revises=1)

    names.run("use", reads="y", writes="z", branch="b")

    assert stale(names.story.session) == ["b:4"]
    assert why(names, 4, "b") == "step main:2, which it read, runs otherwise on branch b"


def test_a_line_reads_the_work_of_a_branch_that_was_merged_into_it():
    names = kernel()
    names.run("load", writes="x")
    names.run("median", reads="x", writes="m", branch="b", leaves=StepPlace(number=1))
    names.run("use", reads="m", writes="z", number=2)
    assert why(names, 2) == "m came from branch `b`"

    names.story.do(MergeBranch(branch="b"))

    assert stale(names.story.session) == ["main:2"]  # it stands before the merge
    names.run("use again", reads="m", writes="z", number=3)
    assert stale(names.story.session) == ["main:2"]
    names.run("load better", writes="x", number=1)
    assert stale(names.story.session) == ["b:2", "main:2", "main:3"]
    names.story.do(AbandonBranch(branch="b"))
    assert why(names, 3) == "m came from branch `b`"


def test_a_name_of_a_plain_cell_is_good_until_that_gives_it_another_version():
    names = kernel()
    names.plain("k", "5")
    names.run("use", reads="k", writes="y")
    assert stale(names.story.session) == []

    names.plain("k", "6")

    assert why(names, 1) == "k was changed by a cell that is no step"
    names.plain("k", "5")
    assert stale(names.story.session) == []


def test_what_a_plain_cell_made_out_of_steps_is_given_by_no_line():
    names = kernel()
    names.run("load", writes="x")
    names.held["n"] = (f"{LOST}3", DERIVED)

    names.run("use", reads="n", writes="y")

    assert why(names, 2) == "n comes from a cell that is no step, out of what steps made"


def test_a_plain_cell_that_overwrites_a_steps_name_makes_its_readers_stale():
    names = kernel()
    names.run("load", writes="x")
    names.held["x"] = ("0", PLAIN)

    names.run("mean", reads="x", writes="y")

    assert why(names, 2) == "x was changed by a cell that is no step"


def test_a_stale_step_may_have_changed_what_it_handed_on():
    names = kernel()
    names.run("flag", writes="f")
    names.run("df", writes="d")
    names.run("maybe", reads="fd", possible="d")
    names.run("use", reads="d", writes="u")
    assert stale(names.story.session) == []

    names.run("flag on", writes="f", number=1)

    assert stale(names.story.session) == ["main:3", "main:4"]
    names.run("maybe", reads="fd", possible="d", number=3)
    assert stale(names.story.session) == []


def test_a_step_that_was_fresh_before_keeps_what_it_gave_while_it_ran_over_the_wrong_input():
    names = load_mean_fix()
    names.run("mean", reads="x", writes="y", number=2)
    names.run("use", reads="y", writes="z")

    names.run("load", writes="x", number=1)
    names.run("mean", reads="x", writes="y", number=2)

    assert stale(names.story.session) == ["main:2"]


def test_what_a_step_reads_from_outside_is_as_its_newest_attempt_found_it():
    names = kernel()
    names.run("load", writes="x")
    names.run("read a file", reads="x", writes="xy")
    names.run("use", reads="y", writes="z")

    names.run("read a file", reads="x", writes="xy", number=2)

    assert stale(names.story.session) == ["main:2", "main:3"]
    assert why(names, 3) == "step 2, which it read, is stale"


def test_a_failed_step_gives_what_it_wrote_and_an_interrupted_one_nothing_that_is_known():
    names = kernel()
    names.run("load", writes="x", status="failed")
    names.run("use", reads="x", writes="y")
    assert stale(names.story.session) == []

    names.run("load", writes="x", number=1, status="interrupted")

    assert "main:2" not in stale(names.story.session)  # it would write that again
    names.run("load slowly", writes="x", number=1, status="interrupted")
    assert stale(names.story.session) == ["main:2"]


def test_what_is_confirmed_holds_for_these_inputs_and_no_others():
    names = load_mean_fix()
    names.run("use", reads="y", writes="z")

    names.story.do(ConfirmSteps(places=(StepPlace(number=2),)))

    assert stale(names.story.session) == []
    names.run("fix more", reads="x", writes="x", number=3)
    assert "main:2" in stale(names.story.session)


def test_what_is_confirmed_is_this_result_and_not_that_of_another_run():
    names = kernel()
    names.run("load", writes="x")
    names.run("double", reads="x", writes="x")
    names.run("double", reads="x", writes="x", number=2)
    names.story.do(ConfirmSteps(places=(StepPlace(number=2),)))
    assert stale(names.story.session) == []

    names.run("double", reads="x", writes="x", number=2)

    assert stale(names.story.session) == ["main:2"]


def test_what_is_confirmed_over_a_stale_step_holds_until_that_would_read_something_else():
    names = kernel()
    names.run("load", writes="x")
    names.run("mean", reads="x", writes="y")
    names.run("twice", reads="y", writes="z")
    names.run("use", reads="z", writes="u")
    names.run("load better", writes="x", number=1)

    names.story.do(ConfirmSteps(places=(StepPlace(number=4),)))

    assert stale(names.story.session) == ["main:2", "main:3"]
    names.run("load best", writes="x", number=1)
    assert stale(names.story.session) == ["main:2", "main:3", "main:4"]
    names.run("load better", writes="x", number=1)
    assert stale(names.story.session) == ["main:2", "main:3"]


def test_an_alternative_sees_what_was_merged_before_it_was_begun_and_nothing_later():
    names = kernel()
    names.run("load", writes="x")
    fork = StepPlace(number=1)
    for branch in ("median", "mean"):
        names.run("load", writes="x", number=1)
        names.run(branch, reads="x", writes="x", branch=branch, leaves=fork)

    names.story.do(MergeBranch(branch="median"))
    names.run("use", reads="x", branch="later", leaves=fork)

    assert stale(names.story.session) == ["later:2"]  # it read the x of `mean`
    assert why(names, 2, "later") == "x came from branch `mean`"


@pytest.mark.parametrize("plan", ["a", "ab"])
def test_undo_takes_back_what_made_a_step_stale(plan):
    names = load_mean_fix()

    names.story.do(Undo())

    assert stale(names.story.session) == []


def test_an_attempt_of_code_that_nobody_observed_is_in_doubt():
    story = Story(begun("load", cell=Cell(id="c", source="%%step load\nx = 1")))
    story.do(FinishStep(attempt=next(iter(story.session.running)), outcome=Outcome()))

    assert reason(story.session, at(story.session, 1)) == "what it read is not known"
    story.do(ConfirmSteps())
    assert stale(story.session) == []


# the index against going through all of a line


def line_order(session: Session, line: str) -> list[Step]:
    """All steps that a run of the line from the top passes, in order."""
    steps = []
    for step in session.steps.values():
        place = place_on(session, line, step)
        if place is not None and step.is_counting and step.flow is not None:
            steps.append((place, step.key, step))
    return [step for _, _, step in sorted(steps)]


Rests = frozenset[tuple[int, str, str, str]]


def called_by(known: Freshness, names: set[str]) -> set[str]:
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
    known = session.freshness
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


def test_what_an_undone_step_left_in_the_kernel_may_be_read():
    names = kernel()
    names.run("load", writes="x")
    names.run("scale", writes="x")
    names.story.do(Undo())

    names.run("eval", perhaps="x")

    assert replay(names.story.log) == names.story.session
    assert stale(names.story.session) == ["main:2"]


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
                    assert dict(session.freshness.outputs.get(key, {})) == gives[key]


def test_a_flow_that_was_done_at_once_counts_as_well():
    names = load_mean_fix()
    flow = Flow(reads={"x": names.held["x"]})

    names.story.do(done("words that rest on x", flow=flow))

    assert stale(names.story.session) == ["main:2"]
    names.run("fix again", reads="x", writes="x", number=3)
    assert "main:4" in stale(names.story.session)


def test_a_step_that_failed_for_want_of_a_function_may_change_whatever_that_changes():
    names = kernel()
    names.run("setup", writes="zf")
    del names.held["f"]  # the kernel was started again
    names.run("call", reads="f", status="failed")
    names.run("setup", writes="zf", number=1)
    names.run("show", reads="z", writes="y")
    names.run("count", reads="y")

    assert stale(names.story.session) == ["main:2", "main:3", "main:4"]
    assert why(names, 3) == "step 2, which gives it z, is stale"


def test_who_calls_a_stale_function_may_change_what_its_new_version_changes():
    names = kernel()
    names.run("setup", writes="zx")
    names.run("define", writes="f", runs="x")
    names.run("call", reads="f", writes="x")
    names.run("show", reads="z", writes="y")
    assert stale(names.story.session) == []
    names.run("define otherwise", writes="f", runs="z", revises=2)

    assert stale(names.story.session) == ["main:3", "main:4"]


def test_a_name_that_a_step_may_have_bound_to_what_it_held_is_open_once_that_is_another():
    names = kernel()
    names.run("load", writes="x")
    version, _ = names.held["x"]
    maybe = Flow(code="maybe", unsure={"x": version})
    names.story.do(done("maybe", flow=maybe))
    names.run("use", reads="x", writes="u")
    assert stale(names.story.session) == []

    names.run("load better", writes="x", number=1)
    names.run("use", reads="x", writes="u", number=3)

    assert stale(names.story.session) == ["main:3"]
    assert why(names, 3) == "step 2, which gives it x, may have left x as it was"


def test_a_name_that_shared_an_object_is_open_after_a_change_of_it_once_it_holds_another():
    names = kernel()
    names.run("list", writes="a")
    names.run("same", reads="a", writes="b", shares=True)
    names.run("append", reads="a", writes="a")
    names.run("use", reads="b", writes="u")
    assert stale(names.story.session) == []

    names.run("another", writes="b", number=2)
    names.run("use", reads="b", writes="u", number=4)

    assert stale(names.story.session) == ["main:4"]


def test_a_branch_sees_what_was_merged_after_the_step_that_it_leaves():
    names = kernel()
    names.run("load", writes="x")
    names.run("median", reads="x", writes="m", branch="b", leaves=StepPlace(number=1))
    names.story.do(MergeBranch(branch="b"))

    names.run("use", reads="m", branch="later", leaves=StepPlace(number=1))

    assert stale(names.story.session) == []


def test_code_that_cannot_be_seen_is_not_taken_to_write_again_what_it_once_wrote():
    names = kernel()
    for version in ("1", "2", "1"):
        names.run("load", writes="x", number=1)
        names.plain("k", version)
        names.run("eval", perhaps="xk", writes="y", number=2)
    names.run("use", reads="y", writes="z")
    assert stale(names.story.session) == []

    names.plain("k", "2")

    assert stale(names.story.session) == ["main:2", "main:3"]


def test_a_value_is_of_the_version_that_its_name_had_when_it_was_kept():
    flow = Flow(reads={"a": ("A", 1)}, writes={"b": "B"}, held={"c": ("C", PLAIN)})
    step = Step(key=7, number=1, branch=MAIN, versions=[])
    assert kept_version(step, "a") is None

    step.kept_flow = flow

    assert [kept_version(step, name) for name in "abcd"] == [("A", 1), ("B", 7), ("C", PLAIN), None]


def test_what_a_step_changed_under_another_name_is_open_where_that_is_another_object():
    names = kernel()
    names.run("s", writes="a")
    names.run("t", reads="a", writes="b", shares=True)
    names.run("u", reads="a", writes="ab", shares=True)
    names.run("v", reads="b", writes="c")
    assert stale(names.story.session) == []

    names.run("w", writes="b", number=2)

    assert stale(names.story.session) == ["main:4"]


@pytest.mark.parametrize("order", ["merge own more", "more merge own", "own more merge"])
def test_a_line_sees_once_what_was_merged_into_one_that_it_left_and_merged_later(order: str):
    names = kernel()
    names.run("s", writes="a")
    names.run("t", writes="b", branch="alt", leaves=StepPlace(number=1))
    names.run("u", writes="c", branch="sub", leaves=StepPlace(number=2, branch="alt"))
    for word in order.split():
        if word == "merge":
            names.story.do(MergeBranch(branch="sub"))
        elif word == "own":
            names.run("w", writes="d", branch="own", leaves=StepPlace(number=2, branch="alt"))
        else:
            names.run("v", writes="e", branch="alt")
    names.story.do(MergeBranch(branch="alt", into="own"))
    names.run("x", reads="ce", branch="own")
    assert stale(names.story.session) == []

    names.run("other", writes="c", branch="sub", number=3)

    assert stale(names.story.session) == ["own:4"]


def attempts(names: Names, number: int | None, *flows: Flow, status: str = "ok") -> Step:
    """Attempts of one step, each with the flow that it is seen to have."""
    for flow in flows:
        names.story.do(begun(flow.code, number=number))
        attempt = next(reversed(names.story.session.running))
        key, _ = names.story.session.running[attempt]
        names.story.do(FinishStep(attempt=attempt, outcome=Outcome(status=status), flow=flow))
    return names.story.session.steps[key]


def given_by(names: Names, step: Step) -> dict[str, str]:
    return dict(names.story.session.freshness.outputs[step.key])


def test_a_name_that_the_same_code_bound_before_over_the_same_inputs_it_bound_again():
    names = kernel()
    names.run("load", writes="c")
    reads = {"c": names.held["c"]}
    bound = Flow(code="maybe", reads=reads, writes={"x": "X", "y": "Y"})
    again = Flow(code="maybe", reads=reads, writes={"y": "Y2"}, unsure={"x": "X", "z": "Z"})

    step = attempts(names, 2, bound, again)

    assert given_by(names, step) == {"x": "X", "y": "Y2", "z": f"{OPEN}{step.key}"}
    other = replace(again, code="another")
    assert given_by(names, attempts(names, 2, other)) == {
        "x": f"{OPEN}{step.key}",
        "y": "Y2",
        "z": f"{OPEN}{step.key}",
    }


def test_what_was_interrupted_gives_what_it_wrote_once_a_person_says_that_it_holds():
    names = kernel()
    names.run("load", writes="c")
    flow = Flow(code="slow", reads={"c": names.held["c"]}, writes={"x": "X"})

    step = attempts(names, 2, flow, status="interrupted")
    assert given_by(names, step) == {"x": f"{OPEN}{step.key}"}
    names.story.do(ConfirmSteps(places=(StepPlace(number=2),)))
    assert not step.certain  # it was not stale: nothing was to be confirmed

    names.run("load better", writes="c", number=1)
    names.story.do(ConfirmSteps(places=(StepPlace(number=2),)))
    assert given_by(names, at(names.story.session, 2)) == {"x": "X"}
    attempts(names, 2, flow, status="interrupted")
    assert stale(names.story.session) == []
    assert given_by(names, at(names.story.session, 2)) == {"x": f"{OPEN}{step.key}"}


def test_of_what_reads_files_only_the_names_are_open_that_its_attempts_wrote_otherwise():
    names = kernel()
    names.run("load", writes="x")
    one = {"x": names.held["x"]}
    first = Flow(code="read", reads=one, writes={"y": "1", "same": "0", "gone": "2"})
    names.run("load better", writes="x", number=1)
    two = {"x": names.held["x"]}
    second = Flow(code="read", reads=two, writes={"y": "3", "same": "0", "new": "4"})

    step = attempts(names, 2, first, replace(second, calls_unseen=True))
    assert given_by(names, step) == {"y": "3", "same": "0", "new": "4"}
    names.run("load", writes="x", number=1)

    unknown = f"{OPEN}{step.key}"
    assert given_by(names, step) == {"y": unknown, "same": "0", "gone": unknown, "new": unknown}
    attempts(names, 2, replace(first, calls_unseen=True), second)
    assert given_by(names, step) == {"y": "1", "same": "0", "gone": "2"}


@pytest.mark.parametrize(
    ("name", "is_open"), [("q", True), ("len", False), ("a file", False), ("x", True)]
)
def test_what_failed_for_want_of_a_function_may_write_any_name_but_none_of_pythons_own(
    name, is_open
):
    names = kernel()
    names.run("load", writes="x")
    attempts(names, 2, Flow(code="call", absent=("f",)), status="failed")
    held = {"x": names.held["x"]} if name == "x" else {}

    attempts(names, 3, Flow(code="use", reads=held, absent=() if held else (name,)))
    assert stale(names.story.session) == []  # there is no function that could have been called

    names.story.do(ChangePlainNames(versions={"f": "a function"}))
    assert stale(names.story.session) == ["main:2", *(["main:3"] if is_open else [])]

    names.story.do(ChangePlainNames(versions={"f": f"{DATA}5"}))  # nobody can call a number
    assert stale(names.story.session) == ["main:2"]


def test_a_function_that_failed_for_want_of_a_builtin_is_known():
    names = kernel()
    step = attempts(
        names, 1, Flow(code="call", absent=("len",), writes={"x": "1"}), status="failed"
    )

    assert given_by(names, step) == {"x": "1"}


@pytest.mark.parametrize("gives", ["", "2"])
def test_a_name_that_is_not_there_is_not_changed_under_another_one(gives):
    names = kernel()
    for code, writes in (("one", {"a": "A"}), ("two", {"b": "B"} if gives else {})):
        attempts(names, None, Flow(code=code, writes=writes))
    flow = Flow(
        code="append",
        reads={"a": ("A", 2)},
        writes={"a": "A2", "b": "B2"},
        aliases={"b": ("before", 3)},
    )

    step = attempts(names, None, flow)

    assert given_by(names, step) == {"a": "A2", **({"b": f"{OPEN}{step.key}"} if gives else {})}


def test_who_calls_what_calls_a_function_that_may_do_more_now_may_do_more():
    names = kernel()
    names.run("setup", writes="zx")
    names.run("inner", writes="g", runs="x")
    names.run("outer", writes="f", runs="xg")
    names.run("call", reads="f", writes="x")
    names.run("show", reads="z", writes="y")
    names.run("more", writes="o")

    names.run("inner otherwise", writes="g", runs="z", number=2)

    session = names.story.session
    index = session.freshness.lines[MAIN]
    assert index.through == {at(session, 4).key: frozenset("z")}
    names.run("outer otherwise", writes="f", runs="xg", number=3)
    assert stale(names.story.session) == ["main:4", "main:5"]
