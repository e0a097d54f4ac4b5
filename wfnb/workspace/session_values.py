"""a session and a namespace -> values kept at a step, and brought back.

What reads and writes them is heavy, and is imported by the first that keeps or restores something.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any
from weakref import finalize

from wfnb.core.commands import ChooseKeeping, FinishStep, KeepValues
from wfnb.core.events import KeepingChosen, Outcome, ValuesKept
from wfnb.core.kept import Kept, KeptValue
from wfnb.core.questions import seen
from wfnb.core.replay import redoable
from wfnb.core.session import Session, Step
from wfnb.core.values import MAIN, Place
from wfnb.errors import BadValue, NothingKept, NotRestored, StepNotRunning, listing
from wfnb.journal import Journal
from wfnb.library.strategies import Shelf
from wfnb.views.words import refer

from .kept import LAST, Prepared, Values, Wanted, all_kept, blobs, compared, meant
from .session_log import replayed
from .session_views import Runs, SessionViews

if TYPE_CHECKING:
    from wfnb.keep import Keeper, Usage
    from wfnb.views.differences import Differences
    from wfnb.views.restored import Restoration


class SessionValues(SessionViews):
    """A session whose steps keep values."""

    def __init__(
        self,
        journal: Journal,
        session: int,
        strategies: Callable[[], Shelf],
        runner: Callable[[Any], Runs] | None,
        keeper: Callable[[], Keeper] | None,
    ) -> None:
        super().__init__(journal, session, strategies, runner)
        self._make_keeper = keeper or self._passing
        self._made: Keeper | None = None

    # keeping

    def keep(self, step: int | str | Place, values: Mapping[str, Any]) -> Kept:
        """Keep values with a step that exists, by name. What cannot be kept says why
        (`kept.not_kept`), and the others are. They take the place of what the step kept before."""
        return self.keep_with(self.find(step), values, None)

    def keep_with(self, step: Step, values: Mapping[str, Any], attempt: int | None) -> Kept:
        """Keep values with a step; as those of its attempt that began there, where it is said."""
        with self._keeper.keeping():
            kept = self._stored(values, tuple(values))
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

    def finish(self, attempt: int, outcome: Outcome, wanted: Wanted | None = None) -> Step:
        """Record how the attempt that began at position `attempt` ended (`Step.running`), and what
        is kept of it. StepNotRunning where it was undone or run again elsewhere meanwhile."""
        if wanted is None:
            return self._finish(attempt, outcome, None)
        with self._keeper.keeping():
            return self._finish(attempt, outcome, self._wanted(wanted))

    def _finish(self, attempt: int, outcome: Outcome, kept: Kept | None) -> Step:
        with self._lock:
            if attempt not in self.session.running and attempt not in self.refresh().running:
                raise StepNotRunning(attempt)
            key, _ = self.session.running[attempt]
            self.do(FinishStep(attempt=attempt, outcome=outcome, kept=kept))
            return self.session.steps[key]

    def _wanted(self, wanted: Wanted) -> Kept | None:
        from wfnb.keep import chosen  # noqa: PLC0415  only where values are kept

        found, unknown = chosen(wanted.names, wanted.namespace)
        values = {name: value for name, value in found.items() if name.isidentifier()}
        if not wanted.strict and not values:
            return None
        kept = self._stored(values, wanted.asked, wanted.namespace)
        lost = unknown if wanted.strict else ()
        missing = [KeptValue(name=name, type="", why_not="there was no such name") for name in lost]
        return replace(kept, values=(*kept.values, *missing))

    def _stored(
        self,
        values: Mapping[str, Any],
        asked: tuple[str, ...],
        namespace: Mapping[str, Any] | None = None,
    ) -> Kept:
        """Written, or why not: an interrupt leaves what was to be kept unkept, and nothing half."""
        chosen = self.session.keeping or KeepingChosen()
        more: dict[str, Any] = {} if chosen.budget is None else {"budget": chosen.budget}
        if chosen.secrets is not None:
            more["secrets"] = chosen.secrets
        try:
            return self._keeper.keep(
                values, asked=asked, namespace=namespace, elsewhere=self._elsewhere, **more
            )
        except KeyboardInterrupt:
            why = "keeping it was interrupted"
            lost = [KeptValue(name=name, type="", why_not=why) for name in values]
            return Kept(values=tuple(lost), asked=asked)

    # restoring

    def restore(
        self, step: int | str | Place = LAST, *names: str, into: dict[str, Any] | None = None
    ) -> Values:
        """The values that a step kept (all, or those named), as new objects; `"alt"` is the last
        step of branch alt that kept some, `"last"` that of the chosen line. `into` is a namespace
        to put them into: what is there as it was kept stays, the same object. What did not come
        back is in `missing`, by name.

        NothingKept, ValueNotKept, StoreForeign."""
        kept = _of(self.kept_step(step))
        asked = meant(kept, names)
        if into is None:
            back = self._keeper.restore(kept, asked)
            values = back.values
        else:
            _, back = self._keeper.go_back(kept, asked, namespace=into)
            into.update(back.also | back.values)
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
    ) -> Restoration:
        """What `prepare` would put into a namespace. Nothing of what was kept is run."""
        from wfnb.views.restored import Restoration, notes  # noqa: PLC0415  only where it is asked

        found = self.kept_step(step)
        kept = _of(found)
        plan = self._keeper.plan(kept, meant(kept, names), namespace=namespace, exact=exact)
        return Restoration(found, kept, plan, notes(self.session, found))

    def prepare(
        self,
        step: int | str | Place | Step,
        names: Iterable[str],
        namespace: dict[str, Any],
        *,
        exact: bool = False,
        whole: bool = False,
    ) -> Prepared:
        """The values that a step kept, read, to be put into a namespace; what is there as it was
        kept stays. `exact` takes out of it the names that were not there at that step. `whole`:
        NotRestored where something that was to be kept does not come back, because what goes on
        from the rest would be wrong."""
        from wfnb.keep.lookups import looked_up  # noqa: PLC0415  only where it is asked
        from wfnb.views.restored import Restoration, notes  # noqa: PLC0415  as above

        found = self.kept_step(step)
        kept = _of(found)
        asked = meant(kept, names)
        plan, back = self._keeper.go_back(kept, asked, namespace=namespace, exact=exact)
        lost = {one.name: one.why for one in back.missing}
        if whole and lost:
            gone = [name for name in (*kept.names, *lost) if name in lost]
            raise NotRestored(refer(found, MAIN), gone[0], lost[gone[0]], len(lost) - 1)
        values = back.also | back.values
        there = namespace.keys() | values.keys()
        uses = looked_up(
            {name: value for name, value in {**namespace, **values}.items() if name in kept.names}
        )
        told = notes(self.session, found)
        return Prepared(
            namespace=namespace,
            values=values,
            gone=tuple(entry.name for entry in plan.names if entry.way == "removed"),
            told=Restoration(found, kept, plan, told, lost, tuple(back.also), there, uses),
        )

    def differences(
        self, one: int | str | Place, other: int | str | Place, *names: str
    ) -> Differences:
        """How the values that two steps kept differ: all of them, or those named."""
        from wfnb.views.differences import Differences  # noqa: PLC0415  only where it is asked

        before, after = self.kept_step(one), self.kept_step(other)
        found = compared(self._keeper, _of(before), _of(after), names)
        return Differences(before, after, tuple(found))

    def kept_step(self, step: int | str | Place | Step) -> Step:
        """The step, where it kept something; a branch, or `"last"` for the line that is chosen, is
        its last step that did. NothingKept names those that did."""
        with self._lock:
            session = self.refresh()
            name = self.line if step == LAST else step
            if isinstance(name, str) and name in session.lines and not name.isdigit():
                line = list(seen(session, session.lines[name]))
                found = next((each for each in reversed(line) if each.kept), None)
            else:
                found = step if isinstance(step, Step) else self._named_step(step)
            if found is None or found.kept is None:
                steps = tuple(refer(step, MAIN) for step in session.steps.values() if step.kept)
                raise NothingKept("" if found is None else refer(found, MAIN), steps)
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

    # the store

    def gc(self, *, undone: bool = False) -> Usage:
        """Remove the kept values that no step of any session refers to, and say what was removed:
        those of steps that were undone and cannot be redone, and those that a later attempt
        replaced. `undone`: also those that redoing would refer to again."""
        return self._keeper.gc(lambda: self._live(undone))

    def _live(self, undone: bool) -> Iterator[str]:
        yield from blobs(self._sessions())
        if not undone:
            for info in self.journal.sessions():
                for entry in redoable(self.journal.read(info.id)):
                    if isinstance(entry.event, ValuesKept):
                        yield from entry.event.kept.blobs()

    def trust(self) -> int:
        """Let the values that are kept here be read, whoever kept them. Reading one runs code that
        its author chose. Returns how many are newly trusted."""
        return self._keeper.trust(all_kept(self._sessions()))

    def usage(self) -> Usage:
        """What all kept values beside this journal take up."""
        return self._keeper.usage()

    @property
    def _keeper(self) -> Keeper:
        if self._made is None:
            self._made = self._make_keeper()
        return self._made

    def _passing(self) -> Keeper:
        """For a session that is in memory only: what it keeps goes with this process."""
        from wfnb.keep import Keeper  # noqa: PLC0415  only where values are kept

        folder = Path(mkdtemp(prefix="wfnb-"))
        finalize(self, _remove, folder, os.getpid())
        return Keeper(folder)

    def _sessions(self) -> Iterator[Session]:
        """All there are beside this journal, archived ones too."""
        for info in self.journal.sessions():
            yield self.refresh() if info.id == self.id else replayed(self.journal, info.id)

    def _elsewhere(self) -> Iterator[str]:
        """What other sessions refer to, and this one does not."""
        own = set(blobs([self.session]))
        others = (session for session in self._sessions() if session is not self.session)
        return (blob for blob in blobs(others) if blob not in own)


def _remove(folder: Path, process: int) -> None:
    """In the process that made it: one that it forked ends without."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


def _of(step: Step) -> Kept:
    assert step.kept is not None
    return step.kept
