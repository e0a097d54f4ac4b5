"""steps that read and write names -> a session, as a kernel without code would record it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tests.core.story import Story, at, begun
from wfnb.core.commands import (
    ChangePlainNames,
    FinishStep,
)
from wfnb.core.data_flow import ABSENT, PLAIN, Flow
from wfnb.core.events import Outcome
from wfnb.core.session import Step
from wfnb.core.staleness import sharing
from wfnb.core.validation import MAIN
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
        near = sharing(self.story.session.staleness, made.keys() & found.keys())
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


def attempts(names: Names, number: int | None, *flows: Flow, status: str = "ok") -> Step:
    """Attempts of one step, each with the flow that it is seen to have."""
    for flow in flows:
        names.story.do(begun(flow.code, number=number))
        attempt = next(reversed(names.story.session.running))
        key, _ = names.story.session.running[attempt]
        names.story.do(FinishStep(attempt=attempt, outcome=Outcome(status=status), flow=flow))
    return names.story.session.steps[key]
