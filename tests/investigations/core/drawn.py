"""What Hypothesis draws of investigations: kinds, looks, what a step says, and other commands."""

from __future__ import annotations

from hypothesis import strategies as st

from wfnb.core.commands import ClearSession, Command, Redo, Undo
from wfnb.core.events import Cell
from wfnb.core.findings import Findings, Look
from wfnb.core.validation import StepPlace
from wfnb.investigations.core.commands import Backtrack, ChooseKind, ExtendTotal, LookAt, TakeAdvice
from wfnb.investigations.core.events import Advice, CarriedFindings
from wfnb.investigations.core.kind_reader import builtin_kinds

KINDS = ("debug", "debug", "refactor", "thinkdeep", "planner", "docgen", "consensus")
CARRIED = CarriedFindings(
    session="before",
    kind="analyze",
    found=Findings(findings=("a",), relevant=("x",), files=("x", "y")),
    fields={"num_files_documented": 1},
)
said = st.fixed_dictionaries(
    {},
    optional={
        "finding": st.sampled_from(("a", "b", ["A ", "c"], "d" * 60)),
        "hypothesis": st.sampled_from(("h", "H", "i")),
        "confidence": st.sampled_from(("low", "high", "certain", "complete")),
        "files": st.sampled_from(("x", ["x", "y"])),
        "relevant": st.sampled_from(("x", "z")),
        "context": st.just("f"),
        "issues": st.sampled_from(("low: z", ["high: w", "low: z"])),
    },
)
kinds = st.builds(
    ChooseKind,
    kind=st.none() | st.sampled_from(KINDS).map(lambda name: builtin_kinds()[name]),
    pause=st.booleans(),
    reviewer=st.sampled_from((None, "alice")),
    carried=st.sampled_from((None, None, CARRIED)),
    cell=st.sampled_from((None, None, *(Cell(id=id, source="%wfnb kind") for id in "ab"))),
)
looks = st.builds(
    Look,
    kind=st.sampled_from(("cell", "file")),
    what=st.sampled_from("uvw"),
    files=st.sampled_from(((), ("x",))),
)
others: st.SearchStrategy[Command] = st.one_of(
    st.builds(LookAt, looks=st.tuples(looks)),
    st.builds(Backtrack, place=st.builds(StepPlace, number=st.integers(1, 5))),
    st.builds(ExtendTotal, more=st.integers(0, 2), reason=st.just("more to see")),
    st.builds(
        TakeAdvice,
        advice=st.tuples(
            st.builds(Advice, adviser=st.just("bob"), role=st.just("model"), error=st.none())
        ),
        step=st.integers(1, 9),
    ),
    kinds,
    st.sampled_from((Undo(), Undo(), Redo(), ClearSession())),
)
