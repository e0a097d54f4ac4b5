"""names and values -> files that hold them, and back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from wfnb.core.kept_values import KeptValues, Plan, pieces_of, size_of
from wfnb.errors import BLOB_ERRORS, StoreBusy, StoreUnusable
from wfnb.trust import Trust, data_folder, setting

from .readable_pickles import (
    OpenedPickles,
    missing_reason,
    names_to_restore,
    open_pickles,
    places_of,
)
from .restore import restore
from .restore_plan import plan
from .restore_result import RestoredValues
from .secret_names import SECRETS
from .store import Store
from .unchanged_values import find_unchanged
from .value_writing import Budget, Keeping

STORE_BUDGET = 1_000_000_000
"""Bytes that the values of one session may take up in the store."""
LOCK_TIMEOUT = 10.0
"""Seconds that one waits for another process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Blobs and bytes of the store."""

    blobs: int
    size: int


class Keeper:
    """The kept values of a folder `.wfnb`. Nothing is written before something is kept. `own` is
    the folder of the user's key; by default it is where his programs keep what is his. `trust` says
    what may be read, by default what he kept or believes."""

    def __init__(self, home: Path, own: Path | None = None, trust: Trust | None = None) -> None:
        self._store = Store(home / "values")
        self._trust = trust or Trust(own or data_folder())
        self._held: ContextVar[tuple[str | None] | None] = ContextVar("held", default=None)
        """Within `hold_store`: why nothing can be written, or that it can."""

    @contextmanager
    def hold_store(self) -> Iterator[str | None]:
        """While this block runs, no process collects garbage here. Call `keep` and record the event
        that names what it kept within one such block. Raises nothing: where the folder cannot be
        written, or a process collects for too long, it gives the reason, which `keep` says for each
        name."""
        with ExitStack() as stack:
            obstacle = None
            try:
                stack.enter_context(self._store.lock(alone=False, patience=LOCK_TIMEOUT))
            except StoreBusy:
                obstacle = "another process has been removing values from the store all the time"
            except OSError as error:
                obstacle = f"{self._store.folder} cannot be written ({error.strerror or error})"
            token = self._held.set((obstacle,))
            stack.callback(self._held.reset, token)
            yield obstacle

    def keep(
        self,
        values: Mapping[str, Any],
        *,
        asked: Iterable[str] = (),
        namespace: Mapping[str, Any] | None = None,
        secrets: Collection[str] = SECRETS,
        budget: int = STORE_BUDGET,
        counted: Callable[[], Iterable[str]] | None = None,
        beside: Mapping[str, Any] | None = None,
        hidden: Collection[str] = (),
    ) -> KeptValues:
        """Write what is not in the store yet, and say what was kept. Never refuses: a value that
        cannot be kept says why, the others are kept. KeyboardInterrupt leaves nothing half.

        `namespace` is the user's (`shell.user_ns`): functions and classes of the notebook look up
        names there, and will again; None: those of the program, and which names were there is not
        recorded. `counted` gives the blobs that count against the budget besides: those that the
        other steps of a session refer to. By default all of the store does. `beside` are values
        that steps before kept: one that shares objects with those is kept along. What has one of
        the texts `hidden` in it is not kept."""
        held = self._held.get()
        # Called outside of `hold_store`: it is held for this call alone.
        with self.hold_store() if held is None else nullcontext(held[0]) as obstacle:
            keeping = Keeping(
                store=self._store,
                trust=self._trust,
                namespace=_main() if namespace is None else namespace,
                secrets=secrets,
                budget=Budget(budget, counted or self._store.pieces),
                obstacle=obstacle,
                hidden=hidden,
            )
            result = keeping.keep(values, tuple(asked), beside or {})
        return replace(result, there=()) if namespace is None else result

    def plan(
        self,
        kept: KeptValues,
        names: Iterable[str] | None = None,
        *,
        namespace: Mapping[str, Any],
        exact: bool = False,
    ) -> Plan:
        """What `go_back` would do to a namespace, without running code of a pickle: `--dry-run`.
        `exact`: names that were not there at that step (`kept.there`) go, but those that begin with
        `_` or are IPython's own. ValueNotKept."""
        wanted = names_to_restore(kept, names)
        same, read = self._find_and_open(kept, wanted, namespace, dry=True)
        return plan(read, same, kept, wanted, namespace, exact)

    def go_back(
        self,
        kept: KeptValues,
        names: Iterable[str] | None = None,
        *,
        namespace: dict[str, Any],
        exact: bool = False,
        above: Mapping[str, Any] | None = None,
    ) -> tuple[Plan, RestoredValues]:
        """As `restore`, but what is in the namespace as it was kept is neither read nor replaced
        (`RestoredValues.left`): it is the same where keeping it again would write the same bytes,
        and where no two of the kept names are one object or one memory that were not. With what it
        does, name by name. Raises as `restore`; nothing is put into the namespace. `above` is what
        will be put there before."""
        wanted = names_to_restore(kept, names)
        same, read = self._find_and_open(kept, wanted, namespace)
        planned = plan(read, same, kept, wanted, namespace, exact)
        back = restore(self._store, read, kept, wanted, namespace, same, above=above)
        return planned, back

    def check(self, kept: KeptValues, names: Iterable[str]) -> None:
        """StoreForeign where another user kept one of the names."""
        wanted = names_to_restore(kept, names)
        places = places_of(kept, wanted)
        open_pickles(self._store, self._trust, kept, places, dry=True).check(
            self._store, kept, wanted
        )

    def restore(
        self,
        kept: KeptValues,
        names: Iterable[str] | None = None,
        *,
        namespace: dict[str, Any] | None = None,
        apart: bool = False,
        lookups: dict[str, Any] | None = None,
    ) -> RestoredValues:
        """Read kept values (all, or some names), as new objects. Functions of the notebook get
        `namespace` as their globals; nothing is put into it. None: what belongs to a library comes
        as a copy, and the globals are `lookups`, or those of `__main__`. `apart`: nothing has to be
        given back, as members of enumerations that hold what can be changed are those of a class
        made anew. What cannot be read is in `missing`; the others come back. Raises ValueNotKept
        for a name that was not asked for then, StoreForeign where another user kept one of them:
        then nothing at all is unpickled."""
        wanted = names_to_restore(kept, names)
        pickles = open_pickles(self._store, self._trust, kept, places_of(kept, wanted))
        scope = next(one for one in (namespace, lookups, _main()) if one is not None)
        copies = namespace is None
        back = restore(self._store, pickles, kept, wanted, scope, copies=copies)
        # Only a first reading tells which classes have such members: these are read once more,
        # apart.
        if apart and back.held:
            live = frozenset(type(one) for one, _ in back.held)
            return restore(self._store, pickles, kept, wanted, scope, apart=live, copies=copies)
        return back

    def trust(self, all_kept: Iterable[KeptValues], *, dry: bool = False) -> int:
        """Believe what these kept values refer to, as it is in the store now, and say how many
        values are newly believed. What comes into it later from elsewhere has to be trusted again.
        `dry`: only say it. StoreUnusable where the user's data folder cannot be written."""
        heads: dict[str, str] = {}
        names: dict[str, set[str]] = {}
        for kept in all_kept:
            for place, group in enumerate(kept.groups):
                for head in group.blobs[:1]:
                    heads[head] = group.signature
                    names.setdefault(head, set()).update(kept.members(place))
        foreign = [*self._foreign(heads)]
        try:
            self._trust.believe(() if dry else map(self._parts, foreign))
        except OSError as error:
            what = error.strerror or str(error)
            raise StoreUnusable(str(self._trust.folder), what, setting()) from None
        return sum(len(names[head]) for head in foreign)

    def gc(self, live: Callable[[], Iterable[str]]) -> Usage:
        """Remove what no step refers to; what was removed. `live` gives all pieces that kept values
        of any session refer to; it is asked when no process can keep any more, and where it raises
        nothing is removed. StoreBusy, StoreUnusable."""
        if not self._store.folder.is_dir():
            return Usage(blobs=0, size=0)
        try:
            with self._store.lock(alone=True, patience=LOCK_TIMEOUT):
                # Within the lock: what is kept while `live` is asked would be neither in it nor
                # safe.
                dead = sorted(set(self._store.pieces()) - set(live()))
                for piece in dead:
                    self._store.remove(piece)
                self._store.tidy()
        except OSError as error:
            raise self._unusable_error(error) from None
        return Usage(blobs=len(dead), size=sum(map(size_of, dead)))

    def usage(self) -> Usage:
        """What the store takes up. StoreUnusable."""
        try:
            pieces = list(self._store.pieces())
        except OSError as error:
            raise self._unusable_error(error) from None
        return Usage(blobs=len(pieces), size=sum(map(size_of, pieces)))

    def _find_and_open(
        self,
        kept: KeptValues,
        wanted: Iterable[str],
        namespace: Mapping[str, Any],
        *,
        dry: bool = False,
    ) -> tuple[frozenset[int], OpenedPickles]:
        """What is there, and what has to be read. What was lost from the store counts as lost, even
        where it is there."""
        places = places_of(kept, wanted)
        unchanged = find_unchanged(self._store, kept, places, namespace)
        # What is there may be the last copy: that the store lost it is to be told.
        same = {at for at in unchanged if not missing_reason(self._store, kept.groups[at].blobs)}
        left = [place for place in places if place not in same]
        return frozenset(same), open_pickles(self._store, self._trust, kept, left, dry=dry)

    def _unusable_error(self, error: OSError) -> StoreUnusable:
        what = error.strerror or str(error)
        return StoreUnusable(str(self._store.folder), what, "WFNB_HOME")

    def _foreign(self, heads: Mapping[str, str]) -> Iterator[str]:
        """Those of these pickles that are another user's."""
        for head, signature in heads.items():
            try:
                is_own = self._trust.holds(self._parts(head), signature)
            except (*BLOB_ERRORS, MemoryError):
                continue
            if not is_own:
                yield head

    def _parts(self, blob: str) -> Iterator[bytearray]:
        return map(self._store.read, pieces_of([blob]))


def _main() -> dict[str, Any]:
    import __main__  # noqa: PLC0415  (another one in each test)

    return vars(__main__)
