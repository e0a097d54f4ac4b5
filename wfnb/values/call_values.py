"""values of one call -> what others read them by, in any process that has the folder.

    handover = Handover(home)                       the folder `.wfnb`
    with handover.hold_store():
        found = handover.keep([frame, model])       a Parcel and a place in it, or why not
        …                                           record them
    frame, model = handover.read(parcel, namespace={})

What is kept together goes into one pickle: what values share they share again when they are read.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from traceback import print_exc
from typing import Any, Protocol

from wfnb.core.kept_values import KeptGroup, KeptValue, KeptValues, size_of, size_said
from wfnb.errors import Refused, StoreBusy
from wfnb.frozen_record import record
from wfnb.trust import Trust, data_folder

from .keeper import LOCK_TIMEOUT, STORE_BUDGET, Keeper
from .readable_pickles import missing_reason
from .store import Store
from .value_description import describe

_NAME = "values"
"""What the tuple of all values is called, which is what is kept."""


@record
class Parcel:
    """One pickle of values: its files, what shows whose it is, the versions that it needs."""

    blobs: tuple[str, ...]
    signature: str
    environment: Mapping[str, str]


class HasParcel(Protocol):
    """A Parcel, or what has recorded one."""

    @property
    def blobs(self) -> tuple[str, ...]: ...
    @property
    def signature(self) -> str: ...
    @property
    def environment(self) -> Mapping[str, str]: ...


def kept_values(parcel: HasParcel) -> KeptValues:
    """What a step would have kept."""
    group = KeptGroup(blobs=parcel.blobs, signature=parcel.signature)
    value = KeptValue(name=_NAME, type="tuple", group=0)
    return KeptValues(values=(value,), groups=(group,), environment=parcel.environment)


class Handover:
    """What a folder `.wfnb` keeps for other calls. It can be pickled: who reads it elsewhere reads
    and writes the same folder."""

    def __init__(self, home: Path, budget: int = STORE_BUDGET) -> None:
        self.home, self.budget = Path(os.path.abspath(home)), budget
        self._keeper = Keeper(home)
        self._store = Store(home / "values")
        self._trust = Trust(data_folder())

    def __reduce__(self) -> tuple[Any, ...]:
        return Handover, (self.home, self.budget)

    @contextmanager
    def hold_store(self) -> Iterator[None]:
        """While this block runs, no process collects garbage here. In whichever thread it ends."""
        with ExitStack() as stack:
            with suppress(OSError, StoreBusy):  # what is kept says so
                stack.enter_context(self._store.lock(alone=False, patience=LOCK_TIMEOUT))
            yield

    def keep(
        self,
        values: Sequence[Any],
        *,
        namespace: Mapping[str, Any] | None = None,
        hidden: Collection[str] = (),
    ) -> list[tuple[Parcel, int] | str]:
        """For each value where it is kept, or why it is not, in words that follow its name. What
        has one of the texts `hidden` in it is not."""
        found = self._keep_together(tuple(values), namespace, hidden)
        if isinstance(found, Parcel):
            return [(found, place) for place in range(len(values))]
        # Together failed: one by one shows which of them it is, and keeps the others.
        if len(values) == 1:
            return [found]
        return [
            each
            for value in values
            for each in self.keep([value], namespace=namespace, hidden=hidden)
        ]

    def _keep_together(
        self, values: tuple[Any, ...], namespace: Mapping[str, Any] | None, hidden: Collection[str]
    ) -> Parcel | str:
        try:
            kept = self._keeper.keep(
                {_NAME: values}, namespace=namespace, budget=self.budget, hidden=hidden
            )
        except Exception as error:  # a fault of ours: the call has done its work
            print_exc()
            return f"keeping it failed ({type(error).__name__})"
        if kept.groups:
            group = kept.groups[0]
            return Parcel(
                blobs=group.blobs, signature=group.signature, environment=kept.environment
            )
        return kept.values[0].why_not or "it cannot be kept"

    def sign(self, parcel: HasParcel) -> str:
        """The signature of what a process of ours has kept. BlobMissing and the like."""
        return self._trust.signature([self._store.read(parcel.blobs[0])])

    def has(self, parcel: HasParcel) -> bool:
        """Whether all of it is there."""
        return all(map(self._store.has, parcel.blobs))

    def obstacle(self, parcel: HasParcel) -> str | None:
        """Why it cannot be read, as far as that can be told without reading all of it."""
        try:
            self._keeper.check(kept_values(parcel), [_NAME])
        except Refused as foreign:
            return str(foreign)
        return missing_reason(self._store, parcel.blobs)

    def read(
        self, parcel: HasParcel, *, namespace: dict[str, Any] | None = None, believed: bool = False
    ) -> tuple[Any, ...]:
        """The values, as new objects. `believed`: who asks knows that they are the user's.

        Raises ValueUnread, which says why not."""
        keeper = Keeper(self.home, trust=_Believing(data_folder())) if believed else self._keeper
        space = {"__name__": "__main__"} if namespace is None else namespace
        back = keeper.restore(kept_values(parcel), namespace=space, apart=True)
        for missing in back.missing:
            raise ValueUnread(missing.why)
        # What is there already goes first: it is what the notebook has by that name now.
        for name, value in back.also.items():
            space.setdefault(name, value)
        return tuple(back.values[_NAME])

    def says(self, value: Any, parcel: HasParcel) -> str:
        """A few words about a value that is kept.

        >>> parcel = Parcel(blobs=("a-12",), signature="", environment={})
        >>> Handover(Path("none")).says({1, 2}, parcel)
        '<set: {1, 2}, 12 bytes>'
        """
        said = describe(value)
        size = said.size or sum(map(size_of, set(parcel.blobs)))
        words = filter(None, (said.says, size_said(size)))
        return f"<{said.type}: {', '.join(words)}>"


class ValueUnread(Exception):
    """Why a value cannot be read, in words that follow its name."""


class _Believing(Trust):
    def holds(self, *content: Any, **purpose: Any) -> bool:
        return True
