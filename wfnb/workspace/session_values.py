"""a session and a namespace -> values kept at a step, and brought back.

What reads and writes them is heavy, and is imported by the first that keeps or restores something.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from traceback import print_exc
from typing import TYPE_CHECKING, Any

from wfnb.core.commands import ChooseKeeping, FinishStep, KeepValues
from wfnb.core.events import KeepingChosen, Outcome
from wfnb.core.findings import Look
from wfnb.core.flow import Flow, with_content_versions
from wfnb.core.kept_values import KeptValue, KeptValues
from wfnb.core.queries import line_steps
from wfnb.core.session import Step
from wfnb.core.validation import MAIN, Place
from wfnb.core.value_sources import Source, sources, steps_until, version
from wfnb.errors import (
    BadValue,
    KeptBefore,
    NothingKept,
    StepNotRunning,
    listing,
)
from wfnb.views.words import refer

from .as_of import check_whole, notes_on, plan, read, read_apart, wanted_values
from .session_store import SessionStore
from .value_requests import (
    LAST,
    KeepRequest,
    PreparedValues,
    Values,
    careful,
    check_names_known,
    compare_values,
    found_same,
    kept_values_of,
    names_of,
    no_such,
)

if TYPE_CHECKING:
    from wfnb.views.restore_result import Restoration
    from wfnb.views.value_differences import Differences


class SessionValues(SessionStore):
    """A session whose steps keep values."""

    # keeping

    def keep(self, step: int | str | Place, values: Mapping[str, Any]) -> KeptValues:
        """Keep values with a step that exists, by name. What cannot be kept says why
        (`kept.not_kept`), and the others are. They take the place of what the step kept before."""
        return self.keep_with(self.find(step), values, None)

    def keep_with(self, step: Step, values: Mapping[str, Any], attempt: int | None) -> KeptValues:
        """Keep values with a step; as those of its attempt that began there, where it is said."""
        with self._keeper.hold_store():
            kept = self._store_values(values, tuple(values), step.key)
            self.do(KeepValues(step=step.key, kept=kept, attempt=attempt))
        return kept

    def keeping(
        self, *names: str, secrets: Iterable[str] | None = None, budget: int | None = None
    ) -> KeepingChosen:
        """Choose what a cell's step keeps where it does not say so itself (`"none"`: nothing), the
        patterns of names that are never kept, the bytes that the session's values may take up.
        Returns what is chosen."""
        patterns = None if secrets is None else tuple(secrets)
        self.do(ChooseKeeping(keep=names or None, secrets=patterns, budget=budget))
        return self.session.keeping or KeepingChosen()

    def finish(
        self,
        attempt: int,
        outcome: Outcome,
        wanted: KeepRequest | None = None,
        flow: Flow | None = None,
        looks: Sequence[Look] = (),
    ) -> Step:
        """Record how the attempt that began at position `attempt` ended (`Step.running`), what is
        kept of it, and what it read and wrote (None: that is not known). In an investigation
        `looks` are what its code looked at. StepNotRunning where it was undone or run again
        elsewhere meanwhile."""
        if wanted is None:
            return self._finish(attempt, outcome, None, flow, looks)
        with self._keeper.hold_store():
            kept = self._keep_wanted(wanted, attempt)
            if flow is not None and kept is not None:
                flow = with_content_versions(flow, kept)
            return self._finish(attempt, outcome, kept, flow, looks)

    def _counts(self, step: Step) -> Mapping[str, Any]:
        """What an investigation counts when the code of a step has ended, by its fields."""
        return {}

    def _finish(
        self,
        attempt: int,
        outcome: Outcome,
        kept: KeptValues | None,
        flow: Flow | None,
        looks: Sequence[Look],
    ) -> Step:
        with self._lock:
            if attempt not in self.session.running and attempt not in self.refresh().running:
                raise StepNotRunning(attempt)
            key, _ = self.session.running[attempt]
            ended = FinishStep(
                attempt=attempt,
                outcome=outcome,
                kept=kept,
                flow=flow,
                looks=tuple(looks),
                fields=self._counts(self.session.steps[key]),
            )
            self.do(ended)
            return self.session.steps[key]

    def _keep_wanted(self, wanted: KeepRequest, attempt: int) -> KeptValues | None:
        from wfnb.values import choose_values  # noqa: PLC0415  only where values are kept

        found, unknown = choose_values(wanted.names, wanted.namespace)
        values = {name: value for name, value in found.items() if name.isidentifier()}
        if not wanted.strict and not values:
            return None
        step, _ = self.session.running.get(attempt, (None, None))
        kept = self._store_values(values, wanted.asked, step, wanted.namespace)
        lost = [name for name in unknown if name in wanted.asked] if wanted.strict else []
        missing = [
            KeptValue(name=name, type="", why_not=no_such(name, wanted.namespace)) for name in lost
        ]
        return replace(kept, values=(*kept.values, *missing))

    def _store_values(
        self,
        values: Mapping[str, Any],
        asked: tuple[str, ...],
        step: int | None,
        namespace: Mapping[str, Any] | None = None,
    ) -> KeptValues:
        """Written, or why not: an interrupt leaves what was to be kept unkept, and nothing half.
        What the step kept before does not count against the budget: this takes its place."""
        chosen = self.session.keeping or KeepingChosen()
        more: dict[str, Any] = {} if chosen.budget is None else {"budget": chosen.budget}
        if chosen.secrets is not None:
            more["secrets"] = chosen.secrets
        try:
            return self._keeper.keep(
                values,
                asked=asked,
                namespace=namespace,
                counted=lambda: self._other_blobs(step),
                beside=self._kept_before(step, values, namespace or {}),
                **more,
            )
        except (KeyboardInterrupt, Exception) as error:
            why = "keeping it was interrupted"
            if isinstance(error, Exception):  # a fault of ours: the step has run, and ends
                print_exc()
                why = f"keeping it failed ({type(error).__name__})"
            lost = [KeptValue(name=name, type="", why_not=why) for name in values]
            return KeptValues(values=tuple(lost), asked=asked)

    def _kept_before(
        self, step: int | None, values: Mapping[str, Any], namespace: Mapping[str, Any]
    ) -> dict[str, Any]:
        """What steps before it on its line kept, as it is now."""
        last = self.session.steps.get(step) if step is not None else None
        earlier = [] if last is None else steps_until(self.session, last)[:-1]
        names = {name: None for one in earlier for name in names_of(one)}
        there = namespace.keys() - values.keys()
        return {name: namespace[name] for name in names if name in there}

    # restoring

    def restore(
        self,
        step: int | str | Place = LAST,
        *names: str,
        into: dict[str, Any] | None = None,
        alone: bool = False,
    ) -> Values:
        """The newest values that the line of a step had kept when it ended (all, or those named),
        as new objects; `"alt"` is the last step of branch alt that kept some, `"last"` that of the
        chosen line. `alone`: only what that step kept itself. `into` is a namespace to put them
        into: what is there as it was kept stays, the same object. What did not come back is in
        `missing`, by name.

        NothingKept, ValueNotKept, StoreForeign, BadValue where `into` is no dict."""
        if into is not None and not isinstance(into, dict):
            raise BadValue("into", f"{into!r:.80}", "a namespace to put them into, as globals()")
        last = self.kept_step(step, alone=alone)
        found, kept = wanted_values(self.session, last, names, alone)
        if into is None:
            back = read_apart(self._keeper, found)
            values = back.values
        else:
            _, back = read(self._keeper, found, into, exact=False)
            into.update(back.also | back.values)
            back.give_back()
            there = {*back.values, *back.left}
            values = {name: into[name] for name in kept.names if name in there}
        return Values(values, {lost.name: lost.why for lost in back.missing})

    def plan(
        self,
        step: int | str | Place,
        names: Iterable[str],
        namespace: dict[str, Any],
        *,
        exact: bool = False,
        alone: bool = False,
    ) -> Restoration:
        """What `prepare` would put into a namespace. Nothing of what was kept is run."""
        from wfnb.views.restore_result import Restoration  # noqa: PLC0415  only where it is asked

        last = self.kept_step(step, exact, alone)
        found, kept = wanted_values(self.session, last, names, alone)
        planned = plan(self._keeper, found, namespace, exact)
        lost = [entry.name for entry in planned.names if entry.way == "cannot"]
        planned, why = careful(planned, kept, lost)
        return Restoration(last, kept, planned, self._notes(last, found) + why)

    def prepare(
        self,
        step: int | str | Place | Step,
        names: Iterable[str],
        namespace: dict[str, Any],
        *,
        exact: bool = False,
        alone: bool = False,
        whole: bool = False,
    ) -> PreparedValues:
        """The newest values that the line of a step had kept when it ended, or (`alone`) that it
        kept itself, read, to be put into a namespace; what is there as it was kept stays the object
        that it is. `exact` takes out of it the names that were not there at that step, unless
        something that was kept does not come back. `whole`: NotRestored where something that was
        to be kept does not, and KeptBefore where a step has changed or failed since it kept some,
        because what goes on from the rest, or from that, would be wrong.

        NothingKept, NamesUnknown, ValueNotKept, StoreForeign."""
        from wfnb.values.lookups import looked_up  # noqa: PLC0415  only where it is asked
        from wfnb.views.restore_result import Restoration, kept_before  # noqa: PLC0415  as above

        last = self.kept_step(step, exact, alone)
        found, kept = wanted_values(self.session, last, names, alone)
        if whole and last.keep:
            self.kept_step(last)  # it was to keep some, and could not: older ones would be wrong
        for source in found if whole else ():
            if source.names and (older := kept_before(source.step)):
                raise KeptBefore(refer(source.step, MAIN), older)
        planned, back = read(self._keeper, found, namespace, exact)
        lost = {one.name: one.why for one in back.missing}
        if whole:
            check_whole(self.session, last, found, lost)
        planned, why = careful(found_same(planned, back, namespace), kept, lost)
        why += [f"values are of another class {name} than is there now" for name in back.classes]
        why += [
            f"{name} is another value than when a function that uses it was kept"
            for name in back.constants
        ]
        same = {entry.name for entry in planned.names if entry.way == "same"}
        values = back.also | {k: value for k, value in back.values.items() if k not in same}
        there = namespace.keys() | values.keys()
        uses = looked_up(
            {name: value for name, value in {**namespace, **values}.items() if name in kept.names}
        )
        of = {name: source.step for source in found for name in source.names}
        told = self._notes(last, found) + why
        return PreparedValues(
            namespace=namespace,
            values=values,
            give_back=back.give_back,
            gone=tuple(entry.name for entry in planned.names if entry.way == "removed"),
            told=Restoration(last, kept, planned, told, lost, tuple(back.also), there, uses),
            versions={
                name: version(self.session, of.get(name, last), name) for name in {*values, *same}
            },
        )

    def _notes(self, last: Step, found: Sequence[Source]) -> list[str]:
        """Why what is restored may not be what is wanted."""
        from wfnb.views.restore_result import notes  # noqa: PLC0415  only where it is asked

        steps = dict.fromkeys(source.step.key for source in found if source.names)
        said = [note for key in steps for note in notes(self.session, self.session.steps[key])]
        return [*notes_on(self.session, last, found), *dict.fromkeys(said)]

    def differences(
        self, one: int | str | Place, other: int | str | Place, *names: str
    ) -> Differences:
        """How the values that two steps kept differ: all of them, or those named."""
        from wfnb.views.value_differences import Differences  # noqa: PLC0415  only where it is asked

        before, after = self.kept_step(one), self.kept_step(other)
        found = compare_values(self._keeper, kept_values_of(before), kept_values_of(after), names)
        return Differences(before, after, tuple(found))

    def kept_step(
        self, step: int | str | Place | Step, exact: bool = False, alone: bool = True
    ) -> Step:
        """The step, where it kept something, or (not `alone`) a step before it on its line did; a
        branch, or `"last"` for the line that is chosen, is its last step that did. NothingKept
        names those that did. `exact`: NamesUnknown where it is not known what was there."""
        with self._lock:
            session = self.refresh()
            name = self.line if step == LAST else step
            if isinstance(name, str) and name in session.lines and not name.isdigit():
                line = list(line_steps(session, session.lines[name]))
                found = next((each for each in reversed(line) if names_of(each)), None)
                for each in line[line.index(found) + 1 :] if found and exact else ():
                    if each.kept is not None:
                        check_names_known(each)
            else:
                found = step if isinstance(step, Step) else self._named_step(step)
            if found is None or (found.kept is None and (alone or not sources(session, found))):
                some = filter(names_of, session.steps.values())
                steps = tuple(refer(step, MAIN) for step in some)
                raise NothingKept("" if found is None else refer(found, MAIN), steps)
            if exact:
                check_names_known(found)
            return found

    def _named_step(self, step: int | str | Place) -> Step:
        """BadValue names what may be said instead."""
        try:
            return self.find(step)
        except BadValue as refusal:
            if not isinstance(step, str):
                raise
            needs = f"the number of a step (2, or alt:3), {LAST}, or a branch"
            branches = listing(self.session.lines, "")
            raise BadValue("step", refusal.value, f"{needs}: {branches}") from None
