"""a session and a namespace -> values kept at a step, and brought back.

What reads and writes them is heavy, and is imported by the first that keeps or restores something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import chain
from traceback import print_exc
from typing import TYPE_CHECKING, Any

from wfnb.core.commands import ChooseKeeping, KeepValues
from wfnb.core.events import KeepingChosen, ValuesKept
from wfnb.core.kept_values import KeptValue, KeptValues
from wfnb.core.newest_kept_values import Source, deleted_elsewhere, sources, steps_until
from wfnb.core.queries import line_steps
from wfnb.core.replay import redoable
from wfnb.core.session import Session, Step
from wfnb.core.staleness import kept_maker, kept_version
from wfnb.core.validation import MAIN, StepPlace
from wfnb.errors import BadValue, KeptBefore, NothingKept, listing
from wfnb.interrupt_deferral import Deferral
from wfnb.journal import SessionInfo
from wfnb.session_log import SessionLog, replay_session
from wfnb.temporary_folder import remove_left, temporary_folder
from wfnb.views.step_words import refer

from .value_comparison import compare_values
from .value_transfer import (
    LAST,
    KeepRequest,
    PreparedValues,
    Values,
    all_kept,
    check_names_known,
    kept_values_of,
    mark_unchanged,
    names_of,
    no_such,
    pieces,
    without_removals,
)
from .values_as_of import (
    check_whole,
    notes_on,
    plan,
    read,
    read_apart,
    torn,
    torn_note,
    wanted_values,
)

if TYPE_CHECKING:
    from wfnb.values import Keeper, Usage
    from wfnb.views.restore_result import Restoration
    from wfnb.views.value_differences import Differences


class SessionValues:
    """The values that the steps of a session keep. `make_keeper` gives what stores them; without
    it they go with this process."""

    def __init__(self, log: SessionLog, make_keeper: Callable[[], Keeper] | None) -> None:
        self._log = log
        self._make_keeper = make_keeper or self._temporary_keeper
        self._made: Keeper | None = None

    # keeping

    def keep(self, step: int | str | StepPlace, values: Mapping[str, Any]) -> KeptValues:
        """Keep values with a step that exists, by name. What cannot be kept says why
        (`kept.not_kept`), and the others are. They take the place of what the step kept before."""
        return self.keep_with(self._log.find(step), values, None)

    def keep_with(self, step: Step, values: Mapping[str, Any], attempt: int | None) -> KeptValues:
        """Keep values with a step; as those of its attempt that began there, where it is said."""
        # Around both: `gc` of another process must not take blobs that no event refers to yet.
        with self.hold_store():
            kept = self._store_values(values, tuple(values), step.key)
            self._log.do(KeepValues(step=step.key, values=kept, attempt=attempt))
        return kept

    def choose_keeping(
        self,
        *names: str,
        secrets: Iterable[str] | None = None,
        budget: int | None = None,
        figures: bool | None = None,
    ) -> KeepingChosen:
        """Choose what a cell's step keeps where it does not say so itself (`"none"`: nothing), the
        patterns of names that are never kept, the bytes that the session's values may take up,
        whether steps keep the figures that they show. Returns what is chosen."""
        patterns = None if secrets is None else tuple(secrets)
        self._log.do(
            ChooseKeeping(keep=names or None, secrets=patterns, budget=budget, figures=figures)
        )
        return self._log.session.keeping or KeepingChosen()

    def hold_store(self) -> AbstractContextManager[object]:
        """Around the writing of values and the recording that refers to them."""
        return self._keeper.hold_store()

    def keep_requested(self, wanted: KeepRequest, attempt: int) -> KeptValues | None:
        from wfnb.values import choose_values  # noqa: PLC0415  only where values are kept

        chosen, unknown = choose_values(wanted.names, wanted.namespace)
        # A namespace may hold other keys (`globals()["a b"]`), which no code could read again.
        values = {name: value for name, value in chosen.items() if name.isidentifier()}
        if not wanted.strict and not values:
            return None
        step, _ = self._log.session.running.get(attempt, (None, None))
        kept = self._store_values(values, wanted.patterns, step, wanted.namespace)
        lost = [name for name in unknown if name in wanted.patterns] if wanted.strict else []
        missing = [
            KeptValue(name=name, type="", why_not=no_such(name, wanted.namespace)) for name in lost
        ]
        mine = self._log.session.steps.get(step) if kept.there and step is not None else None
        earlier = [] if mine is None else steps_until(self._log.session, mine)[:-1]
        found_before = sources(self._log.session, earlier[-1]) if earlier else []
        lacks = {name for source in found_before for name in source.names} - {*kept.there}
        elsewhere = deleted_elsewhere(self._log.session, earlier, lacks) if lacks else set()
        unread = [
            name
            for source in found_before
            for name in source.names
            # This kernel may never have had it.
            if source.step.key not in self._log.ran or name in elsewhere
        ]
        all_names = tuple(dict.fromkeys((*kept.there, *unread)))
        return replace(kept, values=(*kept.values, *missing), there=all_names)

    def _store_values(
        self,
        values: Mapping[str, Any],
        asked: tuple[str, ...],
        step: int | None,
        namespace: Mapping[str, Any] | None = None,
    ) -> KeptValues:
        """Written, or why not: an interrupt leaves what was to be kept unkept, and nothing half.
        What the step kept before does not count against the budget: this takes its place."""
        chosen = self._log.session.keeping or KeepingChosen()
        more: dict[str, Any] = {} if chosen.budget is None else {"budget": chosen.budget}
        if chosen.secrets is not None:
            more["secrets"] = chosen.secrets
        try:
            return self._keeper.keep(
                values,
                asked=asked,
                namespace=namespace,
                counted=lambda: self._other_pieces(step),
                beside=self._kept_before(step, values, namespace or {}),
                **more,
            )
        # The step ran and has to end: a fault of the keeping must not look like one of the cell.
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
        last = self._log.session.steps.get(step) if step is not None else None
        earlier = [] if last is None else steps_until(self._log.session, last)[:-1]
        names = {name: None for one in earlier for name in names_of(one)}
        others = namespace.keys() - values.keys()
        return {name: namespace[name] for name in names if name in others}

    # restoring

    def restore(
        self,
        step: int | str | StepPlace = LAST,
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
        from wfnb.views.restore_result import without  # noqa: PLC0415  only where it is asked

        if into is not None and not isinstance(into, dict):
            raise BadValue("into", f"{into!r:.80}", "a namespace to put them into, as globals()")
        last = self.find_step(step, alone=alone)
        origins, every = wanted_values(self._log.session, last, names, alone)
        there_before = {*(into or ())}
        if into is None:
            back = read_apart(self._keeper, origins)
            values = back.values
        else:
            _, back = read(self._keeper, origins, into, exact=False)
            # At once, when all are read: what fails on the way leaves the namespace as it was.
            into.update(back.also | back.values)
            back.give_back()
            restored = {*back.values, *back.left}
            values = {name: into[name] for name in every.names if name in restored}
        missing = {lost.name: lost.why for lost in back.missing}
        notes = self._notes(last, origins)
        notes += [without(one) for one in every.values if one.without and one.name in back.values]
        if names and into is not None:
            parted = torn(origins, every, back.values, there_before)
            notes += [torn_note(last, name, others) for name, others in parted.items()]
        return Values(values, missing, notes)

    def plan(
        self,
        step: int | str | StepPlace,
        names: Iterable[str],
        namespace: dict[str, Any],
        *,
        exact: bool = False,
        alone: bool = False,
    ) -> Restoration:
        """What `prepare` would put into a namespace. Nothing of what was kept is run."""
        from wfnb.views.restore_result import Restoration  # noqa: PLC0415  only where it is asked

        last = self.find_step(step, exact, alone)
        origins, every = wanted_values(self._log.session, last, names, alone)
        planned = plan(self._keeper, origins, namespace, exact)
        lost = [entry.name for entry in planned.names if entry.way == "cannot"]
        planned, why = without_removals(planned, every, lost)
        return Restoration(last, every, planned, self._notes(last, origins) + why)

    def prepare(
        self,
        step: int | str | StepPlace | Step,
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
        from wfnb.values.names_used_by_functions import looked_up  # noqa: PLC0415  only where it is asked
        from wfnb.views.restore_result import Restoration, kept_before, without  # noqa: PLC0415  as above

        last = self.find_step(step, exact, alone)
        origins, every = wanted_values(self._log.session, last, names, alone)
        if whole and last.keep:
            self.find_step(last)  # it was to keep some, and could not: older ones would be wrong
        for source in origins if whole else ():
            if source.names and (older := kept_before(source.step)):
                raise KeptBefore(refer(source.step, MAIN), older)
        planned, back = read(self._keeper, origins, namespace, exact)
        lost = {one.name: one.why for one in back.missing}
        if whole:
            check_whole(self._log.session, last, origins, lost)
        planned, why = without_removals(mark_unchanged(planned, back, namespace), every, lost)
        doubts = [f"values are of another class {name} than is there now" for name in back.classes]
        doubts += [
            f"{name} is another value than when a function that uses it was kept"
            for name in back.constants
        ]
        lacking = {
            value.name: without(value)
            for value in every.values
            if value.without and value.name in back.values
        }
        parted = torn(origins, every, back.values, namespace) if names else {}
        why += [*doubts, *(torn_note(last, name, others) for name, others in parted.items())]
        same = {entry.name for entry in planned.names if entry.way == "same"}
        values = back.also | {k: value for k, value in back.values.items() if k not in same}
        names_then = namespace.keys() | values.keys()
        uses = looked_up(
            {name: value for name, value in {**namespace, **values}.items() if name in every.names}
        )
        of = {name: source.step for source in origins for name in source.names}
        notes = self._notes(last, origins) + why
        return PreparedValues(
            namespace=namespace,
            values=values,
            give_back=back.give_back,
            doubts=(*doubts, *lacking.values()),
            gone=tuple(entry.name for entry in planned.names if entry.way == "removed"),
            restoration=Restoration(
                last, every, planned, notes, lost, tuple(back.also), names_then, uses
            ),
            # What comes with the others because they need it, no step kept for itself; what comes
            # back in part, or apart from what it shared objects with, is no step's value.
            versions={
                name: kept_version(of[name], name)
                if name in of and name not in {**lacking, **parted}
                else None
                for name in {*values, *same}
            },
            makers={
                name: made
                for name, source in of.items()
                if name not in parted
                and (flow := source.kept_flow)
                and (flow.makers_left or flow.makers)
                and (made := kept_maker(self._log.session, source, name))
            },
        )

    def _notes(self, last: Step, origins: Sequence[Source]) -> list[str]:
        """Why what is restored may not be what is wanted."""
        from wfnb.views.restore_result import notes  # noqa: PLC0415  only where it is asked

        session = self._log.session
        steps = dict.fromkeys(source.step.key for source in origins if source.names)
        of_steps = [note for key in steps for note in notes(session, session.steps[key])]
        return [*notes_on(session, last, origins), *dict.fromkeys(of_steps)]

    def differences(
        self, one: int | str | StepPlace, other: int | str | StepPlace, *names: str
    ) -> Differences:
        """How the values that two steps kept differ: all of them, or those named."""
        from wfnb.views.value_differences import Differences  # noqa: PLC0415  only where it is asked

        before, after = self.find_step(one), self.find_step(other)
        compared = compare_values(
            self._keeper, kept_values_of(before), kept_values_of(after), names
        )
        return Differences(before, after, tuple(compared))

    def find_step(
        self, step: int | str | StepPlace | Step, exact: bool = False, alone: bool = True
    ) -> Step:
        """The step, where it kept something, or (not `alone`) a step before it on its line did; a
        branch, or `"last"` for the line that is chosen, is its last step that did and still counts.
        NothingKept names those that did. `exact`: NamesUnknown where nobody knows what was there.
        """
        with self._log.lock:
            session = self._log.refresh()
            name = self._log.line if step == LAST else step
            # A branch may be called `3`: a number is a step.
            if isinstance(name, str) and name in session.lines and not name.isdigit():
                whole = line_steps(session, session.lines[name])
                line = [each for each in whole if each.is_counting]
                target = next((each for each in reversed(line) if names_of(each)), None)
                # Those after it kept nothing; what there was then, their record has to say.
                for each in line[line.index(target) + 1 :] if target and exact else ():
                    if each.kept is not None:
                        check_names_known(each)
            else:
                target = step if isinstance(step, Step) else self._named_step(step)
            if target is None or (target.kept is None and (alone or not sources(session, target))):
                some = filter(names_of, session.steps.values())
                steps = tuple(refer(step, MAIN) for step in some)
                raise NothingKept("" if target is None else refer(target, MAIN), steps)
            if exact:
                check_names_known(target)
            return target

    def _named_step(self, step: int | str | StepPlace) -> Step:
        """BadValue names what may be said instead."""
        try:
            return self._log.find(step)
        except BadValue as refusal:
            if not isinstance(step, str):
                raise
            needs = f"the number of a step (2, or alt:3), {LAST}, or a branch"
            branches = listing(self._log.session.lines, "")
            raise BadValue("step", refusal.value, f"{needs}: {branches}") from None

    # the store

    def gc(self, *, undone: bool = False, archived: bool = False) -> Usage:
        """Remove the kept values that no step of any session refers to, and say what was removed:
        those of steps that were undone and cannot be redone, and those that a later attempt
        replaced. `undone`: also those that redoing would refer to again; `archived`: also those
        that only archived sessions refer to. Those of runs that may go on stay, and what others
        handed on."""
        remove_left()
        return self._keeper.gc(lambda: self._live(undone, archived))

    def _live(self, undone: bool, archived: bool) -> Iterator[str]:
        infos = [info for info in self._log.journal.sessions() if not (archived and info.archived)]
        yield from pieces(map(self._session, infos))
        yield from (one for kept in self._kept_by_runs(infos, True) for one in kept.pieces())
        if not undone:
            for info in infos:
                for entry in redoable(self._log.journal.read(info.id)):
                    if isinstance(entry.event, ValuesKept):
                        yield from entry.event.kept.pieces()

    def trust(self) -> int:
        """Let the values that are kept here be read, whoever kept them. Reading one runs code that
        its author chose. Returns how many are newly trusted."""
        infos = self._log.journal.sessions()
        of_steps = all_kept(map(self._session, infos))
        return self._keeper.trust(chain(of_steps, self._kept_by_runs(infos)))

    def _kept_by_runs(
        self, infos: Iterable[SessionInfo], needed: bool = False
    ) -> Iterator[KeptValues]:
        """What the runs of sessions keep of the values that actions hand on."""
        journal = self._log.journal
        # Where no session ran anything, the models of workflows are not imported for it.
        ran = [info.id for info in infos if journal.runs(info.id)]
        if ran:
            from wfnb.values.call_values import kept_values  # noqa: PLC0415  only where there are runs
            from wfnb.workflows.run_log import values_kept  # noqa: PLC0415  as above

            for id in ran:
                yield from map(kept_values, values_kept(journal, id, needed))

    def usage(self) -> Usage:
        """What all kept values beside this journal take up."""
        return self._keeper.usage()

    @property
    def _keeper(self) -> Keeper:
        if self._made is None:
            self._made = self._make_keeper()
        return self._made

    def _temporary_keeper(self) -> Keeper:
        """For a session that is in memory only: what it keeps goes with this process."""
        # Ctrl-C in the middle of an import leaves modules half made for the rest of the process.
        with Deferral():
            from wfnb.values import Keeper  # noqa: PLC0415  only where values are kept

        return Keeper(temporary_folder(self))

    def _session(self, info: SessionInfo) -> Session:
        log = self._log
        # The own session is in memory already: only the others are read from their beginning.
        return log.refresh() if info.id == log.id else replay_session(log.journal, info.id)

    def _other_pieces(self, step: int | None) -> Iterator[str]:
        """What the other steps of this session refer to."""
        # A copy: it is asked while values are written, and another thread may record a step
        # meanwhile.
        steps = tuple(self._log.session.steps.items())
        return (p for key, each in steps if key != step and each.kept for p in each.kept.pieces())
